//! The report of `tejun tactic survey`: how many moves have an explanation, and how large it is.

use std::collections::BTreeMap;

use tejun_knowledge::corpus::GameTable;
use tejun_knowledge::statistics::{Share, quantile};
use tejun_knowledge::tactics::{Library, Mapping, SurveyedMove, Unexplained};

use crate::reports::mine::percent_with_interval;
use crate::reports::plot::Plot;
use crate::reports::table::{Align, Table, csv_line};

/// Moves with their explanations.
pub struct SurveyReport<'a> {
    /// The games.
    pub table: &'a GameTable,
    /// The names of sets.
    pub library: &'a Library,
    /// The moves.
    pub moves: &'a [SurveyedMove],
}

impl SurveyReport<'_> {
    /// Shares, distributions of depth and size, and times.
    pub fn to_text(&self) -> String {
        let count = |is_it: &dyn Fn(&SurveyedMove) -> bool| self.moves.iter().filter(|m| is_it(m)).count();
        let n_explained = count(&|m| m.explained.is_ok());
        let n_impossible = count(&|m| matches!(m.explained, Err(Unexplained::Impossible { .. })));
        let n_smallest = count(&|m| m.explained.as_ref().is_ok_and(|found| found.is_smallest));
        let n_not_found = self.moves.len() - n_explained - n_impossible;
        let share = |n: usize| percent_with_interval(Share { n_yes: n as u64, n: self.moves.len() as u64 });
        let mut sums = Table::new(&[("moves", Align::Left), ("n", Align::Right), ("share", Align::Left)]);
        for (name, n) in [
            ("explained", n_explained),
            ("proven to be the smallest", n_smallest),
            ("impossible at this depth", n_impossible),
            ("not found", n_not_found),
        ] {
            sums.push(vec![name.into(), n.to_string(), share(n)]);
        }
        let [depths, sizes] = [Mapping::depth, Mapping::size].map(|measure| self.distribution(measure));
        let depths = distribution_table("depth", &depths, self.moves.len());
        let sizes = distribution_table("size", &sizes, self.moves.len());
        format!("{}\n{}\n{}\n{}", sums.to_text(), depths.to_text(), sizes.to_text(), self.time_words())
    }

    /// How many explanations have each depth or size.
    fn distribution(&self, measure: impl Fn(&Mapping) -> usize) -> BTreeMap<usize, usize> {
        let mut counts = BTreeMap::new();
        for found in self.moves.iter().filter_map(|m| m.explained.as_ref().ok()) {
            *counts.entry(measure(&found.mapping)).or_insert(0) += 1;
        }
        counts
    }

    fn time_words(&self) -> String {
        let mut times: Vec<f64> = self.moves.iter().map(|m| m.time.as_secs_f64()).collect();
        times.sort_by(f64::total_cmp);
        let Some(longest) = times.last() else { return String::new() };
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        let at = |share: f64| quantile(&times, share).unwrap_or_default();
        let (median, most) = (at(0.5), at(0.95));
        format!("seconds per move: mean {mean:.3}, median {median:.3}, 95% within {most:.3}, longest {longest:.3}\n")
    }

    /// How many explanations have each size, as bars.
    pub fn size_plot(&self) -> Plot {
        let sizes = self.distribution(Mapping::size);
        let bars = sizes.into_iter().map(|(size, n)| (size as f64, n as f64)).collect();
        let plot = Plot::new("Sizes of explanations").with_axes("operators and leaves", "moves");
        plot.with_bars("", bars).with_bar_width(1.0)
    }

    /// One line per move.
    pub fn to_csv(&self) -> String {
        let head =
            ["game", "move", "color", "point", "explained", "depth", "size", "smallest", "sets", "seconds", "set"];
        let mut csv = csv_line(&head);
        for m in self.moves {
            let (game, index) = (m.place.game as usize, m.place.move_index as usize);
            let color = self.table.move_at(game, index).map_or(String::new(), |m| m.color.letter().to_string());
            let mut cells = vec![
                self.table.facts(game).id.0.to_string(),
                (index + 1).to_string(),
                color,
                m.point.name(self.table.size()),
            ];
            let seconds = format!("{:.3}", m.time.as_secs_f64());
            match &m.explained {
                Ok(found) => cells.extend([
                    "yes".into(),
                    found.mapping.depth().to_string(),
                    found.mapping.size().to_string(),
                    if found.is_smallest { "yes" } else { "unknown" }.into(),
                    found.n_sets.to_string(),
                    seconds,
                    self.library.print(&found.mapping),
                ]),
                Err(error) => {
                    let is_impossible = matches!(error, Unexplained::Impossible { .. });
                    cells.push(if is_impossible { "impossible" } else { "no" }.into());
                    cells.extend(["", "", "", "", &seconds, ""].map(String::from));
                }
            }
            csv.push_str(&csv_line(&cells.iter().map(String::as_str).collect::<Vec<_>>()));
        }
        csv
    }
}

fn distribution_table(name: &str, counts: &BTreeMap<usize, usize>, n_moves: usize) -> Table {
    let columns = [(name, Align::Right), ("moves", Align::Right), ("share", Align::Right), ("up to it", Align::Right)];
    let mut table = Table::new(&columns);
    let mut n_so_far = 0;
    let percent = |n: usize| format!("{:.1}%", 100.0 * n as f64 / n_moves as f64);
    for (value, &n) in counts {
        n_so_far += n;
        table.push(vec![value.to_string(), n.to_string(), percent(n), percent(n_so_far)]);
    }
    table
}
