//! Books of Go written as trees in SGF.

use std::collections::HashMap;
use std::fmt::Write;
use std::rc::Rc;

use tejun_games::game::{Game, GameMove, GamePosition, Side};
use tejun_games::go::{Color, Point, Symmetry};
use tejun_games::sgf::escape;

use crate::books::{Book, PositionNotes};

/// Why a book can't be written as a tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a book of Go, found one of {game}: choose a format of that game")]
pub struct SgfTreeError {
    /// Its game.
    pub game: Game,
}

/// A book of Go as text in SGF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SgfTrees {
    /// The file.
    pub text: String,
    /// Trees in it; all but the first begin at positions that no book move leads to.
    pub n_trees: usize,
    /// Such positions with a ko, which SGF can't set up: the ko is lost.
    pub n_lost_kos: usize,
}

/// Writes a book of Go as trees, the heaviest move of each position first.
///
/// Every position is opened once, where it is fewest moves away from the start;
/// elsewhere a comment names that place by its number. What is not reached along
/// book moves begins a tree of its own, set up with stones. Weights and notes
/// are in comments.
///
/// # Errors
/// If the book is of another game.
pub fn write_sgf_tree(book: &Book) -> Result<SgfTrees, SgfTreeError> {
    let Game::Go(_) = book.game() else { return Err(SgfTreeError { game: book.game() }) };
    let start = book.find(book.game().start().key());
    let (roots, openings) = openings(book, start);
    let mut trees = SgfTrees { text: String::new(), n_trees: roots.len(), n_lost_kos: 0 };
    for root in roots {
        let board = if Some(root) == start { book.game().start() } else { book.board(root) };
        write_root(&mut trees, &board);
        let _ = write!(trees.text, "C[{}]", position_words(book, root, openings[&root].number));
        write_tree(book, &openings, root, board, &mut trees.text);
        trees.text += ")\n";
    }
    Ok(trees)
}

/// Begins a tree with its board.
fn write_root(trees: &mut SgfTrees, board: &GamePosition) {
    let GamePosition::Go(position) = board else { return };
    let size = position.board().size();
    let version = env!("CARGO_PKG_VERSION");
    let _ = write!(trees.text, "(;GM[1]FF[4]CA[UTF-8]AP[tejun:{version}]SZ[{size}]");
    for (color, name) in [(Color::Black, "AB"), (Color::White, "AW")] {
        let stones = size.points().filter(|point| position.board().stone(*point) == Some(color));
        let points: String =
            stones.map(|point| format!("[{}]", point.to_sgf().map(char::from).iter().collect::<String>())).collect();
        if !points.is_empty() {
            trees.text += name;
            trees.text += &points;
        }
    }
    if position.to_move() == Color::White {
        trees.text += "PL[W]";
    }
    trees.n_lost_kos += usize::from(position.board().ko_point(position.to_move()).is_some());
}

fn write_tree(book: &Book, openings: &HashMap<u32, Opening>, root: u32, board: GamePosition, text: &mut String) {
    let mut steps = Vec::new();
    push_moves(book, root, &Rc::new(board), &mut steps);
    while let Some(step) = steps.pop() {
        let TreeStep::Move { position, place, before, is_alone } = step else {
            *text += ")\n";
            continue;
        };
        let played = &book.moves(position)[place];
        *text += if is_alone { ";" } else { "(;" };
        if !is_alone {
            steps.push(TreeStep::Close);
        }
        let real = real_move(&before, played.played);
        let color = if before.to_move() == Side::First { 'B' } else { 'W' };
        let _ = write!(text, "{color}[{}]C[{}", sgf_point(&before, real), move_words(book, position, place));
        let child = book.find(played.child);
        let after = before.after(real).ok();
        match child.and_then(|child| Some((child, openings.get(&child)?, after))) {
            Some((child, opening, Some(after))) if opening.from == Some((position, place)) => {
                let _ = write!(text, "\n{}]", position_words(book, child, opening.number));
                push_moves(book, child, &Rc::new(after), &mut steps);
            }
            Some((_, opening, _)) => {
                let _ = write!(text, "\nsee position {}]", opening.number);
            }
            None => text.push(']'),
        }
    }
}

/// Where a position is opened in the tree.
struct Opening {
    number: usize,
    /// The position and the place of the move that lead to it.
    from: Option<(u32, usize)>,
}

enum TreeStep {
    Move { position: u32, place: usize, before: Rc<GamePosition>, is_alone: bool },
    Close,
}

/// Numbers the positions, those nearest to the start first; gives the roots of trees as well.
fn openings(book: &Book, start: Option<u32>) -> (Vec<u32>, HashMap<u32, Opening>) {
    let mut openings = HashMap::new();
    let mut roots = Vec::new();
    let mut row = Vec::new();
    let mut next = 0;
    for root in start.into_iter().chain(0..book.positions().len() as u32) {
        if openings.contains_key(&root) {
            continue;
        }
        roots.push(root);
        row.push(root);
        openings.insert(root, Opening { number: row.len(), from: None });
        while let Some(&position) = row.get(next) {
            next += 1;
            for place in heaviest_first(book, position) {
                let Some(child) = book.find(book.moves(position)[place].child) else { continue };
                openings.entry(child).or_insert_with(|| {
                    row.push(child);
                    Opening { number: row.len(), from: Some((position, place)) }
                });
            }
        }
    }
    (roots, openings)
}

fn heaviest_first(book: &Book, position: u32) -> Vec<usize> {
    let moves = book.moves(position);
    let mut places: Vec<usize> = (0..moves.len()).collect();
    places.sort_by_key(|place| std::cmp::Reverse(moves[*place].weight));
    places
}

fn push_moves(book: &Book, position: u32, before: &Rc<GamePosition>, steps: &mut Vec<TreeStep>) {
    let places = heaviest_first(book, position);
    let is_alone = places.len() == 1;
    let moves = places.into_iter().rev();
    steps.extend(moves.map(|place| TreeStep::Move { position, place, before: before.clone(), is_alone }));
}

/// A book's move on the board as it lies.
fn real_move(board: &GamePosition, played: GameMove) -> GameMove {
    let (normal, turns) = board.normal();
    let back = turns.first().map_or(Symmetry::IDENTITY, |turn| turn.inverse());
    normal.turned_move(played, &[back])
}

fn sgf_point(board: &GamePosition, played: GameMove) -> String {
    let Game::Go(size) = board.game() else { return String::new() };
    let point = Point::parse(&board.move_text(played), size);
    point.map_or(String::new(), |point| point.to_sgf().map(char::from).iter().collect())
}

fn position_words(book: &Book, position: u32, number: usize) -> String {
    let mut words = format!("position {number}");
    if let Some(PositionNotes { n_games: Some(n_games), n_first_wins, n_second_wins, .. }) = book.notes(position) {
        let _ = write!(words, ", {n_games} games");
        if let (Some(first), Some(second)) = (n_first_wins, n_second_wins) {
            let _ = write!(words, ", Black won {first}, White {second}");
        }
    }
    let comment = book.notes(position).and_then(|notes| notes.comment.as_deref());
    comment.into_iter().for_each(|comment| words += &format!("\n{comment}"));
    escape(&words).to_string()
}

fn move_words(book: &Book, position: u32, place: usize) -> String {
    let moves = book.moves(position);
    let weight = moves[place].weight;
    let sum: u64 = moves.iter().map(|played| u64::from(played.weight)).sum();
    let share = 100.0 * f64::from(weight) / (sum.max(1) as f64);
    let mut words = format!("weight {weight} of {sum}, {share:.1}%");
    let Some(notes) = book.move_notes(position).get(place) else { return words };
    if let (Some(n_games), Some(n_wins)) = (notes.n_games, notes.n_wins) {
        let _ = write!(words, ", won {n_wins} of {n_games} games");
    }
    if let Some(value) = notes.value {
        let _ = write!(words, ", value {value}");
    }
    notes.comment.iter().for_each(|comment| words += &format!("\n{comment}"));
    escape(&words).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::books::BookBuilder;
    use crate::books::files::of_games::book_of_games;
    use tejun_games::game::{GameTree, read_game_trees};

    fn games(text: &str) -> Vec<GameTree> {
        read_game_trees(text.as_bytes()).into_iter().map(|game| game.expect("a game")).collect()
    }

    const GO: &str = "(;SZ[9]RE[B+1];B[ee];W[gc](;B[cc])(;B[gg];W[cc]))(;SZ[9]RE[W+1];B[ee];W[cc];B[gc])(;SZ[9];B[cc])";

    #[test]
    fn trees_read_back_with_every_position_once() {
        // The last line is reached by no book move.
        let whole = games(GO);
        let far = "(;SZ[9]AB[aa]AW[bb];B[cc];W[dd])";
        let (book, _) = book_of_games(&[whole, games(far)].concat(), None);
        let SgfTrees { text, n_trees, n_lost_kos } = write_sgf_tree(&book).expect("Go");
        assert_eq!((n_trees, n_lost_kos), (2, 0));
        let (again, _) = book_of_games(&games(&text), None);
        assert_eq!(again.positions().len(), book.positions().len(), "{text}");
        for position in book.positions() {
            let (here, there) = (book.find(position.key), again.find(position.key));
            let n_moves = |book: &Book, number: Option<u32>| number.map(|number| book.moves(number).len());
            assert_eq!(n_moves(&book, here), n_moves(&again, there), "{text}");
        }
        assert!(text.contains("weight 2 of 3, 66.7%, won 1 of 2 games"), "{text}");
    }

    #[test]
    fn transpositions_are_referred_to() {
        let (book, _) = book_of_games(
            &games(
                "(;SZ[9];B[cc];W[gg];B[cg];W[aa])(;SZ[9];B[cg];W[gg];B[cc];W[aa])(;SZ[9];B[ab];W[bb];B[ba];W[ee])(;SZ[9];B[ba];W[bb];B[ab];W[ee])(;SZ[9];B[ee];W[gg];B[cc];W[ii])(;SZ[9];B[cc];W[gg];B[ee];W[ii])",
            ),
            None,
        );
        let text = write_sgf_tree(&book).expect("Go").text;
        assert!(text.contains("see position "), "{text}");
        let shogi = BookBuilder::new(Game::Shogi).finish().0;
        assert!(write_sgf_tree(&shogi).is_err());
    }
}
