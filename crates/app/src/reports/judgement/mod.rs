//! A judged game for people and programs: comments, SGF, JSON lines, a page.
//!
//! ```text
//! let report = GameReport::new(&record, &judged, Options { language, joseki, run });
//! let sgf = write_annotated(&tree, &report.additions(&tree));
//! let lines = report.to_jsonl();
//! let page = report.to_html();
//! ```

mod consequences;
mod curve;
mod jsonl;
mod page;
mod sgf;
mod words;

#[cfg(test)]
mod fixtures;

use std::collections::BTreeMap;

use tejun_games::go::{Color, Point};
use tejun_games::{GameRecord, Move};
use tejun_knowledge::evaluation::MoveValue;
use tejun_knowledge::judging::{JudgedGame, JudgedMove, Verdict};
use tejun_knowledge::sequences::Joseki;

use crate::reports::judgement::words::Phrases;

pub use crate::reports::judgement::consequences::{Consequence, MomentOwnership, Ownership, moment_ownership};
pub use crate::reports::judgement::words::Language;

/// Moves of a line that are shown.
const MAX_LINE: usize = 10;
/// The number of candidates shown per position.
const N_BEST: usize = 5;

/// How a game was judged, for the readers of the results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunFacts {
    /// The game's name: its file, and its number there.
    pub game: String,
    /// What evaluated the positions: program, settings, model.
    pub evaluator: String,
    /// More names and values, for the foot of the page and the first of the JSON lines.
    pub manifest: Vec<(String, String)>,
}

/// What a report needs in addition to the game.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The language of its words.
    pub language: Language,
    /// For each move of the record, whether it follows known lines; empty without a dictionary.
    pub joseki: Vec<Option<Joseki>>,
    /// Who will own what around the moments, by the number of moves before them; empty if it is unknown.
    pub ownership: BTreeMap<usize, MomentOwnership>,
    /// How the game was judged.
    pub run: RunFacts,
}

/// A judged game with what is reported about it.
pub struct GameReport<'g> {
    record: &'g GameRecord,
    judged: &'g JudgedGame,
    language: Language,
    joseki: Vec<Option<Joseki>>,
    ownership: BTreeMap<usize, MomentOwnership>,
    run: RunFacts,
}

impl<'g> GameReport<'g> {
    /// A report on a game.
    pub fn new(record: &'g GameRecord, judged: &'g JudgedGame, options: Options) -> GameReport<'g> {
        let Options { language, joseki, ownership, run } = options;
        GameReport { record, judged, language, joseki, ownership, run }
    }

    /// The comment on a move; `None` for an ordinary move that is not a moment.
    pub fn comment(&self, judged: &JudgedMove) -> Option<String> {
        let is_worth_it = judged.moment.is_some() || judged.verdict != Verdict::Ordinary;
        is_worth_it.then(|| self.sentences(judged).join("\n"))
    }

    fn sentences(&self, judged: &JudgedMove) -> Vec<String> {
        let joseki = self.joseki.get(judged.index).and_then(Option::as_ref);
        words::sentences(self.phrases(), self.record.size, judged, joseki)
    }

    fn phrases(&self) -> &'static dyn Phrases {
        self.language.phrases()
    }

    fn name(&self, point: Option<Point>) -> String {
        self.phrases().point(self.record.size, point)
    }

    /// The win rate of a candidate in the mover's view, as far below that of the position as the search prefers its best
    /// move; for the move played, the one that is shown everywhere.
    fn rate_of_candidate(&self, judged: &JudgedMove, value: &MoveValue) -> Option<f64> {
        let before = self.rate_before(judged.index)?;
        let before = if judged.played.color == Color::Black { before } else { 1.0 - before };
        let below = match judged.loss {
            Some(loss) if value.point == judged.played.point => loss.value,
            _ => judged.difference(value.point)?,
        };
        Some((before - below).clamp(0.0, 1.0))
    }

    /// Which groups a moment decides; nothing if the ownership is unknown.
    pub fn consequences(&self, judged: &JudgedMove) -> Vec<Consequence> {
        let ownership = self.ownership.get(&judged.index);
        ownership.map_or_else(Vec::new, |o| consequences::consequences(&self.record.board_before(judged.index), o))
    }

    /// Black's win rate after a move, or before it if the next position was not evaluated.
    fn rate_near(&self, index: usize) -> Option<f64> {
        self.rate_before(index + 1).or(self.rate_before(index))
    }

    /// Black's win rate after this number of moves.
    fn rate_before(&self, index: usize) -> Option<f64> {
        self.judged.win_rates_black.get(index).copied().flatten().map(|rate| rate.value)
    }

    /// Black's lead in points after this number of moves.
    fn lead_before(&self, index: usize) -> Option<f64> {
        self.judged.leads_black.get(index).copied().flatten().map(|lead| lead.value).filter(|lead| lead.is_finite())
    }

    fn moments(&self) -> impl Iterator<Item = &'g JudgedMove> {
        self.judged.moves.iter().filter(|judged| judged.moment.is_some())
    }
}

/// The line of a candidate as moves, from the side that plays it.
fn line_moves(value: &MoveValue, color: Color) -> impl Iterator<Item = Move> + '_ {
    let colors = [color, color.opponent()].into_iter().cycle();
    // An engine that reports no line still names its move.
    let line = if value.line.is_empty() { std::slice::from_ref(&value.point) } else { &value.line[..] };
    line.iter().take(MAX_LINE).zip(colors).map(|(&point, color)| Move { color, point })
}
