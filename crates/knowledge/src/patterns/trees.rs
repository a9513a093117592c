//! Gradient boosting: trees that correct the scores of candidates, learned from the chosen ones.
//!
//! After Friedman (2001), with the histograms and the leaf-wise growth of LightGBM (Ke and others 2017), and with the
//! softmax over the candidates of a position as the loss. Works on rows of numbers and knows nothing about Go.

use crate::progress::Progress;
use crate::threads::map_each;

/// Number of bins per value.
const N_BINS: usize = 64;
/// Number of parts of the rows that are summed separately, so that the sums do not depend on the number of threads.
const N_PARTS: usize = 4;

/// The upper ends of the bins of each value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bins {
    thresholds: Vec<Vec<f32>>,
}

impl Bins {
    /// Bins of about equal size for values like those in these rows, which follow each other.
    pub(crate) fn of(rows: &[f32], n_values: usize) -> Bins {
        let column = |value: usize| {
            let mut sample: Vec<f32> = rows.iter().skip(value).step_by(n_values).copied().collect();
            sample.sort_unstable_by(f32::total_cmp);
            let mut ends = sample.clone();
            ends.dedup();
            if ends.len() >= N_BINS {
                ends = (1..N_BINS).map(|i| sample[i * sample.len() / N_BINS]).collect();
                ends.dedup();
            }
            ends
        };
        Bins { thresholds: (0..n_values).map(column).collect() }
    }

    fn n_values(&self) -> usize {
        self.thresholds.len()
    }
}

/// Candidates of many positions: one row of binned values per candidate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    bins: Vec<u8>,
    scores: Vec<f32>,
    /// Where the rows of each position end.
    ends: Vec<u32>,
    /// The chosen row of each position, counted from its start.
    chosen: Vec<u16>,
}

impl Rows {
    /// Adds a position: its candidates' values, their scores so far, and the chosen one.
    pub(crate) fn push(&mut self, bins: &Bins, values: &[f32], scores: &[f32], chosen: usize) {
        debug_assert_eq!(values.len(), scores.len() * bins.n_values());
        let bin = |(value, ends): (&f32, &Vec<f32>)| ends.partition_point(|end| end < value) as u8;
        self.bins.extend(values.iter().zip(bins.thresholds.iter().cycle()).map(bin));
        self.scores.extend_from_slice(scores);
        self.ends.push(self.scores.len() as u32);
        self.chosen.push(chosen as u16);
    }

    /// Adds all positions of other rows.
    pub(crate) fn append(&mut self, other: &Rows) {
        let n_rows = self.scores.len() as u32;
        self.bins.extend_from_slice(&other.bins);
        self.scores.extend_from_slice(&other.scores);
        self.ends.extend(other.ends.iter().map(|end| end + n_rows));
        self.chosen.extend_from_slice(&other.chosen);
    }

    /// The number of positions.
    pub(crate) fn n_positions(&self) -> usize {
        self.chosen.len()
    }

    fn n_rows(&self) -> usize {
        self.scores.len()
    }

    fn rows_of(&self, position: usize) -> std::ops::Range<usize> {
        let start = position.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        start..self.ends[position] as usize
    }
}

/// Options for learning trees.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForestOptions {
    /// Number of trees.
    pub(crate) n_trees: usize,
    /// Number of leaves per tree.
    pub(crate) n_leaves: usize,
    /// Maximum depth of a tree.
    pub(crate) depth: usize,
    /// Learning rate: the share of a tree's output that is added.
    pub(crate) rate: f32,
    /// Minimum weight of a leaf.
    pub(crate) min_weight: f32,
    /// Each tree learns from every n-th position.
    pub(crate) every: usize,
}

impl Default for ForestOptions {
    fn default() -> ForestOptions {
        ForestOptions { n_trees: 300, n_leaves: 48, depth: 8, rate: 0.1, min_weight: 20.0, every: 4 }
    }
}

/// A node; both children of a leaf are the leaf itself, so that walks can continue there.
#[derive(Clone, Copy, Debug, PartialEq)]
struct DecisionNode {
    /// The index of the value that is compared with the threshold.
    value: u8,
    /// The nodes for values up to the threshold and above it.
    children: [u8; 2],
    /// The threshold, or the output of a leaf.
    number: f32,
}

/// Maximum number of nodes per tree; a power of two, so that a mask keeps walks inside.
const N_NODES: usize = 128;

#[derive(Clone, Debug, PartialEq)]
struct DecisionTree {
    /// Padded to a fixed length.
    nodes: Box<[DecisionNode; N_NODES]>,
    n_nodes: usize,
    /// Distance from the root to the farthest leaf.
    depth: usize,
}

/// Trees whose outputs are added up.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Forest {
    trees: Vec<DecisionTree>,
}

/// Number of rows that walk through a tree at the same time.
const N_ABREAST: usize = 8;

impl Forest {
    /// Adds the output of the trees to the score of each row.
    ///
    /// Rows with a low score after the first trees keep it: the other trees would hardly change it and would take
    /// most of the time.
    pub(crate) fn add_scores(&self, rows: &[f32], scores: &mut [f32]) {
        let Some(n_values) = rows.len().checked_div(scores.len()) else { return };
        let (first, others) = self.trees.split_at(self.trees.len().min(N_FIRST));
        add_all(first, rows, n_values, scores);
        let best = scores.iter().copied().fold(f32::MIN, f32::max);
        let ahead: Vec<usize> = (0..scores.len()).filter(|&row| scores[row] > best - MAX_GAP).collect();
        let kept: Vec<f32> =
            ahead.iter().flat_map(|&row| &rows[row * n_values..(row + 1) * n_values]).copied().collect();
        let mut kept_scores: Vec<f32> = ahead.iter().map(|&row| scores[row]).collect();
        add_all(others, &kept, n_values, &mut kept_scores);
        ahead.into_iter().zip(kept_scores).for_each(|(row, score)| scores[row] = score);
    }

    /// All nodes as numbers: for each tree the number of nodes, then the value index, children and number of each.
    pub(crate) fn to_numbers(&self) -> Vec<u32> {
        let mut numbers = Vec::new();
        for tree in &self.trees {
            numbers.push(tree.n_nodes as u32);
            for node in &tree.nodes[..tree.n_nodes] {
                let [value, below, above] = [node.value, node.children[0], node.children[1]].map(u32::from);
                numbers.extend([value, below << 16 | above, node.number.to_bits()]);
            }
        }
        numbers
    }

    /// Reads the output of `to_numbers`; `None` if it is not a forest over rows of `n_values` values.
    pub(crate) fn from_numbers(numbers: &[u32], n_values: usize) -> Option<Forest> {
        let mut trees = Vec::new();
        let mut left = numbers;
        while let Some((&n_nodes, rest)) = left.split_first() {
            let n_nodes = n_nodes as usize;
            let (nodes, after) = rest.split_at_checked(n_nodes.checked_mul(3)?)?;
            let node = |(i, node): (usize, &[u32])| {
                let children = [node[1] >> 16, node[1] & 0xffff].map(|child| child as usize);
                let is_leaf = children == [i; 2];
                // Children come after their parent, so that every walk ends in a leaf.
                let is_inner = children.iter().all(|&child| child > i && child < n_nodes);
                let value = u8::try_from(node[0]).ok().filter(|&value| (value as usize) < n_values)?;
                let children = children.map(|child| child as u8);
                (is_leaf || is_inner).then_some(DecisionNode { value, children, number: f32::from_bits(node[2]) })
            };
            let nodes: Option<Vec<DecisionNode>> = nodes.chunks_exact(3).enumerate().map(node).collect();
            trees.push(DecisionTree::of(&nodes.filter(|nodes| (1..=N_NODES).contains(&nodes.len()))?));
            left = after;
        }
        Some(Forest { trees })
    }

    /// The number of trees.
    pub(crate) fn n_trees(&self) -> usize {
        self.trees.len()
    }
}

/// Number of trees that every row walks through.
const N_FIRST: usize = 40;
/// Maximum difference from the best score, in natural logarithms.
const MAX_GAP: f32 = 5.0;

/// Adds the output of all these trees to the score of each row.
fn add_all(trees: &[DecisionTree], rows: &[f32], n_values: usize, scores: &mut [f32]) {
    let mut padded = rows.to_vec();
    padded.resize(scores.len().next_multiple_of(N_ABREAST) * n_values, 0.0);
    for (rows, scores) in padded.chunks_exact(N_ABREAST * n_values).zip(scores.chunks_mut(N_ABREAST)) {
        let rows: [&[f32]; N_ABREAST] = std::array::from_fn(|i| &rows[i * n_values..][..n_values]);
        let mut sums = [0.0; N_ABREAST];
        for tree in trees {
            // All rows take as many steps as the deepest leaf needs: no branch has to be predicted, and the walks do
            // not wait for each other.
            let mut at = [0u8; N_ABREAST];
            for _ in 0..tree.depth {
                for i in 0..N_ABREAST {
                    let node = &tree.nodes[at[i] as usize % N_NODES];
                    at[i] = node.children[usize::from(rows[i][node.value as usize] > node.number)];
                }
            }
            for i in 0..N_ABREAST {
                sums[i] += tree.nodes[at[i] as usize % N_NODES].number;
            }
        }
        scores.iter_mut().zip(sums).for_each(|(score, sum)| *score += sum);
    }
}

impl DecisionTree {
    fn of(nodes: &[DecisionNode]) -> DecisionTree {
        let mut depths = vec![0; nodes.len()];
        for (i, node) in nodes.iter().enumerate() {
            for child in node.children.map(usize::from).into_iter().filter(|&child| child != i) {
                depths[child] = depths[i] + 1;
            }
        }
        let mut padded = Box::new([DecisionNode { value: 0, children: [0; 2], number: 0.0 }; N_NODES]);
        padded[..nodes.len()].copy_from_slice(nodes);
        DecisionTree { nodes: padded, n_nodes: nodes.len(), depth: depths.iter().copied().max().unwrap_or(0) }
    }
}

/// Sums of gradients and weights in the bins of every value.
type Histogram = Vec<[f32; 2]>;

struct TreeLeaf {
    rows: Vec<u32>,
    histogram: Histogram,
    node: usize,
    depth: usize,
    best: Split,
}

#[derive(Clone, Copy, Default)]
struct Split {
    gain: f32,
    value: usize,
    bin: usize,
}

/// Learns trees until there are enough, or it is cancelled.
pub(crate) fn learn_forest(
    rows: &Rows,
    bins: &Bins,
    options: ForestOptions,
    n_threads: usize,
    progress: &dyn Progress,
) -> Forest {
    progress.start("fitting trees", Some(options.n_trees as u64));
    let mut scores = rows.scores.clone();
    let mut slopes = vec![[0.0f32; 2]; rows.n_rows()];
    let mut forest = Forest::default();
    for number in 0..options.n_trees {
        progress.measured("bits per move among the best candidates", set_slopes(rows, &scores, &mut slopes));
        if progress.is_cancelled() {
            break;
        }
        progress.advance(1);
        let seen = (0..rows.n_positions())
            .filter(|position| options.every < 2 || (position + number) % options.every == 0)
            .flat_map(|position| rows.rows_of(position))
            .map(|row| row as u32);
        let grower = Grower { rows, bins, slopes: &slopes, options, n_threads };
        let (nodes, splits) = grower.grow(seen.collect());
        let n_values = bins.n_values();
        let parts: Vec<usize> = (0..N_PARTS).collect();
        let chunk = rows.n_rows().div_ceil(N_PARTS).max(1);
        let answers = map_each(&parts, n_threads, |&part| {
            let of_part = part * chunk..rows.n_rows().min((part + 1) * chunk);
            let answer = |row: usize| binned_answer(&nodes, &splits, &rows.bins[row * n_values..][..n_values]);
            of_part.map(answer).collect::<Vec<f32>>()
        });
        scores.iter_mut().zip(answers.into_iter().flatten()).for_each(|(score, more)| *score += more);
        forest.trees.push(DecisionTree::of(&nodes));
    }
    forest
}

/// The output of a tree for a row of bins; `splits` contains the bin of each node's threshold.
fn binned_answer(nodes: &[DecisionNode], splits: &[u8], bins: &[u8]) -> f32 {
    let mut at = 0;
    loop {
        let node = &nodes[at];
        let next = node.children[usize::from(bins[node.value as usize] > splits[at])] as usize;
        if next == at {
            return node.number;
        }
        at = next;
    }
}

/// Sets the gradient of each score; returns the mean bits of the chosen rows.
fn set_slopes(rows: &Rows, scores: &[f32], slopes: &mut [[f32; 2]]) -> f64 {
    let mut bits = 0.0;
    for position in 0..rows.n_positions() {
        let range = rows.rows_of(position);
        let chosen = range.start + rows.chosen[position] as usize;
        let most = scores[range.clone()].iter().copied().fold(f32::MIN, f32::max);
        let sum: f32 = scores[range.clone()].iter().map(|s| (s - most).exp()).sum();
        for row in range {
            let p = (scores[row] - most).exp() / sum;
            slopes[row] = [f32::from(row == chosen) - p, p * (1.0 - p)];
            if row == chosen {
                bits -= f64::from(p.max(f32::MIN_POSITIVE)).log2();
            }
        }
    }
    bits / rows.n_positions().max(1) as f64
}

struct Grower<'d> {
    rows: &'d Rows,
    bins: &'d Bins,
    slopes: &'d [[f32; 2]],
    options: ForestOptions,
    n_threads: usize,
}

impl Grower<'_> {
    /// Grows a tree from these rows: its nodes, and the bin of each threshold.
    fn grow(&self, rows: Vec<u32>) -> (Vec<DecisionNode>, Vec<u8>) {
        let histogram = self.histogram(&rows);
        let mut nodes = vec![self.leaf_node(&histogram, 0)];
        let mut splits = vec![0];
        let best = self.best_split(&histogram);
        let mut leaves = vec![TreeLeaf { rows, histogram, node: 0, depth: 0, best }];
        while leaves.len() < self.options.n_leaves.min(N_NODES / 2) {
            let by_gain = |a: &(usize, &TreeLeaf), b: &(usize, &TreeLeaf)| a.1.best.gain.total_cmp(&b.1.best.gain);
            let Some(place) = leaves.iter().enumerate().max_by(by_gain).map(|(place, _)| place) else { break };
            if leaves[place].best.gain <= 0.0 {
                break;
            }
            let leaf = leaves.swap_remove(place);
            let Split { value, bin, .. } = leaf.best;
            let n_values = self.bins.n_values();
            let (below, above): (Vec<u32>, Vec<u32>) =
                leaf.rows.iter().partition(|&&row| self.rows.bins[row as usize * n_values + value] as usize <= bin);
            let small = self.histogram(if below.len() <= above.len() { &below } else { &above });
            let rest: Histogram = leaf.histogram.iter().zip(&small).map(|(a, b)| [a[0] - b[0], a[1] - b[1]]).collect();
            let (first, second) = if below.len() <= above.len() { (small, rest) } else { (rest, small) };
            let children = [nodes.len() as u8, nodes.len() as u8 + 1];
            let number = self.bins.thresholds[value][bin];
            nodes[leaf.node] = DecisionNode { value: value as u8, children, number };
            splits[leaf.node] = bin as u8;
            for (rows, histogram) in [(below, first), (above, second)] {
                let (node, depth) = (nodes.len(), leaf.depth + 1);
                nodes.push(self.leaf_node(&histogram, node));
                splits.push(0);
                let is_deepest = depth >= self.options.depth;
                let best = if is_deepest { Split::default() } else { self.best_split(&histogram) };
                leaves.push(TreeLeaf { rows, histogram, node, depth, best });
            }
        }
        (nodes, splits)
    }

    fn leaf_node(&self, histogram: &Histogram, node: usize) -> DecisionNode {
        let [slope, weight] = sum(&histogram[..N_BINS]);
        DecisionNode { value: 0, children: [node as u8; 2], number: self.options.rate * slope / (weight + 1.0) }
    }

    fn histogram(&self, rows: &[u32]) -> Histogram {
        let n_values = self.bins.n_values();
        let build = |rows: &&[u32]| {
            let mut histogram = vec![[0.0f32; 2]; n_values * N_BINS];
            for &row in *rows {
                let [slope, weight] = self.slopes[row as usize];
                let bins = &self.rows.bins[row as usize * n_values..][..n_values];
                for (of_value, &bin) in histogram.chunks_exact_mut(N_BINS).zip(bins) {
                    let sums = &mut of_value[bin as usize % N_BINS];
                    sums[0] += slope;
                    sums[1] += weight;
                }
            }
            histogram
        };
        let chunks: Vec<&[u32]> = rows.chunks(rows.len().div_ceil(N_PARTS).max(1024)).collect();
        let n_threads = if rows.len() < 10_000 { 1 } else { self.n_threads };
        let parts =
            if n_threads == 1 { chunks.iter().map(build).collect() } else { map_each(&chunks, n_threads, build) };
        let none = vec![[0.0; 2]; n_values * N_BINS];
        parts.into_iter().fold(none, |mut all, part| {
            all.iter_mut().zip(part).for_each(|(a, b)| *a = [a[0] + b[0], a[1] + b[1]]);
            all
        })
    }

    fn best_split(&self, histogram: &Histogram) -> Split {
        let mut best = Split::default();
        let [slope, weight] = sum(&histogram[..N_BINS]);
        let gain = |[g, h]: [f32; 2]| g * g / (h + 1.0);
        let whole = gain([slope, weight]);
        for (value, bins) in histogram.chunks_exact(N_BINS).enumerate() {
            let mut left = [0.0f32; 2];
            // After the last threshold there is nothing to split off.
            for (bin, sums) in bins.iter().take(self.bins.thresholds[value].len()).enumerate() {
                left = [left[0] + sums[0], left[1] + sums[1]];
                let right = [slope - left[0], weight - left[1]];
                if left[1] < self.options.min_weight || right[1] < self.options.min_weight {
                    continue;
                }
                let gained = gain(left) + gain(right) - whole;
                if gained > best.gain {
                    best = Split { gain: gained, value, bin };
                }
            }
        }
        best
    }
}

fn sum(bins: &[[f32; 2]]) -> [f32; 2] {
    bins.iter().fold([0.0; 2], |all, one| [all[0] + one[0], all[1] + one[1]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::NoProgress;
    use std::sync::Mutex;

    /// Keeps the figures that are measured.
    #[derive(Default)]
    struct MeasuredBits(Mutex<Vec<f64>>);

    impl Progress for MeasuredBits {
        fn measured(&self, _: &str, value: f64) {
            self.0.lock().expect("no thread panicked").push(value);
        }
    }

    /// Positions in which the candidate whose two values have the same sign is chosen.
    fn same_sign_rows(n: usize) -> (Rows, Bins) {
        let mut state = 1u64;
        let mut random = || {
            state = crate::patterns::template::scramble(state);
            (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        };
        let bins = Bins::of(&(0..4000).map(|_| random()).collect::<Vec<_>>(), 2);
        let mut rows = Rows::default();
        for _ in 0..n {
            let mut values: Vec<f32> = (0..8).map(|_| random()).collect();
            // Only one of the four candidates has equal signs.
            for i in 1..4 {
                values[2 * i + 1] = -values[2 * i].signum() * values[2 * i + 1].abs();
            }
            values[1] = values[0].signum() * values[1].abs();
            let chosen = (random().abs() * 4.0) as usize % 4;
            values.rotate_right(2 * chosen);
            rows.push(&bins, &values, &[0.0; 4], chosen);
        }
        (rows, bins)
    }

    #[test]
    fn trees_learn_what_a_sum_of_values_cannot_express() {
        let (rows, bins) = same_sign_rows(3000);
        let options = ForestOptions { n_trees: 40, n_leaves: 8, depth: 4, rate: 0.3, min_weight: 1.0, every: 1 };
        let measured = MeasuredBits::default();
        let forest = learn_forest(&rows, &bins, options, 2, &measured);
        let bits = measured.0.into_inner().expect("no thread panicked");
        assert!((bits[0] - 2.0).abs() < 1e-6, "four candidates are two bits");
        assert!(bits[39] < 0.2, "{bits:?}");
        let mut scores = [0.0; 9];
        // Nine rows: one more than walk at the same time.
        let signs = [[1, 1], [1, -1], [-1, -1], [-1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [-1, -1]];
        let values: Vec<f32> = signs.iter().flatten().map(|&sign| 0.5 * sign as f32).collect();
        forest.add_scores(&values, &mut scores);
        assert!(scores[0] > scores[1] + 2.0 && scores[2] > scores[3] + 2.0, "{scores:?}");
        assert_eq!((scores[0], scores[2]), (scores[7], scores[8]));
        assert_eq!(forest, learn_forest(&rows, &bins, options, 1, &NoProgress), "the number of threads has no effect");
    }

    #[test]
    fn forests_are_read_as_they_were_written() {
        let options = ForestOptions { n_trees: 3, n_leaves: 5, depth: 3, rate: 0.3, min_weight: 1.0, every: 2 };
        let (rows, bins) = same_sign_rows(200);
        let forest = learn_forest(&rows, &bins, options, 1, &NoProgress);
        let numbers = forest.to_numbers();
        assert_eq!(Forest::from_numbers(&numbers, 2), Some(forest));
        assert_eq!(Forest::from_numbers(&numbers, 1), None, "a value that rows do not have");
        for end in 1..numbers.len() {
            // A cut between two trees leaves a smaller forest; a cut inside a tree is an error.
            if let Some(part) = Forest::from_numbers(&numbers[..end], 2) {
                assert!(part.n_trees() < 3);
            }
        }
        let mut endless = numbers;
        endless[2] = 1;
        assert_eq!(Forest::from_numbers(&endless, 2), None, "a child before its parent");
    }
}
