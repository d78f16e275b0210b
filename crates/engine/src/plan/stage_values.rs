//! What can be read off the stages of a plan.

use crate::plan::Stage;

/// The highest value of any stage; 0 without stages.
#[must_use]
pub fn highest(stages: &[Stage]) -> f64 {
    let ends = stages.iter().flat_map(|stage| [stage.from, stage.to]);
    ends.fold(0.0, f64::max)
}

/// How many users there are at most; a part of one counts as a whole one.
#[must_use]
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a checked plan has between 1 and 10^6 users"
)]
pub fn most_users(stages: &[Stage]) -> u64 {
    highest(stages).ceil() as u64
}

/// Equal to the last bit: a level stage is written with the same number twice.
#[must_use]
pub fn is_same(left: f64, right: f64) -> bool {
    left.to_bits() == right.to_bits()
}
