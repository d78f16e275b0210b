//! The engine's summary: its last line on stdout, and what the run record takes over.

use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

use crate::interval_rules::own_health::LimitedFacts;
use crate::outcome::{DetailSamples, Outcome};
use crate::plan::{Process, Protocol};
use crate::protocol::spoken::Spoken;
use crate::report::group_facts::GroupFacts;
use crate::report::request_facts::{ClockSplitSummary, OperationFacts, Outcomes};
use crate::report::scheduling_facts::SchedulingFacts;
use crate::report::stop_facts::StopFacts;
use crate::report::user_facts::UserFacts;
use crate::report::wait_facts::{ThrottledFacts, WaitFacts};
use crate::report::window_facts::WindowFacts;

/// Whether arrivals were closed or open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ArrivalKind {
    /// Closed users.
    Users,
    /// An arrival rate.
    Rate,
    /// Some groups are users, and some have a rate.
    Mixed,
}

/// Connections of the whole load.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ConnectionFacts {
    /// Users, or the cap of the pool.
    pub requested: u64,
    /// TCP established, reopened ones included; a TLS handshake may have failed afterwards.
    pub opened: u64,
    /// Attempts that failed.
    pub failed: u64,
    /// Ended by the server, with or without saying so.
    pub closed_by_server: u64,
    /// How long TCP took to be established, or to fail.
    pub connect: ClockSplitSummary,
    /// How long the TLS handshake took, or took to fail.
    pub tls: ClockSplitSummary,
    /// TLS handshakes without an earlier session.
    pub full_handshakes: u64,
    /// TLS handshakes that resumed one.
    pub resumed_handshakes: u64,
}

/// One engine thread.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct WorkerFacts {
    /// The CPU it was pinned to; null when the plan named no CPUs.
    pub cpu: Option<usize>,
    /// Its user and system time.
    pub cpu_ns: u64,
    /// From the load's start to its end.
    pub wall_ns: u64,
    /// The longest time between two waits of the loop, or by which it overslept.
    pub longest_stall_ns: u64,
    /// How long it waited for a CPU; null where the kernel does not tell.
    pub waits: Option<WaitFacts>,
}

/// What the engine itself cost.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EngineFacts {
    /// Its version.
    pub version: String,
    /// How it waits for the kernel.
    #[serde(rename = "loop")]
    pub event_loop: String,
    /// User and system time of the process from the load's start to the end of grace.
    pub cpu_ns: u64,
    /// Its highest resident memory.
    pub peak_rss_bytes: u64,
    /// Its threads that load.
    pub workers: Vec<WorkerFacts>,
    /// By the quota of its own control groups; null where they have none.
    pub throttled: Option<ThrottledFacts>,
    /// In what the engine itself was the limit; empty: in nothing.
    pub limited: Vec<LimitedFacts>,
    /// How its workers were really scheduled; only where the plan asked for real time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheduling: Option<SchedulingFacts>,
}

/// What a load of the same plan repeats.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Repeatable {
    /// What each session sends, and when sessions arrive; not how many sessions a user comes to, nor how
    /// sessions interleave.
    Content,
}

/// Facts of one load.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LoadFacts {
    /// What was planned to be spoken.
    pub protocol: Protocol,
    /// What was really spoken.
    pub spoken: Spoken,
    /// Requests in flight at most on one connection.
    pub streams: u64,
    /// Whether transport and clock were simulated; never, so far.
    pub simulated: bool,
    /// When the load began, Unix time in nanoseconds.
    pub started_unix_ns: u64,
    /// From the first intended time to the stop.
    pub load_ns: u64,
    /// How long requests in flight were then waited for.
    pub grace_ns: u64,
    /// Why and when it stopped.
    pub stop: StopFacts,
    /// What the plan calls this load.
    pub run_id: String,
    /// What a load of the same plan repeats.
    pub repeatable: Repeatable,
    /// From when on the load is to be measured; only after a warm-up, unless the load stopped before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowFacts>,
    /// Closed users or an arrival rate.
    pub arrivals: ArrivalKind,
    /// How many users at most, of each group; null without any.
    pub users: Option<u64>,
    /// The highest rates of all groups together; null without any.
    pub rate_per_second: Option<f64>,
    /// How arrivals are spread; null for users, or if that differs.
    pub process: Option<Process>,
    /// Over all operations.
    pub outcomes: Outcomes,
    /// By operation of a group, and by further status.
    pub operations: BTreeMap<String, OperationFacts>,
    /// By group.
    pub groups: BTreeMap<String, GroupFacts>,
    /// Connections.
    pub connections: ConnectionFacts,
    /// What each user got; null where none had a request, or the window never began.
    pub by_user: Option<UserFacts>,
    /// Redirects followed.
    pub redirects: u64,
    /// Streams that the server did not process, and whose requests were sent again.
    pub refused_streams: u64,
    /// Age of the oldest unanswered request, since it was intended; null if all were answered.
    pub unanswered_oldest_ns: Option<u64>,
    /// Of the requests that timed out or stayed unanswered: on a connection that the server had not
    /// accepted by then. Only a server on this machine shows it.
    pub not_accepted: u64,
    /// At most three texts per outcome that has any.
    pub error_samples: BTreeMap<Outcome, Vec<String>>,
    /// What the engine cost.
    pub engine: EngineFacts,
}

/// The texts of every outcome that has any.
#[must_use]
pub fn error_samples(details: &DetailSamples) -> BTreeMap<Outcome, Vec<String>> {
    let texts = Outcome::ALL
        .into_iter()
        .map(|outcome| (outcome, details.texts(outcome)));
    texts.filter(|(_, texts)| !texts.is_empty()).collect()
}
