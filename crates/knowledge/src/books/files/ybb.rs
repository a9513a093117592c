//! YaneuraOu's binary book: `.ybb`.
//!
//! An index of packed positions, then their moves with values. Counts are not
//! stored, so every move has weight 1.

use tejun_games::game::{Game, GamePosition};
use tejun_games::shogi::{Color, PackedMove};

use crate::books::files::numbers::part;
use crate::books::files::{BookFileError, BookFormat, Place, Problem, packed_sfen};
use crate::books::{Book, BookBuilder, Flaw, MoveNotes, NewMove, PositionNotes, Remark};

const MAGIC: &[u8; 16] = b"YANE-BINBOOK-V1\0";
const HEADER: usize = 32;
const RECORD: usize = 44;

/// The parts of a file whose lengths were checked.
struct YbbParts<'a> {
    records: &'a [[u8; RECORD]],
    moves: &'a [u8],
    /// Bytes of a move: six with its depth.
    n_move_bytes: usize,
    n_stray: usize,
}

/// Whether the file begins as these books do.
pub(crate) fn looks_like(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads a book.
pub(crate) fn read(bytes: &[u8]) -> Result<(Book, Vec<Remark>), BookFileError> {
    let parts = cut(bytes)?;
    let mut builder = BookBuilder::new(Game::Shogi);
    if parts.n_stray > 0 {
        builder.remark(0, Flaw::StrayBytes { n_bytes: parts.n_stray });
    }
    for (index, record) in parts.records.iter().enumerate() {
        let place = index as u64 + 1;
        let Some(position) = packed_sfen::unpack(&part(record, 0)) else {
            builder.remark(place, Flaw::NoPosition { text: format!("the packed board of record {index}") });
            continue;
        };
        let (start, n_bytes) = move_bytes(record, parts.n_move_bytes);
        let stored = parts.moves[start as usize..][..n_bytes].chunks_exact(parts.n_move_bytes);
        let moves = read_moves(place, stored, &mut builder);
        // The number is that of the next move.
        let ply = u16::from_le_bytes(part(record, 40)).saturating_sub(1);
        let notes = PositionNotes { ply: Some(ply), ..PositionNotes::default() };
        builder.add(place, &GamePosition::from(position), moves, notes);
    }
    Ok(builder.finish())
}

/// Where the moves of a record start, and how many bytes they have.
fn move_bytes(record: &[u8; RECORD], n_move_bytes: usize) -> (u64, usize) {
    (u64::from_le_bytes(part(record, 32)), usize::from(u16::from_le_bytes(part(record, 42))) * n_move_bytes)
}

fn read_moves<'a>(place: u64, stored: impl Iterator<Item = &'a [u8]>, builder: &mut BookBuilder) -> Vec<NewMove> {
    let mut moves = Vec::new();
    for stored in stored {
        let played = PackedMove(u16::from_le_bytes(part(stored, 0)));
        let value = Some(i32::from(i16::from_le_bytes(part(stored, 2))));
        let depth = stored.get(4..6).map(|depth| u32::from(u16::from_le_bytes(part(depth, 0))));
        match played.unpack(Color::Black) {
            Some(_) => {
                let notes = MoveNotes { value, depth, ..MoveNotes::default() };
                moves.push(NewMove { played: played.into(), weight: 1, notes });
            }
            None => builder.remark(place, Flaw::NoMove { text: format!("{:#06x}", played.0) }),
        }
    }
    moves
}

/// Cuts a file into its parts.
fn cut(bytes: &[u8]) -> Result<YbbParts<'_>, BookFileError> {
    let error = |place: usize, problem| BookFileError {
        format: BookFormat::YaneuraOuBinary,
        place: Place::Byte(place as u64),
        problem,
    };
    let cut_short = |n_wanted: u64| error(bytes.len(), Problem::CutShort { n_wanted });
    if !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) {
        return Err(error(0, Problem::Foreign { expected: "the words YANE-BINBOOK-V1" }));
    }
    let (header, rest) = bytes.split_at_checked(HEADER).ok_or_else(|| cut_short(HEADER as u64))?;
    let (n_records, flags) = (u64::from_le_bytes(part(header, 16)), u64::from_le_bytes(part(header, 24)));
    if flags > 1 {
        return Err(error(24, Problem::Foreign { expected: "flags of 0 or 1" }));
    }
    let n_index = n_records.saturating_mul(RECORD as u64);
    if n_index > rest.len() as u64 {
        return Err(cut_short(n_index.saturating_add(HEADER as u64)));
    }
    let (records, moves) = rest.split_at(n_index as usize);
    let records = records.as_chunks::<RECORD>().0;
    let n_move_bytes = if flags == 1 { 6 } else { 4 };
    let mut n_stray = moves.len();
    for (index, record) in records.iter().enumerate() {
        let (start, n_bytes) = move_bytes(record, n_move_bytes);
        let end = start.saturating_add(n_bytes as u64);
        if end > moves.len() as u64 {
            return Err(cut_short(end.saturating_add((bytes.len() - moves.len()) as u64)));
        }
        // Every move belongs to one position, so that no file holds more of them than its length allows.
        n_stray = n_stray.checked_sub(n_bytes).ok_or_else(|| {
            error(HEADER + index * RECORD + 32, Problem::Foreign { expected: "moves that no other record has" })
        })?;
    }
    Ok(YbbParts { records, moves, n_move_bytes, n_stray })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::books::files::tests::Sample;

    /// A file of these positions, with values and depths.
    pub(crate) fn encode(samples: &[Sample]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((samples.len() as u64).to_le_bytes().into_iter().chain(1u64.to_le_bytes()));
        let mut moves = Vec::new();
        for sample in samples {
            bytes.extend(packed_sfen::tests::pack(&sample.board));
            bytes.extend((moves.len() as u64).to_le_bytes().into_iter().chain([3, 0]));
            bytes.extend((sample.moves.len() as u16).to_le_bytes());
            for (played, _) in &sample.moves {
                moves.extend(played.0.to_le_bytes().into_iter().chain((-20i16).to_le_bytes()).chain([7, 0]));
            }
        }
        bytes.extend(moves);
        bytes
    }

    #[test]
    fn values_depths_and_plies_are_kept() {
        let samples = crate::books::files::tests::small_book();
        let (book, remarks) = read(&encode(&samples)).expect("a book");
        assert_eq!(remarks, []);
        let notes = &book.move_notes(0)[0];
        assert_eq!((notes.value, notes.depth), (Some(-20), Some(7)));
        assert_eq!(book.notes(0).and_then(|notes| notes.ply), Some(2));
    }

    #[test]
    fn counts_beyond_the_file_are_refused() {
        let mut bytes = encode(&crate::books::files::tests::small_book());
        bytes[16..24].copy_from_slice(&u64::MAX.to_le_bytes());
        let error = read(&bytes).expect_err("too many records");
        assert_eq!(error.problem, Problem::CutShort { n_wanted: u64::MAX });
    }
}
