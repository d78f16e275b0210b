//! What becomes of a request: a closed set, counted by kind and never by text.

use rustix::io::Errno;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;
use std::time::Duration;

use crate::protocol::content_coding::CodingError;
use crate::protocol::http1::Http1Error;
use crate::protocol::http1::parser::ParseError;
use crate::protocol::http2::Http2Error;
use crate::protocol::http2::StreamFault;
use crate::protocol::tls::Alpn;

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
    /// A complete response of the right status whose body is not as expected.
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

/// Why a request was never written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotSent {
    /// No connection became free in time, or before the load stopped.
    NoConnection,
    /// The connection's limit of streams was reached.
    NoStream,
}

impl NotSent {
    /// How many causes there are.
    pub const COUNT: usize = 2;
}

/// What was seen when a request failed: enough for a sample text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The kernel's error.
    Kernel(Errno),
    /// Connecting took longer than this, nanoseconds.
    ConnectTimeout(u64),
    /// No complete response within this, nanoseconds.
    ResponseTimeout(u64),
    /// The peer ended the connection; so many bytes of the response had come.
    EndOfStream(u64),
    /// What came back does not parse.
    Parse(ParseError),
    /// Bytes beyond the end of the response.
    ExcessBytes,
    /// The status that came instead of the expected one.
    Status(u16),
    /// The body lacks the text that the check asks for.
    BodyLacksText,
    /// The body cannot be decoded, so that the check cannot be made.
    Undecodable(CodingError),
    /// TLS failed, as the library says it.
    Tls(Box<str>),
    /// The TLS connection ended without saying so: a body until its end may be cut.
    TruncatedTls,
    /// The server chose another protocol than the plan's; none: it chose nothing.
    Alpn(Option<Alpn>),
    /// The connection broke HTTP/2.
    Http2(Http2Error),
    /// The server reset the stream with this code.
    StreamReset(u32),
    /// The server did not process the stream.
    StreamRefused,
    /// The response breaks HTTP/2.
    Malformed(StreamFault),
    /// The connection was given up for another request's failure.
    ConnectionGivenUp,
    /// A redirect to somewhere else than the target.
    RedirectElsewhere,
    /// More redirects than the plan follows.
    TooManyRedirects(u32),
}

impl From<Http1Error> for Detail {
    fn from(error: Http1Error) -> Self {
        match error {
            Http1Error::Parse(error) => Self::Parse(error),
            Http1Error::ExcessBytes => Self::ExcessBytes,
        }
    }
}

impl fmt::Display for Detail {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kernel(errno) => write!(formatter, "{}", std::io::Error::from(*errno)),
            Self::ConnectTimeout(ns) => {
                write!(
                    formatter,
                    "not connected within {:?}",
                    Duration::from_nanos(*ns)
                )
            }
            Self::ResponseTimeout(ns) => {
                write!(
                    formatter,
                    "no complete response within {:?}",
                    Duration::from_nanos(*ns)
                )
            }
            Self::EndOfStream(0) => {
                formatter.write_str("the connection was closed before any byte of the response")
            }
            Self::EndOfStream(bytes) => {
                write!(
                    formatter,
                    "the connection was closed after {bytes} bytes of the response"
                )
            }
            Self::Parse(error) => write!(formatter, "{error}"),
            Self::ExcessBytes => formatter.write_str("bytes beyond the end of the response"),
            Self::Status(status) => write!(formatter, "status {status}"),
            Self::BodyLacksText => formatter.write_str("the body lacks the expected text"),
            Self::Undecodable(error) => write!(formatter, "the body cannot be checked: {error}"),
            Self::Tls(text) => formatter.write_str(text),
            Self::TruncatedTls => {
                formatter.write_str("the TLS connection was cut off without a close_notify")
            }
            Self::Alpn(None) => formatter.write_str("the server chose no protocol by ALPN"),
            Self::Alpn(Some(alpn)) => {
                write!(formatter, "the server chose {} by ALPN", alpn.as_str())
            }
            Self::Http2(error) => write!(formatter, "{error}"),
            Self::StreamReset(code) => {
                write!(formatter, "the server reset the stream with code {code}")
            }
            Self::StreamRefused => formatter.write_str("the server did not process the stream"),
            Self::Malformed(fault) => write!(formatter, "{fault}"),
            Self::ConnectionGivenUp => {
                formatter.write_str("the connection was given up when another request on it failed")
            }
            Self::RedirectElsewhere => {
                formatter.write_str("a redirect to elsewhere than the target was not followed")
            }
            Self::TooManyRedirects(limit) => {
                write!(formatter, "more than {limit} redirects in a row")
            }
        }
    }
}

/// One counter per outcome and per cause of `not_sent`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutcomeCounts {
    counts: [u64; Outcome::COUNT],
    not_sent: [u64; NotSent::COUNT],
}

impl OutcomeCounts {
    /// Counts one request.
    pub fn count(&mut self, outcome: Outcome) {
        self.counts[outcome as usize] += 1;
    }

    /// Counts one request that was never written.
    pub fn count_not_sent(&mut self, cause: NotSent) {
        self.count(Outcome::NotSent);
        self.not_sent[cause as usize] += 1;
    }

    /// How many ended so.
    #[must_use]
    pub fn get(&self, outcome: Outcome) -> u64 {
        self.counts[outcome as usize]
    }

    /// How many were not sent for this cause.
    #[must_use]
    pub fn get_not_sent(&self, cause: NotSent) -> u64 {
        self.not_sent[cause as usize]
    }

    /// The sum over all outcomes: what must equal the offered requests.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Adds another set of counters to this one.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.counts.iter_mut().zip(other.counts) {
            *mine += theirs;
        }
        for (mine, theirs) in self.not_sent.iter_mut().zip(other.not_sent) {
            *mine += theirs;
        }
    }
}

/// At most this many different texts are kept per outcome.
const SAMPLES_PER_OUTCOME: usize = 3;

/// A few different details per outcome, kept without allocating per failure.
#[derive(Clone, Debug, Default)]
pub struct DetailSamples {
    samples: [Vec<Detail>; Outcome::COUNT],
}

impl DetailSamples {
    /// Keeps the detail unless it is known already or there is no room left.
    pub fn keep(&mut self, outcome: Outcome, detail: Detail) {
        let samples = &mut self.samples[outcome as usize];
        if samples.len() < SAMPLES_PER_OUTCOME && !samples.contains(&detail) {
            samples.push(detail);
        }
    }

    /// Keeps what another worker saw.
    pub fn add(&mut self, other: &Self) {
        for outcome in Outcome::ALL {
            for detail in &other.samples[outcome as usize] {
                self.keep(outcome, detail.clone());
            }
        }
    }

    /// The texts of one outcome.
    #[must_use]
    pub fn texts(&self, outcome: Outcome) -> Vec<String> {
        self.samples[outcome as usize]
            .iter()
            .map(ToString::to_string)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_is_counted_in_its_own_place() {
        let mut counts = OutcomeCounts::default();
        for outcome in Outcome::ALL {
            counts.count(outcome);
            assert_eq!(counts.get(outcome), 1);
        }
        assert_eq!(counts.total(), Outcome::COUNT as u64);
    }

    #[test]
    fn at_most_three_different_details_are_kept() {
        let mut samples = DetailSamples::default();
        for status in [500, 500, 501, 502, 503] {
            samples.keep(Outcome::Status, Detail::Status(status));
        }
        assert_eq!(
            samples.texts(Outcome::Status),
            ["status 500", "status 501", "status 502"]
        );
    }
}
