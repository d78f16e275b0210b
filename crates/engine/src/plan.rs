//! The plan: what the engine is told to do, as it stands in JSON.
//!
//! Types and their schema only; `plan_check.rs` says what a plan must be to be carried out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the plan that this engine reads. 1: first version.
pub const PLAN_VERSION: u32 = 1;

/// One load against one target. All times are nanoseconds.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Engine plan")]
#[allow(
    clippy::struct_field_names,
    reason = "the version names what it is the version of"
)]
pub struct Plan {
    /// The version of this format: 1.
    pub plan_version: u32,
    /// Where the load goes.
    pub target: Target,
    /// IP addresses beyond loopback, with or without a port, that may be loaded.
    #[serde(default)]
    pub allowed_addresses: Vec<String>,
    /// What is spoken to the target.
    pub protocol: Protocol,
    /// One worker thread is pinned to each of these CPUs; none: one worker, not pinned.
    #[serde(default)]
    pub cpus: Vec<usize>,
    /// Of whatever the engine draws; constant arrivals draw nothing.
    pub seed: u64,
    /// Who loads, and with what; exactly one group.
    pub groups: Vec<Group>,
    /// When the load stops, since its start.
    pub duration_ns: u64,
    /// How many requests are offered before the load stops; null: no limit.
    #[serde(default)]
    pub count: Option<u64>,
    /// How long a connection may take to be established.
    pub connect_timeout_ns: u64,
    /// How long a complete response may take since its request was written.
    pub timeout_ns: u64,
    /// How long requests in flight are waited for after the stop.
    pub grace_ns: u64,
    /// Which responses are kept.
    #[serde(default)]
    pub samples: Samples,
}

/// Where the load goes.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// IP address and port, such as `127.0.0.1:9090` or `[::1]:9090`; names are not resolved.
    pub address: String,
    /// The value of the Host header.
    pub host: String,
}

/// What one leg speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// HTTP/1.1 over cleartext.
    H1c,
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
    /// The requests of one session in their order; a failed one ends the session.
    pub session: Vec<Operation>,
}

/// When sessions begin.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Arrivals {
    /// Closed: so many users, each with its own connection, each next session after the last.
    Users(Users),
    /// Open: sessions begin at a constant distance, over a shared pool of connections.
    Rate(Rate),
}

/// Closed users.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Users {
    /// How many; each owns one connection.
    pub count: u64,
}

/// A constant arrival rate.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// Sessions begun a second.
    pub per_second: f64,
    /// At most so many connections are open; they are opened when first needed.
    pub connections: u64,
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
