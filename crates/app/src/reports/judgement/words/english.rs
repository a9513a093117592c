//! Comments in English.

use tejun_games::go::{BoardSize, Color, Point};
use tejun_knowledge::judging::{CornerPoint, ExchangeKind, Height, MomentReason, MoveTag, Shape, Verdict};
use tejun_knowledge::sequences::{Joseki, JosekiLine};

use crate::reports::judgement::words::{Facts, Frequency, Label, MAX_KNOWN, Phrases, Place, percent, probability};

/// What English says.
pub(crate) struct English;

impl Phrases for English {
    fn point(&self, size: BoardSize, point: Option<Point>) -> String {
        point.map_or("pass".into(), |point| point.name(size))
    }

    fn color(&self, color: Color) -> &'static str {
        if color == Color::Black { "Black" } else { "White" }
    }

    fn heading(&self, number: usize, color: Color, name: &str) -> String {
        format!("Move {number}: {} {name}", self.color(color))
    }

    fn tag(&self, tag: MoveTag, place: Place) -> Option<String> {
        let stones = |n: usize| if n == 1 { "1 stone".into() } else { format!("{n} stones") };
        Some(match tag {
            MoveTag::Captures { n_stones } => format!("takes {}", stones(n_stones)),
            MoveTag::TakesKo => "takes the ko".into(),
            MoveTag::Atari { n_stones } => format!("atari on {}", stones(n_stones)),
            MoveTag::DoubleAtari => "double atari".into(),
            MoveTag::Ladder { n_stones } => format!("catches {} in a ladder", stones(n_stones)),
            MoveTag::NoEscape { n_stones: 1 } => "atari on 1 stone, which cannot escape".into(),
            MoveTag::NoEscape { n_stones } => format!("atari on {n_stones} stones, which cannot escape"),
            MoveTag::Saves { n_stones } => format!("saves {} from atari", stones(n_stones)),
            MoveTag::SelfAtari { .. } => "self-atari".into(),
            MoveTag::ThrowIn => "throw-in".into(),
            MoveTag::KoThreat => "ko threat".into(),
            MoveTag::Peep => "peep".into(),
            MoveTag::Connects { .. } => "connects".into(),
            MoveTag::Cuts => "cuts".into(),
            MoveTag::Corner(point) => format!("{} in the {}", corner_point(point), self::place(place)),
            MoveTag::Approach(form) => approach(form).into(),
            MoveTag::ApproachAt(point) => format!("approach at the {}", corner_point(point)),
            MoveTag::Pincer { n_spaces, height } => format!("{} {} pincer", spaces(n_spaces)?, self::height(height)),
            MoveTag::ThreeThree => "3-3 invasion".into(),
            MoveTag::Invasion => format!("invasion of the {}", self::place(place)),
            MoveTag::Splits => format!("splits the {}", self::place(place)),
            MoveTag::Reduction => "reduction".into(),
            MoveTag::Enclosure(form) => enclosure(form).into(),
            MoveTag::Shape(form) => shape(form).into(),
            MoveTag::Elsewhere => "plays elsewhere".into(),
            MoveTag::Line(line) => format!("on the {} line", ordinal(line)?),
        })
    }

    fn what(&self, color: Color, name: &str, details: &[String]) -> String {
        let color = self.color(color);
        if details.is_empty() { format!("{color} {name}.") } else { format!("{color} {name}: {}.", details.join(", ")) }
    }

    fn joseki(&self, joseki: &Joseki, size: BoardSize) -> String {
        match joseki {
            Joseki::Follows { line, is_complete: true, .. } => format!("Completes {}.", line_name(line)),
            Joseki::Follows { line, .. } => format!("Follows {}.", line_name(line)),
            Joseki::Leaves { line, known } => {
                let points: Vec<String> = known.iter().take(MAX_KNOWN).map(|p| p.name(size)).collect();
                let are = if points.len() == 1 { "move is" } else { "moves are" };
                format!("Leaves {}; the known {are} {}.", line_name(line), points.join(", "))
            }
        }
    }

    fn verdict(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Good => "good",
            Verdict::Interesting => "interesting",
            Verdict::Ordinary => "ordinary",
            Verdict::Unclear => "unclear",
            Verdict::Doubtful => "doubtful",
            Verdict::Bad => "bad",
        }
    }

    fn judged(&self, facts: &Facts) -> Option<String> {
        let color = self.color(facts.color);
        let cost = facts.points_lost.map_or(String::new(), |points| format!(" that costs {points:.1} points"));
        let drop = facts.rates.map_or(String::new(), |[before, after]| {
            format!(": {color}'s win rate falls from {} to {}", percent(before), percent(after))
        });
        Some(match facts.verdict {
            Verdict::Bad => format!("A mistake{cost}{drop}."),
            Verdict::Doubtful => format!("A doubtful move{cost}{drop}."),
            Verdict::Good => match &facts.expected {
                Some((name, worse)) => format!(
                    "A good move that few would find: the expected {name} would have cost {} of win rate.",
                    percent(*worse)
                ),
                None => "A good move that few would find.".into(),
            },
            Verdict::Interesting => "An unusual move that loses nothing.".into(),
            Verdict::Unclear => {
                let [before, after] = facts.rates?;
                let [before, after, error] = [before, after, facts.error].map(percent);
                format!("Possibly a loss, but within the error of the search: {before} becomes {after}, ±{error}.")
            }
            Verdict::Ordinary => {
                let [before, after] = facts.rates.map(|rates| rates.map(percent))?;
                match before == after {
                    true => format!("{color}'s win rate stays at {after}."),
                    false => format!("{color}'s win rate goes from {before} to {after}."),
                }
            }
        })
    }

    fn expected(&self, share: f64) -> String {
        let who = match Frequency::of(share) {
            Frequency::Most => "Most players",
            Frequency::Many => "Many players",
            Frequency::Some => "Some players",
            Frequency::Few => "Few players",
            Frequency::HardlyAny => "Hardly anyone",
        };
        format!("{who} would choose it ({}).", probability(share))
    }

    fn better(&self, line: &[String]) -> String {
        format!("Better: {}.", line.join(" "))
    }

    fn moment(&self, reason: MomentReason, color: Color) -> Option<String> {
        let color = self.color(color);
        match reason {
            MomentReason::TurningPoint => Some(format!("Turning point: {color} loses the lead here.")),
            MomentReason::NewMove => Some("A new move: no game of the collection has it.".into()),
            MomentReason::Find | MomentReason::Mistake | MomentReason::LeavesJoseki => None,
        }
    }

    fn exchange(&self, kind: ExchangeKind, first: usize, last: usize) -> String {
        let what = match kind {
            ExchangeKind::Ko => "ko fight",
            ExchangeKind::Atari => "exchange",
        };
        format!("Moves {first}–{last} are one {what} and are judged as a whole.")
    }

    fn rate_of(&self, color: Color) -> String {
        format!("{} wins", self.color(color))
    }

    fn alternative(&self, color: Color, win_rate: f64) -> String {
        format!("{}'s win rate with this continuation: {}.", self.color(color), percent(win_rate))
    }

    fn label(&self, label: Label) -> &'static str {
        match label {
            Label::Curve => "Black's win rate",
            Label::MoveNumber => "moves played",
            Label::Players => "The players",
            Label::Player => "player",
            Label::Moves => "moves",
            Label::MeanLoss => "mean loss",
            Label::Moments => "Key moments",
            Label::NoMoments => "No move of this game needs a comment.",
            Label::Candidate => "move",
            Label::Visits => "visits",
            Label::Expected => "expected",
            Label::Line => "continuation",
            Label::Played => "played",
            Label::Preferred => "what the search expects",
            Label::Komi => "komi",
            Label::Handicap => "handicap",
            Label::Result => "result",
            Label::Made => "How this page was made",
            Label::Game => "game",
            Label::Evaluator => "evaluator",
            Label::Version => "version",
            Label::Caution => {
                "Win rates are estimates, with noise removed. A loss is the win rate given away. “Expected” is the \
                 probability that a player would choose the move."
            }
            Label::Points => "Black's lead in points",
            Label::Replay => "Step through the game",
            Label::Start => "Start of the game",
            Label::FirstMove => "go to the start (Home)",
            Label::TenBack => "10 moves back (Page Up)",
            Label::OneBack => "one move back (left arrow)",
            Label::OneForward => "one move forward (right arrow)",
            Label::TenForward => "10 moves forward (Page Down)",
            Label::LastMove => "go to the end (End)",
            Label::PreviousMoment => "previous key moment (up arrow)",
            Label::NextMoment => "next key moment (down arrow)",
            Label::Keys => {
                "Keys: ← and → step anywhere on the page. Page Up, Page Down, Home, End, and ↑ and ↓ (key moments) work after a click on the board or on the curve."
            }
            Label::Details => "Diagram and candidates of this moment",
            Label::JudgedMoves => "judged moves",
            Label::Opening => "opening (1–50)",
            Label::MiddleGame => "middle game (51–150)",
            Label::Endgame => "endgame (from 151)",
            Label::WholeGame => "whole game",
            Label::AsExpected => "expected move played",
            Label::Verdicts => "verdicts",
            Label::Highlights => "best and worst move",
            Label::BestMove => "best",
            Label::WorstMove => "worst",
            Label::MeanLossMeans => "mean win rate lost per move, in percentage points",
            Label::AsExpectedMeans => {
                "share of moves for which the player chose the move that players most often choose there"
            }
            Label::HighlightsMean => {
                "the good move whose expected alternative is the worst, with the win rate that the alternative would have cost; and the move that lost the most win rate"
            }
            Label::VisitsMean => "how often the search tried the move",
            Label::RateMeans => "win rate after the move, on the same scale as the curve",
            Label::ExpectedMeans => {
                "probability that a player would choose the move; known for the move played and the most expected one"
            }
            Label::LineMeans => "the next moves, as expected by the search",
            Label::OwnershipMeans => "squares: probable territory before the move",
            Label::LostStones => "stones lost by the move",
            Label::GroupDies => "{color} loses the {n} stones at {point}.",
            Label::GroupWouldDie => "With {move}, {color} would lose the {n} stones at {point}.",
        }
    }
}

fn line_name(JosekiLine { number, name }: &JosekiLine) -> String {
    match name {
        Some(name) => format!("“{name}” (joseki {number})"),
        None => format!("joseki {number} of the dictionary"),
    }
}

fn corner_point(point: CornerPoint) -> &'static str {
    match point {
        CornerPoint::ThreeThree => "3-3 point",
        CornerPoint::ThreeFour => "3-4 point",
        CornerPoint::Star => "star point",
        CornerPoint::FiveThree => "5-3 point",
        CornerPoint::FiveFour => "5-4 point",
    }
}

fn approach(form: Shape) -> &'static str {
    match form {
        Shape::SmallKnight => "low approach (small knight)",
        Shape::LargeKnight => "low approach (large knight)",
        Shape::OneSpace => "one-space high approach",
        Shape::TwoSpace => "two-space high approach",
        _ => "approach",
    }
}

fn enclosure(form: Shape) -> &'static str {
    match form {
        Shape::SmallKnight => "small-knight enclosure",
        Shape::LargeKnight => "large-knight enclosure",
        Shape::OneSpace => "one-space enclosure",
        Shape::TwoSpace => "two-space enclosure",
        _ => "enclosure",
    }
}

fn height(height: Height) -> &'static str {
    match height {
        Height::Low => "low",
        Height::High => "high",
    }
}

fn spaces(n: u8) -> Option<&'static str> {
    ["one-space", "two-space", "three-space"].get(usize::from(n).checked_sub(1)?).copied()
}

fn shape(shape: Shape) -> &'static str {
    match shape {
        Shape::Extension => "extension",
        Shape::Descent => "descent",
        Shape::Hane => "hane",
        Shape::Diagonal => "diagonal move",
        Shape::DiagonalContact => "diagonal attachment",
        Shape::Wedge => "wedge",
        Shape::Contact => "attachment",
        Shape::ShoulderHit => "shoulder hit",
        Shape::Cap => "cap",
        Shape::OneSpace => "one-space jump",
        Shape::SmallKnight => "small knight's move",
        Shape::TwoSpace => "two-space jump",
        Shape::SideExtension => "two-space extension",
        Shape::LargeKnight => "large knight's move",
    }
}

fn place(Place { column, row }: Place) -> &'static str {
    const NAMES: [[&str; 3]; 3] = [
        ["upper left", "upper side", "upper right"],
        ["left side", "center", "right side"],
        ["lower left", "lower side", "lower right"],
    ];
    NAMES[row][column]
}

/// The lines up to the fourth, which are mentioned.
fn ordinal(line: u8) -> Option<&'static str> {
    ["first", "second", "third", "fourth"].get(usize::from(line).checked_sub(1)?).copied()
}
