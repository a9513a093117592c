//! The complete method: from games to the sequences that are played as units.

use std::collections::HashSet;

use crate::codes::Code;
use crate::corpus::GameTable;
use crate::progress::Progress;
use crate::sequences::continuations::by_completeness;
use crate::sequences::measures::Measure;
use crate::sequences::ranking::{RankOptions, RankedString, Tenuki, without_redundant};
use crate::sequences::sequence::{Sequence, sequences_of};
use crate::sequences::text::{GameText, TextBuildError, TextOptions, TextScope};

/// Number of strings to examine closely. As long as it suffices, a shorter result is a prefix of a longer one.
const POOL: usize = 100_000;

/// Options of [`mine`].
///
/// ```
/// use tejun_knowledge::sequences::{MineOptions, TextScope};
///
/// let options = MineOptions { scope: TextScope::Corner, top: 200, ..MineOptions::default() };
/// assert_eq!(options.min_length, 5);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MineOptions {
    /// How moves are encoded.
    pub code: Code,
    /// Which moves form a text.
    pub scope: TextScope,
    /// How strings are scored.
    pub measure: Measure,
    /// Minimum length in symbols.
    pub min_length: u32,
    /// Maximum number of sequences.
    pub top: usize,
    /// What to do with local sequences in which one side played elsewhere.
    pub tenuki: Tenuki,
    /// What to do with near-duplicates of sequences that rank higher.
    pub redundant: Redundant,
    /// The order of the result.
    pub rank_by: RankBy,
    /// Number of threads; the result does not depend on it.
    pub n_threads: usize,
}

impl Default for MineOptions {
    fn default() -> MineOptions {
        let [.., msfp] = Measure::all();
        MineOptions {
            code: Code::Relative,
            scope: TextScope::Local,
            measure: msfp,
            min_length: 5,
            top: 20,
            tenuki: Tenuki::Exclude,
            redundant: Redundant::Drop,
            rank_by: RankBy::Completeness,
            n_threads: 1,
        }
    }
}

/// What to do with near-duplicates of sequences that rank higher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redundant {
    /// Drop them.
    Drop,
    /// Keep them.
    Keep,
}

/// The order of sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankBy {
    /// By the measure alone.
    Measure,
    /// By the measure, weighted by how often play moves elsewhere after the sequence.
    Completeness,
}

/// Finds the sequences that are played as units, the best first.
///
/// ```
/// use tejun_knowledge::corpus::{GameTable, Input, Selection};
/// use tejun_knowledge::progress::NoProgress;
/// use tejun_knowledge::sequences::{MineOptions, mine};
/// use tejun_games::go::BoardSize;
///
/// let games = Input::sample().open(2, &NoProgress)?;
/// let table = GameTable::load(&games.collection, &Selection::default(), BoardSize::NINETEEN)?;
/// let sequences = mine(&table, &MineOptions::default(), &NoProgress)?;
/// let best = &sequences[0];
/// let points: Vec<String> = best.moves.iter().filter_map(|m| m.point).map(|p| p.name(table.size())).collect();
/// println!("{} ({} games)", points.join(" "), best.n_games);
/// assert_eq!(sequences.len(), 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the text is too large for an index.
pub fn mine(
    table: &GameTable,
    options: &MineOptions,
    progress: &dyn Progress,
) -> Result<Vec<Sequence>, TextBuildError> {
    progress.start("indexing games", None);
    let text_options = TextOptions { size: table.size(), code: options.code, scope: options.scope };
    let text = GameText::build(table, text_options, options.n_threads)?;
    Ok(mine_text(&text, table, options, progress))
}

/// Like [`mine`], with an existing text of the games; `options` must match those of the text.
pub fn mine_text(text: &GameText, table: &GameTable, options: &MineOptions, progress: &dyn Progress) -> Vec<Sequence> {
    progress.start("ranking sequences", None);
    let ranking = rank_strings(text, table, options);
    progress.start("looking at boards", None);
    first_sequences(text, table, &ranking, options)
}

/// The strings of a text in the order of [`mine`], before they are examined on the board.
pub fn rank_strings(text: &GameText, table: &GameTable, options: &MineOptions) -> Vec<RankedString> {
    let MineOptions { min_length, tenuki, n_threads, .. } = *options;
    // Leaves room for strings that are dropped, and for strings that move up.
    let top = options.top.saturating_mul(4).max(POOL);
    let mut ranking = options.measure.rank(text, RankOptions { min_length, top, tenuki, n_threads });
    if options.rank_by == RankBy::Completeness {
        ranking = by_completeness(text, table, &ranking, n_threads);
    }
    if options.redundant == Redundant::Drop {
        ranking = without_redundant(text, &ranking, min_length);
    }
    ranking
}

/// The best strings on the board, without those that look the same as a better one.
///
/// A sequence that starts on a diagonal may have two strings.
fn first_sequences(
    text: &GameText,
    table: &GameTable,
    ranking: &[RankedString],
    options: &MineOptions,
) -> Vec<Sequence> {
    let mut found: Vec<Sequence> = Vec::new();
    let mut seen = HashSet::new();
    let mut rest = ranking;
    while found.len() < options.top && !rest.is_empty() {
        let (next, after) = rest.split_at(rest.len().min(options.top - found.len()));
        let is_new = |sequence: &Sequence| options.redundant == Redundant::Keep || seen.insert(sequence.moves.clone());
        found.extend(sequences_of(text, table, next, options.n_threads).into_iter().filter(is_new));
        rest = after;
    }
    found
}
