//! The rule on the 99th percentile: over the last stretch of the load, second by second.

use std::collections::VecDeque;

use super::IntervalFacts;
use crate::plan::PercentileRule;

/// One interval: when it began, how many requests ended in it, and how many took longer than the limit.
#[derive(Clone, Copy, Debug)]
struct Counts {
    start_ns: u64,
    ended: u64,
    beyond: u64,
}

/// The rule, and the intervals of its stretch: counts are enough, since the percentile itself is of no
/// interest.
#[derive(Clone, Debug)]
pub struct PercentileWatch {
    rule: PercentileRule,
    last: VecDeque<Counts>,
}

impl PercentileWatch {
    /// Before the first interval.
    #[must_use]
    pub fn new(rule: PercentileRule) -> Self {
        Self {
            rule,
            last: VecDeque::new(),
        }
    }

    /// Beyond which a request took too long.
    #[must_use]
    pub fn limit_ns(&self) -> u64 {
        self.rule.above_ns
    }

    /// Judges the stretch that ends with this interval; whether the rule fires.
    pub fn judge(&mut self, facts: &IntervalFacts) -> bool {
        self.last.push_back(Counts {
            start_ns: facts.start_ns,
            ended: facts.ended,
            beyond: facts.beyond,
        });
        let Some(since_ns) = facts.end_ns.checked_sub(self.rule.for_ns) else {
            return false;
        };
        while self
            .last
            .pop_front_if(|one| one.start_ns < since_ns)
            .is_some()
        {}
        let ended: u64 = self.last.iter().map(|one| one.ended).sum();
        let beyond: u64 = self.last.iter().map(|one| one.beyond).sum();
        if ended > 0 {
            return beyond * 100 > ended;
        }
        facts
            .oldest_pending_ns
            .is_some_and(|age_ns| age_ns > self.rule.above_ns)
    }
}
