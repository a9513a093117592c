//! A grammar: the indexed text of a collection in one code, and the data for smoothing.

use std::collections::HashMap;
use std::num::NonZeroU16;
use std::path::Path;

use tejun_games::go::{Board, BoardSize};
use tejun_index::{
    BuildError, BuildOptions, Index, Neighbor, OpenError, SaveError, Substring, Symbol, TextBuilder, TextError,
};

use crate::codes::{Code, Segment, encode};
use crate::corpus::GameTable;
use crate::grammar::smoothing::Discounts;

/// Precedes the first move of a run.
pub(crate) const START: Symbol = Symbol(8190);
/// The end of a game, the paper's `#`.
pub(crate) const END: Symbol = Symbol(8189);

/// Options of a grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrammarOptions {
    /// How moves are encoded.
    pub code: Code,
    /// The longest strings, in symbols, that Witten-Bell and Kneser-Ney smoothing count; the paper's has no limit.
    pub order: u8,
}

/// A grammar of one code, learned from games.
///
/// ```
/// # use tejun_games::BoardSize;
/// # use tejun_knowledge::corpus::{Expression, GameTable, Input, Selection};
/// # use tejun_knowledge::progress::NoProgress;
/// # let games = Input::sample().open(2, &NoProgress)?;
/// # let some = Selection { condition: Some(Expression::parse("id < 100")?), ..Selection::default() };
/// # let table = GameTable::load(&games.collection, &some, BoardSize::NINETEEN)?;
/// use tejun_games::GameRecord;
/// use tejun_knowledge::codes::Code;
/// use tejun_knowledge::grammar::{Grammar, GrammarOptions, GrammarPredictor, Smoothing};
/// use tejun_knowledge::predictor::Prediction;
///
/// let grammar = Grammar::learn(&table, GrammarOptions { code: Code::Relative, order: 6 }, 2)?;
/// let game = GameRecord::parse("(;SZ[19];B[pd];W[dp])")?;
/// let prediction = Prediction::new(&mut GrammarPredictor::new(&grammar, Smoothing::KneserNey), &game, 2);
/// let (point, probability) = prediction.moves[0];
/// println!("{} {:.0}%", point.name(game.size), 100.0 * probability);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Grammar {
    pub(crate) options: GrammarOptions,
    pub(crate) size: BoardSize,
    pub(crate) index: Index,
    /// All symbols that can come next.
    pub(crate) alphabet: Vec<Symbol>,
    /// The index of each symbol in the alphabet.
    pub(crate) numbers: HashMap<Symbol, usize>,
    /// For Kneser-Ney smoothing, by the length of the string.
    pub(crate) discounts: Vec<Discounts>,
}

/// Why a grammar can't be learned, saved or opened.
#[derive(Debug, thiserror::Error)]
pub enum GrammarError {
    /// The text is too large.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The index can't be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The file can't be written.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// The file is not an index.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The index is not a grammar, or one of another version.
    #[error("an index, but not a grammar of this version; learn it again")]
    NoGrammar,
}

/// Identifies the index of a grammar, with its version.
const MARK: &[u8; 10] = b"grammar 1 ";

impl Grammar {
    /// Learns a grammar from all games of a table.
    ///
    /// # Errors
    /// If the text is too large.
    pub fn learn(table: &GameTable, options: GrammarOptions, n_threads: usize) -> Result<Grammar, GrammarError> {
        let mut builder = TextBuilder::new();
        for game in 0..table.n_games() {
            for run in grammar_runs(table, game, options.code) {
                builder.push_segment(run)?;
            }
        }
        let threads = NonZeroU16::new(n_threads.clamp(1, 64) as u16).expect("it is at least 1");
        let index = Index::build(builder.finish(), BuildOptions { threads, ..BuildOptions::default() })?;
        Ok(Grammar::of_index(index, options, table.size(), None))
    }

    fn of_index(index: Index, options: GrammarOptions, size: BoardSize, known: Option<Vec<Discounts>>) -> Grammar {
        let mut alphabet = options.code.alphabet(size);
        alphabet.push(END);
        let numbers = alphabet.iter().enumerate().map(|(i, &symbol)| (symbol, i)).collect();
        let discounts = known.unwrap_or_else(|| Discounts::of_orders(&index, options.order));
        Grammar { options, size, index, alphabet, numbers, discounts }
    }

    /// The options that it was learned with.
    pub fn options(&self) -> GrammarOptions {
        self.options
    }

    /// The board size.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// Number of moves that it was learned from.
    pub fn n_moves(&self) -> usize {
        self.index.text().n_symbols() - self.index.count(&[START]) - self.index.count(&[END])
    }

    /// Saves the grammar to a file, which is memory-mapped when it is opened.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn save(self, path: &Path) -> Result<Grammar, GrammarError> {
        let Grammar { options, size, index, discounts, .. } = self;
        let mut label = MARK.to_vec();
        let code = Code::ALL.iter().position(|code| *code == options.code).expect("ALL has every code");
        label.extend([size.get(), code as u8, options.order]);
        discounts.iter().flat_map(|d| d.0).for_each(|value| label.extend(value.to_le_bytes()));
        let index = index.with_label(label);
        index.save(path)?;
        Ok(Grammar::of_index(index, options, size, Some(discounts)))
    }

    /// Opens a saved grammar; reads it once to verify it.
    ///
    /// # Errors
    /// If the file is damaged or not a grammar.
    pub fn open(path: &Path) -> Result<Grammar, GrammarError> {
        let index = Index::open_checked(path)?;
        let label = index.label().strip_prefix(MARK).ok_or(GrammarError::NoGrammar)?;
        let (&[size, code, order], numbers) = label.split_first_chunk::<3>().ok_or(GrammarError::NoGrammar)?;
        let (numbers, rest) = numbers.as_chunks::<8>();
        let values: Vec<f64> = numbers.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
        let (size, code) = (BoardSize::new(size).ok(), Code::ALL.get(usize::from(code)).copied());
        let (Some(size), Some(code), [], true) = (size, code, rest, values.len() == 3 * usize::from(order)) else {
            return Err(GrammarError::NoGrammar);
        };
        let discounts = values.chunks(3).map(|d| Discounts([d[0], d[1], d[2]])).collect();
        Ok(Grammar::of_index(index, GrammarOptions { code, order }, size, Some(discounts)))
    }

    #[cfg(test)]
    pub(crate) fn of_symbols(segments: &[Vec<u16>], order: u8) -> Grammar {
        let mut builder = TextBuilder::new();
        for segment in segments {
            let moves = segment.iter().copied().map(Symbol);
            builder.push_segment([START].into_iter().chain(moves).chain([END])).expect("a short text");
        }
        let index = Index::build(builder.finish(), BuildOptions::default()).expect("a short text");
        let options = GrammarOptions { code: Code::Position, order };
        Grammar::of_index(index, options, BoardSize::NINETEEN, None)
    }
}

/// The runs of a game, each after the start symbol; the end symbol follows the last one.
pub(crate) fn grammar_runs(table: &GameTable, game: usize, code: Code) -> Vec<Vec<Symbol>> {
    // Only the code of surroundings depends on the board.
    let start = if code == Code::Surroundings { table.board_before(game, 0) } else { Board::new(table.size()) };
    let runs = encode(code, &start, table.moves(game));
    let n_runs = runs.len();
    let with_borders = |(i, run): (usize, Segment)| {
        // A pass ends a run, but not the game.
        let end = (i + 1 == n_runs).then_some(END);
        [START].into_iter().chain(run.symbols).chain(end).collect()
    };
    runs.into_iter().enumerate().map(with_borders).collect()
}

/// Counts the different symbols before strings, using marks instead of sorting.
#[derive(Default)]
pub(crate) struct PrecedingCounter {
    seen: Vec<u32>,
    stamp: u32,
}

impl PrecedingCounter {
    pub(crate) fn n_different(&mut self, index: &Index, string: Substring) -> u32 {
        self.stamp = self.stamp.checked_add(1).unwrap_or_else(|| {
            self.seen.clear();
            1
        });
        let mut n = 0;
        for neighbor in index.preceding_each(string) {
            let number = match neighbor {
                Neighbor::Symbol(symbol) => usize::from(symbol.0) + 1,
                Neighbor::SegmentStart | Neighbor::SegmentEnd => 0,
            };
            if self.seen.len() <= number {
                self.seen.resize(number + 1, 0);
            }
            if self.seen[number] != self.stamp {
                self.seen[number] = self.stamp;
                n += 1;
            }
        }
        n
    }
}
