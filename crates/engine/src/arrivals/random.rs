//! The engine's random numbers: streams that are independent of each other, and fixed by the seed.
//!
//! Stream `index` of a purpose is a `Xoshiro256PlusPlus` (Blackman and Vigna, "Scrambled linear
//! pseudorandom number generators", 2021) seeded by `seed_from_u64` with
//! `mix(mix(mix(seed) ^ purpose) ^ index)`, where `mix` is the first output of `SplitMix64`. `mix` is
//! a bijection, so streams of one purpose never share a key. What is drawn depends on the seed,
//! the purpose and the index alone: not on workers, threads or time.
//!
//! Draws are floating point; another platform's logarithm may differ in its last bit, which moves
//! an arrival by less than a nanosecond.

use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

/// One stream of random numbers.
pub type Generator = Xoshiro256PlusPlus;

/// What a stream is drawn for; the numbers are part of the scheme and never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The distances of Poisson arrivals; one stream, of index 0.
    Arrivals = 1,
    /// Think times; a stream per user and stream of its connection, or per arrived session.
    Think = 2,
}

/// The stream of a purpose and index.
#[must_use]
pub fn generator(seed: u64, purpose: Purpose, index: u64) -> Generator {
    let key = mix(mix(mix(seed) ^ purpose as u64) ^ index);
    Generator::seed_from_u64(key)
}

/// The first output of `SplitMix64`: a bijection.
#[must_use]
pub fn mix(value: u64) -> u64 {
    SplitMix64::seed_from_u64(value).next_u64()
}

/// Evenly distributed above 0 and up to 1, in steps of 2^-53.
#[must_use]
pub fn uniform(generator: &mut Generator) -> f64 {
    unit(generator.next_u64())
}

/// Exponentially distributed with mean 1, by inversion; from 0 to 37.
#[must_use]
pub fn exponential(generator: &mut Generator) -> f64 {
    -uniform(generator).ln()
}

/// The upper 53 bits, since a double holds no more, as a number above 0 and up to 1.
#[must_use]
pub fn unit(bits: u64) -> f64 {
    const STEPS: f64 = (1_u64 << 53) as f64;
    ((bits >> 11) + 1) as f64 / STEPS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrivals::kolmogorov::{exponential_cdf, p_value};

    const DRAWS: u32 = 100_000;

    #[test]
    fn the_scheme_never_changes() {
        // Computed apart from this code; another result would change every load's arrivals.
        let first = |purpose, index| generator(1, purpose, index).next_u64();
        assert_eq!(first(Purpose::Arrivals, 0), 4_768_342_884_129_243_497);
        assert_eq!(first(Purpose::Think, 0), 10_884_868_079_882_034_657);
        assert_eq!(first(Purpose::Think, 1), 10_832_288_089_897_087_012);
    }

    #[test]
    fn draws_are_uniform_and_exponential() {
        for seed in 1..=5 {
            let mut draws = generator(seed, Purpose::Arrivals, 0);
            let mut sample: Vec<f64> = (0..DRAWS).map(|_| uniform(&mut draws)).collect();
            assert!(p_value(&mut sample, |value| value) > 0.01, "seed {seed}");
            assert!(sample[0] > 0.0 && sample[sample.len() - 1] <= 1.0);
            let mut sample: Vec<f64> = (0..DRAWS).map(|_| exponential(&mut draws)).collect();
            assert!(p_value(&mut sample, exponential_cdf) > 0.01, "seed {seed}");
        }
    }

    #[test]
    fn the_extremes_of_the_generator_give_finite_draws() {
        let draw = |bits| -unit(bits).ln();
        assert!(draw(u64::MAX).abs() < f64::MIN_POSITIVE);
        assert!((36.0..37.0).contains(&draw(0)));
    }

    #[test]
    fn neighbouring_streams_are_as_independent_as_draws_of_one() {
        for seed in 1..=3 {
            // Across streams, the first draws are a sample like any other.
            let firsts: Vec<f64> = (0..u64::from(DRAWS))
                .map(|index| uniform(&mut generator(seed, Purpose::Think, index)))
                .collect();
            assert!(p_value(&mut firsts.clone(), |value| value) > 0.01);
            assert!(correlation(&firsts[1..], &firsts[..firsts.len() - 1]) < 0.0127);
            let along = |purpose, index| -> Vec<f64> {
                let mut draws = generator(seed, purpose, index);
                (0..DRAWS).map(|_| uniform(&mut draws)).collect()
            };
            let stream = along(Purpose::Think, 0);
            for other in [along(Purpose::Think, 1), along(Purpose::Arrivals, 0)] {
                assert!(correlation(&stream, &other) < 0.0127);
            }
        }
    }

    /// The absolute correlation of two uniform samples; 4 standard errors are 0.0127 here.
    fn correlation(left: &[f64], right: &[f64]) -> f64 {
        let pairs = left.iter().zip(right);
        let sum: f64 = pairs.map(|(one, other)| (one - 0.5) * (other - 0.5)).sum();
        (12.0 * sum / left.len() as f64).abs()
    }
}
