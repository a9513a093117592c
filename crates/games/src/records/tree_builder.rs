//! A game tree in the making.

use crate::game::{GameMove, GamePosition, GameTree, TreeMove, TreeWarning, TreeWarningKind};

/// The most moves a line may have; the longest games on record have some hundreds.
const MAX_PLIES: usize = 5000;

/// A game that is being read, with a place on it where the next move goes.
#[derive(Clone, Debug)]
pub(crate) struct TreeBuilder {
    game: GameTree,
    /// The moves to the place, each with the board after it.
    path: Vec<(u32, GamePosition)>,
    is_main: bool,
    /// Moves of the line that were written but not played, for the first of them could not be.
    n_lost: usize,
}

/// A place to come back to.
#[derive(Clone, Debug)]
pub(crate) struct TreeBookmark {
    n_plies: usize,
    last: Option<(u32, GamePosition)>,
    is_main: bool,
    n_lost: usize,
}

impl TreeBuilder {
    pub(crate) fn new(start: GamePosition) -> TreeBuilder {
        TreeBuilder { game: GameTree::new(start), path: Vec::new(), is_main: true, n_lost: 0 }
    }

    /// The board where the next move is to be played.
    pub(crate) fn board(&self) -> &GamePosition {
        self.path.last().map_or(&self.game.start, |(_, board)| board)
    }

    /// The game so far.
    pub(crate) fn game_mut(&mut self) -> &mut GameTree {
        &mut self.game
    }

    /// Moves from the start to the place.
    pub(crate) fn n_plies(&self) -> usize {
        self.path.len()
    }

    /// Whether something before the place could not be read, so that nothing can be played here.
    pub(crate) fn is_cut(&self) -> bool {
        self.n_lost > 0
    }

    /// Whether no variation was begun.
    pub(crate) fn is_main(&self) -> bool {
        self.is_main
    }

    /// Plays a move, or cuts the line there.
    pub(crate) fn play(&mut self, line: u32, played: GameMove) {
        if self.is_cut() {
            self.n_lost += 1;
            return;
        }
        if self.path.len() >= MAX_PLIES {
            return self.cut(line, TreeWarningKind::TooLong { max: MAX_PLIES });
        }
        match self.board().after(played) {
            Ok(board) => {
                let parent = self.path.last().map(|(number, _)| *number);
                self.path.push((self.game.moves.len() as u32, board));
                self.game.moves.push(TreeMove { played, parent });
                self.game.n_main += u32::from(self.is_main);
            }
            Err(error) => self.cut(line, TreeWarningKind::IllegalMove { text: error.text, position: error.position }),
        }
    }

    /// Ends the line because of something unreadable; reported once per line.
    pub(crate) fn cut(&mut self, line: u32, what: TreeWarningKind) {
        if !self.is_cut() {
            self.game.warnings.push(TreeWarning { line, what });
        }
        self.n_lost += 1;
    }

    /// Goes back to where this many moves were played and begins a variation.
    ///
    /// On a line that was cut before, the variation is cut as well.
    pub(crate) fn branch(&mut self, line: u32, n_plies: usize) {
        self.is_main = false;
        if n_plies <= self.path.len() {
            self.path.truncate(n_plies);
            self.n_lost = 0;
        } else {
            self.cut(line, TreeWarningKind::NoBranch { number: n_plies as u32 + 1 });
        }
    }

    /// Begins a variation of the last move; the bookmark leads back to the position after that move.
    pub(crate) fn branch_here(&mut self) -> TreeBookmark {
        let (is_main, n_lost) = (self.is_main, self.n_lost);
        self.is_main = false;
        // On a cut line the last move was not played, and the variation replaces that move.
        let last = if n_lost > 0 { None } else { self.path.pop() };
        let n_plies = self.path.len();
        self.n_lost = n_lost.saturating_sub(1);
        TreeBookmark { n_plies, last, is_main, n_lost }
    }

    /// Goes back to a bookmark.
    pub(crate) fn resume(&mut self, bookmark: TreeBookmark) {
        self.path.truncate(bookmark.n_plies);
        self.path.extend(bookmark.last);
        self.is_main = bookmark.is_main;
        self.n_lost = bookmark.n_lost;
    }

    pub(crate) fn finish(self) -> GameTree {
        self.game
    }
}
