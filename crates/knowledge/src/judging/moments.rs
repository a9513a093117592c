//! The moves most worth studying, spread over the game.

use tejun_games::go::Color;

use crate::judging::estimates::Estimate;
use crate::judging::verdict::{JudgedMove, Verdict};

/// A move worth studying.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Its rank among the moments of the game, from 1.
    pub rank: usize,
    /// Why it is one.
    pub reason: MomentReason,
}

/// Why a move is worth studying.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MomentReason {
    /// The lead changed hands here, and stayed there for long.
    TurningPoint,
    /// A good move that few would have found.
    Find,
    /// One of the costliest mistakes of its side.
    Mistake,
    /// The game leaves a known joseki here.
    LeavesJoseki,
    /// The first move that no game of the collection has.
    NewMove,
}

impl MomentReason {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            MomentReason::TurningPoint => "turning-point",
            MomentReason::Find => "find",
            MomentReason::Mistake => "mistake",
            MomentReason::LeavesJoseki => "leaves-joseki",
            MomentReason::NewMove => "new-move",
        }
    }
}

/// Losses below this are never worth a moment.
const MIN_LOSS: f64 = 0.03;
/// What a reason counts beyond the win rate that is at stake.
const TURNING_POINT_BONUS: f64 = 0.15;
const FIND_BONUS: f64 = 0.05;
/// For the costliest mistake of each side, so that both sides learn something.
const COSTLIEST_BONUS: f64 = 0.10;
/// What moves count that are known from elsewhere: where the game leaves a joseki, or all known games.
const KNOWN_SCORE: f64 = 0.06;
/// Moments closer than this to a chosen one count half.
const NEAR: usize = 8;
/// From this score on, a moment is chosen even if its third of the game has half of all moments.
const DEMANDING: f64 = 0.20;
/// Win rates this far from a half are a lead.
const LEAD: f64 = 0.05;
/// How many positions a new lead must last.
const LASTING: usize = 20;

struct Candidate {
    /// The place among the judged moves.
    at: usize,
    reason: MomentReason,
    score: f64,
}

/// Marks at most `n` moves as moments; `known` are moves that are remarkable for reasons outside of the search.
pub(crate) fn mark_moments(
    moves: &mut [JudgedMove],
    win_rates_black: &[Option<Estimate>],
    known: &[(usize, MomentReason)],
    n: usize,
) {
    let mut candidates = candidates(moves, win_rates_black, known);
    let n_positions = win_rates_black.len().max(1);
    let third = |at: usize| (3 * moves[at].index / n_positions).min(2);
    let mut chosen: Vec<Candidate> = Vec::new();
    while chosen.len() < n && !candidates.is_empty() {
        let value = |candidate: &Candidate| {
            let index = moves[candidate.at].index;
            let n_near = chosen.iter().filter(|other| moves[other.at].index.abs_diff(index) < NEAR).count();
            let n_third = chosen.iter().filter(|other| third(other.at) == third(candidate.at)).count();
            let is_crowded = n_third >= n.div_ceil(2) && candidate.score < DEMANDING;
            if is_crowded { f64::NEG_INFINITY } else { candidate.score * 0.5f64.powi(n_near as i32) }
        };
        let best = (0..candidates.len()).max_by(|&a, &b| {
            value(&candidates[a]).total_cmp(&value(&candidates[b])).then(candidates[b].at.cmp(&candidates[a].at))
        });
        let Some(best) = best.filter(|&best| value(&candidates[best]).is_finite()) else { break };
        let candidate = candidates.swap_remove(best);
        candidates.retain(|other| other.at != candidate.at);
        chosen.push(candidate);
    }
    for (rank, candidate) in chosen.iter().enumerate() {
        moves[candidate.at].moment = Some(Moment { rank: rank + 1, reason: candidate.reason });
    }
}

fn candidates(
    moves: &[JudgedMove],
    win_rates_black: &[Option<Estimate>],
    known: &[(usize, MomentReason)],
) -> Vec<Candidate> {
    let loss = |at: usize| moves[at].loss.map_or(0.0, |loss| loss.value);
    let is_mistake = |at: usize| matches!(moves[at].verdict, Verdict::Bad | Verdict::Doubtful);
    let costliest = [Color::Black, Color::White].map(|color| {
        let own = (0..moves.len()).filter(|&at| moves[at].played.color == color && is_mistake(at));
        own.max_by(|&a, &b| loss(a).total_cmp(&loss(b)).then(b.cmp(&a)))
    });
    let turning_points = turning_points(moves, win_rates_black);
    let mut found = Vec::new();
    for (at, judged) in moves.iter().enumerate() {
        let bonus = if costliest.contains(&Some(at)) { COSTLIEST_BONUS } else { 0.0 };
        if is_mistake(at) && loss(at) >= MIN_LOSS {
            found.push(Candidate { at, reason: MomentReason::Mistake, score: loss(at) + bonus });
        }
        if turning_points.contains(&at) {
            let score = loss(at) + bonus + TURNING_POINT_BONUS;
            found.push(Candidate { at, reason: MomentReason::TurningPoint, score });
        }
        if judged.verdict == Verdict::Good {
            let score = judged.expected_is_worse_by().unwrap_or(0.0) + FIND_BONUS;
            found.push(Candidate { at, reason: MomentReason::Find, score });
        }
        for &(index, reason) in known.iter().filter(|(index, _)| *index == judged.index) {
            debug_assert_eq!(index, judged.index);
            found.push(Candidate { at, reason, score: KNOWN_SCORE + loss(at) });
        }
    }
    found
}

/// The moves by which the lead changed hands and stayed there: the costliest of the side that lost it.
fn turning_points(moves: &[JudgedMove], win_rates_black: &[Option<Estimate>]) -> Vec<usize> {
    let leader = |position: usize| {
        let value = win_rates_black[position]?.value - 0.5;
        (value.abs() >= LEAD).then_some(if value > 0.0 { Color::Black } else { Color::White })
    };
    let mut found = Vec::new();
    // The last position with a leader, and who that is.
    let mut led: Option<(usize, Color)> = None;
    for position in 0..win_rates_black.len() {
        let Some(now) = leader(position) else { continue };
        if let Some((from, before)) = led.filter(|(_, before)| *before != now) {
            let end = (position + LASTING).min(win_rates_black.len());
            if (position..end).any(|later| leader(later) == Some(before)) {
                continue;
            }
            let between = moves.iter().enumerate().filter(|(_, m)| (from..position).contains(&m.index));
            let of_loser = between.filter(|(_, m)| m.played.color == before);
            let loss = |m: &JudgedMove| m.loss.map_or(0.0, |loss| loss.value);
            let costliest = of_loser.max_by(|a, b| loss(a.1).total_cmp(&loss(b.1)).then(b.0.cmp(&a.0)));
            found.extend(costliest.map(|(at, _)| at));
        }
        led = Some((position, now));
    }
    found
}
