//! One state of a book, with its moves and what engines said.

use tejun_games::game::{GamePosition, Side};
use tejun_games::shogi::{HAND_KINDS, Move};

use crate::books::files::move_word;
use crate::books::files::protobuf::{FieldValue, Fields};
use crate::books::files::sbk::variation;
use crate::books::{Flaw, Mark, MoveNotes, NewMove, PositionNotes};

/// A position, perhaps without its board.
#[derive(Default)]
pub(crate) struct State<'a> {
    pub(crate) id: i64,
    pub(crate) position: Option<&'a str>,
    pub(crate) moves: Vec<StateMove>,
    comment: Option<String>,
    n_games: i64,
    n_first_wins: i64,
    n_second_wins: i64,
    evals: Vec<Eval<'a>>,
}

/// A move of a state.
#[derive(Default)]
pub(crate) struct StateMove {
    word: u32,
    mark: i64,
    weight: i64,
    pub(crate) next: i64,
}

/// What an engine said.
#[derive(Default)]
struct Eval<'a> {
    /// For Black; a pawn is 100.
    value: i64,
    depth: i64,
    variation: &'a str,
    engine: &'a str,
}

impl<'a> State<'a> {
    /// Reads a state; `None` if its message is torn.
    pub(crate) fn read(bytes: &'a [u8]) -> Option<State<'a>> {
        let mut state = State::default();
        for field in Fields::new(bytes) {
            match field.ok()? {
                (1, FieldValue::Number(id)) => state.id = signed(id),
                (4, FieldValue::Number(n)) => state.n_games = signed(n),
                (5, FieldValue::Number(n)) => state.n_first_wins = signed(n),
                (6, FieldValue::Number(n)) => state.n_second_wins = signed(n),
                (7, FieldValue::Bytes(text)) => state.position = Some(std::str::from_utf8(text).ok()?),
                (8, FieldValue::Bytes(text)) => state.comment = Some(String::from_utf8_lossy(text).into_owned()),
                (9, FieldValue::Bytes(bytes)) => state.moves.push(StateMove::read(bytes)?),
                (10, FieldValue::Bytes(bytes)) => state.evals.push(Eval::read(bytes)?),
                _ => {}
            }
        }
        Some(state)
    }

    /// The data on its position.
    pub(crate) fn notes(&self) -> PositionNotes {
        // Without a game the counts are only there because the format requires them.
        let counts = [self.n_games, self.n_first_wins, self.n_second_wins];
        let is_counted = counts.iter().any(|n| *n != 0);
        let count = |n: i64| u32::try_from(n).ok().filter(|_| is_counted);
        PositionNotes {
            ply: None,
            n_games: count(self.n_games),
            n_first_wins: count(self.n_first_wins),
            n_second_wins: count(self.n_second_wins),
            comment: self.comment.as_deref().filter(|words| !words.is_empty()).map(Into::into),
        }
    }

    /// Gives each value to the move that its variation begins with; others become words on the position.
    pub(crate) fn place_values(&self, board: &GamePosition, moves: &mut [NewMove], notes: &mut PositionNotes) {
        let mut words: Vec<String> = notes.comment.iter().map(|words| words.to_string()).collect();
        for eval in &self.evals {
            let first = eval.variation.split_whitespace().next().unwrap_or_default();
            let named = moves.iter_mut().find(|new| variation::names(first, board, new.played));
            let value = if board.to_move() == Side::First { eval.value } else { -eval.value };
            match (named, i32::try_from(value), u32::try_from(eval.depth)) {
                // The deepest comes first.
                (Some(new), Ok(value), Ok(depth)) if new.notes.value.is_none() => {
                    new.notes.value = Some(value);
                    new.notes.depth = Some(depth);
                }
                _ => words.push(format!("{} {} {} {}", eval.engine, eval.depth, eval.value, eval.variation.trim())),
            }
        }
        if !words.is_empty() {
            notes.comment = Some(words.join("\n").into());
        }
    }
}

impl StateMove {
    fn read(bytes: &[u8]) -> Option<StateMove> {
        let mut read = StateMove::default();
        for field in Fields::new(bytes) {
            match field.ok()? {
                (1, FieldValue::Number(word)) => read.word = word as u32,
                (2, FieldValue::Number(mark)) => read.mark = signed(mark),
                (3, FieldValue::Number(weight)) => read.weight = signed(weight),
                (4, FieldValue::Number(next)) => read.next = signed(next),
                _ => {}
            }
        }
        Some(read)
    }

    /// The move for a book.
    pub(crate) fn new_move(&self) -> Result<NewMove, Flaw> {
        // The bit above the kind is White's.
        let kind = |bits: u32| HAND_KINDS.get((bits as usize & 15).checked_sub(1)?).copied();
        let played: Option<Move> = move_word::unpack(self.word, kind);
        let played = played.ok_or_else(|| Flaw::NoMove { text: format!("{:#010x}", self.word) })?;
        let mark = match self.mark {
            0 => None,
            1 => Some(Mark::Forced),
            2 => Some(Mark::Good),
            3 => Some(Mark::Doubtful),
            4 => Some(Mark::Blunder),
            value => return Err(Flaw::OddField { field: "the evaluation", value }),
        };
        let odd = |_| Flaw::OddField { field: "the weight", value: self.weight };
        let weight = u32::try_from(self.weight).map_err(odd)?;
        Ok(NewMove { played: played.into(), weight, notes: MoveNotes { mark, ..MoveNotes::default() } })
    }
}

impl<'a> Eval<'a> {
    fn read(bytes: &'a [u8]) -> Option<Eval<'a>> {
        let mut eval = Eval::default();
        for field in Fields::new(bytes) {
            match field.ok()? {
                (1, FieldValue::Number(value)) => eval.value = signed(value),
                (2, FieldValue::Number(depth)) => eval.depth = signed(depth),
                (5, FieldValue::Bytes(text)) => eval.variation = std::str::from_utf8(text).ok()?,
                (6, FieldValue::Bytes(text)) => eval.engine = std::str::from_utf8(text).ok()?,
                _ => {}
            }
        }
        Some(eval)
    }
}

/// A number of the format: 32 bits with a sign, written with ten bytes if it is negative.
fn signed(number: u64) -> i64 {
    i64::from(number as u32 as i32)
}
