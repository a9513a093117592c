//! The board that steps through the game, for the script `replay.js`.

use serde_json::{Value, json};
use tejun_games::go::{Color, Point};

use crate::reports::diagram::Diagram;
use crate::reports::judgement::GameReport;
use crate::reports::judgement::curve::lead_name;
use crate::reports::judgement::words::{Label, percent};
use crate::reports::writing::{escape, inline_svg};

/// The buttons: what the script does, what is written on them, and what they are called.
const BUTTONS: [(&str, &str, Label); 8] = [
    ("first", "⇤", Label::FirstMove),
    ("-10", "−10", Label::TenBack),
    ("-1", "−1", Label::OneBack),
    ("1", "+1", Label::OneForward),
    ("10", "+10", Label::TenForward),
    ("last", "⇥", Label::LastMove),
    ("previous", "◆ ↑", Label::PreviousMoment),
    ("next", "◆ ↓", Label::NextMoment),
];

impl GameReport<'_> {
    /// The board, its buttons, and what the script writes into; hidden until the script shows it.
    pub(crate) fn replay(&self) -> String {
        let button = |(step, text, label): &(&str, &str, Label)| {
            let label = self.label(*label);
            format!(
                "<button type=\"button\" data-step=\"{step}\" title=\"{label}\" aria-label=\"{label}\">{text}</button>\n"
            )
        };
        let fact = |class: &str, name: &str| format!("<dt>{name}</dt><dd class=\"{class}\"></dd>\n");
        let has_leads = self.judged.leads_black.iter().any(Option::is_some);
        let points = if has_leads { fact("lead", self.label(Label::Points)) } else { String::new() };
        let title = self.label(Label::Replay);
        format!(
            "<section id=\"replay\" tabindex=\"-1\" aria-label=\"{title}\" hidden>\n<h2>{title}</h2>\n\
             <div class=\"stage\">\n<figure class=\"diagram\">\n{}</figure>\n<div>\n\
             <div class=\"steps\" role=\"group\" aria-label=\"{title}\">\n{}</div>\n\
             <p class=\"current\" aria-live=\"polite\" aria-atomic=\"true\"><b></b> <span></span></p>\n\
             <dl>\n{}{points}</dl>\n<div class=\"words\"></div>\n\
             <p class=\"details\"><a href=\"#\">{}</a></p>\n<p class=\"faint\">{}</p>\n\
             </div>\n</div>\n</section>\n<script type=\"application/json\" id=\"game\">\n{}\n</script>\n",
            inline_svg(&Diagram::new(self.record.size).with_title(title).to_svg()),
            BUTTONS.iter().map(button).collect::<String>(),
            fact("rate", self.label(Label::Curve)),
            self.label(Label::Details),
            escape(self.label(Label::Keys)),
            in_script(&self.replay_json()),
        )
    }

    /// The game for the script: what it can't compute itself.
    fn replay_json(&self) -> Value {
        let points = |points: &[Point]| points.iter().map(|&point| place(point)).collect::<Vec<_>>();
        let n_moves = self.record.moves.len();
        json!({
            "size": self.record.size.get(),
            "black": points(&self.record.setup_black),
            "white": points(&self.record.setup_white),
            "start": self.label(Label::Start),
            "positions": (0..=n_moves).map(|at| self.position_json(at)).collect::<Vec<_>>(),
        })
    }

    /// The position after a number of moves, and the move that led to it.
    fn position_json(&self, at: usize) -> Value {
        let mut position = json!({});
        let mut add = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                position[key] = value;
            }
        };
        add("rate", self.rate_before(at).map(|rate| json!(percent(rate))));
        add("lead", self.lead_before(at).map(|lead| json!(lead_name(lead, 1))));
        let Some(index) = at.checked_sub(1) else { return position };
        let played = self.record.moves[index];
        let heading = self.phrases().heading(at, played.color, &self.name(played.point));
        add("color", Some(json!(if played.color == Color::Black { "black" } else { "white" })));
        add("point", played.point.map(|point| json!(place(point))));
        add("heading", Some(json!(heading)));
        let judged = self.judged.moves.iter().find(|judged| judged.index == index);
        let Some(judged) = judged else { return position };
        add("verdict", Some(json!(judged.verdict.name())));
        add("verdict_name", Some(json!(self.phrases().verdict(judged.verdict))));
        add("moment", judged.moment.map(|_| json!(true)));
        add("words", self.comment(judged).map(|words| words.lines().collect::<Value>()));
        position
    }
}

/// The column and row of a point, from the upper left.
fn place(point: Point) -> [u8; 2] {
    [point.x(), point.y()]
}

/// JSON that can't end the element it stands in.
fn in_script(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::reports::judgement::{Language, fixtures};

    /// The data in the page, as the script reads it.
    #[track_caller]
    fn embedded(html: &str) -> Value {
        let data = html.split_once("id=\"game\">").expect("the data").1;
        serde_json::from_str(data.split_once("</script>").expect("its end").0).expect("JSON")
    }

    #[test]
    fn the_game_is_embedded() {
        let game = fixtures::small_game();
        let data = embedded(&game.report(Language::En).to_html());
        let comment = game.report(Language::En).comment(&game.judged.moves[2]).expect("a comment");
        assert_eq!((&data["size"], &data["black"]), (&json!(19), &json!([])));
        let positions = data["positions"].as_array().expect("positions");
        assert_eq!(positions.len(), 4);
        assert_eq!(positions[0], json!({ "rate": "50%" }));
        let first = json!({
            "rate": "55%", "color": "black", "point": [15, 3], "heading": "Move 1: Black Q16", "verdict": "ordinary",
            "verdict_name": "ordinary",
        });
        assert_eq!(positions[1], first);
        let third = &positions[3];
        assert_eq!((&third["verdict"], &third["moment"]), (&json!("bad"), &json!(true)));
        assert_eq!(third["words"], comment.lines().collect::<Value>());
    }

    #[test]
    fn no_name_can_end_the_script() {
        let mut game = fixtures::small_game();
        game.dictionary.lines[0].name = Some("</script><b>".into());
        game.judged.leads_black = game.judged.win_rates_black.clone();
        let html = game.report(Language::En).to_html();
        let data = embedded(&html);
        assert!(data["positions"][3]["words"].to_string().contains("</script><b>"), "{data}");
        assert_eq!(data["positions"][3]["lead"], json!("B+0.4"));
    }

    #[test]
    fn a_pass_has_no_point() {
        let mut game = fixtures::small_game();
        game.record.moves[0].point = None;
        let data = embedded(&game.report(Language::En).to_html());
        assert_eq!(data["positions"][1]["point"], Value::Null);
        assert_eq!(data["positions"][1]["heading"], json!("Move 1: Black pass"));
    }

    #[test]
    fn every_move_of_a_long_game_is_embedded() {
        let game = fixtures::sample_game();
        let data = embedded(&game.report(Language::Ja).to_html());
        let positions = data["positions"].as_array().expect("positions");
        assert_eq!(positions.len(), game.record.moves.len() + 1);
        for (played, position) in game.record.moves.iter().zip(&positions[1..]) {
            let place = played.point.map_or(Value::Null, |point| json!([point.x(), point.y()]));
            assert_eq!(position["point"], place);
        }
        let n_moments = positions.iter().filter(|position| position["moment"] == json!(true)).count();
        assert_eq!(n_moments, game.judged.moves.iter().filter(|judged| judged.moment.is_some()).count());
    }
}
