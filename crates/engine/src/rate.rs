//! Open arrivals: sessions begin when the plan says so, over a shared pool of connections.
//!
//! An arrival takes the connection that was used last (it is the warmest), else opens one if the
//! cap allows, else waits in order. What waits too long, or finds the queue full, is not sent.

use std::collections::VecDeque;

use crate::offers::{Budget, Offer};
use crate::outcome::NotSent;
use crate::pacing::ConstantRate;

/// The queue holds at least so many arrivals, however short the timeout.
const LEAST_QUEUE: usize = 1_000;

/// And at most so many (8 MiB), however long it is.
const MOST_QUEUE: usize = 1 << 20;

/// How many arrivals may wait: what arrives within one timeout, since the rest expires anyway.
#[must_use]
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "positive, and clamped right after"
)]
pub fn queue_limit(per_second: f64, timeout_ns: u64) -> usize {
    let within_timeout = per_second * timeout_ns as f64 / 1e9;
    (within_timeout.ceil() as usize).clamp(LEAST_QUEUE, MOST_QUEUE)
}

/// The open arrivals of one worker and its pool of slots.
#[derive(Clone, Debug)]
pub struct OpenArrivals {
    schedule: ConstantRate,
    timeout_ns: u64,
    queue_limit: usize,
    waiting: VecDeque<u64>,
    idle: Vec<usize>,
    closed: Vec<usize>,
}

impl OpenArrivals {
    /// A pool of `slots` closed connections for the arrivals of `schedule`.
    #[must_use]
    pub fn new(schedule: ConstantRate, slots: usize, timeout_ns: u64, queue_limit: usize) -> Self {
        Self {
            schedule,
            timeout_ns,
            queue_limit,
            waiting: VecDeque::new(),
            idle: Vec::with_capacity(slots),
            closed: (0..slots).rev().collect(),
        }
    }

    /// When the next arrival is intended or the first waiting one expires.
    #[must_use]
    pub fn due_ns(&self, budget: &Budget) -> u64 {
        let arrival_ns = if budget.is_spent() {
            u64::MAX
        } else {
            self.schedule.peek_ns()
        };
        let expiry_ns = self
            .waiting
            .front()
            .map_or(u64::MAX, |&first| first + self.timeout_ns);
        arrival_ns.min(expiry_ns)
    }

    /// What becomes of the next arrival that is due by now.
    pub fn next(&mut self, now_ns: u64, budget: &mut Budget) -> Option<Offer> {
        if let Some(&intended_ns) = self.waiting.front() {
            if intended_ns + self.timeout_ns <= now_ns {
                self.waiting.pop_front();
                return Some(Offer::NotSent {
                    intended_ns,
                    cause: NotSent::NoConnection,
                });
            }
            if let Some(slot) = self.take_slot() {
                self.waiting.pop_front();
                return Some(Offer::Send { slot, intended_ns });
            }
        }
        while self.schedule.peek_ns() <= now_ns && budget.take() {
            let intended_ns = self.schedule.peek_ns();
            self.schedule.advance();
            if let Some(slot) = self.take_slot() {
                return Some(Offer::Send { slot, intended_ns });
            }
            if self.waiting.len() >= self.queue_limit {
                return Some(Offer::NotSent {
                    intended_ns,
                    cause: NotSent::Shed,
                });
            }
            self.waiting.push_back(intended_ns);
        }
        None
    }

    /// A slot's session has ended; its connection is open or not.
    pub fn freed(&mut self, slot: usize, is_open: bool) {
        if is_open {
            self.idle.push(slot);
        } else {
            self.closed.push(slot);
        }
    }

    /// An idle connection was closed by the server.
    pub fn closed_while_idle(&mut self, slot: usize) {
        if let Some(place) = self.idle.iter().rposition(|&idle| idle == slot) {
            self.idle.remove(place);
            self.closed.push(slot);
        }
    }

    /// The intended time of one arrival that still waits, when the load stops.
    pub fn give_up(&mut self) -> Option<u64> {
        self.waiting.pop_front()
    }

    fn take_slot(&mut self) -> Option<usize> {
        self.idle.pop().or_else(|| self.closed.pop())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn arrivals(slots: usize, queue_limit: usize) -> OpenArrivals {
        OpenArrivals::new(ConstantRate::new(1e9, 1, 0), slots, 100, queue_limit)
    }

    #[test]
    fn the_connection_used_last_is_taken_first() {
        let (mut open, mut budget) = (arrivals(2, 10), Budget::new(None));
        assert_eq!(
            open.next(1, &mut budget),
            Some(Offer::Send {
                slot: 0,
                intended_ns: 0
            })
        );
        assert_eq!(
            open.next(1, &mut budget),
            Some(Offer::Send {
                slot: 1,
                intended_ns: 1
            })
        );
        open.freed(1, true);
        open.freed(0, true);
        assert_eq!(
            open.next(2, &mut budget),
            Some(Offer::Send {
                slot: 0,
                intended_ns: 2
            })
        );
        open.closed_while_idle(1);
        assert_eq!(
            open.next(3, &mut budget),
            Some(Offer::Send {
                slot: 1,
                intended_ns: 3
            })
        );
    }

    #[test]
    fn a_waiting_arrival_keeps_its_intended_time() {
        let (mut open, mut budget) = (arrivals(1, 10), Budget::new(Some(2)));
        assert_eq!(
            open.next(5, &mut budget),
            Some(Offer::Send {
                slot: 0,
                intended_ns: 0
            })
        );
        assert_eq!(open.next(5, &mut budget), None);
        open.freed(0, true);
        assert_eq!(
            open.next(50, &mut budget),
            Some(Offer::Send {
                slot: 0,
                intended_ns: 1
            })
        );
    }

    #[test]
    fn what_waits_as_long_as_the_timeout_is_not_sent() {
        let (mut open, mut budget) = (arrivals(1, 10), Budget::new(Some(2)));
        open.next(1, &mut budget);
        assert_eq!(open.next(1, &mut budget), None);
        assert_eq!(open.due_ns(&budget), 101);
        let expired = Offer::NotSent {
            intended_ns: 1,
            cause: NotSent::NoConnection,
        };
        assert_eq!(open.next(101, &mut budget), Some(expired));
    }

    #[test]
    fn a_full_queue_sheds() {
        let (mut open, mut budget) = (arrivals(1, 1), Budget::new(None));
        open.next(2, &mut budget);
        let shed = Offer::NotSent {
            intended_ns: 2,
            cause: NotSent::Shed,
        };
        assert_eq!(open.next(2, &mut budget), Some(shed));
    }

    proptest! {
        #[test]
        fn every_arrival_taken_from_the_plan_is_sent_waiting_or_counted(
            slots in 1_usize..4, queue_limit in 0_usize..5,
            steps in prop::collection::vec((1_u64..40, any::<bool>(), any::<bool>()), 0..60),
        ) {
            let (mut open, mut budget) = (arrivals(slots, queue_limit), Budget::new(None));
            let (mut now_ns, mut busy, mut decided) = (0, Vec::new(), 0);
            for (pause_ns, frees, is_open) in steps {
                now_ns += pause_ns;
                if frees && let Some(slot) = busy.pop() {
                    open.freed(slot, is_open);
                }
                while let Some(offer) = open.next(now_ns, &mut budget) {
                    decided += 1;
                    if let Offer::Send { slot, .. } = offer {
                        prop_assert!(!busy.contains(&slot));
                        busy.push(slot);
                    }
                }
                prop_assert!(open.waiting.len() <= queue_limit);
                prop_assert_eq!(busy.len() + open.idle.len() + open.closed.len(), slots);
                prop_assert_eq!(budget.offered(), decided + open.waiting.len() as u64);
            }
        }
    }
}
