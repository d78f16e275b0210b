//! Makes a progress line of each interval.

use hdrhistogram::Histogram;

use crate::clocks::{ClockName, ClockSplit, ClockStats};
use crate::event::Progress;
use crate::merge::MergedInterval;
use crate::outcome::{Outcome, OutcomeCounts};
use crate::own_health::LimitCause;
use crate::summary::Outcomes;
use crate::timeline::quantile_ns;

/// What progress lines add up.
#[derive(Debug)]
pub struct ProgressLine {
    outcomes: OutcomeCounts,
    scratch: ClockStats,
}

impl Default for ProgressLine {
    fn default() -> Self {
        Self {
            outcomes: OutcomeCounts::default(),
            scratch: ClockStats::full_range(),
        }
    }
}

impl ProgressLine {
    /// The line of the next interval.
    pub fn next(&mut self, interval: &MergedInterval, limited_by: Vec<LimitCause>) -> Progress {
        let ended = interval.stats.outcomes();
        self.outcomes.add(&ended);
        let per_ns =
            |amount: u64| amount as f64 / (interval.end_ns - interval.start_ns).max(1) as f64;
        let response = self.merge(interval, ClockName::ResponseTime, |split| vec![&split.ok]);
        let (p50, p99) = (quantile_ns(response, 0.5), quantile_ns(response, 0.99));
        let lag = self.merge(interval, ClockName::Lag, |split| {
            vec![&split.ok, &split.failed]
        });
        let lag_p99_ns = quantile_ns(lag, 0.99);
        Progress {
            elapsed_ns: interval.end_ns,
            offered: interval.gauges.offered,
            outcomes: Outcomes::from(&self.outcomes),
            throughput: per_ns(ended.get(Outcome::Ok)) * 1e9,
            response_time_p50_ns: p50,
            response_time_p99_ns: p99,
            lag_p99_ns,
            in_flight: interval.gauges.in_flight,
            connections: interval.gauges.connections,
            users: interval.gauges.users,
            cpu_share: per_ns(interval.cpu_ns),
            limited_by,
        }
    }

    /// One clock over all operations.
    fn merge(
        &mut self,
        interval: &MergedInterval,
        clock: ClockName,
        parts: impl Fn(&ClockSplit) -> Vec<&ClockStats>,
    ) -> &Histogram<u64> {
        self.scratch = ClockStats::full_range();
        for operation in &interval.stats.operations {
            for part in parts(operation.clock(clock)) {
                self.scratch.add(part);
            }
        }
        &self.scratch.histogram
    }
}
