//! A moment of a game: the board, the words, the candidates.

use tejun_games::GameRecord;
use tejun_games::go::{Color, Point};
use tejun_knowledge::evaluation::MoveValue;
use tejun_knowledge::judging::JudgedMove;

use crate::reports::diagram::{Diagram, Mark, Numbering};
use crate::reports::judgement::page::{address, small_sign};
use crate::reports::judgement::words::{Label, percent, probability};
use crate::reports::judgement::{Consequence, GameReport, N_BEST, line_moves};
use crate::reports::writing::{escape, grouped, inline_svg};

/// Points are shaded from this ownership on.
const MIN_OWNERSHIP: f32 = 0.3;

impl GameReport<'_> {
    /// The number and name of a move: `Move 57: Black Q10`.
    pub(crate) fn heading(&self, judged: &JudgedMove) -> String {
        let name = self.name(judged.played.point);
        self.phrases().heading(judged.index + 1, judged.played.color, &name)
    }

    pub(crate) fn moment(&self, judged: &JudgedMove) -> String {
        let address = address(judged);
        let verdict = self.phrases().verdict(judged.verdict);
        let words = self.sentences(judged).into_iter().chain(self.consequence_words(judged));
        let words: String = words.map(|line| format!("<p>{}</p>\n", escape(&line))).collect();
        format!(
            "<article id=\"{address}\">\n<h3><a href=\"#{address}\">{}</a> \
             <b class=\"verdict {}\">{}{verdict}</b></h3>\n\
             <div class=\"moment\">\n<figure class=\"diagram\">\n{}\
             <figcaption>{}</figcaption>\n</figure>\n<div>\n{words}{}</div>\n</div>\n</article>\n",
            escape(&self.heading(judged)),
            judged.verdict.name(),
            small_sign(judged.verdict),
            inline_svg(&self.diagram(judged).to_svg()),
            self.diagram_key(judged),
            self.candidates(judged),
        )
    }

    /// The position before the move, with the move marked and the search's line numbered. Probable territory is shaded,
    /// and stones that the move loses have crosses.
    fn diagram(&self, judged: &JudgedMove) -> Diagram {
        let before = GameRecord { moves: self.record.moves[..judged.index].to_vec(), ..self.record.clone() };
        let mut diagram = Diagram::of_game(&before, Numbering::none()).with_title(&self.heading(judged));
        if let Some(last) = before.moves.last().and_then(|m| m.point) {
            diagram = diagram.with_last_move(last);
        }
        if let Some(point) = judged.played.point {
            diagram = diagram.with_mark(point, Mark::Triangle);
        }
        let line = judged.best().into_iter().flat_map(|value| line_moves(value, judged.played.color));
        let diagram = line.zip(1..).fold(diagram, |diagram, (m, number)| match m.point {
            Some(point) => diagram.with_numbered(m.color, point, number),
            None => diagram.with_pass(m.color, number),
        });
        let diagram = self.lost_stones(judged).into_iter().fold(diagram, |d, point| d.with_mark(point, Mark::Cross));
        self.with_ownership(diagram, judged)
    }

    fn with_ownership(&self, diagram: Diagram, judged: &JudgedMove) -> Diagram {
        let Some(ownership) = self.ownership.get(&judged.index) else { return diagram };
        let points = self.record.size.points().zip(&ownership.before);
        let owned = points.filter(|(_, own)| own.abs() > MIN_OWNERSHIP);
        owned.fold(diagram, |diagram, (point, own)| {
            let owner = if *own > 0.0 { Color::Black } else { Color::White };
            diagram.with_shade(point, owner, (100.0 * own.abs()).round() as u8)
        })
    }

    /// The stones that die by the move.
    fn lost_stones(&self, judged: &JudgedMove) -> Vec<Point> {
        let of = |consequence| match consequence {
            Consequence::GroupDies { stones, .. } => stones,
            Consequence::GroupWouldDie { .. } => Vec::new(),
        };
        self.consequences(judged).into_iter().flat_map(of).collect()
    }

    /// What the move decides, in a sentence each.
    fn consequence_words(&self, judged: &JudgedMove) -> Vec<String> {
        let better = self.name(judged.best().and_then(|best| best.point));
        let words = |consequence: &Consequence| {
            let (
                label,
                Consequence::GroupDies { color, stones, at } | Consequence::GroupWouldDie { color, stones, at },
            ) = (consequence_label(consequence), consequence);
            let words = self.label(label).replace("{color}", self.phrases().color(*color));
            let words = words.replace("{n}", &stones.len().to_string()).replace("{move}", &better);
            words.replace("{point}", &self.name(Some(*at)))
        };
        self.consequences(judged).iter().map(words).collect()
    }

    /// What the signs of the diagram mean, in parts.
    fn diagram_key(&self, judged: &JudgedMove) -> String {
        let mut key = self.moves_key(judged);
        if !self.lost_stones(judged).is_empty() {
            key += &format!(" · × {}", self.label(Label::LostStones));
        }
        if self.ownership.contains_key(&judged.index) {
            key += &format!(" <span>{}</span>", self.label(Label::OwnershipMeans));
        }
        key
    }

    fn moves_key(&self, judged: &JudgedMove) -> String {
        let played = escape(&self.name(judged.played.point));
        let label = self.label(Label::Played);
        let Some(value) = judged.best() else { return format!("△ {label} {played}") };
        let n_moves = line_moves(value, judged.played.color).count();
        let numbers = if n_moves == 1 { "1".to_string() } else { format!("1–{n_moves}") };
        let preferred = self.label(Label::Preferred);
        if value.point == judged.played.point {
            format!("1 {label} {played} · {numbers} {preferred}")
        } else {
            format!("△ {label} {played} · {numbers} {preferred}")
        }
    }

    /// How probably people would choose a candidate, where that is known; the prior of the search is a different number.
    fn probability_of(&self, judged: &JudgedMove, point: Option<Point>) -> Option<f64> {
        if point == judged.played.point {
            return judged.probability();
        }
        judged.signals.expected.filter(|expected| Some(expected.point) == point).map(|expected| expected.probability)
    }

    /// The best candidates, and the move played if it is not among them.
    fn candidates(&self, judged: &JudgedMove) -> String {
        let Some(evaluation) = &judged.evaluation else { return String::new() };
        let is_played = |value: &MoveValue| value.point == judged.played.point;
        let best = evaluation.moves.iter().take(N_BEST);
        // The row of the move played is there even if the search never looked at it.
        let not_searched = MoveValue {
            point: judged.played.point,
            visits: 0,
            win_rate: None,
            bound: None,
            prior: None,
            lead: None,
            line: Vec::new(),
        };
        let played = evaluation.moves.iter().find(|value| is_played(value)).unwrap_or(&not_searched);
        let is_shown = evaluation.moves.iter().take(N_BEST).any(is_played);
        let played = (!is_shown).then_some(played);
        let played_word = format!(" <small>{}</small>", self.label(Label::Played));
        let share = |share: Option<f64>| share.map_or("–".to_string(), percent);
        let row = |value: &MoveValue| {
            let line = if value.line.is_empty() { std::slice::from_ref(&value.point) } else { &value.line[..] };
            let line: Vec<String> = line.iter().skip(1).take(4).map(|&point| self.name(point)).collect();
            format!(
                "<tr{}><td>{}{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                if is_played(value) { " class=\"played\"" } else { "" },
                escape(&self.name(value.point)),
                if is_played(value) { &played_word[..] } else { "" },
                grouped(&value.visits.to_string()),
                escape(&share(self.rate_of_candidate(judged, value))),
                escape(&self.probability_of(judged, value.point).map_or("–".to_string(), probability)),
                escape(&line.join(" ")),
            )
        };
        let rows: String = best.chain(played).map(row).collect();
        let head = [
            self.label(Label::Candidate).to_string(),
            self.label(Label::Visits).to_string(),
            self.phrases().rate_of(judged.played.color),
            self.label(Label::Expected).to_string(),
            self.label(Label::Line).to_string(),
        ];
        let head: String = head.iter().map(|name| format!("<th scope=\"col\">{name}</th>")).collect();
        format!("<div class=\"scroll\"><table class=\"rows numbers\">\n<tr>{head}</tr>\n{rows}</table></div>\n")
    }
}

fn consequence_label(consequence: &Consequence) -> Label {
    match consequence {
        Consequence::GroupDies { .. } => Label::GroupDies,
        Consequence::GroupWouldDie { .. } => Label::GroupWouldDie,
    }
}
