//! What the plan says of every request and connection, as a worker needs it.

use std::net::SocketAddr;

use crate::outcome::Outcome;
use crate::plan::{Connections, Plan, StopRules};
use crate::report::stop_facts::StopReason;

/// Which requests stop the load by what became of them.
#[derive(Clone, Copy, Debug)]
pub struct StopsAt {
    timeout: bool,
    failed_check: bool,
    failure: bool,
}

impl StopsAt {
    /// What the rules of a plan or a group say.
    #[must_use]
    pub fn of(rules: &StopRules) -> Self {
        Self {
            timeout: rules.first_timeout,
            failed_check: rules.first_failed_check,
            failure: rules.first_failure,
        }
    }

    /// Why a request of this outcome stops the load, if it does.
    #[must_use]
    pub fn reason(self, outcome: Outcome) -> Option<StopReason> {
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
    /// From when on it is added up what each user got; `u64::MAX`: from the begin of the window on.
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
