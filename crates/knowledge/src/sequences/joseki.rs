//! Which moves of a game follow known lines in the corners, and which leave them?

use std::collections::HashMap;

use tejun_games::GameRecord;
use tejun_games::go::{BoardSize, Color, Point, Symmetry};

use crate::sequences::dictionary::{Dictionary, KnownLine};
use crate::sequences::shape::toward_upper_right;

/// Minimum number of known moves in a corner before leaving a line is reported; every first move is known.
const MIN_FOLLOWED: usize = 2;

/// A line of the dictionary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JosekiLine {
    /// Its number in the dictionary, from 1.
    pub number: usize,
    /// Its name in the dictionary.
    pub name: Option<String>,
}

/// How a move relates to the known lines of its corner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Joseki {
    /// The moves in the corner so far are the beginning of a known line.
    Follows {
        /// The first of those lines; lines that end here come first.
        line: JosekiLine,
        /// Number of known lines that begin with these moves.
        n_lines: usize,
        /// Whether a line ends here.
        is_complete: bool,
    },
    /// The moves before this one are known, this one is not.
    Leaves {
        /// The first line that the move leaves.
        line: JosekiLine,
        /// The known continuations, those with the most lines first.
        known: Vec<Point>,
    },
}

/// For each move of a game, its relation to the known lines; `None` where there is none.
///
/// A corner is a quarter of the board, and the order of its moves matters: a line
/// played in another order is not recognized, nor is anything after one side played
/// twice. Points on the middle lines belong to the corner whose lines contain them.
/// Corners with setup stones are skipped.
pub fn follow_joseki(dictionary: &Dictionary, record: &GameRecord) -> Vec<Option<Joseki>> {
    let lines = Lines::new(dictionary, record.size);
    let mut corners: Vec<JosekiCorner> =
        Quarter::ALL.into_iter().map(|quarter| JosekiCorner::new(quarter, record)).collect();
    let follow = |played: &tejun_games::Move| {
        let point = played.point?;
        corners.iter_mut().find_map(|corner| corner.play(&lines, played.color, point))
    };
    record.moves.iter().map(follow).collect()
}

/// The lines as a tree of their beginnings, each turned to the upper right.
struct Lines<'d> {
    dictionary: &'d Dictionary,
    size: BoardSize,
    nodes: Vec<LineNode>,
}

#[derive(Default)]
struct LineNode {
    children: HashMap<Point, usize>,
    /// The first line that passes through this node.
    first: usize,
    n_lines: usize,
    /// The first line that ends here.
    ends: Option<usize>,
}

impl<'d> Lines<'d> {
    fn new(dictionary: &'d Dictionary, size: BoardSize) -> Lines<'d> {
        let mut lines = Lines { dictionary, size, nodes: vec![LineNode::default()] };
        for (index, line) in dictionary.lines.iter().enumerate() {
            lines.add(index, line);
        }
        lines
    }

    fn add(&mut self, index: usize, line: &KnownLine) {
        let symmetry = toward_upper_right(&line.points, self.size);
        let mut at = 0;
        // A line that continues in another corner ends in this one.
        let is_near =
            |p: &Point| [self.size.get() - 1 - p.x(), p.y()].iter().all(|&far| far <= self.size.get() / 2 + 2);
        let points = line.points.iter().map(|&point| symmetry.apply(point, self.size)).take_while(is_near);
        for point in points.collect::<Vec<_>>() {
            let fresh = self.nodes.len();
            let next = *self.nodes[at].children.entry(point).or_insert(fresh);
            if next == fresh {
                self.nodes.push(LineNode { first: index, ..LineNode::default() });
            }
            at = next;
            self.nodes[at].n_lines += 1;
        }
        self.nodes[at].ends.get_or_insert(index);
    }

    fn line(&self, index: usize) -> JosekiLine {
        JosekiLine { number: index + 1, name: self.dictionary.lines[index].name.clone() }
    }
}

/// A corner of the board.
#[derive(Clone, Copy)]
struct Quarter {
    is_right: bool,
    is_lower: bool,
}

impl Quarter {
    const ALL: [Quarter; 4] = [
        Quarter { is_right: true, is_lower: false },
        Quarter { is_right: true, is_lower: true },
        Quarter { is_right: false, is_lower: true },
        Quarter { is_right: false, is_lower: false },
    ];

    fn has(self, point: Point, size: BoardSize) -> bool {
        let is_in = |coordinate: u8, is_high: bool| {
            let [doubled, middle] = [2 * coordinate, size.get() - 1];
            if is_high { doubled > middle } else { doubled < middle }
        };
        is_in(point.x(), self.is_right) && is_in(point.y(), self.is_lower)
    }

    /// The two symmetries that map this corner to the upper right.
    fn symmetries(self, size: BoardSize) -> impl Iterator<Item = Symmetry> {
        let last = size.get() - 1;
        let tip = Point::new(if self.is_right { last } else { 0 }, if self.is_lower { last } else { 0 });
        Symmetry::ALL.into_iter().filter(move |symmetry| symmetry.apply(tip, size) == Point::new(last, 0))
    }
}

/// The moves in a corner so far.
struct JosekiCorner {
    quarter: Quarter,
    /// The symmetries and nodes that match the moves so far; empty after the known lines were left.
    places: Vec<(Symmetry, usize)>,
    n_moves: usize,
    last: Option<Color>,
}

impl JosekiCorner {
    fn new(quarter: Quarter, record: &GameRecord) -> JosekiCorner {
        let mut stones = record.setup_black.iter().chain(&record.setup_white);
        let is_free = !stones.any(|&p| quarter.has(p, record.size));
        let places = quarter.symmetries(record.size).filter(|_| is_free).map(|symmetry| (symmetry, 0));
        JosekiCorner { quarter, places: places.collect(), n_moves: 0, last: None }
    }

    fn play(&mut self, lines: &Lines<'_>, color: Color, point: Point) -> Option<Joseki> {
        let size = lines.size;
        let mut next: Vec<(Symmetry, usize)> = Vec::new();
        if self.last != Some(color) {
            let known = |&(symmetry, at): &(Symmetry, usize)| {
                Some((symmetry, *lines.nodes[at].children.get(&symmetry.apply(point, size))?))
            };
            next.extend(self.places.iter().filter_map(known));
        }
        if next.is_empty() && !self.quarter.has(point, size) {
            return None;
        }
        let before = std::mem::replace(&mut self.places, next);
        let (n_before, last) = (self.n_moves, self.last);
        (self.n_moves, self.last) = (n_before + 1, Some(color));
        match self.places.first() {
            Some(_) => (self.n_moves >= MIN_FOLLOWED).then(|| self.follows(lines)),
            // If one side plays twice in a row, the opponent left the corner, not this move.
            None if n_before >= MIN_FOLLOWED && last != Some(color) => leaves(lines, &before),
            None => None,
        }
    }

    fn follows(&self, lines: &Lines<'_>) -> Joseki {
        let nodes = || self.places.iter().map(|&(_, at)| &lines.nodes[at]);
        let ends = nodes().filter_map(|node| node.ends).min();
        let first = nodes().map(|node| node.first).min().unwrap_or(0);
        // Both orientations of a symmetric beginning lead to the same node.
        let mut places: Vec<usize> = self.places.iter().map(|place| place.1).collect();
        places.dedup();
        Joseki::Follows {
            line: lines.line(ends.unwrap_or(first)),
            n_lines: places.iter().map(|&at| lines.nodes[at].n_lines).sum(),
            is_complete: ends.is_some(),
        }
    }
}

/// The known continuations; `None` if the lines end here.
fn leaves(lines: &Lines<'_>, before: &[(Symmetry, usize)]) -> Option<Joseki> {
    let mut counts: HashMap<Point, usize> = HashMap::new();
    for &(symmetry, at) in before {
        for (&point, &child) in &lines.nodes[at].children {
            *counts.entry(symmetry.inverse().apply(point, lines.size)).or_default() += lines.nodes[child].n_lines;
        }
    }
    let first = before.iter().map(|&(_, at)| lines.nodes[at].first).min()?;
    let mut known: Vec<(Point, usize)> = counts.into_iter().collect();
    known.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let known: Vec<Point> = known.into_iter().map(|next| next.0).collect();
    (!known.is_empty()).then(|| Joseki::Leaves { line: lines.line(first), known })
}

#[cfg(test)]
mod tests {
    use tejun_games::Move;

    use super::*;

    fn points(letters: &str) -> Vec<Point> {
        letters.split(' ').filter_map(|p| Point::from_sgf(p.as_bytes().try_into().ok()?)).collect()
    }

    fn dictionary() -> Dictionary {
        let line =
            |letters: &str, name: Option<&str>| KnownLine { points: points(letters), name: name.map(String::from) };
        let mut lines =
            vec![line("pd qf nc rd qc qi", Some("slide")), line("pd qf nc rd qh", None), line("qd od oc", None)];
        lines.sort();
        Dictionary { lines }
    }

    fn follow(letters: &str, symmetry: Symmetry) -> Vec<Option<Joseki>> {
        let mut record = GameRecord::new(BoardSize::NINETEEN);
        let colors = [Color::Black, Color::White].into_iter().cycle();
        let moves = points(letters).into_iter().map(|p| symmetry.apply(p, record.size));
        record.moves = moves.zip(colors).map(|(p, color)| Move { color, point: Some(p) }).collect();
        follow_joseki(&dictionary(), &record)
    }

    fn followed(number: usize, name: Option<&str>, n_lines: usize, is_complete: bool) -> Option<Joseki> {
        let line = JosekiLine { number, name: name.map(String::from) };
        Some(Joseki::Follows { line, n_lines, is_complete })
    }

    #[test]
    fn a_line_is_followed_to_its_end_in_every_corner() {
        for symmetry in Symmetry::ALL {
            let found = follow("pd qf nc rd qc qi", symmetry);
            assert_eq!(found[1], followed(1, Some("slide"), 2, false), "{symmetry:?}");
            assert_eq!(found[4], followed(1, Some("slide"), 1, false));
            assert_eq!(found[5], followed(1, Some("slide"), 1, true));
        }
        assert_eq!(follow("pd qf nc rd qh", Symmetry::ALL[0])[4], followed(2, None, 1, true));
    }

    #[test]
    fn leaving_a_line_names_its_known_continuations() {
        for symmetry in Symmetry::ALL {
            let found = follow("pd qf nc rd qg", symmetry);
            let known: Vec<Point> = points("qc qh").iter().map(|&p| symmetry.apply(p, BoardSize::NINETEEN)).collect();
            let Some(Joseki::Leaves { line, known: mut instead }) = found[4].clone() else { panic!("{:?}", found[4]) };
            instead.sort_by_key(|p| known.iter().position(|q| q == p));
            assert_eq!((line.number, instead), (1, known));
        }
    }

    #[test]
    fn a_line_that_continues_elsewhere_ends_in_its_corner() {
        let line = KnownLine { points: points("pd qf nc dp cd"), name: None };
        let mut record = GameRecord::new(BoardSize::NINETEEN);
        let colors = [Color::Black, Color::White].into_iter().cycle();
        let moves = points("pd qf nc qi").into_iter().zip(colors);
        record.moves = moves.map(|(p, color)| Move { color, point: Some(p) }).collect();
        let found = follow_joseki(&Dictionary { lines: vec![line] }, &record);
        assert_eq!(found[2..], [followed(1, None, 1, true), None]);
    }

    #[test]
    fn other_corners_do_not_disturb() {
        let found = follow("pd dd qf pp nc dp", Symmetry::ALL[0]);
        // White plays elsewhere, so Black plays twice in the corner, which no line does.
        assert_eq!(found[2], None);
        let found = follow("pd qf dp dd nc rd", Symmetry::ALL[0]);
        assert_eq!(found[5], followed(1, Some("slide"), 2, false));
        assert_eq!([&found[0], &found[3]], [&None, &None], "first moves say nothing");
    }

    #[test]
    fn nothing_is_reported_after_the_end_of_a_line() {
        let found = follow("qd od oc pc pd", Symmetry::ALL[0]);
        assert_eq!(found[2], followed(3, None, 1, true));
        assert_eq!(found[3..], [None, None]);
    }
}
