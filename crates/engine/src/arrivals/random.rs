//! The random numbers of arrivals: streams that are independent of each other, and fixed by the seed. What
//! sessions draw has no stream: `session::draws`.
//!
//! The stream of a group is a `Xoshiro256PlusPlus` (Blackman and Vigna, "Scrambled linear
//! pseudorandom number generators", 2021) seeded by `seed_from_u64` with
//! `mix(mix(mix(seed) ^ 1) ^ group)`, where `mix` is the first output of `SplitMix64`. `mix` is
//! a bijection, so streams of one seed never share a key. What is drawn depends on the seed and the
//! group alone: not on workers, threads or time.
//!
//! Draws are floating point; another platform's logarithm may differ in its last bit, which moves
//! an arrival by less than a nanosecond.

use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

/// One stream of random numbers.
pub type Generator = Xoshiro256PlusPlus;

/// What sets them apart from what sessions draw; it is part of the scheme and never changes.
const PURPOSE: u64 = 1;

/// The stream of a group.
#[must_use]
pub fn generator(seed: u64, group: u64) -> Generator {
    let key = mix(mix(mix(seed) ^ PURPOSE) ^ group);
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
        let first = |group| generator(1, group).next_u64();
        assert_eq!(first(0), 4_768_342_884_129_243_497);
        assert_eq!(first(1), 2_554_965_666_623_359_366);
        assert_eq!(first(2), 9_277_246_590_841_806_779);
    }

    #[test]
    fn draws_are_uniform_and_exponential() {
        for seed in 1..=5 {
            let mut draws = generator(seed, 0);
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
                .map(|group| uniform(&mut generator(seed, group)))
                .collect();
            assert!(p_value(&mut firsts.clone(), |value| value) > 0.01);
            assert!(correlation(&firsts[1..], &firsts[..firsts.len() - 1]) < 0.0127);
            let along = |group| -> Vec<f64> {
                let mut draws = generator(seed, group);
                (0..DRAWS).map(|_| uniform(&mut draws)).collect()
            };
            assert!(correlation(&along(0), &along(1)) < 0.0127);
        }
    }

    /// The absolute correlation of two uniform samples; 4 standard errors are 0.0127 here.
    fn correlation(left: &[f64], right: &[f64]) -> f64 {
        let pairs = left.iter().zip(right);
        let sum: f64 = pairs.map(|(one, other)| (one - 0.5) * (other - 0.5)).sum();
        (12.0 * sum / left.len() as f64).abs()
    }
}
