//! What becomes of a request: a closed set, counted by kind and never by text.
//!
//! The outcomes are here; `counts` has their counters, `detail` what is shown of failures.

mod counts;
mod detail;

use schemars::JsonSchema;
use serde::Serialize;

pub use counts::OutcomeCounts;
pub use detail::{Detail, DetailSamples};

/// The outcome of one offered request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A complete response that is what the plan expects.
    Ok,
    /// No connection: refused, unreachable, or not established in time.
    Connect,
    /// The TLS handshake failed.
    Tls,
    /// The kernel did not take the whole request.
    Send,
    /// The connection ended or was reset before a complete response.
    Read,
    /// No complete response in time.
    Timeout,
    /// What came back is not HTTP, or goes beyond a limit.
    Protocol,
    /// A complete response with another status than expected.
    Status,
    /// A complete response of the right status that is not as expected otherwise, or lacks what is
    /// captured from it.
    Check,
    /// Never written; the cause is counted beside it.
    NotSent,
    /// Written, and still without a response when the grace period ended.
    Unanswered,
}

impl Outcome {
    /// How many outcomes there are.
    pub const COUNT: usize = 11;

    /// Every outcome, in the order of the record.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Ok,
        Self::Connect,
        Self::Tls,
        Self::Send,
        Self::Read,
        Self::Timeout,
        Self::Protocol,
        Self::Status,
        Self::Check,
        Self::NotSent,
        Self::Unanswered,
    ];

    /// Whether a complete response came, whatever it said.
    #[must_use]
    pub fn is_response(self) -> bool {
        matches!(self, Self::Ok | Self::Status | Self::Check)
    }
}

/// What an answer did not hold; the first that is looked at, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailedCheck {
    /// Another status than expected.
    Status,
    /// The body cannot be decoded.
    Coding,
    /// A value of the JSON body.
    Json,
    /// A value that was to be captured is missing.
    Capture,
    /// A header.
    Header,
    /// The body lacks a text.
    Text,
}

impl FailedCheck {
    /// How many there are.
    pub const COUNT: usize = 6;
}

/// Why a request was never written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotSent {
    /// No connection became free in time, or before the load stopped.
    NoConnection,
    /// The connection's limit of streams was reached.
    NoStream,
    /// As many sessions were open as may be at once.
    NoPlace,
    /// A value may not stand where the request has it.
    Unsendable,
}

impl NotSent {
    /// How many causes there are.
    pub const COUNT: usize = 4;

    /// Every cause, in the order of the record.
    pub const ALL: [Self; Self::COUNT] = [
        Self::NoConnection,
        Self::NoStream,
        Self::NoPlace,
        Self::Unsendable,
    ];

    /// As the record names it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoConnection => "no_connection",
            Self::NoStream => "no_stream",
            Self::NoPlace => "no_place",
            Self::Unsendable => "unsendable",
        }
    }
}
