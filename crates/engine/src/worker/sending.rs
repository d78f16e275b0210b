//! From an offer to bytes for the kernel: lanes, connections, and what is written on them.

use std::ops::Range;

use crate::arrivals::offers::{Offer, Offers};
use crate::event_loop::{Connecting, EventLoop};
use crate::exchange::connection::Phase;
use crate::exchange::lane::Exchange;
use crate::outcome::{Detail, NotSent, Outcome};
use crate::worker::Worker;

impl<L: EventLoop> Worker<L> {
    /// Begins whatever is due by now, and writes it.
    pub(super) fn begin_due(&mut self, now_ns: u64) {
        // The clock may be past a stop that has not been handled yet.
        let due_ns = now_ns.min(self.intervals.stop_ns().saturating_sub(1));
        while !self.stopped {
            match self.offers.next(due_ns, &mut self.budget) {
                Some(Offer::Send {
                    lane,
                    operation,
                    intended_ns,
                    taken_up_ns,
                }) => {
                    let waited_ns =
                        taken_up_ns.map_or(0, |at_ns| self.now_ns.saturating_sub(at_ns));
                    self.bind(lane, operation, intended_ns, waited_ns);
                    self.begin(lane);
                }
                Some(Offer::NotSent {
                    operation,
                    intended_ns,
                    cause,
                }) => self.not_sent(operation, intended_ns, cause),
                None => break,
            }
        }
        self.flush_dirty();
    }

    fn bind(&mut self, lane: usize, operation: usize, intended_ns: u64, waited_ns: u64) {
        let is_for_stream = self.offers.waiting_cause() == NotSent::NoStream;
        self.lanes[lane].bind(Exchange {
            operation,
            sequence: self.rows.next_sequence(),
            intended_ns,
            waits_since_ns: self.now_ns,
            waits_for_stream: false,
            no_connection_ns: if is_for_stream { 0 } else { waited_ns },
            no_stream_ns: if is_for_stream { waited_ns } else { 0 },
            written_ns: None,
            first_byte_ns: None,
            sent: 0,
            received: 0,
            redirects: 0,
        });
    }

    pub(super) fn slot_of(&self, lane: usize) -> usize {
        lane / self.limits.streams
    }

    #[allow(
        clippy::cast_possible_truncation,
        reason = "a plan has at most 1,000 streams a connection"
    )]
    pub(super) fn tag_of(&self, lane: usize) -> u32 {
        (lane % self.limits.streams) as u32
    }

    pub(super) fn lane_of(&self, slot: usize, tag: u32) -> usize {
        slot * self.limits.streams + tag as usize
    }

    pub(super) fn lanes_of(&self, slot: usize) -> Range<usize> {
        slot * self.limits.streams..(slot + 1) * self.limits.streams
    }

    /// Serialises the bound request, or lets it wait for its connection or a stream.
    fn begin(&mut self, lane: usize) {
        let (slot, tag) = (self.slot_of(lane), self.tag_of(lane));
        let connection = &mut self.connections[slot];
        if connection.can_open() {
            self.open(lane);
            return;
        }
        let has_no_stream = connection.phase == Phase::Open && !connection.is_closing();
        if has_no_stream && matches!(self.offers, Offers::Rate(_)) {
            // Another connection may have room: the peer of this one allows fewer streams.
            if let Some(exchange) = self.lanes[lane].exchange.take() {
                self.offers.park(lane);
                let waited_ns = exchange.no_connection_ns + exchange.no_stream_ns;
                let taken_up_ns = self.now_ns.saturating_sub(waited_ns);
                self.offers.requeue(exchange.intended_ns, taken_up_ns);
            }
            return;
        }
        if let Some(exchange) = &mut self.lanes[lane].exchange {
            exchange.waits_since_ns = self.now_ns;
            exchange.waits_for_stream = has_no_stream;
        }
        if has_no_stream {
            let deadline_ns = self.now_ns + self.limits.timeout_ns;
            self.stream_waits.add(lane, deadline_ns);
        }
        connection.waiting.push_back(tag);
        if connection.phase == Phase::Closed {
            self.connect(slot);
        }
    }

    /// Begins to connect a slot for the requests that wait for it.
    pub(super) fn connect(&mut self, slot: usize) {
        let begun_ns = self.read_clock();
        let tls = match self
            .tls
            .as_mut()
            .map(crate::protocol::tls::TlsClient::connect)
        {
            None => None,
            Some(Ok(tls)) => Some(tls),
            Some(Err(error)) => {
                let detail = Detail::Tls(error.to_string().into());
                self.give_up_waiting(slot, Outcome::Tls, &detail);
                return;
            }
        };
        self.connections[slot].begin(self.is_http2, self.limits.streams, tls, begun_ns);
        self.connecting
            .add(slot, begun_ns + self.limits.connect_timeout_ns);
        match self.events.connect(slot) {
            Ok(Connecting::Done) => self.on_connected(slot),
            Ok(Connecting::Pending) => {}
            Err(errno) => self.on_connect_failed(slot, Outcome::Connect, &Detail::Kernel(errno)),
        }
    }

    /// Writes waiting requests as long as the connection takes them.
    pub(super) fn open_waiting(&mut self, slot: usize) {
        while self.connections[slot].can_open() {
            let Some(tag) = self.connections[slot].waiting.pop_front() else {
                return;
            };
            let lane = self.lane_of(slot, tag);
            self.stream_waits.remove(lane);
            let now_ns = self.now_ns;
            if let Some(exchange) = &mut self.lanes[lane].exchange {
                exchange.waited_until(now_ns);
            }
            self.open(lane);
        }
    }

    fn open(&mut self, lane: usize) {
        let (slot, tag) = (self.slot_of(lane), self.tag_of(lane));
        let place = &mut self.lanes[lane];
        let Some(request) = place.request(&self.requests) else {
            return;
        };
        let connection = &mut self.connections[slot];
        let length = connection.open(tag, request, &self.maker.fields);
        if let Some(exchange) = &mut place.exchange {
            exchange.sent += length as u64;
            if exchange.written_ns.is_none() {
                connection.unstamped.push(tag);
            }
        }
        connection.is_spent |= self.limits.one_request_each;
        self.mark_dirty(slot);
    }

    pub(super) fn mark_dirty(&mut self, slot: usize) {
        let connection = &mut self.connections[slot];
        if !connection.is_dirty {
            connection.is_dirty = true;
            self.dirty.push(slot);
        }
    }

    pub(super) fn flush_dirty(&mut self) {
        let mut next = 0;
        while let Some(&slot) = self.dirty.get(next) {
            next += 1;
            self.connections[slot].is_dirty = false;
            self.flush(slot);
        }
        self.dirty.clear();
    }

    /// Gives the kernel what it takes of what is serialised.
    pub(super) fn flush(&mut self, slot: usize) {
        let lanes = self.lanes_of(slot);
        loop {
            let connection = &mut self.connections[slot];
            if matches!(connection.phase, Phase::Closed | Phase::Connecting) {
                return;
            }
            if connection.has_pending_ciphertext() {
                let Some(tls) = &mut connection.tls else {
                    return;
                };
                match self.events.send(slot, tls.pending()) {
                    // The kernel is full; it tells when it takes more.
                    Ok(0) => return,
                    Ok(count) => tls.took(count),
                    Err(errno) => return self.on_broken(slot, errno, true),
                }
            } else if connection.phase == Phase::Securing {
                return;
            } else if connection.unsent().is_empty() {
                let lanes = &mut self.lanes[lanes.clone()];
                if !connection.write_more(lanes, &self.requests) {
                    return;
                }
            } else {
                self.stamp(slot);
                let connection = &mut self.connections[slot];
                if connection.tls.is_some() {
                    connection.encrypt();
                    continue;
                }
                match self.events.send(slot, connection.unsent()) {
                    Ok(0) => return,
                    Ok(count) => connection.took(count),
                    Err(errno) => return self.on_broken(slot, errno, true),
                }
            }
        }
    }

    /// Notes this moment as the time at which the serialised requests are written.
    fn stamp(&mut self, slot: usize) {
        if self.connections[slot].unstamped.is_empty() {
            return;
        }
        let now_ns = self.read_clock();
        let connection = &mut self.connections[slot];
        for tag in connection.unstamped.drain(..) {
            let lane = slot * self.limits.streams + tag as usize;
            if let Some(exchange) = &mut self.lanes[lane].exchange {
                exchange.written_ns = Some(now_ns);
                self.in_flight.add(lane, now_ns + self.limits.timeout_ns);
            }
        }
    }
}
