//! Requests of sessions that have begun, which wait for a lane.

use std::collections::VecDeque;

/// A request that waits for a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) intended_ns: u64,
    /// If it was offered in a lane before, which then could not take it.
    pub(super) taken_up_ns: Option<u64>,
    pub(super) place: usize,
}

/// Those that wait, in the order of their intended times.
#[derive(Clone, Debug, Default)]
pub(super) struct StepsWaiting {
    in_order: VecDeque<Waiting>,
}

impl StepsWaiting {
    pub(super) fn is_empty(&self) -> bool {
        self.in_order.is_empty()
    }

    pub(super) fn first_ns(&self) -> Option<u64> {
        self.in_order.front().map(|waiting| waiting.intended_ns)
    }

    /// Adds one behind those that were not intended after it.
    pub(super) fn add(&mut self, waiting: Waiting) {
        let is_earlier = |other: &Waiting| other.intended_ns <= waiting.intended_ns;
        if self.in_order.back().is_none_or(is_earlier) {
            self.in_order.push_back(waiting);
        } else {
            let place = self.in_order.partition_point(is_earlier);
            self.in_order.insert(place, waiting);
        }
    }

    /// Takes the first, if it was intended by then.
    pub(super) fn pop_until(&mut self, until_ns: u64) -> Option<Waiting> {
        self.in_order
            .pop_front_if(|first| first.intended_ns <= until_ns)
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.in_order.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_intended_first_is_first_and_of_equals_who_came_first() {
        let mut waiting = StepsWaiting::default();
        for (place, intended_ns) in [5, 9, 5, 1, 9].into_iter().enumerate() {
            waiting.add(Waiting {
                intended_ns,
                taken_up_ns: None,
                place,
            });
        }
        assert_eq!((waiting.first_ns(), waiting.len()), (Some(1), 5));
        let mut places = Vec::new();
        while let Some(first) = waiting.pop_until(8) {
            places.push(first.place);
        }
        assert_eq!(places, [3, 0, 2]);
        assert_eq!(waiting.first_ns(), Some(9));
        assert!(!waiting.is_empty());
    }
}
