//! A judged game for other programs: one line of JSON for the game, then one per move.
//!
//! Unknown values are `null`. Win rates are from 0 to 1, and their names say whose they are.

use serde_json::{Map, Value, json};
use tejun_games::go::{Color, Point};
use tejun_knowledge::evaluation::MoveValue;
use tejun_knowledge::judging::{Exchange, ExchangeKind, JudgedMove, PredictorName};

use crate::reports::judgement::{Consequence, GameReport, N_BEST};

impl GameReport<'_> {
    /// The game and its moves, one line each.
    pub fn to_jsonl(&self) -> String {
        let moves = self.judged.moves.iter().map(|judged| self.move_json(judged));
        std::iter::once(self.game_json()).chain(moves).map(|line| format!("{line}\n")).collect()
    }

    fn game_json(&self) -> Value {
        let header = &self.record.header;
        let manifest: Map<String, Value> =
            self.run.manifest.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        json!({
            "kind": "game",
            "game": self.run.game,
            "black": header.black,
            "white": header.white,
            "date": header.date.map(|date| date.to_string()),
            "result": header.result.to_string(),
            "size": self.record.size.get(),
            "komi": header.komi,
            "handicap": header.handicap,
            "n_moves": self.record.moves.len(),
            "n_judged": self.judged.moves.len(),
            "evaluator": self.run.evaluator,
            "version": env!("CARGO_PKG_VERSION"),
            "manifest": manifest,
        })
    }

    fn move_json(&self, judged: &JudgedMove) -> Value {
        let [praised, not_mentioned, criticized] = judged.commentary.map(number);
        let best: Option<Vec<Value>> =
            judged.evaluation.as_ref().map(|e| e.moves.iter().take(N_BEST).map(|v| self.value_json(v)).collect());
        json!({
            "kind": "move",
            "number": judged.index + 1,
            "color": color_json(judged.played.color),
            "point": self.point_json(judged.played.point),
            "verdict": judged.verdict.name(),
            "moment": judged.moment.map(|moment| json!({ "rank": moment.rank, "reason": moment.reason.name() })),
            "exchange": judged.exchange.map(|exchange| exchange_json(&exchange)),
            "commentary": { "praised": praised, "not_mentioned": not_mentioned, "criticized": criticized },
            "win_rate_black_before": maybe(self.rate_before(judged.index)),
            "win_rate_black_after": maybe(self.rate_before(judged.index + 1)),
            "lead_black_before": maybe(self.lead_before(judged.index)),
            "lead_black_after": maybe(self.lead_before(judged.index + 1)),
            "win_rate_lost": maybe(judged.loss.map(|loss| loss.value)),
            "win_rate_lost_error": maybe(judged.loss.map(|loss| loss.error)),
            "points_lost": maybe(judged.points_lost.map(|points| points.value)),
            "points_lost_error": maybe(judged.points_lost.map(|points| points.error)),
            "expected": self.expected_json(judged),
            "consequences": self.consequences(judged).iter().map(|c| self.consequence_json(c)).collect::<Vec<_>>(),
            "signals": signals_json(judged),
            "best": best,
        })
    }

    fn value_json(&self, value: &MoveValue) -> Value {
        json!({
            "point": self.point_json(value.point),
            "visits": value.visits,
            "win_rate_mover": maybe(value.win_rate),
            "bound_mover": maybe(value.bound),
            "prior": maybe(value.prior),
            "lead_mover": maybe(value.lead),
            "line": value.line.iter().map(|&point| self.point_json(point)).collect::<Vec<_>>(),
        })
    }

    /// The move that players would most likely choose.
    fn expected_json(&self, judged: &JudgedMove) -> Value {
        let expected = judged.signals.expected.map(|expected| {
            json!({
                "point": self.point_json(Some(expected.point)),
                "probability": number(expected.probability),
                "worse_by": maybe(judged.expected_is_worse_by()),
            })
        });
        json!(expected)
    }

    fn consequence_json(&self, consequence: &Consequence) -> Value {
        let (kind, color, stones) = match consequence {
            Consequence::GroupDies { color, stones, .. } => ("group_dies", color, stones),
            Consequence::GroupWouldDie { color, stones, .. } => ("group_would_die", color, stones),
        };
        json!({
            "kind": kind,
            "color": color_json(*color),
            "stones": stones.iter().map(|&point| self.point_json(Some(point))).collect::<Vec<_>>(),
        })
    }

    fn point_json(&self, point: Option<Point>) -> String {
        point.map_or("pass".into(), |point| point.name(self.record.size))
    }
}

fn color_json(color: Color) -> &'static str {
    if color == Color::Black { "black" } else { "white" }
}

fn exchange_json(exchange: &Exchange) -> Value {
    let kind = match exchange.kind {
        ExchangeKind::Ko => "ko",
        ExchangeKind::Atari => "atari",
    };
    json!({ "kind": kind, "first": exchange.first + 1, "last": exchange.last + 1 })
}

/// The signals as searched, but for the losses: there is one loss per move.
fn signals_json(judged: &JudgedMove) -> Value {
    let signals = &judged.signals;
    json!({
        "n_legal": signals.n_legal,
        "visits": signals.visits,
        "bound_rank": maybe(signals.bound_rank),
        "visit_rank": maybe(signals.visit_rank),
        "earlier_rank": maybe(signals.rank(PredictorName::Earlier)),
        "newer_rank": maybe(signals.rank(PredictorName::Newer)),
        "trained_rank": maybe(signals.rank(PredictorName::Trained)),
        "bits": maybe(signals.bits()),
        "best_win_rate_mover": maybe(signals.best_win_rate),
        "played_win_rate_mover": maybe(signals.played_win_rate),
        "loss": maybe(judged.loss.map(|loss| loss.value)),
        "searched_loss": maybe(signals.loss),
        "lasting_loss": maybe(signals.lasting_loss),
        "searched_points_lost": maybe(signals.points_lost),
        "best_lead": maybe(signals.best_lead),
        "forcedness": maybe(signals.forcedness),
    })
}

fn maybe(value: Option<f64>) -> Value {
    value.map_or(Value::Null, number)
}

/// Rounded to a millionth, so that equal results have equal text; `null` if not a number.
fn number(value: f64) -> Value {
    json!((value * 1e6).round() / 1e6)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use tejun_knowledge::judging::{Predictions, PredictorName, Surprise};

    use crate::reports::judgement::{Language, fixtures};

    #[test]
    fn every_signal_is_written() {
        let game = fixtures::small_game();
        let lines = game.report(Language::En).to_jsonl();
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(lines.len(), 1 + game.judged.moves.len());
        let head = format!(
            "{{\"kind\":\"game\",\"game\":\"small.sgf\",\"black\":\"Kuro <1>\",\"white\":\"Shiro\",\
             \"date\":\"1983-05\",\"result\":\"W+R\",\"size\":19,\"komi\":6.5,\"handicap\":0,\"n_moves\":3,\
             \"n_judged\":3,\"evaluator\":\"made up\",\"version\":\"{}\",\"manifest\":{{\"seed\":\"1\"}}}}",
            env!("CARGO_PKG_VERSION")
        );
        assert_eq!(lines[0], head);
        let expected = "{\"kind\":\"move\",\"number\":3,\"color\":\"black\",\"point\":\"O16\",\"verdict\":\"bad\",\
             \"moment\":{\"rank\":1,\"reason\":\"turning-point\"},\"exchange\":null,\
             \"commentary\":{\"praised\":0.0,\"not_mentioned\":0.3,\"criticized\":0.7},\
             \"win_rate_black_before\":0.55,\"win_rate_black_after\":0.383,\"lead_black_before\":null,\
             \"lead_black_after\":null,\"win_rate_lost\":0.167,\"win_rate_lost_error\":0.02,\
             \"points_lost\":2.4,\"points_lost_error\":0.02,\"expected\":null,\"consequences\":[],\
             \"signals\":{\"n_legal\":359,\"visits\":120,\"bound_rank\":null,\"visit_rank\":4.5,\
             \"earlier_rank\":null,\"newer_rank\":null,\"trained_rank\":1.0,\"bits\":0.862496,\
             \"best_win_rate_mover\":0.475,\"played_win_rate_mover\":0.383,\"loss\":0.167,\
             \"searched_loss\":0.092,\"lasting_loss\":null,\"searched_points_lost\":2.4,\"best_lead\":0.092,\
             \"forcedness\":null},\"best\":[{\"point\":\"O17\",\"visits\":800,\"win_rate_mover\":0.475,\
             \"bound_mover\":null,\"prior\":0.2,\"lead_mover\":null,\"line\":[\"O17\",\"pass\",\"D4\"]},\
             {\"point\":\"O16\",\"visits\":120,\"win_rate_mover\":0.383,\"bound_mover\":null,\"prior\":null,\
             \"lead_mover\":null,\"line\":[]}]}";
        assert_eq!(lines[3], expected);
        assert!(lines.iter().all(|line| serde_json::from_str::<Value>(line).is_ok()));
    }

    #[test]
    fn values_that_are_not_numbers_are_null() {
        let mut game = fixtures::small_game();
        let nan = Surprise { rank: 1.0, bits: f64::NAN };
        game.judged.moves[0].signals.predictions = Predictions::default().with(PredictorName::Trained, nan);
        game.judged.moves[0].evaluation = None;
        let lines = game.report(Language::En).to_jsonl();
        assert!(lines.contains("\"bits\":null") && lines.contains("\"best\":null"));
    }
}
