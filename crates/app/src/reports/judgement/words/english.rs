//! Comments in English.

use tejun_games::go::{BoardSize, Color, Point};
use tejun_knowledge::judging::{CornerPoint, MoveTag, Shape, Verdict};
use tejun_knowledge::sequences::{Joseki, JosekiLine};

use crate::reports::judgement::words::{
    Label, MAX_KNOWN, Phrases, Place, Preference, Rated, SMALL_GAP, one_in, percent,
};
use crate::terminal::count;

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
            MoveTag::NoEscape { n_stones } => format!("{} can't get away", stones(n_stones)),
            MoveTag::Saves { n_stones } => format!("saves {} from atari", stones(n_stones)),
            MoveTag::SelfAtari { .. } => "has one liberty left".into(),
            MoveTag::Connects { .. } => "connects".into(),
            MoveTag::Cuts => "cuts".into(),
            MoveTag::Corner(point) => format!("{} in the {}", corner_point(point), self::place(place)),
            MoveTag::Approach(form) => format!("approach with a {}", shape(form)),
            MoveTag::Enclosure(form) => format!("encloses the corner with a {}", shape(form)),
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
                let verb = if points.len() == 1 { "is" } else { "are" };
                format!("Leaves {} here; known {verb} {}.", line_name(line), points.join(", "))
            }
        }
    }

    fn verdict(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Good => "good",
            Verdict::Interesting => "interesting",
            Verdict::Ordinary => "ordinary",
            Verdict::Doubtful => "doubtful",
            Verdict::Bad => "bad",
        }
    }

    fn judged(&self, verdict: Verdict, probability: f64) -> String {
        let percent = 100.0 * probability;
        // Few moves are mentioned at all, so even a small probability is remarkable.
        let (likely, often) = (if probability < 0.5 { "Possibly" } else { "Probably" }, one_in(probability));
        match verdict {
            Verdict::Good => format!("{likely} a good move: commentators would praise it {}.", times(often)),
            Verdict::Bad => format!("{likely} a mistake: commentators would criticize it {}.", times(often)),
            Verdict::Interesting => format!("An interesting move (probability {percent:.0}%)."),
            Verdict::Ordinary => format!("An ordinary move (probability {percent:.0}%)."),
            Verdict::Doubtful => format!("A doubtful move (probability {percent:.0}%)."),
        }
    }

    fn expected(&self, rank: Option<f64>, share: Option<f64>) -> Option<String> {
        Some(match (rank.map(f64::round), share) {
            (Some(1.0), Some(share)) => format!("The most expected move ({}).", percent(share)),
            (Some(rank), Some(share)) if share < 0.05 => {
                format!("Few would expect it: choice {rank} ({}).", percent(share))
            }
            (Some(rank), Some(share)) => format!("Expected as choice {rank} ({}).", percent(share)),
            (Some(rank), None) => format!("Expected as choice {rank}."),
            (None, Some(share)) => format!("Expected with {}.", percent(share)),
            (None, None) => return None,
        })
    }

    fn preference(&self, preference: &Preference) -> Vec<String> {
        let color = self.color(preference.color);
        let rate = |rated: &Rated| rated.win_rate.map(|share| format!("{color} {}", percent(share)));
        let best = &preference.best;
        let mut first = match (preference.is_played, rate(best), &preference.other) {
            (true, Some(rate), _) => format!("The search agrees: {rate}."),
            (true, None, _) => "The search agrees.".into(),
            (false, Some(of_best), Some(other)) if other.win_rate.is_some() => {
                let [high, low] = [best, other].map(|rated| rated.win_rate.unwrap_or_default());
                let points =
                    preference.points_lost.map_or(String::new(), |points| format!(", and {points:.1} points of score"));
                let of_other = rate(other).unwrap_or_default();
                let (best, other) = (&best.name, &other.name);
                if high - low < SMALL_GAP {
                    return vec![format!(
                        "The search tried {best} most ({of_best}), and rates {other} about the same ({of_other})."
                    )];
                }
                let gap = format!("{:.1} percentage points", 100.0 * (high - low));
                format!("The search prefers {best} ({of_best}) to {other} ({of_other}), a difference of {gap}{points}.")
            }
            (false, Some(rate), _) => format!("The search prefers {} ({rate}).", best.name),
            (false, None, _) => format!("The search prefers {}.", best.name),
        };
        if let Some(other) = preference.other.as_ref().filter(|_| preference.is_played)
            && let Some(rate) = rate(other)
        {
            first.push_str(&format!(" The next best is {}: {rate}.", other.name));
        }
        let line = (preference.line.len() > 1).then(|| format!("The line: {}.", preference.line.join(" ")));
        [first].into_iter().chain(line).collect()
    }

    fn rate_of(&self, color: Color) -> String {
        format!("{} wins", self.color(color))
    }

    fn alternative(&self, color: Color, win_rate: f64) -> String {
        format!("The search expects {} {} here.", self.color(color), percent(win_rate))
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
                "Win rates are estimates of the search. A loss is the win rate given away. “Expected” is the \
                 probability that a player would choose the move."
            }
        }
    }
}

fn line_name(JosekiLine { number, name }: &JosekiLine) -> String {
    match name {
        Some(name) => format!("line {number} “{name}” of the dictionary"),
        None => format!("line {number} of the dictionary"),
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

fn shape(shape: Shape) -> &'static str {
    match shape {
        Shape::Extension => "straight extension",
        Shape::Descent => "descent",
        Shape::Hane => "hane",
        Shape::Diagonal => "diagonal move",
        Shape::DiagonalContact => "diagonal contact play",
        Shape::Wedge => "wedge",
        Shape::Contact => "contact play",
        Shape::ShoulderHit => "shoulder hit",
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

/// How often, such as `about 1 time in 10`.
fn times((n, n_all): (u32, u32)) -> String {
    format!("about {} in {n_all}", count(n as usize, "time"))
}
