//! Counters of outcomes.

use crate::outcome::{NotSent, Outcome};

/// One counter per outcome and per cause of `not_sent`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutcomeCounts {
    counts: [u64; Outcome::COUNT],
    not_sent: [u64; NotSent::COUNT],
}

impl OutcomeCounts {
    /// Counts one request.
    pub fn count(&mut self, outcome: Outcome) {
        self.counts[outcome as usize] += 1;
    }

    /// Counts one request that was never written.
    pub fn count_not_sent(&mut self, cause: NotSent) {
        self.count(Outcome::NotSent);
        self.not_sent[cause as usize] += 1;
    }

    /// How many ended so.
    #[must_use]
    pub fn get(&self, outcome: Outcome) -> u64 {
        self.counts[outcome as usize]
    }

    /// How many were not sent for this cause.
    #[must_use]
    pub fn get_not_sent(&self, cause: NotSent) -> u64 {
        self.not_sent[cause as usize]
    }

    /// The sum over all outcomes: what must equal the offered requests.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Adds another set of counters to this one.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.counts.iter_mut().zip(other.counts) {
            *mine += theirs;
        }
        for (mine, theirs) in self.not_sent.iter_mut().zip(other.not_sent) {
            *mine += theirs;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_is_counted_in_its_own_place() {
        let mut counts = OutcomeCounts::default();
        for outcome in Outcome::ALL {
            counts.count(outcome);
            assert_eq!(counts.get(outcome), 1);
        }
        assert_eq!(counts.total(), Outcome::COUNT as u64);
    }
}
