//! A breaker: lets no attempt through for a while once too many have failed, then one. Where that one does
//! not fail, all is as at the start. It never reads a clock itself.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How many of the last attempts count.
const WINDOW: usize = 20;
/// So many of them open it.
const FAILURES: usize = 10;
/// How long it then stays open.
const REST: Duration = Duration::from_secs(5);

/// Its state. Each attempt that is let through must be counted or forgotten.
#[derive(Debug, Default)]
pub struct Breaker {
    /// Grows whenever it opens or closes. Attempts of a period that is over do not count.
    period: u64,
    state: State,
}

#[derive(Debug)]
enum State {
    Closed { failed: VecDeque<bool> },
    Open { until: Instant, is_probing: bool },
}

/// One attempt, by the period that it began in.
#[derive(Debug, Clone, Copy)]
pub struct Permit(u64);

impl Default for State {
    fn default() -> Self {
        Self::Closed {
            failed: VecDeque::with_capacity(WINDOW),
        }
    }
}

impl Breaker {
    /// Whether an attempt may be made.
    pub fn ask(&mut self, now: Instant) -> Option<Permit> {
        if let State::Open { until, is_probing } = &mut self.state {
            if *is_probing || now < *until {
                return None;
            }
            *is_probing = true;
        }
        Some(Permit(self.period))
    }

    /// Takes how an attempt ended.
    pub fn count(&mut self, permit: Permit, has_failed: bool, now: Instant) {
        if permit.0 != self.period {
            return;
        }
        match &mut self.state {
            State::Open { .. } if has_failed => self.open(now),
            State::Open { .. } => self.turn(State::default()),
            State::Closed { failed } => {
                if failed.len() == WINDOW {
                    failed.pop_front();
                }
                failed.push_back(has_failed);
                if failed.iter().filter(|failed| **failed).count() >= FAILURES {
                    self.open(now);
                }
            }
        }
    }

    /// Takes an attempt that was broken off, and says nothing of the service.
    pub fn forget(&mut self, permit: Permit) {
        if let State::Open { is_probing, .. } = &mut self.state
            && permit.0 == self.period
        {
            *is_probing = false;
        }
    }

    fn open(&mut self, now: Instant) {
        self.turn(State::Open {
            until: now + REST,
            is_probing: false,
        });
    }

    fn turn(&mut self, state: State) {
        self.period += 1;
        self.state = state;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes an attempt that ends at once, and tells whether it was let through.
    fn attempt(breaker: &mut Breaker, has_failed: bool, now: Instant) -> bool {
        let permit = breaker.ask(now);
        if let Some(permit) = permit {
            breaker.count(permit, has_failed, now);
        }
        permit.is_some()
    }

    fn opened(now: Instant) -> Breaker {
        let mut breaker = Breaker::default();
        for _ in 0..FAILURES {
            assert!(attempt(&mut breaker, true, now));
        }
        breaker
    }

    #[test]
    fn ten_of_the_last_twenty_open_it() {
        let now = Instant::now();
        let mut breaker = Breaker::default();
        for each in 0..100 {
            // Nine of any twenty.
            assert!(attempt(&mut breaker, each % 20 < 9, now));
        }
        for _ in 0..FAILURES {
            assert!(attempt(&mut breaker, true, now));
        }
        let later = now + REST.checked_sub(Duration::from_nanos(1)).expect("a rest");
        assert!(!attempt(&mut breaker, false, later));
    }

    #[test]
    fn after_the_rest_one_attempt_decides() {
        let now = Instant::now();
        let (mut breaker, later) = (opened(now), now + REST);
        let probe = breaker.ask(later).expect("let through");
        assert!(!attempt(&mut breaker, false, later));
        breaker.count(probe, true, later);
        assert!(!attempt(&mut breaker, false, later));
        assert!(attempt(&mut breaker, false, later + REST));
        for _ in 0..FAILURES {
            assert!(attempt(&mut breaker, true, later + REST));
        }
        assert!(!attempt(&mut breaker, true, later + REST));
    }

    #[test]
    fn an_attempt_that_was_broken_off_decides_nothing() {
        let now = Instant::now();
        let (mut breaker, later) = (opened(now), now + REST);
        let probe = breaker.ask(later).expect("let through");
        breaker.forget(probe);
        assert!(attempt(&mut breaker, false, later));
    }

    #[test]
    fn an_attempt_of_a_period_that_is_over_does_not_count() {
        let now = Instant::now();
        let mut breaker = Breaker::default();
        let old = breaker.ask(now).expect("let through");
        for _ in 0..FAILURES {
            attempt(&mut breaker, true, now);
        }
        breaker.count(old, false, now);
        assert!(!attempt(&mut breaker, false, now));
    }
}
