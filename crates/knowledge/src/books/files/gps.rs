//! The weighted book of OpenShogiLib that GPS Shogi plays by: `joseki.dat`.
//!
//! A header, states, moves and boards, all of big-endian words of 32 bits. Every
//! board is stored, so nothing has to be walked; where a move leads to is
//! stored as well, and checked.

use tejun_games::game::{Game, GameMove, GamePosition, PositionKey};
use tejun_games::shogi::{Color, Piece, PieceKind, Position};

use crate::books::files::move_word;
use crate::books::files::numbers::part;
use crate::books::files::{BookFileError, BookFormat, Place, Problem};
use crate::books::{Book, BookBuilder, Flaw, MoveNotes, NewMove, PositionNotes, Remark};

const HEADER: usize = 16;
const STATE: usize = 16;
const MOVE: usize = 12;
const BOARD: usize = 164;
const N_PIECES: usize = 40;

/// The parts of a file whose length was checked.
struct GpsParts<'a> {
    states: &'a [[u8; STATE]],
    moves: &'a [[u8; MOVE]],
    boards: &'a [[u8; BOARD]],
    n_stray: usize,
}

/// A move as it is stored.
struct StoredMove {
    played: GameMove,
    child: i32,
    weight: i32,
}

/// Whether the header fits the file's length, or the file's end is missing.
pub(crate) fn looks_like(bytes: &[u8]) -> bool {
    match cut(bytes) {
        Ok(parts) => parts.n_stray == 0 && !parts.states.is_empty(),
        // Moves begin with the first state, and the book with that state.
        Err(BookFileError { problem: Problem::CutShort { .. }, .. }) => {
            bytes.len() >= HEADER + STATE && word(bytes, 4) > 0 && word(bytes, 12) == 0 && word(bytes, HEADER) == 0
        }
        Err(_) => false,
    }
}

/// Reads a book.
pub(crate) fn read(bytes: &[u8]) -> Result<(Book, Vec<Remark>), BookFileError> {
    let parts = cut(bytes)?;
    let mut builder = BookBuilder::new(Game::Shogi);
    if word(bytes, 12) != 0 {
        builder.remark(0, Flaw::OddField { field: "the start's state", value: word(bytes, 12).into() });
    }
    if parts.n_stray > 0 {
        builder.remark(0, Flaw::StrayBytes { n_bytes: parts.n_stray });
    }
    let mut states = Vec::with_capacity(parts.states.len());
    let mut keys = Vec::with_capacity(parts.states.len());
    // Moves are stored state by state, so a sane file uses each of them once.
    let mut n_left = parts.moves.len();
    for (index, (state, board)) in parts.states.iter().zip(parts.boards).enumerate() {
        let place = index as u64 + 1;
        let stored = state_moves(state, parts.moves, &mut n_left, place, &mut builder);
        let board = read_board(board).map(GamePosition::from);
        keys.push(board.as_ref().map(GamePosition::key));
        match board {
            Some(board) => {
                builder.add(place, &board, new_moves(&stored), state_notes(state));
            }
            None => builder.remark(place, Flaw::NoPosition { text: format!("the board of state {index}") }),
        }
        states.push(stored);
    }
    let (book, mut remarks) = builder.finish();
    check_children(&book, &states, &keys, &mut remarks);
    Ok((book, remarks))
}

/// Cuts the file into its parts.
fn cut(bytes: &[u8]) -> Result<GpsParts<'_>, BookFileError> {
    let error =
        |byte: usize, problem| BookFileError { format: BookFormat::Gps, place: Place::Byte(byte as u64), problem };
    if bytes.len() < HEADER {
        return Err(error(bytes.len(), Problem::CutShort { n_wanted: HEADER as u64 }));
    }
    if word(bytes, 0) != 1 {
        return Err(error(0, Problem::Foreign { expected: "version 1 as a big-endian word" }));
    }
    let count = |at: usize| {
        let expected = "a number of states or moves";
        u64::try_from(word(bytes, at)).map_err(|_| error(at, Problem::Foreign { expected }))
    };
    let (n_states, n_moves) = (count(4)?, count(8)?);
    let n_wanted = HEADER as u64 + n_states * (STATE + BOARD) as u64 + n_moves * MOVE as u64;
    if n_wanted > bytes.len() as u64 {
        return Err(error(bytes.len(), Problem::CutShort { n_wanted }));
    }
    let (states, rest) = bytes[HEADER..].split_at(n_states as usize * STATE);
    let (moves, rest) = rest.split_at(n_moves as usize * MOVE);
    let (boards, stray) = rest.split_at(n_states as usize * BOARD);
    Ok(GpsParts {
        states: states.as_chunks().0,
        moves: moves.as_chunks().0,
        boards: boards.as_chunks().0,
        n_stray: stray.len(),
    })
}

fn word(bytes: &[u8], at: usize) -> i32 {
    i32::from_be_bytes(part(bytes, at))
}

/// The moves of a state that can be read.
fn state_moves(
    state: &[u8; STATE],
    moves: &[[u8; MOVE]],
    n_left: &mut usize,
    place: u64,
    builder: &mut BookBuilder,
) -> Vec<StoredMove> {
    let (first, n) = (word(state, 0), word(state, 4));
    let range = usize::try_from(first).ok().zip(usize::try_from(n).ok());
    let stored = range.and_then(|(first, n)| moves.get(first..first.checked_add(n)?));
    let Some(stored) = stored.filter(|stored| stored.len() <= *n_left) else {
        builder.remark(place, Flaw::OddField { field: "the state's number of moves", value: n.into() });
        return Vec::new();
    };
    *n_left -= stored.len();
    let mut readable = Vec::with_capacity(stored.len());
    for stored in stored {
        let bits = word(stored, 0) as u32;
        // The nibble of the piece says what it is after the move; only drops need it.
        match move_word::unpack(bits, |bits| kind(bits & 15)) {
            Some(played) => {
                readable.push(StoredMove { played: played.into(), child: word(stored, 4), weight: word(stored, 8) });
            }
            None => builder.remark(place, Flaw::NoMove { text: format!("{bits:#010x}") }),
        }
    }
    readable
        .iter()
        .filter(|stored| stored.weight < 0)
        .for_each(|stored| builder.remark(place, Flaw::OddField { field: "the weight", value: stored.weight.into() }));
    readable
}

fn new_moves(stored: &[StoredMove]) -> Vec<NewMove> {
    let new = |stored: &StoredMove| NewMove {
        played: stored.played,
        weight: stored.weight.max(0) as u32,
        notes: MoveNotes::default(),
    };
    stored.iter().map(new).collect()
}

fn state_notes(state: &[u8; STATE]) -> PositionNotes {
    let count = |at: usize| u32::try_from(word(state, at)).ok();
    PositionNotes { n_first_wins: count(8), n_second_wins: count(12), ..PositionNotes::default() }
}

/// The piece of a number; 0 is an empty square, 1 the board's edge.
fn kind(bits: u32) -> Option<PieceKind> {
    use PieceKind as K;
    let kinds = [
        K::ProPawn,
        K::ProLance,
        K::ProKnight,
        K::ProSilver,
        K::ProBishop,
        K::ProRook,
        K::King,
        K::Gold,
        K::Pawn,
        K::Lance,
        K::Knight,
        K::Silver,
        K::Bishop,
        K::Rook,
    ];
    kinds.get((bits as usize).checked_sub(2)?).copied()
}

/// The board of forty pieces and the side to move.
fn read_board(board: &[u8; BOARD]) -> Option<Position> {
    let color = |sign: i32| match sign {
        0 => Some(Color::Black),
        -1 => Some(Color::White),
        _ => None,
    };
    let mut position = Position::empty(color(word(board, N_PIECES * 4))?);
    for piece in 0..N_PIECES {
        let piece = word(board, piece * 4);
        let (color, kind) = (color(piece >> 20)?, kind(piece as u32 >> 16 & 15)?);
        if piece & 0xff == 0 {
            position.hold(color, kind)?;
            continue;
        }
        let square = move_word::square(piece as u32)?;
        position.piece(square).is_none().then_some(())?;
        position.put(square, Some(Piece::new(kind, color)));
    }
    Some(position)
}

/// Remarks each move that does not lead to the board stored for it.
fn check_children(book: &Book, states: &[Vec<StoredMove>], keys: &[Option<PositionKey>], remarks: &mut Vec<Remark>) {
    for (index, (stored, key)) in states.iter().zip(keys).enumerate() {
        let Some(number) = key.and_then(|key| book.find(key)) else { continue };
        for StoredMove { played, child, .. } in stored {
            let taken = book.moves(number).iter().find(|taken| taken.played == *played);
            let reported = usize::try_from(*child).ok().and_then(|child| keys.get(child).copied().flatten());
            if taken.is_some_and(|taken| Some(taken.child) != reported) {
                let text = book.board(number).move_text(*played);
                remarks.push(Remark { place: index as u64 + 1, flaw: Flaw::WrongChild { text } });
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::books::files::tests::Sample;
    use tejun_games::shogi::{HAND_KINDS, Move, PackedMove, Square};

    /// A file of these positions and those that their moves lead to.
    pub(crate) fn encode(samples: &[Sample]) -> Vec<u8> {
        let mut boards: Vec<Position> = samples.iter().map(|sample| sample.board.clone()).collect();
        let (mut states, mut moves) = (Vec::new(), Vec::new());
        for sample in samples {
            states.push([moves.len() as i32 / 3, sample.moves.len() as i32, 4, 3]);
            for (played, weight) in &sample.moves {
                let after = sample.after(*played);
                let child = boards.iter().position(|board| *board == after).unwrap_or(boards.len());
                if child == boards.len() {
                    boards.push(after);
                }
                moves.extend([pack(*played), child as i32, i32::from(*weight)]);
            }
        }
        states.resize(boards.len(), [moves.len() as i32 / 3, 0, 0, 0]);
        let header = [1, states.len() as i32, moves.len() as i32 / 3, 0];
        let words = header.into_iter().chain(states.into_iter().flatten()).chain(moves);
        words.chain(boards.iter().flat_map(board_words)).flat_map(i32::to_be_bytes).collect()
    }

    fn nibbles(square: Square) -> i32 {
        i32::from(square.file()) << 4 | i32::from(square.rank())
    }

    fn code(kind: PieceKind) -> i32 {
        (2..16).find(|bits| crate::books::files::gps::kind(*bits) == Some(kind)).expect("every kind has a number")
            as i32
    }

    fn pack(played: PackedMove) -> i32 {
        match played.unpack(Color::Black).expect("a move") {
            Move::Normal { from, to, promote } => nibbles(from) | nibbles(to) << 8 | i32::from(promote) << 19,
            Move::Drop { piece, to } => nibbles(to) << 8 | code(piece.piece_kind()) << 24,
        }
    }

    fn board_words(board: &Position) -> Vec<i32> {
        let sign = |color: Color| if color == Color::Black { 0 } else { -1 << 20 };
        let mut words = Vec::new();
        for color in Color::all() {
            for kind in HAND_KINDS {
                words.extend((0..board.held(color, kind)).map(|_| sign(color) | code(kind) << 16));
            }
        }
        let pieces = board.pieces();
        words.extend(pieces.map(|(at, piece)| sign(piece.color()) | code(piece.piece_kind()) << 16 | nibbles(at)));
        words.push(if board.to_move() == Color::Black { 0 } else { -1 });
        words
    }

    #[test]
    fn words_of_the_format_are_moves() {
        let text = |word: u32| move_word::unpack(word, |bits| kind(bits & 15)).map(Position::move_text);
        assert_eq!(text(0x0a00_7677).as_deref(), Some("7g7f"));
        assert_eq!(text(0xfa00_3433).as_deref(), Some("3c3d"));
        assert_eq!(text(0x06e8_2288).as_deref(), Some("8h2b+"));
        assert_eq!(text(0x0a00_8700).as_deref(), Some("P*8g"));
        assert_eq!(text(0x0800_8700), None);
        assert_eq!(text(0), None);
    }

    #[test]
    fn wins_are_noted_and_wrong_children_remarked() {
        let samples = crate::books::files::tests::small_book();
        let mut bytes = encode(&samples);
        let (book, remarks) = read(&bytes).expect("a book");
        assert_eq!(remarks, []);
        assert_eq!(book.notes(0).and_then(|notes| notes.n_first_wins), Some(4));
        let child = HEADER + book.positions().len() * STATE + 4;
        bytes[child..child + 4].copy_from_slice(&3i32.to_be_bytes());
        let (_, remarks) = read(&bytes).expect("a book");
        assert_eq!(remarks, [Remark { place: 1, flaw: Flaw::WrongChild { text: "7g7f".into() } }]);
    }
}
