//! Judged games for tests, generated from a seed.

use std::collections::BTreeMap;

use tejun_games::go::{Board, BoardSize, Color, Point};
use tejun_games::sgf::{Reader, main_line};
use tejun_games::{GameRecord, Move};
use tejun_knowledge::evaluation::{Evaluation, MoveValue};
use tejun_knowledge::judging::{
    Estimate, ExpectedMove, JudgedGame, JudgedMove, Moment, MomentReason, Predictions, PredictorName, Signals,
    Surprise, Verdict, move_tags,
};
use tejun_knowledge::sequences::{Dictionary, KnownLine, follow_joseki};

use crate::reports::judgement::{GameReport, Language, Options, RunFacts};

/// A game with its judgement.
pub(crate) struct FixtureGame {
    pub(crate) text: String,
    pub(crate) record: GameRecord,
    pub(crate) judged: JudgedGame,
    pub(crate) dictionary: Dictionary,
    pub(crate) name: &'static str,
}

impl FixtureGame {
    pub(crate) fn report(&self, language: Language) -> GameReport<'_> {
        let run = RunFacts {
            game: self.name.into(),
            evaluator: "made up".into(),
            manifest: vec![("seed".into(), "1".into())],
        };
        let joseki = follow_joseki(&self.dictionary, &self.record);
        GameReport::new(&self.record, &self.judged, Options { language, joseki, ownership: BTreeMap::new(), run })
    }
}

fn read(text: &str) -> GameRecord {
    main_line(&Reader::new(text).next().expect("a game")).expect("a record")
}

fn point(letters: &str) -> Option<Point> {
    letters.as_bytes().try_into().ok().and_then(Point::from_sgf)
}

fn dictionary() -> Dictionary {
    let points = ["pd", "qf", "nc"].into_iter().filter_map(point).collect();
    Dictionary { lines: vec![KnownLine { points, name: Some("slide".into()) }] }
}

fn value(letters: &[&str], visits: u32, win_rate: f64, prior: Option<f64>) -> MoveValue {
    let line = if letters.len() > 1 { letters.iter().map(|l| point(l)).collect() } else { Vec::new() };
    MoveValue { point: point(letters[0]), visits, win_rate: Some(win_rate), bound: None, prior, lead: None, line }
}

/// What the trained model says.
fn trained(rank: f64, bits: f64) -> Predictions {
    Predictions::default().with(PredictorName::Trained, Surprise { rank, bits })
}

/// Three moves: one ordinary, one good, one bad.
pub(crate) fn small_game() -> FixtureGame {
    let text = "(;AP[Other:1]CA[Shift_JIS]GM[1]SZ[19]PB[Kuro <1>]PW[Shiro]KM[6.5]RE[W+R]DT[1983-05]\
                ;B[pd]C[Theirs.](;W[qf]DO[1];B[nd])(;W[qc]))";
    let record = read(text);
    let moves = [
        (Verdict::Ordinary, None, Signals::default(), None),
        (
            Verdict::Good,
            Some([0.45, 0.45]),
            Signals {
                predictions: trained(23.0, 7.0),
                expected: point("dp").map(|point| ExpectedMove { point, probability: 0.4 }),
                best_win_rate: Some(0.525),
                played_win_rate: Some(0.525),
                loss: Some(0.0),
                ..Signals::default()
            },
            Some(vec![value(&["qf", "nc", "rd"], 900, 0.525, None), value(&["dp"], 300, 0.445, None)]),
        ),
        (
            Verdict::Bad,
            Some([0.55, 0.383]),
            Signals {
                n_legal: 359,
                visits: 120,
                visit_rank: Some(4.5),
                predictions: trained(1.0, -0.55f64.log2()),
                best_win_rate: Some(0.475),
                played_win_rate: Some(0.383),
                loss: Some(0.092),
                points_lost: Some(2.4),
                best_lead: Some(0.092),
                ..Signals::default()
            },
            Some(vec![value(&["nc", "", "dp"], 800, 0.475, Some(0.2)), value(&["nd"], 120, 0.383, None)]),
        ),
    ];
    let estimate = |value: f64| Estimate { value, error: 0.02 };
    let turning_point = Moment { rank: 1, reason: MomentReason::TurningPoint };
    let moves = moves.into_iter().enumerate().map(|(index, (verdict, rates, signals, values))| JudgedMove {
        index,
        played: record.moves[index],
        loss: rates.map(|[before, after]| estimate(before - after)),
        rates,
        points_lost: signals.points_lost.map(estimate),
        signals,
        commentary: [0.0, 0.3, 0.7],
        exchange: None,
        tags: move_tags(&record.board_before(index), &record.moves[..index], record.moves[index]),
        verdict,
        moment: (verdict == Verdict::Bad).then_some(turning_point),
        evaluation: values.map(|moves| Evaluation { win_rate: moves[0].win_rate, lead: None, moves }),
    });
    let win_rates_black = [0.5, 0.55, 0.55, 0.383].map(|rate| Some(estimate(rate))).to_vec();
    let judged = JudgedGame { win_rates_black, leads_black: vec![None; 4], moves: moves.collect() };
    FixtureGame { text: text.into(), judged, record, dictionary: dictionary(), name: "small.sgf" }
}

/// Numbers that look random; Marsaglia's xorshift (2003).
struct FixtureRandom(u64);

impl FixtureRandom {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    fn share(&mut self) -> f64 {
        self.below(1 << 20) as f64 / (1 << 20) as f64
    }
}

/// A game of the sample with random verdicts.
pub(crate) fn sample_game() -> FixtureGame {
    let text = tejun_knowledge::corpus::sample_text();
    let tree = Reader::new(&text).nth(3).expect("a fourth game");
    let text = tree.source().to_string();
    let record = read(&text);
    let judged = judge(&record, &mut FixtureRandom(20_240_607));
    FixtureGame { text, judged, record, dictionary: dictionary(), name: "sample.sgfs #4" }
}

fn judge(record: &GameRecord, random: &mut FixtureRandom) -> JudgedGame {
    let mut board = Board::new(record.size);
    let (mut rates, mut moves) = (vec![Some(Estimate { value: 0.5, error: 0.02 })], Vec::new());
    let mut rate: f64 = 0.5;
    for (index, &played) in record.moves.iter().enumerate() {
        let is_black = played.color == Color::Black;
        let before = if is_black { rate } else { 1.0 - rate };
        let verdict = match random.below(40) {
            0 => Verdict::Good,
            1 => Verdict::Interesting,
            2 => Verdict::Doubtful,
            3 => Verdict::Bad,
            _ => Verdict::Ordinary,
        };
        let loss = match verdict {
            Verdict::Bad => before * (0.3 + 0.2 * random.share()),
            Verdict::Doubtful => 0.2 * before,
            _ => 0.04 * before * random.share(),
        };
        let after = before - loss + 0.02 * (1.0 - before);
        rate = if is_black { after } else { 1.0 - after };
        rates.push(Some(Estimate { value: rate, error: 0.02 }));
        if played.point.is_some() {
            let mut judged = judged_move(&board, (index, played), verdict, [before, after], random);
            judged.tags = move_tags(&board, &record.moves[..index], played);
            moves.push(judged);
        }
        played.play_on(&mut board).expect("a legal move");
    }
    let leads_black = vec![None; rates.len()];
    JudgedGame { win_rates_black: rates, leads_black, moves }
}

fn judged_move(
    board: &Board,
    (index, played): (usize, Move),
    verdict: Verdict,
    [before, after]: [f64; 2],
    random: &mut FixtureRandom,
) -> JudgedMove {
    let is_best = matches!(verdict, Verdict::Good | Verdict::Ordinary | Verdict::Interesting);
    let mut values: Vec<MoveValue> = (0..6)
        .map(|i| {
            let line: Vec<Option<Point>> = free_line(board, board.size(), 4 + random.below(8), random);
            let visits = 4000 >> i;
            let win_rate = Some(before - 0.01 * f64::from(i));
            let prior = Some(0.3 * random.share());
            MoveValue { point: line[0], visits, win_rate, bound: None, prior, lead: None, line }
        })
        .collect();
    values.retain(|value| value.point != played.point);
    let place = if is_best { 0 } else { 4 };
    values[place].point = played.point;
    values[place].line[0] = played.point;
    values[place].win_rate = Some(if is_best { before } else { after });
    let bits = 6.0 * random.share();
    let is_moment = verdict != Verdict::Ordinary && random.below(3) > 0;
    let loss = if is_best { 0.0 } else { before - after };
    JudgedMove {
        index,
        played,
        signals: Signals {
            predictions: trained(1.0 + (3.0 * bits).floor(), bits),
            best_win_rate: Some(before),
            played_win_rate: Some(if is_best { before } else { after }),
            loss: Some(if is_best { 0.0 } else { before - after }),
            ..Signals::default()
        },
        loss: Some(Estimate { value: loss, error: 0.02 }),
        rates: Some([before, before - loss]),
        points_lost: None,
        commentary: [0.05, 0.9, 0.05],
        exchange: None,
        tags: Vec::new(),
        verdict,
        moment: is_moment.then_some(Moment { rank: 1, reason: MomentReason::Mistake }),
        evaluation: Some(Evaluation { win_rate: Some(before), lead: None, moves: values }),
    }
}

/// Different empty points.
fn free_line(board: &Board, size: BoardSize, n: usize, random: &mut FixtureRandom) -> Vec<Option<Point>> {
    let mut free: Vec<Point> = size.points().filter(|&p| board.is_empty(p)).collect();
    (0..n.min(free.len())).map(|_| Some(free.swap_remove(random.below(free.len())))).collect()
}
