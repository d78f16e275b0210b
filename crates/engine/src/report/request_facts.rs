//! What became of requests, in the summary.

use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

use crate::outcome::{FailedCheck, NotSent, Outcome, OutcomeCounts};
use crate::record::clock_histogram::{ExactStats, SplitSums};
use crate::record::lag_causes::LagCauses;
use crate::record::step_counts::Unreached;
use crate::report::answer_facts::AnswerFacts;

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
    /// As many sessions were open as may be.
    pub no_place: u64,
    /// A value may not stand where the request has it.
    pub unsendable: u64,
}

impl From<&OutcomeCounts> for NotSentCauses {
    fn from(counts: &OutcomeCounts) -> Self {
        Self {
            no_connection: counts.get_not_sent(NotSent::NoConnection),
            no_stream: counts.get_not_sent(NotSent::NoStream),
            no_place: counts.get_not_sent(NotSent::NoPlace),
            unsendable: counts.get_not_sent(NotSent::Unsendable),
        }
    }
}

/// Steps that sessions did not come to, by how these ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UnreachedFacts {
    /// Aborted.
    pub aborted: u64,
    /// Ended early, as an answer said.
    pub ended: u64,
    /// Cut by the end of the load, or since a user left.
    pub cut: u64,
}

impl From<&Unreached> for UnreachedFacts {
    fn from(unreached: &Unreached) -> Self {
        Self {
            aborted: unreached.aborted,
            ended: unreached.ended,
            cut: unreached.cut,
        }
    }
}

/// Answers that were not as expected, by what was found first.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub struct FailedChecks {
    /// Another status.
    pub status: u64,
    /// A body that cannot be decoded.
    pub coding: u64,
    /// Another value in the JSON body.
    pub json: u64,
    /// A value missing that was to be captured.
    pub capture: u64,
    /// Another header, or none.
    pub header: u64,
    /// A body without the text.
    pub text: u64,
}

impl From<[u64; FailedCheck::COUNT]> for FailedChecks {
    fn from(counts: [u64; FailedCheck::COUNT]) -> Self {
        let of = |check: FailedCheck| counts[check as usize];
        Self {
            status: of(FailedCheck::Status),
            coding: of(FailedCheck::Coding),
            json: of(FailedCheck::Json),
            capture: of(FailedCheck::Capture),
            header: of(FailedCheck::Header),
            text: of(FailedCheck::Text),
        }
    }
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

impl ClockSummary {
    /// None without a value.
    #[must_use]
    pub fn of(exact: &ExactStats) -> Option<Self> {
        exact.mean_ns().map(|mean_ns| Self {
            count: exact.count,
            min_ns: exact.min_ns,
            mean_ns,
            max_ns: exact.max_ns,
        })
    }
}

impl From<&SplitSums> for ClockSplitSummary {
    fn from(sums: &SplitSums) -> Self {
        Self {
            ok: ClockSummary::of(&sums.ok),
            failed: ClockSummary::of(&sums.failed),
        }
    }
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

/// One operation over the whole load, grace period included; or what ended with one of the further
/// statuses that it expects.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OperationFacts {
    /// The group's name.
    pub group: String,
    /// The operation's name in its group.
    pub operation: String,
    /// What became of its requests.
    pub outcomes: Outcomes,
    /// Why some were not sent.
    pub not_sent: NotSentCauses,
    /// Steps of begun sessions that were not offered, since the sessions did not come to them.
    pub unreached: UnreachedFacts,
    /// Steps that were left out, since the value that they are for was missing or empty.
    pub skipped: u64,
    /// What its answers did not hold.
    pub failed_checks: FailedChecks,
    /// Complete responses, by status.
    pub statuses: BTreeMap<u16, u64>,
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
