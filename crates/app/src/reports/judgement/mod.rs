//! A judged game for people and programs: comments, SGF, JSON lines, a page.
//!
//! ```text
//! let report = GameReport::new(&record, &judged, Options { language, dictionary, run });
//! let sgf = write_annotated(&tree, &report.additions(&tree));
//! let lines = report.to_jsonl();
//! let page = report.to_html();
//! ```

mod curve;
mod jsonl;
mod page;
mod sgf;
mod words;

#[cfg(test)]
mod fixtures;

use tejun_games::go::{Board, Color, Point};
use tejun_games::{GameRecord, Move};
use tejun_knowledge::evaluation::MoveValue;
use tejun_knowledge::judging::{JudgedGame, JudgedMove, MoveTag, Verdict, move_tags};
use tejun_knowledge::sequences::{Dictionary, Joseki, follow_joseki};

use crate::reports::judgement::words::Phrases;

pub use crate::reports::judgement::words::{Language, ParseLanguageError};

/// Moves of a line that are shown.
const MAX_LINE: usize = 10;
/// Candidates that are told of a position.
const N_BEST: usize = 5;

/// How a game was judged, for those who read of it later.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunFacts {
    /// The game's name: its file, and its number there.
    pub game: String,
    /// What valued the positions: program, settings, model.
    pub evaluator: String,
    /// Further names and values, for the page's foot and the first of the JSON lines.
    pub manifest: Vec<(String, String)>,
}

/// What a report is made with beside the game.
#[derive(Clone, Debug, Default)]
pub struct Options<'d> {
    /// The language of its words.
    pub language: Language,
    /// Known lines; without them nothing is said of joseki.
    pub dictionary: Option<&'d Dictionary>,
    /// How the game was judged.
    pub run: RunFacts,
}

/// A judged game with what is told of it.
pub struct GameReport<'g> {
    record: &'g GameRecord,
    judged: &'g JudgedGame,
    language: Language,
    run: RunFacts,
    /// One for each move of the record.
    facts: Vec<MoveFacts>,
}

/// What is seen of a move beside its judgement.
#[derive(Clone, Debug, Default)]
struct MoveFacts {
    tags: Vec<MoveTag>,
    joseki: Option<Joseki>,
}

impl<'g> GameReport<'g> {
    /// Looks at every move of the game; costs little beside judging it.
    pub fn new(record: &'g GameRecord, judged: &'g JudgedGame, options: Options<'_>) -> GameReport<'g> {
        let joseki = options.dictionary.map(|dictionary| follow_joseki(dictionary, record)).unwrap_or_default();
        let mut joseki = joseki.into_iter();
        let mut board = record.start_board();
        let mut facts = Vec::with_capacity(record.moves.len());
        for (index, &played) in record.moves.iter().enumerate() {
            let tags = move_tags(&board, &record.moves[..index], played);
            facts.push(MoveFacts { tags, joseki: joseki.next().flatten() });
            play(&mut board, played);
        }
        GameReport { record, judged, language: options.language, run: options.run, facts }
    }

    /// The comment on a move; `None` for an ordinary one that is no moment.
    pub fn comment(&self, judged: &JudgedMove) -> Option<String> {
        let is_worth_it = judged.is_moment || judged.verdict != Verdict::Ordinary;
        is_worth_it.then(|| self.sentences(judged).join("\n"))
    }

    fn sentences(&self, judged: &JudgedMove) -> Vec<String> {
        let nothing = MoveFacts::default();
        let facts = self.facts.get(judged.index).unwrap_or(&nothing);
        words::sentences(self.phrases(), self.record.size, judged, facts)
    }

    fn phrases(&self) -> &'static dyn Phrases {
        self.language.phrases()
    }

    fn name(&self, point: Option<Point>) -> String {
        self.phrases().point(self.record.size, point)
    }

    /// Black's win rate after a move, or before it where the game was not valued further.
    fn rate_near(&self, index: usize) -> Option<f64> {
        self.rate_before(index + 1).or(self.rate_before(index))
    }

    /// Black's win rate when so many moves were played.
    fn rate_before(&self, index: usize) -> Option<f64> {
        self.judged.win_rates_black.get(index).copied().flatten()
    }

    fn moments(&self) -> impl Iterator<Item = &'g JudgedMove> {
        self.judged.moves.iter().filter(|judged| judged.is_moment)
    }
}

/// Plays a move as it was played, whatever the rules say of kos; an impossible one is left out.
fn play(board: &mut Board, played: Move) {
    board.pass();
    let _ = played.play_on(board);
}

/// The candidate that the search likes best.
fn best(judged: &JudgedMove) -> Option<&MoveValue> {
    judged.evaluation.as_ref()?.moves.first()
}

/// The best candidate, if it is another than the move played.
fn preferred(judged: &JudgedMove) -> Option<&MoveValue> {
    best(judged).filter(|best| best.point != judged.played.point)
}

/// The line of a candidate as moves, from the side that plays it.
fn line_moves(value: &MoveValue, color: Color) -> impl Iterator<Item = Move> + '_ {
    let colors = [color, color.opponent()].into_iter().cycle();
    // An engine that tells no line still names its move.
    let line = if value.line.is_empty() { std::slice::from_ref(&value.point) } else { &value.line[..] };
    line.iter().take(MAX_LINE).zip(colors).map(|(&point, color)| Move { color, point })
}
