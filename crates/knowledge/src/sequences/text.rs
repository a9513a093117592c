//! The text of a collection with its index, and the way back to games and moves.

use std::fmt;
use std::num::NonZeroU16;
use std::path::Path;
use std::str::FromStr;

use tejun_games::go::{Board, BoardSize, Point};
use tejun_index::{
    BuildError, BuildOptions, Index, OpenError, SaveError, SegmentId, Substring, TextBuilder, TextError,
};

use crate::codes::{Code, TENUKI, encode};
use crate::corpus::GameTable;
use crate::sequences::local::local_fights;

/// Which moves of a game form a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextScope {
    /// The whole game, move by move.
    Whole,
    /// Each local fight by itself, ignoring plays elsewhere in between.
    Local,
    /// The local fights that begin in a corner.
    Corner,
}

impl TextScope {
    /// All scopes.
    pub const ALL: [TextScope; 3] = [TextScope::Whole, TextScope::Local, TextScope::Corner];

    /// The name used in commands and files.
    pub fn name(self) -> &'static str {
        match self {
            TextScope::Whole => "whole",
            TextScope::Local => "local",
            TextScope::Corner => "corner",
        }
    }
}

impl fmt::Display for TextScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not the name of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown text; expected whole, local or corner")]
pub struct ParseScopeError;

impl FromStr for TextScope {
    type Err = ParseScopeError;

    fn from_str(name: &str) -> Result<TextScope, ParseScopeError> {
        TextScope::ALL.into_iter().find(|kind| kind.name() == name).ok_or(ParseScopeError)
    }
}

/// How games are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextOptions {
    /// The board size.
    pub size: BoardSize,
    /// How moves become symbols.
    pub code: Code,
    /// Which moves form a text.
    pub scope: TextScope,
}

/// The games of a table as one indexed text.
///
/// ```
/// # use tejun_games::BoardSize;
/// # use tejun_knowledge::corpus::{Expression, GameTable, Input, Selection};
/// # use tejun_knowledge::progress::NoProgress;
/// # let games = Input::sample().open(2, &NoProgress)?;
/// # let some = Selection { condition: Some(Expression::parse("id < 100")?), ..Selection::default() };
/// # let table = GameTable::load(&games.collection, &some, BoardSize::NINETEEN)?;
/// use tejun_knowledge::codes::Code;
/// use tejun_knowledge::sequences::{GameText, TextOptions, TextScope};
///
/// let options = TextOptions { size: table.size(), code: Code::Relative, scope: TextScope::Local };
/// let text = GameText::build(&table, options, 2)?;
/// let longest = text.index().repeats().map(|repeat| repeat.longest()).max_by_key(|string| string.len()).ok_or("none")?;
/// for occurrence in text.occurrences(longest) {
///     println!("game {}, move {}", occurrence.game, text.move_index(occurrence.position) + 1);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GameText {
    options: TextOptions,
    /// Its label contains everything but the symbols; see [`Label`].
    index: Index,
}

/// An occurrence of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The game, by its index in the table.
    pub game: usize,
    /// The position of its first symbol in the text.
    pub position: usize,
}

/// Why a text can't be created.
#[derive(Debug, thiserror::Error)]
pub enum TextBuildError {
    /// The text is too large for its index.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The index can't be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// Why a saved text can't be used.
#[derive(Debug, thiserror::Error)]
pub enum TextOpenError {
    /// The file is not an index.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The index is of other games or was made with other options.
    #[error("the index belongs to other games or other options; delete it, or choose another file")]
    Other,
}

/// Our data in the index: a hash of the games and the options, then for every position
/// its move in the game (two bytes), and for every segment its game (four bytes), in
/// little-endian order. The separator after a segment has the move before the segment,
/// or [`Label::NO_MOVE`].
struct Label {
    head_and_moves: Vec<u8>,
    games: Vec<u8>,
}

impl Label {
    const MARK: &'static [u8; 8] = b"games 1 ";
    const HEAD: usize = 24;
    const NO_MOVE: u16 = u16::MAX;

    fn head(options: TextOptions, table: &GameTable) -> [u8; Label::HEAD] {
        let mut head = [0; Label::HEAD];
        head[..8].copy_from_slice(Label::MARK);
        head[8] = options.size.get();
        head[9] = Code::ALL.iter().position(|code| *code == options.code).expect("ALL has every code") as u8;
        head[10] = TextScope::ALL.iter().position(|kind| *kind == options.scope).expect("ALL has every kind") as u8;
        head[16..].copy_from_slice(&table.fingerprint().to_le_bytes());
        head
    }

    fn push(&mut self, game: usize, moves: impl Iterator<Item = u16>, before: u16) {
        self.games.extend((game as u32).to_le_bytes());
        moves.chain([before]).for_each(|index| self.head_and_moves.extend(index.to_le_bytes()));
    }

    fn into_bytes(mut self) -> Vec<u8> {
        self.head_and_moves.extend(self.games);
        self.head_and_moves
    }
}

impl GameText {
    /// Encodes all games of a table and indexes them.
    ///
    /// # Errors
    /// If the text is too large.
    pub fn build(table: &GameTable, options: TextOptions, n_threads: usize) -> Result<GameText, TextBuildError> {
        let mut head_and_moves = Label::head(options, table).to_vec();
        head_and_moves.reserve(2 * (table.n_moves() + table.n_games()) + 4 * table.n_games());
        let label = Label { head_and_moves, games: Vec::new() };
        let mut writer = Writer { table, options, builder: TextBuilder::new(), label };
        for game in 0..table.n_games() {
            match options.scope {
                TextScope::Whole => writer.write_whole(game)?,
                TextScope::Local | TextScope::Corner => writer.write_fights(game)?,
            }
        }
        let threads = NonZeroU16::new(n_threads.clamp(1, 64) as u16).expect("it is at least 1");
        let index = Index::build(writer.builder.finish(), BuildOptions { threads, ..BuildOptions::default() })?;
        Ok(GameText { options, index: index.with_label(writer.label.into_bytes()) })
    }

    /// How the games are encoded.
    pub fn options(&self) -> TextOptions {
        self.options
    }

    /// The index of all strings.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The occurrences of a string.
    pub fn occurrences(&self, string: Substring) -> impl ExactSizeIterator<Item = Occurrence> + '_ {
        self.index.occurrences(string).map(|position| {
            let place = self.index.text().place(position).expect("an occurrence is in the text");
            Occurrence { game: self.game(place.segment), position }
        })
    }

    /// The game of a segment, by its index in the table.
    pub fn game(&self, segment: SegmentId) -> usize {
        let at = Label::HEAD + 2 * self.index.text().n_positions() + 4 * segment.0 as usize;
        let bytes = &self.index.label()[at..at + 4];
        u32::from_le_bytes(bytes.try_into().expect("these are four bytes")) as usize
    }

    /// The index in its game of the move at a position of the text.
    pub fn move_index(&self, position: usize) -> usize {
        let at = Label::HEAD + 2 * position;
        let bytes = &self.index.label()[at..at + 2];
        u16::from_le_bytes(bytes.try_into().expect("these are two bytes")) as usize
    }

    /// The index of the move before the one at a position, in the game or fight; `None` at the beginning.
    pub fn move_before(&self, position: usize) -> Option<usize> {
        let text = self.index.text();
        let segment = text.segment_positions(text.place(position)?.segment)?;
        let earlier = (segment.start..position).rev().find(|&p| text.symbol_at(p) != Some(TENUKI));
        let index = self.move_index(earlier.unwrap_or(segment.end));
        (index != usize::from(Label::NO_MOVE)).then_some(index)
    }

    /// The indices of a string's moves in the game where it occurs.
    pub fn move_indices(&self, string: Substring, occurrence: Occurrence) -> impl Iterator<Item = usize> + '_ {
        let positions = occurrence.position..occurrence.position + string.len() as usize;
        let is_move = |position: &usize| self.index.text().symbol_at(*position) != Some(TENUKI);
        positions.filter(is_move).map(|position| self.move_index(position))
    }

    /// Saves the index to a file.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn save(&self, path: &Path) -> Result<(), SaveError> {
        self.index.save(path)
    }

    /// Opens a saved index of this table; reads it once to verify it.
    ///
    /// # Errors
    /// If the file is not an index or is damaged, or belongs to another table or other options.
    pub fn open(path: &Path, table: &GameTable, options: TextOptions) -> Result<GameText, TextOpenError> {
        let index = Index::open_checked(path)?;
        let text = index.text();
        let expected = Label::HEAD + 4 * text.n_segments() + 2 * text.n_positions();
        if index.label().len() != expected || index.label()[..Label::HEAD] != Label::head(options, table) {
            return Err(TextOpenError::Other);
        }
        Ok(GameText { options, index })
    }
}

/// Encodes games one after the other.
struct Writer<'t> {
    table: &'t GameTable,
    options: TextOptions,
    builder: TextBuilder,
    label: Label,
}

impl Writer<'_> {
    fn write_whole(&mut self, game: usize) -> Result<(), TextError> {
        let TextOptions { size, code, .. } = self.options;
        // Only the code of surroundings depends on the board.
        let start = if code == Code::Surroundings { self.table.board_before(game, 0) } else { Board::new(size) };
        for segment in encode(code, &start, self.table.moves(game)) {
            let first = segment.first_move as u16;
            self.label.push(game, first..first + segment.symbols.len() as u16, Label::NO_MOVE);
            self.builder.push_segment(segment.symbols)?;
        }
        Ok(())
    }

    fn write_fights(&mut self, game: usize) -> Result<(), TextError> {
        let TextOptions { size, code, scope } = self.options;
        for fight in local_fights(code, size, self.table.moves(game)) {
            if scope == TextScope::Local || is_corner(fight.first_stone, size) {
                self.label.push(game, fight.moves.into_iter(), fight.first_move);
                self.builder.push_segment(fight.symbols)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
impl GameText {
    /// A text of bare symbols without games.
    pub(crate) fn of_symbols(segments: &[Vec<u16>]) -> GameText {
        let mut builder = TextBuilder::new();
        for segment in segments {
            builder.push_segment(segment.iter().copied().map(tejun_index::Symbol)).expect("a short text");
        }
        let index = Index::build(builder.finish(), BuildOptions::default()).expect("a short text");
        let options = TextOptions { size: BoardSize::NINETEEN, code: Code::Relative, scope: TextScope::Whole };
        GameText { options, index }
    }
}

/// Whether a line, counted from one edge, is in the outer third next to either edge.
pub(crate) fn is_outer(line: u8, size: BoardSize) -> bool {
    line.min(size.get() - 1 - line) < size.get() / 3
}

/// Whether a point is near an edge along both axes.
pub(crate) fn is_corner(point: Point, size: BoardSize) -> bool {
    is_outer(point.x(), size) && is_outer(point.y(), size)
}
