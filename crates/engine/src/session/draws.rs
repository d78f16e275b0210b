//! Random numbers of sessions: without a state, so that session 7 of a group draws the same whoever
//! performs it, in whatever order.
//!
//! A draw is `mix(... mix(mix(seed) ^ purpose) ... ^ turn)` over purpose, group, session, the draw's number
//! in the group, and the turn, where `mix` is the first output of `SplitMix64` as in `arrivals::random`.
//! `mix` is a bijection: two draws that differ in one of these alone are never of the same key.

use crate::arrivals::random::mix;

/// What is drawn for; the numbers are part of the scheme and never change. 1 are the arrivals, which have a
/// stream of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A pause; the number of the draw is that of the step.
    Think = 2,
    /// A number in a template.
    Random = 3,
    /// A UUID in a template.
    Uuid = 4,
    /// Which alternative is performed.
    Choose = 5,
    /// Which of several values is captured.
    Pick = 6,
    /// Which row of a feed is taken.
    Feed = 7,
}

/// Whose draws they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawer {
    /// The seed of the plan.
    pub seed: u64,
    /// The index of the group.
    pub group: u64,
    /// The number of the session in its group.
    pub session: u64,
    /// The turn, over all `repeat`s in which a step stands.
    pub turn: u64,
}

impl Drawer {
    /// 64 random bits.
    #[must_use]
    pub fn draw(&self, purpose: Purpose, number: u32) -> u64 {
        let of_group = mix(mix(mix(self.seed) ^ purpose as u64) ^ self.group);
        mix(mix(mix(of_group ^ self.session) ^ u64::from(number)) ^ self.turn)
    }
}

/// A number below `bound`, which is not 0, each equally likely but for `bound` parts in 2^64.
#[must_use]
#[allow(
    clippy::cast_possible_truncation,
    reason = "the upper half is below the bound"
)]
pub fn below(bits: u64, bound: u64) -> u64 {
    ((u128::from(bits) * u128::from(bound)) >> 64) as u64
}

/// An integer from `least` to `most`, each equally likely; `least` if `most` is less.
#[must_use]
pub fn between(bits: u64, least: i64, most: i64) -> i64 {
    if most < least {
        return least;
    }
    match most.abs_diff(least).checked_add(1) {
        Some(count) => least.wrapping_add_unsigned(below(bits, count)),
        None => bits.cast_signed(),
    }
}

/// The text of a UUID of version 4 (RFC 9562, section 5.4), made of 64 random bits and the key of the run,
/// so that two runs of one seed do not make the same.
#[must_use]
pub fn uuid(bits: u64, run_key: u64) -> [u8; 36] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    const VERSION: u128 = 4 << 76;
    const VARIANT: u128 = 2 << 62;
    let first = mix(bits ^ run_key);
    let random = u128::from(first) << 64 | u128::from(mix(first));
    let number = random & !(0xf << 76) & !(3 << 62) | VERSION | VARIANT;
    let bytes = number.to_be_bytes();
    let mut text = [b'-'; 36];
    let mut at = 0;
    for (index, byte) in bytes.into_iter().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            at += 1;
        }
        text[at] = DIGITS[usize::from(byte >> 4)];
        text[at + 1] = DIGITS[usize::from(byte & 15)];
        at += 2;
    }
    text
}

/// The key of a run, of its name: 8 bytes at a time, and the length.
#[must_use]
pub fn run_key(run_id: &str) -> u64 {
    let words = run_id.as_bytes().chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    words.fold(mix(run_id.len() as u64), |key, word| mix(key ^ word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrivals::kolmogorov::p_value;
    use crate::arrivals::random::unit;
    use std::collections::HashSet;

    const DRAWS: u32 = 40_000;

    const DRAWER: Drawer = Drawer {
        seed: 1,
        group: 0,
        session: 0,
        turn: 0,
    };

    fn of_sessions(purpose: Purpose, number: u32) -> Vec<f64> {
        let draw = |session| Drawer { session, ..DRAWER }.draw(purpose, number);
        (0..u64::from(DRAWS))
            .map(|session| unit(draw(session)))
            .collect()
    }

    /// The absolute correlation of two uniform samples; 4 standard errors are 0.02 here.
    fn correlation(left: &[f64], right: &[f64]) -> f64 {
        let pairs = left.iter().zip(right);
        let sum: f64 = pairs.map(|(one, other)| (one - 0.5) * (other - 0.5)).sum();
        (12.0 * sum / left.len() as f64).abs()
    }

    #[test]
    fn the_scheme_never_changes() {
        // Computed apart from this code, in Python; another result would change every session.
        assert_eq!(DRAWER.draw(Purpose::Random, 0), 2_141_701_907_216_784_600);
        let other = Drawer {
            seed: 7,
            group: 3,
            session: 41,
            turn: 2,
        };
        assert_eq!(other.draw(Purpose::Choose, 5), 1_077_013_108_601_397_719);
        assert_eq!(run_key(""), 16_294_208_416_658_607_535);
        assert_eq!(run_key("b2-07"), 2_032_580_912_581_960_324);
        assert_eq!(run_key("a-longer-name"), 3_913_900_160_060_857_871);
        assert_eq!(
            str::from_utf8(&uuid(1, 2)),
            Ok("1d0b14e4-db01-4fed-bccd-fd9c96a18897")
        );
    }

    #[test]
    fn draws_are_uniform_over_sessions_turns_and_numbers() {
        let purposes = [Purpose::Think, Purpose::Random];
        for purpose in purposes {
            assert!(p_value(&mut of_sessions(purpose, 0), |value| value) > 0.01);
        }
        let turns = |turn| unit(Drawer { turn, ..DRAWER }.draw(Purpose::Random, 1));
        let mut turns: Vec<f64> = (0..u64::from(DRAWS)).map(turns).collect();
        assert!(p_value(&mut turns, |value| value) > 0.01);
        let mut numbers: Vec<f64> = (0..DRAWS)
            .map(|number| unit(DRAWER.draw(Purpose::Random, number)))
            .collect();
        assert!(p_value(&mut numbers, |value| value) > 0.01);
    }

    #[test]
    fn draws_are_independent_of_their_neighbours() {
        let sample = of_sessions(Purpose::Random, 0);
        assert!(correlation(&sample[1..], &sample[..sample.len() - 1]) < 0.02);
        for other in [
            of_sessions(Purpose::Random, 1),
            of_sessions(Purpose::Pick, 0),
            of_sessions(Purpose::Feed, 7),
        ] {
            assert!(correlation(&sample, &other) < 0.02);
        }
        let turned = |session| {
            Drawer {
                session,
                turn: 1,
                ..DRAWER
            }
            .draw(Purpose::Random, 0)
        };
        let turned: Vec<f64> = (0..u64::from(DRAWS))
            .map(|session| unit(turned(session)))
            .collect();
        assert!(correlation(&sample, &turned) < 0.02);
    }

    #[test]
    fn every_integer_between_two_is_as_likely() {
        let mut counts = [0_u32; 6];
        for session in 0..60_000 {
            let bits = Drawer { session, ..DRAWER }.draw(Purpose::Random, 0);
            let face = between(bits, -2, 3);
            counts[usize::try_from(face + 2).expect("is not below -2")] += 1;
        }
        // Chi squared of 5 degrees of freedom: above 20.5 once in a thousand.
        let chi: f64 = counts
            .iter()
            .map(|&count| (f64::from(count) - 1e4).powi(2) / 1e4)
            .sum();
        assert!(chi < 20.5, "{counts:?}");
    }

    #[test]
    fn the_ends_of_a_range_are_reached_and_never_passed() {
        assert_eq!((between(0, 3, 9), between(u64::MAX, 3, 9)), (3, 9));
        assert_eq!((between(u64::MAX, 4, 4), between(9, 5, 4)), (4, 5));
        assert_eq!(between(0, i64::MIN, i64::MAX - 1), i64::MIN);
        assert_eq!(between(u64::MAX, i64::MIN, i64::MAX - 1), i64::MAX - 1);
        assert_eq!(between(u64::MAX, i64::MIN, i64::MAX), -1);
        assert_eq!(below(u64::MAX, u64::MAX), u64::MAX - 1);
    }

    #[test]
    fn uuids_differ_by_session_and_by_run_and_have_their_form() {
        let mut seen = HashSet::new();
        for run in ["", "b2-07", "b2-08"].map(run_key) {
            for session in 0..10_000 {
                let bits = Drawer { session, ..DRAWER }.draw(Purpose::Uuid, 0);
                let text = uuid(bits, run);
                assert_eq!(text[14], b'4');
                assert!(b"89ab".contains(&text[19]));
                for (at, byte) in text.into_iter().enumerate() {
                    assert_eq!(byte == b'-', matches!(at, 8 | 13 | 18 | 23));
                    assert!(byte == b'-' || byte.is_ascii_hexdigit());
                }
                assert!(seen.insert(text));
            }
        }
    }
}
