//! Analysis in the formats of Leela Zero and KataGo: results of a search, or probabilities in their place.

use std::time::Duration;

use tejun_games::go::{BoardSize, Color, Point, PointSet};
use tejun_knowledge::evaluation::MoveValue;

use crate::gtp::protocol::{Refused, Request, Vertex, move_name, parse_color};

/// Number of moves to report by default.
const N_MOVES: usize = 20;

/// The output format of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnalysisDialect {
    /// Leela Zero: whole numbers up to 10,000.
    LeelaZero,
    /// KataGo: numbers from 0 to 1.
    KataGo,
}

/// When an analysis ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnalysisEnd {
    /// When the next line arrives.
    NextLine,
    /// When a move is played.
    Move,
}

/// An analysis of the position on the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The side to move.
    pub color: Color,
    /// Which moves to report, and how often.
    pub options: AnalysisOptions,
    /// The output format.
    pub dialect: AnalysisDialect,
    /// When it ends.
    pub end: AnalysisEnd,
}

impl Analysis {
    /// The moves to report, from those available.
    pub fn select(&self, moves: Vec<MoveInfo>) -> Vec<MoveInfo> {
        let n_moves = self.options.n_moves_min.min(self.options.n_moves_max.max(1));
        let is_wanted = |info: &MoveInfo| info.point.is_none_or(|point| self.wants(point));
        moves.into_iter().filter(is_wanted).take(n_moves).collect()
    }

    /// Whether a point is allowed and not avoided.
    pub fn wants(&self, point: Point) -> bool {
        let of_color = |sets: &[(Color, PointSet)]| {
            sets.iter().filter(|(c, _)| *c == self.color).map(|(_, set)| set.contains(point)).collect::<Vec<_>>()
        };
        !of_color(&self.options.avoided).contains(&true) && !of_color(&self.options.allowed).contains(&false)
    }
}

/// The reported values of a move, from the view of the side that plays it.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveInfo {
    /// The point; `None` is a pass.
    pub point: Option<Point>,
    visits: u32,
    win_rate: f64,
    /// A lower bound of the win rate, given the number of visits.
    lower_bound: f64,
    prior: f64,
    lead: Option<f64>,
    line: Vec<Option<Point>>,
}

impl MoveInfo {
    /// A predicted move: its probability replaces the values of a search.
    pub fn expected((point, p): (Point, f64)) -> MoveInfo {
        MoveInfo { point: Some(point), ..MoveInfo::unknown(p) }
    }

    /// A pass; visits are its expected number in 10,000 games, at least one, because programs hide moves without
    /// visits.
    fn unknown(p: f64) -> MoveInfo {
        let visits = (10_000.0 * p).round() as u32;
        MoveInfo {
            point: None,
            visits: visits.max(1),
            win_rate: p,
            lower_bound: p,
            prior: p,
            lead: None,
            line: Vec::new(),
        }
    }

    /// A move with the results of a search.
    pub fn searched(value: &MoveValue) -> MoveInfo {
        let win_rate = value.win_rate.unwrap_or(0.0);
        // The normal 95% interval.
        let deviation = (win_rate * (1.0 - win_rate) / f64::from(value.visits.max(1))).sqrt();
        MoveInfo {
            point: value.point,
            visits: value.visits,
            win_rate,
            lower_bound: (win_rate - 1.96 * deviation).max(0.0),
            prior: value.prior.unwrap_or(0.0),
            lead: value.lead,
            line: value.line.clone(),
        }
    }
}

/// The arguments of an analysis command.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysisOptions {
    /// The side to move, if it is not the usual one.
    pub color: Option<Color>,
    /// How often to repeat the report.
    pub interval: Option<Duration>,
    /// Whether to report who will own each point.
    pub wants_ownership: bool,
    n_moves_min: usize,
    n_moves_max: usize,
    /// For each color, the points to avoid, or the only ones to report.
    avoided: Vec<(Color, PointSet)>,
    allowed: Vec<(Color, PointSet)>,
}

impl AnalysisOptions {
    /// Reads a color, an interval in hundredths of a second, and pairs of keywords and values; ignores unknown ones.
    ///
    /// # Errors
    /// If a known keyword is followed by an invalid value.
    pub fn parse(request: &Request<'_>, size: BoardSize) -> Result<AnalysisOptions, Refused> {
        let mut options = AnalysisOptions {
            color: None,
            interval: None,
            wants_ownership: false,
            n_moves_min: N_MOVES,
            n_moves_max: usize::MAX,
            avoided: Vec::new(),
            allowed: Vec::new(),
        };
        let mut at = 0;
        if let Ok(color) = request.color(at) {
            options.color = Some(color);
            at += 1;
        }
        if let Ok(centiseconds) = request.number(at) {
            options.interval = interval(centiseconds);
            at += 1;
        }
        while let Some(word) = request.arguments.get(at) {
            at += 1;
            at += options.read(word, request, at, size)?;
        }
        Ok(options)
    }

    /// Reads a keyword and its values, which start at an index; returns the number of values.
    fn read(&mut self, word: &str, request: &Request<'_>, at: usize, size: BoardSize) -> Result<usize, Refused> {
        let word = word.to_ascii_lowercase();
        match word.as_str() {
            "interval" => self.interval = interval(request.number(at)?),
            "minmoves" => self.n_moves_min = request.number::<usize>(at)?.max(N_MOVES),
            "maxmoves" => self.n_moves_max = request.number(at)?,
            "ownership" => {
                let value = request.arguments.get(at).ok_or(Refused::SYNTAX)?;
                self.wants_ownership = value.eq_ignore_ascii_case("true");
            }
            "avoid" => self.avoided.push(points(request, at, size)?),
            "allow" => self.allowed.push(points(request, at, size)?),
            _ => {
                self.color = self.color.or(parse_color(&word));
                return Ok(0);
            }
        }
        Ok(if matches!(word.as_str(), "avoid" | "allow") { 3 } else { 1 })
    }
}

/// More than one report per hundredth of a second is useless.
fn interval(centiseconds: u32) -> Option<Duration> {
    Some(Duration::from_millis(10 * u64::from(centiseconds.max(1))))
}

/// A color and its points, such as `b D4,Q16 5`; the depth has no meaning without a search.
fn points(request: &Request<'_>, index: usize, size: BoardSize) -> Result<(Color, PointSet), Refused> {
    let color = request.color(index)?;
    let names = request.arguments.get(index + 1).ok_or(Refused::SYNTAX)?;
    request.number::<u32>(index + 2)?;
    let names = Request { id: "", name: "", arguments: names.split(',').collect() };
    let mut points = PointSet::EMPTY;
    for at in 0..names.arguments.len() {
        if let Vertex::Point(point) = names.vertex(at, size)? {
            points.insert(point);
        }
    }
    Ok((color, points))
}

/// The line of an analysis; reports a pass if there are no moves.
pub fn info_line(dialect: AnalysisDialect, size: BoardSize, moves: &[MoveInfo]) -> String {
    if moves.is_empty() {
        return info(dialect, size, 0, &MoveInfo::unknown(0.0));
    }
    moves.iter().enumerate().map(|(order, m)| info(dialect, size, order, m)).collect::<Vec<_>>().join(" ")
}

/// The end of a line with the owner of each point, as KataGo writes it.
pub fn ownership(owners: &[f64]) -> String {
    let owners: Vec<String> = owners.iter().map(|owner| format!("{owner:.3}")).collect();
    format!(" ownership {}", owners.join(" "))
}

fn info(dialect: AnalysisDialect, size: BoardSize, order: usize, reported: &MoveInfo) -> String {
    let name = move_name(reported.point, size);
    let MoveInfo { visits, win_rate, lower_bound, prior, .. } = reported;
    let line = if reported.line.is_empty() { &[reported.point][..] } else { &reported.line };
    let line = line.iter().map(|point| move_name(*point, size)).collect::<Vec<_>>().join(" ");
    let numbers = match dialect {
        AnalysisDialect::LeelaZero => {
            let [win_rate, prior, lower_bound] = [win_rate, prior, lower_bound].map(|p| (10_000.0 * p).round() as u32);
            format!("winrate {win_rate} prior {prior} lcb {lower_bound}")
        }
        AnalysisDialect::KataGo => {
            let lead = reported.lead.map_or("0".to_string(), |lead| format!("{lead:.3}"));
            format!("winrate {win_rate:.6} scoreLead {lead} prior {prior:.6} lcb {lower_bound:.6}")
        }
    };
    format!("info move {name} visits {visits} {numbers} order {order} pv {line}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Result<(Option<Color>, Option<u64>, &str), Refused>) {
        let size = BoardSize::new(9).expect("a size");
        let request = Request::parse(line).expect("a request");
        let moves = size.points().zip((1..=81).rev().map(f64::from)).map(MoveInfo::expected).collect();
        let found = AnalysisOptions::parse(&request, size).map(|options| {
            let end = AnalysisEnd::NextLine;
            let analysis = Analysis { color: Color::Black, options, dialect: AnalysisDialect::KataGo, end };
            let selected = analysis.select(moves);
            let name = |info: Option<&MoveInfo>| move_name(info.expect("a move").point, size);
            let millis = analysis.options.interval.map(|i| i.as_millis() as u64);
            let names = format!("{} {}-{}", selected.len(), name(selected.first()), name(selected.last()));
            (analysis.options.color, millis, names)
        });
        let found = found.as_ref().map(|(color, millis, moves)| (*color, *millis, moves.as_str()));
        assert_eq!(found, expected.as_ref().map(|e| *e), "{line}");
    }

    #[test]
    fn arguments_set_color_interval_and_moves() {
        check("a", Ok((None, None, "20 A9-B7")));
        check("a W 50", Ok((Some(Color::White), Some(500), "20 A9-B7")));
        check("a 100 maxmoves 3", Ok((None, Some(1000), "3 A9-C9")));
        check("a 0", Ok((None, Some(10), "20 A9-B7")));
        check("a interval 7 minmoves 30 ownership true", Ok((None, Some(70), "30 A9-C6")));
        check("a ownership true b", Ok((Some(Color::Black), None, "20 A9-B7")));
        check("a avoid b A9,B9,pass 1 maxmoves 2", Ok((None, None, "2 C9-D9")));
        check("a AVOID w A9 1 MaxMoves 2", Ok((None, None, "2 A9-B9")));
        check("a allow b E5,E4 1", Ok((None, None, "2 E5-E4")));
        check("a pvVisits 5 50", Ok((None, None, "20 A9-B7")));
        for bad in ["a maxmoves", "a interval x", "a avoid b", "a avoid b Z9 1", "a allow x A9 1", "a allow b A9"] {
            check(bad, Err(Refused::SYNTAX));
        }
    }

    #[test]
    fn lines_have_the_numbers_of_each_dialect() {
        let size = BoardSize::new(9).expect("a size");
        let moves = [(Point::new(2, 2), 0.25), (Point::new(0, 8), 0.00001)].map(MoveInfo::expected);
        let leela = "info move C7 visits 2500 winrate 2500 prior 2500 lcb 2500 order 0 pv C7 \
                     info move A1 visits 1 winrate 0 prior 0 lcb 0 order 1 pv A1";
        assert_eq!(info_line(AnalysisDialect::LeelaZero, size, &moves), leela);
        let kata = "info move C7 visits 2500 winrate 0.250000 scoreLead 0 prior 0.250000 lcb 0.250000 order 0 pv C7";
        assert_eq!(info_line(AnalysisDialect::KataGo, size, &moves[..1]), kata);
        assert!(info_line(AnalysisDialect::LeelaZero, size, &[]).starts_with("info move pass visits 1 "));
    }

    #[test]
    fn search_results_are_reported_with_their_variation() {
        let size = BoardSize::new(9).expect("a size");
        let value = MoveValue {
            point: Some(Point::new(4, 4)),
            visits: 100,
            win_rate: Some(0.5),
            bound: Some(0.7),
            prior: Some(0.125),
            lead: None,
            line: vec![Some(Point::new(4, 4)), Some(Point::new(2, 2)), None],
        };
        let leela = "info move E5 visits 100 winrate 5000 prior 1250 lcb 4020 order 0 pv E5 C7 pass";
        assert_eq!(info_line(AnalysisDialect::LeelaZero, size, &[MoveInfo::searched(&value)]), leela);
        let kata = "info move E5 visits 100 winrate 0.500000 scoreLead 0 prior 0.125000 lcb 0.402000 order 0 \
                    pv E5 C7 pass";
        assert_eq!(info_line(AnalysisDialect::KataGo, size, &[MoveInfo::searched(&value)]), kata);
    }
}
