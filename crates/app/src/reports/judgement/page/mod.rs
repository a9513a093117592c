//! A judged game as a page for the browser.
//!
//! The script only steps through the game; without it the page still shows curves, summary and moments.

mod columns;
mod moment;
mod replay;
mod summary;

use tejun_games::go::Color;
use tejun_knowledge::judging::{JudgedMove, Verdict};

use crate::reports::html::Html;
use crate::reports::judgement::GameReport;
use crate::reports::judgement::curve::{Curve, CurveExtent, CurveMark, sign};
use crate::reports::judgement::words::Label;
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
            script: Some(include_str!("replay.js")),
            header: self.head(),
            main: format!(
                "<div class=\"overview\">\n{}{}</div>\n{}\
                 <section class=\"key-moments\">\n<h2>{}</h2>\n{moments}</section>\n",
                self.curve(),
                self.replay(),
                self.summary(),
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
        let curve = Curve {
            rates: &self.judged.win_rates_black,
            leads: &self.judged.leads_black,
            marks: &marks,
            title,
            x_label: self.label(Label::MoveNumber),
            points_label: self.label(Label::Points),
        };
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

    /// How the page was made.
    fn manifest(&self) -> Vec<(String, String)> {
        let rows = [
            (self.label(Label::Game), &self.run.game[..]),
            (self.label(Label::Evaluator), &self.run.evaluator),
            (self.label(Label::Version), concat!("tejun ", env!("CARGO_PKG_VERSION"))),
        ];
        let is_new = |value: &str| rows.iter().all(|row| row.1 != value);
        let more = self.run.manifest.iter().filter(|(_, value)| is_new(value)).cloned();
        rows.iter().map(|(name, value)| (name.to_string(), value.to_string())).chain(more).collect()
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
    use tejun_games::go::Color;

    use crate::reports::html::checks::{body, fetches_nothing};
    use crate::reports::judgement::{Language, MomentOwnership, fixtures};
    use crate::reports::script_hash::script_source;

    #[test]
    fn a_page_shows_the_game() {
        let html = fixtures::small_game().report(Language::En).to_html();
        let body = body(&html);
        for part in [
            "</i>Kuro &lt;1&gt; <span>–</span> <i class=\"stone white\" title=\"White\"></i>Shiro</h1>",
            "<li>1983-05</li>\n<li>komi 6.5</li>\n<li>result W+R</li>\n<li>moves 3</li>",
            "<a href=\"#move-3\"><title>Move 3: Black O16 – bad</title><path class=\"sign bad\"",
            "</i>Kuro &lt;1&gt;</th><th scope=\"col\"><i class=\"stone white\"></i>Shiro</th></tr></thead>",
            "<tr><th scope=\"row\">opening (1–50)</th><td>16.7%</td><td>0.0%</td></tr>",
            "bad</th><td>1</td><td>0</td></tr>",
            "best</th><td>–</td><td><a href=\"#move-2\">2 R14</a> <small>+8%</small></td></tr>",
            "worst</th><td><a href=\"#move-3\">3 O16</a> <small>−17%</small></td><td>–</td></tr>",
            "<li><b>mean loss</b>: mean win rate lost per move, in percentage points</li>",
            "<article id=\"move-3\">",
            "<p>A mistake that costs 2.4 points: Black&#39;s win rate falls from 55% to 38%.</p>",
            "<td>O17</td><td>800</td><td>55%</td><td>–</td>",
            "<tr class=\"played\"><td>O16 <small>played</small></td><td>120</td><td>38%</td><td>55%</td>",
            "<tr><th scope=\"row\">evaluator</th><td>made up</td></tr>",
        ] {
            assert!(body.contains(part), "{part}\n{body}");
        }
        // Parts of the game that were not reached have no rows.
        assert!(!body.contains("middle game"));
        assert_eq!(body.matches("<article").count(), 1);
    }

    #[test]
    fn the_move_played_always_has_a_row() {
        let mut game = fixtures::small_game();
        let evaluation = game.judged.moves[2].evaluation.as_mut().expect("a search");
        evaluation.moves.truncate(1);
        let html = game.report(Language::En).to_html();
        let row = "<tr class=\"played\"><td>O16 <small>played</small></td><td>0</td><td>38%</td><td>55%</td>";
        assert!(body(&html).contains(row), "{html}");
    }

    #[test]
    fn lost_groups_and_territory_are_shown() {
        let game = fixtures::sample_game();
        let moment = game.judged.moves.iter().find(|judged| judged.moment.is_some()).expect("a moment");
        let stones = game.record.board_before(moment.index).stones(Color::Black);
        let mut after = vec![0.9; 361];
        stones.iter().for_each(|point| after[usize::from(point.y()) * 19 + usize::from(point.x())] = -0.9);
        let ownership = MomentOwnership { before: vec![0.9; 361], after, after_better: Some(vec![0.9; 361]) };
        let mut report = game.report(Language::En);
        let plain = report.to_html();
        report.ownership.insert(moment.index, ownership);
        let html = report.to_html();
        let body = body(&html);
        let words = format!("<p>Black loses the {} stones at ", stones.len());
        for part in [&words, " · × stones lost by the move <span>squares: probable territory", "fill-opacity=\"0.75\""]
        {
            assert!(body.contains(part) && !plain.contains(part), "{part}\n{body}");
        }
        let lines = report.to_jsonl();
        let line = lines.lines().nth(1 + moment.index).expect("its line");
        assert!(line.contains("\"consequences\":[{\"kind\":\"group_dies\",\"color\":\"black\",\"stones\":["), "{line}");
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
        assert!(!body(&html).contains("NaN"));
    }

    #[test]
    fn one_script_may_run() {
        let html = fixtures::small_game().report(Language::En).to_html();
        let script = html.split_once("<script>").expect("a script").1;
        let script = script.split_once("</script>").expect("its end").0;
        let policy = format!("default-src 'none'; style-src 'unsafe-inline'; script-src {}\"", script_source(script));
        assert!(html.contains(&policy), "{html}");
        assert_eq!(html.matches("<script").count(), 2);
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
