//! A judged game as a page for the browser.

mod columns;
mod moment;

use tejun_games::go::Color;
use tejun_knowledge::judging::{JudgedMove, Verdict};

use crate::reports::html::Html;
use crate::reports::judgement::GameReport;
use crate::reports::judgement::curve::{Curve, CurveExtent, CurveMark, sign};
use crate::reports::judgement::words::{Label, probability};
use crate::reports::writing::escape;

/// Curves for wide and for narrow screens; the page shows one of them.
const EXTENTS: [(&str, CurveExtent); 2] =
    [("wide", CurveExtent { width: 1080.0, height: 300.0 }), ("narrow", CurveExtent { width: 360.0, height: 240.0 })];

impl GameReport<'_> {
    /// The whole page.
    pub fn to_html(&self) -> String {
        let moments: String = self.moments().map(|judged| self.moment(judged)).collect();
        let moments = match moments.is_empty() {
            true => format!("<p>{}</p>\n", self.label(Label::NoMoments)),
            false => format!("{}<div class=\"moments\">\n{moments}</div>\n", self.candidate_columns()),
        };
        Html {
            language: self.language.code(),
            title: &self.title(),
            style: include_str!("judged.css"),
            script: None,
            header: self.head(),
            main: format!(
                "<div class=\"overview\">\n{}{}</div>\n<h2>{}</h2>\n{moments}",
                self.curve(),
                self.players(),
                self.label(Label::Moments)
            ),
            made: self.label(Label::Made),
            manifest: &self.manifest(),
        }
        .to_html()
    }

    fn label(&self, label: Label) -> &'static str {
        self.phrases().label(label)
    }

    /// A player's name, or the color of one who has none.
    fn player(&self, color: Color) -> &str {
        let header = &self.record.header;
        let name = if color == Color::Black { &header.black } else { &header.white };
        name.as_deref().unwrap_or(self.phrases().color(color))
    }

    fn title(&self) -> String {
        format!("{} – {}", self.player(Color::Black), self.player(Color::White))
    }

    fn head(&self) -> String {
        let header = &self.record.header;
        let player = |color: Color| {
            let rank = if color == Color::Black { &header.black_rank } else { &header.white_rank };
            let rank = rank.as_ref().map_or(String::new(), |rank| format!(" <small>{}</small>", escape(rank)));
            let class = if color == Color::Black { "black" } else { "white" };
            let title = self.phrases().color(color);
            format!("<i class=\"stone {class}\" title=\"{title}\"></i>{}{rank}", escape(self.player(color)))
        };
        let mut facts: Vec<String> = Vec::new();
        let mut add = |label: Option<Label>, value: Option<String>| {
            let label = label.map_or(String::new(), |label| format!("{} ", self.label(label)));
            facts.extend(value.map(|value| format!("<li>{label}{}</li>\n", escape(&value))));
        };
        add(None, header.date.map(|date| date.to_string()));
        add(None, header.event.clone());
        add(None, header.round.clone());
        add(None, header.place.clone());
        add(Some(Label::Komi), header.komi.map(|komi| komi.to_string()));
        add(Some(Label::Handicap), (header.handicap > 0).then(|| header.handicap.to_string()));
        add(Some(Label::Result), Some(header.result.to_string()));
        add(Some(Label::Moves), Some(self.record.moves.len().to_string()));
        format!(
            "<h1>{} <span>–</span> {}</h1>\n<ul class=\"game\">\n{}</ul>\n",
            player(Color::Black),
            player(Color::White),
            facts.concat()
        )
    }

    fn curve(&self) -> String {
        let mark = |judged: &JudgedMove| {
            let rate = self.rate_near(judged.index)?;
            Some(CurveMark {
                at: judged.index + usize::from(self.rate_before(judged.index + 1).is_some()),
                rate,
                verdict: judged.verdict,
                link: address(judged),
                title: format!("{} – {}", self.heading(judged), self.phrases().verdict(judged.verdict)),
            })
        };
        let marks: Vec<CurveMark> = self.moments().filter_map(mark).collect();
        let title = self.label(Label::Curve);
        let rates: Vec<Option<f64>> = (0..self.judged.win_rates_black.len()).map(|at| self.rate_before(at)).collect();
        let curve = Curve { rates: &rates, marks: &marks, title, x_label: self.label(Label::MoveNumber) };
        let pictures: String = EXTENTS
            .iter()
            .map(|(class, extent)| format!("<div class=\"curve {class}\">\n{}</div>\n", curve.to_svg(*extent)))
            .collect();
        let key = |verdict: &Verdict| {
            let name = self.phrases().verdict(*verdict);
            format!("<li>{}{name}</li>\n", small_sign(*verdict))
        };
        let keys: String = Verdict::ALL.iter().map(key).collect();
        format!("<section>\n<h2>{title}</h2>\n{pictures}<ul class=\"keys\">\n{keys}</ul>\n</section>\n")
    }

    /// Verdicts and mean loss of each side.
    fn players(&self) -> String {
        let head = |verdict: Verdict| {
            let name = self.phrases().verdict(verdict);
            format!("<th scope=\"col\" title=\"{name}\">{}<span>{name}</span></th>", small_sign(verdict))
        };
        let row = |color: Color| {
            let moves: Vec<&JudgedMove> = self.judged.moves.iter().filter(|m| m.played.color == color).collect();
            let count = |verdict: Verdict| moves.iter().filter(|m| m.verdict == verdict).count();
            let counts: String = Verdict::ALL.iter().map(|&v| format!("<td>{}</td>", count(v))).collect();
            let losses: Vec<f64> = moves.iter().filter_map(|m| Some(m.loss?.value)).collect();
            let mean = losses.iter().sum::<f64>() / losses.len() as f64;
            let mean = if losses.is_empty() { "–".to_string() } else { probability(mean) };
            let class = if color == Color::Black { "black" } else { "white" };
            format!(
                "<tr><th scope=\"row\"><i class=\"stone {class}\"></i>{}</th><td>{}</td>{counts}<td>{mean}</td></tr>\n",
                escape(self.player(color)),
                moves.len(),
            )
        };
        format!(
            "<section>\n<h2>{}</h2>\n<div class=\"scroll\"><table class=\"rows numbers\">\n\
             <tr><th scope=\"col\">{}</th><th scope=\"col\">{}</th>{}<th scope=\"col\">{}</th></tr>\n\
             {}{}</table></div>\n{}<p class=\"faint\">{}</p>\n</section>\n",
            self.label(Label::Players),
            self.label(Label::Player),
            self.label(Label::Moves),
            Verdict::ALL.map(head).concat(),
            self.label(Label::MeanLoss),
            row(Color::Black),
            row(Color::White),
            self.player_columns(),
            self.label(Label::Caution),
        )
    }

    /// How the page was made.
    fn manifest(&self) -> Vec<(String, String)> {
        let rows = [
            (self.label(Label::Game), &self.run.game[..]),
            (self.label(Label::Evaluator), &self.run.evaluator),
            (self.label(Label::Version), concat!("tejun ", env!("CARGO_PKG_VERSION"))),
        ];
        let rows = rows.into_iter().map(|(name, value)| (name.to_string(), value.to_string()));
        rows.chain(self.run.manifest.iter().map(|(name, value)| (name.to_string(), value.to_string()))).collect()
    }
}

/// The address of a moment in the page.
fn address(judged: &JudgedMove) -> String {
    format!("move-{}", judged.index + 1)
}

fn small_sign(verdict: Verdict) -> String {
    let sign = sign(verdict, (8.0, 8.0), 7.0);
    format!("<svg class=\"key\" viewBox=\"0 0 16 16\" width=\"16\" height=\"16\" aria-hidden=\"true\">{sign}</svg>")
}

#[cfg(test)]
mod tests {
    use crate::reports::html::checks::{body, fetches_nothing};
    use crate::reports::judgement::{Language, fixtures};

    #[test]
    fn a_page_shows_the_game() {
        let html = fixtures::small_game().report(Language::En).to_html();
        let body = body(&html);
        for part in [
            "</i>Kuro &lt;1&gt; <span>–</span> <i class=\"stone white\" title=\"White\"></i>Shiro</h1>",
            "<li>1983-05</li>\n<li>komi 6.5</li>\n<li>result W+R</li>\n<li>moves 3</li>",
            "<a href=\"#move-3\"><title>Move 3: Black O16 – bad</title><path class=\"sign bad\"",
            "</i>Kuro &lt;1&gt;</th><td>2</td><td>0</td><td>0</td><td>1</td><td>0</td><td>1</td><td>9.2%</td></tr>",
            "</i>Shiro</th><td>1</td><td>1</td><td>0</td><td>0</td><td>0</td><td>0</td><td>0.0%</td></tr>",
            "<article id=\"move-3\">",
            "<li><b>mean loss</b>: mean win rate lost per move</li>",
            "<p>The search prefers O17 (Black 47.5%) to O16 (Black 38.3%), a difference of 9.2 percentage points, and 2.4 points of score.</p>",
            "<td>O17</td><td>800</td><td>47.5%</td><td>20.0%</td>",
            "<tr><th scope=\"row\">evaluator</th><td>made up</td></tr>",
        ] {
            assert!(body.contains(part), "{part}\n{body}");
        }
        assert_eq!(body.matches("<article").count(), 1);
    }

    #[test]
    fn a_page_in_japanese() {
        let html = fixtures::sample_game().report(Language::Ja).to_html();
        assert!(html.starts_with("<!DOCTYPE html>\n<html lang=\"ja\">"));
        let body = body(&html);
        assert!(body.contains("<h2>この碁の焦点</h2>") && body.contains("黒の勝率"));
    }

    #[test]
    fn nothing_is_fetched_from_elsewhere() {
        let game = fixtures::sample_game();
        let html = game.report(Language::En).to_html();
        assert_eq!(html, game.report(Language::En).to_html());
        fetches_nothing(&html);
        assert!(!html.contains("<script") && !html.contains("NaN"));
    }

    #[test]
    fn an_empty_judgement_is_also_a_page() {
        let mut game = fixtures::small_game();
        game.judged.moves.clear();
        game.judged.win_rates_black.clear();
        let html = game.report(Language::En).to_html();
        assert!(body(&html).contains("No move of this game needs a comment."));
    }
}
