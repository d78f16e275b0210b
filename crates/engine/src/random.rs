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

fn mix(value: u64) -> u64 {
    SplitMix64::seed_from_u64(value).next_u64()
}

/// Evenly distributed above 0 and up to 1, in steps of 2^-53.
#[must_use]
pub fn uniform(generator: &mut Generator) -> f64 {
    const STEPS: f64 = (1_u64 << 53) as f64;
    ((generator.next_u64() >> 11) + 1) as f64 / STEPS
}

/// Exponentially distributed with mean 1, by inversion; at most 37.
#[must_use]
pub fn exponential(generator: &mut Generator) -> f64 {
    -uniform(generator).ln()
}
