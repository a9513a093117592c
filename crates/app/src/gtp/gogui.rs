//! Graphics for GoGui's board.

use tejun_games::go::{BoardSize, Color, Point};

use crate::terminal::count;

/// The commands that GoGui offers in its window: kind, name, command.
pub const ANALYZE_COMMANDS: &str = "gfx/Expected moves/tejun-expected\n\
                                    dboard/Expected everywhere/tejun-map\n\
                                    gfx/Expected line of play/tejun-line";

/// The first moves as squares sized by their weight, labeled with their percentage.
pub fn squares(size: BoardSize, color: Color, moves: &[(Point, f64)]) -> String {
    let Some(&(best, _)) = moves.first() else { return "TEXT No move is legal".into() };
    let mut lines = [String::from("INFLUENCE"), String::from("LABEL")];
    for &(point, p) in moves {
        let name = point.name(size);
        lines[0] += &format!(" {name} {:.3}", weight(color, p, moves));
        let percent = (100.0 * p).round();
        lines[1] += &if percent < 1.0 { format!(" {name} <1") } else { format!(" {name} {percent}") };
    }
    let share: f64 = moves.iter().map(|(_, p)| p).sum();
    let n_moves = count(moves.len(), "move");
    let summary = format!("TEXT {color}: {} most likely; {n_moves} shown: {:.0}%", best.name(size), 100.0 * share);
    format!("{}\n{summary}", lines.join("\n"))
}

/// The weight of every point, row by row; 0 where no move is legal.
pub fn map(size: BoardSize, color: Color, moves: &[(Point, f64)]) -> String {
    let weight = |point: Point| {
        let p = moves.iter().find(|(p, _)| *p == point).map_or(0.0, |(_, p)| *p);
        format!("{:.3}", weight(color, p, moves))
    };
    let row = |y| (0..size.get()).map(|x| weight(Point::new(x, y))).collect::<Vec<_>>().join(" ");
    format!("\n{}", (0..size.get()).map(row).collect::<Vec<_>>().join("\n"))
}

/// A sequence of moves as a variation.
pub fn variation(size: BoardSize, color: Color, line: &[Point]) -> String {
    let colors = [color, color.opponent()].map(|color| color.letter().to_ascii_lowercase());
    let moves = line.iter().zip(colors.iter().cycle()).map(|(point, color)| format!(" {color} {}", point.name(size)));
    format!("VAR{}", moves.collect::<String>())
}

/// From 0 to 1 for Black, and to -1 for White, relative to the largest square.
fn weight(color: Color, p: f64, moves: &[(Point, f64)]) -> f64 {
    let best = moves.first().map_or(0.0, |(_, p)| *p);
    let share = if best > 0.0 { p / best } else { 0.0 };
    // For White, a weight of 0 would be written as -0.
    if color == Color::Black || share == 0.0 { share } else { -share }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_move_has_the_largest_square() {
        let size = BoardSize::new(5).expect("a size");
        let moves = [(Point::new(2, 2), 0.5), (Point::new(0, 0), 0.1), (Point::new(4, 4), 0.001)];
        let expected = "INFLUENCE C3 -1.000 A5 -0.200 E1 -0.002\nLABEL C3 50 A5 10 E1 <1\n\
                        TEXT White: C3 most likely; 3 moves shown: 60%";
        assert_eq!(squares(size, Color::White, &moves), expected);
        assert_eq!(squares(size, Color::White, &[]), "TEXT No move is legal");
        let board = map(size, Color::Black, &moves);
        assert_eq!(board.lines().nth(3), Some("0.000 0.000 1.000 0.000 0.000"));
        assert_eq!(board.lines().count(), 6);
        let line = [Point::new(2, 2), Point::new(0, 0), Point::new(4, 4)];
        assert_eq!(variation(size, Color::White, &line), "VAR w C3 b A5 w E1");
    }
}
