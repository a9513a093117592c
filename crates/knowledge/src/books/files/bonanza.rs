//! Bonanza's `book.bin`: an index of 16,384 sections, each with the entries of some keys.
//!
//! Boards are stored as hashes, Black to move and one of two mirror images;
//! one entry answers for up to four positions.

use std::sync::LazyLock;

use rand_mt::Mt;
use tejun_games::game::{Game, GamePosition};
use tejun_games::shogi::{Color, HAND_KINDS, Move, PackedMove, Piece, PieceKind, Position, Square};

use crate::books::files::hashed::HashTable;
use crate::books::files::numbers::part;
use crate::books::files::{BookFileError, BookFormat, Place, Problem};
use crate::books::{Flaw, MoveNotes, NewMove, PositionNotes, Probe, Probed, Remark};

const N_SECTIONS: usize = 0x4000;
const INDEX: usize = N_SECTIONS * 6;
/// Size and key of an entry.
const ENTRY_HEAD: usize = 9;
const N_KINDS: usize = 14;

/// BonanzaNumbers for hashing.
struct BonanzaNumbers {
    /// By square, color and kind.
    board: Vec<u64>,
    /// By color and kind, for each number of pieces in hand from 1.
    hands: [[Vec<u64>; 7]; 2],
}

static NUMBERS: LazyLock<BonanzaNumbers> = LazyLock::new(|| {
    let mut twister = Mt::new(5489);
    let mut next = || u64::from(twister.next_u32()) << 32 | u64::from(twister.next_u32());
    let board = (0..81 * 2 * N_KINDS).map(|_| next()).collect();
    let mut hands: [[Vec<u64>; 7]; 2] = Default::default();
    // Pawns, then lances to golds, then bishops and rooks: as many rounds as there are pieces.
    for (kinds, n_pieces) in [(0..1, 18), (1..5, 4), (5..7, 2)] {
        for _ in 0..n_pieces {
            hands.iter_mut().for_each(|hand| hand[kinds.clone()].iter_mut().for_each(|kind| kind.push(next())));
        }
    }
    BonanzaNumbers { board, hands }
});

/// A book that knows hashes.
struct Bonanza(HashTable<(PackedMove, u16)>);

/// Whether the sections of the index fill the file, or the file's end is missing.
pub(crate) fn looks_like(bytes: &[u8]) -> bool {
    match sections(bytes) {
        Ok(sections) => {
            let n_bytes: usize = sections.iter().map(|section| section.len()).sum();
            n_bytes > 0 && n_bytes + INDEX == bytes.len()
        }
        Err(error) => bytes.len() >= INDEX && matches!(error.problem, Problem::CutShort { .. }),
    }
}

/// Reads a book.
pub(crate) fn read(bytes: &[u8]) -> Result<(Box<dyn Probe + Send + Sync>, Vec<Remark>), BookFileError> {
    let sections = sections(bytes)?;
    let n_bytes: usize = sections.iter().map(|section| section.len()).sum();
    let mut remarks = Vec::new();
    if n_bytes + INDEX < bytes.len() {
        let flaw = Flaw::StrayBytes { n_bytes: bytes.len() - INDEX - n_bytes };
        remarks.push(Remark { place: 0, flaw });
    }
    let mut entries = Vec::with_capacity(n_bytes / 4);
    for (number, section) in sections.iter().enumerate() {
        read_section(number, section, &mut entries, &mut remarks);
    }
    Ok((Box::new(Bonanza(HashTable::new(entries))), remarks))
}

/// The sections of a file, which follow one another.
fn sections(bytes: &[u8]) -> Result<Vec<&[u8]>, BookFileError> {
    let error = |place: usize, problem| BookFileError {
        format: BookFormat::Bonanza,
        place: Place::Byte(place as u64),
        problem,
    };
    let Some(index) = bytes.get(..INDEX) else {
        return Err(error(bytes.len(), Problem::CutShort { n_wanted: INDEX as u64 }));
    };
    let mut sections = Vec::with_capacity(N_SECTIONS);
    let mut end = INDEX;
    for (number, entry) in index.as_chunks::<6>().0.iter().enumerate() {
        let (start, n) = (u32::from_le_bytes(part(entry, 0)) as usize, usize::from(u16::from_le_bytes(part(entry, 4))));
        if n > 0 && start != end {
            let expected = "the offset of a section after the previous one";
            return Err(error(number * 6, Problem::Foreign { expected }));
        }
        let Some(section) = bytes.get(end..end + n) else {
            return Err(error(bytes.len(), Problem::CutShort { n_wanted: (end + n) as u64 }));
        };
        end += n;
        sections.push(section);
    }
    Ok(sections)
}

/// Reads the entries of a section; one whose size cannot be ends it.
fn read_section(
    number: usize,
    mut section: &[u8],
    entries: &mut Vec<(u64, (PackedMove, u16))>,
    remarks: &mut Vec<Remark>,
) {
    let place = number as u64 + 1;
    while let Some(&size) = section.first() {
        let entry = section.get(..usize::from(size)).filter(|entry| entry.len() >= ENTRY_HEAD);
        let Some(entry) = entry.filter(|entry| (entry.len() - ENTRY_HEAD).is_multiple_of(4)) else {
            let flaw = Flaw::OddField { field: "the size of an entry", value: size.into() };
            return remarks.push(Remark { place, flaw });
        };
        section = &section[entry.len()..];
        let key = u64::from_le_bytes(part(entry, 1));
        if key as usize % N_SECTIONS != number {
            let flaw = Flaw::OddField { field: "the section of a key", value: (key as usize % N_SECTIONS) as i64 };
            remarks.push(Remark { place, flaw });
            continue;
        }
        for stored in entry[ENTRY_HEAD..].as_chunks::<4>().0 {
            let bits = u16::from_le_bytes(part(stored, 0));
            match unpack(bits) {
                Some(played) => entries.push((key, (played, u16::from_le_bytes(part(stored, 2))))),
                None => remarks.push(Remark { place, flaw: Flaw::NoMove { text: format!("{bits:#06x}") } }),
            }
        }
    }
}

/// The move of these bits: to, from or 80 and the kind dropped, promotion.
fn unpack(bits: u16) -> Option<PackedMove> {
    // Squares are counted along the ranks from 9a.
    let place = |number: u16| (number < 81).then(|| (8 - number % 9) * 9 + number / 9);
    let (to, from, promotes) = (place(bits & 127)?, bits >> 7 & 127, bits >> 14);
    match (from.checked_sub(81), promotes) {
        (None, 0 | 1) => Some(PackedMove(to | place(from)? << 7 | promotes << 15)),
        (Some(kind), 0) => {
            let kind = *HAND_KINDS.get(usize::from(kind))?;
            let to = Square::from_u8(to as u8 + 1)?;
            let piece = Piece::new(kind, Color::Black);
            Some(PackedMove::new(Move::Drop { piece, to }))
        }
        _ => None,
    }
}

/// The move with left and right exchanged.
fn mirrored(played: PackedMove) -> PackedMove {
    let across = |place: u16| (8 - place / 9) * 9 + place % 9;
    let is_drop = played.0 >> 14 & 1 != 0;
    let from = played.0 >> 7 & 127;
    let from = if is_drop { from } else { across(from) };
    PackedMove(across(played.0 & 127) | from << 7 | played.0 & 0xc000)
}

/// The hash of a position with Black to move.
fn hash(position: &Position) -> u64 {
    let numbers = &*NUMBERS;
    let board = position.pieces().map(|(square, piece)| {
        let place = usize::from(square.rank() - 1) * 9 + usize::from(9 - square.file());
        let kind: PieceKind = piece.piece_kind();
        numbers.board[(place * 2 + piece.color().array_index()) * N_KINDS + kind.array_index()]
    });
    let hands = Color::all().into_iter().flat_map(|color| {
        HAND_KINDS.into_iter().enumerate().filter_map(move |(index, kind)| {
            let n_held = usize::from(position.held(color, kind));
            numbers.hands[color.array_index()][index].get(n_held.checked_sub(1)?).copied()
        })
    });
    board.chain(hands).fold(0, |key, number| key ^ number)
}

/// The key of a position, and whether it is that of its mirror image.
fn key(position: &Position) -> (u64, bool) {
    let seen = match position.to_move() {
        Color::Black => position.clone(),
        Color::White => position.flipped(),
    };
    let (straight, across) = (hash(&seen), hash(&seen.mirrored()));
    (straight.min(across), across < straight)
}

impl Probe for Bonanza {
    fn game(&self) -> Game {
        Game::Shogi
    }

    fn n_entries(&self) -> usize {
        self.0.len()
    }

    fn probe(&self, board: &GamePosition) -> Option<Probed> {
        let GamePosition::Shogi(position) = board else { return None };
        let (key, is_mirrored) = key(position);
        let (entry, stored) = self.0.find(key)?;
        let place = |played: PackedMove| if is_mirrored { mirrored(played) } else { played };
        let turn = |played: PackedMove| if position.to_move() == Color::White { played.turned() } else { played };
        let moves = stored.iter().map(|(played, weight)| NewMove {
            played: turn(place(*played)).into(),
            weight: u32::from(*weight),
            notes: MoveNotes::default(),
        });
        Some(Probed { entry, moves: moves.collect(), notes: PositionNotes::default() })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::books::files::tests::Sample;

    /// A file of these positions.
    pub(crate) fn encode(samples: &[Sample]) -> Vec<u8> {
        let mut entries: Vec<(u64, Vec<u8>)> = samples.iter().map(entry).collect();
        entries.sort_by_key(|(key, _)| (*key % N_SECTIONS as u64, *key));
        let (mut index, mut sections) = (Vec::new(), Vec::new());
        for number in 0..N_SECTIONS as u64 {
            let start = (INDEX + sections.len()) as u32;
            let inside = entries.iter().filter(|(key, _)| key % N_SECTIONS as u64 == number);
            inside.for_each(|(_, entry)| sections.extend(entry));
            let n_bytes = (INDEX + sections.len()) as u32 - start;
            index.extend(start.to_le_bytes().into_iter().chain((n_bytes as u16).to_le_bytes()));
        }
        index.into_iter().chain(sections).collect()
    }

    fn entry(sample: &Sample) -> (u64, Vec<u8>) {
        let (key, is_mirrored) = key(&sample.board);
        let mut entry = vec![(ENTRY_HEAD + sample.moves.len() * 4) as u8];
        entry.extend(key.to_le_bytes());
        for (played, weight) in &sample.moves {
            let seen = if sample.board.to_move() == Color::White { played.turned() } else { *played };
            let stored = if is_mirrored { mirrored(seen) } else { seen };
            entry.extend(pack(stored).to_le_bytes().into_iter().chain(weight.to_le_bytes()));
        }
        (key, entry)
    }

    fn pack(played: PackedMove) -> u16 {
        let place = |number: u16| number % 9 * 9 + 8 - number / 9;
        let (to, from) = (place(played.0 & 127), played.0 >> 7 & 127);
        match played.unpack(Color::Black) {
            Some(Move::Drop { piece, .. }) => {
                let kind = HAND_KINDS.iter().position(|kind| *kind == piece.piece_kind()).expect("a kind");
                to | (kind as u16 + 81) << 7
            }
            _ => to | place(from) << 7 | played.0 >> 15 << 14,
        }
    }

    #[track_caller]
    fn check(moves: &str, expected: u64, is_mirrored: bool) {
        let mut position = Position::start();
        for text in moves.split_ascii_whitespace() {
            position.play(position.parse_move(text).expect("a move")).expect("legal");
        }
        assert_eq!(key(&position), (expected, is_mirrored), "{moves}");
    }

    #[test]
    fn keys_are_bonanzas() {
        check("", 0x555c_1794_3544_e450, true);
        check("7g7f", 0x4672_db0d_e9df_ac8a, true);
        check("7g7f 3c3d", 0x0935_8dc5_00fd_fe78, true);
        check("7g7f 3c3d 2g2f 8c8d", 0x45cb_431b_4f1e_5788, false);
        check("7g7f 3c3d 8h2b+ 3a2b", 0x5c61_d26a_4f09_be14, true);
    }
}
