//! From strings back to boards: how a sequence looks on the board, and what happens after it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tejun_games::Move;
use tejun_games::go::{BoardSize, Color, Point, Symmetry};
use tejun_index::Symbol;
use xxhash_rust::xxh3::xxh3_64;

use crate::corpus::{GameId, GameTable};
use crate::sequences::continuations::{Continuations, Played, all_played};
use crate::sequences::ranking::RankedString;
use crate::sequences::shape::{ShapeArea, points_of, toward_upper_right};
use crate::sequences::text::{GameText, is_corner, is_outer};
use crate::statistics::Share;
use crate::threads::map_each;

/// Number of continuations to keep.
const N_CONTINUATIONS: usize = 8;
/// Number of example games to keep.
const N_EXAMPLES: usize = 5;
/// Number of players to keep.
const N_PLAYERS: usize = 5;

/// A sequence as shown to players: in the upper right, with Black first.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// The string and its score.
    pub ranked: RankedString,
    /// The symbols of the string.
    pub symbols: Vec<Symbol>,
    /// The moves.
    pub moves: Vec<Move>,
    /// The most frequent surrounding stones, Black's and White's.
    pub around: [Vec<Point>; 2],
    /// Occurrences with exactly these surrounding stones.
    pub n_same_around: usize,
    /// The part of the board where it begins.
    pub region: BoardRegion,
    /// What was played next.
    pub continuations: Continuations,
    /// Number of different games.
    pub n_games: usize,
    /// How often the side that moved first won, among occurrences in games with a winner.
    pub first_side_wins: Share,
    /// Occurrences by year, without doubtful years.
    pub years: BTreeMap<u16, usize>,
    /// Different games by year, without doubtful years.
    pub games_by_year: BTreeMap<u16, usize>,
    /// The players who played it most often, as either side.
    pub players: Vec<(String, usize)>,
    /// Some games, spread over the collection.
    pub examples: Vec<Example>,
}

/// A game in which a sequence was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The game's number in the collection.
    pub id: GameId,
    /// The number of the sequence's first move, from 1.
    pub first_move: usize,
    /// Black and White.
    pub players: [Option<String>; 2],
    /// The date of the game.
    pub date: Option<tejun_games::header::Date>,
}

/// A part of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BoardRegion {
    /// The outer third along two edges.
    Corner,
    /// The outer third along one edge.
    Side,
    /// The rest.
    Center,
}

impl BoardRegion {
    fn of(point: Point, size: BoardSize) -> BoardRegion {
        if is_corner(point, size) {
            BoardRegion::Corner
        } else if is_outer(point.x(), size) || is_outer(point.y(), size) {
            BoardRegion::Side
        } else {
            BoardRegion::Center
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            BoardRegion::Corner => "corner",
            BoardRegion::Side => "side",
            BoardRegion::Center => "center",
        }
    }
}

/// Looks at every occurrence of every string, in the order of the ranking; replays the game of each occurrence.
pub fn sequences_of(text: &GameText, table: &GameTable, ranking: &[RankedString], n_threads: usize) -> Vec<Sequence> {
    map_each(ranking, n_threads, |&ranked| Sequence::new(text, table, ranked)).into_iter().flatten().collect()
}

impl Sequence {
    fn new(text: &GameText, table: &GameTable, ranked: RankedString) -> Option<Sequence> {
        let size = text.options().size;
        let played = all_played(text, table, ranked);
        let (model, n_same_around) = commonest(table, size, &played)?;
        let model = &played[model];
        let show = toward_upper_right(&points_of(&model.moves), size);
        let moves = shown_moves(&model.moves, show, size);
        let points = points_of(&moves);
        let mut continuations = Continuations::new(table, size, &played, &points);
        continuations.continuations.truncate(N_CONTINUATIONS);
        let mut play = Sequence {
            ranked,
            symbols: text.index().symbols(ranked.string).collect(),
            around: stones_around(table, size, model, show),
            n_same_around,
            region: BoardRegion::of(*points.first()?, size),
            moves,
            continuations,
            n_games: played.iter().map(|one| one.game).collect::<BTreeSet<_>>().len(),
            first_side_wins: Share { n_yes: 0, n: 0 },
            years: BTreeMap::new(),
            games_by_year: BTreeMap::new(),
            players: Vec::new(),
            examples: Vec::new(),
        };
        play.gather_facts(table, &played);
        Some(play)
    }

    fn gather_facts(&mut self, table: &GameTable, played: &[Played]) {
        let mut players: HashMap<u32, usize> = HashMap::new();
        let mut games_by_year: BTreeMap<u16, BTreeSet<usize>> = BTreeMap::new();
        for one in played {
            let facts = table.facts(one.game);
            if let Some(winner) = facts.winner {
                self.first_side_wins.n += 1;
                self.first_side_wins.n_yes += u64::from(winner == one.moves[0].color);
            }
            if let Some(year) = facts.year() {
                *self.years.entry(year).or_default() += 1;
                games_by_year.entry(year).or_default().insert(one.game);
            }
            facts.players.iter().flatten().for_each(|&player| *players.entry(player).or_default() += 1);
        }
        self.games_by_year = games_by_year.into_iter().map(|(year, games)| (year, games.len())).collect();
        self.players = players.into_iter().map(|(player, n)| (table.player(player).to_string(), n)).collect();
        self.players.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        self.players.truncate(N_PLAYERS);
        let mut places: Vec<(usize, usize)> = played.iter().map(|one| (one.game, one.first_move + 1)).collect();
        places.sort_unstable();
        places.dedup_by_key(|place| place.0);
        let n = places.len();
        let chosen = (0..N_EXAMPLES.min(n)).map(|i| places[i * n / N_EXAMPLES.min(n)]);
        self.examples = chosen.map(|(game, first_move)| Example::new(table, game, first_move)).collect();
    }
}

impl Example {
    /// A game by its index in the table, with a move number from 1.
    pub fn new(table: &GameTable, game: usize, first_move: usize) -> Example {
        let facts = table.facts(game);
        let name = |player: Option<u32>| player.map(|player| table.player(player).to_string());
        Example { id: facts.id, first_move, players: facts.players.map(name), date: facts.date }
    }
}

/// The occurrence with the most frequent surroundings, and their frequency.
fn commonest(table: &GameTable, size: BoardSize, played: &[Played]) -> Option<(usize, usize)> {
    let mut counts: HashMap<u64, (usize, usize)> = HashMap::new();
    for (i, one) in played.iter().enumerate() {
        let board = table.board_before(one.game, one.first_move);
        let points = points_of(&one.moves);
        let keys = Symmetry::ALL.iter().map(|&symmetry| {
            let turned: Vec<Point> = points.iter().map(|&p| symmetry.apply(p, size)).collect();
            let area = ShapeArea::around(&turned, size);
            let mut key = area.outline(size).to_vec();
            key.extend(turned.iter().flat_map(|p| [p.x() - area.left, p.y() - area.top]));
            let back = symmetry.inverse();
            key.extend(area.points().map(|p| match board.stone(back.apply(p, size)) {
                None => 0,
                Some(color) if color == one.moves[0].color => 1,
                Some(_) => 2,
            }));
            key
        });
        let key = xxh3_64(&keys.min().expect("there are eight symmetries"));
        counts.entry(key).or_insert((0, i)).0 += 1;
    }
    let best = counts.into_values().max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)))?;
    Some((best.1, best.0))
}

/// The moves on the board as shown, with Black first.
fn shown_moves(moves: &[Move], show: Symmetry, size: BoardSize) -> Vec<Move> {
    let first = moves[0].color;
    let color = |color: Color| if color == first { Color::Black } else { Color::White };
    moves.iter().map(|m| Move { color: color(m.color), point: m.point.map(|p| show.apply(p, size)) }).collect()
}

fn stones_around(table: &GameTable, size: BoardSize, one: &Played, show: Symmetry) -> [Vec<Point>; 2] {
    let board = table.board_before(one.game, one.first_move);
    let moves: Vec<Point> = points_of(&one.moves).iter().map(|&p| show.apply(p, size)).collect();
    let area = ShapeArea::around(&moves, size);
    let first = one.moves[0].color;
    let back = show.inverse();
    let stones = |color: Color| area.points().filter(|&p| board.stone(back.apply(p, size)) == Some(color)).collect();
    [stones(first), stones(first.opponent())]
}
