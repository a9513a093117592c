//! Books made of game records.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use tejun_games::game::{Game, GameMove, GamePosition, GameTree, Outcome, PositionKey};

use crate::books::{Book, BookBuilder, Flaw, MoveNotes, NewMove, PositionNotes, Remark};

/// A book of every move in these games and their variations, up to a number of plies.
///
/// A move's weight is the number of games in which it is on some line. Notes
/// count only what was played: in how many games a move or a position came, and
/// who won those. The game is the first record's; records of others are skipped
/// with a remark, whose place is the record's number.
pub fn book_of_games(games: &[GameTree], max_ply: Option<u32>) -> (Book, Vec<Remark>) {
    let game = games.first().map_or(Game::Shogi, |game| game.start.game());
    let mut builder = BookBuilder::new(game);
    let mut counting = LineCounts::default();
    for (number, played) in (1..).zip(games) {
        let found = played.start.game();
        if found == game {
            counting.add_game(played, max_ply);
        } else {
            builder.remark(number, Flaw::OtherGame { game: found, n_entries: 1 });
        }
    }
    for position in counting.positions {
        let Ok(board) = GamePosition::parse(game, &position.text) else {
            builder.remark(0, Flaw::NoPosition { text: position.text });
            continue;
        };
        builder.add(0, &board, position.moves, position.notes);
    }
    builder.finish()
}

/// A position and its moves so far.
struct CountedPosition {
    text: String,
    moves: Vec<NewMove>,
    notes: PositionNotes,
}

#[derive(Default)]
struct LineCounts {
    positions: Vec<CountedPosition>,
    by_key: HashMap<PositionKey, usize>,
}

/// A move that waits to be counted.
struct PendingMove {
    number: u32,
    ply: u32,
    is_main: bool,
    before: Rc<GamePosition>,
}

/// What a game was counted for already.
#[derive(Default)]
struct AlreadyCounted {
    positions: HashSet<usize>,
    lines: HashSet<(usize, GameMove)>,
    played: HashSet<(usize, GameMove)>,
}

impl LineCounts {
    fn add_game(&mut self, game: &GameTree, max_ply: Option<u32>) {
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); game.moves.len() + 1];
        for (number, played) in (0..).zip(&game.moves) {
            let place = played.parent.map_or(0, |parent| parent as usize + 1);
            if let Some(siblings) = children.get_mut(place) {
                siblings.push(number);
            }
        }
        let mut seen = AlreadyCounted::default();
        let start = Rc::new(game.start.clone());
        let mut waiting = Vec::new();
        wait(&mut waiting, &children[0], (0, game.n_main > 0), &start);
        while let Some(PendingMove { number, ply, is_main, before }) = waiting.pop() {
            if max_ply.is_some_and(|max_ply| ply >= max_ply) {
                continue;
            }
            let played = game.moves[number as usize].played;
            let Ok(after) = before.after(played) else { continue };
            self.count(&before, played, game.outcome.filter(|_| is_main), is_main, &mut seen);
            let is_continued = is_main && ply + 1 < game.n_main;
            wait(&mut waiting, &children[number as usize + 1], (ply + 1, is_continued), &Rc::new(after));
        }
    }

    fn count(
        &mut self,
        board: &GamePosition,
        played: GameMove,
        outcome: Option<Outcome>,
        is_main: bool,
        seen: &mut AlreadyCounted,
    ) {
        let (normal, turns) = board.normal();
        let played = board.turned_move(played, &turns);
        let number = self.position(&normal);
        let counted = &mut self.positions[number];
        if is_main && seen.positions.insert(number) {
            let notes = &mut counted.notes;
            bump(&mut notes.n_games, true);
            bump(&mut notes.n_first_wins, outcome == Some(Outcome::FirstWon));
            bump(&mut notes.n_second_wins, outcome == Some(Outcome::SecondWon));
        }
        let place = counted.moves.iter().position(|new| new.played == played).unwrap_or_else(|| {
            let notes = MoveNotes { n_games: Some(0), n_wins: Some(0), ..MoveNotes::default() };
            counted.moves.push(NewMove { played, weight: 0, notes });
            counted.moves.len() - 1
        });
        let new = &mut counted.moves[place];
        new.weight += u32::from(seen.lines.insert((number, played)));
        if is_main && seen.played.insert((number, played)) {
            bump(&mut new.notes.n_games, true);
            bump(&mut new.notes.n_wins, outcome == Some(Outcome::won_by(board.to_move())));
        }
    }

    fn position(&mut self, normal: &GamePosition) -> usize {
        *self.by_key.entry(normal.key()).or_insert_with(|| {
            let notes = PositionNotes {
                n_games: Some(0),
                n_first_wins: Some(0),
                n_second_wins: Some(0),
                ..PositionNotes::default()
            };
            self.positions.push(CountedPosition { text: normal.to_string(), moves: Vec::new(), notes });
            self.positions.len() - 1
        })
    }
}

/// Puts the moves after a board on the heap, so that the first is taken first; it alone was played.
fn wait(waiting: &mut Vec<PendingMove>, children: &[u32], (ply, is_main): (u32, bool), before: &Rc<GamePosition>) {
    for (place, &number) in children.iter().enumerate().rev() {
        waiting.push(PendingMove { number, ply, is_main: is_main && place == 0, before: before.clone() });
    }
}

fn bump(count: &mut Option<u32>, counts: bool) {
    *count = Some(count.unwrap_or(0).saturating_add(u32::from(counts)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use tejun_games::game::read_game_trees;

    fn games(text: &str) -> Vec<GameTree> {
        read_game_trees(text.as_bytes()).into_iter().map(|game| game.expect("a game")).collect()
    }

    const GO: &str = "(;SZ[9]RE[B+1];B[ee];W[gc](;B[cc])(;B[gg];W[cc]))(;SZ[9]RE[W+1];B[ee];W[cc];B[gc])(;SZ[9];B[cc])";

    #[test]
    fn moves_are_counted_once_a_game_and_outcomes_only_where_played() {
        let (book, remarks) = book_of_games(&games(GO), None);
        assert_eq!(remarks, []);
        let start = book.find(book.game().start().key()).expect("the start");
        let reported: Vec<(u32, Option<u32>, Option<u32>)> = book
            .moves(start)
            .iter()
            .zip(book.move_notes(start))
            .map(|(played, notes)| (played.weight, notes.n_games, notes.n_wins))
            .collect();
        assert_eq!(reported, [(2, Some(2), Some(1)), (1, Some(1), Some(0))]);
        let notes = book.notes(start).expect("notes");
        assert_eq!((notes.n_games, notes.n_first_wins, notes.n_second_wins), (Some(3), Some(1), Some(1)));
        // After the center stone all corners are one, and after two stones those next to them are.
        let second = book.find(book.moves(start)[0].child).expect("in the book");
        assert_eq!(book.moves(second).len(), 1);
        assert_eq!(book.moves(second)[0].weight, 2);
        let third = book.find(book.moves(second)[0].child).expect("in the book");
        let weights: Vec<u32> = book.moves(third).iter().map(|played| played.weight).collect();
        assert_eq!(weights, [2], "the variation mirrors the move that was played");
    }

    #[test]
    fn plies_can_be_limited_and_other_games_are_skipped() {
        let mixed = [games(GO), games("startpos moves 7g7f")].concat();
        let (book, remarks) = book_of_games(&mixed, Some(1));
        assert_eq!(book.positions().len(), 1);
        assert_eq!(remarks, [Remark { place: 4, flaw: Flaw::OtherGame { game: Game::Shogi, n_entries: 1 } }]);
        assert_eq!(book_of_games(&[], None).0.positions().len(), 0);
    }

    #[test]
    fn chess_and_shogi_make_books_too() {
        let (book, _) = book_of_games(&games("1. e4 e5 (1... c5) 1-0 1. e4 c5 0-1"), None);
        let after = book.find(book.moves(0)[0].child).expect("in the book");
        let weights: Vec<u32> = book.moves(after).iter().map(|played| played.weight).collect();
        assert_eq!(weights, [1, 2]);
        let (book, _) = book_of_games(&games("startpos moves 7g7f 3c3d\nstartpos moves 2g2f 3c3d 7g7f"), None);
        assert_eq!(book.positions().len(), 4);
    }
}
