//! How many known sequences each way to rank strings finds (the paper's Table 3).

use crate::codes::Code;
use crate::corpus::GameTable;
use crate::progress::Progress;
use crate::sequences::continuations::{Completeness, by_completeness, classes};
use crate::sequences::dictionary::Dictionary;
use crate::sequences::measures::{Aggregation, Measure};
use crate::sequences::ranking::{RankOptions, RankedString, Tenuki, without_redundant};
use crate::sequences::recall::{Ranks, Recall, recall};
use crate::sequences::text::{GameText, TextBuildError, TextOptions, TextScope};

/// Numbers of strings for which precision is measured.
const PRECISION_AT: [usize; 2] = [100, 1000];

/// Which ways to rank are measured.
#[derive(Clone, Debug, PartialEq)]
pub struct RecallOptions {
    /// The codes.
    pub codes: Vec<Code>,
    /// The texts.
    pub scopes: Vec<TextScope>,
    /// The largest rank at which recall will be asked for.
    pub max_rank: usize,
    /// Symbols of the shortest string; each value is measured.
    pub min_lengths: Vec<u32>,
    /// The measures of the paper only, or variants of the last one as well.
    pub measures: MeasureChoice,
    /// Threads to work with; the result does not depend on it.
    pub n_threads: usize,
}

/// Which measures are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureChoice {
    /// The four of the paper.
    Paper,
    /// Also the maximum and the sum over occurrences of the last one, and strings with a move elsewhere inside.
    Variants,
}

/// A way to rank strings, and what it finds.
#[derive(Clone, Debug, PartialEq)]
pub struct RankingRecall {
    /// How a move becomes a symbol.
    pub code: Code,
    /// What the text of a game follows.
    pub scope: TextScope,
    /// The measure, with its variant.
    pub measure: String,
    /// Which strings are ranked: `all`, `adjusted`, `distinct` or `complete`.
    pub kept: &'static str,
    /// Symbols of the shortest string.
    pub min_length: u32,
    /// The lines that were found.
    pub recall: Recall,
    /// The share of complete units among the first 100 and the first 1,000 strings; `None` if there are fewer.
    pub precision: [Option<f64>; 2],
}

/// Ranks the strings of games in every way that the options name, and looks up the lines of a dictionary.
///
/// # Errors
/// If there is too much text for an index.
pub fn ranking_recall(
    table: &GameTable,
    dictionary: &Dictionary,
    options: &RecallOptions,
    progress: &dyn Progress,
) -> Result<Vec<RankingRecall>, TextBuildError> {
    let mut found = Vec::new();
    for &code in &options.codes {
        let text = |scope| GameText::build(table, TextOptions { size: table.size(), code, scope }, options.n_threads);
        // Whether a line is attested is the same for all texts of a code.
        let whole = text(TextScope::Whole)?;
        for &scope in &options.scopes {
            progress.start(&format!("{code}, {scope}"), None);
            let other = if scope == TextScope::Whole { None } else { Some(text(scope)?) };
            let text = other.as_ref().unwrap_or(&whole);
            found.extend(Rankings { text, table, known: (dictionary, &whole), options }.measured());
        }
    }
    Ok(found)
}

/// A text whose strings are ranked, and the dictionary to compare them with.
struct Rankings<'r> {
    text: &'r GameText,
    table: &'r GameTable,
    /// The lines, and the text that determines which of them are attested.
    known: (&'r Dictionary, &'r GameText),
    options: &'r RecallOptions,
}

impl Rankings<'_> {
    fn measured(&self) -> Vec<RankingRecall> {
        let Rankings { text, table, options, .. } = *self;
        let n_threads = options.n_threads;
        // Leaves room, because redundant strings will be removed.
        let top = options.max_rank.max(PRECISION_AT[1]).saturating_mul(4);
        let mut found = Vec::new();
        for (measure, name, tenuki) in measures(options.measures, text.options().scope) {
            for &min_length in &options.min_lengths {
                let ranking = measure.rank(text, RankOptions { min_length, top, tenuki, n_threads });
                let mut add = |ranking: &[RankedString], ranks: Ranks, kept: &'static str| {
                    found.push(self.row(&name, kept, min_length, ranking, ranks));
                };
                add(&ranking, Ranks::Own, "all");
                if text.options().code == Code::Relative {
                    add(&ranking, Ranks::Shared, "adjusted");
                }
                add(&without_redundant(text, &ranking, min_length), Ranks::Own, "distinct");
                let complete = by_completeness(text, table, &ranking, n_threads);
                add(&without_redundant(text, &complete, min_length), Ranks::Own, "complete");
            }
        }
        found
    }

    fn row(
        &self,
        measure: &str,
        kept: &'static str,
        min_length: u32,
        ranking: &[RankedString],
        ranks: Ranks,
    ) -> RankingRecall {
        let TextOptions { code, scope, .. } = self.text.options();
        let precision = match ranks {
            Ranks::Own => precision(self.text, self.table, ranking),
            Ranks::Shared => [None; 2],
        };
        let recall = recall(self.text, ranking, ranks, self.known);
        RankingRecall { code, scope, measure: measure.into(), kept, min_length, recall, precision }
    }
}

/// The four measures of the paper, and variants of the last one if requested.
fn measures(choice: MeasureChoice, scope: TextScope) -> Vec<(Measure, String, Tenuki)> {
    let usual = Measure::all().map(|measure| (measure.name().to_string(), measure));
    let mut measures: Vec<_> = usual.map(|(name, measure)| (measure, name, Tenuki::Exclude)).into();
    if choice == MeasureChoice::Variants {
        for (aggregation, name) in [(Aggregation::Max, "msfp max"), (Aggregation::Sum, "msfp sum")] {
            let measure = Measure::MultiProfile { windows: vec![4, 5], aggregation };
            measures.push((measure, name.into(), Tenuki::Exclude));
        }
        if scope != TextScope::Whole {
            let [.., measure] = Measure::all();
            measures.push((measure, "msfp, tenuki inside".into(), Tenuki::Allow));
        }
    }
    measures
}

fn precision(text: &GameText, table: &GameTable, ranking: &[RankedString]) -> [Option<f64>; 2] {
    let most = PRECISION_AT[1].min(ranking.len());
    let classes = classes(text, table, &ranking[..most]);
    PRECISION_AT.map(|n| {
        let first = classes.get(..n)?;
        Some(first.iter().copied().filter(|class: &Completeness| class.is_complete()).count() as f64 / n as f64)
    })
}
