//! The options for selecting games.

use std::ops::RangeInclusive;
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::ValueEnum;
use tejun_games::header::{Date, Rank};
use tejun_knowledge::corpus::{Expression, NearDuplicates, Selection};

/// Which games to use; all conditions must hold.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Select games (all conditions must hold)")]
pub struct Filters {
    /// Part of either player's name
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Part of Black's name
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// Part of White's name
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// Rank of both players, such as 7d.., 5k..3d or 9p
    #[arg(long, value_name = "RANGE")]
    rank: Option<String>,
    /// First date, such as 1990, 1990-05 or 1990-05-17
    #[arg(long, value_name = "DATE")]
    from: Option<String>,
    /// Last date
    #[arg(long, value_name = "DATE")]
    to: Option<String>,
    /// Result begins with this, such as B+, W+R or 0 (a draw)
    #[arg(long, value_name = "RESULT")]
    result: Option<String>,
    /// Part of the event's name
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// Board size in lines
    #[arg(long, value_name = "LINES")]
    size: Option<u8>,
    /// Number of handicap stones, such as 0 or 2..9
    #[arg(long, value_name = "RANGE")]
    handicap: Option<String>,
    /// Number of moves, such as 50.. or 100..300
    #[arg(long, value_name = "RANGE")]
    moves: Option<String>,
    /// Games that are nearly copies of others [default: include for select and stats, otherwise exclude]
    #[arg(long, value_name = "WHAT", value_enum)]
    near_duplicates: Option<NearDuplicateGames>,
    /// Any other condition, such as 'year >= 1990 and (komi = 5.5 or black ~ "lee")'
    #[arg(long = "where", value_name = "CONDITION")]
    condition: Option<String>,
}

/// What to do with games that are nearly copies of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NearDuplicateGames {
    /// Use them like other games
    Include,
    /// Use only one of them
    Exclude,
    /// Use only the copies
    Only,
}

impl Filters {
    /// The selection for these options.
    ///
    /// # Errors
    /// Names the invalid option.
    pub fn selection(&self) -> anyhow::Result<Selection> {
        let date = |text: &Option<String>, flag: &str| match text {
            None => Ok(None),
            Some(text) => match Date::parse(text) {
                Some(date) => Ok(Some(date)),
                None => bail!("{flag} {text}: not a date; write 1990, 1990-05 or 1990-05-17"),
            },
        };
        let numbers = |text: &Option<String>, flag: &str| match text {
            None => Ok(None),
            Some(text) => range(text, 0, u32::MAX, |t| u32::from_str(t).ok()).map(Some).with_context(|| {
                format!("{flag} {text}: not a range; write a number or a range, such as 50.. or 2..9")
            }),
        };
        let rank = match &self.rank {
            None => None,
            Some(text) => Some(range(text, Rank(i16::MIN), Rank(i16::MAX), Rank::parse).with_context(|| {
                format!("--rank {text}: not a range of ranks; write a rank or a range, such as 7d.. or 5k..3d")
            })?),
        };
        let condition = match &self.condition {
            None => None,
            Some(text) => Some(Expression::parse(text).with_context(|| format!("--where '{text}'"))?),
        };
        Ok(Selection {
            player: self.player.clone(),
            black: self.black.clone(),
            white: self.white.clone(),
            rank,
            from: date(&self.from, "--from")?,
            to: date(&self.to, "--to")?,
            result: self.result.clone(),
            event: self.event.clone(),
            size: self.size,
            handicap: numbers(&self.handicap, "--handicap")?,
            moves: numbers(&self.moves, "--moves")?,
            near_duplicates: match self.near_duplicates {
                Some(NearDuplicateGames::Exclude) => NearDuplicates::Excluded,
                Some(NearDuplicateGames::Only) => NearDuplicates::Only,
                Some(NearDuplicateGames::Include) | None => NearDuplicates::Included,
            },
            condition,
        })
    }

    /// Like `selection`, but excludes near duplicates by default.
    ///
    /// For commands that count strings: a duplicated game would add thousands of worthless ones.
    ///
    /// # Errors
    /// Names the invalid option.
    pub fn selection_without_copies(&self) -> anyhow::Result<Selection> {
        let mut selection = self.selection()?;
        if self.near_duplicates.is_none() {
            selection.near_duplicates = NearDuplicates::Excluded;
        }
        Ok(selection)
    }

    /// The same options without those that name players.
    pub fn without_players(&self) -> Filters {
        Filters { player: None, black: None, white: None, ..self.clone() }
    }

    /// The options as written on the command line.
    pub fn to_flags(&self) -> String {
        let numbers = self.size.map(|size| size.to_string());
        let near_duplicates = self.near_duplicates.and_then(|games| games.to_possible_value());
        let near_duplicates = near_duplicates.map(|value| value.get_name().to_string());
        let flags = [
            ("player", &self.player),
            ("black", &self.black),
            ("white", &self.white),
            ("rank", &self.rank),
            ("from", &self.from),
            ("to", &self.to),
            ("result", &self.result),
            ("event", &self.event),
            ("size", &numbers),
            ("handicap", &self.handicap),
            ("moves", &self.moves),
            ("near-duplicates", &near_duplicates),
            ("where", &self.condition),
        ];
        let given = flags.iter().filter_map(|(name, value)| Some(format!("--{name} {}", value.as_ref()?)));
        given.collect::<Vec<_>>().join(" ")
    }
}

/// `a`, `a..`, `..b` or `a..b`, ends included.
fn range<T: Copy>(text: &str, least: T, most: T, parse: impl Fn(&str) -> Option<T>) -> Option<RangeInclusive<T>> {
    let end = |text: &str, open: T| if text.is_empty() { Some(open) } else { parse(text) };
    match text.split_once("..") {
        Some((from, to)) => Some(end(from, least)?..=end(to.trim_start_matches('='), most)?),
        None => parse(text).map(|value| value..=value),
    }
}
