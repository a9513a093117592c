//! The whole method: from games to the sequences that are played as units.

use std::collections::HashSet;

use crate::codes::Code;
use crate::corpus::GameTable;
use crate::progress::Progress;
use crate::sequences::continuations::by_completeness;
use crate::sequences::measures::Measure;
use crate::sequences::ranking::{RankOptions, RankedString, Tenuki, without_redundant};
use crate::sequences::sequence::{Sequence, sequences_of};
use crate::sequences::text::{GameText, TextBuildError, TextOptions, TextScope};

/// Strings that are looked at more closely; as long as it suffices, a shorter list is the beginning of a longer one.
const POOL: usize = 100_000;

/// How to mine.
///
/// ```
/// use tejun_knowledge::sequences::{MineOptions, TextScope};
///
/// let options = MineOptions { scope: TextScope::Corner, top: 200, ..MineOptions::default() };
/// assert_eq!(options.min_length, 5);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MineOptions {
    /// How a move becomes a symbol.
    pub code: Code,
    /// What the text of a game follows.
    pub scope: TextScope,
    /// How much a string is a unit.
    pub measure: Measure,
    /// Symbols of the shortest sequence.
    pub min_length: u32,
    /// The number of sequences wanted.
    pub top: usize,
    /// What to do with local sequences in which a side played elsewhere.
    pub tenuki: Tenuki,
    /// What to do with near-duplicates of sequences that rank higher.
    pub redundant: Redundant,
    /// What decides the order.
    pub rank_by: RankBy,
    /// Threads to work with; the result does not depend on it.
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
    /// They are dropped.
    Drop,
    /// They are kept.
    Keep,
}

/// What decides the order of sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankBy {
    /// The measure alone.
    Measure,
    /// The measure, weighted by how often play moves elsewhere after the sequence.
    Completeness,
}

/// Finds the sequences that the games play as units, the best first.
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
/// If there is too much text for an index.
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

/// [`mine`] with a text of the games that exists already; `options` must be those of the text.
pub fn mine_text(text: &GameText, table: &GameTable, options: &MineOptions, progress: &dyn Progress) -> Vec<Sequence> {
    progress.start("ranking sequences", None);
    let ranking = rank_strings(text, table, options);
    progress.start("looking at boards", None);
    first_sequences(text, table, &ranking, options)
}

/// The strings of a text in the order that [`mine`] gives them, before any is looked at on the board.
pub fn rank_strings(text: &GameText, table: &GameTable, options: &MineOptions) -> Vec<RankedString> {
    let MineOptions { min_length, tenuki, n_threads, .. } = *options;
    // Room for those that are dropped, and for those that come up from below.
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

/// The best strings on the board, without those that look like a better one.
///
/// A sequence from a diagonal may have two strings.
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
