//! Mined sequences as an SGF tree of variations, for Sabaki and other editors.

use std::collections::BTreeMap;
use std::fmt::Write;

use tejun_games::Move;
use tejun_games::go::{BoardSize, Point};
use tejun_games::sgf::escape;
use tejun_knowledge::sequences::Sequence;

use crate::games::GameNames;
use crate::reports::mine::{SequenceReport, example_words, lettered, percent_with_interval, sgf_letters};
use crate::terminal::count;

/// A node with the ranks of the sequences that end there.
#[derive(Default)]
struct VariationNode {
    /// The next moves, in the order of their best sequence.
    children: Vec<(Move, VariationNode)>,
    ranks: Vec<usize>,
}

impl VariationNode {
    fn add(&mut self, moves: &[Move], rank: usize) {
        let Some((first, rest)) = moves.split_first() else {
            self.ranks.push(rank);
            return;
        };
        let at = self.children.iter().position(|(played, _)| played == first).unwrap_or_else(|| {
            self.children.push((*first, VariationNode::default()));
            self.children.len() - 1
        });
        self.children[at].1.add(rest, rank);
    }
}

impl SequenceReport {
    /// One game tree with a branch for each position that sequences start from.
    ///
    /// The last node of a sequence has its name, its numbers, and letters for the continuations.
    pub fn to_sgf(&self) -> String {
        let mut positions: Vec<([Vec<Point>; 2], VariationNode)> = Vec::new();
        let mut numbers: BTreeMap<[Vec<Point>; 2], usize> = BTreeMap::new();
        for (play, rank) in self.sequences.iter().zip(1..) {
            let number = *numbers.entry(play.around.clone()).or_insert_with(|| {
                positions.push((play.around.clone(), VariationNode::default()));
                positions.len() - 1
            });
            positions[number].1.add(&play.moves, rank);
        }
        let manifest: Vec<String> = self.manifest.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        let mut sgf = format!(
            "(;FF[4]GM[1]CA[UTF-8]AP[tejun:{}]SZ[{}]GN[Sequences]C[{}]",
            env!("CARGO_PKG_VERSION"),
            self.size,
            escape(&manifest.join("\n"))
        );
        for (around, node) in &positions {
            sgf.push_str("\n(;");
            put_points(&mut sgf, "AB", &around[0]);
            put_points(&mut sgf, "AW", &around[1]);
            sgf.push_str("PL[B]");
            self.put_children(&mut sgf, node);
            sgf.push(')');
        }
        sgf.push_str(")\n");
        sgf
    }

    fn put_children(&self, sgf: &mut String, node: &VariationNode) {
        let is_branch = node.children.len() > 1;
        for (played, child) in &node.children {
            sgf.push_str(if is_branch { "\n(;" } else { ";" });
            sgf.push(played.color.letter());
            put_points(sgf, "", played.point.as_slice());
            if let Some((&rank, more)) = child.ranks.split_first() {
                self.put_words(sgf, rank, more);
            }
            self.put_children(sgf, child);
            sgf.push_str(if is_branch { ")" } else { "" });
        }
    }

    fn put_words(&self, sgf: &mut String, rank: usize, more: &[usize]) {
        let play = &self.sequences[rank - 1];
        let name = self.names[rank - 1].as_ref().map_or(format!("#{rank}"), |name| format!("#{rank} {name}"));
        let letters: String =
            lettered(play).map(|(letter, point, _)| format!("[{}:{letter}]", sgf_letters([point]))).collect();
        let _ = write!(sgf, "N[{}]", escape(&name).replace(':', "\\:"));
        if !letters.is_empty() {
            let _ = write!(sgf, "LB{letters}");
        }
        let mut words = comment(play, self.size, &self.game_names);
        more.iter().for_each(|rank| words.push_str(&format!("\nAlso #{rank}, the same moves as another string.")));
        let _ = write!(sgf, "C[{}]", escape(&words));
    }
}

fn comment(play: &Sequence, size: BoardSize, names: &GameNames) -> String {
    let after = &play.continuations;
    let mut lines = vec![
        format!(
            "Played {} in {}, {} with the same surrounding stones.",
            count(after.n_played, "time"),
            count(play.n_games, "game"),
            play.n_same_around
        ),
        format!("Class {}: {}.", after.class.letter(), after.class.description()),
        format!("Next move elsewhere: {} of {}.", after.n_tenuki, after.n_played),
        format!("The side that moves first (drawn as Black) wins {}.", percent_with_interval(play.first_side_wins)),
    ];
    lines.extend(
        lettered(play).map(|(letter, point, n)| format!("{letter} {}: {}.", point.name(size), count(n, "time"))),
    );
    lines.extend(play.examples.iter().map(|example| example_words(example, names)));
    lines.join("\n")
}

fn put_points(sgf: &mut String, property: &str, points: &[Point]) {
    if !points.is_empty() {
        sgf.push_str(property);
        points.iter().for_each(|&point| sgf.push_str(&format!("[{}]", sgf_letters([point]))));
    }
}
