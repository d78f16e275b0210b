//! One connection: what is spoken on it, and what waits to be written. No socket and no clock.

use std::collections::VecDeque;

use crate::exchange::lane::{Lane, LaneSink};
use crate::exchange::request::Request;
use crate::outcome::{Detail, Outcome};
use crate::protocol::hpack::encoder::Fields;
use crate::protocol::http1::Http1Codec;
use crate::protocol::http2;
use crate::protocol::tls::{Tls, TlsError};

/// Where a connection stands. Whether its peer lets it carry more is known to its codec alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// No socket.
    Closed {
        /// The last connection stood, and ended before it carried a request: the next would as well.
        was_futile: bool,
    },
    /// TCP is being established.
    Connecting,
    /// The TLS handshake goes on.
    Securing,
    /// HTTP/2: the peer's settings are waited for.
    Greeting,
    /// It stands.
    Open(Use),
}

/// What an open connection was used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Nothing so far.
    Unused,
    /// It carries requests, or has.
    Carrying,
    /// It has carried all that the plan wants it to.
    Spent,
}

impl Phase {
    /// Whether there is no socket.
    #[must_use]
    pub fn is_closed(self) -> bool {
        matches!(self, Self::Closed { .. })
    }

    /// Whether it stands.
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Self::Open(_))
    }

    /// What becomes of the requests that wait for a connection which fails while it is being
    /// established; none if it is not.
    #[must_use]
    pub fn establishing_outcome(self) -> Option<Outcome> {
        match self {
            Self::Connecting => Some(Outcome::Connect),
            Self::Securing => Some(Outcome::Tls),
            Self::Greeting => Some(Outcome::Protocol),
            Self::Closed { .. } | Self::Open(_) => None,
        }
    }
}

/// The codec of a connection.
#[derive(Debug)]
pub enum Codec {
    /// HTTP/1.1.
    Http1(Http1Codec),
    /// HTTP/2.
    Http2(Box<http2::Http2Codec>),
}

/// Why a connection is of no more use.
#[derive(Debug, PartialEq, Eq)]
pub enum Fault {
    /// TLS failed.
    Tls(Detail),
    /// What came is not the HTTP that is spoken; the first request in flight is to blame for it.
    Protocol(Detail),
    /// Bytes came while no request was in flight.
    Unasked,
}

/// One connection.
#[derive(Debug)]
pub struct Connection {
    phase: Phase,
    /// When the phase began, while it is being established.
    since_ns: u64,
    /// TLS, if it is spoken.
    pub tls: Option<Box<Tls>>,
    /// The codec.
    pub codec: Codec,
    /// Tags of requests that wait for the connection, or for a stream on it.
    pub waiting: VecDeque<u32>,
    /// Tags of requests that are serialised and not stamped as written.
    pub unstamped: Vec<u32>,
    /// Whether the worker already has it in its list of connections to flush.
    pub is_dirty: bool,
    out: Vec<u8>,
    taken: usize,
}

impl Default for Connection {
    fn default() -> Self {
        Self {
            phase: Phase::Closed { was_futile: false },
            since_ns: 0,
            tls: None,
            codec: Codec::Http1(Http1Codec::new(1)),
            waiting: VecDeque::new(),
            unstamped: Vec::new(),
            is_dirty: false,
            out: Vec::new(),
            taken: 0,
        }
    }
}

impl Connection {
    /// Begins anew with the codec and, for TLS, its state; what waits goes on waiting.
    pub fn begin(&mut self, is_http2: bool, streams: usize, tls: Option<Tls>, now_ns: u64) {
        self.end();
        self.phase = Phase::Connecting;
        self.since_ns = now_ns;
        self.tls = tls.map(Box::new);
        self.codec = if is_http2 {
            let most = u32::try_from(streams).unwrap_or(u32::MAX);
            Codec::Http2(Box::new(http2::Http2Codec::new(most, &mut self.out)))
        } else {
            Codec::Http1(Http1Codec::new(streams))
        };
    }

    /// TCP stands. Returns how long that took.
    pub fn on_connected(&mut self, now_ns: u64) -> u64 {
        self.phase = if self.tls.is_some() {
            Phase::Securing
        } else {
            Phase::Greeting
        };
        self.lap(now_ns)
    }

    /// TLS stands. Returns how long that took.
    pub fn on_secured(&mut self, now_ns: u64) -> u64 {
        self.phase = Phase::Greeting;
        self.lap(now_ns)
    }

    /// If it was greeted by now, it can carry requests; whether it was.
    pub fn on_greeted(&mut self) -> bool {
        let is_ready = match &self.codec {
            Codec::Http1(_) => true,
            Codec::Http2(codec) => codec.is_ready(),
        };
        let is_greeted = is_ready && self.phase == Phase::Greeting;
        if is_greeted {
            self.phase = Phase::Open(Use::Unused);
        }
        is_greeted
    }

    /// How long the phase has lasted; the next one begins.
    pub fn lap(&mut self, now_ns: u64) -> u64 {
        let since_ns = std::mem::replace(&mut self.since_ns, now_ns);
        now_ns.saturating_sub(since_ns)
    }

    /// Where it stands.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Forgets the socket's state; what waits goes on waiting.
    pub fn end(&mut self) {
        let was_futile = self.phase == Phase::Open(Use::Unused);
        self.phase = Phase::Closed { was_futile };
        self.tls = None;
        self.codec = Codec::Http1(Http1Codec::new(1));
        self.unstamped.clear();
        self.out.clear();
        self.taken = 0;
    }

    /// Whether another request may be written now.
    #[must_use]
    pub fn can_open(&self) -> bool {
        matches!(self.phase, Phase::Open(Use::Unused | Use::Carrying))
            && match &self.codec {
                Codec::Http1(codec) => codec.can_open(),
                Codec::Http2(codec) => codec.can_open(),
            }
    }

    /// Whether it carries no further request.
    #[must_use]
    pub fn is_closing(&self) -> bool {
        self.is_spent()
            || match &self.codec {
                Codec::Http1(codec) => codec.is_closing(),
                Codec::Http2(codec) => codec.is_closing(),
            }
    }

    /// Whether it is by the plan that it carries no further request.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.phase == Phase::Open(Use::Spent)
    }

    /// Whether it stands and carries no further request, and all that it carried have ended.
    #[must_use]
    pub fn is_drained(&self) -> bool {
        self.phase.is_open() && self.is_closing() && self.in_flight() == 0
    }

    /// How many requests it may carry at a time, as far as is known now.
    #[must_use]
    pub fn stream_limit(&self) -> usize {
        match &self.codec {
            // The next one can only begin behind a request that is wholly written.
            Codec::Http1(codec) if codec.unwritten().is_some() => 0,
            Codec::Http1(codec) => codec.depth(),
            Codec::Http2(codec) => codec.stream_limit(),
        }
    }

    /// Whether requests in flight will get no response any more, though the peer has not closed.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(&self.codec, Codec::Http1(codec) if codec.is_over())
    }

    /// How many requests wait for their responses.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        match &self.codec {
            Codec::Http1(codec) => codec.in_flight().len(),
            Codec::Http2(codec) => codec.open_streams(),
        }
    }

    /// Serialises a request; it is written with the next flush. `is_last`: the plan wants no other on
    /// this connection. Returns how many bytes that are.
    pub fn open(&mut self, tag: u32, request: &Request, fields: &Fields, is_last: bool) -> usize {
        let before = self.out.len();
        self.phase = Phase::Open(if is_last { Use::Spent } else { Use::Carrying });
        match &mut self.codec {
            Codec::Http1(codec) => codec.open(tag, &request.http1, &mut self.out),
            Codec::Http2(codec) => {
                codec.open(tag, fields, &request.http2, &mut self.out);
            }
        }
        self.out.len() - before
    }

    /// Appends more of what is not yet serialised; false if there is nothing that can go on.
    pub fn write_more(&mut self, lanes: &mut [Lane], requests: &[Request]) -> bool {
        self.out.clear();
        self.taken = 0;
        match &mut self.codec {
            Codec::Http1(codec) => {
                let Some(tag) = codec.unwritten() else {
                    return false;
                };
                let lane = &mut lanes[tag as usize];
                if let Some(request) = lane.request(requests) {
                    codec.write_more(&request.http1, &mut self.out);
                }
                if let Some(exchange) = &mut lane.exchange {
                    exchange.sent += self.out.len() as u64;
                }
            }
            Codec::Http2(codec) => {
                if codec.has_more() {
                    codec.write_more(&mut self.out);
                }
            }
        }
        !self.out.is_empty()
    }

    /// Gives up one request and leaves the others; false if the codec cannot.
    pub fn cancel(&mut self, tag: u32) -> bool {
        match &mut self.codec {
            Codec::Http1(_) => false,
            Codec::Http2(codec) => {
                codec.cancel(tag, &mut self.out);
                true
            }
        }
    }

    /// Whether the whole request was handed to the kernel.
    #[must_use]
    pub fn is_sent(&self, tag: u32) -> bool {
        let is_serialised = match &self.codec {
            Codec::Http1(codec) => codec.unwritten() != Some(tag),
            Codec::Http2(codec) => codec.is_sent(tag),
        };
        is_serialised && self.unsent().is_empty() && !self.has_pending_ciphertext()
    }

    /// Serialised bytes that neither kernel nor TLS took.
    #[must_use]
    pub fn unsent(&self) -> &[u8] {
        &self.out[self.taken..]
    }

    /// The kernel took this many bytes of `unsent`.
    pub fn took(&mut self, count: usize) {
        self.taken += count;
    }

    /// Hands what is unsent to TLS.
    pub fn encrypt(&mut self) {
        if let Some(tls) = &mut self.tls {
            self.taken += tls.write(&self.out[self.taken..]);
        }
    }

    /// Whether TLS has something for the kernel.
    #[must_use]
    pub fn has_pending_ciphertext(&self) -> bool {
        self.tls
            .as_ref()
            .is_some_and(|tls| !tls.pending().is_empty())
    }

    /// Whether a flush would do something.
    #[must_use]
    pub fn has_output(&self) -> bool {
        // Windows that the peer has just opened let bodies go on; no event of the socket tells that.
        let goes_on = matches!(&self.codec, Codec::Http2(codec) if codec.has_more());
        goes_on || !self.unsent().is_empty() || self.has_pending_ciphertext()
    }

    /// Appends the last word that the protocols have for a connection in good order.
    pub fn say_goodbye(&mut self) {
        if let Codec::Http2(codec) = &mut self.codec {
            codec.goodbye(&mut self.out);
        }
        self.encrypt();
        if let Some(tls) = &mut self.tls {
            tls.close();
        }
    }

    /// Reads what was received.
    ///
    /// # Errors
    /// If the connection is of no more use.
    pub fn on_bytes(&mut self, bytes: &[u8], sink: &mut LaneSink<'_>) -> Result<(), Fault> {
        // What is answered by the codec itself is appended to what is unsent, never before it.
        let Self {
            tls, codec, out, ..
        } = self;
        let Some(tls) = tls else {
            return feed(codec, bytes, sink, out);
        };
        let mut result = Ok(());
        let read = tls.read(bytes, |plaintext| {
            result = feed(codec, plaintext, sink, out);
            result.is_ok()
        });
        read.map_err(|error: TlsError| Fault::Tls(Detail::Tls(error.to_string().into())))?;
        result
    }

    /// Whether TLS said that no more comes, though the socket may stay open.
    #[must_use]
    pub fn has_said_farewell(&self) -> bool {
        self.tls.as_ref().is_some_and(|tls| tls.is_closed_cleanly())
    }

    /// The peer ended the stream, which completes a response that lasts until then. Returns whether
    /// TLS was cut off, so that nothing is known to be complete.
    pub fn on_end_of_stream(&mut self, sink: &mut LaneSink<'_>) -> bool {
        let is_cut = self
            .tls
            .as_ref()
            .is_some_and(|tls| !tls.is_closed_cleanly());
        if let Codec::Http1(codec) = &mut self.codec
            && !is_cut
        {
            codec.end_of_stream(sink);
        }
        is_cut
    }

    /// Tags in flight in the order in which they were written, where that matters; none: it does not.
    #[must_use]
    pub fn in_order(&self) -> Option<Vec<u32>> {
        match &self.codec {
            Codec::Http1(codec) => Some(codec.in_flight().collect()),
            Codec::Http2(_) => None,
        }
    }
}

fn feed(
    codec: &mut Codec,
    bytes: &[u8],
    sink: &mut LaneSink<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Fault> {
    match codec {
        Codec::Http1(codec) => {
            if codec.in_flight().len() == 0 {
                return Err(Fault::Unasked);
            }
            codec
                .feed(bytes, sink)
                .map_err(|error| Fault::Protocol(error.into()))
        }
        Codec::Http2(codec) => codec
            .feed(bytes, sink, out)
            .map_err(|error| Fault::Protocol(Detail::Http2(error))),
    }
}
