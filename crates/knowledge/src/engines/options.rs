//! How an engine is to be started and asked.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use tejun_games::go::Color;

use crate::engines::EngineCommand;

/// The protocol that an engine speaks, and the commands by which it reports values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum EngineKind {
    /// GTP; the commands are chosen from those that the engine lists.
    #[default]
    Auto,
    /// GTP with `lz-analyze`, as Leela Zero has it.
    LzAnalyze,
    /// GTP with `kata-analyze`, as KataGo has it.
    KataAnalyze,
    /// GTP with Fuego's `uct_gfx`, `uct_bounds` and `uct_value`.
    Fuego,
    /// GTP with Pachi's `lz-analyze`; an old Pachi without it reports only its best move.
    Pachi,
    /// GTP without win rates: GNU Go's `top_moves_black`, or the best move only.
    PlainGtp,
    /// KataGo's analysis engine: a query and an answer are one line of JSON each.
    KataGoJson,
}

/// From whose perspective win rates are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointOfView {
    /// The side to move.
    SideToMove,
    /// Always Black.
    Black,
    /// Always White.
    White,
}

/// A name that is not one of the choices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is unknown; choose {}", .choices.join(", "))]
pub struct NameError {
    /// What was written.
    pub name: String,
    /// What can be written.
    pub choices: Vec<&'static str>,
}

/// The item of this name.
pub(crate) fn named<T: Copy>(items: &[(&'static str, T)], name: &str) -> Result<T, NameError> {
    let found = items.iter().find(|item| item.0.eq_ignore_ascii_case(name));
    let choices = || items.iter().map(|item| item.0).collect();
    found.map(|item| item.1).ok_or_else(|| NameError { name: name.into(), choices: choices() })
}

impl EngineKind {
    /// Every kind with the name by which it is chosen.
    pub const NAMES: [(&'static str, EngineKind); 7] = [
        ("auto", EngineKind::Auto),
        ("lz", EngineKind::LzAnalyze),
        ("kata", EngineKind::KataAnalyze),
        ("fuego", EngineKind::Fuego),
        ("pachi", EngineKind::Pachi),
        ("plain", EngineKind::PlainGtp),
        ("katago-json", EngineKind::KataGoJson),
    ];

    /// The protocol in words.
    pub(crate) fn protocol(self) -> &'static str {
        match self {
            EngineKind::KataGoJson => "KataGo's JSON protocol",
            _ => "GTP",
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = EngineKind::NAMES.iter().find(|item| item.1 == *self).map_or("", |item| item.0);
        f.write_str(name)
    }
}

impl FromStr for EngineKind {
    type Err = NameError;

    fn from_str(name: &str) -> Result<EngineKind, NameError> {
        named(&EngineKind::NAMES, name)
    }
}

impl PointOfView {
    /// Every point of view with the name by which it is chosen.
    pub const NAMES: [(&'static str, PointOfView); 3] =
        [("mover", PointOfView::SideToMove), ("black", PointOfView::Black), ("white", PointOfView::White)];

    /// Whether values from this perspective must be reversed for this side to move.
    pub(crate) fn is_against(self, color: Color) -> bool {
        match self {
            PointOfView::SideToMove => false,
            PointOfView::Black => color == Color::White,
            PointOfView::White => color == Color::Black,
        }
    }
}

impl FromStr for PointOfView {
    type Err = NameError;

    fn from_str(name: &str) -> Result<PointOfView, NameError> {
        named(&PointOfView::NAMES, name)
    }
}

/// How an engine is started and how long it may think.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineOptions {
    /// The program and its arguments.
    pub command: EngineCommand,
    /// What it speaks.
    pub kind: EngineKind,
    /// How long it may think about a position. Without it: 10 s, or until `visits` are reached.
    ///
    /// KataGo's analysis engine is asked many questions at once only without it.
    pub time: Option<Duration>,
    /// The number of playouts after which a search ends. Ignored by plain engines, which have their own levels.
    pub visits: Option<u32>,
    /// Whose win rates it reports; in all known protocols those of the side to move, unless configured otherwise.
    pub view: PointOfView,
    /// The rules by name, for engines that accept them.
    pub rules: String,
    /// How often it is restarted for one position after it crashed or hung.
    pub n_restarts: u32,
    /// How long it may take to start, including loading a network.
    pub start_time: Duration,
    /// How long a search may last that only `visits` end.
    pub longest_search: Duration,
    /// How much longer than its time it may take to answer before it counts as hung.
    pub grace: Duration,
}

impl EngineOptions {
    /// The usual options.
    pub fn new(command: EngineCommand) -> EngineOptions {
        EngineOptions {
            command,
            kind: EngineKind::Auto,
            time: None,
            visits: None,
            view: PointOfView::SideToMove,
            rules: "chinese".into(),
            n_restarts: 2,
            start_time: Duration::from_secs(120),
            longest_search: Duration::from_secs(600),
            grace: Duration::from_secs(10),
        }
    }

    /// How long a search may last.
    pub(crate) fn search_time(&self) -> Duration {
        let default = if self.visits.is_some() { self.longest_search } else { Duration::from_secs(10) };
        self.time.unwrap_or(default)
    }

    /// How long a program that sets its own limits may think.
    pub(crate) fn patience(&self) -> Duration {
        self.time.unwrap_or(Duration::from_secs(120)) + self.grace
    }

    /// Whether it may search several positions at once without changing its answers.
    ///
    /// Searches at the same time share the processor, so with a time limit each would get fewer visits.
    pub(crate) fn takes_many(&self) -> bool {
        self.kind == EngineKind::KataGoJson && self.visits.is_some() && self.time.is_none()
    }

    /// Everything that affects this engine's answers, known without starting it.
    pub(crate) fn identity(&self) -> String {
        let EngineOptions { command, kind, time, visits, view, rules, .. } = self;
        format!("engine {command}; kind {kind}; time {time:?}; visits {visits:?}; view {view:?}; rules {rules}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_unknown_ones_list_the_choices() {
        for (name, kind) in EngineKind::NAMES {
            assert_eq!(name.parse(), Ok(kind));
            assert_eq!(kind.to_string(), name);
        }
        assert_eq!("Black".parse(), Ok(PointOfView::Black));
        let error = "leela".parse::<EngineKind>().expect_err("no such kind").to_string();
        assert_eq!(error, "\"leela\" is unknown; choose auto, lz, kata, fuego, pachi, plain, katago-json");
    }

    #[test]
    fn the_identity_changes_with_whatever_changes_answers() {
        let options = EngineOptions::new("gnugo --mode gtp".parse().expect("a command"));
        let changed = [
            EngineOptions { command: "gnugo --mode gtp --level 1".parse().expect("a command"), ..options.clone() },
            EngineOptions { kind: EngineKind::PlainGtp, ..options.clone() },
            EngineOptions { time: Some(Duration::from_secs(1)), ..options.clone() },
            EngineOptions { visits: Some(1), ..options.clone() },
            EngineOptions { view: PointOfView::White, ..options.clone() },
            EngineOptions { rules: "japanese".into(), ..options.clone() },
        ];
        for other in &changed {
            assert_ne!(other.identity(), options.identity());
        }
        let patient = EngineOptions { n_restarts: 9, grace: Duration::from_secs(99), ..options.clone() };
        assert_eq!(patient.identity(), options.identity());
    }
}
