//! `timeline.ndjson`: one line per interval, readable up to the last second whatever happens.

use serde::Serialize;
use std::collections::BTreeMap;

use crate::host::own_quota::Throttled;
use crate::interval_rules::own_health::LimitCause;
use crate::record::clock_histogram::{ClockHistogram, ClockSplit, quantile_ns};
use crate::record::interval_stats::CellStats;
use crate::record::merged_interval::MergedInterval;
use crate::record::request_clock::RequestClock;
use crate::record::session_stats::SessionStats;
use crate::record::worker_interval::GroupGauges;
use crate::report::record_files::Names;
use crate::report::request_facts::{LagCauseFacts, Outcomes};
use crate::report::wait_facts::{ThrottledFacts, WaitFacts, together};

#[derive(Serialize)]
struct Line<'a> {
    start_ns: u64,
    end_ns: u64,
    grace: bool,
    in_flight: u64,
    connections: u64,
    users: Option<u64>,
    cpu_ns: u64,
    longest_stall_ns: u64,
    waits: Option<WaitFacts>,
    throttled: Option<ThrottledFacts>,
    limited_by: &'a [LimitCause],
    connect: Split,
    tls: Split,
    operations: BTreeMap<&'a str, Operation>,
    groups: BTreeMap<&'a str, Group>,
}

#[derive(Serialize)]
struct Group {
    users: Option<u64>,
    sessions: Sessions,
    duration: Split,
}

#[derive(Serialize)]
struct Sessions {
    begun: u64,
    finished: u64,
    ended_early: u64,
    aborted: u64,
    cut: u64,
    open: u64,
}

#[derive(Serialize)]
struct Operation {
    outcomes: Outcomes,
    bytes_sent: u64,
    bytes_received: u64,
    response_time: Split,
    service_time: Split,
    lag: Split,
    first_byte: Split,
    engine_lag: Split,
    lag_causes: LagCauseFacts,
}

#[derive(Serialize)]
struct Split {
    ok: Option<Quantiles>,
    failed: Option<Quantiles>,
}

#[derive(Serialize)]
struct Quantiles {
    count: u64,
    mean_ns: f64,
    p50_ns: u64,
    p99_ns: u64,
    max_ns: u64,
}

impl From<&ClockSplit> for Split {
    fn from(split: &ClockSplit) -> Self {
        Self {
            ok: quantiles(&split.ok),
            failed: quantiles(&split.failed),
        }
    }
}

impl From<&CellStats> for Operation {
    fn from(stats: &CellStats) -> Self {
        Self {
            outcomes: Outcomes::from(&stats.outcomes),
            bytes_sent: stats.bytes_sent,
            bytes_received: stats.bytes_received,
            response_time: stats.clock(RequestClock::ResponseTime).into(),
            service_time: stats.clock(RequestClock::ServiceTime).into(),
            lag: stats.clock(RequestClock::Lag).into(),
            first_byte: stats.clock(RequestClock::FirstByte).into(),
            engine_lag: stats.clock(RequestClock::EngineLag).into(),
            lag_causes: (&stats.lag_causes).into(),
        }
    }
}

impl Group {
    fn of(stats: &SessionStats, gauges: &GroupGauges) -> Self {
        Self {
            users: gauges.users,
            sessions: Sessions {
                begun: stats.begun,
                finished: stats.finished,
                ended_early: stats.ended_early,
                aborted: stats.aborted.total(),
                cut: stats.cut,
                open: gauges.open,
            },
            duration: (&stats.duration).into(),
        }
    }
}

fn quantiles(stats: &ClockHistogram) -> Option<Quantiles> {
    let mean_ns = stats.exact.mean_ns()?;
    Some(Quantiles {
        count: stats.exact.count,
        mean_ns,
        p50_ns: quantile_ns(&stats.histogram, 0.5)?,
        p99_ns: quantile_ns(&stats.histogram, 0.99)?,
        max_ns: stats.exact.max_ns,
    })
}

/// One interval as a line, without its end.
///
/// # Errors
/// Never in practice: all keys are text and all numbers finite.
pub fn line(
    interval: &MergedInterval,
    throttled: Option<Throttled>,
    limited_by: &[LimitCause],
    names: &Names,
) -> serde_json::Result<String> {
    let stats = interval.stats.cells.iter().map(Operation::from);
    let groups = interval.stats.sessions.iter().zip(&interval.gauges.groups);
    let groups = groups.map(|(stats, gauges)| Group::of(stats, gauges));
    let stalls = interval.workers.iter().map(|one| one.longest_stall_ns);
    let waits = together(interval.workers.iter().map(|one| one.waits));
    serde_json::to_string(&Line {
        start_ns: interval.start_ns,
        end_ns: interval.end_ns,
        grace: interval.grace,
        in_flight: interval.gauges.in_flight,
        connections: interval.gauges.connections,
        users: interval.gauges.users,
        cpu_ns: interval.cpu_ns,
        longest_stall_ns: stalls.max().unwrap_or_default(),
        waits: waits.map(Into::into),
        throttled: throttled.map(Into::into),
        limited_by,
        connect: (&interval.stats.connections.connect).into(),
        tls: (&interval.stats.connections.tls).into(),
        operations: names.cells.iter().map(String::as_str).zip(stats).collect(),
        groups: names
            .groups
            .iter()
            .map(String::as_str)
            .zip(groups)
            .collect(),
    })
}
