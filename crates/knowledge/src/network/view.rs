//! What the network sees of a position: one number per point, the last moves, the ko and the komi.

use tejun_games::Move;
use tejun_games::go::{Board, BoardSize, Color, Point, escapes_ladder, ladder_moves};

use crate::network::network::places_after;

/// Number of points of the only board that the network knows.
pub const N_POINTS: usize = 361;
/// Number of input planes.
pub const N_PLANES: usize = 24;
/// Number of the last moves that the network sees.
pub const N_LAST: usize = 5;
/// A pass, where a point is expected.
pub const PASS: u16 = N_POINTS as u16;
/// No move, where a point is expected.
pub const NO_MOVE: u16 = u16::MAX;

/// In a point's number: the stone and its liberties.
const STONE: u8 = 0b1111;
/// In a point's number: the chain is caught in a ladder.
const CAUGHT: u8 = 1 << 4;
/// In a point's number: a move here starts a ladder that works.
const LADDER_MOVE: u8 = 1 << 5;
/// In a point's number: the area of the side to move.
const OWN_AREA: u8 = 1 << 6;
/// In a point's number: the area of the other side.
const OTHER_AREA: u8 = 1 << 7;

/// What the network sees of a position, from the perspective of the side to move.
///
/// Each point has one number: 0 for an empty point, 1 to 4 for an own stone whose chain has that many liberties (4
/// also stands for more), 5 to 8 for a stone of the other side; plus 16 if its chain is caught in a ladder, 32 if a
/// move there starts a ladder that works, 64 or 128 for the area of either side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The points, row by row.
    pub points: [u8; N_POINTS],
    /// The last moves, the most recent first; [`PASS`] or [`NO_MOVE`] where there is no point.
    pub last: [u16; N_LAST],
    /// The point where the side to move may not retake the ko; [`NO_MOVE`] if there is none.
    pub ko: u16,
    /// The komi in half points, positive if the side to move receives it.
    pub komi_half_points: i16,
    /// Number of moves played.
    pub n_moves: u16,
}

impl View {
    /// Looks at a position.
    ///
    /// # Panics
    /// If the board does not have 19 lines.
    pub fn of(moves: &[Move], board: &Board, color: Color, komi: f64) -> View {
        assert_eq!(board.size(), BoardSize::NINETEEN, "the network knows one board size");
        let last_moves = moves.iter().rev().map(|m| m.point.map_or(PASS, number_of));
        let mut last = [NO_MOVE; N_LAST];
        last.iter_mut().zip(last_moves).for_each(|(place, played)| *place = played);
        let half_points = (2.0 * komi).round().clamp(-1000.0, 1000.0) as i16;
        View {
            points: points_of(board, color),
            last,
            ko: board.ko_point(color).map_or(NO_MOVE, number_of),
            komi_half_points: if color == Color::White { half_points } else { -half_points },
            n_moves: moves.len().min(usize::from(u16::MAX)) as u16,
        }
    }

    /// The same position turned or mirrored; `symmetry` is less than 8.
    pub fn turned(&self, symmetry: usize) -> View {
        let places = places_after(symmetry);
        let move_to = |number: u16| if number < PASS { places[usize::from(number)] as u16 } else { number };
        let mut points = [0; N_POINTS];
        for (from, &to) in places.iter().enumerate() {
            points[to] = self.points[from];
        }
        View { points, last: self.last.map(move_to), ko: move_to(self.ko), ..*self }
    }

    /// Writes the input planes of the network, [`N_PLANES`] times [`N_POINTS`] numbers.
    ///
    /// # Panics
    /// If `planes` has another length.
    pub fn write_planes(&self, planes: &mut [f32]) {
        assert_eq!(planes.len(), N_PLANES * N_POINTS, "all planes of one position");
        planes.fill(0.0);
        let mut set = |plane: usize, point: usize| planes[plane * N_POINTS + point] = 1.0;
        for (point, &number) in self.points.iter().enumerate() {
            set(0, point);
            if number & STONE != 0 {
                set(usize::from(number & STONE), point);
            }
            for (plane, bit) in [(15, CAUGHT), (16, LADDER_MOVE), (17, OWN_AREA), (18, OTHER_AREA)] {
                if number & bit != 0 {
                    set(plane, point);
                }
            }
        }
        for (age, &played) in self.last.iter().enumerate().filter(|(_, played)| **played < PASS) {
            set(9 + age, usize::from(played));
        }
        if self.ko < PASS {
            set(14, usize::from(self.ko));
        }
        let everywhere = [
            (19, f32::from(self.komi_half_points) / 40.0),
            // The games that the network is asked about are predicted as professionals would play them.
            (20, 1.0),
            (21, f32::from(self.last[0] == NO_MOVE)),
            (22, f32::from(self.n_moves.min(400)) / 200.0),
            (23, f32::from(self.last[0] == PASS)),
        ];
        for (plane, value) in everywhere {
            planes[plane * N_POINTS..(plane + 1) * N_POINTS].fill(value);
        }
    }
}

/// The number of a point, row by row from the upper left.
pub fn number_of(point: Point) -> u16 {
    u16::from(point.y()) * 19 + u16::from(point.x())
}

/// The point with a number; `None` for a pass.
pub fn point_of(number: u16) -> Option<Point> {
    (number < PASS).then(|| Point::new((number % 19) as u8, (number / 19) as u8))
}

fn points_of(board: &Board, color: Color) -> [u8; N_POINTS] {
    let mut points = [0; N_POINTS];
    let place = |point: Point| usize::from(number_of(point));
    for point in board.size().points() {
        let Some(stone) = board.stone(point) else { continue };
        let liberties = board.liberties(point).min(4) as u8;
        points[place(point)] = if stone == color { liberties } else { 4 + liberties };
    }
    for head in board.size().points().filter(|&point| board.chain_head(point) == Some(point)) {
        let is_caught = match board.liberties(head) {
            1 => !escapes_ladder(board, head),
            2 => {
                let starts = ladder_moves(board, head);
                if board.stone(head) != Some(color) {
                    starts.iter().for_each(|&start| points[place(start)] |= LADDER_MOVE);
                }
                !starts.is_empty()
            }
            _ => false,
        };
        if is_caught {
            board.chain(head).for_each(|stone| points[place(stone)] |= CAUGHT);
        }
    }
    board.area(color).iter().for_each(|point| points[place(point)] |= OWN_AREA);
    board.area(color.opponent()).iter().for_each(|point| points[place(point)] |= OTHER_AREA);
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(sgf: &str, n_moves: usize, color: Color) -> View {
        let game = tejun_games::GameRecord::parse(sgf).expect("a game");
        View::of(&game.moves[..n_moves], &game.board_before(n_moves), color, 6.5)
    }

    #[test]
    fn stones_are_seen_from_the_side_to_move() {
        let sgf = "(;SZ[19];B[dd];W[de];B[aa];W[tt])";
        let view = view(sgf, 4, Color::Black);
        let at = |x: usize, y: usize| view.points[y * 19 + x] & STONE;
        assert_eq!([at(3, 3), at(3, 4), at(0, 0), at(5, 5)], [3, 7, 2, 0]);
        assert_eq!(view.last, [PASS, 0, 4 * 19 + 3, 3 * 19 + 3, NO_MOVE]);
        assert_eq!((view.komi_half_points, view.n_moves), (-13, 4));
    }

    #[test]
    fn planes_show_what_the_view_holds() {
        let view = view("(;SZ[19];B[dd];W[de])", 2, Color::Black);
        let mut planes = vec![7.0; N_PLANES * N_POINTS];
        view.write_planes(&mut planes);
        let plane = |n: usize| &planes[n * N_POINTS..(n + 1) * N_POINTS];
        assert!(plane(0).iter().all(|&value| value == 1.0));
        assert_eq!(plane(3)[3 * 19 + 3], 1.0);
        assert_eq!(plane(7)[4 * 19 + 3], 1.0);
        assert_eq!(plane(9).iter().sum::<f32>(), 1.0);
        assert_eq!(plane(9)[4 * 19 + 3], 1.0);
        assert_eq!(plane(19)[0], -13.0 / 40.0);
        assert_eq!(plane(22)[360], 0.01);
        assert_eq!(plane(23)[0], 0.0);
    }

    #[test]
    fn ladders_and_areas_are_seen() {
        // White's stone at dd has two liberties, and Black can start a ladder.
        let sgf = "(;SZ[19]AB[dc][cd][ce]AW[dd];B[jj];W[qq];B[kk])";
        let view = view(sgf, 3, Color::Black);
        let white = view.points[3 * 19 + 3];
        assert_eq!(white & STONE, 6);
        assert_ne!(white & CAUGHT, 0);
        assert!(view.points.iter().any(|number| number & LADDER_MOVE != 0));
        assert_ne!(white & OTHER_AREA, 0);
        assert_eq!(view.points.iter().filter(|&&number| number & OWN_AREA != 0).count(), 5);
    }
}
