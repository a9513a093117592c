//! A judged game as additions to its SGF tree.

use tejun_games::sgf::{Addition, NewProperty, Tree, VariationNode, move_nodes};
use tejun_knowledge::judging::{JudgedMove, Verdict};

use crate::reports::judgement::words::{Label, better};
use crate::reports::judgement::{GameReport, line_moves};

impl GameReport<'_> {
    /// What to add to the tree that the game was read from.
    ///
    /// TE, IT, DO and BM for verdicts that are not ordinary; HO on moments, 2 on the one
    /// that loses most; SBKV, Black's win rate after the move in percent; words; and
    /// what the search would have played as a variation.
    pub fn additions(&self, tree: &Tree<'_>) -> Vec<Addition> {
        let nodes = move_nodes(tree);
        let n_moves = self.record.moves.len().min(nodes.len());
        let mut additions: Vec<Addition> = Vec::new();
        // The node before the first move shows the position from which it is played.
        if let (Some(start), Some(rate)) = (nodes.first().and_then(|node| node.checked_sub(1)), self.rate_before(0)) {
            additions.push(Addition { node: start, properties: vec![win_rate(rate)], ..Addition::default() });
        }
        let mut moves = self.judged.moves.iter().peekable();
        let greatest = self.greatest_moment();
        for (index, &node) in nodes.iter().enumerate().take(n_moves) {
            let judged = moves.next_if(|judged| judged.index == index);
            let mut addition = Addition { node, ..Addition::default() };
            if let Some(judged) = judged {
                addition.properties.extend(mark(judged.verdict).map(|name| one(name, "1")));
                if judged.moment.is_some() {
                    addition.properties.push(one("HO", if Some(index) == greatest { "2" } else { "1" }));
                }
                addition.comment = self.comment(judged);
                addition.variations = self.variation(judged).into_iter().collect();
            }
            addition.properties.extend(self.rate_before(index + 1).map(win_rate));
            if addition != (Addition { node, ..Addition::default() }) {
                additions.push(addition);
            }
        }
        additions
    }

    /// The index of the moment with the greatest loss.
    fn greatest_moment(&self) -> Option<usize> {
        let losses = self.moments().filter_map(|judged| Some((judged.loss?.value, judged.index)));
        losses.max_by(|a, b| a.0.total_cmp(&b.0)).map(|greatest| greatest.1)
    }

    /// What the search would have played instead; only where it matters.
    fn variation(&self, judged: &JudgedMove) -> Option<Vec<VariationNode>> {
        let matters = judged.moment.is_some() || matches!(judged.verdict, Verdict::Doubtful | Verdict::Bad);
        let best = better(judged).filter(|_| matters)?;
        let node = |played| VariationNode { played, properties: Vec::new(), comment: None };
        let mut line: Vec<VariationNode> = line_moves(best, judged.played.color).map(node).collect();
        let phrases = self.phrases();
        let words = match self.rate_of_candidate(judged, best) {
            Some(rate) => phrases.alternative(judged.played.color, rate),
            None => phrases.label(Label::Preferred).to_string(),
        };
        line.first_mut()?.comment = Some(words);
        Some(line)
    }
}

fn one(name: &'static str, value: &str) -> NewProperty {
    NewProperty { name, values: vec![value.to_string()] }
}

fn win_rate(share: f64) -> NewProperty {
    one("SBKV", &format!("{:.1}", 100.0 * share))
}

fn mark(verdict: Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Good => Some("TE"),
        Verdict::Interesting => Some("IT"),
        Verdict::Ordinary | Verdict::Unclear => None,
        Verdict::Doubtful => Some("DO"),
        Verdict::Bad => Some("BM"),
    }
}

#[cfg(test)]
mod tests {
    use tejun_games::sgf::{Reader, main_line, write_annotated};

    use crate::reports::judgement::{Language, fixtures};

    #[test]
    fn a_game_comes_back_annotated() {
        let game = fixtures::small_game();
        let report = game.report(Language::En);
        let tree = Reader::new(&game.text).next().expect("a game");
        let once = write_annotated(&tree, &report.additions(&tree));
        let expected = "\
(;AP[Other:1]CA[UTF-8]GM[1]SZ[19]PB[Kuro <1>]PW[Shiro]KM[6.5]RE[W+R]DT[1983-05]SBKV[50.0];B[pd]C[Theirs.]SBKV[55.0]
(;W[qf]
(;B[nd]BM[1]HO[2]SBKV[38.3]C[tejun: BM HO
Black O16: one-space jump.
Leaves “slide” (joseki 1); the known move is O17.
Turning point: Black loses the lead here.
A mistake that costs 2.4 points: Black's win rate falls from 55% to 38%.
Better: O17 pass D4.
Most players would choose it (55%).])
(;B[nc]C[tejun: 1-3
Black's win rate with this continuation: 55%.];W[];B[dp]))
(;W[qc]))
";
        // White's find is not a moment, and its mark is its author's.
        let expected = expected.replace(
            ";W[qf]",
            ";W[qf]DO[1]SBKV[55.0]C[tejun:\n\
             White R14: low approach (small knight).\n\
             Follows “slide” (joseki 1).\n\
             A good move that few would find: the expected D4 would have cost 8% of win rate.\n\
             Hardly anyone would choose it (0.8%).]",
        );
        assert_eq!(once, expected);
        let tree = Reader::new(&once).next().expect("a game");
        assert_eq!(write_annotated(&tree, &report.additions(&tree)), once);
        assert_eq!(main_line(&tree).expect("a game").moves, game.record.moves);
    }

    #[test]
    fn a_long_game_is_annotated_once() {
        let game = fixtures::sample_game();
        for language in [Language::En, Language::Ja] {
            let report = game.report(language);
            let tree = Reader::new(&game.text).next().expect("a game");
            let once = write_annotated(&tree, &report.additions(&tree));
            let again = Reader::new(&once).next().expect("a game");
            assert_eq!(write_annotated(&again, &report.additions(&again)), once);
            assert_eq!(once.matches("SBKV[").count(), game.record.moves.len() + 1);
            assert_eq!(once.matches("HO[2]").count(), 1);
        }
    }
}
