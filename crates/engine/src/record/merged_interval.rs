//! Puts the intervals of all workers together again, in order.
//!
//! Workers cut their load at the same full seconds, yet a stop by signal or count reaches them a
//! little apart, so one may have begun a second that another never saw. Intervals are therefore
//! matched by second, and one is complete when no worker can contribute to it any more.

use std::collections::VecDeque;

use crate::host::run_waits::RunWaits;
use crate::record::interval_stats::IntervalStats;
use crate::record::worker_interval::{Gauges, WorkerInterval};

const SECOND_NS: u64 = 1_000_000_000;

/// Times of the thread at the end of a worker's interval.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreadTimes {
    /// CPU time of the whole process.
    pub process_ns: u64,
    /// CPU time of the worker's thread.
    pub thread_ns: u64,
    /// How long the thread waited for a CPU in the interval; none where the kernel does not tell.
    pub waits: Option<RunWaits>,
}

/// What one worker cost in an interval, and how late it was itself.
#[allow(clippy::struct_field_names, reason = "all are times")]
#[derive(Clone, Copy, Debug, Default)]
pub struct WorkerShare {
    /// CPU time of its thread.
    pub cpu_ns: u64,
    /// Its part of the interval.
    pub wall_ns: u64,
    /// Its longest stall.
    pub longest_stall_ns: u64,
    /// How long its thread waited for a CPU; none where the kernel does not tell.
    pub waits: Option<RunWaits>,
}

/// One interval of the whole load.
#[derive(Debug)]
pub struct MergedInterval {
    /// Its beginning: the end of the one before.
    pub start_ns: u64,
    /// Its end, which is the latest end of the workers' intervals.
    pub end_ns: u64,
    /// Whether it is after the stop.
    pub grace: bool,
    /// Sums over the workers at its end.
    pub gauges: Gauges,
    /// CPU time of the process in it.
    pub cpu_ns: u64,
    /// By worker; of those that have no part in it all is 0.
    pub workers: Vec<WorkerShare>,
    /// What ended in it.
    pub stats: IntervalStats,
}

/// Orders load before grace, then by second.
type Key = (bool, u64);

/// One worker's intervals that wait for those of the others.
#[derive(Debug, Default)]
struct WorkerQueue {
    ended: VecDeque<(Key, WorkerInterval, ThreadTimes)>,
    thread_ns: u64,
    grace_intervals: u64,
    finished: bool,
    gauges: Gauges,
}

/// Intervals that wait for those of other workers.
#[derive(Debug)]
pub struct Merger {
    queues: Vec<WorkerQueue>,
    cpu_ns: u64,
    merged: MergedInterval,
}

impl Merger {
    /// For so many workers; `cpu_ns` is the CPU time of the process when the load begins.
    #[must_use]
    pub fn new(workers: usize, operations: usize, cpu_ns: u64) -> Self {
        let merged = MergedInterval {
            start_ns: 0,
            end_ns: 0,
            grace: false,
            gauges: Gauges::default(),
            cpu_ns: 0,
            workers: vec![WorkerShare::default(); workers],
            stats: IntervalStats::growing(operations),
        };
        Self {
            queues: (0..workers).map(|_| WorkerQueue::default()).collect(),
            cpu_ns,
            merged,
        }
    }

    /// Takes one ended interval and the thread's times at its end.
    pub fn add(&mut self, worker: usize, interval: WorkerInterval, times: ThreadTimes) {
        let queue = &mut self.queues[worker];
        let key = if interval.grace {
            queue.grace_intervals += 1;
            (true, queue.grace_intervals)
        } else {
            (false, interval.start_ns / SECOND_NS)
        };
        queue.ended.push_back((key, interval, times));
    }

    /// The worker contributes nothing more.
    pub fn finish(&mut self, worker: usize) {
        self.queues[worker].finished = true;
    }

    /// The next interval that is complete; `recycle` gets the workers' parts back, emptied.
    pub fn next(
        &mut self,
        mut recycle: impl FnMut(usize, IntervalStats),
    ) -> Option<&MergedInterval> {
        if self
            .queues
            .iter()
            .any(|queue| queue.ended.is_empty() && !queue.finished)
        {
            return None;
        }
        let heads = self.queues.iter().filter_map(|queue| queue.ended.front());
        let key = heads.map(|head| head.0).min()?;
        let merged = &mut self.merged;
        merged.stats.clear();
        (merged.start_ns, merged.grace) = (merged.end_ns, key.0);
        let mut cpu_ns = self.cpu_ns;
        merged.workers.fill(WorkerShare::default());
        for (worker, queue) in self.queues.iter_mut().enumerate() {
            if queue.ended.front().is_none_or(|head| head.0 != key) {
                continue;
            }
            let Some((_, mut interval, times)) = queue.ended.pop_front() else {
                continue;
            };
            merged.end_ns = merged.end_ns.max(interval.end_ns);
            merged.stats.add(&interval.stats);
            queue.gauges = interval.gauges;
            cpu_ns = cpu_ns.max(times.process_ns);
            merged.workers[worker] = WorkerShare {
                cpu_ns: times.thread_ns.saturating_sub(queue.thread_ns),
                wall_ns: interval.end_ns - interval.start_ns,
                longest_stall_ns: interval.longest_stall_ns,
                waits: times.waits,
            };
            queue.thread_ns = times.thread_ns;
            // Emptied here: on the worker it would delay requests.
            interval.stats.clear();
            recycle(worker, interval.stats);
        }
        merged.gauges = Gauges::default();
        for queue in &self.queues {
            merged.gauges.in_flight += queue.gauges.in_flight;
            merged.gauges.connections += queue.gauges.connections;
            merged.gauges.offered += queue.gauges.offered;
            let oldest_ns = &mut merged.gauges.oldest_pending_ns;
            *oldest_ns = (*oldest_ns).max(queue.gauges.oldest_pending_ns);
            if let Some(users) = queue.gauges.users {
                *merged.gauges.users.get_or_insert(0) += users;
            }
        }
        merged.cpu_ns = cpu_ns - self.cpu_ns;
        self.cpu_ns = cpu_ns;
        Some(&self.merged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{NotSent, Outcome};

    fn times(process_ns: u64) -> ThreadTimes {
        ThreadTimes {
            process_ns,
            thread_ns: process_ns / 2,
            waits: None,
        }
    }

    fn interval(start_ns: u64, end_ns: u64, grace: bool) -> WorkerInterval {
        let mut stats = IntervalStats::growing(1);
        stats.record_not_sent(0, NotSent::NoStream);
        let gauges = Gauges {
            in_flight: 1,
            connections: 2,
            offered: 3,
            oldest_pending_ns: Some(4),
            users: Some(5),
        };
        WorkerInterval {
            start_ns,
            end_ns,
            grace,
            gauges,
            longest_stall_ns: 7,
            stats,
        }
    }

    fn drain(merger: &mut Merger) -> Vec<(u64, u64, bool, u64)> {
        let mut all = Vec::new();
        while let Some(merged) = merger.next(|_, _| {}) {
            let count = merged.stats.outcomes().get(Outcome::NotSent);
            all.push((merged.start_ns, merged.end_ns, merged.grace, count));
        }
        all
    }

    #[test]
    fn an_interval_waits_for_every_worker() {
        let mut merger = Merger::new(2, 1, 0);
        merger.add(0, interval(0, SECOND_NS, false), times(5));
        assert!(drain(&mut merger).is_empty());
        merger.add(1, interval(0, SECOND_NS, false), times(6));
        let interval = merger.next(|_, _| {}).expect("both are there");
        assert_eq!((interval.cpu_ns, interval.gauges.connections), (6, 4));
    }

    #[test]
    fn a_second_that_only_one_worker_began_is_not_lost() {
        let (s, mut merger) = (SECOND_NS, Merger::new(2, 1, 0));
        for (worker, intervals) in [
            (
                0,
                vec![interval(0, s - 3, false), interval(s - 3, s + 2, true)],
            ),
            (
                1,
                vec![
                    interval(0, s, false),
                    interval(s, s + 1, false),
                    interval(s + 1, s + 2, true),
                ],
            ),
        ] {
            for interval in intervals {
                merger.add(worker, interval, times(0));
            }
            merger.finish(worker);
        }
        assert_eq!(
            drain(&mut merger),
            [
                (0, s, false, 2),
                (s, s + 1, false, 1),
                (s + 1, s + 2, true, 2)
            ]
        );
    }

    #[test]
    fn a_worker_that_finished_early_holds_nobody_up() {
        let mut merger = Merger::new(2, 1, 0);
        merger.finish(0);
        merger.add(1, interval(0, SECOND_NS, false), times(0));
        assert_eq!(drain(&mut merger).len(), 1);
    }
}
