//! Go positions in one of their eight orientations.

use crate::game::PositionKey;
use crate::go::{Board, BoardSize, Color, Point, Position, Rules, Symmetry};

/// The move that puts no stone, as a number.
pub(crate) const PASS: u32 = Point::N_CELLS as u32;

/// The symmetries that bring a position into its normal orientation, and its key.
pub(crate) fn normal_turns(position: &Position) -> (Vec<Symmetry>, PositionKey) {
    let keyed = Symmetry::ALL.map(|symmetry| (turned_key(position, symmetry), symmetry));
    let least = keyed.iter().map(|(key, _)| *key).min().expect("there are eight symmetries");
    (keyed.iter().filter(|(key, _)| *key == least).map(|(_, symmetry)| *symmetry).collect(), least)
}

/// The key of the position after it was turned.
fn turned_key(position: &Position, symmetry: Symmetry) -> PositionKey {
    let board = position.board();
    let size = board.size();
    let place = |point: Point| {
        let turned = symmetry.apply(point, size);
        usize::from(turned.y()) * 25 + usize::from(turned.x())
    };
    let stones = size.points().filter_map(|point| Some((point, board.stone(point)?)));
    let stones = stones.map(|(point, color)| 1 + place(point) + if color == Color::Black { 0 } else { 1000 });
    let ko = board.ko_point(position.to_move()).map(|point| 2000 + place(point));
    let turn = (position.to_move() == Color::White).then_some(0);
    let lines = std::iter::once(3000 + usize::from(size.get()));
    PositionKey::of_facts(stones.chain(ko).chain(turn).chain(lines))
}

/// The position turned; what was played before is forgotten but for the ko.
pub(crate) fn turned(position: &Position, symmetry: Symmetry) -> Position {
    let size = position.board().size();
    let to_move = position.to_move();
    let stones = size.points().filter_map(|point| Some((symmetry.apply(point, size), position.board().stone(point)?)));
    let ko = position.board().ko_point(to_move).map(|point| symmetry.apply(point, size));
    assembled(size, stones, to_move, ko)
}

/// A position of stones in any order.
pub(crate) fn assembled(
    size: BoardSize,
    stones: impl Iterator<Item = (Point, Color)>,
    to_move: Color,
    ko: Option<Point>,
) -> Position {
    let mut board = Board::new(size);
    for (point, color) in stones {
        // Stones of a legal position can be put down in any order.
        let _ = board.place(color, point);
    }
    if let Some(point) = ko {
        retake(&mut board, point, to_move);
    }
    Position::from_board(board, to_move, Rules::RECORD)
}

/// Makes a point forbidden by ko: the stone that took there is taken up and put down again.
fn retake(board: &mut Board, point: Point, to_move: Color) {
    let taker = point.neighbors(board.size()).find(|&adjacent| {
        board.stone(adjacent) == Some(to_move.opponent())
            && board.liberties(adjacent) == 1
            && board.chain_len(adjacent) == 1
    });
    if let Some(taker) = taker {
        let before = board.clone();
        board.remove(taker);
        let is_ko = board.place(to_move, point).is_ok()
            && board.play(to_move.opponent(), taker) == Ok(1)
            && board.ko_point(to_move) == Some(point);
        if !is_ko {
            *board = before;
        }
    }
}

/// A move as a number.
pub(crate) fn move_number(point: Option<Point>) -> u32 {
    point.map_or(PASS, |point| point.index() as u32)
}

/// The point of a move; `Ok(None)` is a pass, `Err` means that the number is not a move on this board.
pub(crate) fn move_point(number: u32, size: BoardSize) -> Result<Option<Point>, ()> {
    if number == PASS {
        return Ok(None);
    }
    size.points().find(|point| point.index() as u32 == number).map(Some).ok_or(())
}

/// Board rows, side and ko as a text: `19/…/19 b -`.
pub(crate) fn to_text(position: &Position) -> String {
    let board = position.board();
    let size = board.size();
    let row = |y: u8| {
        let mut text = String::new();
        let mut n_empty = 0;
        for x in 0..size.get() {
            let letter = board.stone(Point::new(x, y)).map(|color| if color == Color::Black { 'X' } else { 'O' });
            if letter.is_some() && n_empty > 0 {
                text += &n_empty.to_string();
                n_empty = 0;
            }
            match letter {
                Some(letter) => text.push(letter),
                None => n_empty += 1,
            }
        }
        if n_empty > 0 { text + &n_empty.to_string() } else { text }
    };
    let rows: Vec<String> = (0..size.get()).map(row).collect();
    let side = if position.to_move() == Color::Black { 'b' } else { 'w' };
    let ko = board.ko_point(position.to_move()).map_or("-".into(), |point| point.name(size));
    format!("{} {side} {ko}", rows.join("/"))
}

/// Reads what [`to_text`] writes.
pub(crate) fn from_text(text: &str) -> Option<Position> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let [rows, side, ko] = words[..] else { return None };
    let n_rows = u8::try_from(rows.split('/').count()).ok()?;
    let size = BoardSize::new(n_rows).ok()?;
    let to_move = match side {
        "b" => Color::Black,
        "w" => Color::White,
        _ => return None,
    };
    let mut stones = Vec::new();
    for (y, row) in rows.split('/').enumerate() {
        read_row(row, y as u8, size, &mut stones)?;
    }
    let ko = if ko == "-" { None } else { Some(Point::parse(ko, size).ok()?) };
    let position = assembled(size, stones.iter().copied(), to_move, ko);
    let is_whole = size.points().filter(|point| !position.board().is_empty(*point)).count() == stones.len();
    (is_whole && position.board().ko_point(to_move) == ko).then_some(position)
}

fn read_row(row: &str, y: u8, size: BoardSize, stones: &mut Vec<(Point, Color)>) -> Option<()> {
    let mut x = 0u8;
    let mut letters = row.chars().peekable();
    while let Some(letter) = letters.next() {
        if let Some(digit) = letter.to_digit(10) {
            let more = letters.next_if(char::is_ascii_digit).and_then(|next| next.to_digit(10));
            let n_empty = more.map_or(digit, |next| 10 * digit + next);
            x = x.checked_add(n_empty as u8)?;
        } else {
            let color = match letter {
                'X' => Color::Black,
                'O' => Color::White,
                _ => return None,
            };
            (x < size.get()).then_some(())?;
            stones.push((Point::new(x, y), color));
            x += 1;
        }
    }
    (x == size.get()).then_some(())
}
