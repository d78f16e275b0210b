//! One place for a request in flight: the request that was offered, and what came back so far.

use crate::exchange::expected_body::SeenBody;
use crate::exchange::redirect::{Redirected, is_redirect};
use crate::exchange::request::Request;
use crate::outcome::{Detail, NotSent, Outcome};
use crate::protocol::content_coding::{Coding, CodingError, Decoder};
use crate::protocol::http2::{StreamEnd, StreamSink};
use crate::record::answer_kinds::{BodyDigest, BodyDigester};
use crate::record::lag_causes::LagParts;
use crate::record::samples::{Sample, SampleBudget};

/// One request that was offered and has no outcome yet.
#[derive(Clone, Copy, Debug)]
pub struct Exchange {
    /// Index of the operation.
    pub operation: usize,
    /// Its number among the worker's offered requests.
    pub sequence: u64,
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
    /// The status of the response so far; 0: none.
    pub status: u16,
    /// What is written after a redirect, in place of the operation's request.
    pub redirected: Option<Box<Redirected>>,
    seen: SeenBody,
    digester: BodyDigester,
    coding: Coding,
    /// Kept from response to response for its memory.
    decoder: Option<Box<Decoder>>,
    is_decoding: bool,
    undecodable: Option<CodingError>,
    location: Option<Box<[u8]>>,
    sample: Option<Box<Sample>>,
}

/// What a complete response means.
#[derive(Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The request has its outcome.
    Ended(Outcome, Option<Detail>),
    /// Another request follows, to this location.
    Redirect(Box<[u8]>),
}

impl Lane {
    /// Puts an offered request in.
    pub fn bind(&mut self, exchange: Exchange) {
        self.exchange = Some(exchange);
        self.redirected = None;
        self.forget_response();
    }

    /// Makes ready for the response to the next request of the same exchange.
    pub fn forget_response(&mut self) {
        self.status = 0;
        self.seen.reset();
        self.digester.reset();
        self.coding = Coding::default();
        self.is_decoding = false;
        self.undecodable = None;
        self.location = None;
    }

    /// What is written for the exchange.
    #[must_use]
    pub fn request<'a>(&'a self, requests: &'a [Request]) -> Option<&'a Request> {
        let exchange = self.exchange.as_ref()?;
        Some(match &self.redirected {
            Some(redirected) => &redirected.request,
            None => &requests[exchange.operation],
        })
    }

    /// Judges a complete response.
    #[must_use]
    pub fn judge(&mut self, requests: &[Request], most_redirects: u32) -> Judgement {
        let Some(request) = self.request(requests) else {
            return Judgement::Ended(Outcome::Protocol, Some(Detail::ExcessBytes));
        };
        let accepts = request.accepts(self.status);
        let expected = request.expected_body.as_ref();
        let fault = expected
            .filter(|_| accepts)
            .and_then(|body| self.seen.fault(body));
        let redirects = self.exchange.map_or(0, |exchange| exchange.redirects);
        if most_redirects > 0
            && is_redirect(self.status)
            && let Some(location) = self.location.take()
        {
            if redirects < most_redirects {
                return Judgement::Redirect(location);
            }
            let detail = Detail::TooManyRedirects(most_redirects);
            return Judgement::Ended(Outcome::Status, Some(detail));
        }
        let unfinished = || match &self.decoder {
            Some(decoder) if self.is_decoding => decoder.finish().err(),
            _ => None,
        };
        match self.undecodable.or_else(unfinished) {
            _ if !accepts => Judgement::Ended(Outcome::Status, Some(Detail::Status(self.status))),
            Some(error) if fault.is_some() => {
                Judgement::Ended(Outcome::Check, Some(Detail::Undecodable(error)))
            }
            _ if fault.is_some() => Judgement::Ended(Outcome::Check, fault),
            _ => Judgement::Ended(Outcome::Ok, None),
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
        self.sample.take().map(|sample| Sample { at_ns, ..*sample })
    }
}

/// The lanes of one connection, as its codec sees them while it reads.
#[derive(Debug)]
pub struct LaneSink<'a> {
    /// The lanes of this connection, by tag.
    pub lanes: &'a mut [Lane],
    /// The requests of the whole load, by operation.
    pub requests: &'a [Request],
    /// What may still be sampled.
    pub samples: &'a mut SampleBudget,
    /// Bytes kept of a sampled body.
    pub sample_body_bytes: usize,
    /// Whether redirects are followed.
    pub follows_redirects: bool,
    /// When the bytes were received.
    pub at_ns: u64,
    /// Responses that ended, in order.
    pub ended: &'a mut Vec<(u32, StreamEnd)>,
}

impl StreamSink for LaneSink<'_> {
    fn wants_headers(&self, tag: u32) -> bool {
        let lane = &self.lanes[tag as usize];
        let is_checked = || {
            let request = lane.request(self.requests);
            request.is_some_and(|request| request.expected_body.is_some())
        };
        self.follows_redirects || lane.sample.is_some() || is_checked()
    }

    fn bytes(&mut self, tag: u32, count: usize) {
        let lane = &mut self.lanes[tag as usize];
        let Some(exchange) = &mut lane.exchange else {
            return;
        };
        exchange.received += count as u64;
        if exchange.first_byte_ns.is_none() {
            exchange.first_byte_ns = Some(self.at_ns);
            if self.samples.take(exchange.operation) {
                lane.sample = Some(Box::new(Sample {
                    operation: exchange.operation,
                    ..Sample::default()
                }));
            }
        }
    }

    fn status(&mut self, tag: u32, status: u16) {
        let lane = &mut self.lanes[tag as usize];
        lane.status = status;
        lane.coding = Coding::default();
        lane.location = None;
        if let Some(sample) = &mut lane.sample {
            sample.status(status);
        }
    }

    fn header(&mut self, tag: u32, name: &[u8], value: &[u8]) {
        let lane = &mut self.lanes[tag as usize];
        if let Some(sample) = &mut lane.sample {
            sample.headers.push((name.to_vec(), value.to_vec()));
        }
        if name.eq_ignore_ascii_case(b"content-encoding") {
            let request = lane.request(self.requests);
            if request.is_some_and(|request| request.expected_body.is_some()) {
                lane.coding = lane.coding.with_header(value);
            }
        } else if self.follows_redirects && name.eq_ignore_ascii_case(b"location") {
            lane.location = Some(value.into());
        }
    }

    fn body(&mut self, tag: u32, piece: &[u8]) {
        let lane = &mut self.lanes[tag as usize];
        if let Some(sample) = &mut lane.sample {
            sample.body(piece, self.sample_body_bytes);
        }
        let Some(exchange) = &lane.exchange else {
            return;
        };
        let request = &self.requests[exchange.operation];
        if request.compares_answers {
            lane.digester.feed(piece);
        }
        let Some(expected) = &request.expected_body else {
            return;
        };
        if lane.coding == Coding::Identity {
            lane.seen.feed(expected, piece);
            return;
        }
        let decoder = lane.decoder.get_or_insert_default();
        if !lane.is_decoding {
            decoder.begin(lane.coding);
            lane.is_decoding = true;
        }
        let seen = &mut lane.seen;
        if lane.undecodable.is_none() {
            let fed = decoder.feed(piece, |decoded| seen.feed(expected, decoded));
            lane.undecodable = fed.err();
        }
    }

    fn ended(&mut self, tag: u32, end: StreamEnd) {
        self.ended.push((tag, end));
    }
}
