//! The report of `tejun mine`: diagrams, tables, JSON, SGF, a page, a picture.

pub mod page;
mod sheet;
mod variations;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Value, json};
use tejun_games::go::{BoardSize, Color, Point};
use tejun_knowledge::codes::Symbol;
use tejun_knowledge::corpus::GameId;
use tejun_knowledge::sequences::{BoardRegion, Example, Sequence};
use tejun_knowledge::statistics::Share;

use crate::games::GameNames;
use crate::reports::diagram::{Diagram, Numbering, Region};
use crate::reports::mine::page::{Card, Page, WinRate};
use crate::reports::table::{Align, Table};
use crate::reports::writing::{grouped, rounded};
use crate::terminal::count;

/// Maximum number of continuations with a letter on the board.
const N_LETTERS: usize = 5;
/// Minimum share of a continuation with a letter.
const LETTER_SHARE: f64 = 0.03;

/// Sequences with their names and how they were found.
pub struct SequenceReport {
    /// The size of the boards.
    pub size: BoardSize,
    /// The sequences, best first.
    pub sequences: Vec<Sequence>,
    /// The names of the sequences, if known.
    pub names: Vec<Option<String>>,
    /// The number of all games by year.
    pub games_by_year: BTreeMap<u16, usize>,
    /// How they were found: names and values.
    pub manifest: Vec<(String, String)>,
    /// What the games of the examples are opened by.
    pub game_names: GameNames,
}

/// A share with its 95% interval and the number of cases, as `51.3% (47.6-54.9, n=1,716)`.
pub fn percent_with_interval(share: Share) -> String {
    if share.n == 0 {
        return "-".into();
    }
    let (low, high) = share.interval();
    let n = grouped(&share.n.to_string());
    format!("{:.1}% ({:.1}-{:.1}, n={n})", 100.0 * share.value(), 100.0 * low, 100.0 * high)
}

/// An example as `games.parquet#17, move 31: Kuro - Shiro, 1983-05`.
pub fn example_words(example: &Example, names: &GameNames) -> String {
    let [black, white] = example.players.each_ref().map(|name| name.as_deref().unwrap_or("?"));
    let date = example.date.map_or(String::new(), |date| format!(", {date}"));
    let name = names.get(example.id).map_or_else(|| format!("game {}", example.id.0), String::from);
    format!("{name}, move {}: {black} - {white}{date}", example.first_move)
}

/// An example as JSON.
pub fn example_json(example: &Example) -> Value {
    json!({
        "game": example.id.0,
        "first_move": example.first_move,
        "black": example.players[0],
        "white": example.players[1],
        "date": example.date.map(|date| date.to_string()),
    })
}

/// The frequent continuations with their letters, A first.
pub fn lettered(play: &Sequence) -> impl Iterator<Item = (char, Point, usize)> + '_ {
    let is_frequent = |count: usize| count as f64 >= LETTER_SHARE * play.continuations.n_played as f64;
    let points: Vec<Point> = play.moves.iter().filter_map(|m| m.point).collect();
    let is_free =
        move |point: Point| !points.contains(&point) && !play.around.iter().any(|stones| stones.contains(&point));
    let frequent = play.continuations.continuations.iter().filter(move |next| is_frequent(next.1) && is_free(next.0));
    ('A'..='Z').zip(frequent).take(N_LETTERS).map(|(letter, next)| (letter, next.0, next.1))
}

/// A sequence on the board, with its surrounding stones and letters for the continuations.
pub fn sequence_diagram(play: &Sequence, size: BoardSize) -> Diagram {
    let [black, white] = &play.around;
    let mut shown: Vec<Point> = play.moves.iter().filter_map(|m| m.point).collect();
    let mut diagram = Diagram::new(size)
        .with_stones(Color::Black, black)
        .with_stones(Color::White, white)
        .with_moves(&play.moves, Numbering::all());
    for (letter, point, _) in lettered(play) {
        diagram = diagram.with_label(point, &letter.to_string());
        shown.push(point);
    }
    shown.extend(black.iter().chain(white));
    if play.region == BoardRegion::Corner {
        // To the corner itself, and at least nine lines, so that diagrams look alike.
        let last = size.get() - 1;
        shown.extend([Point::new(last, 0), Point::new(last.saturating_sub(7), last.min(7))]);
    }
    diagram.with_region(Region::around(size, &shown, 1))
}

fn point_names(points: impl Iterator<Item = Point>, size: BoardSize) -> String {
    points.map(|point| point.name(size)).collect::<Vec<_>>().join(" ")
}

/// Two letters per point, without spaces.
pub(crate) fn sgf_letters(points: impl IntoIterator<Item = Point>) -> String {
    points.into_iter().flat_map(|point| point.to_sgf()).map(char::from).collect()
}

impl SequenceReport {
    fn moves_of(&self, play: &Sequence) -> String {
        point_names(play.moves.iter().filter_map(|m| m.point), self.size)
    }

    /// For each sequence, the ranks of the sequences that contain it, and of those that it contains.
    fn relatives(&self) -> Vec<[Vec<usize>; 2]> {
        let mut ranks: HashMap<&[Symbol], Vec<usize>> = HashMap::new();
        for (play, rank) in self.sequences.iter().zip(1..) {
            ranks.entry(&play.symbols).or_default().push(rank);
        }
        let mut relatives = vec![[Vec::new(), Vec::new()]; self.sequences.len()];
        for (play, rank) in self.sequences.iter().zip(1..) {
            let parts = (1..play.symbols.len()).flat_map(|length| play.symbols.windows(length));
            let contained: BTreeSet<usize> = parts.filter_map(|part| ranks.get(part)).flatten().copied().collect();
            contained.iter().for_each(|part| relatives[part - 1][0].push(rank));
            relatives[rank - 1][1] = contained.into_iter().collect();
        }
        relatives
    }

    /// One line per sequence, and text diagrams of the first `n_diagrams`.
    pub fn to_text(&self, n_diagrams: usize) -> String {
        let mut table = Table::new(&[
            ("rank", Align::Right),
            ("played", Align::Right),
            ("games", Align::Right),
            ("same around", Align::Right),
            ("where", Align::Left),
            ("class", Align::Left),
            ("tenuki", Align::Right),
            ("first side wins", Align::Left),
            ("years", Align::Left),
            ("sequence", Align::Left),
        ]);
        for ((play, name), rank) in self.sequences.iter().zip(&self.names).zip(1..) {
            let after = &play.continuations;
            let tenuki = 100.0 * after.n_tenuki as f64 / after.n_played.max(1) as f64;
            let name = name.as_ref().map_or(String::new(), |name| format!(" ({name})"));
            table.push(vec![
                rank.to_string(),
                after.n_played.to_string(),
                play.n_games.to_string(),
                play.n_same_around.to_string(),
                play.region.name().into(),
                after.class.letter().to_string(),
                format!("{tenuki:.0}%"),
                percent_with_interval(play.first_side_wins),
                years(play).map_or("-".into(), |(first, last)| format!("{first}-{last}")),
                self.moves_of(play) + &name,
            ]);
        }
        let mut text = table.to_text();
        text.push_str(
            "\nplayed: how often; same around: with exactly the stones of the diagram around it; tenuki: share of \
             next moves\nplayed elsewhere; first side wins: how often the side that plays first won, of the games \
             with a winner\n(95% interval, number of games)\n\
             class A: complete, B: complete but may continue, C: begins or ends with a move elsewhere, \
             D: usually continues\n",
        );
        for (play, rank) in self.sequences.iter().zip(1..).take(n_diagrams) {
            text.push_str(&format!("\n{rank}: {}\n", self.moves_of(play)));
            text.push_str(&sequence_diagram(play, self.size).to_text());
            for (letter, point, n) in lettered(play) {
                text.push_str(&format!("{letter} {} next, {}\n", point.name(self.size), count(n, "time")));
            }
        }
        text
    }

    /// One row per sequence, as CSV.
    pub fn to_csv(&self) -> String {
        let names = [
            "rank",
            "name",
            "score",
            "n_moves",
            "moves",
            "setup_black",
            "setup_white",
            "region",
            "class",
            "n_played",
            "n_games",
            "n_same_shape",
            "n_same_around",
            "n_tenuki",
            "continuations",
            "n_first_side_won",
            "n_with_winner",
            "first_year",
            "last_year",
        ];
        let mut table = Table::new(&names.map(|name| (name, Align::Left)));
        for ((play, name), rank) in self.sequences.iter().zip(&self.names).zip(1..) {
            let after = &play.continuations;
            let next = after.continuations.iter().map(|(point, count)| format!("{}:{count}", sgf_letters([*point])));
            let year = |year: Option<u16>| year.map_or(String::new(), |year| year.to_string());
            table.push(vec![
                rank.to_string(),
                name.clone().unwrap_or_default(),
                rounded(play.ranked.score, 6).to_string(),
                play.moves.len().to_string(),
                sgf_letters(play.moves.iter().filter_map(|m| m.point)),
                sgf_letters(play.around[0].iter().copied()),
                sgf_letters(play.around[1].iter().copied()),
                play.region.name().into(),
                after.class.letter().to_string(),
                after.n_played.to_string(),
                play.n_games.to_string(),
                after.n_same_shape.to_string(),
                play.n_same_around.to_string(),
                after.n_tenuki.to_string(),
                next.collect::<Vec<_>>().join(" "),
                play.first_side_wins.n_yes.to_string(),
                play.first_side_wins.n.to_string(),
                year(years(play).map(|years| years.0)),
                year(years(play).map(|years| years.1)),
            ]);
        }
        table.to_csv()
    }

    /// Everything as JSON, with the manifest.
    pub fn to_json(&self) -> Value {
        let manifest: serde_json::Map<String, Value> =
            self.manifest.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let relatives = self.relatives();
        let sequences: Vec<Value> = (0..self.sequences.len()).map(|i| self.play_json(i, &relatives[i])).collect();
        json!({ "manifest": manifest, "sequences": sequences })
    }

    fn play_json(&self, number: usize, [part_of, contains]: &[Vec<usize>; 2]) -> Value {
        let play = &self.sequences[number];
        let names = |points: &[Point]| points.iter().map(|p| p.name(self.size)).collect::<Vec<_>>();
        let moves: Vec<Point> = play.moves.iter().filter_map(|m| m.point).collect();
        let after = &play.continuations;
        let next = after.continuations.iter();
        let next: Vec<Value> =
            next.map(|(point, count)| json!({ "point": point.name(self.size), "n_played": count })).collect();
        let players: Vec<Value> = play.players.iter().map(|(name, n)| json!({ "name": name, "n_played": n })).collect();
        let examples = play.examples.iter().map(example_json);
        let (low, high) = play.first_side_wins.interval();
        json!({
            "rank": number + 1,
            "name": self.names[number],
            "score": rounded(play.ranked.score, 6),
            "moves": names(&moves),
            "around": { "black": names(&play.around[0]), "white": names(&play.around[1]) },
            "region": play.region.name(),
            "class": after.class.letter().to_string(),
            "n_played": after.n_played,
            "n_games": play.n_games,
            "n_same_shape": after.n_same_shape,
            "n_same_around": play.n_same_around,
            "n_tenuki": after.n_tenuki,
            "continuations": next,
            "first_side_wins":
                { "n": play.first_side_wins.n, "n_yes": play.first_side_wins.n_yes, "low": rounded(low, 6), "high": rounded(high, 6) },
            "years": play.years.iter().map(|(year, n)| json!({ "year": year, "n_played": n })).collect::<Vec<_>>(),
            "players": players,
            "examples": examples.collect::<Vec<_>>(),
            "part_of": part_of,
            "contains": contains,
        })
    }

    /// A page for the browser, with the games of the examples that are in `games` as SGF.
    pub fn to_html(&self, games: &HashMap<GameId, String>) -> String {
        let relatives = self.relatives();
        let cards = (0..self.sequences.len()).map(|i| self.card(i, &relatives[i], games)).collect();
        let intro = vec![
            "Sequences that are played as a unit: often, with a clear beginning and end. The diagram shows the most \
             frequent surrounding stones. Black moves first; colors and sides of the board are exchanged where \
             needed."
                .to_string(),
            "Letters on the board mark the next moves nearby, the most frequent first; the list below gives how often \
             each was played and its share of all occurrences. “Elsewhere” means that the next move was played in \
             another part of the board."
                .to_string(),
            "Classes: A, complete: play continues elsewhere. B, complete but may continue: one continuation is \
             frequent. C, begins or ends with a move elsewhere. D, usually continues nearby, so the sequence is only \
             a part."
                .to_string(),
            "The win rate counts games with a winner. The fewer games, the wider its 95% interval: the true win rate is \
             probably within it. If the interval includes 50%, the sequence may well be even."
                .to_string(),
        ];
        let manifest = self.manifest.clone();
        Page { title: "Sequences".into(), intro, cards, games_by_year: self.games_by_year.clone(), manifest }.to_html()
    }

    fn card(&self, number: usize, relatives: &[Vec<usize>; 2], games: &HashMap<GameId, String>) -> Card {
        let play = &self.sequences[number];
        let after = &play.continuations;
        let [part_of, contains] = relatives.clone();
        let wins = play.first_side_wins;
        let (low, high) = wins.interval();
        let examples = play.examples.iter();
        Card {
            rank: number + 1,
            name: self.names[number].clone(),
            diagram_svg: sequence_diagram(play, self.size).with_title(&self.moves_of(play)).to_svg(),
            class_letter: after.class.letter(),
            class_words: after.class.description().into(),
            score: play.ranked.score,
            n_played: after.n_played,
            n_same_around: play.n_same_around,
            n_moves: play.moves.len(),
            moves: self.moves_of(play),
            place: play.region.name().into(),
            first_side_wins: (wins.n > 0).then(|| WinRate { share: wins.value(), low, high, n_games: wins.n }),
            tenuki_share: after.n_tenuki as f64 / after.n_played.max(1) as f64,
            continuations: lettered(play)
                .map(|(letter, point, n_played)| page::Continuation {
                    letter: letter.to_string(),
                    point: point.name(self.size),
                    n_played,
                })
                .collect(),
            years: play.games_by_year.iter().map(|(&year, &n)| (year, n)).collect(),
            players: play.players.clone(),
            examples: examples
                .map(|e| page::Example { text: example_words(e, &self.game_names), sgf: games.get(&e.id).cloned() })
                .collect(),
            part_of,
            contains,
        }
    }
}

fn years(play: &Sequence) -> Option<(u16, u16)> {
    Some((*play.years.keys().next()?, *play.years.keys().next_back()?))
}
