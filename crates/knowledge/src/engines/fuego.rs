//! Fuego's own commands: a search of a set length, then what its tree holds.

use std::cmp::Reverse;

use tejun_games::go::{Board, Color, Point};

use crate::engines::analyze::turn;
use crate::engines::gtp::{Answer, Gtp};
use crate::engines::process::Deadline;
use crate::engines::session::{best_only, keep_first, letter, untold};
use crate::engines::text::{parse_candidate, parse_move, share};
use crate::engines::{EngineFault, EngineOptions};
use crate::evaluation::{Evaluation, MoveValue, Question};

/// Sets the length of a search, and that every position is searched afresh.
pub(crate) fn prepare_fuego(gtp: &mut Gtp, options: &EngineOptions, deadline: Deadline) -> Result<(), EngineFault> {
    gtp.ask("uct_param_player ignore_clock 1", deadline)?;
    if let Some(visits) = options.visits {
        gtp.ask(&format!("uct_param_player max_games {visits}"), deadline)?;
    }
    // Not every version has these, and each is worth having by itself.
    for request in [
        &format!("go_param timelimit {}", options.search_time().as_secs_f64().max(0.1)),
        "uct_param_player forced_opening_moves 0",
        "uct_param_player reuse_subtree 0",
        "uct_param_player ponder 0",
    ] {
        gtp.try_ask(request, deadline)?;
    }
    Ok(())
}

/// Evaluates a position: visits, win rates and bounds of all moves in the tree.
pub(crate) fn value_by_fuego(
    gtp: &mut Gtp,
    question: &Question<'_>,
    options: &EngineOptions,
) -> Result<Evaluation, EngineFault> {
    let request = format!("reg_genmove {}", letter(question.color));
    let answer = gtp.ask(&request, Deadline::within(options.search_time() + options.grace))?;
    let best = best_only(&request, &answer, question)?;
    let mut ask = |request: &str| -> Result<String, EngineFault> {
        match gtp.try_ask(request, Deadline::within(options.grace))? {
            Answer::Given(text) => Ok(text),
            Answer::Refused(_) => Ok(String::new()),
        }
    };
    let tree = FuegoTree {
        gfx: &ask("uct_gfx")?,
        bounds: &ask("uct_bounds")?,
        value: &ask("uct_value")?,
        sequence: &ask("uct_sequence")?,
    };
    Ok(tree.evaluation(best, question, options))
}

/// What Fuego reports about its tree.
pub(crate) struct FuegoTree<'t> {
    /// The answer to `uct_gfx`: visits, and Black's win rates.
    pub(crate) gfx: &'t str,
    /// The answer to `uct_bounds`.
    pub(crate) bounds: &'t str,
    /// The answer to `uct_value`.
    pub(crate) value: &'t str,
    /// The answer to `uct_sequence`.
    pub(crate) sequence: &'t str,
}

impl FuegoTree<'_> {
    /// What the tree says about all moves, or only the best one if the position is not in it.
    pub(crate) fn evaluation(&self, best: Evaluation, question: &Question<'_>, options: &EngineOptions) -> Evaluation {
        let Question { board, color, .. } = *question;
        let line = moves_of(self.sequence, board);
        // A move from the opening book is not searched, and the tree is then
        // that of an earlier position.
        let is_stale = best.moves.first().is_some_and(|best| moves_of(self.gfx, board).first() != Some(&best.point));
        let mut moves = if is_stale { Vec::new() } else { self.moves(board, color) };
        if moves.is_empty() {
            return best;
        }
        let rank = |value: &MoveValue| (Some(value.point) != line.first().copied(), Reverse(value.visits));
        moves.sort_by_key(rank);
        keep_first(&mut moves);
        moves[0].line = if line.first() == Some(&moves[0].point) { line } else { vec![moves[0].point] };
        let mut root = untold(None);
        root.win_rate = self.value.parse().ok().and_then(share);
        turn(&mut root, options.view, color);
        Evaluation { win_rate: root.win_rate.or(moves[0].win_rate), lead: None, moves }
    }

    /// All moves with visits; the influence shown is Black's win rate from -1 to 1.
    fn moves(&self, board: &Board, color: Color) -> Vec<MoveValue> {
        let influence = labels(self.gfx, "INFLUENCE", board);
        let bounds = labels(self.bounds, "LABEL", board);
        let found = |list: &[(Option<Point>, f64)], point| list.iter().find(|item| item.0 == point).map(|item| item.1);
        let value = |(point, visits): (Option<Point>, f64)| {
            let black = found(&influence, point).map(|influence| (influence + 1.0) / 2.0).and_then(share);
            let win_rate = black.map(|black| if color == Color::Black { black } else { 1.0 - black });
            MoveValue { visits: visits as u32, win_rate, bound: found(&bounds, point), ..untold(point) }
        };
        labels(self.gfx, "LABEL", board).into_iter().map(value).collect()
    }
}

/// The pairs of move and number in the line that begins with this word.
fn labels(text: &str, head: &str, board: &Board) -> Vec<(Option<Point>, f64)> {
    let line =
        text.lines().map(str::split_whitespace).find_map(|mut words| (words.next() == Some(head)).then_some(words));
    let words: Vec<&str> = line.into_iter().flatten().collect();
    let pairs = words.chunks_exact(2).filter_map(|pair| {
        let number = pair[1].parse::<f64>().ok().filter(|number| number.is_finite())?;
        Some((parse_candidate(pair[0], board)?, number))
    });
    pairs.collect()
}

/// The moves in the line that begins with `VAR`, without colors.
fn moves_of(text: &str, board: &Board) -> Vec<Option<Point>> {
    let line =
        text.lines().map(str::split_whitespace).find_map(|mut words| (words.next() == Some("VAR")).then_some(words));
    let words: Vec<&str> = line.into_iter().flatten().collect();
    words.chunks_exact(2).map_while(|pair| parse_move(pair[1], board)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::PointOfView;
    use tejun_games::go::BoardSize;

    const GFX: &str = "VAR w E5\nINFLUENCE E5 -0.20 C3 0.50 G7 nan\nLABEL E5 700 C3 20 G7 3 PASS 1\nTEXT N=724";
    const BOUNDS: &str = "LABEL E5 0.61 C3 0.40\nTEXT PASS=0.10";

    /// What Fuego's words mean on an empty board with White to move.
    fn evaluated(answer: &str, gfx: &str, value: &str, sequence: &str) -> Evaluation {
        let board = Board::new(BoardSize::new(9).expect("a size"));
        let question =
            Question { start: &board, moves: &[], board: &board, color: Color::White, komi: 6.5, played: None };
        let options = EngineOptions::new("fuego".parse().expect("a command"));
        let best = best_only("reg_genmove w", answer, &question).expect("a move");
        FuegoTree { gfx, bounds: BOUNDS, value, sequence }.evaluation(best, &question, &options)
    }

    #[test]
    fn all_moves_of_the_tree_are_read_as_white_sees_them() {
        let found = evaluated("E5", GFX, "0.57", "VAR w E5 b C3 w PASS");
        let [e5, c3, g7] = [Point::new(4, 4), Point::new(2, 6), Point::new(6, 2)].map(Some);
        let found_moves: Vec<_> = found.moves.iter().map(|m| (m.point, m.visits, m.win_rate, m.bound)).collect();
        let expected = [(e5, 700, Some(0.6), Some(0.61)), (c3, 20, Some(0.25), Some(0.4)), (g7, 3, None, None)];
        assert_eq!(found_moves[..3], expected);
        assert_eq!(found_moves[3], (None, 1, None, None));
        assert_eq!(found.win_rate, Some(0.57));
        assert_eq!(found.moves[0].line, [e5, c3, None]);
    }

    #[test]
    fn a_move_that_is_listed_twice_counts_once() {
        let found = evaluated("E5", "VAR w E5\nLABEL C3 5 E5 700 C3 20", "0.57", "VAR w E5");
        assert_eq!(found.moves.iter().map(|m| m.visits).collect::<Vec<_>>(), [700, 20]);
    }

    #[test]
    fn a_tree_of_another_position_is_not_believed() {
        let found = evaluated("C3", GFX, "0.57", "VAR w E5 b C3");
        assert_eq!((found.moves.len(), found.win_rate), (1, None));
        assert_eq!(evaluated("E5", "", "", "").moves.len(), 1);
        assert_eq!(evaluated("resign", GFX, "0.02", "").moves.len(), 4);
    }

    #[test]
    fn the_root_is_turned_by_the_point_of_view() {
        let mut root = MoveValue { win_rate: Some(0.25), ..untold(None) };
        turn(&mut root, PointOfView::Black, Color::White);
        assert_eq!(root.win_rate, Some(0.75));
        turn(&mut root, PointOfView::White, Color::White);
        turn(&mut root, PointOfView::SideToMove, Color::White);
        assert_eq!(root.win_rate, Some(0.75));
    }
}
