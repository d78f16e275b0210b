//! What was seen when a request failed: kept as a few texts beside the counters, never counted.

use rustix::io::Errno;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::outcome::Outcome;
use crate::protocol::content_coding::CodingError;
use crate::protocol::http1::Http1Error;
use crate::protocol::http1::parser::ParseError;
use crate::protocol::http2::Http2Error;
use crate::protocol::http2::StreamFault;
use crate::protocol::tls::Alpn;

/// What was seen when a request failed: enough for a sample text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The kernel's error.
    Kernel(Errno),
    /// Connecting took longer than this, nanoseconds.
    ConnectTimeout(u64),
    /// The kernel gave the caller the very port that it was to reach.
    ConnectedToItself,
    /// No complete response within this, nanoseconds.
    ResponseTimeout(u64),
    /// No response in time: the server had not accepted the connection by then.
    NotAccepted,
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
    /// The body has another value than the check asks for, as the text says.
    OtherValue(Arc<str>),
    /// The body is not the JSON that the check asks for.
    NoJson,
    /// The body is longer than this, so that its values cannot be checked.
    BodyTooLong(usize),
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
    /// The server did not process the request, each of so many times.
    StreamRefused(u32),
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
            Self::ConnectedToItself => formatter.write_str(
                "nobody listens there, and the kernel gave the caller that very port: it reached itself",
            ),
            Self::ResponseTimeout(ns) => {
                write!(
                    formatter,
                    "no complete response within {:?}",
                    Duration::from_nanos(*ns)
                )
            }
            Self::NotAccepted => {
                formatter.write_str("the server had not accepted the connection by then")
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
            Self::OtherValue(text) => formatter.write_str(text),
            Self::NoJson => formatter.write_str("the body is not JSON"),
            Self::BodyTooLong(bytes) => write!(
                formatter,
                "the body is longer than {bytes} bytes, so that its values cannot be checked"
            ),
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
            Self::StreamRefused(times) => write!(
                formatter,
                "the server did not process the request, which was sent {times} times"
            ),
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
