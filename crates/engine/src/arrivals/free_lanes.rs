//! Which lanes of a pool of connections are free, and which of them is taken next.
//!
//! A lane is the place of one request in flight on a connection; `offers` says how they are numbered.
//!
//! The lane used last comes first (its connection is the warmest), then an unused lane of a
//! connection that was opened already, the oldest first, and only then the next connection: so the
//! streams of one connection fill before another is opened. All steps take constant time and no
//! memory; only closing a connection visits all its lanes.

const NONE: u32 = u32::MAX;

/// Where a lane is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// It carries a session.
    Busy,
    /// It is in the list of free lanes of open connections.
    Idle,
    /// Its connection allows no request here until it allows more, or is closed.
    Parked,
    /// Its connection is closed.
    Closed,
}

#[derive(Clone, Copy, Debug)]
struct LaneState {
    /// Its connection.
    slot: u32,
    place: Place,
    /// The neighbours in the list of idle lanes.
    above: u32,
    below: u32,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    /// Whether it is in the stack of closed connections.
    is_listed: bool,
    /// Its lanes that are idle or parked.
    resting: u32,
    /// Its lanes that are parked.
    parked: u32,
}

/// The lanes of one worker's pool.
#[derive(Clone, Debug)]
pub struct FreeLanes {
    streams: usize,
    states: Vec<LaneState>,
    slots: Vec<Slot>,
    /// The ends of the list of idle lanes.
    top: u32,
    bottom: u32,
    closed: Vec<u32>,
    parked: usize,
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "a checked plan has at most 10^6 lanes"
)]
fn number(index: usize) -> u32 {
    index as u32
}

impl FreeLanes {
    /// A pool of so many closed connections with so many lanes each.
    #[must_use]
    pub fn new(slots: usize, streams: usize) -> Self {
        let lane = |lane: usize| LaneState {
            slot: number(lane / streams),
            place: Place::Closed,
            above: NONE,
            below: NONE,
        };
        let slot = Slot {
            is_listed: true,
            resting: 0,
            parked: 0,
        };
        Self {
            streams,
            states: (0..slots * streams).map(lane).collect(),
            slots: vec![slot; slots],
            top: NONE,
            bottom: NONE,
            closed: (0..number(slots)).rev().collect(),
            parked: 0,
        }
    }

    /// Whether a peer allows fewer streams than there are lanes.
    #[must_use]
    pub fn has_parked(&self) -> bool {
        self.parked > 0
    }

    /// Takes a free lane.
    pub fn take(&mut self) -> Option<usize> {
        if self.top == NONE {
            self.open_next();
        }
        let lane = self.top as usize;
        (self.top != NONE).then(|| {
            self.unlink(lane);
            lane
        })
    }

    /// A busy lane is free again, and its connection stands.
    pub fn release(&mut self, lane: usize) {
        self.link(lane, NONE, self.top);
    }

    /// A busy lane is free again, and its connection is closed.
    pub fn close(&mut self, lane: usize) {
        self.states[lane].place = Place::Closed;
        self.connection_closed(lane);
    }

    /// A busy lane cannot be used until its connection allows more, or is closed.
    pub fn park(&mut self, lane: usize) {
        self.states[lane].place = Place::Parked;
        self.slot(lane).resting += 1;
        self.slot(lane).parked += 1;
        self.parked += 1;
    }

    /// The connection of this lane stands and allows so many requests at a time: as many of its
    /// parked lanes are idle again.
    pub fn allow(&mut self, lane: usize, limit: usize) {
        let slot = self.states[lane].slot as usize;
        let parked = self.slots[slot].parked as usize;
        let mut more = limit.saturating_sub(self.streams - parked).min(parked);
        for lane in slot * self.streams..(slot + 1) * self.streams {
            if more == 0 {
                return;
            }
            if self.states[lane].place == Place::Parked {
                self.unpark(lane);
                self.link(lane, self.bottom, NONE);
                more -= 1;
            }
        }
    }

    /// The connection of this lane is closed: its resting lanes wait for the next one.
    pub fn connection_closed(&mut self, lane: usize) {
        let slot = self.states[lane].slot as usize;
        let mut has_closed = self.states[lane].place == Place::Closed;
        if self.slots[slot].resting > 0 {
            has_closed = true;
            for lane in slot * self.streams..(slot + 1) * self.streams {
                match self.states[lane].place {
                    Place::Busy | Place::Closed => continue,
                    Place::Idle => self.unlink(lane),
                    Place::Parked => self.unpark(lane),
                }
                self.states[lane].place = Place::Closed;
            }
        }
        if has_closed && !self.slots[slot].is_listed {
            self.slots[slot].is_listed = true;
            self.closed.push(number(slot));
        }
    }

    /// Makes the lanes of the next closed connection idle, the first of them on top.
    fn open_next(&mut self) {
        let Some(slot) = self.closed.pop() else {
            return;
        };
        let slot = slot as usize;
        self.slots[slot].is_listed = false;
        for lane in slot * self.streams..(slot + 1) * self.streams {
            if self.states[lane].place == Place::Closed {
                self.link(lane, self.bottom, NONE);
            }
        }
    }

    fn unpark(&mut self, lane: usize) {
        self.states[lane].place = Place::Busy;
        self.slot(lane).resting -= 1;
        self.slot(lane).parked -= 1;
        self.parked -= 1;
    }

    fn link(&mut self, lane: usize, above: u32, below: u32) {
        let state = &mut self.states[lane];
        state.place = Place::Idle;
        (state.above, state.below) = (above, below);
        self.slot(lane).resting += 1;
        self.join(above, number(lane));
        self.join(number(lane), below);
    }

    /// Takes an idle lane out of the list; it is busy from now on.
    fn unlink(&mut self, lane: usize) {
        let state = &mut self.states[lane];
        state.place = Place::Busy;
        let (above, below) = (state.above, state.below);
        self.slot(lane).resting -= 1;
        self.join(above, below);
    }

    fn slot(&mut self, lane: usize) -> &mut Slot {
        &mut self.slots[self.states[lane].slot as usize]
    }

    fn join(&mut self, above: u32, below: u32) {
        match self.states.get_mut(above as usize) {
            Some(lane) => lane.below = below,
            None => self.top = below,
        }
        match self.states.get_mut(below as usize) {
            Some(lane) => lane.above = above,
            None => self.bottom = above,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_lane_used_last_is_taken_first() {
        let mut lanes = FreeLanes::new(3, 1);
        assert_eq!([lanes.take(), lanes.take()], [Some(0), Some(1)]);
        lanes.release(1);
        lanes.release(0);
        assert_eq!(lanes.take(), Some(0));
        assert_eq!(lanes.take(), Some(1));
        assert_eq!(lanes.take(), Some(2), "a connection is opened only then");
        assert_eq!(lanes.take(), None);
    }

    #[test]
    fn the_streams_of_one_connection_fill_before_the_next_is_opened() {
        let mut lanes = FreeLanes::new(2, 3);
        let first: Vec<_> = (0..4).map(|_| lanes.take()).collect();
        assert_eq!(first, [Some(0), Some(1), Some(2), Some(3)]);
        // An unused lane of the open connection 1 is still better than none.
        lanes.release(1);
        assert_eq!([lanes.take(), lanes.take()], [Some(1), Some(4)]);
    }

    #[test]
    fn a_closed_connection_gives_way_to_open_ones() {
        let mut lanes = FreeLanes::new(2, 2);
        (0..3).for_each(|_| assert!(lanes.take().is_some()));
        lanes.release(1);
        lanes.close(0);
        // LaneState 1 was idle on the closed connection; lane 3 is unused on an open one.
        assert_eq!([lanes.take(), lanes.take()], [Some(3), Some(0)]);
        assert_eq!([lanes.take(), lanes.take()], [Some(1), None]);
    }

    #[test]
    fn a_parked_lane_comes_back_with_a_new_connection_only() {
        let mut lanes = FreeLanes::new(1, 2);
        assert_eq!([lanes.take(), lanes.take()], [Some(0), Some(1)]);
        lanes.park(1);
        lanes.release(0);
        assert!(lanes.has_parked());
        assert_eq!([lanes.take(), lanes.take()], [Some(0), None]);
        lanes.close(0);
        assert!(!lanes.has_parked());
        assert_eq!([lanes.take(), lanes.take()], [Some(0), Some(1)]);
    }

    #[test]
    fn parked_lanes_come_back_as_far_as_their_connection_allows_more() {
        let mut lanes = FreeLanes::new(1, 4);
        let all: Vec<_> = (0..4).map_while(|_| lanes.take()).collect();
        assert_eq!(all, [0, 1, 2, 3]);
        (1..4).for_each(|lane| lanes.park(lane));
        lanes.allow(0, 1);
        assert_eq!(lanes.take(), None, "as many as before");
        lanes.allow(0, 3);
        assert_eq!([lanes.take(), lanes.take()], [Some(1), Some(2)]);
        assert_eq!(lanes.take(), None);
        assert!(lanes.has_parked());
        lanes.allow(0, 100);
        assert!(!lanes.has_parked());
        assert_eq!([lanes.take(), lanes.take()], [Some(3), None]);
    }

    #[test]
    fn a_connection_that_closes_under_a_busy_lane_leaves_it_busy() {
        let mut lanes = FreeLanes::new(1, 2);
        assert_eq!(lanes.take(), Some(0));
        lanes.connection_closed(0);
        assert_eq!([lanes.take(), lanes.take()], [Some(1), None]);
        lanes.release(0);
        assert_eq!(lanes.take(), Some(0));
    }

    proptest! {
        #[test]
        fn no_lane_is_handed_out_twice_and_none_is_lost(
            slots in 1_usize..5, streams in 1_usize..5,
            steps in prop::collection::vec((0_u8..7, any::<prop::sample::Index>()), 0..200),
        ) {
            let mut lanes = FreeLanes::new(slots, streams);
            let (mut busy, mut parked) = (Vec::new(), Vec::new());
            for (step, which) in steps {
                let is_elsewhere = |slot: usize| move |other: &usize| other / streams != slot;
                if step < 2 {
                    if let Some(lane) = lanes.take() {
                        prop_assert!(!busy.contains(&lane) && !parked.contains(&lane));
                        busy.push(lane);
                    } else {
                        prop_assert_eq!(busy.len() + parked.len(), slots * streams);
                    }
                } else if step == 5 {
                    let lane = which.index(slots * streams);
                    lanes.connection_closed(lane);
                    parked.retain(is_elsewhere(lane / streams));
                } else if step == 6 {
                    let limit = which.index(streams + 2);
                    let slot = which.index(slots);
                    let is_here = |lane: &&usize| **lane / streams == slot;
                    let before = parked.iter().filter(is_here).count();
                    lanes.allow(slot * streams, limit);
                    let more = limit.saturating_sub(streams - before).min(before);
                    // The first of them come back.
                    let mut here: Vec<usize> = parked.iter().filter(is_here).copied().collect();
                    here.sort_unstable();
                    parked.retain(|lane| !here[..more].contains(lane));
                } else if !busy.is_empty() {
                    let lane = busy.swap_remove(which.index(busy.len()));
                    match step {
                        2 => lanes.release(lane),
                        3 => {
                            lanes.close(lane);
                            parked.retain(is_elsewhere(lane / streams));
                        }
                        _ => {
                            lanes.park(lane);
                            parked.push(lane);
                        }
                    }
                }
                prop_assert_eq!(lanes.has_parked(), !parked.is_empty());
            }
            for lane in busy.drain(..) {
                lanes.close(lane);
            }
            (0..slots).for_each(|slot| lanes.connection_closed(slot * streams));
            let mut all: Vec<usize> = std::iter::from_fn(|| lanes.take()).collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..slots * streams).collect::<Vec<_>>());
        }
    }
}
