//! The input of the trees: a row of numbers for each of the best candidates of a position.

use tejun_games::go::{Board, Color, Point, escapes_ladder, ladder_moves};

use crate::patterns::counts::PatternCounts;
use crate::patterns::features::{N_SHAPES, N_SMALL, N_SMALL_FEATURES, Scene};
use crate::patterns::linear::{Feature, FeatureLists, LinearScorer};
use crate::patterns::template::distance;
use crate::predictor::Situation;

/// Numbers per row, by topic.
const N_LINEAR: usize = 13 + N_SMALL_FEATURES + N_SHAPES;
const N_PLACE: usize = 14;
const N_EFFECT: usize = 14;
const N_AROUND: usize = 12;
const N_BOARD: usize = 4;
const N_GRAMMAR: usize = 2;
/// Total numbers per row.
pub(crate) const N_VALUES: usize = N_LINEAR + N_PLACE + N_EFFECT + N_AROUND + N_BOARD + N_GRAMMAR;
/// The offset used for a missing move: farther away than any other.
const NO_MOVE: (i8, i8) = (33, 33);
/// Maximum number of stones of a chain that is distinguished.
const MOST_STONES: usize = 20;

/// The parts of the rows that all candidates of a position share.
pub(crate) struct View<'v> {
    situation: &'v Situation<'v>,
    scorer: &'v LinearScorer<'v>,
    scene: Scene<'v>,
    counts: &'v PatternCounts,
    probabilities: &'v [f32],
    best_score: f32,
    best_probability: f32,
    /// The logarithms of the grammar's probabilities, and the largest of them.
    grammar: (&'v [f32], f32),
    chains: WeakChains,
    eyes: EyeSpaces,
    influence: Vec<f32>,
}

impl<'v> View<'v> {
    /// Builds the view of a scored position from pattern counts, the probabilities of all moves and a grammar's
    /// logarithms.
    pub(crate) fn new(
        situation: &'v Situation<'v>,
        scorer: &'v LinearScorer<'v>,
        (counts, probabilities, grammar): (&'v PatternCounts, &'v [f32], &'v [f32]),
    ) -> View<'v> {
        let largest = |values: &[f32]| values.iter().copied().fold(f32::MIN, f32::max);
        View {
            situation,
            scorer,
            scene: Scene::new(scorer.patterns(), situation.color, situation.moves),
            counts,
            probabilities,
            best_score: largest(scorer.scores()),
            best_probability: largest(probabilities),
            grammar: (grammar, largest(grammar)),
            chains: WeakChains::new(situation.board, situation.color),
            eyes: EyeSpaces::new(situation.board, situation.color),
            influence: influence(situation.board, situation.color),
        }
    }

    /// Appends the row of a candidate with its rank among all.
    pub(crate) fn push_row(&self, candidate: usize, rank: usize, row: &mut Vec<f32>) {
        let start = row.len();
        let point = self.situation.legal[candidate];
        self.push_linear(candidate, rank, row);
        self.push_place(point, row);
        self.push_effect(point, row);
        self.push_around(point, row);
        self.push_board(row);
        let (logarithms, largest) = self.grammar;
        row.extend([logarithms[candidate], logarithms[candidate] - largest]);
        debug_assert_eq!(row.len() - start, N_VALUES);
    }

    /// Adds the results of the linear model.
    fn push_linear(&self, candidate: usize, rank: usize, row: &mut Vec<f32>) {
        let features = self.scorer.lists().of(candidate);
        let weight = |feature: &Feature| self.scorer.weights().of(*feature);
        let (fixed, templates) = features.split_at(FeatureLists::N_FIXED);
        let (small, shapes) = (&fixed[..N_SMALL_FEATURES], &fixed[N_SMALL_FEATURES + 1..]);
        row.extend([
            self.scorer.scores()[candidate] - self.best_score,
            rank as f32,
            self.probabilities[candidate],
            self.best_score,
            self.best_probability,
            templates.len() as f32,
            templates.iter().map(weight).sum(),
            templates.last().map_or(0.0, weight),
            small.iter().map(weight).sum(),
        ]);
        let largest = templates.last().map(|feature| feature - N_SMALL as u32);
        let [played, passed_over] = largest.map_or([0; 2], |slot| self.counts.of_slot(slot)).map(|n| n as f32);
        row.push(((played + 1.0) / (played + passed_over + 2.0)).ln());
        row.push((played + passed_over + 1.0).ln());
        // A good move for the opponent is often a good move for oneself.
        let (n_known, sum) = self.scorer.opponent_patterns(self.situation.color, self.situation.legal[candidate]);
        row.extend([n_known as f32, sum]);
        row.extend(small.iter().map(weight));
        row.extend(shapes.iter().map(weight));
    }

    /// Adds the position of the move.
    fn push_place(&self, point: Point, row: &mut Vec<f32>) {
        let moves = self.situation.moves;
        for back in 1..=4 {
            let other = moves.len().checked_sub(back).and_then(|i| moves[i].point);
            let (dx, dy) = other.map_or(NO_MOVE, |o| (o.x() as i8 - point.x() as i8, o.y() as i8 - point.y() as i8));
            row.push(f32::from(distance(dx, dy)));
            if back < 4 {
                let (dx, dy) = (dx.unsigned_abs(), dy.unsigned_abs());
                row.extend([dx.min(dy), dx.max(dy)].map(f32::from));
            }
        }
        let lines = self.situation.board.size().get();
        let [column, line] = [point.x(), point.y()].map(|z| f32::from(z.min(lines - 1 - z)));
        let n_taken = self.situation.board.size().n_points() - self.situation.legal.len();
        row.extend([column.min(line), column.max(line), moves.len() as f32, n_taken as f32]);
    }

    /// Adds the effects of the move.
    fn push_effect(&self, point: Point, row: &mut Vec<f32>) {
        let facts = self.scene.facts(point);
        let numbers = [
            facts.liberties_after,
            facts.own_liberties,
            facts.opponent_liberties,
            facts.n_own,
            facts.n_opponent,
            facts.n_empty,
            facts.n_captured,
            facts.n_stones,
        ];
        row.extend(numbers.map(|n| n as f32));
        let number = self.scorer.patterns().number(point);
        row.push(f32::from(self.chains.takes[number]));
        // Stones that are lost anyway differ from stones that a move can save.
        row.push(f32::from(self.chains.threatened[number]) - 100.0 * f32::from(self.chains.hopeless[number]));
        row.extend([self.eyes.enclosed[number], self.eyes.vital[number]]);
        row.extend(races(self.situation.board, self.situation.color, point));
    }

    /// Adds the surroundings of the move.
    fn push_around(&self, point: Point, row: &mut Vec<f32>) {
        let (board, color) = (self.situation.board, self.situation.color);
        let lines = board.size().get() as i8;
        let number = |x: i8, y: i8| y as usize * lines as usize + x as usize;
        let (mut counts, mut influence) = ([[0.0f32; 2]; 3], 0.0);
        for (dx, dy) in (-4i8..=4).flat_map(|dy| (-4i8..=4).map(move |dx| (dx, dy))) {
            let (x, y) = (point.x() as i8 + dx, point.y() as i8 + dy);
            if !(0..lines).contains(&x) || !(0..lines).contains(&y) {
                continue;
            }
            let ring = dx.abs().max(dy.abs());
            if ring <= 2 {
                influence += self.influence[number(x, y)];
            }
            if let Some(stone) = board.stone(Point::new(x as u8, y as u8)) {
                counts[(ring as usize - 1).min(2)][usize::from(stone != color)] += 1.0;
            }
        }
        let here = number(point.x() as i8, point.y() as i8);
        row.extend(self.scene.steps_to_stones(point).map(f32::from));
        row.extend([self.influence[here], influence]);
        row.extend(counts.iter().flatten());
        let last = self.situation.moves.last().and_then(|m| m.point);
        row.push(last.map_or(0.0, |last| board.liberties(last).min(8) as f32));
        row.push(last.map_or(0.0, |last| board.chain_len(last).min(MOST_STONES) as f32));
    }

    /// Adds the state of the whole board.
    fn push_board(&self, row: &mut Vec<f32>) {
        let (board, color) = (self.situation.board, self.situation.color);
        let last = self.situation.moves.last().and_then(|m| m.point);
        let next_to_last = last.map_or(9, |last| {
            let own = last.around().into_iter().filter(|&p| board.stone(p) == Some(color));
            own.map(|p| board.liberties(p)).min().unwrap_or(9)
        });
        row.extend([
            self.chains.n_own_in_atari as f32,
            self.chains.n_opponent_in_atari as f32,
            f32::from(u8::from(board.ko_point(color).is_some())),
            next_to_last as f32,
        ]);
    }
}

/// Chains with one or two liberties and their fate: numbers of stones for each point.
#[derive(Default)]
struct WeakChains {
    /// The number of the opponent's stones that a ladder from here captures.
    takes: Vec<u8>,
    /// The number of own stones, threatened by a ladder, that have a liberty here.
    threatened: Vec<u8>,
    /// The number of own stones, unable to escape, that have their last liberty here.
    hopeless: Vec<u8>,
    n_own_in_atari: usize,
    n_opponent_in_atari: usize,
}

impl WeakChains {
    fn new(board: &Board, color: Color) -> WeakChains {
        let none = vec![0; board.size().n_points()];
        let mut chains =
            WeakChains { takes: none.clone(), threatened: none.clone(), hopeless: none, ..WeakChains::default() };
        let lines = board.size().get() as usize;
        let add = |stones: &mut [u8], points: Vec<Point>, len: usize| {
            for point in points {
                stones[point.y() as usize * lines + point.x() as usize] += len as u8;
            }
        };
        for point in board.size().points().filter(|&point| board.chain_head(point) == Some(point)) {
            let len = board.chain_len(point).min(MOST_STONES);
            let liberties = || board.liberty_points(point).iter().collect::<Vec<_>>();
            match (board.liberties(point), board.stone(point) == Some(color)) {
                (1, true) => {
                    chains.n_own_in_atari += len;
                    if !escapes_ladder(board, point) {
                        add(&mut chains.hopeless, liberties(), len);
                    }
                }
                (1, false) => chains.n_opponent_in_atari += len,
                (2, true) if !ladder_moves(board, point).is_empty() => {
                    add(&mut chains.threatened, liberties(), len);
                }
                (2, false) => add(&mut chains.takes, ladder_moves(board, point), len),
                _ => {}
            }
        }
        chains
    }
}

/// Empty regions enclosed by one side, and the vital points that make or break eyes in them (中手, *nakade*).
struct EyeSpaces {
    /// Size of the region, negative if it is the opponent's.
    enclosed: Vec<f32>,
    /// The same for vital points, adjacent to most of the region; otherwise 0.
    vital: Vec<f32>,
}

impl EyeSpaces {
    /// Larger regions have room for two eyes.
    const MOST: usize = 7;

    fn new(board: &Board, color: Color) -> EyeSpaces {
        let size = board.size();
        let lines = size.get() as usize;
        let number = |p: Point| p.y() as usize * lines + p.x() as usize;
        let none = vec![0.0; size.n_points()];
        let mut eyes = EyeSpaces { enclosed: none.clone(), vital: none };
        let mut is_seen = vec![false; size.n_points()];
        for start in size.points().filter(|&p| board.is_empty(p)) {
            if is_seen[number(start)] {
                continue;
            }
            is_seen[number(start)] = true;
            let (mut space, mut borders) = (vec![start], [false; 2]);
            let mut next = 0;
            while let Some(&point) = space.get(next) {
                next += 1;
                for neighbor in point.around() {
                    match board.stone(neighbor) {
                        Some(stone) => borders[usize::from(stone != color)] = true,
                        None if board.is_empty(neighbor) && !is_seen[number(neighbor)] => {
                            is_seen[number(neighbor)] = true;
                            space.push(neighbor);
                        }
                        None => {}
                    }
                }
            }
            if space.len() > EyeSpaces::MOST || borders[0] == borders[1] {
                continue;
            }
            let worth = if borders[0] { space.len() as f32 } else { -(space.len() as f32) };
            let n_adjacent = |p: Point| p.around().into_iter().filter(|&q| board.is_empty(q)).count();
            let most = space.iter().map(|&p| n_adjacent(p)).max().unwrap_or(0);
            for &point in &space {
                eyes.enclosed[number(point)] = worth;
                if space.len() >= 3 && n_adjacent(point) == most {
                    eyes.vital[number(point)] = worth;
                }
            }
        }
        eyes
    }
}

/// Liberties ahead in capturing races (攻め合い, *semeai*) that a move would decide: by attacking, and by defending.
fn races(board: &Board, color: Color, point: Point) -> [f32; 2] {
    /// Chains with more liberties are not in a race.
    const MOST: usize = 6;
    let mut ahead = [NO_RACE; 2];
    for neighbor in point.around() {
        let Some(stone) = board.stone(neighbor) else { continue };
        let liberties = board.liberties(neighbor);
        if liberties > MOST || board.chain_len(neighbor) > 30 {
            continue;
        }
        let others = board.chain(neighbor).flat_map(Point::around);
        let others = others.filter(|&p| board.stone(p) == Some(stone.opponent()));
        let Some(weakest) = others.map(|p| board.liberties(p)).filter(|&n| n <= MOST).min() else { continue };
        let (own, opponent) = if stone == color { (liberties, weakest) } else { (weakest, liberties) };
        let side = usize::from(stone == color);
        ahead[side] = ahead[side].min(own as f32 - opponent as f32);
    }
    ahead
}

/// More liberties ahead than in any race.
const NO_RACE: f32 = 10.0;

/// Influence of stones, which decreases with distance: from -1 (the opponent's) to 1.
fn influence(board: &Board, color: Color) -> Vec<f32> {
    const N_STEPS: usize = 6;
    const KEPT: f32 = 0.24;
    let lines = board.size().get() as usize;
    let worth = |p: Point| board.stone(p).map_or(0.0, |stone| if stone == color { 1.0 } else { -1.0 });
    let stones: Vec<f32> = board.size().points().map(worth).collect();
    let mut field = stones.clone();
    for _ in 0..N_STEPS {
        let mut next = stones.clone();
        for (i, value) in next.iter_mut().enumerate().filter(|(_, value)| **value == 0.0) {
            // The edge reflects.
            let left = field[if i % lines > 0 { i - 1 } else { i }];
            let right = field[if i % lines + 1 < lines { i + 1 } else { i }];
            let up = field[if i >= lines { i - lines } else { i }];
            let down = field[if i + lines < field.len() { i + lines } else { i }];
            *value = KEPT * (left + right + up + down);
        }
        field = next;
    }
    field
}
