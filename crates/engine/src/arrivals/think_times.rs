//! How long users pause: drawn from random bits that depend on the seed and on who pauses, not on when.

use crate::arrivals::random::unit;
use crate::plan::Think;

/// A pause; `bits` are asked for only where it is drawn.
#[must_use]
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative, and far shorter than 2^64 ns in a checked plan"
)]
pub fn pause_ns(think: Think, bits: impl FnOnce() -> u64) -> u64 {
    match think {
        Think::ConstantNs(pause_ns) => pause_ns,
        Think::UniformNs(least_ns, most_ns) => {
            least_ns + ((most_ns - least_ns) as f64 * unit(bits())).round() as u64
        }
        // By inversion; at most 37 times the mean.
        Think::ExponentialNs(mean_ns) => (mean_ns as f64 * -unit(bits()).ln()).round() as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrivals::kolmogorov::{exponential_cdf, p_value};
    use crate::session::draws::{Drawer, Purpose};

    const MS: u64 = 1_000_000;

    /// The pauses after one step of many sessions, in units of half a second.
    fn sample(think: Think, seed: u64) -> Vec<f64> {
        let pause_ns = |session| {
            let drawer = Drawer {
                seed,
                group: 0,
                session,
                turn: 0,
            };
            pause_ns(think, || drawer.draw(Purpose::Think, 0))
        };
        let pauses = (0..100_000).map(pause_ns);
        pauses
            .map(|pause_ns| pause_ns as f64 / (500 * MS) as f64)
            .collect()
    }

    #[test]
    fn a_constant_pause_is_always_so_long_and_draws_nothing() {
        let nothing = || panic!("nothing is drawn");
        assert_eq!(pause_ns(Think::ConstantNs(7), nothing), 7);
    }

    #[test]
    fn exponential_pauses_are_exponential_with_their_mean() {
        for seed in 1..=5 {
            let mut pauses = sample(Think::ExponentialNs(500 * MS), seed);
            assert!(p_value(&mut pauses, exponential_cdf) > 0.01, "seed {seed}");
        }
    }

    #[test]
    fn uniform_pauses_are_uniform_between_their_limits() {
        for seed in 1..=5 {
            let mut pauses = sample(Think::UniformNs(250 * MS, 1250 * MS), seed);
            let cdf = |value: f64| (value - 0.5) / 2.0;
            assert!(p_value(&mut pauses, cdf) > 0.01, "seed {seed}");
            assert!(pauses[0] >= 0.5 && pauses[pauses.len() - 1] <= 2.5);
        }
        assert_eq!(pause_ns(Think::UniformNs(5, 5), || 1), 5);
    }
}
