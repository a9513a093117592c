//! The report of `tejun tactic discover`: tables, JSON, CSV.

use serde_json::{Value, json};
use tejun_knowledge::predictor::Scores;
use tejun_knowledge::tactics::{Library, Measured, Named, TacticModel, Weighted};

use crate::reports::table::{Align, Table};
use crate::reports::writing::rounded;
use crate::terminal::count;

/// The likeness from which a set is described by a name.
const ALIKE: f64 = 0.5;

/// Discovered sets, and their quality on held-out games.
pub struct DiscoveryReport<'a> {
    /// The sets.
    pub model: &'a TacticModel,
    /// The names of sets.
    pub library: &'a Library,
    /// Measurements of each set.
    pub measured: Vec<Measured>,
    /// A few sets that together select many moves: each with the share selected by it and the sets before it.
    pub cover: Vec<(usize, f64)>,
    /// The name that fits each set best, and the likeness.
    pub names: Vec<Option<(&'a Named, f64)>>,
    /// Accuracy of predictors.
    pub scores: Vec<(&'static str, Scores)>,
}

impl DiscoveryReport<'_> {
    /// The first sets, those that together cover the most moves, and accuracy.
    pub fn to_text(&self, top: usize) -> String {
        let n_moves = self.measured.first().map_or(0, |measured| measured.n_moves);
        let n_sets = count(self.measured.len(), "set");
        let mut text = format!("{n_sets}, measured on {} of held-out games\n\n", count(n_moves, "move"));
        text.push_str(&self.table(0..top.min(self.measured.len())).to_text());
        if !self.cover.is_empty() {
            text.push_str("\nA few sets that together select many of the moves\n");
            text.push_str(&self.cover_table().to_text());
        }
        text.push_str("\nTop-N accuracy, percent\n");
        text.push_str(&self.score_table().to_text());
        text
    }

    /// One line per set.
    pub fn to_csv(&self) -> String {
        self.table(0..self.measured.len()).to_csv()
    }

    fn table(&self, sets: impl Iterator<Item = usize>) -> Table {
        let right = |name: &'static str| (name, Align::Right);
        let mut table = Table::new(&[
            right("set"),
            right("weight"),
            right("coverage"),
            right("points"),
            right("confidence"),
            right("lift"),
            right("depth"),
            ("points of the board", Align::Left),
            ("in words", Align::Left),
        ]);
        for i in sets {
            let Weighted { mapping, weight } = &self.model.weighted[i];
            let measured = &self.measured[i];
            table.push(vec![
                (i + 1).to_string(),
                format!("{weight:.2}"),
                format!("{:.1}%", 100.0 * measured.coverage()),
                format!("{:.1}", measured.mean_points()),
                format!("{:.1}%", 100.0 * measured.confidence()),
                format!("{:.1}", measured.lift()),
                mapping.depth().to_string(),
                self.library.describe(mapping),
                self.words(i),
            ]);
        }
        table
    }

    /// The name of a set, if one fits.
    fn words(&self, set: usize) -> String {
        match &self.names[set] {
            Some((named, likeness)) if *likeness >= 0.999 => format!("{}: {}", named.name, named.words),
            Some((named, likeness)) if *likeness >= ALIKE => {
                format!("{:.0}% like {}: {}", 100.0 * likeness, named.name, named.words)
            }
            _ => String::new(),
        }
    }

    fn cover_table(&self) -> Table {
        let right = |name: &'static str| (name, Align::Right);
        let mut table = Table::new(&[
            right("set"),
            right("selects"),
            right("together"),
            right("points"),
            right("lift"),
            ("points of the board", Align::Left),
        ]);
        for &(i, together) in &self.cover {
            table.push(vec![
                (i + 1).to_string(),
                format!("{:.1}%", 100.0 * self.measured[i].coverage()),
                format!("{:.1}%", 100.0 * together),
                format!("{:.1}", self.measured[i].mean_points()),
                format!("{:.1}", self.measured[i].lift()),
                self.library.describe(&self.model.weighted[i].mapping),
            ]);
        }
        table
    }

    fn score_table(&self) -> Table {
        let right = |name: &'static str| (name, Align::Right);
        let mut table = Table::new(&[
            ("", Align::Left),
            right("positions"),
            right("top 1"),
            right("top 5"),
            right("top 10"),
            right("top 20"),
            right("bits"),
        ]);
        for (name, scores) in &self.scores {
            let shares = scores.top_shares().map(|share| format!("{:.1}", 100.0 * share));
            let first = [name.to_string(), scores.n_moves().to_string()];
            table.push(first.into_iter().chain(shares).chain([format!("{:.3}", scores.bits(None))]).collect());
        }
        table
    }

    /// Everything as JSON.
    pub fn to_json(&self) -> Value {
        let set = |i: usize| {
            let Weighted { mapping, weight } = &self.model.weighted[i];
            let measured = &self.measured[i];
            let name = self.names[i].map(|(named, likeness)| json!({ "name": named.name, "likeness": likeness }));
            json!({
                "set": i + 1,
                "mapping": mapping.to_string(),
                "short": self.library.describe(mapping),
                "weight": weight,
                "depth": mapping.depth(),
                "size": mapping.size(),
                "n_moves": measured.n_moves,
                "n_played": measured.n_played,
                "n_selected": measured.n_selected,
                "n_by_chance": rounded(measured.n_by_chance, 6),
                "coverage": measured.coverage(),
                "confidence": measured.confidence(),
                "lift": measured.lift(),
                "nearest_name": name,
            })
        };
        let scores = self.scores.iter().map(|(name, scores)| {
            let tops = Scores::TOPS.iter().zip(scores.top_shares());
            let tops: serde_json::Map<_, _> = tops.map(|(n, share)| (format!("top_{n}"), json!(rounded(share, 6)))).collect();
            json!({ "predictor": name, "n_moves": scores.n_moves(), "shares": tops, "bits": rounded(scores.bits(None), 6) })
        });
        json!({
            "sets": (0..self.measured.len()).map(set).collect::<Vec<_>>(),
            "cover": self.cover.iter().map(|(i, share)| json!({ "set": i + 1, "together": share })).collect::<Vec<_>>(),
            "scores": scores.collect::<Vec<_>>(),
        })
    }
}
