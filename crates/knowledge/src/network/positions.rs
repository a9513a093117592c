//! Training positions: one packed row per move of many games, in a file that NumPy maps into memory.

use std::io::{self, Write};

use rand_mt::Mt64;
use tejun_games::go::{Board, BoardSize, Color, Point};
use tejun_games::{GameRecord, Move};

use crate::corpus::{Collection, CollectionError, Selection};
use crate::network::view::{N_LAST, N_POINTS, NO_MOVE, PASS, View, number_of};
use crate::predictor::Situation;
use crate::progress::Progress;
use crate::threads::map_each;

/// Bytes per row.
pub const ROW_BYTES: usize = 384;
/// Games that are packed at once, in several threads.
const GAMES_AT_ONCE: usize = 2048;

/// How a row is stored, in the words of NumPy.
const DTYPE: &str = "[('points','u1',(361,)),('flags','u1'),('komi','<i2'),('next','<u2'),('last','<u2',(5,)),\
                     ('ko','<u2'),('number','<u2'),('game','<u4')]";

/// The side to move is White.
const WHITE_TO_MOVE: u8 = 1;
/// The game has a winner.
const DECIDED: u8 = 2;
/// The side to move won.
const WON: u8 = 4;
/// The last move was not played in the game but chosen at random.
const DETOUR: u8 = 8;
/// How far a random move is from the last one, half of the time; anywhere on the board otherwise.
const NEARBY: u8 = 3;

/// Why positions could not be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The collection can't be read.
    #[error(transparent)]
    Collection(#[from] CollectionError),
    /// The file can't be written.
    #[error("the positions could not be written")]
    Write(#[source] io::Error),
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// What an export wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportSummary {
    /// Number of games.
    pub n_games: usize,
    /// Number of positions, one per move and one per detour.
    pub n_positions: usize,
    /// Number of selected games that were skipped because their board has another size.
    pub n_skipped: usize,
}

/// Writes the positions of the selected 19x19 games as a NumPy array, one row before each move.
///
/// After one row in `1 / detours`, a random legal move is tried in place of the one that was played, and the position
/// after it gets a row of its own, without a next move: players seldom make mistakes that a search must refute.
///
/// The games are read twice, because the number of rows is at the start of the file. The bytes do not depend on the
/// number of threads.
///
/// # Errors
/// If the games can't be read, the output can't be written, or the work is cancelled.
pub fn export_positions(
    collection: &Collection,
    selection: &Selection,
    detours: f64,
    out: &mut dyn Write,
    n_threads: usize,
    progress: &dyn Progress,
) -> Result<ExportSummary, ExportError> {
    let mut summary = ExportSummary::default();
    for game in collection.games() {
        let game = game?;
        if selection.wants(&game) {
            let is_wanted = is_wanted(&game.record);
            summary.n_games += usize::from(is_wanted);
            summary.n_skipped += usize::from(!is_wanted);
            if is_wanted {
                summary.n_positions += game.record.moves.len() + detour_places(game.id.0, &game.record, detours).len();
            }
        }
    }
    progress.start("exporting positions", Some(summary.n_games as u64));
    out.write_all(&array_header(summary.n_positions)).map_err(ExportError::Write)?;
    let mut games: Vec<(u32, GameRecord)> = Vec::new();
    let write_all = |games: &mut Vec<(u32, GameRecord)>, out: &mut dyn Write| {
        for rows in map_each(games, n_threads, |(number, record)| rows_of(*number, record, detours)) {
            out.write_all(&rows).map_err(ExportError::Write)?;
        }
        progress.advance(games.len() as u64);
        games.clear();
        if progress.is_cancelled() { Err(ExportError::Cancelled) } else { Ok(()) }
    };
    for game in collection.games() {
        let game = game?;
        if selection.wants(&game) && is_wanted(&game.record) {
            games.push((game.id.0, game.record));
        }
        if games.len() == GAMES_AT_ONCE {
            write_all(&mut games, out)?;
        }
    }
    write_all(&mut games, out)?;
    Ok(summary)
}

fn is_wanted(record: &GameRecord) -> bool {
    record.size == BoardSize::NINETEEN
}

/// The start of a `.npy` file of version 1: a dictionary in Python's notation, padded to a multiple of 64 bytes.
fn array_header(n_rows: usize) -> Vec<u8> {
    let mut text = format!("{{'descr': {DTYPE}, 'fortran_order': False, 'shape': ({n_rows},), }}");
    let n_before = 10;
    let n_padding = 63 - (n_before + text.len()) % 64;
    text.extend(std::iter::repeat_n(' ', n_padding));
    text.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((text.len() as u16).to_le_bytes());
    header.extend(text.as_bytes());
    header
}

/// The moves of a game before which a detour is made.
fn detour_places(number: u32, record: &GameRecord, detours: f64) -> Vec<usize> {
    let mut random = Mt64::new(u64::from(number) + 1);
    let draws = |_: &usize| random.next_u64() as f64 <= detours * u64::MAX as f64;
    if detours <= 0.0 { Vec::new() } else { (0..record.moves.len()).filter(draws).collect() }
}

/// The rows of one game.
fn rows_of(number: u32, record: &GameRecord, detours: f64) -> Vec<u8> {
    let komi = f64::from(record.header.komi.unwrap_or(0.0));
    let winner = record.header.result.winner();
    let places = detour_places(number, record, detours);
    let mut places = places.into_iter().peekable();
    let mut random = Mt64::new(u64::from(number));
    let mut board = record.start_board();
    let mut rows = Vec::with_capacity(record.moves.len() * ROW_BYTES);
    for (index, &played) in record.moves.iter().enumerate() {
        let moves = &record.moves[..index];
        let view = View::of(moves, &board, played.color, komi);
        let next = played.point.map_or(PASS, number_of);
        let flags = flag(played.color == Color::White, WHITE_TO_MOVE)
            | flag(winner.is_some(), DECIDED)
            | flag(winner == Some(played.color), WON);
        write_row(&mut rows, &view, flags, next, number);
        if places.next_if_eq(&index).is_some() {
            // Where no legal move is left, the detour is a pass.
            let point = random_move(&board, played, moves.last(), &mut random);
            let detour = Move { color: played.color, point };
            let mut after = board.clone();
            let _ = detour.play_on(&mut after);
            let moves: Vec<Move> = moves.iter().copied().chain([detour]).collect();
            let view = View::of(&moves, &after, played.color.opponent(), komi);
            let flags = DETOUR | flag(played.color == Color::Black, WHITE_TO_MOVE);
            write_row(&mut rows, &view, flags, NO_MOVE, number);
        }
        // The import has replayed the moves, so they are legal.
        let _ = played.play_on(&mut board);
    }
    rows
}

/// A legal move that was not played, half of the time near the last one.
fn random_move(board: &Board, played: Move, last: Option<&Move>, random: &mut Mt64) -> Option<Point> {
    let mut points = Situation::legal_points(board, played.color, None);
    points.retain(|&point| Some(point) != played.point);
    let is_near = |a: Point, b: Point| a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y())) <= NEARBY;
    if let Some(last) = last.and_then(|last| last.point)
        && random.next_u64().is_multiple_of(2)
        && points.iter().any(|&point| is_near(point, last))
    {
        points.retain(|&point| is_near(point, last));
    }
    if points.is_empty() { None } else { Some(points[random.next_u64() as usize % points.len()]) }
}

fn flag(is_set: bool, bit: u8) -> u8 {
    if is_set { bit } else { 0 }
}

fn write_row(rows: &mut Vec<u8>, view: &View, flags: u8, next: u16, game: u32) {
    let start = rows.len();
    rows.extend(view.points);
    rows.push(flags);
    rows.extend(view.komi_half_points.to_le_bytes());
    rows.extend(next.to_le_bytes());
    view.last.iter().for_each(|played| rows.extend(played.to_le_bytes()));
    rows.extend(view.ko.to_le_bytes());
    rows.extend(view.n_moves.to_le_bytes());
    rows.extend(game.to_le_bytes());
    debug_assert_eq!(rows.len() - start, ROW_BYTES);
    const { assert!(N_POINTS + 1 + 2 + 2 + 2 * N_LAST + 2 + 2 + 4 == ROW_BYTES) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_as_long_as_numpy_wants_it() {
        for n_rows in [0, 9, 10, 99_999, 26_000_000] {
            let header = array_header(n_rows);
            assert!(header.len().is_multiple_of(64));
            assert_eq!(usize::from(u16::from_le_bytes([header[8], header[9]])) + 10, header.len());
            assert_eq!(header.last(), Some(&b'\n'));
        }
    }

    #[test]
    fn rows_hold_the_position_the_move_and_the_result() {
        let record = GameRecord::parse("(;SZ[19]KM[5.5]RE[W+R];B[pd];W[dp];B[])").expect("a game");
        let rows = rows_of(7, &record, 0.0);
        assert_eq!(rows.len(), 3 * ROW_BYTES);
        let row = |n: usize| &rows[n * ROW_BYTES..(n + 1) * ROW_BYTES];
        let number = |row: &[u8], at: usize| u16::from_le_bytes([row[at], row[at + 1]]);
        assert_eq!(row(0)[361], DECIDED);
        assert_eq!(row(1)[361], WHITE_TO_MOVE | DECIDED | WON);
        assert_eq!(number(row(0), 362) as i16, -11);
        assert_eq!(number(row(1), 362) as i16, 11);
        assert_eq!(number(row(0), 364), 3 * 19 + 15);
        assert_eq!(number(row(2), 364), PASS);
        assert_eq!(number(row(1), 366), 3 * 19 + 15);
        assert_eq!(number(row(2), 378), 2);
        assert_eq!(row(2)[380..], [7, 0, 0, 0]);
    }

    #[test]
    fn a_detour_is_a_row_without_a_next_move() {
        let record = GameRecord::parse("(;SZ[19]KM[5.5]RE[W+R];B[pd];W[dp];B[pp])").expect("a game");
        let rows = rows_of(7, &record, 1.0);
        assert_eq!(rows.len(), 6 * ROW_BYTES);
        assert_eq!(detour_places(7, &record, 1.0), [0, 1, 2]);
        for detour in rows.chunks(ROW_BYTES).skip(1).step_by(2) {
            assert_ne!(detour[361] & DETOUR, 0);
            assert_eq!(detour[364..366], [255, 255]);
        }
        let last = |row: usize| u16::from_le_bytes([rows[row * ROW_BYTES + 366], rows[row * ROW_BYTES + 367]]);
        assert_eq!(last(2), 3 * 19 + 15, "the game continues as it was");
        assert_ne!(last(3), 15 * 19 + 3, "another move than the one played");
    }
}
