//! What commentary says about moves.

use tejun_games::sgf::{Tree, move_nodes};

/// What a commentator says about a move: good (`TE`), bad (`BM`), or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// Marked as good.
    Good,
    /// Not marked.
    Ordinary,
    /// Marked as bad.
    Bad,
}

impl Label {
    /// All of them.
    pub const ALL: [Label; 3] = [Label::Good, Label::Ordinary, Label::Bad];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Label::Good => "good",
            Label::Ordinary => "ordinary",
            Label::Bad => "bad",
        }
    }
}

/// The labels of the moves of a tree's main line, in order.
pub fn labels(tree: &Tree<'_>) -> Vec<Label> {
    let nodes: Vec<_> = tree.main_nodes().collect();
    let label = |node: usize| {
        let has = |name: &str| nodes[node].property(name).is_some();
        match (has("TE"), has("BM")) {
            (true, false) => Label::Good,
            (false, true) => Label::Bad,
            _ => Label::Ordinary,
        }
    };
    move_nodes(tree).into_iter().map(label).collect()
}

/// White's win rate before each move of the main line, from the comments in KataGo's own games.
///
/// Such a comment begins with White's wins and losses, `0.52 0.48 0.00 0.3 v=600`; `None` for other comments.
pub fn engine_win_rates_white(tree: &Tree<'_>) -> Vec<Option<f64>> {
    let nodes: Vec<_> = tree.main_nodes().collect();
    let rate = |node: usize| {
        let comment = nodes[node].property("C")?.text();
        let mut numbers = comment.split_whitespace().map(str::parse::<f64>);
        let (win, loss) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
        (0.99..=1.01).contains(&(win + loss)).then_some(win)
    };
    move_nodes(tree).into_iter().map(rate).collect()
}

#[cfg(test)]
mod tests {
    use tejun_games::sgf::Reader;

    use super::*;

    #[test]
    fn marks_belong_to_the_moves_of_their_nodes() {
        let text = "(;SZ[9]TE[1];B[aa]TE[1];C[no move];W[bb](;B[cc]BM[2])(;B[dd]TE[1]);W[ee])";
        let tree = Reader::new(text).next().expect("a game");
        assert_eq!(labels(&tree), [Label::Good, Label::Ordinary, Label::Bad]);
    }

    #[test]
    fn engines_comments_are_read() {
        let text = "(;SZ[9]C[0.5 0.5];B[aa]C[0.52 0.48 0.00 0.3 v=600];W[bb]C[0.9 0.9];B[cc]C[well played];W[dd])";
        let tree = Reader::new(text).next().expect("a game");
        assert_eq!(engine_win_rates_white(&tree), [Some(0.52), None, None, None]);
    }
}
