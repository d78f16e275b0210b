//! One place for a request in flight: the request that was offered, and what came back so far.

use crate::exchange::answer_reader::AnswerReader;
use crate::exchange::expected_answer::{Fault, StatusMeaning};
use crate::exchange::redirect::{Redirected, is_redirect};
use crate::exchange::request::{Request, Written};
use crate::outcome::{Detail, FailedCheck, NotSent, Outcome};
use crate::protocol::content_coding::{Coding, CodingError, Decoder};
use crate::record::answer_kinds::{BodyDigest, BodyDigester};
use crate::record::lag_causes::LagParts;
use crate::record::samples::Sample;
use crate::session::occasion::Context;

/// A session, at a moment.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// Its group.
    pub group: usize,
    /// Its place there.
    pub place: usize,
    /// The time.
    pub now_ns: u64,
}

/// One request that was offered and has no outcome yet.
#[derive(Clone, Copy, Debug)]
pub struct Exchange {
    /// Index of the group.
    pub group: usize,
    /// Whose session it is of.
    pub place: usize,
    /// Index of the operation, over all groups.
    pub operation: usize,
    /// When it should have been written.
    pub intended_ns: u64,
    /// The slot of the connection that carries it; none while it waits for one, or for a stream.
    pub slot: Option<u32>,
    /// When it began to wait for its connection, or for a stream on it.
    pub waits_since_ns: u64,
    /// Whether it waits for a stream rather than for the connection.
    pub waits_for_stream: bool,
    /// How long it waited for a connection so far; what no wait explains is the engine's own lag.
    pub no_connection_ns: u64,
    /// How long it waited for a stream so far.
    pub no_stream_ns: u64,
    /// When the first call to write it began.
    pub written_ns: Option<u64>,
    /// When the first byte of the response was received.
    pub first_byte_ns: Option<u64>,
    /// Bytes of the request handed to the connection.
    pub sent: u64,
    /// Bytes of the response so far.
    pub received: u64,
    /// Redirects followed so far.
    pub redirects: u32,
    /// How often the peer refused its stream so far.
    pub refusals: u32,
}

impl Exchange {
    /// Its session, at a moment.
    #[must_use]
    pub fn at(&self, now_ns: u64) -> At {
        At {
            group: self.group,
            place: self.place,
            now_ns,
        }
    }

    /// What its lag was due to, once it is written.
    #[must_use]
    pub fn lag(&self) -> LagParts {
        let lag_ns = self
            .written_ns
            .map_or(0, |written_ns| written_ns.saturating_sub(self.intended_ns));
        let no_connection_ns = self.no_connection_ns.min(lag_ns);
        let no_stream_ns = self.no_stream_ns.min(lag_ns - no_connection_ns);
        LagParts {
            no_connection_ns,
            no_stream_ns,
            engine_ns: lag_ns - no_connection_ns - no_stream_ns,
        }
    }

    /// Why it was not written, if it is not written after all.
    #[must_use]
    pub fn cause_of_wait(&self) -> NotSent {
        if self.waits_for_stream {
            NotSent::NoStream
        } else {
            NotSent::NoConnection
        }
    }

    /// Its wait for a connection or a stream is over.
    pub fn waited_until(&mut self, now_ns: u64) {
        let waited_ns = now_ns.saturating_sub(self.waits_since_ns);
        if self.waits_for_stream {
            self.no_stream_ns += waited_ns;
        } else {
            self.no_connection_ns += waited_ns;
        }
    }
}

/// One lane.
#[derive(Debug, Default)]
pub struct Lane {
    /// The request in it, if any.
    pub exchange: Option<Exchange>,
    /// How many it has had.
    #[cfg(any(test, fuzzing))]
    pub had: u64,
    /// The status of the response so far; 0: none.
    pub status: u16,
    /// Where a redirect led, in place of the operation's own path.
    pub redirected: Option<Box<Redirected>>,
    /// What is written for this exchange alone; kept for its memory.
    own: Option<Box<Written>>,
    uses_own: bool,
    /// What is looked at beyond the status; kept for its memory.
    pub(super) reader: Option<Box<AnswerReader>>,
    pub(super) uses_reader: bool,
    /// Set-Cookie headers of a session that keeps no cookies.
    pub(super) ignored_cookies: u32,
    pub(super) digester: BodyDigester,
    pub(super) coding: Coding,
    /// Kept from response to response for its memory.
    pub(super) decoder: Option<Box<Decoder>>,
    pub(super) is_decoding: bool,
    pub(super) undecodable: Option<CodingError>,
    pub(super) location: Option<Box<[u8]>>,
    pub(super) sample: Option<Box<Sample>>,
}

/// What became of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Its outcome.
    pub outcome: Outcome,
    /// What was seen.
    pub detail: Option<Detail>,
    /// What its answer did not hold.
    pub failed: Option<FailedCheck>,
    /// Whether its session has ended, though it is ok.
    pub ends_session: bool,
}

impl Judged {
    /// Without an answer that was looked at.
    #[must_use]
    pub fn of(outcome: Outcome, detail: Option<Detail>) -> Self {
        Self {
            outcome,
            detail,
            failed: None,
            ends_session: false,
        }
    }

    fn ok(ends_session: bool) -> Self {
        Self {
            ends_session,
            ..Self::of(Outcome::Ok, None)
        }
    }

    /// An answer of another status than expected.
    fn status(detail: Detail) -> Self {
        Self {
            failed: Some(FailedCheck::Status),
            ..Self::of(Outcome::Status, Some(detail))
        }
    }
}

impl std::convert::From<Box<Fault>> for Judged {
    fn from(fault: Box<Fault>) -> Self {
        let (failed, detail) = *fault;
        Self {
            failed: Some(failed),
            ..Self::of(Outcome::Check, Some(detail))
        }
    }
}

/// What the status of a complete response means.
#[derive(Debug, PartialEq, Eq)]
pub enum AtStatus {
    /// The request has its outcome.
    Ended(Judged),
    /// It is to be looked at further.
    LooksFurther,
    /// Another request follows, to this location.
    Redirect(Box<[u8]>),
}

impl Lane {
    /// Puts an offered request in.
    pub fn bind(&mut self, exchange: Exchange) {
        debug_assert!(self.exchange.is_none(), "the lane has a request");
        self.exchange = Some(exchange);
        #[cfg(any(test, fuzzing))]
        {
            self.had += 1;
        }
        self.redirected = None;
        self.ignored_cookies = 0;
        self.forget_response();
    }

    /// Makes ready for the response to the next request of the same exchange.
    pub fn forget_response(&mut self) {
        self.status = 0;
        self.uses_own = false;
        self.uses_reader = false;
        self.digester.reset();
        self.coding = Coding::default();
        self.is_decoding = false;
        self.undecodable = None;
        self.location = None;
    }

    /// What is written for the exchange.
    #[must_use]
    pub fn written<'a>(&'a self, requests: &'a [Request]) -> Option<&'a Written> {
        let exchange = self.exchange.as_ref()?;
        if self.uses_own {
            return self.own.as_deref();
        }
        requests[exchange.operation].constant.as_ref()
    }

    /// Memory for what is written for this exchange alone.
    pub fn own(&mut self) -> (&mut Written, Option<&Redirected>) {
        self.uses_own = true;
        let own = self.own.get_or_insert_default();
        (own, self.redirected.as_deref())
    }

    /// What is looked at of its response.
    pub fn reader(&mut self) -> &mut AnswerReader {
        self.uses_reader = true;
        self.reader.get_or_insert_default()
    }

    /// The same, if anything was to be looked at.
    #[must_use]
    pub fn used_reader(&self) -> Option<&AnswerReader> {
        self.reader.as_deref().filter(|_| self.uses_reader)
    }

    /// How many cookies its responses set, of a session that keeps none.
    #[must_use]
    pub fn ignored_cookies(&self) -> u32 {
        self.ignored_cookies
    }

    /// Judges a complete response by its status.
    #[must_use]
    pub fn judge_status(&mut self, request: &Request, most_redirects: u32) -> AtStatus {
        let redirects = self.exchange.map_or(0, |exchange| exchange.redirects);
        if most_redirects > 0
            && is_redirect(self.status)
            && let Some(location) = self.location.take()
        {
            if redirects < most_redirects {
                return AtStatus::Redirect(location);
            }
            return AtStatus::Ended(Judged::status(Detail::TooManyRedirects(most_redirects)));
        }
        AtStatus::Ended(match request.expected.meaning(self.status) {
            StatusMeaning::Expected if request.expected.looks_beyond_status() => {
                return AtStatus::LooksFurther;
            }
            StatusMeaning::Expected => Judged::ok(false),
            StatusMeaning::Ends => Judged::ok(true),
            StatusMeaning::Other => Judged::status(Detail::Status(self.status)),
        })
    }

    /// A redirect led elsewhere than to the target.
    #[must_use]
    pub fn led_elsewhere() -> Judged {
        Judged::status(Detail::RedirectElsewhere)
    }

    /// Judges a complete response of an expected status by the rest of it.
    pub fn judge(&mut self, request: &Request, context: &Context<'_>) -> Judged {
        let unfinished = match &self.decoder {
            Some(decoder) if self.is_decoding => decoder.finish().err(),
            _ => None,
        };
        if request.expected.looks_into_body()
            && let Some(error) = self.undecodable.or(unfinished)
        {
            let fault = (FailedCheck::Coding, Detail::Undecodable(error));
            return Judged::from(Box::new(fault));
        }
        let Some(reader) = self.reader.as_deref_mut() else {
            return Judged::ok(false);
        };
        match request.expected.judge(context, reader) {
            Ok(ends_session) => Judged::ok(ends_session),
            Err(fault) => fault.into(),
        }
    }

    /// What the body was, of a request whose answers are told apart.
    #[must_use]
    pub fn digest(&self) -> BodyDigest {
        self.digester.digest()
    }

    /// The peer did nothing for the request: what it said of that is no response. Returns whether a sample
    /// was begun.
    pub fn forget_refusal(&mut self) -> bool {
        if let Some(exchange) = &mut self.exchange
            && exchange.redirects == 0
        {
            exchange.first_byte_ns = None;
            return self.sample.take().is_some();
        }
        false
    }

    /// The complete response as a sample, if it was chosen to be one.
    pub fn take_sample(&mut self, at_ns: u64) -> Option<Sample> {
        let is_coded = self.coding != Coding::Identity;
        self.sample.take().map(|sample| Sample {
            is_coded,
            at_ns,
            ..*sample
        })
    }
}
