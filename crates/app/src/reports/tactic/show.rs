//! The report of `tejun tactic show`: a set of points on the board, part by part.

use std::collections::HashMap;

use tejun_games::go::{BoardSize, Color, Point};
use tejun_knowledge::tactics::{
    Leaf, Library, Mapping, NeighborOperator, Points, Program, SetOperator, TacticPosition, Values,
};

use crate::reports::diagram::{Diagram, Mark};
use crate::reports::page::{Figure, ReportPage};

/// A mapping with its parts; each part comes after the parts it is made of.
pub struct MappingSteps {
    board: Diagram,
    played: Option<Point>,
    steps: Vec<Step>,
}

/// One part.
struct Step {
    /// As it is written.
    text: String,
    /// Its description, which refers to other parts by their numbers.
    words: String,
    value: Points,
}

impl MappingSteps {
    /// The parts of a mapping with their values in a position.
    ///
    /// Equal parts are listed once. A part with a name is one step, except for
    /// the whole, which is always divided into its parts.
    pub fn new(position: &TacticPosition, size: BoardSize, mapping: &Mapping, library: &Library) -> MappingSteps {
        let mut parts = Parts { library, numbers: HashMap::new(), in_order: Vec::new() };
        parts.add_apart(mapping);
        let mut values = Values::default();
        let mappings = parts.in_order.iter().map(|(mapping, _)| *mapping);
        Program::compile(mappings).run(std::slice::from_ref(position), &mut values);
        let last = parts.in_order.len() - 1;
        let steps = parts.in_order.iter().enumerate().map(|(i, (mapping, words))| Step {
            text: if i == last { whole_text(mapping, library) } else { library.print(mapping) },
            words: words.clone(),
            value: *values.of(i, 0),
        });
        MappingSteps { board: position_diagram(position, size), played: None, steps: steps.collect() }
    }

    /// Marks the move that was played: a circle if it is among the points, else a triangle.
    pub fn with_played(self, played: Option<Point>) -> MappingSteps {
        MappingSteps { played, ..self }
    }

    /// The last step only: the value of the whole.
    pub fn whole(&self) -> Diagram {
        self.steps.last().map_or_else(|| self.board.clone(), |step| self.diagram(step))
    }

    fn diagram(&self, step: &Step) -> Diagram {
        let board = self.board.clone().with_title(&step.text);
        marked_diagram(board, &step.value, self.played)
    }

    /// A line of words and a board for each part.
    pub fn to_text(&self) -> String {
        let boards = self.steps.iter().map(|step| self.diagram(step).to_text());
        let heads = self.captions().map(|caption| caption.join("\n"));
        heads.zip(boards).map(|(head, board)| format!("{head}\n{board}")).collect::<Vec<_>>().join("\n")
    }

    /// A picture of each part.
    pub fn to_svgs(&self) -> Vec<String> {
        self.steps.iter().map(|step| self.diagram(step).to_svg()).collect()
    }

    /// Adds a board of each part to a page, and what the marks mean.
    pub fn add_to(&self, page: &mut ReportPage) {
        let played = match self.played {
            Some(_) => " The move played is marked with a circle if it is in the set, and with a triangle if not.",
            None => "",
        };
        page.words(&format!(
            "Each board shows one part of the set, and the last board the whole. Squares mark its points.{played}"
        ));
        let svgs = self.steps.iter().map(|step| self.diagram(step).with_title("").to_svg());
        let figures = self.captions().zip(svgs).map(|(caption, svg)| Figure { svg, caption });
        page.boards(&figures.collect::<Vec<_>>());
    }

    /// Number and text, then the words with the number of points.
    fn captions(&self) -> impl Iterator<Item = Vec<String>> {
        self.steps.iter().zip(1..).map(|(step, number): (_, usize)| {
            let n_points = points_words(step.value.len());
            vec![format!("{number}. {}", step.text), format!("{}: {n_points}", step.words)]
        })
    }
}

/// `1 point`, `2 points`.
pub fn points_words(n: usize) -> String {
    if n == 1 { "1 point".into() } else { format!("{n} points") }
}

/// The stones of a position, with a ring around the last one.
pub fn position_diagram(position: &TacticPosition, size: BoardSize) -> Diagram {
    let stones = |color: Color| position.graph.stones(color).iter().collect::<Vec<_>>();
    let diagram = Diagram::new(size)
        .with_stones(Color::Black, &stones(Color::Black))
        .with_stones(Color::White, &stones(Color::White));
    match position.last[0] {
        Some(last) => diagram.with_last_move(last),
        None => diagram,
    }
}

/// Squares on a set of points, and the move: a circle if it is among them, else a triangle.
pub fn marked_diagram(diagram: Diagram, set: &Points, played: Option<Point>) -> Diagram {
    let diagram = set.iter().fold(diagram, |diagram, point| diagram.with_mark(point, Mark::Square));
    match played {
        Some(point) if set.contains(point) => diagram.with_mark(point, Mark::Circle),
        Some(point) => diagram.with_mark(point, Mark::Triangle),
        None => diagram,
    }
}

/// A name with its definition, or the text alone.
fn whole_text(mapping: &Mapping, library: &Library) -> String {
    let (text, apart) = (library.print(mapping), library.print_apart(mapping));
    if text == apart { text } else { format!("{text} = {apart}") }
}

/// Parts in the order found, with their descriptions.
struct Parts<'m> {
    library: &'m Library,
    numbers: HashMap<&'m Mapping, usize>,
    in_order: Vec<(&'m Mapping, String)>,
}

impl<'m> Parts<'m> {
    /// The number of a part, from 1. A name is a single part.
    fn add(&mut self, mapping: &'m Mapping) -> usize {
        if let Some(&number) = self.numbers.get(mapping) {
            return number;
        }
        let Some(text) = self.library.text_of(mapping) else { return self.add_apart(mapping) };
        let words = match self.library.get(text) {
            Some(named) if named.words.is_empty() => self.library.print_apart(mapping),
            Some(named) => named.words.clone(),
            None => function_words(text).into(),
        };
        self.push(mapping, words)
    }

    /// The parser accepts at most a few hundred nested operators, so the recursion is bounded.
    fn add_apart(&mut self, mapping: &'m Mapping) -> usize {
        let numbers: Vec<usize> = mapping.parts().map(|part| self.add(part)).collect();
        self.push(mapping, words(mapping, &numbers))
    }

    fn push(&mut self, mapping: &'m Mapping, words: String) -> usize {
        self.in_order.push((mapping, words));
        self.numbers.insert(mapping, self.in_order.len());
        self.in_order.len()
    }
}

/// The description of an operator on the parts with these numbers.
fn words(mapping: &Mapping, parts: &[usize]) -> String {
    let part = |i: usize| parts.get(i).copied().unwrap_or_default();
    let (a, b) = (part(0), part(1));
    match mapping {
        Mapping::Leaf(leaf) => leaf_words(*leaf).into(),
        Mapping::Not(_) => format!("all points except those of {a}"),
        Mapping::Count(NeighborOperator::Adj, n, _) => format!("{n} or more of {a} among the point and its neighbors"),
        Mapping::Count(NeighborOperator::Pre, n, _) => {
            format!("{n} or more of {a} in the point's chain or adjacent to it")
        }
        Mapping::Count(NeighborOperator::Suc, n, _) => format!("in or adjacent to the chains of {n} or more of {a}"),
        Mapping::Join(SetOperator::And, ..) => format!("in {a} and in {b}"),
        Mapping::Join(SetOperator::Or, ..) => format!("in {a} or in {b}"),
        Mapping::Join(SetOperator::Minus, ..) => format!("in {a} but not in {b}"),
        Mapping::Join(SetOperator::Xor, ..) => format!("in {a} or in {b}, but not in both"),
    }
}

/// The description of a function of numbers.
fn function_words(text: &str) -> &'static str {
    match text.split('(').next() {
        Some("line") => "points of this line, counted from the edge",
        Some("at") => "points on these lines, counted from two edges",
        Some("liberties") => "stones of chains with this number of liberties",
        _ => "points of this function",
    }
}

fn leaf_words(leaf: Leaf) -> &'static str {
    match leaf {
        Leaf::Black => "black or empty",
        Leaf::White => "white or empty",
        Leaf::Own => "empty, or a stone of the side to move",
        Leaf::Opponent => "empty, or a stone of the opponent",
        Leaf::Last => "the last move",
        Leaf::BeforeLast => "the move before the last",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tejun_games::Move;

    /// White to move can take a black stone in the corner.
    fn position() -> (TacticPosition, BoardSize) {
        let size = BoardSize::new(5).expect("a size");
        let mut position = TacticPosition::of_board(&tejun_games::go::Board::new(size), Color::Black);
        for (color, point) in [(Color::White, Point::new(1, 0)), (Color::Black, Point::new(0, 0))] {
            position.play(Move { color, point: Some(point) });
        }
        (position, size)
    }

    const NAMES: &str = "let EMPTY = B & W # points without a stone\nlet OPP = P - O # stones of the opponent\n\
                         let H = !Pre_2(EMPTY)\nlet capture = Suc_1(OPP & H) & EMPTY # takes stones\n";

    #[track_caller]
    fn check(text: &str, expected: &[&str]) -> MappingSteps {
        let library = Library::parse(NAMES).expect("a library");
        let (position, size) = position();
        let steps = MappingSteps::new(&position, size, &library.mapping(text).expect("a set"), &library);
        let heads: Vec<String> = steps.captions().map(|caption| caption.join(" | ")).collect();
        assert_eq!(heads, expected);
        steps
    }

    #[test]
    fn parts_come_before_what_is_made_of_them() {
        check("B", &["1. B | black or empty: 24 points"]);
        check(
            "Adj_2(O) & !O ^ Adj_2(O)",
            &[
                "1. O | empty, or a stone of the side to move: 24 points",
                "2. Adj_2(O) | 2 or more of 1 among the point and its neighbors: 25 points",
                "3. !O | all points except those of 1: 1 point",
                "4. Adj_2(O) & !O | in 2 and in 3: 1 point",
                "5. Adj_2(O) & !O ^ Adj_2(O) | in 4 or in 2, but not in both: 24 points",
            ],
        );
    }

    #[test]
    fn functions_of_numbers_are_one_step() {
        check(
            "line(2) - B",
            &[
                "1. line(2) | points of this line, counted from the edge: 8 points",
                "2. B | black or empty: 24 points",
                "3. line(2) - B | in 1 but not in 2: 0 points",
            ],
        );
    }

    #[test]
    fn names_are_one_step_but_the_whole_is_not() {
        let steps = check(
            "capture",
            &[
                "1. OPP | stones of the opponent: 1 point",
                "2. H | !Pre_2(EMPTY): 1 point",
                "3. OPP & H | in 1 and in 2: 1 point",
                "4. Suc_1(OPP & H) | in or adjacent to the chains of 1 or more of 3: 3 points",
                "5. EMPTY | points without a stone: 23 points",
                "6. capture = Suc_1(OPP & H) & EMPTY | in 4 and in 5: 1 point",
            ],
        );
        assert_eq!(steps.to_svgs().len(), 6);
        let steps = steps.with_played(Some(Point::new(0, 1)));
        assert!(steps.whole().to_text().contains("\n4 @ . . . . 4\n"), "{}", steps.whole().to_text());
        let mut page = ReportPage::new("t", "");
        steps.add_to(&mut page);
        assert_eq!(page.to_html().matches("<figure").count(), 6);
        assert_eq!(steps.to_text().lines().filter(|line| line.starts_with("6. ")).count(), 1);
    }
}
