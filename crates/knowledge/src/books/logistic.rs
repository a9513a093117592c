//! From the value of a position to the probability of winning it.

use std::collections::HashMap;

use crate::statistics::{NewtonStep, logistic};

/// A game that left its book: the value there, and how it ended.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftGame {
    /// The value of the position it left at, for the first player; a pawn is 100.
    pub value: f64,
    /// What the first player got: 1, 0, or a half.
    pub first_score: f64,
    /// Who played, the first player first.
    pub players: [Option<String>; 2],
}

/// Whose strength is taken out of the relation of value and result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Strengths {
    /// Nobody's: all games are alike.
    None,
    /// Everyone's who has this many games; others are alike.
    Everyone {
        /// Games that a player needs.
        n_games: usize,
    },
    /// That of this player's opponents, as in the paper.
    OpponentsOf {
        /// The player.
        player: String,
        /// Games that an opponent needs.
        n_games: usize,
    },
}

/// A fitted number and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The most likely value.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

/// The win rate of the first player: 1 / (1 + exp(-(intercept + slope value))).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinModel {
    /// The advantage of moving first, in log odds.
    pub intercept: f64,
    /// Log odds a centipawn.
    pub slope: f64,
}

/// A model of win rates, fitted to games.
#[derive(Clone, Debug)]
pub struct WinFit {
    /// The advantage of moving first.
    pub intercept: Estimate,
    /// Log odds a centipawn.
    pub slope: Estimate,
    /// Strengths in log odds, with the number of games; the paper's b with the opposite sign.
    pub strengths: Vec<(String, Estimate, usize)>,
    /// Games that count.
    pub n_games: usize,
    /// Players who won all or lost all of their games: no strength fits them, and their games carry no information.
    pub one_sided: Vec<String>,
    /// The logarithm of the likelihood.
    pub log_likelihood: f64,
}

/// Why no model could be fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// There are fewer games than unknowns.
    #[error("{n_games} games with a value and a result are too few for {n_unknowns} unknowns")]
    TooFew {
        /// Games that count.
        n_games: usize,
        /// What is to be found.
        n_unknowns: usize,
    },
    /// Values separate wins from losses completely, or not at all, so there is no most likely curve.
    #[error("no curve fits best: values part wins from losses entirely, or all are the same")]
    Degenerate,
}

impl WinModel {
    /// The paper's model with opponents' strengths; the paper prints slope and intercept exchanged.
    pub const PAPER: WinModel = WinModel { intercept: -0.003757, slope: 0.002047 };
    /// Values that are a hundred times the log odds themselves.
    pub const LOG_ODDS: WinModel = WinModel { intercept: 0.0, slope: 0.01 };
    /// The paper's model without.
    pub const PAPER_PLAIN: WinModel = WinModel { intercept: -0.191_202_8, slope: 0.003_915_9 };

    /// The first player's probability of winning.
    pub fn win_rate(&self, value: f64) -> f64 {
        logistic(self.intercept + self.slope * value)
    }
}

impl WinFit {
    /// The model for players of equal strength.
    pub fn model(&self) -> WinModel {
        WinModel { intercept: self.intercept.value, slope: self.slope.value }
    }
}

/// The unknowns of a game's log odds besides intercept and slope, each with its sign.
type Terms = Vec<(usize, f64)>;

/// Fits win rates to games by Newton's method.
///
/// # Errors
/// If there are too few games, or no curve is the likeliest.
pub fn fit_win_rates(games: &[LeftGame], strengths: &Strengths) -> Result<WinFit, FitError> {
    let (kept, one_sided) = without_one_sided(games, strengths);
    let counted = counted_players(&kept, strengths);
    let references = references(&kept, &counted);
    let named: Vec<(String, usize)> = counted.into_iter().filter(|(name, _)| !references.contains(name)).collect();
    let numbers: HashMap<&str, usize> = named.iter().enumerate().map(|(i, (name, _))| (name.as_str(), i + 2)).collect();
    let rows: Vec<(f64, f64, Terms)> = kept
        .iter()
        .map(|game| {
            let sides = game.players.iter().zip([1.0, -1.0]);
            let terms = sides.filter_map(|(player, sign)| Some((*numbers.get(player.as_deref()?)?, sign)));
            (game.value, game.first_score, terms.collect())
        })
        .collect();
    let n_unknowns = 2 + named.len();
    if rows.len() <= n_unknowns {
        return Err(FitError::TooFew { n_games: rows.len(), n_unknowns });
    }
    let (found, errors, log_likelihood) = newton(&rows, n_unknowns)?;
    let estimate = |index: usize| Estimate { value: found[index], error: errors[index] };
    let strengths = named.into_iter().enumerate().map(|(i, (name, n))| (name, estimate(i + 2), n)).collect();
    let (intercept, slope) = (estimate(0), estimate(1));
    Ok(WinFit { intercept, slope, strengths, n_games: rows.len(), one_sided, log_likelihood })
}

/// Who has enough games for a strength, by name.
fn counted_players(games: &[&LeftGame], strengths: &Strengths) -> Vec<(String, usize)> {
    let (n_needed, except) = match strengths {
        Strengths::None => return Vec::new(),
        Strengths::Everyone { n_games } => (*n_games, None),
        Strengths::OpponentsOf { player, n_games } => (*n_games, Some(player)),
    };
    let mut counts: HashMap<&String, usize> = HashMap::new();
    for name in games.iter().flat_map(|game| game.players.iter().flatten()) {
        *counts.entry(name).or_insert(0) += 1;
    }
    let counted = counts.into_iter().filter(|(name, n)| *n >= n_needed && Some(*name) != except);
    let mut counted: Vec<(String, usize)> = counted.map(|(name, n)| (name.clone(), n)).collect();
    counted.sort();
    counted
}

/// Players whose strength is 0, because strengths are differences: one in each group that plays only among itself.
///
/// Those who have too few games for a strength are one player here, whose
/// strength is 0; in their group nobody else's is.
fn references(games: &[&LeftGame], counted: &[(String, usize)]) -> Vec<String> {
    let crowd = counted.len();
    let number = |name: &Option<String>| {
        name.as_ref().and_then(|name| counted.iter().position(|known| known.0 == *name)).unwrap_or(crowd)
    };
    let mut groups: Vec<usize> = (0..=crowd).collect();
    for game in games {
        let [a, b] = [0, 1].map(|side| groups[number(&game.players[side])]);
        groups.iter_mut().filter(|group| **group == b).for_each(|group| *group = a);
    }
    let mut busiest: HashMap<usize, &(String, usize)> = HashMap::new();
    for (player, group) in counted.iter().zip(&groups).filter(|(_, group)| **group != groups[crowd]) {
        let most = busiest.entry(*group).or_insert(player);
        // Names come in order, so that the first of equals stays.
        if player.1 > most.1 {
            *most = player;
        }
    }
    busiest.into_values().map(|(name, _)| name.clone()).collect()
}

/// Excludes players who won all or lost all games, repeatedly until there is none.
///
/// The likeliest strength of such a player is infinite; then the game's result
/// is certain and carries no information on the others.
fn without_one_sided<'g>(games: &'g [LeftGame], strengths: &Strengths) -> (Vec<&'g LeftGame>, Vec<String>) {
    let mut kept: Vec<&LeftGame> = games.iter().collect();
    let mut one_sided = Vec::new();
    loop {
        let mut scores: HashMap<&String, (f64, usize)> = HashMap::new();
        for game in &kept {
            for (player, score) in game.players.iter().zip([game.first_score, 1.0 - game.first_score]) {
                let Some(player) = player else { continue };
                let sum = scores.entry(player).or_insert((0.0, 0));
                *sum = (sum.0 + score, sum.1 + 1);
            }
        }
        let counted = counted_players(&kept, strengths);
        let is_one_sided = |name: &&String| {
            let (score, n) = scores.get(*name).copied().unwrap_or_default();
            score == 0.0 || score == n as f64
        };
        let found: Vec<String> = counted.iter().map(|(name, _)| name).filter(is_one_sided).cloned().collect();
        if found.is_empty() {
            return (kept, one_sided);
        }
        kept.retain(|game| !game.players.iter().flatten().any(|player| found.contains(player)));
        one_sided.extend(found);
    }
}

/// The likeliest unknowns, their standard errors, and the logarithm of the likelihood.
fn newton(rows: &[(f64, f64, Terms)], n_unknowns: usize) -> Result<(Vec<f64>, Vec<f64>, f64), FitError> {
    // Values in pawns keep the matrix in proportion.
    const UNIT: f64 = 100.0;
    let design = |row: &(f64, f64, Terms)| {
        let mut x = vec![(0, 1.0), (1, row.0 / UNIT)];
        x.extend(&row.2);
        x
    };
    let mut found = vec![0.0; n_unknowns];
    for _ in 0..100 {
        let mut step = NewtonStep::new(n_unknowns);
        let mut log_likelihood = 0.0;
        for row in rows {
            let x = design(row);
            let p = logistic(x.iter().map(|(i, x)| found[*i] * x).sum());
            log_likelihood += row.1 * p.max(1e-300).ln() + (1.0 - row.1) * (1.0 - p).max(1e-300).ln();
            step.add_logistic(&x, row.1, p);
        }
        let covariance = step.covariance().ok_or(FitError::Degenerate)?;
        let step = step.direction().ok_or(FitError::Degenerate)?;
        found.iter_mut().zip(&step).for_each(|(found, step)| *found += step.clamp(-2.0, 2.0));
        if found.iter().any(|found| found.abs() > 30.0) {
            return Err(FitError::Degenerate);
        }
        if step.iter().all(|step| step.abs() < 1e-10) {
            let mut errors: Vec<f64> = (0..n_unknowns).map(|i| covariance[i][i].max(0.0).sqrt()).collect();
            found[1] /= UNIT;
            errors[1] /= UNIT;
            return Ok((found, errors, log_likelihood));
        }
    }
    Err(FitError::Degenerate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::books::matching::uniform;

    fn game(value: f64, first_score: f64, first: &str, second: &str) -> LeftGame {
        LeftGame { value, first_score, players: [Some(first.into()), Some(second.into())] }
    }

    #[test]
    fn two_values_are_fitted_by_hand() {
        // At 0 one of two is won, at 100 three of four: log odds 0 and ln 3.
        let scores = [(0.0, 1.0), (0.0, 0.0), (100.0, 1.0), (100.0, 1.0), (100.0, 1.0), (100.0, 0.0)];
        let games: Vec<LeftGame> = scores.iter().map(|(v, s)| game(*v, *s, "a", "b")).collect();
        let fit = fit_win_rates(&games, &Strengths::None).expect("a fit");
        assert!(fit.intercept.value.abs() < 1e-9);
        assert!((fit.slope.value - 3f64.ln() / 100.0).abs() < 1e-9);
        // Var(intercept) = 1 / (2 · ¼), and the difference has 1 / (4 · 3/16) more.
        assert!((fit.intercept.error - 2f64.sqrt()).abs() < 1e-9);
        assert!((fit.slope.error * 100.0 - (2.0 + 4.0 / 3.0f64).sqrt()).abs() < 1e-9);
    }

    #[test]
    fn strengths_are_found_again() {
        let names = ["a", "b", "c", "d"];
        let strengths = [0.0, 1.0, -0.5, 0.4];
        let mut random = 7;
        let mut games = Vec::new();
        for number in 0..40_000usize {
            let (i, j) = (number % 4, (number / 4 + 1 + number) % 4);
            if i == j {
                continue;
            }
            let value = 400.0 * uniform(&mut random) - 200.0;
            let odds: f64 = 0.1 + 0.004 * value + strengths[i] - strengths[j];
            let score = f64::from(uniform(&mut random) < 1.0 / (1.0 + (-odds).exp()));
            games.push(game(value, score, names[i], names[j]));
        }
        games.push(game(0.0, 1.0, "winner", "a"));
        let fit = fit_win_rates(&games, &Strengths::Everyone { n_games: 1 }).expect("a fit");
        assert_eq!(fit.one_sided, ["winner"]);
        let near = |estimate: Estimate, truth: f64| (estimate.value - truth).abs() < 4.0 * estimate.error;
        assert!(near(fit.intercept, 0.1) && near(fit.slope, 0.004), "{fit:?}");
        let strength = |name: &str| fit.strengths.iter().find(|s| s.0 == name).map_or(0.0, |s| s.1.value);
        for (name, truth) in names.iter().zip(strengths) {
            let found = strength(name) - strength("a");
            assert!((found - truth).abs() < 0.2, "{name}: {found}");
        }
    }

    #[test]
    fn groups_that_never_meet_each_have_a_zero() {
        let mut games = Vec::new();
        for number in 0..40u32 {
            let (value, score) = (f64::from(number % 7), f64::from(u8::from(number % 3 == 0)));
            let stranger = format!("passer-by {number}");
            for [one, other] in [["a", "b"], ["d", "c"], ["e", stranger.as_str()]] {
                let [first, second] = if number % 2 == 0 { [one, other] } else { [other, one] };
                games.push(game(value, score, first, second));
            }
        }
        let fit = fit_win_rates(&games, &Strengths::Everyone { n_games: 10 }).expect("a fit");
        let names: Vec<&str> = fit.strengths.iter().map(|strength| strength.0.as_str()).collect();
        // One of each pair, and the one who plays the crowd.
        assert_eq!(names, ["b", "d", "e"]);
    }

    #[test]
    fn what_no_curve_fits_is_refused() {
        let apart: Vec<LeftGame> = (0..20).map(|i| game(f64::from(i), f64::from(u8::from(i > 9)), "a", "b")).collect();
        assert_eq!(fit_win_rates(&apart, &Strengths::None).map(|_| ()), Err(FitError::Degenerate));
        let few = fit_win_rates(&apart[..2], &Strengths::None).map(|_| ());
        assert_eq!(few, Err(FitError::TooFew { n_games: 2, n_unknowns: 2 }));
    }

    #[test]
    fn the_papers_model_gives_the_papers_table() {
        for (mean, rate) in [(53.9, 0.526), (69.2, 0.533), (68.2, 0.532)] {
            assert!((WinModel::PAPER.win_rate(mean) - rate).abs() < 0.003);
        }
    }
}
