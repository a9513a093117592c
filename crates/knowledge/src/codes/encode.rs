//! From a game's moves to symbols.

use tejun_games::Move;
use tejun_games::go::{Board, BoardSize, Point};
use tejun_index::Symbol;

use crate::codes::frame::Frame;
use crate::codes::symbols::Code;

/// An uninterrupted run of moves, as symbols.
///
/// A pass ends a run, and so does a second move in a row by one side: the move
/// before is then not the opponent's, so the next move starts a new run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The index of its first move in the game, from 0.
    pub first_move: usize,
    /// One symbol per move.
    pub symbols: Vec<Symbol>,
}

/// The runs of a game in a code; `start` is the board before its first move.
pub fn encode(code: Code, start: &Board, moves: impl IntoIterator<Item = Move>) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut encoder = Encoder::new(code, start.size());
    let mut board = (code == Code::Surroundings).then(|| start.clone());
    let mut last: Option<Move> = None;
    for (index, played) in moves.into_iter().enumerate() {
        let Some(point) = played.point else {
            last = None;
            continue;
        };
        let is_continued = last.is_some_and(|last| last.color != played.color);
        if !is_continued {
            segments.push(Segment { first_move: index, symbols: Vec::new() });
            encoder.restart();
        }
        let symbol = match &board {
            Some(board) => Code::surroundings_symbol(board, played.color, point),
            None => encoder.next(point),
        };
        segments.last_mut().expect("a run was begun").symbols.push(symbol);
        if let Some(board) = &mut board {
            // The moves of a record are replayed when it is read, so they are legal.
            let _ = played.play_on(board);
        }
        last = Some(played);
    }
    segments
}

/// A line of play from its second point on, once per distinct string, for every frame that its start may inherit.
///
/// The first point only gives the direction: its own symbol is not in the strings.
pub fn encode_line(code: Code, size: BoardSize, line: &[Point]) -> Vec<Vec<Symbol>> {
    let mut strings: Vec<Vec<Symbol>> = Vec::new();
    for frame in Frame::all() {
        let mut encoder = Encoder { code, size, frame, previous: line.first().copied() };
        let string = line.iter().skip(1).map(|&point| encoder.next(point)).collect();
        if !strings.contains(&string) {
            strings.push(string);
        }
    }
    strings
}

/// Encodes a run of points, symbol by symbol.
pub(crate) struct Encoder {
    code: Code,
    size: BoardSize,
    /// The axes of the last relative symbol.
    frame: Frame,
    previous: Option<Point>,
}

impl Encoder {
    pub(crate) fn new(code: Code, size: BoardSize) -> Encoder {
        Encoder { code, size, frame: Frame::FIRST, previous: None }
    }

    /// Starts after the first point of a run, with the axes that the run's own points determine.
    pub(crate) fn after_first(code: Code, size: BoardSize, run: &[Point]) -> Encoder {
        Encoder { code, size, frame: Frame::decided_by(run, size), previous: run.first().copied() }
    }

    fn restart(&mut self) {
        self.previous = None;
    }

    /// The symbol of a point if it is played next.
    pub(crate) fn symbol_of(&self, point: Point) -> Symbol {
        Encoder { ..*self }.next(point)
    }

    #[inline]
    pub(crate) fn next(&mut self, point: Point) -> Symbol {
        let symbol = match (self.code, self.previous) {
            (Code::Position, _) => Code::position_symbol(point, self.size),
            (Code::Distance, None) => Code::position_symbol(point, self.size),
            (_, None) => Code::first_symbol(point, self.size),
            (_, Some(previous)) => {
                self.frame = Frame::at(previous, self.size, self.frame);
                self.code.step_symbol(self.frame, previous, point)
            }
        };
        self.previous = Some(point);
        symbol
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tejun_games::GameRecord;
    use tejun_games::go::Symmetry;
    use tejun_games::sgf;

    fn record(text: &str) -> GameRecord {
        let tree = sgf::Reader::new(text).next().expect("a game");
        sgf::main_line(&tree).expect("a record")
    }

    fn encode_record(code: Code, record: &GameRecord) -> Vec<Segment> {
        encode(code, &Board::new(record.size), record.moves.iter().copied())
    }

    #[test]
    fn passes_and_double_moves_break_the_text() {
        let game = record("(;SZ[19];B[pd];W[dp];B[pp];W[];B[dd];B[qf];W[nc])");
        let runs: Vec<(usize, usize)> =
            encode_record(Code::Relative, &game).iter().map(|s| (s.first_move, s.symbols.len())).collect();
        assert_eq!(runs, [(0, 3), (4, 1), (5, 2)]);
        let first = encode_record(Code::Relative, &game)[2].symbols[0];
        assert!(Code::is_first(first));
    }

    #[test]
    fn a_game_and_its_mirror_images_have_one_text() {
        let game = record("(;SZ[19];B[qd];W[dc];B[dq];W[po];B[cf];W[fd];B[hc];W[oc];B[qh])");
        for code in [Code::Simple, Code::Relative, Code::Position, Code::Distance, Code::Surroundings] {
            let original = encode_record(code, &game);
            for symmetry in Symmetry::ALL {
                let mut twin = game.clone();
                for m in &mut twin.moves {
                    m.point = m.point.map(|p| symmetry.apply(p, game.size));
                }
                assert_eq!(encode_record(code, &twin), original, "{code} {symmetry:?}");
            }
        }
    }

    /// The points after a start, given as steps along rows and columns.
    fn walk(start: (i16, i16), steps: &[(i16, i16)]) -> Vec<Point> {
        let ends = steps.iter().scan(start, |at, step| {
            *at = (at.0 + step.0, at.1 + step.1);
            Some(*at)
        });
        std::iter::once(start).chain(ends).map(|(x, y)| Point::new(x as u8, y as u8)).collect()
    }

    fn simple(line: &[Point]) -> Vec<String> {
        let strings = encode_line(Code::Simple, BoardSize::NINETEEN, line);
        strings[0].iter().map(|&symbol| Code::Simple.describe(symbol)).collect()
    }

    /// Figure 1 of Nakamura 2002: the eight knight's moves (桂馬, *keima*) have one code.
    #[test]
    fn the_eight_knights_moves_are_alike() {
        for step in [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)] {
            assert_eq!(simple(&walk((9, 9), &[step])), ["1 and 2 away"]);
        }
    }

    /// Figure 2: turned, mirrored and moved, a sequence has one string, c01 c01 c12 c12 c03 c13.
    #[test]
    fn a_sequence_is_the_same_wherever_it_is_played() {
        let size = BoardSize::NINETEEN;
        let steps = [(1, 0), (0, 1), (-2, -1), (1, 2), (0, -3), (3, 1)];
        let expected = [
            "1 away in a line",
            "1 away in a line",
            "1 and 2 away",
            "1 and 2 away",
            "3 away in a line",
            "1 and 3 away",
        ];
        for start in [(3, 6), (4, 7), (10, 5)] {
            for symmetry in Symmetry::ALL {
                let line: Vec<Point> = walk(start, &steps).iter().map(|&p| symmetry.apply(p, size)).collect();
                assert_eq!(simple(&line), expected);
            }
        }
        let relative = |line: &[Point]| encode_line(Code::Relative, size, line);
        let line = walk((3, 6), &steps);
        for symmetry in Symmetry::ALL {
            let twin: Vec<Point> = line.iter().map(|&p| symmetry.apply(p, size)).collect();
            assert_eq!(relative(&twin), relative(&line), "{symmetry:?}");
        }
    }

    /// Figure 3: four shapes share c01 c11 c01 c11 c01 c11 in ES; ER distinguishes them.
    #[test]
    fn only_the_relative_code_distinguishes_shapes() {
        let shapes: [&[(i16, i16)]; 4] = [
            &[(0, 1), (1, 1), (0, 1), (1, 1), (0, 1), (1, 1)],
            &[(0, 1), (1, 1), (1, 0), (1, 1), (0, 1), (1, 1)],
            &[(0, 1), (1, 1), (0, -1), (1, 1), (0, -1), (1, 1)],
            &[(0, 1), (1, -1), (0, 1), (1, -1), (0, 1), (1, -1)],
        ];
        let lines = shapes.map(|steps| walk((2, 7), steps));
        for line in &lines {
            let names = ["1 away in a line", "1 and 1 away"];
            assert_eq!(simple(line), [names, names, names].concat());
        }
        let relative = lines.map(|line| encode_line(Code::Relative, BoardSize::NINETEEN, &line));
        for (i, strings) in relative.iter().enumerate() {
            assert!(relative[..i].iter().all(|other| other != strings), "shape {i}");
        }
    }

    /// A corner stone on the diagonal does not determine which axis is x.
    #[test]
    fn lines_from_a_diagonal_have_two_strings() {
        let size = BoardSize::NINETEEN;
        let points = |line: &str| -> Vec<Point> {
            line.split(' ').filter_map(|p| Point::from_sgf(p.as_bytes().try_into().ok()?)).collect()
        };
        assert_eq!(encode_line(Code::Relative, size, &points("pd nc qf pb")).len(), 2);
        assert_eq!(encode_line(Code::Relative, size, &points("nc qf pb")).len(), 1);
        assert_eq!(encode_line(Code::Simple, size, &points("pd nc qf pb")).len(), 1);
    }
}
