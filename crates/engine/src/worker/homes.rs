//! Which connection takes the requests of a lane, and what the numbers of lanes and slots mean.
//!
//! Lanes outlive connections. A peer that ends a connection, by GOAWAY or by what a response says, still
//! answers what is in flight there, while the next requests need another one. So where connections carry
//! several requests at a time, the lanes that belong together have two slots: one connection brings its
//! last answers, the other takes the requests. If that one is ended as well before the first is done, the
//! requests wait.
//!
//! A *home* is such a number of lanes: home h has the lanes h * streams to (h + 1) * streams - 1, and
//! the slots h and h + homes. With one stream there is nothing to wait for, and no second slot.

use std::ops::Range;

/// The homes of one worker.
#[derive(Clone, Debug)]
pub struct Homes {
    streams: usize,
    /// The slot that takes requests, by home.
    current: Vec<u32>,
}

impl Homes {
    /// So many homes, whose connections carry so many requests at a time.
    #[must_use]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a checked plan has at most 10^6 connections"
    )]
    pub fn new(homes: usize, streams: usize) -> Self {
        Self {
            streams,
            current: (0..homes as u32).collect(),
        }
    }

    /// How many lanes they have.
    #[must_use]
    pub fn lanes(&self) -> usize {
        self.current.len() * self.streams
    }

    /// How many slots they have.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.current.len() * if self.streams > 1 { 2 } else { 1 }
    }

    /// The home of a lane.
    #[must_use]
    pub fn of_lane(&self, lane: usize) -> usize {
        lane / self.streams
    }

    /// The home of a slot.
    #[must_use]
    pub fn of_slot(&self, slot: usize) -> usize {
        slot % self.current.len()
    }

    /// The lanes whose requests the connection in this slot may carry.
    #[must_use]
    pub fn lanes_of(&self, slot: usize) -> Range<usize> {
        let first = self.of_slot(slot) * self.streams;
        first..first + self.streams
    }

    /// The slot that takes the requests of this home.
    #[must_use]
    pub fn current(&self, home: usize) -> usize {
        self.current[home] as usize
    }

    /// Whether this slot takes the requests of its home.
    #[must_use]
    pub fn is_current(&self, slot: usize) -> bool {
        self.current(self.of_slot(slot)) == slot
    }

    /// The other slot of the same home, if it has two.
    #[must_use]
    pub fn other(&self, slot: usize) -> Option<usize> {
        let homes = self.current.len();
        (self.streams > 1).then(|| {
            if slot < homes {
                slot + homes
            } else {
                slot - homes
            }
        })
    }

    /// From now on the other slot, which there is, takes the requests.
    #[allow(clippy::cast_possible_truncation, reason = "as in `new`")]
    pub fn change_over(&mut self, other: usize) {
        let home = self.of_slot(other);
        self.current[home] = other as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_of_several_streams_has_two_slots_that_take_turns() {
        let mut homes = Homes::new(3, 2);
        assert_eq!((homes.lanes(), homes.slots()), (6, 6));
        assert_eq!((homes.of_lane(5), homes.of_slot(5)), (2, 2));
        assert_eq!((homes.lanes_of(2), homes.lanes_of(5)), (4..6, 4..6));
        assert_eq!((homes.other(2), homes.other(5)), (Some(5), Some(2)));
        assert!(homes.is_current(2) && !homes.is_current(5));
        homes.change_over(5);
        assert_eq!((homes.current(2), homes.current(1)), (5, 1));
        assert!(homes.is_current(5) && !homes.is_current(2));
        homes.change_over(2);
        assert!(homes.is_current(2));
    }

    #[test]
    fn a_home_of_one_stream_has_one_slot() {
        let homes = Homes::new(3, 1);
        assert_eq!((homes.lanes(), homes.slots()), (3, 3));
        assert_eq!((homes.lanes_of(2), homes.other(2)), (2..3, None));
    }
}
