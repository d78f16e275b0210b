//! The engine's summary: its last line on stdout, and what the run record takes over.

use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

use crate::interval_rules::own_health::LimitedFacts;
use crate::interval_rules::stop_rules::StopRule;
use crate::outcome::{DetailSamples, Outcome, OutcomeCounts};
use crate::plan::{Arrivals, Plan, Process, Protocol, highest, most_users};
use crate::protocol::spoken::Spoken;
use crate::record::clock_histogram::ExactStats;
use crate::record::lag_causes::LagCauses;
use crate::report::answer_facts::AnswerFacts;
use crate::report::scheduling_facts::SchedulingFacts;
use crate::report::user_facts::UserFacts;
use crate::report::wait_facts::{ThrottledFacts, WaitFacts};
use crate::report::window_facts::WindowFacts;

/// How many requests ended in each outcome; zeros are present.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub struct Outcomes {
    /// Complete and as expected.
    pub ok: u64,
    /// Not connected.
    pub connect: u64,
    /// TLS handshake failed.
    pub tls: u64,
    /// Not written completely.
    pub send: u64,
    /// Connection ended before a complete response.
    pub read: u64,
    /// No complete response in time.
    pub timeout: u64,
    /// Not HTTP, or beyond a limit.
    pub protocol: u64,
    /// Another status than expected.
    pub status: u64,
    /// Another body than expected.
    pub check: u64,
    /// Never written.
    pub not_sent: u64,
    /// Without a response when the grace period ended.
    pub unanswered: u64,
}

impl From<&OutcomeCounts> for Outcomes {
    fn from(counts: &OutcomeCounts) -> Self {
        Self {
            ok: counts.get(Outcome::Ok),
            connect: counts.get(Outcome::Connect),
            tls: counts.get(Outcome::Tls),
            send: counts.get(Outcome::Send),
            read: counts.get(Outcome::Read),
            timeout: counts.get(Outcome::Timeout),
            protocol: counts.get(Outcome::Protocol),
            status: counts.get(Outcome::Status),
            check: counts.get(Outcome::Check),
            not_sent: counts.get(Outcome::NotSent),
            unanswered: counts.get(Outcome::Unanswered),
        }
    }
}

/// Why requests were never written.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub struct NotSentCauses {
    /// No connection became free.
    pub no_connection: u64,
    /// The limit of streams was reached.
    pub no_stream: u64,
}

/// Count and exact extremes of one clock.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ClockSummary {
    /// Requests.
    pub count: u64,
    /// The least, nanoseconds.
    pub min_ns: u64,
    /// The mean, nanoseconds.
    pub mean_ns: f64,
    /// The greatest, nanoseconds.
    pub max_ns: u64,
}

/// One clock, ok requests apart from the rest; null where there were none.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ClockSplitSummary {
    /// Of requests that ended ok.
    pub ok: Option<ClockSummary>,
    /// Of all others that have the clock.
    pub failed: Option<ClockSummary>,
}

/// The clocks of one operation.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ClockSummaries {
    /// Done - intended.
    pub response_time: ClockSplitSummary,
    /// Done - written.
    pub service_time: ClockSplitSummary,
    /// Written - intended.
    pub lag: ClockSplitSummary,
    /// First byte of the response - written.
    pub first_byte: ClockSplitSummary,
    /// The engine's own part of the lag.
    pub engine_lag: ClockSplitSummary,
}

/// One cause of lag: how many requests it delayed, and for how long.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct LagCause {
    /// Requests with a part of this cause.
    pub count: u64,
    /// All parts together, nanoseconds.
    pub sum_ns: u64,
    /// The greatest, nanoseconds.
    pub max_ns: u64,
}

impl From<&ExactStats> for LagCause {
    fn from(exact: &ExactStats) -> Self {
        Self {
            count: exact.count,
            sum_ns: u64::try_from(exact.sum_ns).unwrap_or(u64::MAX),
            max_ns: exact.max_ns,
        }
    }
}

/// What the lag of written requests was due to; the parts of a request add up to its lag.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct LagCauseFacts {
    /// Waiting for a free connection, connecting included.
    pub no_connection: LagCause,
    /// Waiting for a stream on an open connection.
    pub no_stream: LagCause,
    /// The engine itself was late.
    pub engine: LagCause,
}

impl From<&LagCauses> for LagCauseFacts {
    fn from(causes: &LagCauses) -> Self {
        Self {
            no_connection: (&causes.no_connection).into(),
            no_stream: (&causes.no_stream).into(),
            engine: (&causes.engine).into(),
        }
    }
}

/// One operation over the whole load, grace period included.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OperationFacts {
    /// What became of its requests.
    pub outcomes: Outcomes,
    /// Why some were not sent.
    pub not_sent: NotSentCauses,
    /// Bytes that the kernel took.
    pub bytes_sent: u64,
    /// Bytes of responses, heads included.
    pub bytes_received: u64,
    /// Its clocks.
    pub clocks: ClockSummaries,
    /// What its lag was due to.
    pub lag_causes: LagCauseFacts,
    /// The bodies of its ok answers; only where the plan compares them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<AnswerFacts>,
}

/// Why the load stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The planned duration was over.
    Duration,
    /// The planned count was offered.
    Count,
    /// SIGINT or SIGTERM.
    Signal,
    /// The mean response time stayed above the plan's limit.
    MeanResponseTime,
    /// The share of failures stayed above the plan's limit.
    Failures,
    /// A request timed out.
    FirstTimeout,
    /// A response had another status or body than expected.
    FirstFailedCheck,
    /// Standard input ended: who drove the engine is gone.
    InputEnded,
}

impl From<StopRule> for StopReason {
    fn from(rule: StopRule) -> Self {
        match rule {
            StopRule::MeanResponseTime => Self::MeanResponseTime,
            StopRule::Failures => Self::Failures,
        }
    }
}

/// Why and when the load stopped.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct StopFacts {
    /// Why.
    pub reason: StopReason,
    /// Nanoseconds since the load began.
    pub at_ns: u64,
    /// Users that were active; null for a rate.
    pub users: Option<u64>,
}

/// Whether arrivals were closed or open.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ArrivalKind {
    /// Closed users.
    Users,
    /// An arrival rate.
    Rate,
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
    /// From when on the load is to be measured; only after a warm-up, unless the load stopped before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowFacts>,
    /// Closed users or an arrival rate.
    pub arrivals: ArrivalKind,
    /// How many users at most; null for a rate.
    pub users: Option<u64>,
    /// The highest rate; null for users.
    pub rate_per_second: Option<f64>,
    /// How arrivals are spread; null for users.
    pub process: Option<Process>,
    /// Over all operations.
    pub outcomes: Outcomes,
    /// By operation.
    pub operations: BTreeMap<String, OperationFacts>,
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

/// How the plan's arrivals are named.
#[must_use]
pub fn arrivals(plan: &Plan) -> ArrivalFacts {
    match plan.groups.first().map(|group| &group.arrivals) {
        Some(Arrivals::Rate(rate)) => ArrivalFacts {
            kind: ArrivalKind::Rate,
            users: None,
            rate_per_second: Some(highest(&rate.stages)),
            process: Some(rate.process),
            connections: rate.connections,
        },
        Some(Arrivals::Users(users)) => {
            let count = most_users(&users.stages);
            ArrivalFacts {
                kind: ArrivalKind::Users,
                users: Some(count),
                rate_per_second: None,
                process: None,
                connections: count,
            }
        }
        None => ArrivalFacts {
            kind: ArrivalKind::Users,
            users: Some(0),
            rate_per_second: None,
            process: None,
            connections: 0,
        },
    }
}

/// The arrivals of a plan in a few words.
#[derive(Clone, Copy, Debug)]
pub struct ArrivalFacts {
    /// Closed users or an arrival rate.
    pub kind: ArrivalKind,
    /// How many users at most.
    pub users: Option<u64>,
    /// The highest rate.
    pub rate_per_second: Option<f64>,
    /// How arrivals are spread.
    pub process: Option<Process>,
    /// Connections asked for.
    pub connections: u64,
}
