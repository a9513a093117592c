//! The games of a collection in memory: two bytes per move, and the facts that are needed most.

use std::collections::{BTreeMap, HashMap};

use tejun_games::go::{Board, BoardSize, Color, Point};
use tejun_games::header::Date;
use tejun_games::records::positions;
use tejun_games::{GameRecord, Move};
use xxhash_rust::xxh3::Xxh3Default;

use crate::corpus::collection::{Collection, CollectionError};
use crate::corpus::schema::{Game, GameId};
use crate::corpus::selection::Selection;

/// Games of one board size, for fast repeated iteration.
///
/// ```
/// use tejun_games::BoardSize;
/// use tejun_knowledge::corpus::{GameTable, Input, Selection};
/// use tejun_knowledge::progress::NoProgress;
///
/// let games = Input::sample().open(2, &NoProgress)?;
/// let table = GameTable::load(&games.collection, &Selection::default(), BoardSize::NINETEEN)?;
/// let (game, move_index) = (0, 100);
/// println!("{:?}", table.board_before(game, move_index));
/// println!("then {:?}; won by {:?}", table.move_at(game, move_index), table.facts(game).winner);
/// assert_eq!(table.n_games(), 604);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameTable {
    size: BoardSize,
    moves: Vec<PackedMove>,
    /// The start of each game's moves, and the end of the last one.
    starts: Vec<usize>,
    facts: Vec<GameFacts>,
    setups: HashMap<u32, [Vec<Point>; 2]>,
    players: Vec<String>,
    n_other_sizes: usize,
}

/// Facts about a game in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameFacts {
    /// Its number in the collection.
    pub id: GameId,
    /// Who won.
    pub winner: Option<Color>,
    /// When it was played.
    pub date: Option<Date>,
    /// Black and White, as numbers for [`GameTable::player`].
    pub players: [Option<u32>; 2],
}

impl GameFacts {
    /// The year of the game; `None` also for years before 1500, which are mostly mistakes.
    pub fn year(&self) -> Option<u16> {
        self.date.filter(|date| !date.is_doubtful()).map(|date| date.year)
    }
}

/// A move in two bytes: the two coordinates in ten bits, whether it is a pass, and the color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PackedMove(u16);

impl PackedMove {
    const PASS: u16 = 1 << 10;
    const WHITE: u16 = 1 << 11;

    fn new(m: Move) -> PackedMove {
        let point = m.point.map_or(PackedMove::PASS, |p| p.y() as u16 * 32 + p.x() as u16);
        PackedMove(point | if m.color == Color::White { PackedMove::WHITE } else { 0 })
    }

    fn get(self) -> Move {
        let color = if self.0 & PackedMove::WHITE != 0 { Color::White } else { Color::Black };
        let is_pass = self.0 & PackedMove::PASS != 0;
        let point = (!is_pass).then(|| Point::new((self.0 % 32) as u8, (self.0 / 32 % 32) as u8));
        Move { color, point }
    }
}

impl GameTable {
    /// Loads the selected games of one board size.
    ///
    /// # Errors
    /// If the collection can't be read.
    pub fn load(collection: &Collection, selection: &Selection, size: BoardSize) -> Result<GameTable, CollectionError> {
        let mut table = GameTable {
            size,
            moves: Vec::new(),
            starts: vec![0],
            facts: Vec::new(),
            setups: HashMap::new(),
            players: Vec::new(),
            n_other_sizes: 0,
        };
        let mut numbers: HashMap<String, u32> = HashMap::new();
        for game in collection.games() {
            let game = game?;
            if game.record.size != size {
                table.n_other_sizes += 1;
            } else if selection.wants(&game) {
                table.add(&game, &mut numbers);
            }
        }
        Ok(table)
    }

    fn add(&mut self, game: &Game, numbers: &mut HashMap<String, u32>) {
        let GameRecord { header, setup_black, setup_white, moves, .. } = &game.record;
        let mut number = |name: &Option<String>| {
            let name = name.as_ref()?;
            Some(*numbers.entry(name.clone()).or_insert_with(|| {
                self.players.push(name.clone());
                self.players.len() as u32 - 1
            }))
        };
        let players = [number(&header.black), number(&header.white)];
        if !setup_black.is_empty() || !setup_white.is_empty() {
            self.setups.insert(self.facts.len() as u32, [setup_black.clone(), setup_white.clone()]);
        }
        self.facts.push(GameFacts { id: game.id, winner: header.result.winner(), date: header.date, players });
        self.moves.extend(moves.iter().map(|&m| PackedMove::new(m)));
        self.starts.push(self.moves.len());
    }

    /// The board size.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The number of games.
    pub fn n_games(&self) -> usize {
        self.facts.len()
    }

    /// The number of moves in all games.
    pub fn n_moves(&self) -> usize {
        self.moves.len()
    }

    /// The number of games that were skipped because of their board size.
    pub fn n_other_sizes(&self) -> usize {
        self.n_other_sizes
    }

    /// Facts about a game, by its index in the table.
    pub fn facts(&self, game: usize) -> &GameFacts {
        &self.facts[game]
    }

    /// The number of games of each year, without games whose year is unknown or doubtful.
    pub fn games_by_year(&self) -> BTreeMap<u16, usize> {
        let mut n_games = BTreeMap::new();
        for year in self.facts.iter().filter_map(GameFacts::year) {
            *n_games.entry(year).or_insert(0) += 1;
        }
        n_games
    }

    /// A player's name.
    pub fn player(&self, number: u32) -> &str {
        &self.players[number as usize]
    }

    /// The moves of a game.
    pub fn moves(&self, game: usize) -> impl ExactSizeIterator<Item = Move> + Clone + '_ {
        self.moves[self.starts[game]..self.starts[game + 1]].iter().map(|m| m.get())
    }

    /// One move of a game; `None` after the last one.
    pub fn move_at(&self, game: usize, index: usize) -> Option<Move> {
        self.moves[self.starts[game]..self.starts[game + 1]].get(index).map(|m| m.get())
    }

    /// Splits the games into those for training and those for testing, which are every `n`-th game.
    pub fn split(&self, n: usize) -> (GameTable, GameTable) {
        let part = |is_wanted: &dyn Fn(usize) -> bool| {
            let mut part = GameTable {
                moves: Vec::new(),
                starts: vec![0],
                facts: Vec::new(),
                setups: HashMap::new(),
                players: self.players.clone(),
                ..*self
            };
            for game in (0..self.n_games()).filter(|&game| is_wanted(game)) {
                if let Some(setup) = self.setups.get(&(game as u32)) {
                    part.setups.insert(part.facts.len() as u32, setup.clone());
                }
                part.facts.push(self.facts[game]);
                part.moves.extend_from_slice(&self.moves[self.starts[game]..self.starts[game + 1]]);
                part.starts.push(part.moves.len());
            }
            part
        };
        let is_nth = |game: usize| n > 0 && game % n == n - 1;
        (part(&|game| !is_nth(game)), part(&is_nth))
    }

    /// A number that identifies the table's moves; different tables almost certainly have different numbers.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = Xxh3Default::new();
        self.starts.iter().for_each(|&start| hasher.update(&(start as u64).to_le_bytes()));
        for moves in self.moves.chunks(4096) {
            let bytes: Vec<u8> = moves.iter().flat_map(|m| m.0.to_le_bytes()).collect();
            hasher.update(&bytes);
        }
        hasher.digest()
    }

    /// A fingerprint of the moves of each game, the same in every collection that contains the game.
    pub fn game_fingerprints(&self) -> impl ExactSizeIterator<Item = u64> + '_ {
        self.starts.windows(2).map(|ends| {
            let bytes: Vec<u8> = self.moves[ends[0]..ends[1]].iter().flat_map(|m| m.0.to_le_bytes()).collect();
            xxhash_rust::xxh3::xxh3_64(&bytes)
        })
    }

    /// Each move of a game with the board before it; see [`tejun_games::GameRecord::positions`].
    pub fn positions(&self, game: usize) -> impl Iterator<Item = (Board, Move)> {
        positions(self.board_before(game, 0), self.moves(game))
    }

    /// The board before a move of a game.
    pub fn board_before(&self, game: usize, index: usize) -> Board {
        let mut board = Board::new(self.size);
        if let Some([black, white]) = self.setups.get(&(game as u32)) {
            for (color, stones) in [(Color::Black, black), (Color::White, white)] {
                for &point in stones {
                    let _ = board.place(color, point);
                }
            }
        }
        for m in self.moves(game).take(index) {
            // The import has replayed the moves, so they are legal.
            let _ = m.play_on(&mut board);
        }
        board
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubtful_years_do_not_count() {
        let year = |year: u16| {
            let date = Some(Date { year, month: None, day: None });
            GameFacts { id: GameId(0), winner: None, date, players: [None; 2] }.year()
        };
        assert_eq!([1010, 1499, 1500, 2010].map(year), [None, None, Some(1500), Some(2010)]);
    }
}
