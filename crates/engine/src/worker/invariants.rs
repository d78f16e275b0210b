//! What is true of a worker after every turn. The first of it is that nothing waits for ever: every lane
//! with a request has a deadline, or waits for a connection that has one.

use crate::event_loop::EventLoop;
use crate::exchange::phase::Phase;

use crate::worker::Worker;

/// While requests wait for lanes, what becomes of them is looked at this often at least.
const CHECK_EVERY_NS: u64 = 5_000_000;

impl<L: EventLoop> Worker<L> {
    /// Checks all of it.
    ///
    /// # Panics
    /// If something is not true.
    pub fn check(&self) {
        for slot in 0..self.connections.len() {
            self.check_connection(slot);
        }
        for lane in 0..self.lanes.len() {
            self.check_lane(lane);
        }
        let is_counted = |slot: &usize| {
            let phase = self.connections[*slot].phase();
            !phase.is_closed() && phase != Phase::Connecting
        };
        let open = (0..self.connections.len()).filter(is_counted).count();
        assert_eq!(self.open_connections, open as u64, "open connections");
        let mut groups = 0..self.offers.groups();
        if let Some(first_ns) = groups.find_map(|group| self.offers.first_waiting_ns(group))
            && !self.stopped
        {
            let waits_ns = self.now_ns.saturating_sub(first_ns);
            // What was intended while the engine itself was late is looked at after that.
            let late_ns = self.intervals.longest_stall_ns();
            let most_ns = self.limits.timeout_ns + CHECK_EVERY_NS + late_ns;
            assert!(
                waits_ns < most_ns,
                "what waits for a lane is not sent in the end"
            );
        }
    }

    fn check_connection(&self, slot: usize) {
        let connection = &self.connections[slot];
        let phase = connection.phase();
        let is_here = |lane: &usize| {
            let exchange = self.lanes[*lane].exchange.as_ref();
            exchange.and_then(|exchange| exchange.slot) == u32::try_from(slot).ok()
        };
        let carried = self.lanes_of(slot).filter(is_here).count();
        let in_flight = if phase.is_open() {
            connection.in_flight()
        } else {
            0
        };
        assert_eq!(carried, in_flight, "slot {slot}: lanes and streams");
        assert_eq!(
            phase.establishing_outcome().is_some(),
            self.connecting.holds(slot),
            "slot {slot}: a deadline while it is being established"
        );
        assert!(!connection.is_dirty, "slot {slot}: it is flushed");
        assert!(!connection.is_drained(), "slot {slot}: it is closed");
        assert!(
            connection.unstamped.is_empty(),
            "slot {slot}: what it carries has its deadline"
        );
        if !connection.waiting.is_empty() {
            assert!(self.homes.is_current(slot), "slot {slot}: nobody waits");
            assert!(!phase.is_closed(), "slot {slot}: it is connected anew");
            assert!(!connection.can_open(), "slot {slot}: it takes who waits");
        }
    }

    fn check_lane(&self, lane: usize) {
        let slot = self.slot_of(lane);
        let tag = self.tag_of(lane);
        let connection = &self.connections[slot];
        let waits = connection.waiting.iter().filter(|one| **one == tag);
        let has_deadline = self.in_flight.holds(lane) || self.waits.holds(lane);
        let Some(exchange) = &self.lanes[lane].exchange else {
            assert_eq!(waits.count(), 0, "lane {lane}: it waits for nothing");
            assert!(!has_deadline, "lane {lane}: nothing is due");
            return;
        };
        assert_eq!(
            self.in_flight.holds(lane),
            exchange.written_ns.is_some(),
            "lane {lane}: what was written has a deadline"
        );
        assert_eq!(
            waits.count(),
            usize::from(exchange.slot.is_none()),
            "lane {lane}: it is on a connection or waits for one"
        );
        assert!(
            has_deadline || self.connecting.holds(slot),
            "lane {lane}: it has a deadline"
        );
        assert!(
            !(self.in_flight.holds(lane) && self.waits.holds(lane)),
            "lane {lane}: it has one deadline"
        );
    }
}
