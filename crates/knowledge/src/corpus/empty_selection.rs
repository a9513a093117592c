//! Why a selection contains no game.

use std::collections::BTreeMap;
use std::fmt;

use tejun_games::header::Date;

use crate::corpus::collection::{Collection, CollectionError};
use crate::corpus::selection::Selection;

/// The number of similar names to list.
const N_NEAREST: usize = 3;
/// Minimum similarity of listed names (Jaro-Winkler, from 0 to 1).
const MIN_SIMILARITY: f64 = 0.75;

/// A reason why a selection contains no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EmptyReason {
    /// The period ends before it begins.
    SwappedDates {
        /// The first day.
        from: Date,
        /// The last day.
        to: Date,
    },
    /// No player, or no event, has this text in its name.
    NoSuchName {
        /// `player` or `event`.
        what: &'static str,
        /// The text.
        name: String,
        /// Names that look similar, the most similar first.
        nearest: Vec<String>,
    },
    /// No game is from the period; contains the years of the collection, if its games have dates.
    OtherYears(Option<(u16, u16)>),
    /// No game has this board size; contains the sizes that occur, the most frequent first.
    OtherSizes(Vec<u8>),
    /// No player has a rank.
    NoRanks,
}

impl fmt::Display for EmptyReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EmptyReason::SwappedDates { from, to } => {
                write!(f, "the period begins in {from} and ends before that, in {to}; swap the dates")
            }
            EmptyReason::NoSuchName { what, name, nearest } if nearest.is_empty() => {
                write!(f, "no {what} is called \"{name}\"")
            }
            EmptyReason::NoSuchName { what, name, nearest } => {
                write!(f, "no {what} is called \"{name}\"; similar names: {}", nearest.join(", "))
            }
            EmptyReason::OtherYears(None) => write!(f, "no game has a date"),
            EmptyReason::OtherYears(Some((first, last))) => {
                write!(f, "no game is from this period; the games are from {first} to {last}")
            }
            EmptyReason::OtherSizes(sizes) => {
                let sizes: Vec<String> = sizes.iter().map(|size| format!("{size}x{size}")).collect();
                write!(f, "no game has this board size; the games are on {}", sizes.join(", "))
            }
            EmptyReason::NoRanks => write!(f, "no player has a rank"),
        }
    }
}

/// Finds the reasons why a selection contains no game; reads the whole collection.
///
/// ```
/// use tejun_knowledge::corpus::{Input, Selection, empty_reasons};
/// use tejun_knowledge::progress::NoProgress;
///
/// let games = Input::sample().open(1, &NoProgress)?;
/// let selection = Selection { player: Some("Go Seigan".into()), ..Selection::default() };
/// let reasons = empty_reasons(&games.collection, &selection)?;
/// assert!(reasons[0].to_string().contains("Go Seigen"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the collection can't be read.
pub fn empty_reasons(collection: &Collection, selection: &Selection) -> Result<Vec<EmptyReason>, CollectionError> {
    let mut facts = CollectionFacts::default();
    for game in collection.games() {
        let record = game?.record;
        let header = record.header;
        for name in [header.black, header.white].into_iter().flatten() {
            *facts.players.entry(name).or_default() += 1;
        }
        header.event.into_iter().for_each(|event| *facts.events.entry(event).or_default() += 1);
        *facts.sizes.entry(record.size.get()).or_default() += 1;
        facts.years.extend(header.date.map(|date| date.year));
        facts.has_ranks |= header.black_rank.is_some() || header.white_rank.is_some();
    }
    Ok(facts.reasons(selection))
}

/// The values that the games of a collection have, with their frequencies.
#[derive(Default)]
struct CollectionFacts {
    players: BTreeMap<String, usize>,
    events: BTreeMap<String, usize>,
    sizes: BTreeMap<u8, usize>,
    years: Vec<u16>,
    has_ranks: bool,
}

impl CollectionFacts {
    fn reasons(&self, selection: &Selection) -> Vec<EmptyReason> {
        let mut reasons = Vec::new();
        let starts_late = |from: Date, to: Date| {
            let start = (from.year, from.month.unwrap_or(1), from.day.unwrap_or(1));
            start > (to.year, to.month.unwrap_or(12), to.day.unwrap_or(31))
        };
        let is_swapped = selection.from.zip(selection.to).is_some_and(|(from, to)| starts_late(from, to));
        if let (Some(from), Some(to), true) = (selection.from, selection.to, is_swapped) {
            reasons.push(EmptyReason::SwappedDates { from, to });
        }
        for name in [&selection.player, &selection.black, &selection.white].into_iter().flatten() {
            reasons.extend(no_such_name("player", name, &self.players));
        }
        reasons.extend(selection.event.iter().filter_map(|name| no_such_name("event", name, &self.events)));
        let in_period = |year: &&u16| {
            selection.from.is_none_or(|from| **year >= from.year) && selection.to.is_none_or(|to| **year <= to.year)
        };
        let has_period = selection.from.is_some() || selection.to.is_some();
        if has_period && !is_swapped && self.years.iter().find(in_period).is_none() {
            reasons
                .push(EmptyReason::OtherYears(self.years.iter().min().copied().zip(self.years.iter().max().copied())));
        }
        if selection.size.is_some_and(|size| !self.sizes.contains_key(&size)) {
            let mut sizes: Vec<(u8, usize)> = self.sizes.iter().map(|(size, n)| (*size, *n)).collect();
            sizes.sort_by_key(|(size, n)| (std::cmp::Reverse(*n), *size));
            reasons.push(EmptyReason::OtherSizes(sizes.into_iter().map(|(size, _)| size).collect()));
        }
        if selection.rank.is_some() && !self.has_ranks {
            reasons.push(EmptyReason::NoRanks);
        }
        reasons
    }
}

/// The reason, if no name contains the text.
fn no_such_name(what: &'static str, name: &str, names: &BTreeMap<String, usize>) -> Option<EmptyReason> {
    let wanted = name.to_lowercase();
    if names.keys().any(|name| name.to_lowercase().contains(&wanted)) {
        return None;
    }
    // The family name may come first or last.
    let likeness = |name: &str| {
        let name = name.to_lowercase();
        let turned = name.split_whitespace().rev().collect::<Vec<_>>().join(" ");
        strsim::jaro_winkler(&wanted, &name).max(strsim::jaro_winkler(&wanted, &turned))
    };
    let mut nearest: Vec<(f64, usize, &String)> = names.iter().map(|(name, n)| (likeness(name), *n, name)).collect();
    nearest.retain(|(likeness, ..)| *likeness >= MIN_SIMILARITY);
    nearest.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.cmp(b.2)));
    let nearest = nearest.into_iter().take(N_NEAREST).map(|(.., name)| name.clone()).collect();
    Some(EmptyReason::NoSuchName { what, name: name.into(), nearest })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> CollectionFacts {
        let names = |names: &[(&str, usize)]| names.iter().map(|(name, n)| (name.to_string(), *n)).collect();
        CollectionFacts {
            players: names(&[("Go Seigen", 30), ("Kitani Minoru", 20), ("Go Shigeru", 1)]),
            events: names(&[("Honinbo", 9)]),
            sizes: [(19, 50), (9, 2), (13, 2)].into(),
            years: vec![1950, 1931],
            has_ranks: false,
        }
    }

    #[track_caller]
    fn check(selection: Selection, expected: &[&str]) {
        let found: Vec<String> = facts().reasons(&selection).iter().map(EmptyReason::to_string).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn each_filter_that_fits_no_game_is_named() {
        let date = |text: &str| Date::parse(text);
        let usual = Selection::default;
        check(Selection { player: Some("kitani".into()), ..usual() }, &[]);
        check(
            Selection { player: Some("Go Seigan".into()), ..usual() },
            &["no player is called \"Go Seigan\"; similar names: Go Seigen, Go Shigeru"],
        );
        check(
            Selection { black: Some("minoru kitani".into()), event: Some("Olympics".into()), ..usual() },
            &["no player is called \"minoru kitani\"; similar names: Kitani Minoru", "no event is called \"Olympics\""],
        );
        check(
            Selection { from: date("1950"), to: date("1940-05"), ..usual() },
            &["the period begins in 1950 and ends before that, in 1940-05; swap the dates"],
        );
        check(
            Selection { from: date("1960"), ..usual() },
            &["no game is from this period; the games are from 1931 to 1950"],
        );
        check(Selection { from: date("1940"), to: date("1950-01"), ..usual() }, &[]);
        check(
            Selection { size: Some(7), ..usual() },
            &["no game has this board size; the games are on 19x19, 9x9, 13x13"],
        );
        let strong = tejun_games::header::Rank(1)..=tejun_games::header::Rank(9);
        check(Selection { rank: Some(strong), ..usual() }, &["no player has a rank"]);
    }
}
