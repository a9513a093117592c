//! How each player did: by part of the game, by verdict, and at their best and worst.

use tejun_games::go::Color;
use tejun_knowledge::judging::{JudgedMove, Verdict};

use crate::reports::judgement::GameReport;
use crate::reports::judgement::page::{address, small_sign};
use crate::reports::judgement::words::Label;
use crate::reports::writing::escape;

/// The parts of a game, by the numbers of their moves from 1.
const PARTS: [(Label, std::ops::RangeInclusive<usize>); 3] =
    [(Label::Opening, 1..=50), (Label::MiddleGame, 51..=150), (Label::Endgame, 151..=usize::MAX)];

/// The judged moves of one side, in a part of the game.
struct Played<'g>(Vec<&'g JudgedMove>);

impl Played<'_> {
    /// The mean win rate lost.
    fn mean_loss(&self) -> Option<f64> {
        mean(self.0.iter().filter_map(|judged| Some(judged.loss?.value)))
    }

    /// How often the expected move was played, where one was known.
    fn as_expected(&self) -> Option<f64> {
        let is_it = |judged: &&JudgedMove| Some(Some(judged.signals.expected?.point) == judged.played.point);
        mean(self.0.iter().filter_map(is_it).map(|is_it| f64::from(u8::from(is_it))))
    }

    /// The good move whose expected alternative is the worst, and by how much.
    fn best(&self) -> Option<(&JudgedMove, f64)> {
        let good = self.0.iter().filter(|judged| judged.verdict == Verdict::Good);
        let gains = good.filter_map(|&judged| Some((judged, judged.expected_is_worse_by()?)));
        gains.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The move that lost the most, and how much.
    fn worst(&self) -> Option<(&JudgedMove, f64)> {
        let losses = self.0.iter().filter_map(|&judged| Some((judged, judged.loss?.value)));
        losses.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, loss)| *loss > 0.0)
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (n, sum) = values.fold((0, 0.0), |(n, sum), value| (n + 1, sum + value));
    (n > 0).then(|| sum / f64::from(n))
}

impl GameReport<'_> {
    /// The table of both players, side by side.
    pub(crate) fn summary(&self) -> String {
        let head = |color: Color| {
            let class = if color == Color::Black { "black" } else { "white" };
            let name = escape(self.player(color));
            format!("<th scope=\"col\"><i class=\"stone {class}\"></i>{name}</th>")
        };
        let head = format!(
            "<thead><tr><th scope=\"col\">{}</th>{}{}</tr></thead>\n",
            self.label(Label::Player),
            head(Color::Black),
            head(Color::White)
        );
        let table = |body: String| format!("<table class=\"rows numbers\">\n{head}{body}</table>\n");
        let by_part = [
            self.group_by_part(Label::JudgedMoves, |played| Some(played.0.len().to_string())),
            self.group_by_part(Label::MeanLoss, |played| {
                played.mean_loss().map(|loss| format!("{:.1}%", 100.0 * loss))
            }),
            self.group_by_part(Label::AsExpected, |played| {
                played.as_expected().map(|share| format!("{:.0}%", 100.0 * share))
            }),
        ];
        format!(
            "<section class=\"players\">\n<h2>{}</h2>\n<div class=\"tables\">\n{}<div>\n{}{}\
             <p class=\"faint\">{}</p>\n</div>\n</div>\n</section>\n",
            self.label(Label::Players),
            table(by_part.concat()),
            table(format!("{}{}", self.verdicts(), self.highlights())),
            self.player_rows(),
            self.label(Label::Caution),
        )
    }

    fn played(&self, color: Color, part: &std::ops::RangeInclusive<usize>) -> Played<'_> {
        let is_it = |judged: &&JudgedMove| judged.played.color == color && part.contains(&(judged.index + 1));
        Played(self.judged.moves.iter().filter(is_it).collect())
    }

    /// One row per part of the game, and one for all of it.
    fn group_by_part(&self, title: Label, cell: impl Fn(&Played<'_>) -> Option<String>) -> String {
        let n_moves = self.judged.moves.last().map_or(0, |judged| judged.index + 1);
        let parts = PARTS.iter().filter(|(_, part)| *part.start() <= n_moves);
        let row = |(name, part): &(Label, std::ops::RangeInclusive<usize>)| {
            self.row(self.label(*name), |color| cell(&self.played(color, part)))
        };
        let parts: String = parts.map(row).collect();
        let whole = row(&(Label::WholeGame, 1..=usize::MAX));
        self.group(title, &format!("{parts}{whole}"))
    }

    fn verdicts(&self) -> String {
        let row = |&verdict: &Verdict| {
            let name = format!("{}{}", small_sign(verdict), self.phrases().verdict(verdict));
            self.row(&name, |color| {
                let played = self.played(color, &(1..=usize::MAX));
                Some(played.0.iter().filter(|judged| judged.verdict == verdict).count().to_string())
            })
        };
        self.group(Label::Verdicts, &Verdict::ALL.iter().map(row).collect::<String>())
    }

    fn highlights(&self) -> String {
        let link = |found: Option<(&JudgedMove, f64)>, sign: &str| {
            let (judged, difference) = found?;
            let (address, number) = (address(judged), judged.index + 1);
            let name = escape(&self.name(judged.played.point));
            let difference = format!("{sign}{:.0}%", 100.0 * difference);
            Some(format!("<a href=\"#{address}\">{number} {name}</a> <small>{difference}</small>"))
        };
        let all = 1..=usize::MAX;
        let rows = [
            self.row(self.label(Label::BestMove), |color| link(self.played(color, &all).best(), "+")),
            self.row(self.label(Label::WorstMove), |color| link(self.played(color, &all).worst(), "−")),
        ];
        self.group(Label::Highlights, &rows.concat())
    }

    fn group(&self, title: Label, rows: &str) -> String {
        let title = self.label(title);
        format!("<tbody>\n<tr><th scope=\"rowgroup\" colspan=\"3\">{title}</th></tr>\n{rows}</tbody>\n")
    }

    /// A row with a cell for each player; name and cells are HTML.
    fn row(&self, name: &str, cell: impl Fn(Color) -> Option<String>) -> String {
        let cells = [Color::Black, Color::White].map(|color| cell(color).unwrap_or_else(|| "–".into()));
        format!("<tr><th scope=\"row\">{name}</th><td>{}</td><td>{}</td></tr>\n", cells[0], cells[1])
    }
}
