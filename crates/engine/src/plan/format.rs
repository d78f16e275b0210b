//! The plan: what the engine is told to do, as it stands in JSON.
//!
//! Types and their schema only; `check` says what a plan must be to be carried out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::plan::tls::Tls;

/// The version of the plan that this engine reads. 1: first version. 2: protocols, TLS, streams,
/// staged and Poisson arrivals, think time, stop rules, redirects, raw record. A key that may be left
/// out, and whose absence means what it meant before, needs no other version: `warm_up`, `real_time`,
/// `users_from_ns`, `compare_answers` and `body_json`.
pub const PLAN_VERSION: u32 = 2;

/// One load against one target. All times are nanoseconds.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Engine plan")]
#[allow(
    clippy::struct_field_names,
    reason = "the version names what it is the version of"
)]
pub struct Plan {
    /// The version of this format: 2.
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
    /// Of whatever the engine draws: Poisson arrivals, think times, which handshakes resume.
    pub seed: u64,
    /// Who loads, and with what; exactly one group.
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
    /// What stops the load beside duration and count.
    #[serde(default)]
    pub stop: StopRules,
    /// Whether every request is kept as a row of `requests.bin`.
    #[serde(default)]
    pub record_requests: bool,
    /// Which responses are kept.
    #[serde(default)]
    pub samples: Samples,
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

/// Who loads: arrivals, and the session that each of them performs.
#[allow(
    clippy::struct_field_names,
    reason = "a group is named as in the workload"
)]
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The group's name.
    pub group: String,
    /// When sessions begin.
    pub arrivals: Arrivals,
    /// The pause after each request of a user, or between the requests of an arrived session.
    #[serde(default)]
    pub think: Option<Think>,
    /// The requests of one session in their order; a failed one ends the session.
    pub session: Vec<Operation>,
}

/// When sessions begin.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Arrivals {
    /// Closed: users, each with its own connection, each next session after the last.
    Users(Users),
    /// Open: sessions begin at planned times, over a shared pool of connections.
    Rate(Rate),
}

/// Closed users.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Users {
    /// How many there are, stage after stage; after the last, its end stays.
    pub stages: Vec<Stage>,
}

/// An arrival rate.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// Sessions begun a second, stage after stage; after the last, its end stays.
    pub stages: Vec<Stage>,
    /// How arrivals are spread at that rate.
    #[serde(default)]
    pub process: Process,
    /// At most so many connections are open; they are opened when first needed.
    pub connections: u64,
}

/// A stretch of time in which users or rate go from one value to another in a straight line.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// At its beginning.
    pub from: f64,
    /// At its end.
    pub to: f64,
    /// How long it takes.
    pub duration_ns: u64,
}

/// How arrivals are spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Process {
    /// Evenly.
    #[default]
    Constant,
    /// Independently of each other, drawn from the seed.
    Poisson,
}

/// How long a user pauses.
#[allow(clippy::enum_variant_names, reason = "the unit is part of each key")]
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Think {
    /// Always so long.
    ConstantNs(u64),
    /// Evenly distributed between two limits.
    UniformNs(u64, u64),
    /// Exponentially distributed with this mean.
    ExponentialNs(u64),
}

/// One named request.
#[allow(
    clippy::struct_field_names,
    reason = "an operation is named as in the workload"
)]
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// The name, of letters, digits, `_`, `-` and `.`; unique in the session.
    pub operation: String,
    /// The method, such as `GET`.
    pub method: String,
    /// Path and query, already encoded.
    pub path: String,
    /// Names and values, without Host and Content-Length, which the engine writes.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// UTF-8 text; empty is no body.
    #[serde(default)]
    pub body: String,
    /// What the response must be for the request to be ok.
    #[serde(default)]
    pub check: Check,
    /// Whether it is counted how many ok answers had which body.
    #[serde(default)]
    pub compare_answers: bool,
}

/// What a response must be.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The exact status; null: any 2xx.
    #[serde(default)]
    pub status: Option<u16>,
    /// A text that the body must contain; null: any body.
    #[serde(default)]
    pub body_contains: Option<String>,
    /// Values that the body, which is JSON then, must have.
    #[serde(default)]
    pub body_json: Vec<JsonCheck>,
}

/// A value of a JSON body.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JsonCheck {
    /// Where it stands: a JSON pointer (RFC 6901) such as `/items/0/name`; empty: the whole body.
    pub pointer: String,
    /// What it must be; numbers by what they come to.
    pub value: serde_json::Value,
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
