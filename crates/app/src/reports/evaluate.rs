//! The report of `tejun evaluate`: how well a predictor predicts, as tables and curves.

use tejun_knowledge::predictor::{N_STAGES, PHASES, Scores, phase_name, stage_name};

use crate::reports::plot::Plot;
use crate::reports::table::{Align, Table};

/// The measurements of one predictor.
pub struct PredictionReport<'s> {
    /// Its name.
    pub name: &'s str,
    /// How well it predicts.
    pub scores: &'s Scores,
}

/// Ranks at which recall is drawn.
const N_RANKS: usize = 50;

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

impl PredictionReport<'_> {
    /// The tables as text: accuracy by stage of the game, bits, and calibration.
    pub fn to_text(&self) -> String {
        let right = |name: &'static str| (name, Align::Right);
        let mut tops = Table::new(&[
            ("moves", Align::Left),
            right("positions"),
            right("top 1"),
            right("top 5"),
            right("top 10"),
            right("top 20"),
        ]);
        for phase in 0..PHASES.len() {
            let (n, shares) = self.scores.phase_shares(phase);
            if n > 0 {
                tops.push([phase_name(phase), n.to_string()].into_iter().chain(shares.map(percent)).collect());
            }
        }
        let all = ["all".to_string(), self.scores.n_moves().to_string()];
        tops.push(all.into_iter().chain(self.scores.top_shares().map(percent)).collect());
        let mut classes = Table::new(&[right("predicted"), right("moves"), right("observed")]);
        for class in self.scores.reliability() {
            classes.push(vec![percent_fine(class.expected), class.n.to_string(), percent_fine(class.played)]);
        }
        format!(
            "{}: top-N accuracy, percent (ties in random order)\n{}\n\
             {:.3} ± {:.3} bits per move\n\n\
             Calibration: predicted probability and observed frequency, percent\n{}",
            self.name,
            tops.to_text(),
            self.scores.bits(None),
            self.scores.bits_margin(),
            classes.to_text(),
        )
    }

    /// Every number as `what, at, value`.
    pub fn to_csv(&self) -> String {
        let mut table = Table::new(&["what", "at", "value"].map(|name| (name, Align::Left)));
        let mut push = |what: &str, at: String, value: f64| {
            let value = if what == "moves" { format!("{value:.0}") } else { format!("{value:.6}") };
            table.push(vec![what.into(), at, value]);
        };
        push("moves", "all".into(), self.scores.n_moves() as f64);
        for (n, share) in Scores::TOPS.into_iter().zip(self.scores.top_shares()) {
            push("top", n.to_string(), share);
        }
        push("bits", "all".into(), self.scores.bits(None));
        push("bits_margin", "all".into(), self.scores.bits_margin());
        for phase in 0..PHASES.len() {
            let (n, shares) = self.scores.phase_shares(phase);
            if n > 0 {
                push("moves", phase_name(phase), n as f64);
                for (top, share) in Scores::TOPS.into_iter().zip(shares) {
                    push(&format!("top{top}"), phase_name(phase), share);
                }
            }
        }
        for stage in (0..N_STAGES).filter(|&stage| self.scores.bits(Some(stage)).is_finite()) {
            push("top8", stage_name(stage), self.scores.top8(stage));
            push("bits", stage_name(stage), self.scores.bits(Some(stage)));
        }
        (1..=361).for_each(|rank| push("recall", rank.to_string(), self.scores.recall_at(rank)));
        for class in self.scores.reliability() {
            push("reliability", format!("{:.6}", class.expected), class.played);
        }
        table.to_csv()
    }

    /// Recall by rank.
    pub fn rank_plot(&self) -> Plot {
        let curve = (1..=N_RANKS).map(|rank| (rank as f64, 100.0 * self.scores.recall_at(rank))).collect();
        Plot::new("Recall by rank").with_axes("corrected rank", "percent").with_line(self.name, curve)
    }

    /// Top-8 accuracy by stage.
    pub fn stage_plot(&self) -> Plot {
        let stages = (0..N_STAGES).filter(|&stage| self.scores.top8(stage).is_finite());
        let curve = stages.map(|stage| ((20 * stage + 10) as f64, 100.0 * self.scores.top8(stage))).collect();
        Plot::new("Top-8 accuracy").with_axes("move", "percent").with_line(self.name, curve)
    }

    /// Predicted probabilities and observed frequencies.
    pub fn reliability_plot(&self) -> Plot {
        let classes = self.scores.reliability();
        let curve = classes.iter().map(|class| (100.0 * class.expected, 100.0 * class.played)).collect();
        Plot::new("Calibration")
            .with_axes("predicted, percent", "observed, percent")
            .with_line("perfect calibration", vec![(0.0, 0.0), (100.0, 100.0)])
            .with_line(self.name, curve)
    }
}

fn percent_fine(share: f64) -> String {
    format!("{:.2}", 100.0 * share)
}
