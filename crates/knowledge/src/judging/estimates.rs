//! One win rate per position and one loss per move, out of many uncertain searches.
//!
//! Searches of neighboring positions disagree by chance, and each side likes its own next move a little too much.
//! Here both are removed: the true win rate is followed through the game by a Kalman filter and smoother (Kalman 1960;
//! Rauch, Tung and Striebel 1965). It changes little from move to move, except where a search says that a move loses.

use crate::judging::exchanges::Exchange;

/// A number with the standard deviation of its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The standard deviation of its error.
    pub error: f64,
}

/// How reliable the win rates of an evaluator are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reliability {
    /// The standard deviation of the win rate of an even position.
    pub noise: f64,
    /// The part of a loss within one search tree that is real, on average.
    pub believed: f64,
    /// The standard deviation of the loss of a move that the search itself prefers.
    pub drift: f64,
    /// How far a loss within one tree may be wrong, as a part of it.
    pub doubt: f64,
}

impl Reliability {
    /// The search with the network; fitted to games with the values of a strong engine, see the book.
    pub const NETWORK: Reliability = Reliability { noise: 0.08, believed: 0.9, drift: 0.03, doubt: 0.3 };
    /// The search by playouts.
    pub const PLAYOUTS: Reliability = Reliability { noise: 0.2, believed: 0.2, drift: 0.02, doubt: 0.3 };
    /// A strong engine.
    pub const ENGINE: Reliability = Reliability { noise: 0.03, believed: 0.8, drift: 0.02, doubt: 0.8 };
}

/// What the search says about one position of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Observation {
    /// Black's win rate, or lead.
    pub(crate) value: Option<f64>,
    /// How much worse the move played here is than the best one, in the same tree; `None` if it was not searched.
    pub(crate) difference: Option<f64>,
    /// Whether Black moves.
    pub(crate) is_black: bool,
}

/// The value of each position, and the loss of each move in the mover's view.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Estimates {
    pub(crate) positions: Vec<Option<Estimate>>,
    pub(crate) losses: Vec<Option<Estimate>>,
}

/// A distribution with its mean and variance.
#[derive(Clone, Copy, Debug)]
struct Normal {
    mean: f64,
    variance: f64,
}

/// A move, or an exchange that is judged as a whole.
struct Step {
    /// The number of moves before it, and after it.
    from: usize,
    to: usize,
    /// The expected change of Black's value.
    change: f64,
    variance: f64,
}

/// Follows the value through the game; `scale` is the size of the values: 1 for win rates, points per certain win for
/// leads.
pub(crate) fn follow(
    observations: &[Observation],
    exchanges: &[Exchange],
    reliability: &Reliability,
    scale: f64,
) -> Estimates {
    let n = observations.len();
    let Some(first) = observations.iter().find_map(|o| o.value) else {
        return Estimates { positions: vec![None; n], losses: vec![None; n] };
    };
    let bias = side_bias(observations);
    let steps = steps(observations, exchanges, reliability, scale);
    let places: Vec<usize> = std::iter::once(0).chain(steps.iter().map(|step| step.to)).collect();
    let observed = |place: usize| {
        let Observation { value, is_black, .. } = observations[place];
        value.map(|value| value - if is_black { bias } else { -bias })
    };
    // Forward: what is known from the positions so far.
    let mut predicted = vec![Normal { mean: first, variance: scale * scale }];
    let mut filtered = Vec::with_capacity(places.len());
    for (at, &place) in places.iter().enumerate() {
        let before = predicted[at];
        let noise = (reliability.noise * scale).powi(2) * certainty(before.mean, scale);
        let known = observed(place).map_or(before, |value| {
            let gain = before.variance / (before.variance + noise);
            Normal { mean: before.mean + gain * (value - before.mean), variance: (1.0 - gain) * before.variance }
        });
        filtered.push(known);
        if let Some(step) = steps.get(at) {
            predicted.push(Normal { mean: known.mean + step.change, variance: known.variance + step.variance });
        }
    }
    // Backward: what the later positions add.
    let mut smooth = filtered.clone();
    let mut estimates = Estimates { positions: vec![None; n], losses: vec![None; n] };
    for at in (0..steps.len()).rev() {
        let gain = filtered[at].variance / predicted[at + 1].variance;
        let (now, later) = (filtered[at], smooth[at + 1]);
        smooth[at] = Normal {
            mean: now.mean + gain * (later.mean - predicted[at + 1].mean),
            variance: now.variance + gain * gain * (later.variance - predicted[at + 1].variance),
        };
        let variance = smooth[at].variance + later.variance - 2.0 * gain * later.variance;
        let change = Estimate { value: later.mean - smooth[at].mean, error: variance.max(0.0).sqrt() };
        spread(&mut estimates, observations, &steps[at], smooth[at], change);
    }
    if let Some((last, place)) = smooth.last().zip(places.last()) {
        estimates.positions[*place] = Some(last.estimate());
    }
    estimates
}

impl Normal {
    fn estimate(self) -> Estimate {
        Estimate { value: self.mean, error: self.variance.max(0.0).sqrt() }
    }
}

/// Win rates near 0 and 1 are more reliable than those of even positions; leads are equally reliable everywhere.
fn certainty(value: f64, scale: f64) -> f64 {
    if scale == 1.0 { (4.0 * value * (1.0 - value)).clamp(0.1, 1.0) } else { 1.0 }
}

/// The moves and exchanges, in order.
fn steps(observations: &[Observation], exchanges: &[Exchange], reliability: &Reliability, scale: f64) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut from = 0;
    let last = observations.len().saturating_sub(1);
    while from < last {
        let exchange = exchanges.iter().find(|exchange| exchange.first == from && exchange.last < last);
        let to = exchange.map_or(from + 1, |exchange| exchange.last + 1);
        let moves = &observations[from..to];
        let known = moves.iter().filter_map(|o| Some(if o.is_black { -o.difference? } else { o.difference? }));
        let change = if exchange.is_some() { 0.0 } else { known.clone().sum::<f64>() * reliability.believed };
        let doubt = known.map(f64::abs).fold(0.0, f64::max) * reliability.doubt;
        // A move that was not searched may be anything.
        let is_unknown = moves.iter().any(|o| o.difference.is_none());
        let drift = reliability.drift * scale * if is_unknown { 2.0 } else { 1.0 };
        steps.push(Step { from, to, change, variance: drift * drift + doubt * doubt });
        from = to;
    }
    steps
}

/// Writes the values of the positions within a step, and the losses of its moves.
///
/// An exchange has one loss. It counts for the move of the loser that the search liked least.
fn spread(estimates: &mut Estimates, observations: &[Observation], step: &Step, start: Normal, change: Estimate) {
    let is_loser = |o: &Observation| o.is_black == (change.value < 0.0);
    let difference = |at: usize| observations[at].difference.unwrap_or(0.0);
    let losers = (step.from..step.to).filter(|&at| is_loser(&observations[at]));
    let costly = losers.max_by(|&a, &b| difference(a).total_cmp(&difference(b)).then(b.cmp(&a)));
    let costly = costly.unwrap_or(step.from);
    for (at, observation) in observations.iter().enumerate().take(step.to).skip(step.from) {
        let value = start.mean + if at > costly { change.value } else { 0.0 };
        estimates.positions[at] = Some(Estimate { value, ..start.estimate() });
        let loss = if observation.is_black { -change.value } else { change.value };
        let value = if at == costly { loss.max(0.0) } else { 0.0 };
        estimates.losses[at] = Some(Estimate { value, error: change.error });
    }
}

/// By how much each side overestimates its own next move, from the positions between two others.
fn side_bias(observations: &[Observation]) -> f64 {
    let mut found: Vec<f64> = observations
        .windows(3)
        .filter(|three| three[0].is_black == three[2].is_black && three[0].is_black != three[1].is_black)
        .filter_map(|three| {
            let [before, now, after] = [three[0].value?, three[1].value?, three[2].value?];
            let difference = (now - (before + after) / 2.0) / 2.0;
            Some(if three[1].is_black { difference } else { -difference })
        })
        .collect();
    found.sort_by(f64::total_cmp);
    found.get(found.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging::exchanges::ExchangeKind;

    fn observe(values: &[f64], differences: &[(usize, f64)]) -> Vec<Observation> {
        let difference = |at: usize| differences.iter().find(|known| known.0 == at).map_or(0.0, |known| known.1);
        let one = |(at, &value): (usize, &f64)| Observation {
            value: Some(value),
            difference: Some(difference(at)),
            is_black: at % 2 == 0,
        };
        values.iter().enumerate().map(one).collect()
    }

    fn win_rates(observations: &[Observation], exchanges: &[Exchange]) -> Estimates {
        follow(observations, exchanges, &Reliability::NETWORK, 1.0)
    }

    /// Some number between -1 and 1 that looks random.
    fn jitter(at: usize) -> f64 {
        (at * 7919 % 101) as f64 / 50.0 - 1.0
    }

    #[test]
    fn noise_and_the_bias_of_the_side_to_move_are_removed() {
        let values: Vec<f64> =
            (0..60).map(|at| 0.5 + if at % 2 == 0 { 0.04 } else { -0.04 } + 0.03 * jitter(at)).collect();
        let found = win_rates(&observe(&values, &[]), &[]);
        for (at, position) in found.positions.iter().enumerate() {
            let value = position.expect("all are known").value;
            assert!((value - 0.5).abs() < 0.03, "{at}: {value}");
        }
        assert!(found.losses.iter().flatten().all(|loss| loss.value < 0.02 && loss.error > 0.0));
    }

    #[test]
    fn a_loss_is_where_the_search_sees_it_and_the_curve_steps_there() {
        let values: Vec<f64> = (0..40).map(|at| if at <= 20 { 0.6 } else { 0.3 } + 0.02 * jitter(at)).collect();
        let found = win_rates(&observe(&values, &[(20, 0.28)]), &[]);
        let loss = found.losses[20].expect("a loss");
        assert!((loss.value - 0.3).abs() < 0.06, "{loss:?}");
        assert!(found.losses.iter().enumerate().all(|(at, loss)| at == 20 || loss.is_none_or(|l| l.value < 0.05)));
        let at = |at: usize| found.positions[at].expect("known").value;
        assert!((at(20) - at(21) - loss.value).abs() < 1e-9, "curve and loss are one number");
    }

    #[test]
    fn an_exchange_has_one_loss() {
        let values: Vec<f64> = (0..30)
            .map(|at| match at {
                ..10 => 0.5,
                10..20 => [0.8, 0.2][at % 2],
                _ => 0.35,
            })
            .collect();
        let ko = Exchange { kind: ExchangeKind::Ko, first: 10, last: 19 };
        let found = win_rates(&observe(&values, &[(14, 0.1), (15, 0.2)]), &[ko]);
        let losses: Vec<usize> = (10..20).filter(|&at| found.losses[at].is_some_and(|loss| loss.value > 0.0)).collect();
        assert_eq!(losses, [14], "of Black, who lost, and where the search liked the move least");
        assert!((found.losses[14].expect("a loss").value - 0.15).abs() < 0.08);
    }

    #[test]
    fn without_values_nothing_is_claimed() {
        let nothing = vec![Observation::default(); 5];
        assert_eq!(win_rates(&nothing, &[]).positions, vec![None; 5]);
        assert_eq!(win_rates(&[], &[]), Estimates::default());
        // A gap is bridged, with a larger error.
        let mut observations = observe(&[0.5; 21], &[]);
        for o in &mut observations[5..15] {
            (o.value, o.difference) = (None, None);
        }
        let found = win_rates(&observations, &[]);
        let error = |at: usize| found.positions[at].expect("bridged").error;
        assert!(error(10) > 1.2 * error(0), "{} {}", error(10), error(0));
    }
}
