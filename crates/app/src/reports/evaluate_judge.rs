//! How well signals distinguish good moves from bad, as tables and curves.

use tejun_knowledge::judging::{Area, Label, LabeledMove, Signal, area, measured};

use crate::reports::plot::Plot;
use crate::reports::table::{Align, Table};
use crate::terminal::count;

/// The pairs of labels that are distinguished.
const PAIRS: [[Label; 2]; 3] =
    [[Label::Good, Label::Bad], [Label::Good, Label::Ordinary], [Label::Bad, Label::Ordinary]];
/// The steps of the curves: ranks as in the paper, and shares of the legal moves.
const RANK_STEP: usize = 10;
const MAX_RANK: usize = 360;
const SHARE_STEP: f64 = 0.05;

/// Measurements on games with labels.
pub struct JudgeEvaluation<'m> {
    moves: &'m [LabeledMove],
    /// Name and areas of each signal, then of the model.
    rows: Vec<(&'static str, [Option<Area>; 3])>,
}

/// The cumulative share of moves of a kind, in percent.
struct Curve {
    signal: Signal,
    label: Label,
    points: Vec<(f64, f64)>,
}

impl<'m> JudgeEvaluation<'m> {
    /// Measures every signal that is known, and a judgement on moves from which it has not learned.
    pub fn new(moves: &'m [LabeledMove], judged: &[Option<[f64; 2]>]) -> JudgeEvaluation<'m> {
        let mut rows: Vec<(&'static str, [Option<Area>; 3])> = Vec::new();
        for signal in Signal::ALL {
            let of = |n: usize| signal.of(&moves[n].signals);
            if (0..moves.len()).any(|n| of(n).is_some()) {
                rows.push((signal.name(), PAIRS.map(|pair| area(&measured(moves, pair, of)))));
            }
        }
        let by_model = PAIRS.map(|pair| {
            let evidence =
                |n: usize| judged[n].map(|[good, bad]| of_label(pair[0], good, bad) - of_label(pair[1], good, bad));
            area(&measured(moves, pair, evidence))
        });
        if by_model.iter().any(Option::is_some) {
            rows.push(("model", by_model));
        }
        JudgeEvaluation { moves, rows }
    }

    fn n_moves(&self, label: Label) -> usize {
        self.moves.iter().filter(|m| m.label == label).count()
    }

    /// The areas as a table.
    pub fn to_text(&self) -> String {
        let mut table = Table::new(&[
            ("signal", Align::Left),
            ("good-bad", Align::Left),
            ("good-ordinary", Align::Left),
            ("bad-ordinary", Align::Left),
        ]);
        for (name, areas) in &self.rows {
            table.push(std::iter::once((*name).to_string()).chain(areas.iter().map(words)).collect());
        }
        let counts = Label::ALL.map(|label| format!("{} {}", self.n_moves(label), label.name()));
        format!(
            "{}: {}\n\n\
             Area under the ROC curve with its 95% interval over games: the probability that a move of the first\n\
             kind has the larger number (rank 1 is the best move; ties count half). Below 0.5, it usually has the\n\
             smaller number. The model did not learn from the games that it judges.\n{}\n\
             Share of moves at or above a rank, percent\n{}",
            count(self.moves.len(), "move"),
            counts.join(", "),
            table.to_text(),
            self.shares().to_text(),
        )
    }

    /// Shares by rank, for a few ranks.
    fn shares(&self) -> Table {
        let ranks = [1, 5, 10, 20, 50, 100];
        let names: Vec<String> = ranks.iter().map(|rank| rank.to_string()).collect();
        let mut columns = vec![("signal", Align::Left), ("moves", Align::Left)];
        columns.extend(names.iter().map(|name| (name.as_str(), Align::Right)));
        let mut table = Table::new(&columns);
        for signal in self.ranks() {
            for label in Label::ALL {
                let shares = ranks.map(|rank| format!("{:.1}", 100.0 * self.share_up_to(signal, label, rank as f64)));
                table.push([signal.name().to_string(), label.name().into()].into_iter().chain(shares).collect());
            }
        }
        table
    }

    fn ranks(&self) -> impl Iterator<Item = Signal> + '_ {
        let is_rank = |signal: &Signal| signal.name().ends_with("-rank");
        Signal::ALL.into_iter().filter(is_rank).filter(|signal| self.is_known(*signal))
    }

    fn is_known(&self, signal: Signal) -> bool {
        self.rows.iter().any(|(name, _)| *name == signal.name())
    }

    /// The share of moves of a kind whose signal is at most the limit.
    fn share_up_to(&self, signal: Signal, label: Label, limit: f64) -> f64 {
        let of_kind = self.moves.iter().filter(|m| m.label == label).filter_map(|m| signal.of(&m.signals));
        let (mut n, mut n_up_to) = (0, 0);
        for value in of_kind {
            n += 1;
            n_up_to += usize::from(value <= limit);
        }
        f64::from(n_up_to as u32) / f64::from(n.max(1) as u32)
    }

    /// Every number as `what, signal, at, value`.
    pub fn to_csv(&self) -> String {
        let mut table = Table::new(&["what", "signal", "at", "value"].map(|name| (name, Align::Left)));
        let mut push = |what: &str, signal: &str, at: String, value: f64| {
            table.push(vec![what.into(), signal.into(), at, format!("{value:.6}")]);
        };
        for (name, areas) in &self.rows {
            for ([first, second], found) in PAIRS.iter().zip(areas) {
                if let Some(found) = found {
                    let at = format!("{}-{}", first.name(), second.name());
                    push("area", name, at.clone(), found.area);
                    push("area_low", name, at.clone(), found.low);
                    push("area_high", name, at, found.high);
                }
            }
        }
        for Curve { signal, label, points } in self.curves() {
            for (at, share) in points {
                push(&format!("share_{}", label.name()), signal.name(), format!("{at}"), share / 100.0);
            }
        }
        table.to_csv()
    }

    /// The curves of the paper's figures.
    fn curves(&self) -> Vec<Curve> {
        let mut curves = Vec::new();
        for signal in Signal::ALL.into_iter().filter(|signal| self.is_known(*signal)) {
            let steps: Vec<f64> = match signal.name().rsplit('-').next() {
                Some("rank") => (0..=MAX_RANK / RANK_STEP).map(|n| ((n * RANK_STEP) as f64).max(1.0)).collect(),
                Some("share") => (0..=20).map(|n| (f64::from(n) * SHARE_STEP * 1e6).round() / 1e6).collect(),
                _ => continue,
            };
            for label in Label::ALL {
                let points = steps.iter().map(|&at| (at, 100.0 * self.share_up_to(signal, label, at))).collect();
                curves.push(Curve { signal, label, points });
            }
        }
        curves
    }

    /// One plot per signal that is a rank: the paper's figures 3, 4 and 6 to 9, and one for the trained model.
    pub fn plots(&self) -> Vec<(Signal, Plot)> {
        let mut plots: Vec<(Signal, Plot)> = Vec::new();
        for Curve { signal, label, points } in self.curves() {
            if plots.last().is_none_or(|(last, _)| *last != signal) {
                let is_share = signal.name().ends_with("share");
                let x = if is_share { "rank / legal moves" } else { "rank" };
                let title = format!("Moves by {}", signal.name());
                plots.push((signal, Plot::new(&title).with_axes(x, "percent at or above")));
            }
            let (_, plot) = plots.pop().expect("there is one");
            let name = format!("{} ({})", label.name(), self.n_moves(label));
            plots.push((signal, plot.with_line(&name, points)));
        }
        plots
    }
}

/// The evidence for a label; ordinary has none.
fn of_label(label: Label, good: f64, bad: f64) -> f64 {
    match label {
        Label::Good => good,
        Label::Ordinary => 0.0,
        Label::Bad => bad,
    }
}

fn words(area: &Option<Area>) -> String {
    area.map_or("-".into(), |a| format!("{:.3} ({:.3} to {:.3})", a.area, a.low, a.high))
}

#[cfg(test)]
mod tests {
    use tejun_knowledge::judging::Signals;

    use super::*;

    #[test]
    fn areas_and_shares_of_a_few_moves() {
        let of = |n: usize, label, visit_rank| LabeledMove {
            game: n,
            index: n,
            label,
            signals: Signals { n_legal: 100, visit_rank: Some(visit_rank), ..Signals::default() },
        };
        let moves = [
            of(0, Label::Good, 1.0),
            of(1, Label::Good, 12.0),
            of(0, Label::Bad, 20.0),
            of(1, Label::Bad, 30.5),
            of(2, Label::Ordinary, 2.0),
        ];
        let judged = vec![Some([0.2, 0.1]); 5];
        let report = JudgeEvaluation::new(&moves, &judged);
        let text = report.to_text();
        assert!(text.starts_with("5 moves: 2 good, 1 ordinary, 2 bad\n"), "{text}");
        assert!(text.contains("visit-rank   0.000 (0.000 to 0.000)"), "{text}");
        assert!(text.contains("model        0.500"), "{text}");
        assert!(text.contains("visit-rank  good      50.0   50.0   50.0  100.0  100.0  100.0"), "{text}");
        let csv = report.to_csv();
        assert!(csv.contains("share_bad,visit-rank,20,0.500000"), "{csv}");
        assert!(csv.contains("share_good,visit-share,0.15,1.000000"), "{csv}");
        assert_eq!(report.plots().len(), 2);
    }
}
