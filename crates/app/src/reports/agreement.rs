//! How well a review agrees with a strong engine, as tables.

use std::ops::Range;

use tejun_knowledge::judging::{AGREEMENT_STAGES, Agreement, StageAgreement};

use crate::reports::table::{Align, Table};
use crate::terminal::count;

/// The figures of judged games.
pub struct AgreementReport<'a> {
    /// What was collected.
    pub agreement: &'a Agreement,
    /// The number of games.
    pub n_games: usize,
}

impl AgreementReport<'_> {
    /// Both tables with explanations.
    pub fn to_text(&self) -> String {
        let (n_caught, n_grave) = self.agreement.grave_losses();
        format!(
            "{}\n\n\
             Win rates before each move beside the engine's. Error: mean absolute error; of 50%: the error of an even\n\
             game everywhere. Loss area: the probability that a move that really loses 10% or more has the larger\n\
             loss than one that loses less than 3%.\n{}\n\
             What the moves of each verdict really lost\n{}\n\
             Called bad or doubtful: {n_caught} of {n_grave} moves that really lose 15% or more\n\
             The curve changes its direction after {:.0}% of its changes\n",
            count(self.n_games, "game"),
            self.stages().to_text(),
            self.verdicts().to_text(),
            100.0 * self.agreement.flips(),
        )
    }

    /// The figures by stage.
    pub fn to_csv(&self) -> String {
        self.stages().to_csv()
    }

    fn stages(&self) -> Table {
        let mut table = Table::new(&[
            ("moves", Align::Left),
            ("positions", Align::Right),
            ("error", Align::Right),
            ("error_of_50", Align::Right),
            ("correlation", Align::Right),
            ("same_leader", Align::Right),
            ("loss_correlation", Align::Right),
            ("loss_area", Align::Right),
            ("large_losses", Align::Right),
        ]);
        for stage in &AGREEMENT_STAGES {
            let Some(figures) = self.agreement.stage(stage) else { continue };
            table.push(row(stage, &figures));
        }
        table
    }

    fn verdicts(&self) -> Table {
        let columns = [("verdict", Align::Left), ("moves", Align::Right), ("mean_loss", Align::Right)];
        let mut table = Table::new(&[&columns[..], &[("below_3_percent", Align::Right)]].concat());
        for figures in self.agreement.verdicts() {
            table.push(vec![
                figures.verdict.name().into(),
                figures.n_moves.to_string(),
                format!("{:.3}", figures.mean_loss),
                format!("{:.3}", figures.share_small),
            ]);
        }
        table
    }
}

fn row(stage: &Range<usize>, figures: &StageAgreement) -> Vec<String> {
    let numbers = [
        figures.mean_error,
        figures.mean_error_of_half,
        figures.correlation,
        figures.same_leader,
        figures.loss_correlation,
        figures.loss_area,
    ];
    let mut cells = vec![format!("{}-{}", stage.start, stage.end), figures.n_positions.to_string()];
    cells.extend(numbers.map(|number| format!("{number:.3}")));
    cells.push(figures.n_large_losses.to_string());
    cells
}
