//! What was asked since the start, counted exactly.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use serde::Serialize;

/// Counters, which only grow but for the requests in flight.
#[derive(Debug, Default)]
pub struct Stats {
    lookups: AtomicU64,
    batches: AtomicU64,
    names: AtomicU64,
    in_flight: AtomicU64,
    peak_in_flight: AtomicU64,
}

/// The counters at one moment, as they are answered.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Snapshot {
    /// Names that were asked for one by one.
    lookups: u64,
    /// Batches of names that were read.
    batches: u64,
    /// Names that were asked for, one by one and in batches.
    names: u64,
    /// The most look-ups and batches in flight at the same time.
    peak_in_flight: u64,
}

/// A request in flight, until it is dropped.
pub struct InFlight<'a>(&'a Stats);

impl Stats {
    /// Counts a request whose head has come.
    pub fn begin(&self) -> InFlight<'_> {
        let in_flight = self.in_flight.fetch_add(1, Relaxed) + 1;
        self.peak_in_flight.fetch_max(in_flight, Relaxed);
        InFlight(self)
    }

    /// Counts a look-up of one name.
    pub fn lookup(&self) {
        self.lookups.fetch_add(1, Relaxed);
        self.names.fetch_add(1, Relaxed);
    }

    /// Counts a batch that was read.
    pub fn batch(&self, names: usize) {
        self.batches.fetch_add(1, Relaxed);
        self.names.fetch_add(names as u64, Relaxed);
    }

    /// Reads the counters.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            lookups: self.lookups.load(Relaxed),
            batches: self.batches.load(Relaxed),
            names: self.names.load(Relaxed),
            peak_in_flight: self.peak_in_flight.load(Relaxed),
        }
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_of_what_was_in_flight_at_the_same_time() {
        let stats = Stats::default();
        stats.lookup();
        stats.batch(3);
        drop(stats.begin());
        let first = stats.begin();
        let second = stats.begin();
        drop(first);
        drop(stats.begin());
        drop(second);
        let seen = Snapshot {
            lookups: 1,
            batches: 1,
            names: 4,
            peak_in_flight: 2,
        };
        assert_eq!(stats.snapshot(), seen);
    }
}
