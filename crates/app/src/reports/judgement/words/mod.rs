//! Comments in plain words.

mod english;
mod japanese;

use tejun_games::go::{BoardSize, Color, Point};
use tejun_knowledge::evaluation::MoveValue;
use tejun_knowledge::judging::{ExchangeKind, JudgedMove, MomentReason, MoveTag, Verdict};
use tejun_knowledge::sequences::Joseki;

use crate::reports::judgement::line_moves;
use crate::reports::judgement::words::english::English;
use crate::reports::judgement::words::japanese::Japanese;

/// Known continuations that are named.
const MAX_KNOWN: usize = 5;

/// A language that reports are written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Language {
    /// English
    #[default]
    En,
    /// Japanese
    Ja,
}

impl Language {
    /// The code for commands and pages.
    pub fn code(self) -> &'static str {
        match self {
            Language::En => "en",
            Language::Ja => "ja",
        }
    }

    /// The language of a locale such as `ja_JP.UTF-8`; English for all other languages.
    pub fn of_locale(locale: &str) -> Language {
        if locale.starts_with("ja") { Language::Ja } else { Language::En }
    }

    pub(crate) fn phrases(self) -> &'static dyn Phrases {
        match self {
            Language::En => &English,
            Language::Ja => &Japanese,
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
    let is_double = judged.tags.contains(&MoveTag::DoubleAtari);
    let is_worth_it = |tag: &MoveTag| match tag {
        MoveTag::Atari { .. } => !is_double,
        // The line is reported only for a move that has no other name.
        MoveTag::Line(_) => judged.tags.len() == 1,
        _ => true,
    };
    let tags = judged.tags.iter().filter(|tag| is_worth_it(tag));
    let details: Vec<String> = tags.filter_map(|&tag| phrases.tag(tag, place)).collect();
    phrases.what(judged.played.color, &name, &details)
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
mod tests {
    use super::*;
    use crate::reports::judgement::fixtures;

    #[track_caller]
    fn check(language: Language, index: usize, expected: &str) {
        let game = fixtures::small_game();
        let report = game.report(language);
        assert_eq!(report.comment(&game.judged.moves[index]).as_deref().unwrap_or("(nothing)"), expected.trim());
    }

    #[test]
    fn english_comments() {
        check(Language::En, 0, "(nothing)");
        check(
            Language::En,
            1,
            "\
White R14: approach with a small knight's move.
Follows line 1 “slide” of the dictionary.
A good move that few would find: the expected move, D4, would have cost 8% of win rate.
Hardly anyone would choose it (0.8%).",
        );
        check(
            Language::En,
            2,
            "\
Black O16: one-space jump.
Leaves line 1 “slide” of the dictionary here; known is O17.
Turning point: Black loses the lead here and does not get it back soon.
A mistake: Black's win rate drops from 55% to 38%, and 2.4 points are lost.
Better: O17 pass D4.
Most players would choose it (55%).",
        );
    }

    #[test]
    fn japanese_comments() {
        check(
            Language::Ja,
            1,
            "\
白R14：右上への小ゲイマガカリ。
定石1「slide」のとおり。
気付きにくい好手。予想されるD4では勝率が8%下がる。
めったに選ばれない手（0.8%）。",
        );
        check(
            Language::Ja,
            2,
            "\
黒O16：一間トビ。
ここで定石1「slide」を外れる。知られている手はO17。
局面の分岐点。ここから黒はリードを失った。
悪手。黒の勝率が55%から38%に下がり、2.4目の損。
まさる手順：O17 パス D4。
多くの人が選ぶ手（55%）。",
        );
    }

    #[test]
    fn what_is_not_known_is_not_mentioned() {
        let mut game = fixtures::small_game();
        let judged = &mut game.judged.moves[2];
        judged.signals = Default::default();
        (judged.loss, judged.rates, judged.points_lost, judged.moment) = (None, None, None, None);
        for value in judged.evaluation.iter_mut().flat_map(|e| &mut e.moves) {
            value.win_rate = None;
        }
        let judged = judged.clone();
        assert_eq!(game.report(Language::En).sentences(&judged)[2..], ["A mistake.", "Better: O17 pass D4."]);
        let silent = JudgedMove { evaluation: None, ..judged };
        assert_eq!(game.report(Language::Ja).sentences(&silent)[2..], ["悪手。"]);
    }

    #[test]
    fn every_sight_has_words_in_both_languages() {
        use tejun_knowledge::judging::{CornerPoint, Shape};
        let shapes = [
            Shape::Extension,
            Shape::Descent,
            Shape::Hane,
            Shape::Diagonal,
            Shape::DiagonalContact,
            Shape::Wedge,
            Shape::Contact,
            Shape::ShoulderHit,
            Shape::SideExtension,
            Shape::OneSpace,
            Shape::SmallKnight,
            Shape::TwoSpace,
            Shape::LargeKnight,
        ];
        let mut tags = vec![
            MoveTag::Captures { n_stones: 2 },
            MoveTag::TakesKo,
            MoveTag::Atari { n_stones: 1 },
            MoveTag::DoubleAtari,
            MoveTag::Ladder { n_stones: 3 },
            MoveTag::NoEscape { n_stones: 1 },
            MoveTag::Saves { n_stones: 4 },
            MoveTag::SelfAtari { n_stones: 1 },
            MoveTag::Connects { n_chains: 2 },
            MoveTag::Cuts,
            MoveTag::Corner(CornerPoint::ThreeFour),
            MoveTag::Elsewhere,
            MoveTag::Line(3),
        ];
        tags.extend(shapes.map(MoveTag::Shape));
        tags.extend(shapes[9..].iter().flat_map(|&shape| [MoveTag::Approach(shape), MoveTag::Enclosure(shape)]));
        let place = Place { column: 2, row: 0 };
        for tag in tags {
            let words = [Language::En, Language::Ja].map(|l| l.phrases().tag(tag, place).unwrap_or_default());
            assert!(words[0].is_ascii() && !words[0].is_empty(), "{tag:?}: {words:?}");
            assert!(!words[1].is_ascii(), "{tag:?}: {words:?}");
        }
    }

    #[test]
    fn languages_are_named() {
        let named = |code: &str| <Language as clap::ValueEnum>::from_str(code, false);
        assert_eq!(named(Language::Ja.code()), Ok(Language::Ja));
        assert!(named("fr").is_err());
        assert_eq!(Language::of_locale("ja_JP.UTF-8"), Language::Ja);
        assert_eq!(Language::of_locale("C"), Language::En);
    }
}
