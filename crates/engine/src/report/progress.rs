//! Makes a progress line of each interval.

use crate::interval_rules::own_health::LimitCause;
use crate::outcome::{Outcome, OutcomeCounts};
use crate::record::clock_histogram::quantile_ns;
use crate::record::merged_interval::MergedInterval;
use crate::record::request_clock::RequestClock;
use crate::report::engine_event::Progress;
use crate::report::request_facts::Outcomes;
use crate::report::wait_facts::together;

/// What progress lines add up.
#[derive(Debug, Default)]
pub struct ProgressLine {
    outcomes: OutcomeCounts,
}

impl ProgressLine {
    /// The line of the next interval.
    pub fn next(
        &mut self,
        interval: &MergedInterval,
        limited_by: Vec<LimitCause>,
        in_window: Option<bool>,
    ) -> Progress {
        let ended = interval.stats.outcomes();
        self.outcomes.add(&ended);
        let per_ns =
            |amount: u64| amount as f64 / (interval.end_ns - interval.start_ns).max(1) as f64;
        let response = interval.stats.clock(RequestClock::ResponseTime, false);
        let lag = interval.stats.clock(RequestClock::Lag, true);
        let waits = together(interval.workers.iter().map(|one| one.waits));
        Progress {
            elapsed_ns: interval.end_ns,
            offered: interval.gauges.offered,
            outcomes: Outcomes::from(&self.outcomes),
            throughput: per_ns(ended.get(Outcome::Ok)) * 1e9,
            response_time_p50_ns: quantile_ns(&response.histogram, 0.5),
            response_time_p99_ns: quantile_ns(&response.histogram, 0.99),
            lag_p99_ns: quantile_ns(&lag.histogram, 0.99),
            in_flight: interval.gauges.in_flight,
            connections: interval.gauges.connections,
            users: interval.gauges.users,
            cpu_share: per_ns(interval.cpu_ns),
            waited_share: waits.map(|waits| per_ns(waits.waited_ns)),
            limited_by,
            in_window,
        }
    }
}
