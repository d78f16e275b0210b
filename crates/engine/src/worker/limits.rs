//! What the plan says of every request and connection, as a worker needs it.

use std::net::SocketAddr;

use crate::outcome::Outcome;
use crate::plan::{Connections, HoldsFrom, Plan, StopRules};
use crate::report::stop_facts::StopReason;

/// Which requests stop the load by what became of them.
#[derive(Clone, Copy, Debug)]
pub struct StopsAt {
    timeout: bool,
    failed_check: bool,
    failure: bool,
    holds_from: HoldsFrom,
}

impl StopsAt {
    /// What the rules of a plan or a group say.
    #[must_use]
    pub fn of(rules: &StopRules) -> Self {
        Self {
            timeout: rules.first_timeout,
            failed_check: rules.first_failed_check,
            failure: rules.first_failure,
            holds_from: rules.holds_from,
        }
    }

    /// Why a request of this outcome stops the load, if it does; `in_window`: it ended in the window.
    #[must_use]
    pub fn reason(self, outcome: Outcome, in_window: bool) -> Option<StopReason> {
        if self.holds_from == HoldsFrom::Window && !in_window {
            return None;
        }
        match outcome {
            Outcome::Ok => None,
            Outcome::Timeout if self.timeout => Some(StopReason::FirstTimeout),
            Outcome::Status | Outcome::Check if self.failed_check => {
                Some(StopReason::FirstFailedCheck)
            }
            _ => self.failure.then_some(StopReason::FirstFailure),
        }
    }
}

/// What the plan says of every request and connection.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When the load stops at the latest.
    pub latest_end_ns: u64,
    /// How long establishing a connection may take.
    pub connect_timeout_ns: u64,
    /// How long a response may take after its request was written, and a request may wait for a stream.
    pub timeout_ns: u64,
    /// How long responses are waited for after the stop.
    pub grace_ns: u64,
    /// Requests in flight at most on one connection.
    pub streams: usize,
    /// Whether a port of this machine is loaded, which the kernel may give to the caller itself.
    pub is_loopback: bool,
    /// Whether a connection ends with its first request.
    pub one_request_each: bool,
    /// Redirects followed of one request.
    pub redirects: u32,
    /// When the window begins, from when on it is added up what each user got; `u64::MAX`: not known yet.
    pub users_from_ns: u64,
    /// How long the window is that begins after a warm-up.
    pub window_ns: u64,
    /// What requests of any group stop the load.
    pub stops: StopsAt,
    /// What requests of each group stop it.
    pub group_stops: Vec<StopsAt>,
    /// Whether each group has rules that look at intervals.
    pub watched_groups: Vec<bool>,
    /// Whether every request is kept as a row.
    pub records_requests: bool,
    /// Responses kept a second and operation.
    pub samples_per_second: u32,
    /// Bytes kept of the body of each.
    pub sample_body_bytes: usize,
}

impl Limits {
    /// Those of a checked plan.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        let groups = plan.groups.iter();
        Self {
            latest_end_ns: plan.warm_up.map_or(0, |warm_up| warm_up.at_most_ns) + plan.duration_ns,
            connect_timeout_ns: plan.connect_timeout_ns,
            timeout_ns: plan.timeout_ns,
            grace_ns: plan.grace_ns,
            streams: usize::try_from(plan.streams).unwrap_or(usize::MAX),
            is_loopback: is_loopback(&plan.target.address),
            one_request_each: plan.connections == Connections::PerRequest,
            redirects: plan.redirects,
            users_from_ns: plan.warm_up.map_or(plan.users_from_ns, |_| u64::MAX),
            window_ns: plan.duration_ns,
            stops: StopsAt::of(&plan.stop),
            group_stops: groups
                .clone()
                .map(|group| StopsAt::of(&group.stop))
                .collect(),
            watched_groups: groups.map(|group| is_watched(&group.stop)).collect(),
            records_requests: plan.record_requests,
            samples_per_second: plan.samples.per_second,
            sample_body_bytes: plan.samples.body_bytes,
        }
    }
}

fn is_watched(rules: &StopRules) -> bool {
    rules.mean_response_time.is_some() || rules.failures.is_some() || rules.p99.is_some()
}

fn is_loopback(address: &str) -> bool {
    let address: Option<SocketAddr> = address.parse().ok();
    address.is_some_and(|address| address.ip().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_before_the_window_stops_nothing_where_the_rule_holds_from_there_on() {
        for (holds_from, before) in [
            (HoldsFrom::Start, Some(StopReason::FirstFailure)),
            (HoldsFrom::Window, None),
        ] {
            let stops = StopsAt::of(&StopRules {
                first_failure: true,
                holds_from,
                ..StopRules::default()
            });
            assert_eq!(stops.reason(Outcome::Read, false), before);
            let inside = stops.reason(Outcome::Read, true);
            assert_eq!(inside, Some(StopReason::FirstFailure));
            assert_eq!(stops.reason(Outcome::Ok, true), None);
        }
    }
}
