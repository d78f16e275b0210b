//! From an offer to bytes for the kernel: lanes, connections, and what is written on them.

use std::ops::Range;

use crate::arrivals::offers::{Offer, Returned};
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
                    sequence,
                }) => {
                    let waited_ns =
                        taken_up_ns.map_or(0, |at_ns| self.now_ns.saturating_sub(at_ns));
                    self.bind(lane, operation, intended_ns, waited_ns, sequence);
                    self.begin(lane);
                }
                Some(Offer::NotSent {
                    operation,
                    intended_ns,
                    cause,
                    sequence,
                }) => self.not_sent(operation, intended_ns, cause, sequence),
                None => break,
            }
        }
        self.flush_dirty();
    }

    fn bind(
        &mut self,
        lane: usize,
        operation: usize,
        intended_ns: u64,
        waited_ns: u64,
        sequence: Option<u64>,
    ) {
        let sequence = sequence.unwrap_or_else(|| self.rows.next_sequence());
        let is_for_stream = self.offers.waiting_cause() == NotSent::NoStream;
        self.lanes[lane].bind(Exchange {
            operation,
            sequence,
            intended_ns,
            slot: None,
            waits_since_ns: self.now_ns,
            waits_for_stream: false,
            no_connection_ns: if is_for_stream { 0 } else { waited_ns },
            no_stream_ns: if is_for_stream { waited_ns } else { 0 },
            written_ns: None,
            first_byte_ns: None,
            sent: 0,
            received: 0,
            redirects: 0,
            refusals: 0,
        });
    }

    /// The slot of the connection that carries a lane's request, or would carry its next one.
    pub(super) fn slot_of(&self, lane: usize) -> usize {
        let exchange = self.lanes[lane].exchange.as_ref();
        match exchange.and_then(|exchange| exchange.slot) {
            Some(slot) => slot as usize,
            None => self.homes.current(self.homes.of_lane(lane)),
        }
    }

    #[allow(
        clippy::cast_possible_truncation,
        reason = "a plan has at most 1,000 streams a connection"
    )]
    pub(super) fn tag_of(&self, lane: usize) -> u32 {
        (lane % self.limits.streams) as u32
    }

    pub(super) fn lane_of(&self, slot: usize, tag: u32) -> usize {
        self.homes.lanes_of(slot).start + tag as usize
    }

    pub(super) fn lanes_of(&self, slot: usize) -> Range<usize> {
        self.homes.lanes_of(slot)
    }

    /// Serialises the bound request, or lets it wait for its connection or a stream.
    fn begin(&mut self, lane: usize) {
        let (slot, tag) = (self.slot_of(lane), self.tag_of(lane));
        let connection = &self.connections[slot];
        if connection.can_open() {
            return self.open(lane);
        }
        // Another connection may have room: the peer of this one allows fewer streams.
        if connection.phase().is_open() && self.give_back(lane) {
            return;
        }
        self.begin_to_wait(lane);
        let connection = &mut self.connections[slot];
        connection.waiting.push_back(tag);
        // What becomes of those who waited before is decided when the slot is settled.
        if connection.phase().is_closed() && connection.waiting.len() == 1 {
            self.connect(slot);
        }
    }

    /// Where requests share lanes, one that its connection cannot take waits for any lane again.
    fn give_back(&mut self, lane: usize) -> bool {
        let exchange = &mut self.lanes[lane].exchange;
        let is_unwritten = |exchange: &mut Exchange| exchange.written_ns.is_none();
        if !self.offers.takes_back() {
            return false;
        }
        let Some(exchange) = exchange.take_if(is_unwritten) else {
            return false;
        };
        let waited_ns = exchange.no_connection_ns + exchange.no_stream_ns;
        let returned = Returned {
            operation: exchange.operation,
            intended_ns: exchange.intended_ns,
            taken_up_ns: self.now_ns.saturating_sub(waited_ns),
            sequence: exchange.sequence,
        };
        self.offers.give_back(lane, returned);
        true
    }

    /// From now on the request waits for a connection, which must be established in time, or on one
    /// that stands, for no longer than a timeout.
    fn begin_to_wait(&mut self, lane: usize) {
        let connection = &self.connections[self.slot_of(lane)];
        let stands = connection.phase().is_open();
        let is_for_stream = stands && !connection.is_closing();
        let now_ns = self.now_ns;
        if let Some(exchange) = &mut self.lanes[lane].exchange {
            exchange.waits_since_ns = now_ns;
            exchange.waits_for_stream = is_for_stream;
            // What was written once has the deadline of its response.
            if stands && exchange.written_ns.is_none() {
                self.waits.add(lane, now_ns + self.limits.timeout_ns);
            }
        }
    }

    /// The request is to be written once more, before those that wait: after a redirect, or since the
    /// peer refused it.
    pub(super) fn wait_again(&mut self, lane: usize) {
        if let Some(exchange) = &mut self.lanes[lane].exchange {
            exchange.slot = None;
        }
        self.begin_to_wait(lane);
        let (slot, tag) = (self.slot_of(lane), self.tag_of(lane));
        self.connections[slot].waiting.push_front(tag);
        self.mark_dirty(slot);
    }

    /// Does what the state of a connection asks for, after anything that may have changed it.
    pub(super) fn settle(&mut self, slot: usize) {
        let connection = &self.connections[slot];
        match connection.phase() {
            Phase::Open(_) if connection.is_drained() => self.close_drained(slot),
            Phase::Open(_) if connection.is_closing() => self.change_over(slot),
            Phase::Open(_) => {
                let limit = connection.stream_limit();
                self.open_waiting(slot);
                self.offers.allow(self.lanes_of(slot).start, limit);
            }
            Phase::Closed { .. } if connection.waiting.is_empty() => {}
            // Another attempt would end in the same way, again and again.
            Phase::Closed { was_futile: true } => {
                self.give_up_waiting(slot, Outcome::Read, &Detail::EndOfStream(0));
            }
            Phase::Closed { was_futile: false } => self.connect_for_waiting(slot),
            Phase::Connecting | Phase::Securing | Phase::Greeting => {}
        }
    }

    /// The connection carries no further request, and still brings answers: the lanes' next requests
    /// go to another, if the last one of theirs that was ended is done.
    fn change_over(&mut self, slot: usize) {
        let Some(other) = self.homes.other(slot) else {
            return;
        };
        if !self.homes.is_current(slot) || !self.connections[other].phase().is_closed() {
            return;
        }
        self.homes.change_over(other);
        self.connections[other].waiting = std::mem::take(&mut self.connections[slot].waiting);
        self.tell_idle_lanes(other);
        if !self.connections[other].waiting.is_empty() {
            self.connect_for_waiting(other);
        }
    }

    /// Connects anew for the requests that wait.
    fn connect_for_waiting(&mut self, slot: usize) {
        for place in 0..self.connections[slot].waiting.len() {
            let lane = self.lane_of(slot, self.connections[slot].waiting[place]);
            if let Some(exchange) = &mut self.lanes[lane].exchange {
                exchange.waited_until(self.now_ns);
                exchange.waits_since_ns = self.now_ns;
                exchange.waits_for_stream = false;
            }
        }
        self.connect(slot);
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

    /// The connection stands: it takes requests that wait, and those beyond its limit wait for a stream.
    pub(super) fn on_open(&mut self, slot: usize) {
        self.open_waiting(slot);
        if self.connections[slot].is_closing() {
            return;
        }
        let mut waiting = std::mem::take(&mut self.connections[slot].waiting);
        waiting.retain(|&tag| {
            let lane = self.lane_of(slot, tag);
            if let Some(exchange) = &mut self.lanes[lane].exchange {
                exchange.waited_until(self.now_ns);
            }
            let is_given_back = self.give_back(lane);
            if !is_given_back {
                self.begin_to_wait(lane);
            }
            !is_given_back
        });
        self.connections[slot].waiting = waiting;
    }

    /// Writes waiting requests as long as the connection takes them.
    fn open_waiting(&mut self, slot: usize) {
        while self.connections[slot].can_open() {
            let Some(tag) = self.connections[slot].waiting.pop_front() else {
                return;
            };
            let lane = self.lane_of(slot, tag);
            self.waits.remove(lane);
            let now_ns = self.now_ns;
            if let Some(exchange) = &mut self.lanes[lane].exchange {
                exchange.waited_until(now_ns);
            }
            self.open(lane);
        }
    }

    #[allow(
        clippy::cast_possible_truncation,
        reason = "as many slots as lanes at most"
    )]
    fn open(&mut self, lane: usize) {
        let (slot, tag) = (self.slot_of(lane), self.tag_of(lane));
        let place = &mut self.lanes[lane];
        let Some(request) = place.request(&self.requests) else {
            return;
        };
        let connection = &mut self.connections[slot];
        let length = connection.open(
            tag,
            request,
            &self.maker.fields,
            self.limits.one_request_each,
        );
        if let Some(exchange) = &mut place.exchange {
            exchange.slot = Some(slot as u32);
            exchange.sent += length as u64;
            if exchange.written_ns.is_none() {
                connection.unstamped.push(tag);
            }
        }
        self.mark_dirty(slot);
    }

    /// The connection is flushed and settled before the worker waits again.
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
            self.settle(slot);
        }
        self.dirty.clear();
    }

    /// Gives the kernel what it takes of what is serialised.
    pub(super) fn flush(&mut self, slot: usize) {
        let lanes = self.lanes_of(slot);
        // Also what has to wait in the kernel's or TLS's buffers has its deadline from now on.
        self.stamp(slot);
        loop {
            let connection = &mut self.connections[slot];
            if matches!(connection.phase(), Phase::Closed { .. } | Phase::Connecting) {
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
            } else if connection.phase() == Phase::Securing {
                return;
            } else if connection.unsent().is_empty() {
                let lanes = &mut self.lanes[lanes.clone()];
                if !connection.write_more(lanes, &self.requests) {
                    return;
                }
            } else {
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
            let lane = self.homes.lanes_of(slot).start + tag as usize;
            if let Some(exchange) = &mut self.lanes[lane].exchange {
                exchange.written_ns = Some(now_ns);
                self.in_flight.add(lane, now_ns + self.limits.timeout_ns);
            }
        }
    }
}
