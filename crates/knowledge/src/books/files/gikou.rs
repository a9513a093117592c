//! Gikou's `book.bin`: the numbers for hashing, then entries of 32 bytes.
//!
//! A position is hashed as Black sees it, so one entry answers for it and its flip.

use tejun_games::game::{Game, GamePosition};
use tejun_games::shogi::{Color, HAND_KINDS, Move, PackedMove, Piece, PieceKind, Position, Square};

use crate::books::files::hashed::{HashTable, KeyOrder};
use crate::books::files::numbers::part;
use crate::books::files::{BookFileError, BookFormat, Place, Problem};
use crate::books::{Flaw, MoveNotes, NewMove, PositionNotes, Probe, Probed, Remark};

const N_BOARD: usize = 32 * 81;
const N_HANDS: usize = 2 * 16;
const HEADER: usize = (N_BOARD + N_HANDS) * 8;
const ENTRY: usize = 32;

/// An entry without its key.
#[derive(Clone, Copy)]
struct GikouEntry {
    played: PackedMove,
    frequency: u32,
    n_wins: u32,
    openings: u32,
    score: i32,
}

/// A book that knows hashes, and how to make them.
struct Gikou {
    numbers: Vec<u64>,
    table: HashTable<GikouEntry>,
}

/// Whether the numbers are followed by complete entries in order, with moves that exist.
pub(crate) fn looks_like(bytes: &[u8]) -> bool {
    let Some((_, rest)) = bytes.split_at_checked(HEADER) else { return false };
    let (entries, stray) = rest.as_chunks::<ENTRY>();
    stray.is_empty()
        && !entries.is_empty()
        && entries.iter().map(|entry| entry_key(entry) as i64).is_sorted()
        && entries.iter().all(|entry| unpack(u32::from_le_bytes(part(entry, 8))).is_some())
}

/// Reads a book.
pub(crate) fn read(bytes: &[u8]) -> Result<(Box<dyn Probe + Send + Sync>, Vec<Remark>), BookFileError> {
    let error =
        |place: usize, problem| BookFileError { format: BookFormat::Gikou, place: Place::Byte(place as u64), problem };
    let cut_short = || error(bytes.len(), Problem::CutShort { n_wanted: (HEADER + ENTRY) as u64 });
    let (header, rest) = bytes.split_at_checked(HEADER).ok_or_else(cut_short)?;
    let (stored, stray) = rest.as_chunks::<ENTRY>();
    if stored.is_empty() {
        return Err(cut_short());
    }
    let mut remarks = Vec::new();
    if !stray.is_empty() {
        remarks.push(Remark { place: 0, flaw: Flaw::StrayBytes { n_bytes: stray.len() } });
    }
    match KeyOrder::of(stored.iter().map(|entry| entry_key(entry) as i64)) {
        KeyOrder::Sorted => {}
        KeyOrder::Mixed => remarks.push(Remark { place: 0, flaw: Flaw::Unsorted }),
        KeyOrder::Random => {
            return Err(error(HEADER, Problem::Foreign { expected: "entries in the order of their keys" }));
        }
    }
    let mut entries = Vec::with_capacity(stored.len());
    for (index, entry) in stored.iter().enumerate() {
        match read_entry(entry) {
            Ok(stored) => entries.push((entry_key(entry), stored)),
            Err(flaw) => remarks.push(Remark { place: index as u64 + 1, flaw }),
        }
    }
    if entries.is_empty() {
        return Err(error(HEADER + 8, Problem::Foreign { expected: "a move after the key of an entry" }));
    }
    let numbers = header.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
    Ok((Box::new(Gikou { numbers, table: HashTable::new(entries) }), remarks))
}

fn entry_key(entry: &[u8; ENTRY]) -> u64 {
    u64::from_le_bytes(part(entry, 0))
}

fn read_entry(entry: &[u8; ENTRY]) -> Result<GikouEntry, Flaw> {
    let field = |at: usize| u32::from_le_bytes(part(entry, at));
    let played = unpack(field(8)).ok_or_else(|| Flaw::NoMove { text: format!("{:#010x}", field(8)) })?;
    let (frequency, n_wins, openings, score) = (field(12), field(16), field(20), field(24) as i32);
    Ok(GikouEntry { played, frequency, n_wins, openings, score })
}

/// The move of these bits: to, promotion, from, drop, piece.
fn unpack(bits: u32) -> Option<PackedMove> {
    let square = |bits: u32| Square::from_u8((bits & 127) as u8 + 1);
    let (to, promote) = (square(bits)?, bits >> 7 & 1 != 0);
    if bits >> 15 & 1 == 0 {
        return Some(PackedMove::new(Move::Normal { from: square(bits >> 8)?, to, promote }));
    }
    let kind = *HAND_KINDS.get((bits as usize >> 16 & 15).checked_sub(1)?)?;
    (!promote).then(|| PackedMove::new(Move::Drop { piece: Piece::new(kind, Color::Black), to }))
}

/// The number of a black piece: as in hand, and 8 more if it is promoted.
fn code(kind: PieceKind) -> usize {
    match kind.unpromote() {
        Some(raw) => raw.array_index() + 9,
        None => kind.array_index() + 1,
    }
}

/// The key of a position.
fn key(numbers: &[u64], position: &Position) -> u64 {
    let flipped = (position.to_move() == Color::White).then(|| position.flipped());
    let seen = flipped.as_ref().unwrap_or(position);
    let board = seen.pieces().map(|(square, piece)| {
        let code = code(piece.piece_kind()) + 16 * piece.color().array_index();
        numbers[code * 81 + usize::from(square.index() - 1)]
    });
    let hands = Color::all().into_iter().flat_map(|color| {
        HAND_KINDS.into_iter().enumerate().map(move |(index, kind)| {
            let number = numbers[N_BOARD + color.array_index() * 16 + index + 1];
            number.wrapping_mul(u64::from(seen.held(color, kind)))
        })
    });
    board.chain(hands).fold(0, u64::wrapping_add)
}

impl Probe for Gikou {
    fn game(&self) -> Game {
        Game::Shogi
    }

    fn n_entries(&self) -> usize {
        self.table.len()
    }

    fn probe(&self, board: &GamePosition) -> Option<Probed> {
        let GamePosition::Shogi(position) = board else { return None };
        let (entry, stored) = self.table.find(key(&self.numbers, position))?;
        let turn = |played: PackedMove| if position.to_move() == Color::White { played.turned() } else { played };
        let moves = stored.iter().map(|stored| NewMove {
            played: turn(stored.played).into(),
            weight: stored.frequency,
            notes: MoveNotes {
                value: Some(stored.score),
                n_games: Some(stored.frequency),
                n_wins: Some(stored.n_wins),
                extra: Some(stored.openings),
                ..MoveNotes::default()
            },
        });
        Some(Probed { entry, moves: moves.collect(), notes: PositionNotes::default() })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::books::files::tests::Sample;

    /// A file of these positions, with numbers of its own.
    pub(crate) fn encode(samples: &[Sample]) -> Vec<u8> {
        let mut twister = rand_mt::Mt64::new(1);
        let numbers: Vec<u64> = (0..N_BOARD + N_HANDS).map(|_| twister.next_u64()).collect();
        let mut entries: Vec<(i64, [u8; 24])> = Vec::new();
        for Sample { board, moves } in samples {
            let key = key(&numbers, board) as i64;
            for (played, weight) in moves {
                let seen = if board.to_move() == Color::White { played.turned() } else { *played };
                let mut entry = [0; 24];
                entry[..4].copy_from_slice(&pack(seen).to_le_bytes());
                entry[4..6].copy_from_slice(&weight.to_le_bytes());
                entries.push((key, entry));
            }
        }
        entries.sort_by_key(|(key, _)| *key);
        let entries = entries.iter().flat_map(|(key, entry)| key.to_le_bytes().into_iter().chain(*entry));
        numbers.iter().flat_map(|number| number.to_le_bytes()).chain(entries).collect()
    }

    fn pack(played: PackedMove) -> u32 {
        let to = u32::from(played.0 & 127);
        match played.unpack(Color::Black) {
            Some(Move::Drop { piece, .. }) => to | 1 << 15 | (piece.piece_kind().array_index() as u32 + 1) << 16,
            _ => to | u32::from(played.0 >> 15) << 7 | u32::from(played.0 >> 7 & 127) << 8,
        }
    }

    #[test]
    fn one_entry_answers_for_both_sides() {
        let samples = crate::books::files::tests::small_book();
        let (probe, remarks) = read(&encode(&samples)).expect("a book");
        assert_eq!(remarks, []);
        for sample in samples {
            let played: Vec<_> = sample.moves.iter().map(|(played, _)| played.turned().into()).collect();
            let probed = probe.probe(&sample.board.flipped().into()).expect("known from the other side");
            let found: Vec<_> = probed.moves.iter().map(|new| new.played).collect();
            assert_eq!(found, played);
        }
    }
}
