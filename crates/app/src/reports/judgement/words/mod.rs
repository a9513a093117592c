//! Comments in plain words.

mod chinese;
mod english;
mod japanese;
mod korean;

use clap::ValueEnum;
use tejun_games::go::{BoardSize, Color, Point};
use tejun_knowledge::evaluation::MoveValue;
use tejun_knowledge::judging::{ExchangeKind, JudgedMove, MomentReason, MoveTag, Verdict};
use tejun_knowledge::sequences::Joseki;

use crate::reports::judgement::line_moves;
use crate::reports::judgement::words::chinese::Chinese;
use crate::reports::judgement::words::english::English;
use crate::reports::judgement::words::japanese::Japanese;
use crate::reports::judgement::words::korean::Korean;

/// Known continuations that are named.
const MAX_KNOWN: usize = 5;
/// Details of a move that are named.
const MAX_DETAILS: usize = 3;

/// A language that reports are written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, ValueEnum)]
pub enum Language {
    /// English
    #[default]
    En,
    /// Japanese
    Ja,
    /// Chinese (simplified)
    Zh,
    /// Korean
    Ko,
}

impl Language {
    /// The code for commands and pages.
    pub fn code(self) -> &'static str {
        match self {
            Language::En => "en",
            Language::Ja => "ja",
            Language::Zh => "zh",
            Language::Ko => "ko",
        }
    }

    /// The language of a locale such as `ja_JP.UTF-8`; English for all other languages.
    pub fn of_locale(locale: &str) -> Language {
        let language = locale.split(['_', '.', '-', '@']).next().unwrap_or_default();
        let mut all = Language::value_variants().iter().copied();
        all.find(|known| known.code() == language).unwrap_or_default()
    }

    pub(crate) fn phrases(self) -> &'static dyn Phrases {
        match self {
            Language::En => &English,
            Language::Ja => &Japanese,
            Language::Zh => &Chinese,
            Language::Ko => &Korean,
        }
    }
}

/// A part of the board, in thirds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// 0 is left, 2 right.
    pub(crate) column: usize,
    /// 0 is above, 2 below.
    pub(crate) row: usize,
}

impl Place {
    pub(crate) fn of(point: Point, size: BoardSize) -> Place {
        let third = |coordinate: u8| usize::from(coordinate) * 3 / usize::from(size.get());
        Place { column: third(point.x()), row: third(point.y()) }
    }
}

/// What is said about a move, in the mover's view.
pub(crate) struct Facts {
    pub(crate) verdict: Verdict,
    pub(crate) color: Color,
    /// The win rate before the move and after it.
    pub(crate) rates: Option<[f64; 2]>,
    /// The standard deviation of the error of the loss.
    pub(crate) error: f64,
    /// Points given away, if they are worth a word.
    pub(crate) points_lost: Option<f64>,
    /// The move that most players would have chosen instead, and how much worse it is.
    pub(crate) expected: Option<(String, f64)>,
}

/// Points given away are reported from here on.
const MIN_POINTS: f64 = 1.0;
/// The better move is named if the search prefers it by this much.
const CLEARLY_BETTER: f64 = 0.015;

/// How many players would choose a move. Few would find a good move, so that no comment contradicts itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frequency {
    Most,
    Many,
    Some,
    Few,
    HardlyAny,
}

impl Frequency {
    pub(crate) fn of(share: f64) -> Frequency {
        match share {
            0.5.. => Frequency::Most,
            0.3.. => Frequency::Many,
            0.15.. => Frequency::Some,
            0.02.. => Frequency::Few,
            _ => Frequency::HardlyAny,
        }
    }
}

/// The labels of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    Curve,
    MoveNumber,
    Players,
    Player,
    Moves,
    MeanLoss,
    Moments,
    NoMoments,
    Candidate,
    Visits,
    Expected,
    Line,
    Played,
    Preferred,
    Komi,
    Handicap,
    Result,
    Made,
    Game,
    Evaluator,
    Version,
    Caution,
    Points,
    Replay,
    Start,
    FirstMove,
    TenBack,
    OneBack,
    OneForward,
    TenForward,
    LastMove,
    PreviousMoment,
    NextMoment,
    Keys,
    Details,
    JudgedMoves,
    Opening,
    MiddleGame,
    Endgame,
    WholeGame,
    AsExpected,
    Verdicts,
    Highlights,
    BestMove,
    WorstMove,
    MeanLossMeans,
    AsExpectedMeans,
    HighlightsMean,
    VisitsMean,
    RateMeans,
    ExpectedMeans,
    LineMeans,
    OwnershipMeans,
    LostStones,
    /// With `{color}`, `{n}` and `{point}`; at least two stones.
    GroupDies,
    /// With `{move}`, `{color}`, `{n}` and `{point}`; at least two stones.
    GroupWouldDie,
}

/// The words of a language.
pub(crate) trait Phrases: Sync {
    fn point(&self, size: BoardSize, point: Option<Point>) -> String;
    fn color(&self, color: Color) -> &'static str;
    /// A move with its number from 1.
    fn heading(&self, number: usize, color: Color, name: &str) -> String;
    /// What a move does or is; `None` if it need not be mentioned.
    fn tag(&self, tag: MoveTag, place: Place) -> Option<String>;
    /// The move and what can be seen on the board.
    fn what(&self, color: Color, name: &str, details: &[String]) -> String;
    fn joseki(&self, joseki: &Joseki, size: BoardSize) -> String;
    fn verdict(&self, verdict: Verdict) -> &'static str;
    /// The verdict in a sentence, with its numbers; `None` if there is nothing to say.
    fn judged(&self, facts: &Facts) -> Option<String>;
    /// How many players would choose the move.
    fn expected(&self, probability: f64) -> String;
    /// What would have been better: the names of a line's points.
    fn better(&self, line: &[String]) -> String;
    /// Why the move is worth studying, if the verdict does not say it.
    fn moment(&self, reason: MomentReason, color: Color) -> Option<String>;
    /// The exchange that the move belongs to; the numbers of its moves, from 1.
    fn exchange(&self, kind: ExchangeKind, first: usize, last: usize) -> String;
    /// The head of a column of one side's win rates.
    fn rate_of(&self, color: Color) -> String;
    /// The comment on a variation: the win rate that the search expects.
    fn alternative(&self, color: Color, win_rate: f64) -> String;
    fn label(&self, label: Label) -> &'static str;
}

/// A share in whole percent; 0 and 100 are never reached.
pub(crate) fn percent(share: f64) -> String {
    match share {
        ..0.005 => "<1%".into(),
        0.995.. => ">99%".into(),
        _ => format!("{:.0}%", 100.0 * share),
    }
}

/// A probability: with a decimal where whole percent say too little.
pub(crate) fn probability(share: f64) -> String {
    match share {
        ..0.001 => "<0.1%".into(),
        ..0.03 => format!("{:.1}%", 100.0 * share),
        _ => percent(share),
    }
}

/// The comment on a move, one or two sentences per line.
pub(crate) fn sentences(
    phrases: &dyn Phrases,
    size: BoardSize,
    judged: &JudgedMove,
    joseki: Option<&Joseki>,
) -> Vec<String> {
    let mut lines = vec![what(phrases, size, judged)];
    lines.extend(joseki.map(|joseki| phrases.joseki(joseki, size)));
    let moment = judged.moment.and_then(|moment| phrases.moment(moment.reason, judged.played.color));
    lines.extend(moment);
    lines.extend(phrases.judged(&facts(phrases, size, judged)));
    lines.extend(judged.exchange.map(|e| phrases.exchange(e.kind, e.first + 1, e.last + 1)));
    lines.extend(better(judged).map(|best| {
        let line: Vec<String> = line_moves(best, judged.played.color).map(|m| phrases.point(size, m.point)).collect();
        phrases.better(&line)
    }));
    lines.extend(judged.probability().map(|share| phrases.expected(share)));
    lines
}

fn what(phrases: &dyn Phrases, size: BoardSize, judged: &JudgedMove) -> String {
    let name = phrases.point(size, judged.played.point);
    let place = judged.played.point.map_or(Place { column: 1, row: 1 }, |point| Place::of(point, size));
    let mut tags: Vec<MoveTag> = judged.tags.iter().copied().filter(|&tag| is_worth_it(tag, &judged.tags)).collect();
    tags.sort_by_key(|&tag| rank(tag));
    let details = tags.iter().filter_map(|&tag| phrases.tag(tag, place)).take(MAX_DETAILS);
    phrases.what(judged.played.color, &name, &details.collect::<Vec<String>>())
}

/// Whether a tag says something that the other ones do not.
fn is_worth_it(tag: MoveTag, tags: &[MoveTag]) -> bool {
    let any = |is_such: fn(&MoveTag) -> bool| tags.iter().any(is_such);
    match tag {
        MoveTag::Captures { .. } => !any(|tag| matches!(tag, MoveTag::TakesKo)),
        MoveTag::Atari { .. } => {
            !any(|tag| matches!(tag, MoveTag::DoubleAtari | MoveTag::Ladder { .. } | MoveTag::NoEscape { .. }))
        }
        // Such a move is expected to be elsewhere.
        MoveTag::Elsewhere => !any(|tag| matches!(rank(*tag), Rank::KoThreat | Rank::Place)),
        // The line is reported only for a move that has no other name.
        MoveTag::Line(_) => tags.len() == 1,
        _ => true,
    }
}

/// What is said first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Capture,
    KoThreat,
    Atari,
    Rescue,
    SelfAtari,
    Cut,
    Place,
    Connection,
    Shape,
    Elsewhere,
}

fn rank(tag: MoveTag) -> Rank {
    match tag {
        MoveTag::Captures { .. } | MoveTag::TakesKo => Rank::Capture,
        MoveTag::KoThreat => Rank::KoThreat,
        MoveTag::Atari { .. } | MoveTag::DoubleAtari | MoveTag::Ladder { .. } | MoveTag::NoEscape { .. } => Rank::Atari,
        MoveTag::Saves { .. } => Rank::Rescue,
        MoveTag::ThrowIn | MoveTag::SelfAtari { .. } => Rank::SelfAtari,
        MoveTag::Cuts | MoveTag::Peep => Rank::Cut,
        MoveTag::Corner(_)
        | MoveTag::Approach(_)
        | MoveTag::ApproachAt(_)
        | MoveTag::Pincer { .. }
        | MoveTag::ThreeThree
        | MoveTag::Invasion
        | MoveTag::Splits
        | MoveTag::Reduction
        | MoveTag::Enclosure(_) => Rank::Place,
        MoveTag::Connects { .. } => Rank::Connection,
        MoveTag::Shape(_) => Rank::Shape,
        MoveTag::Elsewhere | MoveTag::Line(_) => Rank::Elsewhere,
    }
}

/// The move that the search clearly prefers to the one played.
pub(crate) fn better(judged: &JudgedMove) -> Option<&MoveValue> {
    let is_better = judged.difference(judged.played.point).is_none_or(|difference| difference > CLEARLY_BETTER);
    let lost = judged.loss.is_none_or(|loss| loss.value > CLEARLY_BETTER);
    judged.preferred().filter(|_| is_better && lost)
}

fn facts(phrases: &dyn Phrases, size: BoardSize, judged: &JudgedMove) -> Facts {
    let expected = judged.signals.expected.zip(judged.expected_is_worse_by());
    Facts {
        verdict: judged.verdict,
        color: judged.played.color,
        rates: judged.rates,
        error: judged.loss.map_or(0.0, |loss| loss.error),
        points_lost: judged.points_lost.map(|points| points.value).filter(|&points| points >= MIN_POINTS),
        expected: expected.map(|(expected, worse)| (phrases.point(size, Some(expected.point)), worse)),
    }
}

#[cfg(test)]
mod tests;
