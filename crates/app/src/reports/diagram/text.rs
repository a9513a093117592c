//! Diagrams as plain text.

use tejun_games::go::{Color, Point};
use unicode_width::UnicodeWidthStr;

use crate::reports::diagram::asides::{Aside, Place, asides};
use crate::reports::diagram::region::Side;
use crate::reports::diagram::{Diagram, Mark, Sign, column_name, row_name};

/// Asides are not squeezed narrower than this, however small the board.
const LEAST_LINE_WIDTH: usize = 40;

pub(crate) fn draw(diagram: &Diagram) -> String {
    let size = diagram.size;
    let stars = size.star_points();
    let cell = |x, y| cell(diagram, Point::new(x, y), &stars);
    let widest = |y| diagram.region.columns().map(move |x| cell(x, y).width());
    let cell_width = diagram.region.rows().flat_map(widest).max().unwrap_or(1);
    let letters = letters(diagram, cell_width);
    let mut lines = Vec::new();
    if diagram.has_coordinates(Side::Top) {
        lines.push(letters.clone());
    }
    for y in diagram.region.rows() {
        let mut line = left_margin(diagram, &row_name(y, size).to_string());
        for x in diagram.region.columns() {
            let mut text = cell(x, y);
            if diagram.last_move == Some(Point::new(x, y)) {
                // The blank before is the margin's or the last cell's.
                line.pop();
                line.push('(');
                text.push(')');
            }
            push_cell(&mut line, &text, cell_width);
        }
        if diagram.has_coordinates(Side::Right) {
            line.push_str(&row_name(y, size).to_string());
        }
        lines.push(line);
    }
    if diagram.has_coordinates(Side::Bottom) {
        lines.push(letters.clone());
    }
    let line_width = letters.trim_end().width().max(LEAST_LINE_WIDTH);
    lines.extend(wrap(&sentence(&asides(diagram)), line_width));
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Appends a cell and the spaces after it, at least one unless a `)` takes its place.
fn push_cell(line: &mut String, cell: &str, cell_width: usize) {
    line.push_str(cell);
    let n_blanks = (cell_width + 1).saturating_sub(cell.width());
    line.push_str(&" ".repeat(n_blanks));
}

fn cell(diagram: &Diagram, point: Point, stars: &[Point]) -> String {
    let stone = diagram.stones.get(&point).map(|&color| letter(color));
    let sign = diagram.signs.get(&point).map(sign_text).unwrap_or_default();
    match stone {
        Some(stone) => format!("{stone}{sign}"),
        None if sign.is_empty() && stars.contains(&point) => "+".to_string(),
        None if sign.is_empty() => ".".to_string(),
        None => sign,
    }
}

fn letter(color: Color) -> char {
    match color {
        Color::Black => 'X',
        Color::White => 'O',
    }
}

fn sign_text(sign: &Sign) -> String {
    match sign {
        Sign::Number(number) => number.to_string(),
        Sign::Label(text) => text.clone(),
        Sign::Mark(Mark::Triangle) => "^".to_string(),
        Sign::Mark(Mark::Square) => "#".to_string(),
        Sign::Mark(Mark::Circle) => "@".to_string(),
        Sign::Mark(Mark::Cross) => "*".to_string(),
    }
}

fn letters(diagram: &Diagram, cell_width: usize) -> String {
    let mut line = left_margin(diagram, "");
    for x in diagram.region.columns() {
        push_cell(&mut line, &column_name(x, diagram.size), cell_width);
    }
    line
}

/// The row's number, if it is shown on this side, and a space.
fn left_margin(diagram: &Diagram, name: &str) -> String {
    if diagram.has_coordinates(Side::Left) {
        let width = diagram.size.to_string().len();
        format!("{name:>width$} ")
    } else {
        " ".to_string()
    }
}

/// The asides as one sentence: `4, 10 at 1; 8 pass`.
fn sentence(asides: &[Aside]) -> String {
    let parts = asides.iter().map(|aside| {
        let numbers: Vec<String> = aside.moves.iter().map(|m| m.0.to_string()).collect();
        let place = match &aside.place {
            Place::Stone(_, Sign::Number(number)) => format!("at {number}"),
            Place::Stone(_, Sign::Label(text)) => format!("at {text}"),
            Place::Stone(color, sign) => format!("at {}{}", letter(*color), sign_text(sign)),
            Place::Named(name) => format!("at {name}"),
            Place::Pass => "pass".to_string(),
        };
        format!("{} {place}", numbers.join(", "))
    });
    parts.collect::<Vec<_>>().join("; ")
}

fn wrap(sentence: &str, line_width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in sentence.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= line_width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use tejun_games::Move;
    use tejun_games::go::BoardSize;

    use super::*;
    use crate::reports::diagram::{Coordinates, Numbering, Region};

    fn board(lines: u8) -> Diagram {
        Diagram::new(BoardSize::new(lines).expect("a size"))
    }

    fn point(name: &str) -> Point {
        Point::parse(name, BoardSize::new(5).expect("a size")).expect("a point")
    }

    /// Moves on a 5x5 board, Black first; `-` passes.
    fn moves(names: &str) -> Vec<Move> {
        let colors = [Color::Black, Color::White].into_iter().cycle();
        let to_move = |(name, color)| Move { color, point: (name != "-").then(|| point(name)) };
        names.split(' ').zip(colors).map(to_move).collect()
    }

    #[track_caller]
    fn check(diagram: &Diagram, expected: &str) {
        assert_eq!(format!("\n{}", diagram.to_text()), expected);
    }

    #[test]
    fn an_empty_board_has_coordinates_and_star_points() {
        let expected = "
  A B C D E F G H J
9 . . . . . . . . . 9
8 . . . . . . . . . 8
7 . . + . . . + . . 7
6 . . . . . . . . . 6
5 . . . . + . . . . 5
4 . . . . . . . . . 4
3 . . + . . . + . . 3
2 . . . . . . . . . 2
1 . . . . . . . . . 1
  A B C D E F G H J
";
        check(&board(9), expected);
    }

    #[test]
    fn signs_follow_their_stones() {
        let diagram = board(5)
            .with_moves(&moves("C3 D3 C4 D4"), Numbering::after(2))
            .with_label(point("A1"), "A")
            .with_label(point("D3"), "甲")
            .with_mark(point("E5"), Mark::Cross)
            .with_last_move(point("D4"));
        let expected = "
  A   B   C   D   E
5 .   .   .   .   *   5
4 .   .   X3 (O4) .   4
3 .   .   X   O甲 .   3
2 .   .   .   .   .   2
1 A   .   .   .   .   1
  A   B   C   D   E
";
        check(&diagram, expected);
    }

    #[test]
    fn a_ko_is_listed_below_the_board() {
        let ko = "B4 C4 A3 D3 B2 C2 C3 B3 E5 - C3 E1 - B3";
        let expected = "
  A   B   C   D   E
5 .   .   .   .   X9  5
4 .   X1  O2  .   .   4
3 X3  O8  X7  O4  .   3
2 .   X5  O6  .   .   2
1 .   .   .   .   O12 1
  A   B   C   D   E
10, 13 pass; 11 at 7; 14 at 8
";
        check(&board(5).with_moves(&moves(ko), Numbering::all()), expected);
        // Move 8 took the stone 7 off before the first number.
        let expected = "
  A  B  C  D  E
5 .  .  .  .  X1 5
4 .  X  O  .  .  4
3 X  Oa X3 O  .  3
2 .  X  O  .  .  2
1 .  .  .  .  O4 1
  A  B  C  D  E
2, 5 pass; 6 at a
";
        check(&board(5).with_moves(&moves(ko), Numbering::from_one_after(8)), expected);
    }

    #[test]
    fn a_cut_board_has_coordinates_at_its_edges() {
        let diagram = board(5).with_moves(&moves("E5 D4 A1"), Numbering::all());
        let size = diagram.size;
        let expected = "
 D  E
 .  X1 5
 O2 .  4
3 at A1
";
        let corner = Region::upper_right(size, 2);
        check(&diagram.clone().with_region(corner), expected);
        let expected = "
3 +
  C
1 at E5; 2 at D4; 3 at A1
";
        let middle = Region::around(size, &[point("C3")], 0);
        check(&diagram.clone().with_region(middle), expected);
        let hidden = diagram.with_coordinates(Coordinates::Hidden);
        let expected = "
 .  X1
 O2 .
3 at A1
";
        check(&hidden.with_region(corner), expected);
    }

    #[test]
    fn what_is_off_the_board_is_not_drawn() {
        let far = Point::new(20, 20);
        let diagram = board(2)
            .with_stones(Color::Black, &[far])
            .with_numbered(Color::White, far, 1)
            .with_numbered(Color::White, far, 2)
            .with_mark(far, Mark::Circle)
            .with_last_move(far);
        assert_eq!(diagram.to_text(), board(2).to_text());
        assert_eq!(diagram.to_svg(), board(2).to_svg());
    }

    #[test]
    fn long_asides_are_wrapped() {
        let wrapped = wrap("1, 2, 3 at 1; 4 pass", 9);
        assert_eq!(wrapped, ["1, 2, 3", "at 1; 4", "pass"]);
    }
}
