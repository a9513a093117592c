//! The report of `tejun tactic find`: tables, a page with plots and boards, JSON, CSV.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json};
use tejun_games::go::Point;
use tejun_knowledge::corpus::GameTable;
use tejun_knowledge::predictor::{N_STAGES, stage_name};
use tejun_knowledge::sequences::Example;
use tejun_knowledge::tactics::{Condition, Findings, Library, Mapping, Place, Points, Query, RandomComparison, Tally};

use crate::games::GameNames;
use crate::reports::diagram::Mark;
use crate::reports::mine::{example_words, percent_with_interval};
use crate::reports::page::{Figure, ReportPage};
use crate::reports::plot::Plot;
use crate::reports::table::{Align, Table, csv_line};
use crate::reports::tactic::show::{marked_diagram, position_diagram};
use crate::reports::writing::grouped;
use crate::reports::years::{MIN_GAMES, YearAxis};

/// Maximum number of years to list one by one; more years are listed in decades.
const MAX_YEARS: usize = 20;

/// Findings, with the games and names to show them.
pub struct FindingsReport<'a> {
    /// The games.
    pub table: &'a GameTable,
    /// The query.
    pub query: &'a Query,
    /// The names of sets.
    pub library: &'a Library,
    /// What was found.
    pub findings: &'a Findings,
    /// What the games of the examples are opened by.
    pub names: &'a GameNames,
}

impl FindingsReport<'_> {
    /// The tables, with `top` players and examples.
    pub fn to_text(&self, top: usize) -> String {
        let mut text = format!("{}\n", self.summary());
        if !self.findings.comparisons.is_empty() {
            text.push_str(&format!("\n{}", self.comparison_table().to_text()));
        }
        if self.findings.places.is_empty() {
            return text;
        }
        for table in self.tables(top) {
            text.push_str(&format!("\n{}", table.to_text()));
        }
        if top > 0 {
            let first = self.findings.examples(top).next().map(|place| self.example(place).id);
            text.push_str(&format!("\n{}\n", self.names.heading("Examples", first)));
        }
        for place in self.findings.examples(top) {
            text.push_str(&format!("{}\n", self.place_words(place)));
        }
        text
    }

    /// A sentence with the totals.
    fn summary(&self) -> String {
        let Findings { all, n_games, n_games_found, .. } = self.findings;
        let numbers = [all.n_found as usize, all.n_positions as usize, *n_games_found, *n_games];
        let [found, positions, games_found, games] = numbers.map(|n| grouped(&n.to_string()));
        let noun = |n: usize, noun: &str| if n == 1 { noun.to_string() } else { format!("{noun}s") };
        let positions = format!("{positions} {}", noun(numbers[1], "position"));
        let games = format!("{games} {}", noun(numbers[3], "game"));
        if all.n_found == 0 {
            return format!("not found in {positions} of {games}");
        }
        format!("{found} of {positions} ({}), in {games_found} of {games}", percent(*all))
    }

    /// By stage, color, year and player.
    fn tables(&self, top: usize) -> Vec<Table> {
        let findings = self.findings;
        let stages = (0..N_STAGES).map(|stage| (stage_name(stage), findings.by_stage[stage]));
        let colors = ["Black", "White"].map(String::from).into_iter().zip(findings.by_color);
        let mut tables = vec![tally_table("moves", stages), tally_table("to move", colors)];
        // A single row of unknown years says nothing.
        if findings.by_year.keys().any(Option::is_some) {
            tables.push(tally_table("year", self.years()));
        }
        let players = self.players().take(top).map(|(player, tally)| (player.to_string(), tally));
        if top > 0 && !findings.by_player.is_empty() {
            tables.push(tally_table("player", players));
        }
        tables
    }

    /// Players with findings, most findings first.
    fn players(&self) -> impl Iterator<Item = (&str, Tally)> {
        let found = self.findings.by_player.iter().filter(|(_, tally)| tally.n_found > 0);
        found.map(|&(player, tally)| (self.table.player(player), tally))
    }

    /// By year, or by decade if there are many years.
    fn years(&self) -> Vec<(String, Tally)> {
        let years = &self.findings.by_year;
        let width = if years.len() > MAX_YEARS { 10 } else { 1 };
        let mut spans: BTreeMap<Option<u16>, Tally> = BTreeMap::new();
        for (year, tally) in years {
            *spans.entry(year.map(|year| year / width * width)).or_default() += *tally;
        }
        let name = |year: Option<u16>| match year {
            None => "unknown".to_string(),
            Some(year) if width == 1 => year.to_string(),
            Some(year) => format!("{year}-{}", year + width - 1),
        };
        spans.into_iter().map(|(year, tally)| (name(year), tally)).collect()
    }

    /// The sets in which moves were sought.
    fn compared_sets(&self) -> impl Iterator<Item = (&Mapping, &RandomComparison)> {
        let sets = self.query.conditions.iter().filter_map(|condition| match condition {
            Condition::PlayedIn(set) => Some(set),
            _ => None,
        });
        sets.zip(&self.findings.comparisons)
    }

    fn comparison_table(&self) -> Table {
        let mut table = Table::new(&[
            ("played in", Align::Left),
            ("positions", Align::Right),
            ("points", Align::Right),
            ("played", Align::Left),
            ("expected", Align::Right),
            ("lift", Align::Right),
        ]);
        for (set, comparison) in self.compared_sets() {
            let number = |value: f64, digits: usize, unit: &str| {
                if value.is_nan() { "-".into() } else { format!("{value:.digits$}{unit}") }
            };
            table.push(vec![
                self.library.print(set),
                comparison.n_positions.to_string(),
                number(comparison.mean_selected(), 2, ""),
                percent_with_interval(comparison.share()),
                number(100.0 * comparison.n_expected / comparison.n_positions as f64, 2, "%"),
                number(comparison.lift(), 2, ""),
            ]);
        }
        table
    }

    fn example(&self, place: Place) -> Example {
        Example::new(self.table, place.game as usize, place.move_index as usize + 1)
    }

    fn played(&self, place: Place) -> Option<Point> {
        self.table.move_at(place.game as usize, place.move_index as usize).and_then(|m| m.point)
    }

    fn played_name(&self, place: Place) -> String {
        self.played(place).map_or(String::new(), |point| point.name(self.table.size()))
    }

    fn place_words(&self, place: Place) -> String {
        format!("{}: {}", example_words(&self.example(place), self.names), self.played_name(place))
    }

    /// One line per place.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write_csv(&self, output: &mut dyn Write) -> io::Result<()> {
        let head = ["game", "move", "color", "point", "black", "white", "date"];
        output.write_all(csv_line(&head).as_bytes())?;
        for &place in &self.findings.places {
            let Example { id, first_move, players: [black, white], date } = self.example(place);
            let color = self.table.move_at(place.game as usize, place.move_index as usize).map(|m| m.color.letter());
            let line = csv_line(&[
                &id.0.to_string(),
                &first_move.to_string(),
                &color.map_or(String::new(), String::from),
                &self.played_name(place),
                &black.unwrap_or_default(),
                &white.unwrap_or_default(),
                &date.map_or(String::new(), |date| date.to_string()),
            ]);
            output.write_all(line.as_bytes())?;
        }
        output.flush()
    }

    /// All counts and examples as JSON.
    pub fn to_json(&self, top: usize) -> Value {
        let findings = self.findings;
        let tally = |tally: &Tally| json!({ "positions": tally.n_positions, "found": tally.n_found });
        let row = |name: &str, key: Value, counted: &Tally| json!({ (name): key, "positions": counted.n_positions, "found": counted.n_found });
        let stages = (0..N_STAGES).map(|stage| row("moves", stage_name(stage).into(), &findings.by_stage[stage]));
        let years = findings.by_year.iter().map(|(year, counted)| row("year", (*year).into(), counted));
        let players = self.players().take(top).map(|(player, counted)| row("player", player.into(), &counted));
        let comparisons = self.compared_sets().map(|(set, comparison)| {
            json!({
                "played_in": self.library.print(set),
                "positions": comparison.n_positions,
                "played": comparison.n_played,
                "legal_points_in_it": comparison.n_selected,
                "legal_points": comparison.n_legal,
                "expected": comparison.n_expected,
                "lift": Some(comparison.lift()).filter(|lift| lift.is_finite()),
            })
        });
        let examples = findings.examples(top).map(|place| {
            let Example { id, first_move, players: [black, white], date } = self.example(place);
            let date = date.map(|date| date.to_string());
            json!({
                "game": id.0, "move": first_move, "point": self.played_name(place),
                "black": black, "white": white, "date": date,
            })
        });
        json!({
            "query": self.library.print_query(self.query),
            "games": findings.n_games,
            "games_found": findings.n_games_found,
            "positions": findings.all.n_positions,
            "found": findings.all.n_found,
            "comparisons": comparisons.collect::<Vec<_>>(),
            "by_stage": stages.collect::<Vec<_>>(),
            "by_color": { "black": tally(&findings.by_color[0]), "white": tally(&findings.by_color[1]) },
            "by_year": years.collect::<Vec<_>>(),
            "by_player": players.collect::<Vec<_>>(),
            "examples": examples.collect::<Vec<_>>(),
        })
    }

    /// A page with the tables, plots by stage and year, and `top` boards.
    pub fn to_page(&self, top: usize) -> ReportPage {
        let mut page = ReportPage::new(&self.library.print_query(self.query), &self.summary());
        page.made_with("query", &self.library.print_query(self.query));
        page.made_with("games", &grouped(&self.findings.n_games.to_string()));
        if !self.findings.comparisons.is_empty() {
            page.table_of(&self.comparison_table());
            page.columns(&[
                ("played in", "the set of points that the move was sought in"),
                ("positions", "positions in which the other conditions hold and the set has a legal point"),
                ("points", "mean number of legal points in the set"),
                ("played", "share of moves in the set, with its 95% interval and the number of positions"),
                ("expected", "the same share if moves were chosen at random among the legal points"),
                ("lift", "how many times more often it was played than expected"),
            ]);
        }
        let percent_of = |tally: &Tally| 100.0 * tally.share().value();
        let stages = self.findings.by_stage.iter().enumerate().filter(|(_, tally)| tally.n_positions > 0);
        let bars = stages.map(|(stage, tally)| (20.0 * stage as f64 + 10.0, percent_of(tally))).collect();
        let plot = Plot::new("By stage of the game").with_axes("moves played", "% of positions");
        let plot = plot.with_bars("", bars).with_bar_width(20.0);
        page.plot(&plot, "Share of positions by moves played; the last bar is for all moves from 201.");
        if let Some((plot, caption)) = self.year_plot() {
            page.plot(&plot, &caption);
        }
        if !self.findings.places.is_empty() {
            page.heading("Counts");
            self.tables(top).iter().for_each(|table| page.table_of(table));
            page.columns(&[
                ("positions", "all positions of that kind; a player's positions are those with the player to move"),
                ("found", "positions in which the query holds"),
                ("share", "found, as a share of positions"),
            ]);
            page.heading("Examples");
            page.words(
                "Squares mark the points of the set, crosses the points of other conditions. The move played is marked \
                 with a circle if it is among the squares, and with a triangle if not.",
            );
            page.boards(&self.findings.examples(top).map(|place| self.figure(place)).collect::<Vec<_>>());
        }
        page
    }

    /// Shares by year, without years that have too few games.
    fn year_plot(&self) -> Option<(Plot, String)> {
        let axis = YearAxis::of_games(&self.table.games_by_year())?;
        let mut tallies = vec![Tally::default(); axis.n_bars()];
        for (year, tally) in &self.findings.by_year {
            if let Some(bar) = year.and_then(|year| axis.bar_of(year)) {
                tallies[bar] += *tally;
            }
        }
        let point = |bar: usize| {
            let (first, last) = axis.bar_years(bar);
            axis.games(bar).map(|_| (f64::from(first + last) / 2.0, 100.0 * tallies[bar].share().value()))
        };
        let points: Vec<Option<(f64, f64)>> = (0..axis.n_bars()).map(point).collect();
        if points.iter().flatten().count() < 2 {
            return None;
        }
        let runs = points.split(Option::is_none).map(|run| run.iter().copied().flatten().collect());
        let plot = Plot::new("By year").with_axes("year", "% of positions").with_runs("", runs.collect());
        let unit = match axis.years_per_bar() {
            1 => "each year".to_string(),
            n => format!("each {n} years"),
        };
        Some((plot, format!("Share of positions of {unit}; left blank where there are fewer than {MIN_GAMES} games.")))
    }

    fn figure(&self, place: Place) -> Figure {
        let (position, played) = place.position(self.table);
        let [sought, others] = self.marked_sets(&|set| position.value(set));
        let board = position_diagram(&position, self.table.size());
        let board = others.iter().fold(board, |board, point| board.with_mark(point, Mark::Cross));
        let svg = marked_diagram(board, &sought, played.and_then(|m| m.point)).with_title("").to_svg();
        let words = example_words(&self.example(place), self.names);
        let (game, players) = words.split_once(": ").unwrap_or((&words, ""));
        Figure { svg, caption: vec![format!("{game}: {}", self.played_name(place)), players.to_string()] }
    }

    /// The points in which moves or positions were sought, and those of the other conditions.
    fn marked_sets(&self, value: &dyn Fn(&Mapping) -> Points) -> [Points; 2] {
        let mut sets = [Points::NONE; 2];
        let asks_for_move = self.query.asks_for_move();
        for condition in &self.query.conditions {
            let is_other = asks_for_move && !condition.asks_for_move();
            sets[usize::from(is_other)] |= value(condition.mapping());
        }
        sets
    }
}

fn percent(tally: Tally) -> String {
    if tally.n_positions == 0 { "-".into() } else { format!("{:.2}%", 100.0 * tally.share().value()) }
}

fn tally_table(name: &str, rows: impl IntoIterator<Item = (String, Tally)>) -> Table {
    let columns = [(name, Align::Left), ("positions", Align::Right), ("found", Align::Right), ("share", Align::Right)];
    let mut table = Table::new(&columns);
    for (name, tally) in rows.into_iter().filter(|(_, tally)| tally.n_positions > 0) {
        table.push(vec![name, tally.n_positions.to_string(), tally.n_found.to_string(), percent(tally)]);
    }
    table
}
