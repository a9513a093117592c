//! The board: stones, chains and their liberties, kept up to date move by move.

use crate::go::point::{CELLS, STRIDE};
use crate::go::zobrist::stone_key;
use crate::go::{BoardSize, Color, Point, PointSet};

const EMPTY: u8 = 2;
const RIM: u8 = 3;
/// The head of cells without a stone: a rim cell, so no chain has it.
const NO_CHAIN: u16 = 0;

/// Stones on a board, with their chains and the ko point.
///
/// Knows captures, suicide and the simple ko; repetition of whole positions is
/// [`crate::go::Position`]'s. Chains keep the exact number of their liberties:
/// a merge walks the smaller chain, a capture the captured stones, all else is
/// a few steps. Undo is a copy kept by the caller; a copy costs 8 kB.
///
/// ```
/// use tejun_games::go::{Board, BoardSize, Color, Point};
///
/// // White's stone in the corner has one liberty left.
/// let mut board = Board::new(BoardSize::new(9)?);
/// board.play(Color::White, Point::new(0, 0))?;
/// board.play(Color::Black, Point::new(1, 0))?;
/// assert_eq!(board.liberties(Point::new(0, 0)), 1);
/// assert_eq!(board.play(Color::Black, Point::new(0, 1))?, 1); // one stone captured
/// assert!(board.is_empty(Point::new(0, 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Board {
    size: BoardSize,
    hash: u64,
    ko: Option<(Color, Point)>,
    cells: [u8; CELLS],
    /// First stone of the stone's chain, the chain's name.
    head: [u16; CELLS],
    /// Next stone of the chain, in a ring.
    next: [u16; CELLS],
    /// At a head: the chain's number of liberties.
    liberties: [u16; CELLS],
    /// At a head: the chain's number of stones.
    stones: [u16; CELLS],
}

/// Whether a move may take off its own stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Suicide {
    /// Illegal, as in most rules.
    Forbidden,
    /// Legal, as in New Zealand's rules; and as SGF plays moves.
    Allowed,
}

/// Why a move was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum IllegalMove {
    /// The point is not on this board.
    #[error("the point is off the board")]
    OffBoard,
    /// The point already has a stone.
    #[error("the point is occupied")]
    Occupied,
    /// The move would retake the ko (コウ, *kō*) at once.
    #[error("it retakes the ko at once")]
    Ko,
    /// The stones would have no liberty.
    #[error("it is suicide")]
    Suicide,
    /// The whole board would repeat an earlier position.
    #[error("it repeats an earlier position")]
    Superko,
}

impl Board {
    /// A board without stones.
    pub fn new(size: BoardSize) -> Board {
        let mut cells = [RIM; CELLS];
        for point in size.points() {
            cells[point.index()] = EMPTY;
        }
        Board {
            size,
            hash: 0,
            ko: None,
            cells,
            head: [NO_CHAIN; CELLS],
            next: [0; CELLS],
            liberties: [0; CELLS],
            stones: [0; CELLS],
        }
    }

    /// The number of lines.
    #[inline]
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The stone on a point, if any.
    #[inline]
    pub fn stone(&self, point: Point) -> Option<Color> {
        match self.cells[point.index()] {
            0 => Some(Color::Black),
            1 => Some(Color::White),
            _ => None,
        }
    }

    /// Whether the point is on the board and without a stone.
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.cells[point.index()] == EMPTY
    }

    /// The Zobrist hash of the stones; the side to move and the ko are not in it.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The point where this side may not retake a ko.
    #[inline]
    pub fn ko_point(&self, color: Color) -> Option<Point> {
        self.ko.filter(|ko| ko.0 == color).map(|ko| ko.1)
    }

    /// Liberties of the chain on a point; 0 if there is no stone.
    #[inline]
    pub fn liberties(&self, point: Point) -> usize {
        // Rim and empty cells have the head NO_CHAIN, whose count stays 0.
        self.liberties[at(self.head[point.index()])] as usize
    }

    /// The stone that names its chain as long as the chain does not change; `None` without a stone.
    #[inline]
    pub fn chain_head(&self, point: Point) -> Option<Point> {
        let head = self.head[point.index()];
        (head != NO_CHAIN).then_some(Point(head))
    }

    /// Stones of the chain on a point; 0 if there is none.
    #[inline]
    pub fn chain_len(&self, point: Point) -> usize {
        self.chain_head(point).map_or(0, |head| self.stones[head.index()] as usize)
    }

    /// The stones of the chain on a point, that one first; nothing if there is none.
    pub fn chain(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        let mut at = (self.head[point.index()] != NO_CHAIN).then_some(point);
        std::iter::from_fn(move || {
            let stone = at?;
            let following = Point(self.next[stone.index()]);
            at = (following != point).then_some(following);
            Some(stone)
        })
    }

    /// The liberties of the chain on a point, as a set. Costs a walk of the chain.
    pub fn liberty_points(&self, point: Point) -> PointSet {
        self.chain(point).flat_map(Point::around).filter(|&p| self.is_empty(p)).collect()
    }

    /// A liberty of the chain on a point that is not `except`; `None` if it has no other.
    pub fn liberty_but(&self, point: Point, except: Option<Point>) -> Option<Point> {
        self.chain(point).flat_map(Point::around).find(|&p| self.is_empty(p) && Some(p) != except)
    }

    /// The eight points around one, two bits each: 0 is black, 1 white, 2 empty, 3 off the board.
    ///
    /// The lowest bits are the upper left; then row by row without the point itself.
    #[inline]
    pub fn surroundings(&self, point: Point) -> u16 {
        let middle = point.index();
        // Rows are 32 cells apart, and only the first cell of the first row would wrap: to a cell of the rim.
        let cell = |step: usize| u16::from(self.cells[middle.wrapping_add(step) & (CELLS - 1)]);
        let up = 0usize.wrapping_sub(STRIDE);
        let left = 0usize.wrapping_sub(1);
        cell(up.wrapping_sub(1))
            | cell(up) << 2
            | cell(up + 1) << 4
            | cell(left) << 6
            | cell(1) << 8
            | cell(STRIDE - 1) << 10
            | cell(STRIDE) << 12
            | cell(STRIDE + 1) << 14
    }

    /// All stones of a color.
    pub fn stones(&self, color: Color) -> PointSet {
        self.size.points().filter(|&p| self.stone(p) == Some(color)).collect()
    }

    /// Whether the move may be played.
    ///
    /// # Errors
    /// The reason why not.
    pub fn check(&self, color: Color, point: Point, suicide: Suicide) -> Result<(), IllegalMove> {
        match self.cells[point.index()] {
            EMPTY => {}
            RIM => return Err(IllegalMove::OffBoard),
            _ => return Err(IllegalMove::Occupied),
        }
        if self.ko == Some((color, point)) {
            return Err(IllegalMove::Ko);
        }
        let breathes = point.around().into_iter().any(|p| {
            let cell = self.cells[p.index()];
            let in_atari = self.liberties[at(self.head[p.index()])] == 1;
            cell == EMPTY || (cell == color as u8 && !in_atari) || (cell == 1 - color as u8 && in_atari)
        });
        // The rim's cell value is 3, never 0 or 1.
        if breathes || suicide == Suicide::Allowed { Ok(()) } else { Err(IllegalMove::Suicide) }
    }

    /// Plays a move without suicide; gives the number of stones it takes off.
    ///
    /// # Errors
    /// If the move is illegal; the board is then unchanged.
    #[inline]
    pub fn play(&mut self, color: Color, point: Point) -> Result<usize, IllegalMove> {
        self.play_with(color, point, Suicide::Forbidden)
    }

    /// Plays a move; returns the number of the opponent's stones captured.
    ///
    /// # Errors
    /// If the move is illegal; the board is then unchanged.
    pub fn play_with(&mut self, color: Color, point: Point, suicide: Suicide) -> Result<usize, IllegalMove> {
        self.check(color, point, suicide)?;
        self.put(color, point);
        let mut n_captured = 0;
        let mut last_captured = point;
        for p in point.around() {
            let i = p.index();
            if self.cells[i] == 1 - color as u8 && self.liberties[at(self.head[i])] == 0 {
                n_captured += self.take_off(p);
                last_captured = p;
            }
        }
        let own = at(self.head[point.index()]);
        self.ko = None;
        if self.liberties[own] == 0 {
            self.take_off(point);
        } else if n_captured == 1 && self.stones[own] == 1 && self.liberties[own] == 1 {
            self.ko = Some((color.opponent(), last_captured));
        }
        Ok(n_captured)
    }

    /// Passes: lifts the ko.
    pub fn pass(&mut self) {
        self.ko = None;
    }

    /// The hash that the board would have after a legal move.
    pub fn hash_after(&self, color: Color, point: Point) -> u64 {
        let mut captured = PointSet::EMPTY;
        for p in point.around() {
            if self.cells[p.index()] == 1 - color as u8 && self.liberties(p) == 1 {
                for stone in self.chain(p) {
                    captured.insert(stone);
                }
            }
        }
        let taken = captured.iter().fold(0, |hash, p| hash ^ stone_key(color.opponent(), p));
        let is_suicide = captured.is_empty() && self.check(color, point, Suicide::Forbidden).is_err();
        if !is_suicide {
            return self.hash ^ taken ^ stone_key(color, point);
        }
        let mut own = PointSet::EMPTY;
        for p in point.around() {
            if self.cells[p.index()] == color as u8 {
                for stone in self.chain(p) {
                    own.insert(stone);
                }
            }
        }
        own.iter().fold(self.hash, |hash, p| hash ^ stone_key(color, p))
    }

    /// Puts a setup stone where none is; takes nothing off, and lifts the ko.
    ///
    /// # Errors
    /// If the point is off the board or has a stone.
    pub fn place(&mut self, color: Color, point: Point) -> Result<(), IllegalMove> {
        match self.cells[point.index()] {
            EMPTY => {}
            RIM => return Err(IllegalMove::OffBoard),
            _ => return Err(IllegalMove::Occupied),
        }
        self.put(color, point);
        self.ko = None;
        Ok(())
    }

    /// Removes one setup stone, if there is one. Costs as much as setting up the whole board.
    pub fn remove(&mut self, point: Point) {
        let mut rest = Board::new(self.size);
        for p in self.size.points().filter(|&p| p != point) {
            if let Some(color) = self.stone(p) {
                rest.put(color, p);
            }
        }
        *self = rest;
    }

    /// Puts a stone on an empty point and joins it to its neighbors.
    fn put(&mut self, color: Color, point: Point) {
        let i = point.index();
        self.cells[i] = color as u8;
        self.hash ^= stone_key(color, point);
        self.head[i] = point.0;
        self.next[i] = point.0;
        self.stones[i] = 1;
        let around = point.around();
        self.liberties[i] = around.iter().filter(|p| self.is_empty(**p)).count() as u16;
        for head in different(around.map(|p| self.head[p.index()])) {
            self.liberties[at(head)] -= 1;
        }
        for p in around {
            if self.cells[p.index()] == color as u8 && self.head[p.index()] != self.head[i] {
                self.join(self.head[p.index()], self.head[i]);
            }
        }
    }

    /// Joins two chains of a color into the larger one.
    fn join(&mut self, a: u16, b: u16) {
        let (large, small) = if self.stones[at(a)] >= self.stones[at(b)] { (a, b) } else { (b, a) };
        let mut stone = small;
        let mut n_new = 0;
        loop {
            for p in Point(stone).around() {
                n_new += u16::from(self.is_empty(p) && self.is_new_liberty(p, stone, small, large));
            }
            stone = self.next[at(stone)];
            if stone == small {
                break;
            }
        }
        loop {
            self.head[at(stone)] = large;
            stone = self.next[at(stone)];
            if stone == small {
                break;
            }
        }
        self.next.swap(at(large), at(small));
        self.liberties[at(large)] += n_new;
        self.stones[at(large)] += self.stones[at(small)];
    }

    /// Whether an empty point next to `stone` of the small chain is to be counted there.
    ///
    /// It is if the large chain does not touch it and `stone` is the first of
    /// the small chain's stones around it, so that no liberty counts twice.
    #[inline]
    fn is_new_liberty(&self, point: Point, stone: u16, small: u16, large: u16) -> bool {
        let mut first = NO_CHAIN;
        for p in point.around() {
            let head = self.head[p.index()];
            if head == large {
                return false;
            }
            if head == small && first == NO_CHAIN {
                first = p.0;
            }
        }
        first == stone
    }

    /// Removes a chain from the board; returns its number of stones.
    fn take_off(&mut self, point: Point) -> usize {
        let chain = self.head[point.index()];
        let color = self.stone(point).expect("only stones are taken off");
        let mut stone = chain;
        loop {
            let i = at(stone);
            self.cells[i] = EMPTY;
            self.head[i] = NO_CHAIN;
            self.hash ^= stone_key(color, Point(stone));
            for head in different(Point(stone).around().map(|p| self.head[p.index()])) {
                // The chain's own stones still have it as their head; what it counts no longer matters.
                self.liberties[at(head)] += 1;
            }
            stone = self.next[i];
            if stone == chain {
                break;
            }
        }
        self.stones[at(chain)] as usize
    }
}

/// The cell of a chain's name.
#[inline]
fn at(cell: u16) -> usize {
    Point(cell).index()
}

/// The chains among the heads of four neighbors, each once.
#[inline]
fn different(heads: [u16; 4]) -> impl Iterator<Item = u16> {
    let [a, b, c, d] = heads;
    let is_new = [
        a != NO_CHAIN,
        b != NO_CHAIN && b != a,
        c != NO_CHAIN && c != a && c != b,
        d != NO_CHAIN && d != a && d != b && d != c,
    ];
    heads.into_iter().zip(is_new).filter_map(|(head, is_new)| is_new.then_some(head))
}

impl std::fmt::Debug for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for y in 0..self.size.get() {
            let row = (0..self.size.get()).map(|x| match self.stone(Point::new(x, y)) {
                Some(Color::Black) => " X",
                Some(Color::White) => " O",
                None => " .",
            });
            writeln!(f, "{}", row.collect::<String>())?;
        }
        Ok(())
    }
}
