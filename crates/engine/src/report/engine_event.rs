//! What the engine tells on stdout: one JSON object a line, whose `event` says of which kind it is.

use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

use crate::interval_rules::own_health::LimitCause;
use crate::plan::Protocol;
use crate::report::request_facts::Outcomes;
use crate::report::summary::LoadFacts;
use crate::report::window_facts::WindowFacts;

/// One line on stdout.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
#[schemars(title = "Engine event")]
pub enum EngineEvent {
    /// First: the load begins.
    Started(Started),
    /// Once for each interval of the load, about every second.
    Progress(Progress),
    /// Of a load with a warm-up, as soon as it is fixed when the window begins, which is within a
    /// second. The load may still stop before.
    Window(WindowFacts),
    /// A line of standard input could not be followed; the load goes on.
    Error {
        /// What, where, and what to do.
        error: String,
    },
    /// Last, if the load ran.
    Finished {
        /// Facts of the whole load.
        summary: Box<LoadFacts>,
    },
    /// Last, if it could not, or if its figures cannot be trusted.
    Failed {
        /// What, where, and what to do.
        error: String,
        /// Of which kind it is.
        cause: FailureCause,
    },
}

/// What kept a load from being run or recorded.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureCause {
    /// The disk does not take the records: the next load there would fail, too.
    Records,
    /// The plan, the machine, or the engine itself.
    Other,
}

/// What is about to run.
#[allow(clippy::struct_field_names, reason = "the record's name for it")]
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Started {
    /// The engine's version.
    pub version: String,
    /// The plan's version.
    pub plan_version: u32,
    /// Where the load goes.
    pub target: String,
    /// What is spoken.
    pub protocol: Protocol,
    /// The plan's seed.
    pub seed: u64,
    /// Threads that load.
    pub workers: u64,
    /// Names of what requests are counted by: each operation of a group, and its further statuses.
    pub operations: Vec<String>,
    /// Names of the groups.
    pub groups: Vec<String>,
    /// When the load begins, Unix time in nanoseconds.
    pub started_unix_ns: u64,
}

/// How the load stands at the end of an interval.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Progress {
    /// Since the load began.
    pub elapsed_ns: u64,
    /// Requests offered so far.
    pub offered: u64,
    /// What became of them so far.
    pub outcomes: Outcomes,
    /// Ok requests a second, in the interval.
    pub throughput: f64,
    /// Median response time of the interval's ok requests; null if there were none.
    pub response_time_p50_ns: Option<u64>,
    /// 99th percentile of the same.
    pub response_time_p99_ns: Option<u64>,
    /// 99th percentile of the lag of all requests written; null if there were none.
    pub lag_p99_ns: Option<u64>,
    /// Written requests without a complete response.
    pub in_flight: u64,
    /// Open connections.
    pub connections: u64,
    /// Users that are active; null for a rate.
    pub users: Option<u64>,
    /// The engine's CPU time over the interval's wall time: 1 is one CPU.
    pub cpu_share: f64,
    /// How long its threads waited for a CPU, over the interval's wall time: 1 is one thread all the
    /// time; null where the kernel does not tell.
    pub waited_share: Option<f64>,
    /// In what the engine itself was the limit; empty: in nothing.
    pub limited_by: Vec<LimitCause>,
    /// Whether the interval is part of the window; only of a load with a warm-up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_window: Option<bool>,
}

impl EngineEvent {
    /// Writes the event as one line, at once.
    ///
    /// # Errors
    /// If nobody reads any more.
    pub fn write(&self, mut output: impl Write) -> io::Result<()> {
        let mut line = serde_json::to_string(self)?;
        line.push('\n');
        output.write_all(line.as_bytes())?;
        output.flush()
    }
}
