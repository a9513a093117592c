//! Records of Go in SGF, with all branches.

use crate::game::go_encoding::{assembled, move_number};
use crate::game::{GameMove, GameTree, Outcome, Side, TreeWarningKind};
use crate::go::{BoardSize, Color, Point, PointSet};
use crate::header::GameResult;
use crate::records::Place;
use crate::records::decoded_parts;
use crate::records::tree_builder::TreeBuilder;
use crate::records::{TreeRejection, TreeRejectionKind};
use crate::sgf::{Node, Property, Reader, Tree, board_size, check_game, points_of, simple_text};

/// Reads all games of a file.
pub(crate) fn read(bytes: &[u8]) -> Vec<Result<GameTree, TreeRejection>> {
    let mut games = Vec::new();
    for part in decoded_parts(bytes) {
        let trees = Reader::new(&part.decoded.text).filter(|tree| tree.root().is_some());
        games.extend(trees.map(|tree| {
            read_tree(&tree, part.n_lines_before).map_err(|(offset, found)| {
                let Place { line, column } = tree.place(offset);
                let place = Place { line: line + part.n_lines_before, column };
                TreeRejection { place, why: TreeRejectionKind::OtherGame { found } }
            })
        }));
    }
    games
}

fn read_tree(tree: &Tree<'_>, n_lines_before: u32) -> Result<GameTree, (usize, String)> {
    let (size, root_offset) = size_of(tree)?;
    let (start, first_move) = Start::of(tree, size);
    let mut game = TreeBuilder::new(assembled(size, start.stones(), start.to_move, None).into());
    let mut places = tree.places;
    // The number of moves played up to each node; none where the line was cut.
    let mut plies: Vec<Option<usize>> = Vec::with_capacity(tree.nodes().count());
    let mut before = None;
    for node in tree.nodes() {
        let line = places.at(node.offset().max(root_offset)).line + n_lines_before;
        let parent = node.parent().map(|parent| parent.number());
        let n_plies = parent.map_or(Some(0), |parent| plies[parent]);
        if let Some(n_plies) = n_plies {
            if parent != before {
                game.branch(line, n_plies);
            }
            let is_setup = node.number() < first_move;
            play_node(&mut game, node, line, size, is_setup);
        }
        let is_played = n_plies.is_some() && !game.is_cut();
        plies.push(is_played.then(|| game.n_plies()));
        before = Some(node.number());
    }
    let mut game = game.finish();
    read_header(tree, &mut game);
    Ok(game)
}

fn size_of(tree: &Tree<'_>) -> Result<(BoardSize, usize), (usize, String)> {
    let Some(root) = tree.root() else { return Ok((BoardSize::NINETEEN, tree.offset())) };
    let declared = |property: Property<'_, '_>| format!("{}[{}]", property.name(), simple_text(property.value()));
    if let Some(property) = root.property("GM") {
        check_game(&property).map_err(|(offset, _)| (offset, declared(property)))?;
    }
    match root.property("SZ") {
        Some(property) => {
            let size = board_size(&property).map_err(|(offset, _)| (offset, declared(property)))?;
            Ok((size, root.offset()))
        }
        None => Ok((BoardSize::NINETEEN, root.offset())),
    }
}

/// The board before the first move.
struct Start {
    black: PointSet,
    white: PointSet,
    to_move: Color,
}

impl Start {
    /// What the nodes before the first move set up, and the number of the node with that move.
    fn of(tree: &Tree<'_>, size: BoardSize) -> (Start, usize) {
        let mut start = Start { black: PointSet::EMPTY, white: PointSet::EMPTY, to_move: Color::Black };
        let mut declared = None;
        let mut first_move = None;
        let mut n_handicap = 0;
        for node in tree.main_nodes() {
            if let Some(color) = node.properties().find_map(|property| mover(&property)) {
                first_move = Some(color);
            }
            if first_move.is_none() || node.parent().is_none() {
                node.properties().for_each(|property| start.set_up(&property, size));
                let player = node.property("PL").map(|property| property.value().trim().to_ascii_uppercase());
                declared = declared.or(player.and_then(|player| color_named(&player)));
                let handicap = node.property("HA").and_then(|property| property.value().trim().parse().ok());
                n_handicap = handicap.unwrap_or(n_handicap);
            }
            if first_move.is_some() {
                start.to_move = first_move.unwrap_or(Color::Black);
                start.place_handicap(n_handicap, size);
                return (start, node.number());
            }
        }
        start.to_move = declared.unwrap_or(Color::Black);
        (start, tree.nodes().count())
    }

    fn set_up(&mut self, property: &Property<'_, '_>, size: BoardSize) {
        let name = property.name();
        if !is_setup_name(&name) {
            return;
        }
        for points in property.values().filter_map(|value| points_of(value, size)) {
            self.black = self.black - points;
            self.white = self.white - points;
            match name.as_str() {
                "AB" => self.black |= points,
                "AW" => self.white |= points,
                _ => {}
            }
        }
    }

    /// Puts handicap stones that are counted and not placed.
    fn place_handicap(&mut self, n_stones: u8, size: BoardSize) {
        if n_stones >= 2 && self.to_move == Color::White && self.black.is_empty() && self.white.is_empty() {
            self.black = size.handicap_points(n_stones).into_iter().collect();
        }
    }

    fn stones(&self) -> impl Iterator<Item = (Point, Color)> + '_ {
        let of = |points: &PointSet, color| points.iter().map(move |point| (point, color)).collect::<Vec<_>>();
        of(&self.black, Color::Black).into_iter().chain(of(&self.white, Color::White))
    }
}

fn is_setup_name(name: &str) -> bool {
    matches!(name, "AB" | "AW" | "AE")
}

fn color_named(text: &str) -> Option<Color> {
    match text.bytes().next()? {
        b'B' | b'1' => Some(Color::Black),
        b'W' | b'2' => Some(Color::White),
        _ => None,
    }
}

/// Whose move a property is, if it is one.
fn mover(property: &Property<'_, '_>) -> Option<Color> {
    match property.name().as_str() {
        "B" => Some(Color::Black),
        "W" => Some(Color::White),
        _ => None,
    }
}

/// Plays the moves of a node; where a side moves twice, the other has passed.
fn play_node(game: &mut TreeBuilder, node: Node<'_, '_>, line: u32, size: BoardSize, is_setup: bool) {
    let is_late = |property: &Property<'_, '_>| is_setup_name(&property.name()) && node.parent().is_some();
    if !is_setup && node.properties().any(|property| is_late(&property)) {
        return game.cut(line, TreeWarningKind::LateSetup);
    }
    for property in node.properties() {
        let Some(color) = mover(&property) else { continue };
        let Some(point) = point_of(&property, size) else {
            return game.cut(line, TreeWarningKind::NoMove { text: property.value().chars().take(20).collect() });
        };
        let to_move = if game.board().to_move() == Side::First { Color::Black } else { Color::White };
        if to_move != color {
            game.play(line, GameMove(move_number(None)));
        }
        game.play(line, GameMove(move_number(point)));
    }
}

/// The point of a move; `Some(None)` is a pass.
fn point_of(property: &Property<'_, '_>, size: BoardSize) -> Option<Option<Point>> {
    let value = property.values().next()?.trim();
    match value.as_bytes() {
        b"" => Some(None),
        b"tt" if size.get() <= 19 => Some(None),
        &[x, y] => Point::from_sgf([x, y]).filter(|point| size.has(*point)).map(Some),
        _ => None,
    }
}

fn read_header(tree: &Tree<'_>, game: &mut GameTree) {
    let find = |name| tree.main_nodes().find_map(|node| node.property(name));
    let text = |name| find(name).map(|property| simple_text(property.value())).filter(|text| !text.is_empty());
    game.players = [text("PB"), text("PW")];
    game.outcome = match text("RE").and_then(|result| GameResult::parse(&result)) {
        Some(GameResult::Win(Color::Black, _)) => Some(Outcome::FirstWon),
        Some(GameResult::Win(Color::White, _)) => Some(Outcome::SecondWon),
        Some(GameResult::Draw) => Some(Outcome::Draw),
        _ => None,
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::read_game_trees;

    #[track_caller]
    fn read_one(text: &str) -> GameTree {
        read_game_trees(text.as_bytes()).remove(0).expect("a game")
    }

    fn parents(game: &GameTree) -> Vec<Option<u32>> {
        game.moves.iter().map(|played| played.parent).collect()
    }

    #[test]
    fn branches_hang_where_they_grow() {
        let game = read_one("(;SZ[9]PB[a]PW[b]RE[W+3.5];B[ee];W[gc](;B[cc];W[])(;B[gg](;W[cc])(;W[cg];B[cc])))");
        assert_eq!(parents(&game), [None, Some(0), Some(1), Some(2), Some(1), Some(4), Some(4), Some(6)]);
        assert_eq!((game.main_line().len(), game.outcome), (4, Some(Outcome::SecondWon)));
        assert_eq!(game.main_line()[3], game.start.parse_move("pass").expect("a move"));
        assert_eq!(game.players, [Some("a".into()), Some("b".into())]);
        assert_eq!(game.warnings, []);
    }

    #[test]
    fn handicaps_setups_and_moves_out_of_turn() {
        // Books are made for small boards as well.
        assert_eq!(read_one("(;SZ[2];B[aa];W[bb])").start.game().to_string(), "Go 2x2");
        let placed = read_one("(;SZ[9]HA[2]AB[gc][cg];W[ee])");
        let counted = read_one("(;SZ[9]HA[2];W[ee])");
        assert_eq!(placed.start.key(), counted.start.key());
        let later = read_one("(;SZ[9];AB[gc]AW[cc];B[ee];B[ff])");
        assert_eq!(later.start.to_string(), "9/9/2O3X2/9/9/9/9/9/9 b -");
        assert_eq!(later.moves.len(), 3, "White's pass is put between");
        let puzzle = read_one("(;SZ[9]AW[cc]PL[W])");
        assert_eq!(puzzle.start.to_move(), Side::Second);
    }

    #[test]
    fn bad_moves_cut_their_branch_only() {
        let game = read_one("(;SZ[9];B[ee](;W[ee];B[cc])(;W[zz])(;W[cc];AB[dd];B[gg])\n(;W[gg];B[cc]))");
        assert_eq!(parents(&game), [None, Some(0), Some(0), Some(2)]);
        assert_eq!(game.main_line().len(), 1);
        assert_eq!(game.warnings.len(), 3);
        assert_eq!(game.warnings[2].what, TreeWarningKind::LateSetup);
    }

    #[test]
    fn other_games_are_refused_one_by_one() {
        let games = read_game_trees(b"(;GM[2]SZ[8];B[ee])\n(;SZ[9:13];B[ee])\n(;SZ[9];B[ee])");
        let messages: Vec<String> =
            games.iter().filter_map(|game| game.as_ref().err()).map(|e| e.to_string()).collect();
        assert_eq!(messages[0], "1:3: \"GM[2]\" is a game other than shogi, chess and Go on a square board");
        assert_eq!((messages.len(), games.len()), (2, 3));
    }
}
