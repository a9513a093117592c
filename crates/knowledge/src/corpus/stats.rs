//! The content of a collection in numbers.

use std::collections::HashMap;

use tejun_games::go::Color;
use tejun_games::header::{Date, GameResult, Margin};

use crate::corpus::collection::{Collection, CollectionError};
use crate::corpus::schema::Game;
use crate::statistics::Share;

/// A value and the number of games that have it.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// The value as text; empty if the records do not give it.
    pub value: String,
    /// Games that have it.
    pub n_games: u64,
}

/// A player with games and wins.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerStats {
    /// The name as the records write it.
    pub name: String,
    /// Games played.
    pub n_games: u64,
    /// Games won, among those with a known winner.
    pub wins: Share,
}

/// The content of a collection in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectionStats {
    /// Number of games.
    pub n_games: u64,
    /// Number of moves, including passes.
    pub n_moves: u64,
    /// Number of passes.
    pub n_passes: u64,
    /// Games marked as near duplicates of others.
    pub n_near_duplicates: u64,
    /// Games that were repaired during the import.
    pub n_repaired: u64,
    /// Shortest, median and longest game.
    pub lengths: [u16; 3],
    /// Black's wins among games with a known winner.
    pub black_wins: Share,
    /// First and last year.
    pub years: Option<(u16, u16)>,
    /// Board sizes, the most frequent first, as in all lists below.
    pub sizes: Vec<Counted>,
    /// Numbers of handicap stones.
    pub handicaps: Vec<Counted>,
    /// Komi.
    pub komi: Vec<Counted>,
    /// Rules as the records write them.
    pub rules: Vec<Counted>,
    /// How the games ended.
    pub endings: Vec<Counted>,
    /// Decades in chronological order.
    pub decades: Vec<Counted>,
    /// Events.
    pub events: Vec<Counted>,
    /// Players, the most active first.
    pub players: Vec<PlayerStats>,
}

/// Counts a collection in one pass.
///
/// # Errors
/// If the collection can't be read.
pub fn collection_stats(collection: &Collection) -> Result<CollectionStats, CollectionError> {
    let mut tally = StatsCounter::default();
    for game in collection.games() {
        tally.add(&game?);
    }
    Ok(tally.finish())
}

/// `1970s`; empty without a date, or with one that is doubtful.
fn decade(date: Option<Date>) -> String {
    let date = date.filter(|date| !date.is_doubtful());
    date.map(|date| format!("{}s", date.year / 10 * 10)).unwrap_or_default()
}

#[derive(Default)]
struct StatsCounter {
    n_moves: u64,
    n_passes: u64,
    n_near_duplicates: u64,
    n_repaired: u64,
    lengths: HashMap<u16, u64>,
    n_decided: u64,
    n_black: u64,
    years: Option<(u16, u16)>,
    sizes: HashMap<String, u64>,
    handicaps: HashMap<String, u64>,
    komi: HashMap<String, u64>,
    rules: HashMap<String, u64>,
    endings: HashMap<String, u64>,
    decades: HashMap<String, u64>,
    events: HashMap<String, u64>,
    /// Games, decided games and wins.
    players: HashMap<String, [u64; 3]>,
}

impl StatsCounter {
    fn add(&mut self, game: &Game) {
        let record = &game.record;
        let header = &record.header;
        self.n_moves += record.moves.len() as u64;
        self.n_passes += record.moves.iter().filter(|m| m.point.is_none()).count() as u64;
        self.n_near_duplicates += u64::from(game.near_duplicate_of.is_some());
        self.n_repaired += u64::from(game.notes.is_some());
        *self.lengths.entry(record.moves.len() as u16).or_default() += 1;
        let mut count = |map: fn(&mut StatsCounter) -> &mut HashMap<String, u64>, value: String| {
            *map(self).entry(value).or_default() += 1;
        };
        count(|t| &mut t.sizes, format!("{0}x{0}", record.size));
        count(|t| &mut t.handicaps, header.handicap.to_string());
        count(|t| &mut t.komi, header.komi.map(|komi| komi.to_string()).unwrap_or_default());
        count(|t| &mut t.rules, header.rules.clone().unwrap_or_default());
        count(|t| &mut t.events, header.event.clone().unwrap_or_default());
        count(|t| &mut t.endings, ending(header.result).to_string());
        count(|t| &mut t.decades, decade(header.date));
        if let Some(date) = header.date.filter(|date| !date.is_doubtful()) {
            let (first, last) = self.years.unwrap_or((date.year, date.year));
            self.years = Some((first.min(date.year), last.max(date.year)));
        }
        let winner = header.result.winner();
        self.n_decided += u64::from(winner.is_some());
        self.n_black += u64::from(winner == Some(Color::Black));
        for (color, name) in [(Color::Black, &header.black), (Color::White, &header.white)] {
            if let Some(name) = name {
                let [n_games, n_decided, n_won] = self.players.entry(name.clone()).or_default();
                *n_games += 1;
                *n_decided += u64::from(winner.is_some());
                *n_won += u64::from(winner == Some(color));
            }
        }
    }

    fn finish(self) -> CollectionStats {
        let n_games = self.lengths.values().sum();
        let mut players: Vec<PlayerStats> = self
            .players
            .into_iter()
            .map(|(name, [n_games, n, n_yes])| PlayerStats { name, n_games, wins: Share { n_yes, n } })
            .collect();
        players.sort_by(|a, b| b.n_games.cmp(&a.n_games).then_with(|| a.name.cmp(&b.name)));
        let mut decades = by_count(self.decades);
        decades.sort_by(|a, b| a.value.cmp(&b.value));
        CollectionStats {
            n_games,
            n_moves: self.n_moves,
            n_passes: self.n_passes,
            n_near_duplicates: self.n_near_duplicates,
            n_repaired: self.n_repaired,
            lengths: length_marks(&self.lengths, n_games),
            black_wins: Share { n_yes: self.n_black, n: self.n_decided },
            years: self.years,
            sizes: by_count(self.sizes),
            handicaps: by_count(self.handicaps),
            komi: by_count(self.komi),
            rules: by_count(self.rules),
            endings: by_count(self.endings),
            decades,
            events: by_count(self.events),
            players,
        }
    }
}

fn ending(result: GameResult) -> &'static str {
    match result {
        GameResult::Unknown => "",
        GameResult::Draw => "draw",
        GameResult::Void => "void",
        GameResult::Win(_, Margin::Points(_)) => "counted",
        GameResult::Win(_, Margin::Resignation) => "resignation",
        GameResult::Win(_, Margin::Time) => "time",
        GameResult::Win(_, Margin::Forfeit) => "forfeit",
        GameResult::Win(_, Margin::Unknown) => "won, not said how",
    }
}

fn by_count(counts: HashMap<String, u64>) -> Vec<Counted> {
    let mut list: Vec<Counted> = counts.into_iter().map(|(value, n_games)| Counted { value, n_games }).collect();
    list.sort_by(|a, b| b.n_games.cmp(&a.n_games).then_with(|| a.value.cmp(&b.value)));
    list
}

fn length_marks(lengths: &HashMap<u16, u64>, n_games: u64) -> [u16; 3] {
    let mut sorted: Vec<(u16, u64)> = lengths.iter().map(|(&length, &n)| (length, n)).collect();
    sorted.sort_unstable();
    let mut n_before = 0;
    let median = sorted.iter().find(|(_, n)| {
        n_before += n;
        2 * n_before >= n_games
    });
    let length = |entry: Option<&(u16, u64)>| entry.map_or(0, |entry| entry.0);
    [length(sorted.first()), length(median), length(sorted.last())]
}
