//! Ladders (シチョウ, *shichō*): chains captured by a series of ataris.

use crate::go::{Board, Color, Point, PointSet};

/// Maximum number of positions to read before a ladder counts as escaped.
const MOST_POSITIONS: usize = 120;

/// The moves that start to capture a chain with two liberties so that it cannot escape.
///
/// Reads only ataris and captures, so a net (ゲタ, *geta*) is not seen. Costs one board copy per move read. If the
/// reading gets too long, the chain counts as free.
pub fn ladder_moves(board: &Board, chain: Point) -> Vec<Point> {
    let Some(owner) = board.stone(chain) else { return Vec::new() };
    if board.liberties(chain) != 2 {
        return Vec::new();
    }
    let liberties: Vec<Point> = board.liberty_points(chain).iter().collect();
    liberties
        .into_iter()
        .filter(|&move_point| attack_works(board, owner, chain, move_point, &mut { MOST_POSITIONS }))
        .collect()
}

/// Whether the owner of a chain in atari, who is to move, can save it.
pub fn escapes_ladder(board: &Board, chain: Point) -> bool {
    board.stone(chain).is_none_or(|owner| runs_away(board, owner, chain, &mut { MOST_POSITIONS }))
}

fn attack_works(board: &Board, owner: Color, chain: Point, move_point: Point, left: &mut usize) -> bool {
    let mut after = board.clone();
    if *left == 0 || after.play(owner.opponent(), move_point).is_err() {
        return false;
    }
    *left -= 1;
    after.liberties(chain) == 1 && !runs_away(&after, owner, chain, left)
}

fn runs_away(board: &Board, owner: Color, chain: Point, left: &mut usize) -> bool {
    let in_atari = |p: &Point| board.stone(*p) == Some(owner.opponent()) && board.liberties(*p) == 1;
    let attackers = board.chain(chain).flat_map(Point::around).filter(in_atari);
    let captures: PointSet = attackers.filter_map(|attacker| board.liberty_points(attacker).iter().next()).collect();
    let answers = captures | board.liberty_points(chain);
    for answer in answers.iter() {
        let mut after = board.clone();
        if *left == 0 {
            return true;
        }
        if after.play(owner, answer).is_err() {
            continue;
        }
        *left -= 1;
        match after.liberties(chain) {
            0 | 1 => {}
            2 => {
                let liberties: Vec<Point> = after.liberty_points(chain).iter().collect();
                if !liberties.into_iter().any(|p| attack_works(&after, owner, chain, p, left)) {
                    return true;
                }
            }
            _ => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::go::BoardSize;

    use super::*;

    fn board(rows: &[&str]) -> Board {
        let size = BoardSize::new(rows.len() as u8).expect("a size");
        let mut board = Board::new(size);
        for (y, row) in rows.iter().enumerate() {
            for (x, stone) in row.split(' ').enumerate() {
                let point = Point::new(x as u8, y as u8);
                match stone {
                    "X" => board.place(Color::Black, point).expect("free"),
                    "O" => board.place(Color::White, point).expect("free"),
                    _ => {}
                }
            }
        }
        board
    }

    #[test]
    fn a_ladder_works_unless_a_stone_breaks_it() {
        let ladder = [
            ". . . . . . . . .",
            ". . X X . . . . .",
            ". X O . . . . . .",
            ". . X . . . . . .",
            ". . . . . . . . .",
            ". . . . . . . . .",
            ". . . . . . . . .",
            ". . . . . . . . .",
            ". . . . . . . . .",
        ];
        let stone = Point::new(2, 2);
        assert!(!escapes_ladder(&board(&ladder), stone), "one liberty, and the ladder works");
        let mut broken = ladder;
        broken[6] = ". . . . . . O . .";
        assert!(escapes_ladder(&board(&broken), stone));
        let mut two = ladder;
        two[1] = ". . . X . . . . .";
        assert!(ladder_moves(&board(&two), stone).contains(&Point::new(2, 1)), "it starts the same ladder");
        two[6] = ". . . . . . O . .";
        assert!(!ladder_moves(&board(&two), stone).contains(&Point::new(2, 1)));
    }
}
