//! Statistics that several rooms need: confidence intervals, entropy, quantiles and fitting by Newton's method.

mod entropy;
mod interval;
mod linear;
mod multiple;
mod newton;
mod normal;
mod quantile;

pub use entropy::{entropy, entropy_of_counts, entropy_term};
pub use interval::{Share, win_interval};
pub use linear::{invert, solve};
pub use multiple::false_discovery_rates;
pub use newton::{NewtonStep, logistic};
pub use normal::normal_cdf;
pub use quantile::quantile;
