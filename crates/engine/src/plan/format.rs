//! The plan: what the engine is told to do, as it stands in JSON. Its groups are in `group_format`.
//!
//! Types and their schema only; `check` says what a plan must be to be carried out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;

use crate::plan::group_format::Group;
use crate::plan::share::Share;
use crate::plan::tls::Tls;

/// The version of the plan that this engine reads. 1: first version. 2: protocols, TLS, streams,
/// staged and Poisson arrivals, think time, stop rules, redirects, raw record. 3: several groups, sessions
/// of steps with values of their own, feeds, source addresses. A key that may be left
/// out, and whose absence means what it meant before, needs no other version.
pub const PLAN_VERSION: u32 = 3;

/// One load against one target. All times are nanoseconds.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Engine plan")]
#[allow(
    clippy::struct_field_names,
    reason = "the version names what it is the version of"
)]
pub struct Plan {
    /// The version of this format: 3.
    pub plan_version: u32,
    /// Where the load goes.
    pub target: Target,
    /// IP addresses beyond loopback, with or without a port, that may be loaded.
    #[serde(default)]
    pub allowed_addresses: Vec<String>,
    /// What is spoken to the target.
    pub protocol: Protocol,
    /// How TLS is spoken; only with a protocol over TLS.
    #[serde(default)]
    pub tls: Tls,
    /// Requests in flight at most on one connection: HTTP/2 streams, or pipelined HTTP/1.1.
    #[serde(default = "one")]
    pub streams: u64,
    /// Whether a connection carries one request after another, or is closed after one.
    #[serde(default)]
    pub connections: Connections,
    /// How many redirects of one request are followed, to the target only; 0: a redirect is a
    /// response like any other.
    #[serde(default)]
    pub redirects: u32,
    /// How the engine waits for the kernel.
    #[serde(default)]
    pub event_loop: EventLoopChoice,
    /// One worker thread is pinned to each of these CPUs; none: one worker, not pinned.
    #[serde(default)]
    pub cpus: Vec<usize>,
    /// Whether workers ask to be run before all normal threads of their CPU, for a rate that shares its
    /// CPU with what it loads. Users without a pause could leave that no time.
    #[serde(default)]
    pub real_time: bool,
    /// Of whatever the engine draws: Poisson arrivals, think times, what sessions draw, which handshakes
    /// resume.
    pub seed: u64,
    /// What this load is called: UUIDs that sessions draw differ by it, and the summary tells it.
    #[serde(default)]
    pub run_id: String,
    /// Loopback addresses to connect from, in turn; none: the kernel chooses. One address has about 28,000
    /// ports for one target.
    #[serde(default)]
    pub source_addresses: Vec<IpAddr>,
    /// Tables from which sessions take rows.
    #[serde(default)]
    pub feeds: Vec<Feed>,
    /// Who loads, and with what: at most 32 groups.
    pub groups: Vec<Group>,
    /// When the load stops, since its start; with a warm-up, since the begin of its window.
    pub duration_ns: u64,
    /// What comes before the window; null: the whole load is one.
    #[serde(default)]
    pub warm_up: Option<WarmUp>,
    /// From when on it is added up what each user got, since the load began; with a warm-up, which says
    /// when its window begins, always 0.
    #[serde(default)]
    pub users_from_ns: u64,
    /// How many requests are offered before the load stops; null: no limit. Not with a warm-up.
    #[serde(default)]
    pub count: Option<u64>,
    /// How long a connection may take to be established.
    pub connect_timeout_ns: u64,
    /// How long a complete response may take since its request was written.
    pub timeout_ns: u64,
    /// How long requests in flight are waited for after the stop.
    pub grace_ns: u64,
    /// What stops the load beside duration and count, over all groups together.
    #[serde(default)]
    pub stop: StopRules,
    /// Whether every request is kept as a row of `requests.bin`.
    #[serde(default)]
    pub record_requests: bool,
    /// Which responses are kept.
    #[serde(default)]
    pub samples: Samples,
    /// Which share of the load this engine carries out, of several; null: all of it.
    #[serde(default)]
    pub share: Option<Share>,
}

fn one() -> u64 {
    1
}

/// Where the load goes.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// IP address and port, such as `127.0.0.1:9090` or `[::1]:9090`; names are not resolved.
    pub address: String,
    /// The value of the Host header, or of `:authority`.
    pub host: String,
    /// The name that TLS asks for (SNI) and verifies; null: the host without its port.
    #[serde(default)]
    pub server_name: Option<String>,
}

/// What one leg speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub enum Protocol {
    /// HTTP/1.1 over cleartext.
    #[serde(rename = "h1c")]
    H1c,
    /// HTTP/1.1 over TLS.
    #[serde(rename = "h1")]
    H1,
    /// HTTP/2 over cleartext, by prior knowledge.
    #[serde(rename = "h2c")]
    H2c,
    /// HTTP/2 over TLS, agreed by ALPN.
    #[serde(rename = "h2")]
    H2,
    /// HTTP/2 is offered over TLS, and HTTP/1.1 must be chosen.
    #[serde(rename = "h2-downgrade")]
    H2Downgrade,
}

impl Protocol {
    /// Whether it runs over TLS.
    #[must_use]
    pub fn is_tls(self) -> bool {
        matches!(self, Self::H1 | Self::H2 | Self::H2Downgrade)
    }

    /// Whether requests are HTTP/2 streams.
    #[must_use]
    pub fn is_http2(self) -> bool {
        matches!(self, Self::H2c | Self::H2)
    }
}

/// How long a connection is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Connections {
    /// For one request after another, as long as the server keeps it.
    #[default]
    Kept,
    /// For one request.
    PerRequest,
}

/// How the engine waits for the kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EventLoopChoice {
    /// `io_uring` where the kernel allows it, else `epoll`.
    #[default]
    Auto,
    /// `io_uring`, or the load does not run.
    IoUring,
    /// `epoll`.
    Epoll,
}

/// A part of the load that ends when the engine is told to begin the window.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WarmUp {
    /// When the window begins at the latest, in whole seconds since the load began.
    pub at_most_ns: u64,
}

/// What stops the load beside duration and count; the record says which fired, and when.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StopRules {
    /// The mean response time of ended requests stays above a limit.
    #[serde(default)]
    pub mean_response_time: Option<MeanRule>,
    /// The share of requests that did not end ok stays above a limit.
    #[serde(default)]
    pub failures: Option<FailuresRule>,
    /// A request times out.
    #[serde(default)]
    pub first_timeout: bool,
    /// A response has another status or body than expected.
    #[serde(default)]
    pub first_failed_check: bool,
    /// A request does not end ok.
    #[serde(default)]
    pub first_failure: bool,
    /// The 99th percentile of the response time is above a limit.
    #[serde(default)]
    pub p99: Option<PercentileRule>,
    /// From when on they hold.
    #[serde(default)]
    pub holds_from: HoldsFrom,
}

/// From when on stop rules hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HoldsFrom {
    /// From the start of the load on.
    #[default]
    Start,
    /// From the begin of the window on: what ends before it stops nothing.
    Window,
}

/// The 99th percentile of the response times of the last `for_ns` is above `above_ns`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PercentileRule {
    /// The limit.
    pub above_ns: u64,
    /// Over how long, in whole seconds.
    pub for_ns: u64,
}

/// The mean response time stays above `above_ns` for `for_ns`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeanRule {
    /// The limit.
    pub above_ns: u64,
    /// How long without a pause, in whole seconds.
    pub for_ns: u64,
}

/// The share of failures stays above `above_share` for `for_ns`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FailuresRule {
    /// The limit, from 0 to 1.
    pub above_share: f64,
    /// How long without a pause, in whole seconds.
    pub for_ns: u64,
}

/// A table from which sessions take rows.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Feed {
    /// As the workload names it.
    pub name: String,
    /// The file of its values, absolute or seen from the plan: rows times columns + 1 offsets of 32 bits,
    /// little-endian, into the UTF-8 text that follows them. At most 256 MiB.
    pub file: String,
    /// How many rows it has.
    pub rows: u64,
    /// How many columns.
    pub columns: u64,
    /// The digest of the file, in hexadecimal digits.
    pub sha256: String,
}

/// Which responses are kept, so that they can be held against the contract afterwards.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Samples {
    /// Responses kept a second, of each operation and by each worker; 0: none.
    pub per_second: u32,
    /// Bytes kept of each body.
    pub body_bytes: usize,
}

impl Default for Samples {
    fn default() -> Self {
        Self {
            per_second: 1,
            body_bytes: 65_536,
        }
    }
}
