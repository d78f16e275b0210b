//! What lanes do next, and when: a queue while all pauses are equal, a heap for the others.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use crate::arrivals::offers::Offer;

/// A lane's next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NextRequest {
    /// When it is intended.
    pub due_ns: u64,
    /// The lane that sends it.
    pub lane: u32,
    /// Which operation of the session.
    pub operation: u32,
}

impl NextRequest {
    /// A lane's next request.
    #[must_use]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a checked plan has at most 10^6 lanes, and its session fits into memory"
    )]
    pub fn new(due_ns: u64, lane: usize, operation: usize) -> Self {
        Self {
            due_ns,
            lane: lane as u32,
            operation: operation as u32,
        }
    }

    /// The offer to send it.
    #[must_use]
    pub fn offer(self) -> Offer {
        Offer::Send {
            lane: self.lane as usize,
            operation: self.operation as usize,
            intended_ns: self.due_ns,
            taken_up_ns: None,
            sequence: None,
        }
    }
}

/// The next requests of one worker's lanes, earliest first.
#[derive(Clone, Debug, Default)]
pub struct Agenda {
    in_order: VecDeque<NextRequest>,
    out_of_order: BinaryHeap<Reverse<NextRequest>>,
}

impl Agenda {
    /// Adds a request that is due no earlier than those added by this function before.
    pub fn add_in_order(&mut self, request: NextRequest) {
        self.in_order.push_back(request);
    }

    /// Adds a request that may be due at any time.
    pub fn add(&mut self, request: NextRequest) {
        self.out_of_order.push(Reverse(request));
    }

    /// When the first request is due; `u64::MAX`: there is none.
    #[must_use]
    pub fn due_ns(&self) -> u64 {
        let in_order_ns = self
            .in_order
            .front()
            .map_or(u64::MAX, |request| request.due_ns);
        let out_of_order_ns = self
            .out_of_order
            .peek()
            .map_or(u64::MAX, |request| request.0.due_ns);
        in_order_ns.min(out_of_order_ns)
    }

    /// Takes the first request, if it is due by now.
    pub fn pop_due(&mut self, now_ns: u64) -> Option<NextRequest> {
        let in_order = self.in_order.front();
        let out_of_order = self.out_of_order.peek();
        match (in_order, out_of_order) {
            (Some(request), None) if request.due_ns <= now_ns => self.in_order.pop_front(),
            (Some(request), Some(other))
                if request.due_ns <= now_ns && request.due_ns <= other.0.due_ns =>
            {
                self.in_order.pop_front()
            }
            (_, Some(other)) if other.0.due_ns <= now_ns => {
                self.out_of_order.pop().map(|request| request.0)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn turns_come_in_the_order_in_which_they_are_due_and_none_is_lost(
            steps in prop::collection::vec((0_u64..5, prop::option::of(0_u64..30)), 0..100),
        ) {
            let (mut agenda, mut model, mut now_ns) = (Agenda::default(), Vec::new(), 0);
            for (lane, (pause_ns, later_ns)) in steps.into_iter().enumerate() {
                now_ns += pause_ns;
                let due_ns = now_ns + later_ns.unwrap_or(3);
                match later_ns {
                    Some(_) => agenda.add(NextRequest::new(due_ns, lane, 0)),
                    None => agenda.add_in_order(NextRequest::new(due_ns, lane, 0)),
                }
                model.push(due_ns);
                model.sort_unstable();
                prop_assert_eq!(agenda.due_ns(), model[0]);
                while let Some(request) = agenda.pop_due(now_ns) {
                    prop_assert!(request.due_ns <= now_ns);
                    prop_assert_eq!(request.due_ns, model.remove(0));
                }
                prop_assert!(model.iter().all(|&due_ns| due_ns > now_ns));
            }
            while let Some(request) = agenda.pop_due(u64::MAX) {
                prop_assert_eq!(request.due_ns, model.remove(0));
            }
            prop_assert!(model.is_empty());
            prop_assert_eq!(agenda.due_ns(), u64::MAX);
        }
    }
}
