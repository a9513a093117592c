//! Apery's `book.bin`: entries of sixteen bytes sorted by the hash of their position.

use std::sync::LazyLock;

use rand_mt::Mt64;
use tejun_games::game::{Game, GamePosition};
use tejun_games::shogi::{Color, HAND_KINDS, PackedMove, PieceKind, Position};

use crate::books::files::hashed::{HashTable, KeyOrder};
use crate::books::files::numbers::{part, scaled};
use crate::books::files::written::{Loss, WriteCounter, Written};
use crate::books::files::{BookFileError, BookFormat, Place, Problem};
use crate::books::{Book, Flaw, MoveNotes, NewMove, PositionNotes, Probe, Probed, Remark};

const ENTRY: usize = 16;
/// Entries that are enough to recognize a book; with fewer the start has to be among them.
const N_TELLING: usize = 8;
const WHITE: usize = 16;

/// AperyNumbers for hashing.
struct AperyNumbers {
    /// By piece and square, of 31 codes.
    board: Vec<u64>,
    /// By kind and number held, 0 included.
    hands: Vec<u64>,
    turn: u64,
}

static NUMBERS: LazyLock<AperyNumbers> = LazyLock::new(|| {
    let mut twister = Mt64::new(5489);
    let board = (0..31 * 81).map(|_| twister.next_u64()).collect();
    let hands = (0..7 * 19).map(|_| twister.next_u64()).collect();
    AperyNumbers { board, hands, turn: twister.next_u64() }
});

/// An entry without its key.
#[derive(Clone, Copy)]
struct AperyEntry {
    played: PackedMove,
    count: u16,
    score: i32,
}

/// A book that knows hashes.
struct Apery(HashTable<AperyEntry>);

/// Whether these are whole entries in order, with moves that exist.
pub(crate) fn looks_like(bytes: &[u8]) -> bool {
    let (entries, rest) = bytes.as_chunks::<ENTRY>();
    let keys = entries.iter().map(entry_key);
    let start = key(&Position::start());
    rest.is_empty()
        && keys.clone().is_sorted()
        && entries.iter().all(|entry| unpack(u16::from_le_bytes(part(entry, 8))).is_some())
        && (entries.len() >= N_TELLING || keys.clone().any(|key| key == start))
}

/// Reads a book.
pub(crate) fn read(bytes: &[u8]) -> Result<(Box<dyn Probe + Send + Sync>, Vec<Remark>), BookFileError> {
    let (stored, stray) = bytes.as_chunks::<ENTRY>();
    let error =
        |place: usize, problem| BookFileError { format: BookFormat::Apery, place: Place::Byte(place as u64), problem };
    if stored.is_empty() {
        return Err(error(bytes.len(), Problem::CutShort { n_wanted: ENTRY as u64 }));
    }
    let mut remarks = Vec::new();
    if !stray.is_empty() {
        remarks.push(Remark { place: 0, flaw: Flaw::StrayBytes { n_bytes: stray.len() } });
    }
    match KeyOrder::of(stored.iter().map(entry_key)) {
        KeyOrder::Sorted => {}
        KeyOrder::Mixed => remarks.push(Remark { place: 0, flaw: Flaw::Unsorted }),
        KeyOrder::Random => return Err(error(0, Problem::Foreign { expected: "entries in the order of their keys" })),
    }
    let mut entries = Vec::with_capacity(stored.len());
    for (index, entry) in stored.iter().enumerate() {
        let bits = u16::from_le_bytes(part(entry, 8));
        let (count, score) = (u16::from_le_bytes(part(entry, 10)), i32::from_le_bytes(part(entry, 12)));
        match unpack(bits) {
            Some(played) => entries.push((entry_key(entry), AperyEntry { played, count, score })),
            None => {
                let flaw = Flaw::NoMove { text: format!("{bits:#06x}") };
                remarks.push(Remark { place: index as u64 + 1, flaw });
            }
        }
    }
    if entries.is_empty() {
        return Err(error(8, Problem::Foreign { expected: "a move after the key of an entry" }));
    }
    Ok((Box::new(Apery(HashTable::new(entries))), remarks))
}

/// Writes a book for Apery; counts are weights.
///
/// Positions that the book implies are written too, for Apery turns no board.
pub fn write_apery(book: &Book) -> Written {
    let mut entries: Vec<(u64, [u8; 8])> = Vec::new();
    let mut tally = WriteCounter::default();
    let mut n_scaled = 0;
    for number in 0..book.positions().len() as u32 {
        let GamePosition::Shogi(position) = book.board(number) else {
            tally.n_foreign += 1;
            continue;
        };
        let key = key(&position);
        tally.count(book, number);
        let heaviest = book.moves(number).iter().map(|known| known.weight).max().unwrap_or(0);
        n_scaled += usize::from(heaviest > u32::from(u16::MAX));
        for (index, known) in book.moves(number).iter().enumerate() {
            let score = book.move_notes(number).get(index).and_then(|notes| notes.value).unwrap_or(0);
            let mut entry = [0; 8];
            entry[..2].copy_from_slice(&pack(PackedMove(known.played.0 as u16)).to_le_bytes());
            entry[2..4].copy_from_slice(&scaled(known.weight, heaviest).to_le_bytes());
            entry[4..].copy_from_slice(&score.to_le_bytes());
            entries.push((key, entry));
        }
    }
    entries.sort_by_key(|(key, _)| *key);
    let bytes = entries.iter().flat_map(|(key, entry)| key.to_le_bytes().into_iter().chain(*entry)).collect();
    let lost = [
        Loss::Boards(tally.n_positions),
        Loss::EmptyPositions(tally.n_empty),
        Loss::ScaledPositions(n_scaled),
        Loss::MissingValues(tally.n_without_value),
        Loss::Depths(tally.n_depths),
        Loss::Replies(tally.n_replies),
        Loss::Plies(tally.n_plies),
        Loss::PositionComments(tally.n_position_comments),
        Loss::MoveComments(tally.n_move_comments),
        Loss::Marks(tally.n_marks),
        Loss::PositionGames(tally.n_position_games),
        Loss::MoveGames(tally.n_move_games),
        Loss::Extras(tally.n_extras),
        Loss::ForeignPositions(tally.n_foreign),
    ];
    Written::new(bytes, lost)
}

fn entry_key(entry: &[u8; ENTRY]) -> u64 {
    u64::from_le_bytes(part(entry, 0))
}

/// The move of these bits: to, from or 80 and the kind dropped, promotion.
fn unpack(bits: u16) -> Option<PackedMove> {
    let (to, from, promotes) = (bits & 127, bits >> 7 & 127, bits >> 14);
    let packed = match from.checked_sub(80).filter(|kind| *kind > 0) {
        None => PackedMove(to | from << 7 | (promotes & 1) << 15),
        Some(kind) => PackedMove(to | kind << 7 | 1 << 14 | (promotes & 1) << 15),
    };
    packed.unpack(Color::Black).filter(|_| promotes < 2).map(|_| packed)
}

fn pack(played: PackedMove) -> u16 {
    let is_drop = played.0 >> 14 & 1;
    let from = (played.0 >> 7 & 127) + 80 * is_drop;
    played.0 & 127 | from << 7 | played.0 >> 15 << 14
}

/// The key of a position: all pieces on the board, the hand of who is to move, and whose turn it is.
fn key(position: &Position) -> u64 {
    let numbers = &*NUMBERS;
    let side = position.to_move();
    let board = position.pieces().map(|(square, piece)| {
        let color = if piece.color() == Color::White { WHITE } else { 0 };
        numbers.board[(code(piece.piece_kind()) + color) * 81 + usize::from(square.index() - 1)]
    });
    let held = HAND_KINDS.into_iter().enumerate();
    let hand = held.map(|(index, kind)| numbers.hands[index * 19 + usize::from(position.held(side, kind)).min(18)]);
    let turn = (side == Color::White).then_some(numbers.turn);
    board.chain(hand).chain(turn).fold(0, |key, number| key ^ number)
}

/// The number of a black piece.
fn code(kind: PieceKind) -> usize {
    match kind {
        PieceKind::Gold => 7,
        PieceKind::Bishop => 5,
        PieceKind::Rook => 6,
        other => other.array_index() + 1,
    }
}

impl Probe for Apery {
    fn game(&self) -> Game {
        Game::Shogi
    }

    fn n_entries(&self) -> usize {
        self.0.len()
    }

    fn probe(&self, board: &GamePosition) -> Option<Probed> {
        let GamePosition::Shogi(position) = board else { return None };
        let (entry, stored) = self.0.find(key(position))?;
        let moves = stored.iter().map(|stored| NewMove {
            played: stored.played.into(),
            weight: u32::from(stored.count),
            notes: MoveNotes { value: Some(stored.score), ..MoveNotes::default() },
        });
        Some(Probed { entry, moves: moves.collect(), notes: PositionNotes::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(moves: &str, expected: u64) {
        let mut position = Position::start();
        for text in moves.split_ascii_whitespace() {
            position.play(position.parse_move(text).expect("a move")).expect("legal");
        }
        assert_eq!(key(&position), expected, "{moves}");
    }

    #[test]
    fn keys_are_aperys() {
        check("", 0xeebe_8ee7_e1ad_7e15);
        check("7g7f", 0x3e7b_1f82_5672_20d5);
        check("7g7f 3c3d", 0x66db_c18a_af25_d634);
        check("7g7f 3c3d 2g2f 8c8d", 0x644f_d9d0_1918_4e6d);
        check("7g7f 3c3d 8h2b+ 3a2b", 0x90ae_65b3_5a8b_05f5);
    }

    #[test]
    fn moves_pack_as_they_unpack() {
        for bits in 0..=u16::MAX {
            if let Some(played) = unpack(bits) {
                assert_eq!(pack(played), bits);
            }
        }
    }
}
