//! ShogiGUI's book: `.sbk`, states in Protocol Buffers.
//!
//! Few states store their position; the others are reached from these by moves,
//! each of which names the state it leads to.

mod state;
mod variation;

use std::collections::{HashMap, VecDeque};

use tejun_games::game::{Game, GamePosition, PositionKey};
use tejun_games::shogi::Position;

use crate::books::files::protobuf::{FieldValue, Fields, Torn};
use crate::books::files::sbk::state::State;
use crate::books::files::{BookFileError, BookFormat, Place, Problem};
use crate::books::{Book, BookBuilder, Flaw, NewMove, Remark};

/// Whether this is a message with states that have moves or a position.
pub(crate) fn looks_like(bytes: &[u8]) -> bool {
    let mut builder = BookBuilder::new(Game::Shogi);
    read_states(bytes, &mut builder).is_ok_and(|states| {
        states.iter().flatten().any(|state| state.position.is_some_and(|text| board(text).is_some()))
    })
}

/// Reads a book; states that no position leads to are counted in one remark.
pub(crate) fn read(bytes: &[u8]) -> Result<(Book, Vec<Remark>), BookFileError> {
    let mut builder = BookBuilder::new(Game::Shogi);
    let states = read_states(bytes, &mut builder)?;
    let mut walk = StateWalk {
        by_id: HashMap::new(),
        keys: vec![None; states.len()],
        waiting: VecDeque::new(),
        states: &states,
        builder,
    };
    for (index, state) in states.iter().enumerate() {
        state.iter().for_each(|state| {
            walk.by_id.entry(state.id).or_insert(index);
        });
    }
    walk.start();
    while let Some((index, board)) = walk.waiting.pop_front() {
        walk.add(index, &board);
    }
    let n = walk.keys.iter().filter(|key| key.is_none()).count();
    if n > 0 {
        walk.builder.remark(0, Flaw::Unreached { n });
    }
    Ok(walk.builder.finish())
}

/// Reads all states; one that cannot be read is `None` and remarked.
fn read_states<'a>(bytes: &'a [u8], builder: &mut BookBuilder) -> Result<Vec<Option<State<'a>>>, BookFileError> {
    let error = |place: usize, problem| BookFileError {
        format: BookFormat::ShogiGui,
        place: Place::Byte(place as u64),
        problem,
    };
    let foreign = Problem::Foreign { expected: "a message with author, description and states" };
    let mut states = Vec::new();
    let mut fields = Fields::new(bytes);
    let mut at = 0;
    while let Some(field) = fields.next() {
        match field {
            Ok((1 | 2, FieldValue::Bytes(_))) => {}
            Ok((3, FieldValue::Bytes(bytes))) => {
                let state = State::read(bytes);
                if state.is_none() {
                    let text = format!("state {}", states.len());
                    builder.remark(states.len() as u64 + 1, Flaw::NoPosition { text });
                }
                states.push(state);
            }
            Err(Torn::Ends(end)) if bytes[at] >> 3 <= 3 => {
                let n_wanted = end.unwrap_or(bytes.len() as u64 + 1);
                return Err(error(bytes.len(), Problem::CutShort { n_wanted }));
            }
            _ => return Err(error(at, foreign)),
        }
        at = fields.at();
    }
    if states.iter().all(Option::is_none) { Err(error(0, foreign)) } else { Ok(states) }
}

/// The board of a state's text, which may begin with the words of USI.
fn board(text: &str) -> Option<Position> {
    let text = text.trim();
    let text = text.strip_prefix("position ").unwrap_or(text);
    text.strip_prefix("sfen ").unwrap_or(text).parse().ok()
}

/// States on their way into a book.
struct StateWalk<'a> {
    states: &'a [Option<State<'a>>],
    by_id: HashMap<i64, usize>,
    /// The positions of the states that were reached.
    keys: Vec<Option<PositionKey>>,
    waiting: VecDeque<(usize, GamePosition)>,
    builder: BookBuilder,
}

impl StateWalk<'_> {
    /// Begins with the states that store their position.
    fn start(&mut self) {
        for (index, state) in self.states.iter().enumerate() {
            let Some(text) = state.as_ref().and_then(|state| state.position) else { continue };
            match board(text) {
                Some(board) => {
                    self.reach(index, board.into());
                }
                None => {
                    let text = text.chars().take(120).collect();
                    self.builder.remark(index as u64 + 1, Flaw::NoPosition { text });
                }
            }
        }
    }

    /// Puts a state on its board; returns whether it agrees with the board that it had before, if any.
    fn reach(&mut self, index: usize, board: GamePosition) -> bool {
        let key = board.key();
        match self.keys[index] {
            Some(before) => before == key,
            None => {
                self.keys[index] = Some(key);
                self.waiting.push_back((index, board));
                true
            }
        }
    }

    fn add(&mut self, index: usize, board: &GamePosition) {
        let Some(state) = &self.states[index] else { return };
        let place = index as u64 + 1;
        let mut moves: Vec<NewMove> = Vec::with_capacity(state.moves.len());
        for stored in &state.moves {
            match stored.new_move() {
                Ok(new) => {
                    self.follow(place, board, &new, stored.next);
                    moves.push(new);
                }
                Err(flaw) => self.builder.remark(place, flaw),
            }
        }
        let mut notes = state.notes();
        state.place_values(board, &mut moves, &mut notes);
        self.builder.add(place, board, moves, notes);
    }

    /// Reaches the state that a move leads to; a negative number is none.
    fn follow(&mut self, place: u64, board: &GamePosition, new: &NewMove, next: i64) {
        if next < 0 {
            return;
        }
        let Some(&child) = self.by_id.get(&next) else {
            return self.builder.remark(place, Flaw::OddField { field: "the next state", value: next });
        };
        // An illegal move is remarked when it is added.
        let Ok(after) = board.after(new.played) else { return };
        if !self.reach(child, after) {
            self.builder.remark(place, Flaw::WrongChild { text: board.move_text(new.played) });
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::books::Mark;
    use crate::books::files::tests::Sample;
    use tejun_games::shogi::{Color, Move, PackedMove, Square};

    fn number(field: u64, value: i64) -> Vec<u8> {
        let mut bytes = Vec::new();
        for mut rest in [field << 3, value as u64] {
            while rest >= 128 {
                bytes.push(rest as u8 | 128);
                rest >>= 7;
            }
            bytes.push(rest as u8);
        }
        bytes
    }

    fn message(field: u64, inside: &[u8]) -> Vec<u8> {
        let mut bytes = number(field, inside.len() as i64);
        bytes[0] |= 2;
        bytes.extend(inside);
        bytes
    }

    fn word(played: PackedMove, color: Color) -> i64 {
        let nibbles = |square: Square| i32::from(square.file()) << 4 | i32::from(square.rank());
        let white = if color == Color::White { 1 << 31 | 1 << 28 } else { 0 };
        let word = match played.unpack(color).expect("a move") {
            Move::Normal { from, to, promote } => nibbles(from) | nibbles(to) << 8 | i32::from(promote) << 19,
            Move::Drop { piece, to } => nibbles(to) << 8 | (piece.piece_kind().array_index() as i32 + 1) << 24,
        };
        i64::from(word | white)
    }

    /// A file of these positions, of which only the first stores its board.
    pub(crate) fn encode(samples: &[Sample]) -> Vec<u8> {
        let mut bytes = message(1, b"nobody");
        for (id, sample) in samples.iter().enumerate() {
            let mut state = number(1, id as i64);
            if id == 0 {
                state.extend(message(7, sample.board.to_sfen().as_bytes()));
            }
            for (played, weight) in &sample.moves {
                let after = sample.after(*played);
                let next = samples.iter().position(|other| other.board == after).map_or(-1, |next| next as i64);
                let mut stored = number(1, word(*played, sample.board.to_move()));
                stored.extend(number(3, i64::from(*weight)));
                stored.extend(number(4, next));
                state.extend(message(9, &stored));
            }
            bytes.extend(message(3, &state));
        }
        bytes
    }

    /// A book of the start and one move, with more fields in the state.
    fn one_state(more: &[u8]) -> (Book, Vec<Remark>) {
        let mut stored = number(1, 0x0100_7677);
        stored.extend([number(2, 4), number(3, 5), number(4, -1)].concat());
        let state = [message(7, Position::START_SFEN.as_bytes()), message(9, &stored), more.to_vec()].concat();
        read(&message(3, &state)).expect("a book")
    }

    #[test]
    fn marks_values_and_comments_are_kept() {
        let eval = [number(1, 70), number(2, 20), message(5, "▲７六歩(77) △３四歩(33)".as_bytes())].concat();
        let other = [number(1, 60), number(2, 19), message(5, "▲２六歩(27)".as_bytes()), message(6, b"it")].concat();
        let more = [number(4, 9), message(8, b"the start"), message(10, &eval), message(10, &other)].concat();
        let (book, remarks) = one_state(&more);
        assert_eq!(remarks, []);
        let notes = &book.move_notes(0)[0];
        assert_eq!((notes.mark, notes.value, notes.depth), (Some(Mark::Blunder), Some(70), Some(20)));
        let notes = book.notes(0).expect("notes");
        assert_eq!(notes.n_games, Some(9));
        assert_eq!(notes.comment.as_deref(), Some("the start\nit 19 60 ▲２六歩(27)"));
    }

    #[test]
    fn states_out_of_reach_are_counted() {
        let mut bytes = encode(&crate::books::files::tests::small_book());
        bytes.extend(message(3, &number(1, 70)));
        bytes.extend(message(3, &number(1, 71)));
        let (book, remarks) = read(&bytes).expect("a book");
        assert_eq!(book.positions().len(), 6);
        assert_eq!(remarks, [Remark { place: 0, flaw: Flaw::Unreached { n: 2 } }]);
    }
}
