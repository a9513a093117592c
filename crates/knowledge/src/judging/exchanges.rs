//! Moves that belong together: a ko fight, or an atari and its answer.
//!
//! In the middle of such an exchange the win rate says little: after a ko threat, it depends on an answer that
//! everybody knows. Exchanges are judged by what the position was worth before and after them.

use tejun_games::Move;
use tejun_games::go::{Board, Point};

/// The most moves between two captures in the same ko: a threat that needs several answers.
const LONGEST_THREAT: usize = 9;

/// A run of moves that is judged as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// What kind.
    pub kind: ExchangeKind,
    /// The number of moves before its first move.
    pub first: usize,
    /// The number of moves before its last move.
    pub last: usize,
}

/// A kind of exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExchangeKind {
    /// Captures in a ko, with the threats and answers between them (コウ争い, *kō-arasoi*).
    Ko,
    /// An atari and the move that saves the stones.
    Atari,
}

impl Exchange {
    /// Whether the move with this number of moves before it belongs to the exchange.
    pub fn contains(&self, index: usize) -> bool {
        (self.first..=self.last).contains(&index)
    }
}

/// The exchanges of a game, in order; no move is in two. `boards` are those before each move and after the last one.
pub(crate) fn exchanges(moves: &[Move], boards: &[Board]) -> Vec<Exchange> {
    let fights = ko_fights(moves, boards);
    let is_free = |at: usize| !fights.iter().any(|fight| fight.contains(at) || fight.contains(at + 1));
    let mut found = fights.clone();
    let mut at = 0;
    while at + 1 < moves.len() {
        if is_free(at) && is_answered_atari(moves, boards, at) {
            found.push(Exchange { kind: ExchangeKind::Atari, first: at, last: at + 1 });
            at += 1;
        }
        at += 1;
    }
    found.sort_by_key(|exchange| exchange.first);
    found
}

/// Fights with two captures or more in one ko.
fn ko_fights(moves: &[Move], boards: &[Board]) -> Vec<Exchange> {
    // The two points of the ko, in the order of the board, and the move.
    let captures: Vec<(usize, [Point; 2])> = (0..moves.len())
        .filter_map(|at| {
            let retake = boards[at + 1].ko_point(moves[at].color.opponent())?;
            let taken = moves[at].point?;
            Some((at, if retake < taken { [retake, taken] } else { [taken, retake] }))
        })
        .collect();
    let mut fights: Vec<(Exchange, [Point; 2], usize)> = Vec::new();
    for (at, ko) in captures {
        let open = fights.iter_mut().find(|(fight, place, _)| *place == ko && at - fight.last <= LONGEST_THREAT);
        match open {
            Some((fight, _, n)) => (fight.last, *n) = (at, *n + 1),
            None => fights.push((Exchange { kind: ExchangeKind::Ko, first: at, last: at }, ko, 1)),
        }
    }
    let mut found: Vec<Exchange> = fights.into_iter().filter(|(_, _, n)| *n > 1).map(|(fight, ..)| fight).collect();
    for fight in &mut found {
        // The last threat, and the move that ends the ko instead of answering it.
        fight.last = (fight.last + 2).min(moves.len() - 1);
    }
    found.sort_by_key(|fight| fight.first);
    let mut separate: Vec<Exchange> = Vec::new();
    for fight in found {
        match separate.last_mut() {
            // Two kos at once are one fight.
            Some(before) if before.last >= fight.first => before.last = before.last.max(fight.last),
            _ => separate.push(fight),
        }
    }
    separate
}

/// Whether a move gives atari, and the next one saves the stones.
fn is_answered_atari(moves: &[Move], boards: &[Board], at: usize) -> bool {
    let (threat, answer) = (moves[at], moves[at + 1]);
    let Some(point) = threat.point.filter(|_| answer.color != threat.color && answer.point.is_some()) else {
        return false;
    };
    let [before, during, after] = [&boards[at], &boards[at + 1], &boards[at + 2]];
    point.around().into_iter().any(|p| {
        during.stone(p) == Some(answer.color)
            && during.liberties(p) == 1
            && before.liberties(p) > 1
            && after.liberties(p) > 1
    })
}

#[cfg(test)]
mod tests {
    use tejun_games::GameRecord;

    use super::*;

    fn check(sgf: &str, expected: &[(ExchangeKind, usize, usize)]) {
        let game = GameRecord::parse(sgf).expect("a game");
        let boards: Vec<Board> = (0..=game.moves.len()).map(|n| game.board_before(n)).collect();
        let found: Vec<_> = exchanges(&game.moves, &boards).into_iter().map(|e| (e.kind, e.first, e.last)).collect();
        assert_eq!(found, expected);
    }

    /// A ko at ca and da: Black takes with da.
    const KO: &str = "(;SZ[19]AB[bb][ab][cb]AB[ba]AW[ca][db][ea]PL[B]";

    #[test]
    fn a_ko_fight_lasts_until_the_threat_that_is_not_answered() {
        // Black takes, White threatens, Black answers, White takes, Black threatens, White fills.
        check(&format!("{KO};B[da];W[qq];B[qp];W[ca];B[pd];W[da];B[jj])"), &[(ExchangeKind::Ko, 0, 5)]);
        // One capture is not a fight.
        check(&format!("{KO};B[da];W[qq];B[ca];W[jj])"), &[]);
    }

    #[test]
    fn an_atari_and_its_answer() {
        check("(;SZ[19];B[dd];W[qq];B[qp];W[pp];B[po];W[op];B[jj])", &[]);
        check("(;SZ[19]AW[cd][de];B[dd];W[dc];B[ed];W[jj])", &[(ExchangeKind::Atari, 1, 2)]);
        check("(;SZ[19]AW[cd][de];B[dd];W[dc];B[jj];W[ed])", &[]);
    }
}
