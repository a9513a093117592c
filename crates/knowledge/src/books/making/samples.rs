//! Small books and games for the tests of this room.

use std::convert::Infallible;

use tejun_games::game::{Game, GameMove, GamePosition, GameTree, Outcome, TreeMove};
use tejun_games::go::BoardSize;

use crate::books::making::{Advice, Adviser};
use crate::books::matching::uniform;
use crate::books::{Book, BookBuilder, MoveNotes, NewMove, PositionNotes};

/// Go on five lines.
pub(crate) fn five() -> Game {
    Game::Go(BoardSize::new(5).expect("a size"))
}

/// A game from the start, its moves as words.
pub(crate) fn game(game: Game, moves: &str, outcome: Option<Outcome>) -> GameTree {
    let mut board = game.start();
    let mut row = Vec::new();
    for (index, text) in moves.split_ascii_whitespace().enumerate() {
        let played = board.parse_move(text).expect("a move");
        board.play(played).expect("legal");
        row.push(TreeMove { played, parent: index.checked_sub(1).map(|before| before as u32) });
    }
    let n_main = row.len() as u32;
    GameTree { moves: row, outcome, n_main, ..GameTree::new(game.start()) }
}

/// A book of lines: words from the start, of which the last has this weight and value.
pub(crate) fn book(game: Game, lines: &[(&str, u32, Option<i32>)]) -> Book {
    let mut builder = BookBuilder::new(game);
    for (line, weight, value) in lines {
        let (before, last) = line.rsplit_once(' ').unwrap_or(("", line));
        let board = after(game, before);
        let played = board.parse_move(last).expect("a move");
        let notes = MoveNotes { value: *value, ..MoveNotes::default() };
        let new = NewMove { played, weight: *weight, notes };
        builder.add(0, &board, vec![new], PositionNotes::default());
    }
    let (book, remarks) = builder.finish();
    assert_eq!(remarks, []);
    book
}

/// The board after a line of moves.
pub(crate) fn after(game: Game, line: &str) -> GamePosition {
    let mut board = game.start();
    for text in line.split_ascii_whitespace() {
        board.play(board.parse_move(text).expect("a move")).expect("legal");
    }
    board
}

/// A book of random games: each position gets up to `n_moves` moves with weights, values and games.
pub(crate) fn random_book(game: Game, seed: u64, n_moves: usize, n_plies: usize) -> Book {
    let mut random = seed;
    let mut builder = BookBuilder::new(game);
    let mut ring = vec![game.start()];
    for _ in 0..n_plies {
        let mut next = Vec::new();
        for board in ring {
            let legal = board.legal_moves();
            if legal.is_empty() || builder.has(board.key()) {
                continue;
            }
            let mut moves: Vec<NewMove> = Vec::new();
            for _ in 0..n_moves {
                let played = legal[(uniform(&mut random) * legal.len() as f64) as usize];
                let weight = (uniform(&mut random) * 10.0) as u32;
                let value = Some((uniform(&mut random) * 200.0) as i32 - 100);
                let notes = MoveNotes { value, ..MoveNotes::default() };
                if moves.iter().all(|there| there.played != played) {
                    moves.push(NewMove { played, weight, notes });
                }
            }
            next.extend(moves.iter().filter_map(|new| board.after(new.played).ok()));
            builder.add(0, &board, moves, PositionNotes::default());
        }
        ring = next;
    }
    builder.finish().0
}

/// All of a book as text, to be compared.
pub(crate) fn written(book: &Book) -> String {
    let mut text = String::new();
    for position in 0..book.positions().len() as u32 {
        text += &format!("{} {:?}\n", book.text(position), book.notes(position));
        for (index, known) in book.moves(position).iter().enumerate() {
            text += &format!("    {known:?} {:?}\n", book.move_notes(position).get(index));
        }
    }
    text
}

/// An adviser whose values depend on nothing but the position.
pub(crate) struct Oracle {
    /// How many moves it names.
    pub(crate) n_moves: usize,
    /// How often it was asked.
    pub(crate) n_asked: usize,
}

impl Adviser for Oracle {
    type Error = Infallible;

    fn advise(&mut self, board: &GamePosition, line: &[GameMove]) -> Result<Vec<Advice>, Infallible> {
        self.n_asked += 1;
        let mut there = board.game().start();
        line.iter().for_each(|played| there.play(*played).expect("a legal line"));
        assert_eq!(there.to_string(), board.to_string(), "the line leads to the board");
        let advice = |played: GameMove| {
            let after = board.after(played).expect("legal");
            Advice { played, value: oracle_value(&after), depth: Some(1) }
        };
        let mut all: Vec<Advice> = board.legal_moves().into_iter().map(advice).collect();
        all.sort_by_key(|advice| (-advice.value, advice.played));
        all.truncate(self.n_moves);
        Ok(all)
    }
}

/// A number from -100 to 100 for each position.
pub(crate) fn oracle_value(after: &GamePosition) -> i32 {
    (after.key().0 % 201) as i32 - 100
}
