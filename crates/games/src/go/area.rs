//! Which points belong to whom on a board.

use crate::go::{Board, Color, Point, PointSet};

impl Board {
    /// The stones of a color and the empty points that reach no other color (Tromp and Taylor).
    ///
    /// Does not know dead stones: every stone on the board counts as alive.
    ///
    /// ```
    /// use tejun_games::go::{Board, BoardSize, Color, Point};
    /// let mut board = Board::new(BoardSize::new(9)?);
    /// board.play(Color::Black, Point::new(4, 4))?;
    /// assert_eq!(board.area(Color::Black).len(), 81);
    /// assert_eq!(board.area(Color::White).len(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn area(&self, color: Color) -> PointSet {
        let own = self.reached_by(color);
        let other = self.reached_by(color.opponent());
        own - other
    }

    /// The stones of a color and every empty point that a path of empty points leads to.
    fn reached_by(&self, color: Color) -> PointSet {
        let empty: PointSet = self.size().points().filter(|&p| self.is_empty(p)).collect();
        let mut reached = self.stones(color);
        loop {
            let more = reached | (reached.neighbors(self.size()) & empty);
            if more == reached {
                return reached;
            }
            reached = more;
        }
    }

    /// Whether an empty point is an eye of one point (眼, *me*) that its owner should not fill.
    ///
    /// All neighbors are stones of the color, and of the diagonal points at most
    /// one is the opponent's, none at the edge. Stones in atari are not seen.
    pub fn is_eye(&self, color: Color, point: Point) -> bool {
        let size = self.size();
        let is_surrounded = point.neighbors(size).all(|p| self.stone(p) == Some(color));
        if !self.is_empty(point) || !is_surrounded {
            return false;
        }
        let diagonal: Vec<Point> = point.diagonal_neighbors(size).collect();
        let n_lost = diagonal.iter().filter(|p| self.stone(**p) == Some(color.opponent())).count();
        n_lost <= usize::from(diagonal.len() == 4)
    }
}
