//! How long the stub lets a request wait: drawn from a seed, a pure function of its arrival.

use clap::ValueEnum;
use fastrand::Rng;

use crate::schedule::exponential;

const MILLISECOND_NS: u64 = 1_000_000;

const CONSTANT_NS: u64 = 10 * MILLISECOND_NS;
const EXPONENTIAL_MEAN_NS: u64 = 10 * MILLISECOND_NS;
const SHORT_NS: u64 = 5 * MILLISECOND_NS;
const LONG_NS: u64 = 50 * MILLISECOND_NS;
const LONG_SHARE: f64 = 0.1;
const BESIDE_STALLS_NS: u64 = 2 * MILLISECOND_NS;
const STALL_EVERY_NS: u64 = 2_000 * MILLISECOND_NS;
const STALL_NS: u64 = 200 * MILLISECOND_NS;

/// The distribution of delays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Distribution {
    /// Always 10 ms
    Constant,
    /// 10 ms in the mean
    Exponential,
    /// 5 ms, and 50 ms for one in ten
    Bimodal,
    /// 2 ms, but nothing is answered in the last 200 ms of every 2 s
    Stall,
}

/// Draws when requests are answered.
pub struct Delays {
    distribution: Distribution,
    rng: Rng,
}

impl Delays {
    pub fn new(distribution: Distribution, seed: u64) -> Self {
        Self {
            distribution,
            rng: Rng::with_seed(seed),
        }
    }

    /// When a request that arrived at `arrived_ns` since the start is to be answered.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a delay is positive and far below 2^53 nanoseconds"
    )]
    pub fn due_ns(&mut self, arrived_ns: u64) -> u64 {
        match self.distribution {
            Distribution::Constant => arrived_ns + CONSTANT_NS,
            Distribution::Exponential => {
                arrived_ns + exponential(&mut self.rng, EXPONENTIAL_MEAN_NS as f64) as u64
            }
            Distribution::Bimodal if self.rng.f64() < LONG_SHARE => arrived_ns + LONG_NS,
            Distribution::Bimodal => arrived_ns + SHORT_NS,
            Distribution::Stall => after_stall(arrived_ns + BESIDE_STALLS_NS),
        }
    }
}

/// The moment itself, or the end of the stall that it falls into.
fn after_stall(at_ns: u64) -> u64 {
    let end_ns = (at_ns / STALL_EVERY_NS + 1) * STALL_EVERY_NS;
    if at_ns + STALL_NS >= end_ns {
        end_ns
    } else {
        at_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delays_ms(distribution: Distribution) -> Vec<f64> {
        let mut delays = Delays::new(distribution, 3);
        let drawn = (0..10_000).map(|_| delays.due_ns(0) as f64 / 1e6);
        drawn.collect()
    }

    #[test]
    fn a_constant_delay_is_ten_milliseconds_from_arrival() {
        let mut delays = Delays::new(Distribution::Constant, 1);
        assert_eq!(delays.due_ns(123), 10_000_123);
    }

    #[test]
    fn exponential_delays_have_their_mean_and_a_long_tail() {
        let drawn = delays_ms(Distribution::Exponential);
        let mean = drawn.iter().sum::<f64>() / drawn.len() as f64;
        assert!((9.5..10.5).contains(&mean), "{mean}");
        assert!(drawn.iter().copied().fold(0.0, f64::max) > 60.0);
    }

    #[test]
    fn one_in_ten_bimodal_delays_is_the_long_one() {
        let drawn = delays_ms(Distribution::Bimodal);
        assert!(drawn.iter().all(|ms| [5.0, 50.0].contains(ms)));
        let long = drawn.iter().filter(|ms| **ms > 5.0).count();
        assert!((900..1_100).contains(&long), "{long}");
    }

    #[test]
    fn what_would_be_answered_in_a_stall_is_answered_at_its_end() {
        let mut delays = Delays::new(Distribution::Stall, 1);
        let mut due_us = |arrived_us: u64| delays.due_ns(arrived_us * 1_000) / 1_000;
        assert_eq!(due_us(0), 2_000);
        assert_eq!(due_us(1_797_999), 1_799_999);
        assert_eq!(due_us(1_798_000), 2_000_000);
        assert_eq!(due_us(1_997_999), 2_000_000);
        assert_eq!(due_us(1_998_000), 2_000_000);
        assert_eq!(due_us(1_999_000), 2_001_000);
        assert_eq!(due_us(3_900_000), 4_000_000);
    }
}
