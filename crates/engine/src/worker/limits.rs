//! What the plan says of every request and connection, as a worker needs it.

use std::net::SocketAddr;

use crate::plan::{Connections, Plan};

/// What the plan says of every request and connection.
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent wishes of the plan"
)]
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
    /// Whether the first timeout stops the load.
    pub stops_at_timeout: bool,
    /// Whether the first unexpected status or body stops the load.
    pub stops_at_failed_check: bool,
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
            stops_at_timeout: plan.stop.first_timeout,
            stops_at_failed_check: plan.stop.first_failed_check,
            records_requests: plan.record_requests,
            samples_per_second: plan.samples.per_second,
            sample_body_bytes: plan.samples.body_bytes,
        }
    }
}

fn is_loopback(address: &str) -> bool {
    let address: Option<SocketAddr> = address.parse().ok();
    address.is_some_and(|address| address.ip().is_loopback())
}
