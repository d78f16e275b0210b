//! What happens on sockets: connections that are established, bytes that come, and their end.

use rustix::io::Errno;

use crate::event_loop::{Ends, EventLoop, Received, SocketEvent};
use crate::exchange::connection::{Codec, Fault, Phase};
use crate::exchange::lane::{Judgement, LaneSink};
use crate::exchange::redirect::{self, Redirected};
use crate::outcome::{Detail, Outcome};
use crate::protocol::http2::StreamEnd;
use crate::protocol::tls::Alpn;
use crate::worker::Worker;

/// How often a request is sent again that the server refused. A server that limits its streams refuses
/// what was under way when it said so, and one that restarts what it had not begun: both once or twice.
const MOST_REFUSALS: u32 = 3;

/// The error code of a stream that was not processed (RFC 9113, section 7).
const REFUSED_STREAM: u32 = 0x7;

impl<L: EventLoop> Worker<L> {
    /// Something happened to a socket.
    pub(super) fn on_event(&mut self, event: SocketEvent) {
        if self.connections[event.slot].phase() == Phase::Connecting {
            if !event.writable {
                return;
            }
            self.read_clock();
            match self.events.connected(event.slot) {
                Ok(()) => self.on_connected(event.slot),
                Err(errno) => {
                    self.on_connect_failed(event.slot, Outcome::Connect, &Detail::Kernel(errno));
                }
            }
        }
        if event.readable {
            self.read(event.slot, event.hung_up);
        }
        if event.writable && !self.connections[event.slot].phase().is_closed() {
            self.mark_dirty(event.slot);
        }
    }

    /// TCP stands.
    pub(super) fn on_connected(&mut self, slot: usize) {
        let now_ns = self.read_clock();
        if self.limits.is_loopback && self.events.ends(slot).is_some_and(Ends::are_the_same) {
            let detail = Detail::ConnectedToItself;
            return self.on_connect_failed(slot, Outcome::Connect, &detail);
        }
        self.open_connections += 1;
        self.totals.opened += 1;
        let duration_ns = self.connections[slot].on_connected(now_ns);
        self.intervals
            .stats()
            .connections
            .record_connect(duration_ns, true);
        self.go_on(slot);
    }

    /// Takes the steps that establishing the connection allows by now.
    fn go_on(&mut self, slot: usize) {
        let connection = &mut self.connections[slot];
        if connection.phase() == Phase::Securing {
            match &connection.tls {
                Some(tls) if !tls.is_handshaking() => {
                    let agreed = tls.agreed();
                    let duration_ns = connection.on_secured(self.now_ns);
                    let clocks = &mut self.intervals.stats().connections;
                    clocks.record_tls(duration_ns, true);
                    self.totals.full_handshakes += u64::from(!agreed.resumed);
                    self.totals.resumed_handshakes += u64::from(agreed.resumed);
                    self.totals.spoken.tls(&agreed);
                    let is_agreed = match agreed.alpn {
                        Some(Alpn::Http2) => self.is_http2,
                        // Servers that know only HTTP/1.1 often know no ALPN either.
                        Some(Alpn::Http1) | None => !self.is_http2,
                        Some(Alpn::Other) => false,
                    };
                    if !is_agreed {
                        let detail = Detail::Alpn(agreed.alpn);
                        return self.on_connect_failed(slot, Outcome::Protocol, &detail);
                    }
                }
                _ => {
                    self.mark_dirty(slot);
                    return;
                }
            }
        }
        let connection = &mut self.connections[slot];
        if connection.on_greeted() {
            self.connecting.remove(slot);
            self.on_open(slot);
        }
        self.mark_dirty(slot);
    }

    fn read(&mut self, slot: usize, hung_up: bool) {
        let lanes = self.lanes_of(slot);
        loop {
            let connection = &mut self.connections[slot];
            if matches!(connection.phase(), Phase::Closed { .. } | Phase::Connecting) {
                return;
            }
            let mut sink = LaneSink {
                lanes: &mut self.lanes[lanes.clone()],
                requests: &self.requests,
                samples: self.intervals.samples(),
                sample_body_bytes: self.limits.sample_body_bytes,
                follows_redirects: self.limits.redirects > 0,
                at_ns: self.now_ns,
                ended: &mut self.ended,
            };
            match self.events.receive(slot) {
                Ok(Received::Bytes { bytes, more, at_ns }) => {
                    self.now_ns = at_ns;
                    sink.at_ns = at_ns;
                    let result = connection.on_bytes(bytes, &mut sink);
                    if result.is_ok() && connection.has_said_farewell() {
                        let is_cut = connection.on_end_of_stream(&mut sink);
                        self.on_ended(slot);
                        self.on_end_of_stream(slot, is_cut);
                    } else {
                        self.after_read(slot, result);
                    }
                    if !more && !hung_up {
                        return;
                    }
                }
                Ok(Received::Nothing) => return,
                Ok(Received::Closed) => {
                    let is_cut = connection.on_end_of_stream(&mut sink);
                    self.read_clock();
                    self.on_ended(slot);
                    self.on_end_of_stream(slot, is_cut);
                }
                Err(errno) => {
                    self.read_clock();
                    let is_unsent = self.events.has_unsent(slot);
                    self.on_broken(slot, errno, is_unsent);
                }
            }
        }
    }

    fn after_read(&mut self, slot: usize, result: Result<(), Fault>) {
        self.on_ended(slot);
        let connection = &self.connections[slot];
        match (connection.phase(), result) {
            // With its last answer it was closed already.
            (Phase::Closed { .. } | Phase::Connecting, _) => {}
            (Phase::Open(_), Err(Fault::Unasked)) => {
                self.totals.closed_by_server += 1;
                self.close(slot);
            }
            (_, Err(Fault::Unasked)) => {
                let detail = Detail::ExcessBytes;
                self.on_connect_failed(slot, Outcome::Protocol, &detail);
            }
            (_, Err(fault)) => self.on_fault(slot, fault),
            (Phase::Securing | Phase::Greeting, Ok(())) => self.go_on(slot),
            (Phase::Open(_), Ok(())) if connection.is_over() && connection.in_flight() > 0 => {
                self.on_end_of_stream(slot, false);
            }
            (Phase::Open(_), Ok(())) => {
                self.settle(slot);
                if self.connections[slot].has_output() {
                    self.mark_dirty(slot);
                }
            }
        }
    }

    /// Gives every response that ended in the last read its outcome.
    fn on_ended(&mut self, slot: usize) {
        if self.ended.is_empty() {
            return;
        }
        let mut ended = std::mem::take(&mut self.ended);
        for &(tag, _) in &ended {
            // Whatever becomes of the connection, they are not on it any more.
            let lane = self.lane_of(slot, tag);
            if let Some(exchange) = &mut self.lanes[lane].exchange {
                exchange.slot = None;
            }
        }
        for (tag, end) in ended.drain(..) {
            let lane = self.lane_of(slot, tag);
            match end {
                StreamEnd::Complete => self.on_response(slot, lane),
                StreamEnd::Reset(code) => {
                    self.end(lane, Outcome::Read, Some(Detail::StreamReset(code)));
                }
                StreamEnd::Refused => self.on_refused(lane),
                StreamEnd::Malformed(fault) => {
                    self.end(lane, Outcome::Protocol, Some(Detail::Malformed(fault)));
                }
            }
        }
        self.ended = ended;
    }

    fn on_response(&mut self, slot: usize, lane: usize) {
        let connection = &self.connections[slot];
        self.totals.spoken.http(match &connection.codec {
            Codec::Http1(codec) => codec.version(),
            Codec::Http2(_) => "2",
        });
        match self.lanes[lane].judge(&self.requests, self.limits.redirects) {
            Judgement::Ended(outcome, detail) => {
                // Closed before it is ended, so that its next request does not wait for it.
                if connection.is_drained() {
                    self.close_drained(slot);
                }
                self.end(lane, outcome, detail);
            }
            Judgement::Redirect(location) => self.on_redirect(lane, &location),
        }
    }

    fn on_redirect(&mut self, lane: usize, location: &[u8]) {
        let place = &mut self.lanes[lane];
        let status = place.status;
        let Some(exchange) = &mut place.exchange else {
            return;
        };
        exchange.redirects += 1;
        let operation = match &place.redirected {
            Some(redirected) => &redirected.operation,
            None => &self.operations[exchange.operation],
        };
        let origin = self.maker.origin();
        let Some(operation) = redirect::follow(&origin, operation, status, location) else {
            return self.end(lane, Outcome::Status, Some(Detail::RedirectElsewhere));
        };
        self.totals.redirects += 1;
        let request = self.maker.make_redirected(&operation);
        place.redirected = Some(Box::new(Redirected { operation, request }));
        place.forget_response();
        self.wait_again(lane);
    }

    /// The peer did nothing for the request, so it may be sent again (RFC 9113, section 8.7). What it
    /// is measured by goes on: its intended time, and the deadline since it was written first.
    fn on_refused(&mut self, lane: usize) {
        let place = &mut self.lanes[lane];
        let Some(exchange) = &mut place.exchange else {
            return;
        };
        if place.status != 0 {
            // It began to answer.
            let detail = Detail::StreamReset(REFUSED_STREAM);
            return self.end(lane, Outcome::Read, Some(detail));
        }
        if exchange.refusals == MOST_REFUSALS {
            let detail = Detail::StreamRefused(MOST_REFUSALS + 1);
            return self.end(lane, Outcome::Read, Some(detail));
        }
        exchange.refusals += 1;
        let operation = exchange.operation;
        self.totals.refused_streams += 1;
        if place.forget_refusal() {
            self.intervals.samples().give_back(operation);
        }
        self.wait_again(lane);
    }

    fn on_end_of_stream(&mut self, slot: usize, is_cut: bool) {
        if self.connections[slot].phase().is_closed() {
            return;
        }
        self.totals.closed_by_server += 1;
        if let Some(outcome) = self.connections[slot].phase().establishing_outcome() {
            return self.on_connect_failed(slot, outcome, &Detail::EndOfStream(0));
        }
        self.end_connection(slot, |worker, tag| {
            let exchange = &worker.lanes[worker.lane_of(slot, tag)].exchange;
            let received = exchange.map_or(0, |exchange| exchange.received);
            let detail = if is_cut && received > 0 {
                Detail::TruncatedTls
            } else {
                Detail::EndOfStream(received)
            };
            (Outcome::Read, detail)
        });
    }

    /// The kernel reports the connection as broken.
    pub(super) fn on_broken(&mut self, slot: usize, errno: Errno, is_unsent: bool) {
        let detail = Detail::Kernel(errno);
        let phase = self.connections[slot].phase();
        if matches!(phase, Phase::Closed { .. } | Phase::Connecting) {
            return;
        }
        if let Some(outcome) = phase.establishing_outcome() {
            return self.on_connect_failed(slot, outcome, &detail);
        }
        self.totals.closed_by_server += 1;
        self.end_connection(slot, |worker, tag| {
            if is_unsent || !worker.connections[slot].is_sent(tag) {
                (Outcome::Send, detail.clone())
            } else {
                (Outcome::Read, detail.clone())
            }
        });
    }

    /// What came breaks TLS or HTTP.
    fn on_fault(&mut self, slot: usize, fault: Fault) {
        let (outcome, detail) = match fault {
            Fault::Tls(detail) => (Outcome::Tls, detail),
            Fault::Protocol(detail) => (Outcome::Protocol, detail),
            Fault::Unasked => return,
        };
        // The codec, or TLS, may have left a last word for the peer.
        self.flush(slot);
        match self.connections[slot].phase() {
            Phase::Closed { .. } | Phase::Connecting => return,
            Phase::Securing | Phase::Greeting => {
                return self.on_connect_failed(slot, outcome, &detail);
            }
            Phase::Open(_) => {}
        }
        self.give_up_connection(slot, outcome, &detail);
    }
}
