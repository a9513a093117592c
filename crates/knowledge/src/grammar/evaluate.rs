//! How well do grammars predict held-out games? (The paper's Table 1 and figures 1 to 3.)

use crate::corpus::GameTable;
use crate::grammar::fit::Answers;
use crate::grammar::model::Grammar;
use crate::grammar::points::{GrammarPredictor, product};
use crate::grammar::smoothing::Smoothing;
use crate::predictor::{N_STAGES, Predictor, Scores, Situation, Sum, for_each_situation, stage_of, whole};
use crate::statistics::entropy;

/// The branching of one grammar's next-symbol distributions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SymbolScores {
    symbol_entropy: [Sum; N_STAGES],
    point_entropy: [Sum; N_STAGES],
    /// Bits of the played symbols.
    symbol_bits: Sum,
}

impl SymbolScores {
    /// Mean branching by symbol and by point; `None` is the whole game.
    pub fn branching(&self, stage: Option<usize>) -> [f64; 2] {
        [&self.symbol_entropy, &self.point_entropy]
            .map(|sums| stage.map_or_else(|| whole(sums), |stage| sums[stage]).mean().exp2())
    }

    /// Bits per played symbol.
    pub fn symbol_bits(&self) -> f64 {
        self.symbol_bits.mean()
    }
}

/// How well one grammar, or a product of several, predicts points.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodScores {
    /// Its grammars by their indices, with their powers.
    pub parts: Vec<(usize, f64)>,
    /// The prediction quality.
    pub scores: Scores,
}

/// The result of [`evaluate`].
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// One entry per grammar.
    pub grammars: Vec<SymbolScores>,
    /// One entry per product.
    pub methods: Vec<MethodScores>,
}

/// Predicts every move of every game with each of the products, in several threads.
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
            methods: products
                .iter()
                .map(|parts| MethodScores { parts: parts.clone(), scores: Scores::default() })
                .collect(),
        };
        let mut predictors: Vec<_> = grammars.iter().map(|g| GrammarPredictor::new(g, smoothing)).collect();
        for game in (thread..games.n_games()).step_by(n_threads) {
            scores.methods.iter_mut().for_each(|method| method.scores.begin_game());
            for_each_situation(games, game, |index, situation, played| {
                scores.add(&mut predictors, situation, played, index);
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
    fn add(&mut self, predictors: &mut [GrammarPredictor<'_>], situation: &Situation<'_>, played: usize, index: usize) {
        let stage = stage_of(index);
        let mut answers = Vec::new();
        for (predictor, scores) in predictors.iter_mut().zip(&mut self.grammars) {
            let values = predictor.predict(situation);
            scores.symbol_entropy[stage].add(entropy(predictor.distribution().iter().copied()));
            scores.point_entropy[stage].add(entropy(values.iter().copied()));
            scores.symbol_bits.add(-predictor.symbol_probability(played).max(f64::MIN_POSITIVE).log2());
            answers.push(values);
        }
        for method in &mut self.methods {
            let factors = method.parts.iter().map(|&(number, power)| (&answers[number][..], power));
            let values = product(factors, situation.legal.len());
            method.scores.add(&values, played, index);
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
        self.methods.iter_mut().zip(other.methods).for_each(|(a, b)| a.scores.join(b.scores));
        self
    }
}

/// The answers of the grammars at every n-th move of the games, used to fit their powers.
pub(crate) fn answers(grammars: &[Grammar], smoothing: Smoothing, games: &GameTable, every: usize) -> Vec<Answers> {
    let mut predictors: Vec<_> = grammars.iter().map(|g| GrammarPredictor::new(g, smoothing)).collect();
    let mut answers = Vec::new();
    for game in 0..games.n_games() {
        for_each_situation(games, game, |index, situation, played| {
            if (index + game) % every == 0 {
                let logarithm = |p: f64| p.max(1e-12).ln() as f32;
                let row = |p: &mut GrammarPredictor<'_>| p.predict(situation).into_iter().map(logarithm).collect();
                answers.push(Answers { logarithms: predictors.iter_mut().map(row).collect(), played });
            }
        });
    }
    answers
}
