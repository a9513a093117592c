//! A judged game as a page, to be read in a browser.
//!
//! One file holds everything and runs no script. Equal games have equal bytes.

mod moment;

use tejun_games::go::Color;
use tejun_knowledge::judging::{JudgedMove, Verdict};

use crate::reports::judgement::GameReport;
use crate::reports::judgement::curve::{Curve, CurveMark, Extent, sign};
use crate::reports::judgement::words::{Label, percent};
use crate::reports::writing::escape;

/// Curves for wide and for narrow screens; the page shows one of them.
const EXTENTS: [(&str, Extent); 2] =
    [("wide", Extent { width: 1080.0, height: 300.0 }), ("narrow", Extent { width: 360.0, height: 240.0 })];

impl GameReport<'_> {
    /// The whole page.
    pub fn to_html(&self) -> String {
        let moments: String = self.moments().map(|judged| self.moment(judged)).collect();
        let moments = if moments.is_empty() { format!("<p>{}</p>\n", self.label(Label::NoMoments)) } else { moments };
        format!(
            "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" \
             content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{}</title>\n<style>\n{}{}</style>\n</head>\n<body class=\"judged\">\n\
             {}<main>\n{}{}<h2>{}</h2>\n{moments}</main>\n{}</body>\n</html>\n",
            self.language.code(),
            escape(&self.title()),
            include_str!("../../page/page.css"),
            include_str!("judged.css"),
            self.head(),
            self.curve(),
            self.players(),
            self.label(Label::Moments),
            self.foot(),
        )
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
        let mut tell = |label: Option<Label>, value: Option<String>| {
            let label = label.map_or(String::new(), |label| format!("{} ", self.label(label)));
            facts.extend(value.map(|value| format!("<li>{label}{}</li>\n", escape(&value))));
        };
        tell(None, header.date.map(|date| date.to_string()));
        tell(None, header.event.clone());
        tell(None, header.round.clone());
        tell(None, header.place.clone());
        tell(Some(Label::Komi), header.komi.map(|komi| komi.to_string()));
        tell(Some(Label::Handicap), (header.handicap > 0).then(|| header.handicap.to_string()));
        tell(Some(Label::Result), Some(header.result.to_string()));
        tell(Some(Label::Moves), Some(self.record.moves.len().to_string()));
        format!(
            "<header>\n<h1>{} <span>–</span> {}</h1>\n<ul class=\"game\">\n{}</ul>\n</header>\n",
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
        let rates = &self.judged.win_rates_black;
        let curve = Curve { rates, marks: &marks, title, x_label: self.label(Label::MoveNumber) };
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

    /// Verdicts and mean loss of either side.
    fn players(&self) -> String {
        let head = |verdict: Verdict| {
            let name = self.phrases().verdict(verdict);
            format!("<th scope=\"col\" title=\"{name}\">{}<span>{name}</span></th>", small_sign(verdict))
        };
        let row = |color: Color| {
            let moves: Vec<&JudgedMove> = self.judged.moves.iter().filter(|m| m.played.color == color).collect();
            let count = |verdict: Verdict| moves.iter().filter(|m| m.verdict == verdict).count();
            let counts: String = Verdict::ALL.iter().map(|&v| format!("<td>{}</td>", count(v))).collect();
            let losses: Vec<f64> = moves.iter().filter_map(|m| m.signals.loss).collect();
            let mean = losses.iter().sum::<f64>() / losses.len() as f64;
            let mean = if losses.is_empty() { "–".to_string() } else { percent(mean) };
            let class = if color == Color::Black { "black" } else { "white" };
            format!(
                "<tr><th scope=\"row\"><i class=\"stone {class}\"></i>{}</th><td>{}</td>{counts}<td>{mean}</td></tr>\n",
                escape(self.player(color)),
                moves.len(),
            )
        };
        format!(
            "<section>\n<h2>{}</h2>\n<div class=\"scroll\"><table class=\"numbers\">\n\
             <tr><th scope=\"col\">{}</th><th scope=\"col\">{}</th>{}<th scope=\"col\">{}</th></tr>\n\
             {}{}</table></div>\n<p class=\"faint\">{}</p>\n</section>\n",
            self.label(Label::Players),
            self.label(Label::Player),
            self.label(Label::Moves),
            Verdict::ALL.map(head).concat(),
            self.label(Label::MeanLoss),
            row(Color::Black),
            row(Color::White),
            self.label(Label::Caution),
        )
    }

    fn foot(&self) -> String {
        let row = |name: &str, value: &str| {
            format!("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escape(name), escape(value))
        };
        let rows: String = [
            (self.label(Label::Game), &self.run.game[..]),
            (self.label(Label::Evaluator), &self.run.evaluator),
            (self.label(Label::Version), concat!("tejun ", env!("CARGO_PKG_VERSION"))),
        ]
        .into_iter()
        .chain(self.run.manifest.iter().map(|(name, value)| (&name[..], &value[..])))
        .map(|(name, value)| row(name, value))
        .collect();
        format!("<footer>\n<table>\n<caption>{}</caption>\n{rows}</table>\n</footer>\n", self.label(Label::Made))
    }
}

/// Where a moment is in the page.
fn address(judged: &JudgedMove) -> String {
    format!("move-{}", judged.index + 1)
}

fn small_sign(verdict: Verdict) -> String {
    let sign = sign(verdict, (8.0, 8.0), 7.0);
    format!("<svg class=\"key\" viewBox=\"0 0 16 16\" width=\"16\" height=\"16\" aria-hidden=\"true\">{sign}</svg>")
}

#[cfg(test)]
mod tests {
    use crate::reports::judgement::{Language, fixtures};

    /// The page's body, after checking that every element is closed in turn.
    #[track_caller]
    fn body(html: &str) -> &str {
        let (_, body) = html.split_once("</head>\n").expect("a head");
        let mut open = Vec::new();
        for part in body.split('<').skip(1) {
            let tag = part.split('>').next().expect("a part has a start");
            match tag.strip_prefix('/') {
                Some("html") => {}
                Some(name) => assert_eq!(open.pop(), Some(name)),
                None if tag.ends_with('/') => {}
                None => open.push(tag.split(' ').next().expect("a tag has a name")),
            }
        }
        assert!(open.is_empty(), "{open:?}");
        body
    }

    #[test]
    fn a_page_tells_the_game() {
        let html = fixtures::small_game().report(Language::En).to_html();
        let body = body(&html);
        for part in [
            "</i>Kuro &lt;1&gt; <span>–</span> <i class=\"stone white\" title=\"White\"></i>Shiro</h1>",
            "<li>1983-05</li>\n<li>komi 6.5</li>\n<li>result W+R</li>\n<li>moves 3</li>",
            "<a href=\"#move-3\"><title>Move 3: Black O16 – bad</title><path class=\"sign bad\"",
            "</i>Kuro &lt;1&gt;</th><td>2</td><td>0</td><td>0</td><td>1</td><td>0</td><td>1</td><td>9.2%</td></tr>",
            "</i>Shiro</th><td>1</td><td>1</td><td>0</td><td>0</td><td>0</td><td>0</td><td>0.0%</td></tr>",
            "<article id=\"move-3\">",
            "<p>The search prefers O17 (Black 47.5%) to O16 (Black 38.3%), a difference of 9.2%, or 2.4 points.</p>",
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
        for part in ["://", "<link", "<img", "<script", "@import", "url(", " src=", "NaN"] {
            assert!(!html.contains(part), "{part}");
        }
    }

    #[test]
    fn an_empty_judgement_is_a_page_too() {
        let mut game = fixtures::small_game();
        game.judged.moves.clear();
        game.judged.win_rates_black.clear();
        let html = game.report(Language::En).to_html();
        assert!(body(&html).contains("No move of this game needs a comment."));
    }
}
