//! When requests are to be sent: one global plan, fixed by rate, process and seed.

use clap::ValueEnum;
use fastrand::Rng;

/// How arrivals are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Process {
    /// Evenly
    Constant,
    /// Independently of each other
    Poisson,
}

/// Intended times, ascending, nanoseconds since the start.
pub struct Schedule {
    mean_gap_ns: f64,
    process: Process,
    rng: Rng,
    sent: u64,
    at_ns: f64,
}

impl Schedule {
    pub fn new(rate: f64, process: Process, seed: u64) -> Self {
        Self {
            mean_gap_ns: 1e9 / rate,
            process,
            rng: Rng::with_seed(seed),
            sent: 0,
            at_ns: 0.0,
        }
    }
}

impl Iterator for Schedule {
    type Item = u64;

    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "times of a benchmark are positive and far below 2^53 nanoseconds"
    )]
    fn next(&mut self) -> Option<u64> {
        self.at_ns = match self.process {
            // From the count, so that rounding does not add up.
            Process::Constant => self.sent as f64 * self.mean_gap_ns,
            Process::Poisson => self.at_ns + exponential(&mut self.rng, self.mean_gap_ns),
        };
        self.sent += 1;
        Some(self.at_ns as u64)
    }
}

/// Draws from the exponential distribution, by inversion of its distribution function.
pub fn exponential(rng: &mut Rng, mean: f64) -> f64 {
    // `f64()` is in [0, 1); 1 minus it is never 0, whose logarithm does not exist.
    -(1.0 - rng.f64()).ln() * mean
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{coefficient_of_variation, exponential_distance, gaps_ns};

    #[test]
    fn a_constant_schedule_is_the_grid_without_drift() {
        let times: Vec<u64> = Schedule::new(3.0, Process::Constant, 1).take(4).collect();
        assert_eq!(times, [0, 333_333_333, 666_666_666, 1_000_000_000]);
    }

    #[test]
    fn a_poisson_schedule_has_exponential_gaps_and_its_seed_fixes_it() {
        let draw = |seed| Schedule::new(1_000.0, Process::Poisson, seed).take(30_001);
        let times: Vec<u64> = draw(7).collect();
        assert!(times.iter().copied().eq(draw(7)));
        assert!(!times.iter().copied().eq(draw(8)));
        let gaps = gaps_ns(&times);
        let variation = coefficient_of_variation(&gaps).unwrap_or_default();
        assert!((variation - 1.0).abs() < 0.03, "{variation}");
        let distance = exponential_distance(&gaps, 1_000.0).unwrap_or(1.0);
        assert!(distance < 0.01, "{distance}");
    }
}
