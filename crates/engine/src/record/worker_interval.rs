//! Cuts a worker's load into one-second intervals, and hands each over when it has ended.
//!
//! An interval ends at a full second, and exactly at the stop, so that what happens in the grace
//! period is apart. A request belongs to the interval in which it ended.

use std::mem;

use crate::record::interval_stats::IntervalStats;
use crate::record::samples::SampleBudget;

const SECOND_NS: u64 = 1_000_000_000;

/// What stands at the end of an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gauges {
    /// Written requests without a complete response.
    pub in_flight: u64,
    /// How long ago the oldest request was intended that has no outcome yet, whether it was written or
    /// waits; none without any.
    pub oldest_pending_ns: Option<u64>,
    /// Open connections.
    pub connections: u64,
    /// Requests offered since the start.
    pub offered: u64,
    /// Users that are active; none for a rate.
    pub users: Option<u64>,
}

/// One ended interval of one worker.
#[derive(Debug)]
pub struct WorkerInterval {
    /// Its beginning.
    pub start_ns: u64,
    /// Its end.
    pub end_ns: u64,
    /// Whether it is after the stop.
    pub grace: bool,
    /// How things stood at its end.
    pub gauges: Gauges,
    /// The longest time in it between two waits, or by which a wait was overslept.
    pub longest_stall_ns: u64,
    /// What ended in it.
    pub stats: IntervalStats,
}

/// The current interval of one worker.
#[derive(Debug)]
pub struct IntervalCutter {
    start_ns: u64,
    end_ns: u64,
    stop_ns: u64,
    grace: bool,
    stall_ns: u64,
    longest_stall_ns: u64,
    stats: IntervalStats,
    spare: Vec<IntervalStats>,
    samples: SampleBudget,
}

impl IntervalCutter {
    /// Begins at 0, for a load that is to stop at `stop_ns`.
    #[must_use]
    pub fn new(operations: usize, stop_ns: u64, samples_per_second: u32) -> Self {
        Self {
            start_ns: 0,
            end_ns: stop_ns.min(SECOND_NS),
            stop_ns,
            grace: false,
            stall_ns: 0,
            longest_stall_ns: 0,
            stats: IntervalStats::growing(operations),
            spare: Vec::new(),
            samples: SampleBudget::new(samples_per_second, operations),
        }
    }

    /// When the current interval ends.
    #[must_use]
    pub fn end_ns(&self) -> u64 {
        self.end_ns
    }

    /// When the load stops.
    #[must_use]
    pub fn stop_ns(&self) -> u64 {
        self.stop_ns
    }

    /// Whether the end of the current interval is the stop.
    #[must_use]
    pub fn ends_with_stop(&self) -> bool {
        !self.grace && self.end_ns == self.stop_ns
    }

    /// Stops the load earlier than planned, though not before the current interval began.
    pub fn stop_at(&mut self, at_ns: u64) {
        if !self.grace {
            self.stop_ns = self.stop_ns.min(at_ns).max(self.start_ns);
            self.end_ns = self.end_ns.min(self.stop_ns);
        }
    }

    /// Notes how long the worker did not wait, or by how much a wait was overslept.
    pub fn stalled(&mut self, stall_ns: u64) {
        self.stall_ns = self.stall_ns.max(stall_ns);
        self.longest_stall_ns = self.longest_stall_ns.max(stall_ns);
    }

    /// The longest stall of the whole load.
    #[must_use]
    pub fn longest_stall_ns(&self) -> u64 {
        self.longest_stall_ns
    }

    /// Where requests that end now are recorded.
    pub fn stats(&mut self) -> &mut IntervalStats {
        &mut self.stats
    }

    /// What may still be sampled in this interval.
    pub fn samples(&mut self) -> &mut SampleBudget {
        &mut self.samples
    }

    /// Ends the current interval at its planned end and begins the next.
    pub fn rotate(&mut self, gauges: Gauges) -> WorkerInterval {
        self.cut(self.end_ns, gauges)
    }

    /// Ends the last interval: nothing follows.
    pub fn finish(&mut self, now_ns: u64, gauges: Gauges) -> WorkerInterval {
        self.cut(now_ns.max(self.start_ns), gauges)
    }

    /// Takes memory back that a handed-over interval used; it is empty again.
    pub fn recycle(&mut self, stats: IntervalStats) {
        self.spare.push(stats);
    }

    fn cut(&mut self, end_ns: u64, gauges: Gauges) -> WorkerInterval {
        let operations = self.stats.operations.len();
        let fresh = self
            .spare
            .pop()
            .unwrap_or_else(|| IntervalStats::growing(operations));
        let stats = mem::replace(&mut self.stats, fresh);
        let ended = WorkerInterval {
            start_ns: self.start_ns,
            end_ns,
            grace: self.grace,
            gauges,
            longest_stall_ns: std::mem::take(&mut self.stall_ns),
            stats,
        };
        self.samples.refill();
        self.grace |= end_ns >= self.stop_ns;
        self.start_ns = end_ns;
        self.end_ns = if self.grace {
            end_ns + SECOND_NS
        } else {
            ((end_ns / SECOND_NS + 1) * SECOND_NS).min(self.stop_ns)
        };
        ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(stop_ns: u64, count: usize) -> Vec<(u64, u64, bool)> {
        let mut intervals = IntervalCutter::new(1, stop_ns, 1);
        (0..count)
            .map(|_| intervals.rotate(Gauges::default()))
            .map(|ended| (ended.start_ns, ended.end_ns, ended.grace))
            .collect()
    }

    #[test]
    fn intervals_end_at_full_seconds_and_at_the_stop() {
        let s = SECOND_NS;
        assert_eq!(
            ends(2 * s + 5, 4),
            [
                (0, s, false),
                (s, 2 * s, false),
                (2 * s, 2 * s + 5, false),
                (2 * s + 5, 3 * s + 5, true)
            ]
        );
        assert_eq!(ends(s, 2), [(0, s, false), (s, 2 * s, true)]);
    }

    #[test]
    fn an_early_stop_ends_the_current_interval() {
        let mut intervals = IntervalCutter::new(1, 10 * SECOND_NS, 1);
        intervals.rotate(Gauges::default());
        intervals.stop_at(SECOND_NS + 7);
        assert!(intervals.ends_with_stop());
        let ended = intervals.rotate(Gauges::default());
        assert_eq!(
            (ended.start_ns, ended.end_ns, ended.grace),
            (SECOND_NS, SECOND_NS + 7, false)
        );
        intervals.stop_at(3);
        assert_eq!(intervals.stop_ns(), SECOND_NS + 7);
    }
}
