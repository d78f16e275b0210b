//! Closed arrivals: each user owns one connection and begins its next session after its last.

use std::collections::VecDeque;

use crate::offers::{Budget, Offer};

/// How long a user waits after its second and each further failure in a row that cost it its
/// connection: a refused connection takes about 20 µs, and an unbounded loop of them would load
/// nothing but the machine. Short against any restart of a server.
pub const BACK_OFF_NS: u64 = 10_000_000;

/// Users of one worker; user and slot are the same number.
#[derive(Clone, Debug)]
pub struct Users {
    ready: VecDeque<(u64, usize)>,
    backing_off: VecDeque<(u64, usize)>,
    failures_in_a_row: Vec<u8>,
}

impl Users {
    /// So many users, all ready at the start.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self {
            ready: (0..count).map(|slot| (0, slot)).collect(),
            backing_off: VecDeque::new(),
            failures_in_a_row: vec![0; count],
        }
    }

    /// When the next user is ready.
    #[must_use]
    pub fn due_ns(&self, budget: &Budget) -> u64 {
        if budget.is_spent() {
            return u64::MAX;
        }
        let next = self.ready.front().or(self.backing_off.front());
        next.map_or(u64::MAX, |entry| entry.0)
    }

    /// The next session that is to begin by now.
    pub fn next(&mut self, now_ns: u64, budget: &mut Budget) -> Option<Offer> {
        let queue = if self.ready.is_empty() {
            &mut self.backing_off
        } else {
            &mut self.ready
        };
        let (intended_ns, slot) = *queue.front()?;
        if intended_ns > now_ns || !budget.take() {
            return None;
        }
        queue.pop_front();
        Some(Offer::Send { slot, intended_ns })
    }

    /// A user's session has ended; `lost_connection`: by a failure of its connection.
    pub fn freed(&mut self, slot: usize, done_ns: u64, lost_connection: bool) {
        let failures = &mut self.failures_in_a_row[slot];
        *failures = if lost_connection {
            failures.saturating_add(1)
        } else {
            0
        };
        if *failures > 1 {
            self.backing_off.push_back((done_ns + BACK_OFF_NS, slot));
        } else {
            self.ready.push_back((done_ns, slot));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(offer: Option<Offer>) -> (usize, u64) {
        match offer {
            Some(Offer::Send { slot, intended_ns }) => (slot, intended_ns),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_next_session_is_intended_when_the_last_one_is_done() {
        let (mut users, mut budget) = (Users::new(2), Budget::new(None));
        assert_eq!(sent(users.next(0, &mut budget)), (0, 0));
        assert_eq!(sent(users.next(0, &mut budget)), (1, 0));
        assert!(users.next(0, &mut budget).is_none());
        users.freed(1, 70, false);
        assert_eq!(sent(users.next(75, &mut budget)), (1, 70));
        assert_eq!(budget.offered(), 3);
    }

    #[test]
    fn the_second_failure_in_a_row_backs_off_and_a_success_forgets() {
        let (mut users, mut budget) = (Users::new(1), Budget::new(None));
        users.next(0, &mut budget);
        users.freed(0, 10, true);
        assert_eq!(sent(users.next(10, &mut budget)), (0, 10));
        users.freed(0, 20, true);
        assert!(users.next(20, &mut budget).is_none());
        assert_eq!(users.due_ns(&budget), 20 + BACK_OFF_NS);
        assert_eq!(
            sent(users.next(u64::MAX, &mut budget)),
            (0, 20 + BACK_OFF_NS)
        );
        users.freed(0, 50_000_000, false);
        users.next(50_000_000, &mut budget);
        users.freed(0, 60_000_000, true);
        assert_eq!(sent(users.next(60_000_000, &mut budget)), (0, 60_000_000));
    }

    #[test]
    fn a_spent_budget_offers_no_more() {
        let (mut users, mut budget) = (Users::new(2), Budget::new(Some(1)));
        assert!(users.next(0, &mut budget).is_some());
        assert!(users.next(0, &mut budget).is_none());
        assert!(budget.is_spent());
    }
}
