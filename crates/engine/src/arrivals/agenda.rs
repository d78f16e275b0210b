//! What is planned next in places for sessions, and when: a queue for what comes in order, a heap for
//! the rest.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// What is planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Next {
    /// A session begins.
    Session,
    /// The next step of a session.
    Step,
    /// The user leaves its session.
    Leave,
}

/// What is planned next in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Planned {
    /// When.
    pub due_ns: u64,
    /// Where.
    pub place: u32,
    /// What.
    pub next: Next,
}

impl Planned {
    /// Plans something in a place.
    #[must_use]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a checked plan has at most 10^6 places"
    )]
    pub fn new(due_ns: u64, place: usize, next: Next) -> Self {
        let place = place as u32;
        Self {
            due_ns,
            place,
            next,
        }
    }
}

/// What is planned next in one worker's places, earliest first.
#[derive(Clone, Debug, Default)]
pub struct Agenda {
    in_order: VecDeque<Planned>,
    out_of_order: BinaryHeap<Reverse<Planned>>,
}

impl Agenda {
    /// Adds what is planned soon: where all pauses are equal, each is due after those added before.
    pub fn add(&mut self, planned: Planned) {
        let is_last = self
            .in_order
            .back()
            .is_none_or(|last| last.due_ns <= planned.due_ns);
        if is_last {
            self.in_order.push_back(planned);
        } else {
            self.add_later(planned);
        }
    }

    /// Adds what may be far off, after which little would come in order.
    pub fn add_later(&mut self, planned: Planned) {
        self.out_of_order.push(Reverse(planned));
    }

    /// When the first is due; `u64::MAX`: there is none.
    #[must_use]
    pub fn due_ns(&self) -> u64 {
        let in_order = self.in_order.front();
        let in_order_ns = in_order.map_or(u64::MAX, |planned| planned.due_ns);
        let out_of_order = self.out_of_order.peek();
        in_order_ns.min(out_of_order.map_or(u64::MAX, |planned| planned.0.due_ns))
    }

    /// Takes the first, if it is due by now.
    pub fn pop_due(&mut self, now_ns: u64) -> Option<Planned> {
        let in_order = self.in_order.front();
        let out_of_order = self.out_of_order.peek();
        match (in_order, out_of_order) {
            (Some(planned), None) if planned.due_ns <= now_ns => self.in_order.pop_front(),
            (Some(planned), Some(other))
                if planned.due_ns <= now_ns && planned.due_ns <= other.0.due_ns =>
            {
                self.in_order.pop_front()
            }
            (_, Some(other)) if other.0.due_ns <= now_ns => {
                self.out_of_order.pop().map(|planned| planned.0)
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
        fn what_is_planned_comes_in_the_order_in_which_it_is_due_and_none_is_lost(
            steps in prop::collection::vec((0_u64..5, prop::option::of(0_u64..30), any::<bool>()), 0..100),
        ) {
            let (mut agenda, mut model, mut now_ns) = (Agenda::default(), Vec::new(), 0);
            for (place, (pause_ns, later_ns, is_soon)) in steps.into_iter().enumerate() {
                now_ns += pause_ns;
                let due_ns = now_ns + later_ns.unwrap_or(3);
                let planned = Planned::new(due_ns, place, Next::Step);
                if is_soon {
                    agenda.add(planned);
                } else {
                    agenda.add_later(planned);
                }
                model.push(due_ns);
                model.sort_unstable();
                prop_assert_eq!(agenda.due_ns(), model[0]);
                while let Some(planned) = agenda.pop_due(now_ns) {
                    prop_assert!(planned.due_ns <= now_ns);
                    prop_assert_eq!(planned.due_ns, model.remove(0));
                }
                prop_assert!(model.iter().all(|&due_ns| due_ns > now_ns));
            }
            while let Some(planned) = agenda.pop_due(u64::MAX) {
                prop_assert_eq!(planned.due_ns, model.remove(0));
            }
            prop_assert!(model.is_empty());
            prop_assert_eq!(agenda.due_ns(), u64::MAX);
        }
    }
}
