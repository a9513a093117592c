//! Books as Parquet, one row per move, for other programs to ask questions of.
//!
//! Positions and moves are texts; keys are 32 hexadecimal digits that join a
//! move to the rows of the position after it. A position without moves has one
//! row without a move. ParquetBookReader such a file gives the same book again.

use std::io::Cursor;
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Float64Array, Int32Array, RecordBatch, StringArray, UInt16Array,
    UInt32Array,
};
use arrow::datatypes::{ArrowPrimitiveType, Int32Type, UInt16Type, UInt32Type};
use arrow::error::ArrowError;
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use tejun_games::game::{Game, GamePosition, Side};
use tejun_games::go::BoardSize;

use crate::books::{Book, BookBuilder, BookMove, Flaw, Mark, MoveNotes, NewMove, PositionNotes, Remark};
use crate::corpus::{DamagedBytes, EofIsError, Seal, SealingWriter, catch_panics, finish_sealed, is_by_tejun};

/// Version of the columns, kept in the file's metadata.
const VERSION: &str = "2";
/// The version that has no checksums yet, and is still read.
const UNSEALED_VERSION: &str = "1";
const VERSION_KEY: &str = "tejun.book";
const GAME_KEY: &str = "tejun.game";
const MARKS: [(Mark, &str); 4] =
    [(Mark::Forced, "forced"), (Mark::Good, "good"), (Mark::Doubtful, "doubtful"), (Mark::Blunder, "blunder")];

/// Why a book can't be written as Parquet or read from it.
#[derive(Debug, thiserror::Error)]
pub enum ParquetBookError {
    /// The columns don't fit together.
    #[error(transparent)]
    Columns(#[from] ArrowError),
    /// The file is damaged or no Parquet.
    #[error("expected a whole Parquet file: copy or write it again")]
    Damaged(#[from] ParquetError),
    /// Bytes that changed since the file was written.
    #[error("{0}: restore the file from a backup, or write it again")]
    Changed(#[from] DamagedBytes),
    /// Another program's file.
    #[error("expected the metadata `tejun.book` = {VERSION} and `tejun.game`: is this a book written by tejun?")]
    NotOurs,
    /// A column that is missing or of another type.
    #[error("expected a column {name:?} of type {expected}: is this a book written by tejun?")]
    Column {
        /// Its name.
        name: &'static str,
        /// Its type.
        expected: &'static str,
    },
}

/// Whether a file is Parquet at all; only its end shows who wrote it.
pub fn looks_like(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PAR1")
}

/// The bytes of a Parquet file with every move of a book; nothing is lost.
///
/// # Errors
/// If the library refuses; none is known.
pub fn write_parquet(book: &Book) -> Result<Vec<u8>, ParquetBookError> {
    let batch = RecordBatch::try_from_iter_with_nullable(columns(book))?;
    let pairs = vec![
        KeyValue::new(VERSION_KEY.to_string(), VERSION.to_string()),
        KeyValue::new(GAME_KEY.to_string(), game_name(book.game())),
    ];
    let level = ZstdLevel::try_new(1).expect("zstd has a level 1");
    let properties = WriterProperties::builder()
        .set_created_by(format!("tejun {}", env!("CARGO_PKG_VERSION")))
        .set_compression(Compression::ZSTD(level))
        .set_key_value_metadata(Some(pairs));
    let sealing = SealingWriter::new(Cursor::new(Vec::new()));
    let mut writer = ArrowWriter::try_new(sealing, batch.schema(), Some(properties.build()))?;
    writer.write(&batch)?;
    let (bytes, _) = finish_sealed(writer)?;
    Ok(bytes.into_inner())
}

fn game_name(game: Game) -> String {
    match game {
        Game::Shogi => "shogi".into(),
        Game::Chess => "chess".into(),
        Game::Go(size) => format!("go{size}"),
    }
}

fn game_named(name: &str) -> Option<Game> {
    match name {
        "shogi" => Some(Game::Shogi),
        "chess" => Some(Game::Chess),
        _ => BoardSize::new(name.strip_prefix("go")?.parse().ok()?).ok().map(Game::Go),
    }
}

/// A row on its way out.
struct BookRow<'b> {
    position: u32,
    to_move: Side,
    notes: PositionNotes,
    /// The move, its text, its share of the weights and its notes.
    played: Option<(&'b BookMove, String, Option<f64>, MoveNotes)>,
    reply: Option<String>,
}

fn rows(book: &Book) -> Vec<BookRow<'_>> {
    let mut rows = Vec::new();
    for (position, stored) in (0..).zip(book.positions()) {
        let notes = book.notes(position).cloned().unwrap_or_default();
        let row = |played, reply| BookRow { position, to_move: stored.to_move, notes: notes.clone(), played, reply };
        let moves = book.moves(position);
        if moves.is_empty() {
            rows.push(row(None, None));
            continue;
        }
        let board = book.board(position);
        let sum: u64 = moves.iter().map(|played| u64::from(played.weight)).sum();
        for (place, played) in moves.iter().enumerate() {
            let share = (sum > 0).then(|| f64::from(played.weight) / sum as f64);
            let notes = book.move_notes(position).get(place).cloned().unwrap_or_default();
            let reply = notes.reply.and_then(|reply| Some(board.after(played.played).ok()?.move_text(reply)));
            rows.push(row(Some((played, board.move_text(played.played), share, notes)), reply));
        }
    }
    rows
}

fn columns(book: &Book) -> Vec<(&'static str, ArrayRef, bool)> {
    let rows = rows(book);
    let words = |value: &dyn Fn(&BookRow<'_>) -> Option<String>| -> ArrayRef {
        Arc::new(rows.iter().map(value).collect::<StringArray>())
    };
    let numbers = |value: &dyn Fn(&BookRow<'_>) -> Option<u32>| -> ArrayRef {
        Arc::new(rows.iter().map(value).collect::<UInt32Array>())
    };
    let move_numbers = |value: &dyn Fn(&MoveNotes) -> Option<u32>| -> ArrayRef {
        numbers(&|row| row.played.as_ref().and_then(|(_, _, _, notes)| value(notes)))
    };
    let move_words = |value: &dyn Fn(&MoveNotes) -> Option<String>| -> ArrayRef {
        words(&|row| row.played.as_ref().and_then(|(_, _, _, notes)| value(notes)))
    };
    let stored = |row: &BookRow<'_>| book.positions()[row.position as usize];
    let hex = |key: u128| format!("{key:032x}");
    let side = |side: Side| if side == Side::First { "first" } else { "second" };
    let mark = |mark: Mark| MARKS.iter().find(|(named, _)| *named == mark).map(|(_, name)| name.to_string());
    let shares = rows.iter().map(|row| row.played.as_ref().and_then(|played| played.2)).collect::<Float64Array>();
    let values = rows.iter().map(|row| row.played.as_ref().and_then(|played| played.3.value)).collect::<Int32Array>();
    let is_implied = rows.iter().map(|row| Some(stored(row).is_implied)).collect::<BooleanArray>();
    let plies = rows.iter().map(|row| row.notes.ply).collect::<UInt16Array>();
    vec![
        ("position", words(&|row| Some(book.text(row.position).to_string())), false),
        ("key", words(&|row| Some(hex(stored(row).key.0))), false),
        ("side", words(&|row| Some(side(row.to_move).to_string())), false),
        ("is_implied", Arc::new(is_implied), false),
        ("move", words(&|row| row.played.as_ref().map(|played| played.1.clone())), true),
        ("child_key", words(&|row| row.played.as_ref().map(|played| hex(played.0.child.0))), true),
        ("weight", numbers(&|row| row.played.as_ref().map(|played| played.0.weight)), true),
        ("share", Arc::new(shares), true),
        ("value", Arc::new(values), true),
        ("depth", move_numbers(&|notes| notes.depth), true),
        ("reply", words(&|row| row.reply.clone()), true),
        ("n_games", move_numbers(&|notes| notes.n_games), true),
        ("n_wins", move_numbers(&|notes| notes.n_wins), true),
        ("mark", move_words(&|notes| notes.mark.and_then(mark)), true),
        ("extra", move_numbers(&|notes| notes.extra), true),
        ("comment", move_words(&|notes| notes.comment.as_deref().map(String::from)), true),
        ("position_ply", Arc::new(plies), true),
        ("position_n_games", numbers(&|row| row.notes.n_games), true),
        ("position_n_first_wins", numbers(&|row| row.notes.n_first_wins), true),
        ("position_n_second_wins", numbers(&|row| row.notes.n_second_wins), true),
        ("position_comment", words(&|row| row.notes.comment.as_deref().map(String::from)), true),
    ]
}

/// Reads a book that [`write_parquet`] wrote; rows of a position are adjacent.
///
/// Keys and shares are computed again. A position or move that can't be read is
/// remarked with its row.
///
/// # Errors
/// If the file is damaged, or not such a book.
pub fn read(bytes: &[u8]) -> Result<(Book, Vec<Remark>), ParquetBookError> {
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let bytes = Bytes::copy_from_slice(bytes);
    let builder =
        catch_panics(|| ParquetRecordBatchReaderBuilder::try_new_with_options(EofIsError(bytes.clone()), options))?;
    let is_ours = is_by_tejun(builder.metadata());
    let seal = Seal::of(builder.metadata()).filter(|_| is_ours).transpose()?;
    if let Some(seal) = &seal {
        seal.check_all(&bytes)?;
    }
    let pairs = builder.metadata().file_metadata().key_value_metadata().cloned().unwrap_or_default();
    let value_of = |key: &str| pairs.iter().find(|pair| pair.key == key).and_then(|pair| pair.value.as_deref());
    // A flipped bit can hide the seal, but not also the version. Other programs have copied either.
    let is_known = match value_of(VERSION_KEY) {
        Some(VERSION) => seal.is_some() || !is_ours,
        Some(UNSEALED_VERSION) => seal.is_none(),
        _ => false,
    };
    let game = value_of(GAME_KEY).and_then(game_named).filter(|_| is_known);
    let mut reading = ParquetBookReader::new(game.ok_or(ParquetBookError::NotOurs)?);
    let mut reader = catch_panics(|| builder.build())?;
    while let Some(batch) = catch_panics(|| reader.next().transpose().map_err(|e| ParquetError::External(Box::new(e))))?
    {
        reading.read_batch(&Columns::of(&batch)?);
    }
    Ok(reading.finish())
}

/// The columns that are read.
struct Columns<'b> {
    batch: &'b RecordBatch,
    position: &'b StringArray,
    is_implied: &'b BooleanArray,
}

impl<'b> Columns<'b> {
    fn of(batch: &'b RecordBatch) -> Result<Columns<'b>, ParquetBookError> {
        let missing = |name, expected| ParquetBookError::Column { name, expected };
        let column = |name| batch.column_by_name(name);
        let position =
            column("position").and_then(|column| column.as_string_opt()).ok_or(missing("position", "text"))?;
        let is_implied =
            column("is_implied").and_then(|column| column.as_boolean_opt()).ok_or(missing("is_implied", "boolean"))?;
        for name in ["move", "reply", "mark", "comment", "position_comment"] {
            column(name).and_then(|column| column.as_string_opt::<i32>()).ok_or(missing(name, "text"))?;
        }
        let counts = ["weight", "depth", "n_games", "n_wins", "extra"];
        for name in counts.into_iter().chain(["position_n_games", "position_n_first_wins", "position_n_second_wins"]) {
            let is_there = column(name).and_then(|column| column.as_primitive_opt::<UInt32Type>());
            is_there.ok_or(missing(name, "unsigned 32-bit number"))?;
        }
        Ok(Columns { batch, position, is_implied })
    }

    fn text(&self, name: &str, row: usize) -> Option<&'b str> {
        let column = self.batch.column_by_name(name)?.as_string_opt::<i32>()?;
        column.is_valid(row).then(|| column.value(row))
    }

    fn number<T: ArrowPrimitiveType>(&self, name: &str, row: usize) -> Option<T::Native> {
        let column = self.batch.column_by_name(name)?.as_primitive_opt::<T>()?;
        column.is_valid(row).then(|| column.value(row))
    }

    fn position_notes(&self, row: usize) -> PositionNotes {
        PositionNotes {
            ply: self.number::<UInt16Type>("position_ply", row),
            n_first_wins: self.number::<UInt32Type>("position_n_first_wins", row),
            n_second_wins: self.number::<UInt32Type>("position_n_second_wins", row),
            n_games: self.number::<UInt32Type>("position_n_games", row),
            comment: self.text("position_comment", row).map(Box::from),
        }
    }

    fn move_notes(&self, row: usize) -> MoveNotes {
        let mark = |name: &str| MARKS.iter().find(|(_, named)| *named == name).map(|(mark, _)| *mark);
        MoveNotes {
            value: self.number::<Int32Type>("value", row),
            depth: self.number::<UInt32Type>("depth", row),
            reply: None,
            n_games: self.number::<UInt32Type>("n_games", row),
            n_wins: self.number::<UInt32Type>("n_wins", row),
            mark: self.text("mark", row).and_then(mark),
            extra: self.number::<UInt32Type>("extra", row),
            comment: self.text("comment", row).map(Box::from),
        }
    }
}

struct ParquetBookReader {
    builder: BookBuilder,
    game: Game,
    n_rows: u64,
    open: Option<Open>,
}

/// A position whose rows are being read.
struct Open {
    row: u64,
    text: String,
    /// `None` if the text is not a position.
    board: Option<GamePosition>,
    is_implied: bool,
    notes: PositionNotes,
    moves: Vec<NewMove>,
}

impl ParquetBookReader {
    fn new(game: Game) -> ParquetBookReader {
        ParquetBookReader { builder: BookBuilder::new(game), game, n_rows: 0, open: None }
    }

    fn read_batch(&mut self, columns: &Columns<'_>) {
        for row in 0..columns.batch.num_rows() {
            self.n_rows += 1;
            let text = columns.position.value(row);
            if self.open.as_ref().is_none_or(|open| open.text != text) {
                self.close();
                self.open = Some(Open {
                    row: self.n_rows,
                    text: text.to_string(),
                    board: GamePosition::parse(self.game, text).ok(),
                    is_implied: columns.is_implied.value(row),
                    notes: columns.position_notes(row),
                    moves: Vec::new(),
                });
            }
            self.read_move(columns, row);
        }
    }

    fn read_move(&mut self, columns: &Columns<'_>, row: usize) {
        let Some((open, text)) = self.open.as_mut().zip(columns.text("move", row)) else { return };
        let Some(board) = &open.board else { return };
        let Ok(played) = board.parse_move(text) else {
            return self.builder.remark(self.n_rows, Flaw::NoMove { text: text.to_string() });
        };
        let answer = |reply: &str| board.after(played).ok()?.parse_move(reply).ok();
        let reply = columns.text("reply", row).and_then(answer);
        let weight = columns.number::<UInt32Type>("weight", row).unwrap_or(0);
        open.moves.push(NewMove { played, weight, notes: MoveNotes { reply, ..columns.move_notes(row) } });
    }

    fn close(&mut self) {
        let Some(Open { row, text, board, is_implied, notes, moves }) = self.open.take() else { return };
        match board {
            None => self.builder.remark(row, Flaw::NoPosition { text }),
            Some(board) if is_implied => {
                self.builder.add_implied(row, &board, moves);
            }
            Some(board) => {
                self.builder.add(row, &board, moves, notes);
            }
        }
    }

    fn finish(mut self) -> (Book, Vec<Remark>) {
        self.close();
        self.builder.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::books::files::of_games::book_of_games;
    use proptest::prelude::*;
    use tejun_games::game::read_game_trees;

    #[track_caller]
    fn check(book: &Book) {
        let bytes = write_parquet(book).expect("writes");
        assert!(looks_like(&bytes));
        let (again, remarks) = read(&bytes).expect("reads");
        assert_eq!(remarks, []);
        assert_eq!(again.game(), book.game());
        assert_eq!(again.positions(), book.positions());
        for number in 0..book.positions().len() as u32 {
            assert_eq!(again.text(number), book.text(number));
            assert_eq!(again.moves(number), book.moves(number));
            assert_eq!(again.move_notes(number), book.move_notes(number));
            assert_eq!(again.notes(number), book.notes(number));
        }
    }

    fn of_records(text: &str) -> Book {
        let games: Vec<_> = read_game_trees(text.as_bytes()).into_iter().flatten().collect();
        book_of_games(&games, None).0
    }

    #[test]
    fn books_of_every_game_read_back() {
        check(&of_records("(;SZ[9]RE[B+1];B[ee];W[gc](;B[cc];W[])(;B[gg];W[cc]))(;SZ[9];B[cc])"));
        check(&of_records("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O 1-0\n1. d4 *"));
        check(&of_records("startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e"));
        check(&BookBuilder::new(Game::Shogi).finish().0);
    }

    #[test]
    fn every_note_reads_back() {
        let mut builder = BookBuilder::new(Game::Chess);
        let board = GamePosition::parse(Game::Chess, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").expect("a position");
        let after = board.after(board.parse_move("a1b1").expect("a move")).expect("legal");
        let notes = |mark, reply: Option<&str>| MoveNotes {
            value: Some(-35),
            depth: Some(12),
            reply: reply.map(|text| after.parse_move(text).expect("a move")),
            n_games: Some(7),
            n_wins: Some(3),
            mark: Some(mark),
            extra: Some(u32::MAX),
            comment: Some("well, \"well\"\n".into()),
        };
        let texts = ["a1b1", "e1g1", "e1d1", "e1f1"];
        let moves = texts.into_iter().zip(MARKS).map(|(text, (mark, _))| NewMove {
            played: board.parse_move(text).expect("a move"),
            weight: if text == "e1g1" { u32::MAX } else { 0 },
            notes: notes(mark, (text == "a1b1").then_some("e8g8")),
        });
        let position = PositionNotes {
            ply: Some(30),
            n_games: Some(9),
            comment: Some("an end".into()),
            ..PositionNotes::default()
        };
        builder.add(1, &board, moves.collect(), position);
        let bare = NewMove {
            played: GamePosition::parse_move(&after, "h8g8").expect("a move"),
            weight: 5,
            notes: MoveNotes::default(),
        };
        builder.add_implied(2, &after, vec![bare]);
        builder.add(3, &Game::Chess.start(), Vec::new(), PositionNotes::default());
        check(&builder.finish().0);
    }

    #[test]
    fn other_files_are_refused() {
        assert!(matches!(read(b"PAR1"), Err(ParquetBookError::Damaged(_))));
        assert!(matches!(read(b""), Err(ParquetBookError::Damaged(_))));
        let bytes = write_parquet(&of_records("1. e4 *")).expect("writes");
        for end in (0..bytes.len()).step_by(97) {
            assert!(read(&bytes[..end]).is_err());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn damage_does_not_panic(at in 0usize..10_000, byte in any::<u8>()) {
            let mut bytes = write_parquet(&of_records("1. e4 e5 1-0 1. d4 *")).expect("writes");
            let at = at % bytes.len();
            bytes[at] = byte;
            let _ = read(&bytes);
        }
    }
}
