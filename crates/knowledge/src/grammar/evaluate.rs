//! How well grammars predict games they have not seen (the paper's Table 1 and figures 1 to 3).

use tejun_games::Move;
use tejun_games::go::{Board, Suicide};

use crate::corpus::GameTable;
use crate::grammar::fit::Answers;
use crate::grammar::model::Grammar;
use crate::grammar::points::{GrammarPredictor, product};
use crate::grammar::smoothing::Smoothing;
use crate::predictor::{MoveRank, Predictor, Situation};

/// Parts of a game: moves 1 to 20, 21 to 40, up to 200, and the rest.
pub const N_STAGES: usize = 11;
/// Ranks that are counted one by one.
const N_RANKS: usize = 361;

/// The name of a part of the game.
pub fn stage_name(stage: usize) -> String {
    if stage + 1 == N_STAGES { "201-".into() } else { format!("{}-{}", 20 * stage + 1, 20 * stage + 20) }
}

fn stage_of(move_index: usize) -> usize {
    (move_index / 20).min(N_STAGES - 1)
}

/// Sums over the moves of a stage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sum {
    n: usize,
    total: f64,
}

impl Sum {
    fn add(&mut self, value: f64) {
        self.n += 1;
        self.total += value;
    }

    fn join(&mut self, other: &Sum) {
        self.n += other.n;
        self.total += other.total;
    }

    fn mean(&self) -> f64 {
        self.total / self.n as f64
    }
}

fn whole(sums: &[Sum; N_STAGES]) -> Sum {
    let mut all = Sum::default();
    sums.iter().for_each(|sum| all.join(sum));
    all
}

/// The branching of one grammar's next-symbol distributions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SymbolScores {
    symbol_entropy: [Sum; N_STAGES],
    point_entropy: [Sum; N_STAGES],
    /// Bits of the symbols that were played.
    symbol_bits: Sum,
}

impl SymbolScores {
    /// Mean branching by symbol and by point; `None` is the whole game.
    pub fn branching(&self, stage: Option<usize>) -> [f64; 2] {
        [&self.symbol_entropy, &self.point_entropy]
            .map(|sums| stage.map_or_else(|| whole(sums), |stage| sums[stage]).mean().exp2())
    }

    /// Bits a played symbol.
    pub fn symbol_bits(&self) -> f64 {
        self.symbol_bits.mean()
    }
}

/// How one grammar, or a product of several, predicts points.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodScores {
    /// Its parts, by their place among the grammars, with their powers.
    pub parts: Vec<(usize, f64)>,
    bits: [Sum; N_STAGES],
    /// Of each game its moves and bits.
    games: Vec<(usize, f64)>,
    /// Moves by corrected rank, rounded up.
    by_rank: Vec<u64>,
    /// Chances to be among the first n, added up.
    in_top: [f64; 4],
    top8: [Sum; N_STAGES],
}

impl MethodScores {
    /// The n of `top_shares`.
    pub const TOPS: [usize; 4] = [1, 5, 10, 20];

    fn new(parts: Vec<(usize, f64)>) -> MethodScores {
        MethodScores {
            parts,
            bits: Default::default(),
            games: Vec::new(),
            by_rank: vec![0; N_RANKS + 1],
            in_top: [0.0; 4],
            top8: Default::default(),
        }
    }

    fn add(&mut self, values: &[f64], played: usize, stage: usize) {
        let bits = -values[played].max(f64::MIN_POSITIVE).log2();
        self.bits[stage].add(bits);
        let game = self.games.last_mut().expect("a game was begun");
        *game = (game.0 + 1, game.1 + bits);
        let rank = MoveRank::of(values, played);
        self.by_rank[(rank.corrected().ceil() as usize).min(N_RANKS)] += 1;
        for (sum, n) in self.in_top.iter_mut().zip(MethodScores::TOPS) {
            *sum += rank.chance_in_top(n);
        }
        self.top8[stage].add(rank.chance_in_top(8));
    }

    fn join(&mut self, other: MethodScores) {
        for stage in 0..N_STAGES {
            self.bits[stage].join(&other.bits[stage]);
            self.top8[stage].join(&other.top8[stage]);
        }
        self.games.extend(other.games);
        self.by_rank.iter_mut().zip(other.by_rank).for_each(|(a, b)| *a += b);
        self.in_top.iter_mut().zip(other.in_top).for_each(|(a, b)| *a += b);
    }

    /// Moves predicted.
    pub fn n_moves(&self) -> usize {
        whole(&self.bits).n
    }

    /// Bits a move; `None` is the whole game.
    pub fn bits(&self, stage: Option<usize>) -> f64 {
        stage.map_or_else(|| whole(&self.bits), |stage| self.bits[stage]).mean()
    }

    /// Half of the 95% interval of the bits a move, over games.
    pub fn bits_margin(&self) -> f64 {
        let (mean, n) = (self.bits(None), self.n_moves() as f64);
        let spread: f64 = self.games.iter().map(|&(n, bits)| (bits - mean * n as f64).powi(2)).sum();
        1.96 * spread.sqrt() / n
    }

    /// The share of moves among the first 1, 5, 10 and 20, equal values in any order.
    pub fn top_shares(&self) -> [f64; 4] {
        self.in_top.map(|sum| sum / self.n_moves().max(1) as f64)
    }

    /// The share of moves whose corrected rank is at most `rank`.
    pub fn recall_at(&self, rank: usize) -> f64 {
        let n: u64 = self.by_rank.iter().take(rank + 1).sum();
        n as f64 / self.n_moves().max(1) as f64
    }

    /// The share among the first 8, in a stage.
    pub fn top8(&self, stage: usize) -> f64 {
        self.top8[stage].mean()
    }
}

/// All that was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// For each grammar.
    pub grammars: Vec<SymbolScores>,
    /// For each product.
    pub methods: Vec<MethodScores>,
}

/// Predicts every move of every game with each of the products, in threads.
pub fn evaluate(
    grammars: &[Grammar],
    smoothing: Smoothing,
    products: &[Vec<(usize, f64)>],
    games: &GameTable,
    n_threads: usize,
) -> Evaluation {
    let n_threads = n_threads.max(1);
    let work = |thread: usize| {
        let mut scores = Evaluation {
            grammars: vec![SymbolScores::default(); grammars.len()],
            methods: products.iter().cloned().map(MethodScores::new).collect(),
        };
        let mut predictors: Vec<_> = grammars.iter().map(|g| GrammarPredictor::new(g, smoothing)).collect();
        for game in (thread..games.n_games()).step_by(n_threads) {
            scores.methods.iter_mut().for_each(|method| method.games.push((0, 0.0)));
            for_each_move(games, game, |index, situation, played| {
                scores.add(&mut predictors, situation, played, stage_of(index));
            });
        }
        scores
    };
    let work = &work;
    let parts: Vec<Evaluation> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..n_threads).map(|thread| scope.spawn(move || work(thread))).collect();
        handles.into_iter().map(|handle| handle.join().expect("predicting does not panic")).collect()
    });
    parts.into_iter().reduce(Evaluation::joined).expect("there is a thread")
}

impl Evaluation {
    fn add(&mut self, predictors: &mut [GrammarPredictor<'_>], situation: &Situation<'_>, played: usize, stage: usize) {
        let mut answers = Vec::new();
        for (predictor, scores) in predictors.iter_mut().zip(&mut self.grammars) {
            let values = predictor.predict(situation);
            scores.symbol_entropy[stage].add(entropy(predictor.distribution()));
            scores.point_entropy[stage].add(entropy(&values));
            scores.symbol_bits.add(-predictor.symbol_probability(played).max(f64::MIN_POSITIVE).log2());
            answers.push(values);
        }
        for method in &mut self.methods {
            let factors = method.parts.iter().map(|&(number, power)| (&answers[number][..], power));
            let values = product(factors, situation.legal.len());
            method.add(&values, played, stage);
        }
    }

    fn joined(mut self, other: Evaluation) -> Evaluation {
        for (a, b) in self.grammars.iter_mut().zip(other.grammars) {
            for stage in 0..N_STAGES {
                a.symbol_entropy[stage].join(&b.symbol_entropy[stage]);
                a.point_entropy[stage].join(&b.point_entropy[stage]);
            }
            a.symbol_bits.join(&b.symbol_bits);
        }
        self.methods.iter_mut().zip(other.methods).for_each(|(a, b)| a.join(b));
        self
    }
}

fn entropy(probabilities: &[f64]) -> f64 {
    probabilities.iter().filter(|p| **p > 0.0).map(|p| -p * p.log2()).sum()
}

/// Visits every move that is no pass, with the situation before it and its place among the legal points.
pub(crate) fn for_each_move(games: &GameTable, game: usize, mut visit: impl FnMut(usize, &Situation<'_>, usize)) {
    let moves: Vec<Move> = games.moves(game).collect();
    let start: Board = games.board_before(game, 0);
    let mut board = start.clone();
    for (index, &Move { color, point }) in moves.iter().enumerate() {
        let Some(point) = point else {
            board.pass();
            continue;
        };
        let legal = Situation::legal_points(&board, color, Some(point));
        let situation = Situation { start: &start, moves: &moves[..index], board: &board, color, legal: &legal };
        let played = legal.iter().position(|&p| p == point).expect("what was played is among them");
        visit(index, &situation, played);
        // The moves were replayed when the game was imported.
        let _ = board.play_with(color, point, Suicide::Allowed);
    }
}

/// What the grammars answer at every n-th move of the games, to fit their powers.
pub(crate) fn answers(grammars: &[Grammar], smoothing: Smoothing, games: &GameTable, every: usize) -> Vec<Answers> {
    let mut predictors: Vec<_> = grammars.iter().map(|g| GrammarPredictor::new(g, smoothing)).collect();
    let mut answers = Vec::new();
    for game in 0..games.n_games() {
        for_each_move(games, game, |index, situation, played| {
            if (index + game) % every == 0 {
                let logarithm = |p: f64| p.max(1e-12).ln() as f32;
                let row = |p: &mut GrammarPredictor<'_>| p.predict(situation).into_iter().map(logarithm).collect();
                answers.push(Answers { logarithms: predictors.iter_mut().map(row).collect(), played });
            }
        });
    }
    answers
}
