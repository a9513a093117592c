//! How well moves are predicted: top-n accuracy, bits per move, by stage of the game, and calibration.

use crate::predictor::MoveRank;

/// Number of stages of a game: moves 1 to 20, 21 to 40, up to 200, and the rest.
pub const N_STAGES: usize = 11;
/// First moves of the longer phases of a game, as other programs report them.
pub const PHASES: [usize; 6] = [0, 20, 60, 100, 150, 200];
/// Number of ranks that are counted individually.
const N_RANKS: usize = 625;
/// Upper bounds of the classes of probabilities that are compared with the observed frequencies.
const CLASSES: [f64; 17] =
    [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// The name of a stage of the game.
pub fn stage_name(stage: usize) -> String {
    if stage + 1 == N_STAGES { "201-".into() } else { format!("{}-{}", 20 * stage + 1, 20 * stage + 20) }
}

/// The name of a phase of the game.
pub fn phase_name(phase: usize) -> String {
    match PHASES.get(phase + 1) {
        Some(end) => format!("{}-{end}", PHASES[phase] + 1),
        None => format!("{}-", PHASES[phase] + 1),
    }
}

/// The stage of a move, by its index.
pub(crate) fn stage_of(move_index: usize) -> usize {
    (move_index / 20).min(N_STAGES - 1)
}

/// A running mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sum {
    n: usize,
    total: f64,
}

impl Sum {
    pub(crate) fn add(&mut self, value: f64) {
        self.n += 1;
        self.total += value;
    }

    pub(crate) fn join(&mut self, other: &Sum) {
        self.n += other.n;
        self.total += other.total;
    }

    pub(crate) fn mean(&self) -> f64 {
        self.total / self.n as f64
    }
}

pub(crate) fn whole(sums: &[Sum; N_STAGES]) -> Sum {
    let mut all = Sum::default();
    sums.iter().for_each(|sum| all.join(sum));
    all
}

/// A class of predicted probabilities, compared with how often such moves were played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reliability {
    /// Number of moves in the class.
    pub n: usize,
    /// Their mean predicted probability.
    pub expected: f64,
    /// The share of them that was played.
    pub played: f64,
}

/// The prediction quality of one predictor.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    bits: [Sum; N_STAGES],
    /// Moves and bits of each game.
    games: Vec<(usize, f64)>,
    /// Number of moves by corrected rank, rounded up.
    by_rank: Vec<u64>,
    /// Probabilities of being among the first n, by phase.
    in_top: [[Sum; Scores::TOPS.len()]; PHASES.len()],
    top8: [Sum; N_STAGES],
    /// For each class, the sum of probabilities, and the number of moves played.
    classes: [(Sum, usize); CLASSES.len()],
}

impl Default for Scores {
    fn default() -> Scores {
        Scores {
            bits: Default::default(),
            games: Vec::new(),
            by_rank: vec![0; N_RANKS + 1],
            in_top: Default::default(),
            top8: Default::default(),
            classes: Default::default(),
        }
    }
}

impl Scores {
    /// The values of n in `top_shares`.
    pub const TOPS: [usize; 4] = [1, 5, 10, 20];

    /// Begins a new game.
    pub fn begin_game(&mut self) {
        self.games.push((0, 0.0));
    }

    /// Adds a move by its index: the probabilities of all legal moves, and the position of the played one.
    pub fn add(&mut self, values: &[f64], played: usize, move_index: usize) {
        let stage = stage_of(move_index);
        let bits = -values[played].max(f64::MIN_POSITIVE).log2();
        self.bits[stage].add(bits);
        if let Some(game) = self.games.last_mut() {
            *game = (game.0 + 1, game.1 + bits);
        }
        let rank = MoveRank::of(values, played);
        self.by_rank[(rank.corrected().ceil() as usize).min(N_RANKS)] += 1;
        let phase = PHASES.iter().rposition(|&start| start <= move_index).unwrap_or(0);
        for (sum, n) in self.in_top[phase].iter_mut().zip(Scores::TOPS) {
            sum.add(rank.probability_in_top(n));
        }
        self.top8[stage].add(rank.probability_in_top(8));
        for (i, &value) in values.iter().enumerate() {
            let class = CLASSES.partition_point(|&end| end < value).min(CLASSES.len() - 1);
            self.classes[class].0.add(value);
            self.classes[class].1 += usize::from(i == played);
        }
    }

    /// Adds the measurements of another thread.
    pub fn join(&mut self, other: Scores) {
        for stage in 0..N_STAGES {
            self.bits[stage].join(&other.bits[stage]);
            self.top8[stage].join(&other.top8[stage]);
        }
        self.games.extend(other.games);
        self.by_rank.iter_mut().zip(other.by_rank).for_each(|(a, b)| *a += b);
        self.in_top.iter_mut().flatten().zip(other.in_top.iter().flatten()).for_each(|(a, b)| a.join(b));
        for (a, b) in self.classes.iter_mut().zip(other.classes) {
            a.0.join(&b.0);
            a.1 += b.1;
        }
    }

    /// Number of predicted moves.
    pub fn n_moves(&self) -> usize {
        whole(&self.bits).n
    }

    /// Bits per move in a stage; `None` is the whole game.
    pub fn bits(&self, stage: Option<usize>) -> f64 {
        stage.map_or_else(|| whole(&self.bits), |stage| self.bits[stage]).mean()
    }

    /// Half the width of the 95% confidence interval of the bits per move, over games; meaningless for a single game.
    pub fn bits_margin(&self) -> f64 {
        let (mean, n) = (self.bits(None), self.n_moves() as f64);
        let spread: f64 = self.games.iter().map(|&(n, bits)| (bits - mean * n as f64).powi(2)).sum();
        1.96 * spread.sqrt() / n
    }

    /// Top-n accuracy for n = 1, 5, 10 and 20; equal probabilities count in random order.
    pub fn top_shares(&self) -> [f64; 4] {
        std::array::from_fn(|i| {
            let mut all = Sum::default();
            self.in_top.iter().for_each(|phase| all.join(&phase[i]));
            all.total / all.n.max(1) as f64
        })
    }

    /// Number of moves and top-n accuracy in a phase of the game.
    pub fn phase_shares(&self, phase: usize) -> (usize, [f64; 4]) {
        (self.in_top[phase][0].n, self.in_top[phase].map(|sum| sum.mean()))
    }

    /// The share of moves whose corrected rank is at most `rank`.
    pub fn recall_at(&self, rank: usize) -> f64 {
        let n: u64 = self.by_rank.iter().take(rank + 1).sum();
        n as f64 / self.n_moves().max(1) as f64
    }

    /// Top-8 accuracy in a stage.
    pub fn top8(&self, stage: usize) -> f64 {
        self.top8[stage].mean()
    }

    /// Predicted probabilities and observed frequencies of all classes that occurred.
    pub fn reliability(&self) -> Vec<Reliability> {
        let row = |(sum, n_played): &(Sum, usize)| Reliability {
            n: sum.n,
            expected: sum.mean(),
            played: *n_played as f64 / sum.n as f64,
        };
        self.classes.iter().filter(|class| class.0.n > 0).map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_bits_and_classes_by_hand() {
        let mut scores = Scores::default();
        scores.begin_game();
        scores.add(&[0.5, 0.25, 0.25], 0, 0);
        scores.add(&[0.25, 0.75], 0, 60);
        assert_eq!(scores.n_moves(), 2);
        assert_eq!(scores.bits(None), 1.5);
        assert_eq!(scores.top_shares(), [0.5, 1.0, 1.0, 1.0]);
        assert_eq!((scores.phase_shares(0), scores.phase_shares(2).1[0]), ((1, [1.0; 4]), 0.0));
        let class = |n, expected, played| Reliability { n, expected, played };
        assert_eq!(scores.reliability(), [class(3, 0.25, 1.0 / 3.0), class(1, 0.5, 1.0), class(1, 0.75, 0.0)]);
        let names: Vec<String> = (0..6).map(phase_name).collect();
        assert_eq!(names, ["1-20", "21-60", "61-100", "101-150", "151-200", "201-"]);
    }
}
