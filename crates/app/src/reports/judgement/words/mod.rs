//! Comments in plain words.

mod english;
mod japanese;

use tejun_games::go::{BoardSize, Color, Point};
use tejun_knowledge::judging::{JudgedMove, MoveTag, PredictorName, Verdict};
use tejun_knowledge::sequences::Joseki;

use crate::reports::judgement::words::english::English;
use crate::reports::judgement::words::japanese::Japanese;
use crate::reports::judgement::{best, line_moves, preferred};

/// Win rates that differ by less are reported as equal.
const SMALL_GAP: f64 = 0.005;

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

/// A candidate with the mover's win rate, where it is known.
pub(crate) struct Rated {
    pub(crate) name: String,
    pub(crate) win_rate: Option<f64>,
}

/// What the search thinks of the move played and of its own.
pub(crate) struct Preference {
    pub(crate) color: Color,
    /// What the search likes best.
    pub(crate) best: Rated,
    /// The move played if it is not the best, otherwise the second best.
    pub(crate) other: Option<Rated>,
    /// Whether the move played is the best.
    pub(crate) is_played: bool,
    /// Points given away.
    pub(crate) points_lost: Option<f64>,
    /// The names of the line's points.
    pub(crate) line: Vec<String>,
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
    fn judged(&self, verdict: Verdict, probability: f64) -> String;
    /// How expected a move was: its rank from 1, and its probability.
    fn expected(&self, rank: Option<f64>, share: Option<f64>) -> Option<String>;
    fn preference(&self, preference: &Preference) -> Vec<String>;
    /// The head of a column of one side's win rates.
    fn rate_of(&self, color: Color) -> String;
    /// The comment on a variation: the win rate that the search expects.
    fn alternative(&self, color: Color, win_rate: f64) -> String;
    fn label(&self, label: Label) -> &'static str;
}

/// A probability as `n` times in `n_all`: a number of times in 10, or once in more.
pub(crate) fn one_in(probability: f64) -> (u32, u32) {
    let tenths = (10.0 * probability).round();
    if tenths < 1.0 { (1, (1.0 / probability.max(0.001)).round() as u32) } else { (tenths.min(9.0) as u32, 10) }
}

/// A share as `47.5%`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
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
    let at = Verdict::ALL.iter().position(|v| *v == judged.verdict);
    lines.push(phrases.judged(judged.verdict, at.map_or(0.0, |at| judged.probabilities[at])));
    let share = judged.signals.bits().map(|bits| (-bits).exp2());
    lines.extend(phrases.expected(judged.signals.rank(PredictorName::Trained), share));
    if let Some(preference) = preference(phrases, size, judged) {
        lines.extend(phrases.preference(&preference));
    }
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

fn preference(phrases: &dyn Phrases, size: BoardSize, judged: &JudgedMove) -> Option<Preference> {
    let best = best(judged)?;
    let signals = &judged.signals;
    let rated = |point, win_rate| Rated { name: phrases.point(size, point), win_rate };
    let is_played = preferred(judged).is_none();
    let second = judged.evaluation.as_ref().and_then(|evaluation| evaluation.moves.get(1));
    let other = if is_played {
        second.map(|value| rated(value.point, value.win_rate))
    } else {
        Some(rated(judged.played.point, signals.played_win_rate))
    };
    let line = line_moves(best, judged.played.color).map(|m| phrases.point(size, m.point)).collect();
    Some(Preference {
        color: judged.played.color,
        best: rated(best.point, signals.best_win_rate.or(best.win_rate)),
        other,
        is_played,
        points_lost: signals.points_lost.filter(|_| !is_played),
        line,
    })
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
Probably a good move: commentators would praise it about 6 times in 10.
Few would expect it: choice 23 (0.8%).
The search agrees: White 52.5%. The next best is D4: White 50.1%.
The line: R14 O17 S16.",
        );
        check(
            Language::En,
            2,
            "\
Black O16: one-space jump.
Leaves line 1 “slide” of the dictionary here; known is O17.
Probably a mistake: commentators would criticize it about 7 times in 10.
The most expected move (55.0%).
The search prefers O17 (Black 47.5%) to O16 (Black 38.3%), a difference of 9.2 percentage points, and 2.4 points of score.
The line: O17 pass D4.",
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
好手と思われる（解説者が褒めるのは10回に6回ほど）。
予想しにくい手で、第23候補（0.8%）。
探索の第一候補と一致（白の勝率52.5%）。次善のD4なら白の勝率50.1%。
想定手順：R14 O17 S16。",
        );
        check(
            Language::Ja,
            2,
            "\
黒O16：一間トビ。
ここで定石1「slide」を外れる。知られている手はO17。
悪手と思われる（解説者が批判するのは10回に7回ほど）。
予想の第一候補（55.0%）。
探索の第一候補はO17（黒の勝率47.5%）。O16なら黒の勝率38.3%で、その差9.2%、2.4目の損。
想定手順：O17 パス D4。",
        );
    }

    #[test]
    fn what_is_not_known_is_not_mentioned() {
        let mut game = fixtures::small_game();
        let judged = &mut game.judged.moves[2];
        judged.signals = Default::default();
        for value in judged.evaluation.iter_mut().flat_map(|e| &mut e.moves) {
            value.win_rate = None;
        }
        let judged = judged.clone();
        assert_eq!(
            game.report(Language::En).sentences(&judged)[2..],
            [
                "Probably a mistake: commentators would criticize it about 7 times in 10.",
                "The search prefers O17.",
                "The line: O17 pass D4."
            ]
        );
        let silent = JudgedMove { evaluation: None, ..judged };
        assert_eq!(
            game.report(Language::Ja).sentences(&silent)[2..],
            ["悪手と思われる（解説者が批判するのは10回に7回ほど）。"]
        );
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
