//! Whether the engine itself was the limit: of each interval, and of the load.
//!
//! A generator that is late, starved or stopped measures itself; what it then reports as response
//! time is not the server's. So every interval is held against four limits, and those beyond one
//! are marked in progress lines, timeline and summary. The limits are absolute; how an engine's
//! lateness compares with what it measured is judged by who reads the record.

use schemars::JsonSchema;
use serde::Serialize;
use std::fs;

use crate::record::clock_histogram::quantile_ns;
use crate::record::merged_interval::MergedInterval;
use crate::record::request_clock::RequestClock;

/// A thread that computes all the time can offer no more; below 95 % the kernel still finds idle
/// time, so whatever limits the load, it is not this.
const MOST_CPU_SHARE: f64 = 0.95;

/// The longest wait of a scheduler that shares a CPU fairly among a few programs is some tens of
/// milliseconds; beyond this a worker was stopped, or starved.
const LONGEST_STALL_NS: u64 = 100_000_000;

/// Requests written later than this by the engine's own fault, one in a hundred or more: twice a
/// scheduler's slice on a busy CPU.
const MOST_LATE_NS: u64 = 10_000_000;

/// Of a CPU's time, taken by the hypervisor for others. `/proc/stat` counts in 10 ms, so a smaller
/// share of a second could be one tick.
const MOST_STEAL_SHARE: f64 = 0.10;

/// In what the engine was the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LimitCause {
    /// A worker computed all the time.
    Cpu,
    /// A worker did not run for a long time.
    Stall,
    /// Requests were written late by the engine's own fault.
    Late,
    /// The hypervisor kept a worker's CPU.
    Steal,
}

/// One cause over the whole load.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LimitedFacts {
    /// In what the engine was the limit.
    pub cause: LimitCause,
    /// In how many intervals.
    pub intervals: u64,
    /// When the first of them began.
    pub first_ns: u64,
    /// The worst of them: CPU share, stall in seconds, 99th percentile of the engine's lag in
    /// seconds, or share stolen.
    pub worst: f64,
}

/// Judges interval after interval.
#[derive(Debug)]
pub struct OwnHealth {
    cpus: Vec<Option<usize>>,
    steal_ticks: Vec<u64>,
    limited: Vec<LimitedFacts>,
}

impl OwnHealth {
    /// For workers on these CPUs; none: not pinned.
    #[must_use]
    pub fn new(cpus: Vec<Option<usize>>) -> Self {
        Self {
            steal_ticks: steal_ticks(&cpus, &proc_stat()),
            cpus,
            limited: Vec::new(),
        }
    }

    /// Judges the interval that has just ended, against the kernel's counters as they stand now.
    pub fn judge_now(&mut self, interval: &MergedInterval) -> Vec<LimitCause> {
        self.judge(interval, &proc_stat())
    }

    /// The causes of the whole load.
    #[must_use]
    pub fn limited(&self) -> &[LimitedFacts] {
        &self.limited
    }

    fn judge(&mut self, interval: &MergedInterval, proc_stat: &str) -> Vec<LimitCause> {
        let wall_ns = interval.end_ns - interval.start_ns;
        let workers = interval.workers.iter().filter(|one| one.wall_ns > 0);
        let cpu_share = workers
            .clone()
            .map(|one| one.cpu_ns as f64 / one.wall_ns as f64)
            .fold(0.0, f64::max);
        let stall_ns = workers.map(|one| one.longest_stall_ns).max();
        let stall_ns = stall_ns.unwrap_or_default();
        let engine_lag = interval.stats.clock(RequestClock::EngineLag, true);
        let late_ns = quantile_ns(&engine_lag.histogram, 0.99).unwrap_or_default();
        let ticks = steal_ticks(&self.cpus, proc_stat);
        let stolen = ticks.iter().zip(&self.steal_ticks);
        let stolen = stolen
            .map(|(now, before)| now.saturating_sub(*before))
            .max();
        // A tick is 10 ms on every Linux: USER_HZ is 100 towards user space.
        let stolen_ns = stolen.unwrap_or_default() * 10_000_000;
        let steal_share = stolen_ns as f64 / wall_ns.max(1) as f64;
        self.steal_ticks = ticks;
        let seconds = |ns: u64| ns as f64 / 1e9;
        // Ends of the load are shorter than any limit can tell.
        let is_long = wall_ns >= 500_000_000;
        let mut causes = Vec::new();
        for (cause, is_beyond, worst) in [
            (
                LimitCause::Cpu,
                is_long && cpu_share >= MOST_CPU_SHARE,
                cpu_share,
            ),
            (
                LimitCause::Stall,
                stall_ns >= LONGEST_STALL_NS,
                seconds(stall_ns),
            ),
            (LimitCause::Late, late_ns >= MOST_LATE_NS, seconds(late_ns)),
            (
                LimitCause::Steal,
                is_long && steal_share >= MOST_STEAL_SHARE,
                steal_share,
            ),
        ] {
            if is_beyond {
                causes.push(cause);
                self.count(cause, interval.start_ns, worst);
            }
        }
        causes
    }

    fn count(&mut self, cause: LimitCause, start_ns: u64, worst: f64) {
        match self.limited.iter_mut().find(|one| one.cause == cause) {
            Some(facts) => {
                facts.intervals += 1;
                facts.worst = facts.worst.max(worst);
            }
            None => self.limited.push(LimitedFacts {
                cause,
                intervals: 1,
                first_ns: start_ns,
                worst,
            }),
        }
    }
}

fn proc_stat() -> String {
    fs::read_to_string("/proc/stat").unwrap_or_default()
}

/// Ticks stolen from each worker's CPU since boot; of a worker that is not pinned, of all CPUs
/// together, which is too much rather than too little.
fn steal_ticks(cpus: &[Option<usize>], proc_stat: &str) -> Vec<u64> {
    let of = |name: &str| {
        let line = proc_stat
            .lines()
            .find(|line| line.split_ascii_whitespace().next() == Some(name));
        let field = line.and_then(|line| line.split_ascii_whitespace().nth(8));
        field.and_then(|text| text.parse().ok()).unwrap_or_default()
    };
    cpus.iter()
        .map(|cpu| match cpu {
            Some(cpu) => of(&format!("cpu{cpu}")),
            None => of("cpu"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Outcome;
    use crate::record::interval_stats::{EndedRequest, IntervalStats};
    use crate::record::lag_causes::LagParts;
    use crate::record::merged_interval::WorkerShare;
    use crate::record::worker_interval::Gauges;

    const SECOND: u64 = 1_000_000_000;

    fn stat(steal: u64) -> String {
        format!("cpu  9 9 9 9 9 9 9 9 0 0\ncpu1 1 2 3 4 5 6 7 {steal} 0 0\n")
    }

    fn causes(cpu_ns: u64, stall_ns: u64, engine_ns: u64, steal: u64) -> Vec<LimitCause> {
        let mut health = OwnHealth {
            cpus: vec![Some(1)],
            steal_ticks: vec![100],
            limited: Vec::new(),
        };
        let mut stats = IntervalStats::growing(1);
        stats.record(&EndedRequest {
            operation: 0,
            outcome: Outcome::Ok,
            intended_ns: 0,
            written_ns: Some(engine_ns),
            lag: LagParts {
                engine_ns,
                ..LagParts::default()
            },
            first_byte_ns: None,
            done_ns: SECOND,
            bytes_sent: 0,
            bytes_received: 0,
        });
        let interval = MergedInterval {
            start_ns: 0,
            end_ns: SECOND,
            grace: false,
            gauges: Gauges::default(),
            cpu_ns,
            workers: vec![WorkerShare {
                cpu_ns,
                wall_ns: SECOND,
                longest_stall_ns: stall_ns,
                waits: None,
            }],
            stats,
        };
        let causes = health.judge(&interval, &stat(100 + steal));
        assert_eq!(health.limited().len(), causes.len());
        causes
    }

    #[test]
    fn an_engine_with_time_to_spare_is_no_limit() {
        assert_eq!(causes(SECOND / 2, 30_000_000, 2_000_000, 5), []);
    }

    #[test]
    fn each_limit_is_marked_by_its_cause() {
        assert_eq!(causes(SECOND, 0, 0, 0), [LimitCause::Cpu]);
        assert_eq!(causes(0, SECOND, 0, 0), [LimitCause::Stall]);
        assert_eq!(causes(0, 0, SECOND / 2, 0), [LimitCause::Late]);
        assert_eq!(causes(0, 0, 0, 20), [LimitCause::Steal]);
    }
}
