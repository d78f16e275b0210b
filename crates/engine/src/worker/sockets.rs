//! A worker's sockets: connecting, writing, reading, and what became of each request.

use crate::connection::{Phase, Step};
use crate::event_loop::{Connecting, Event, EventLoop, Received};
use crate::outcome::{Detail, Outcome};
use crate::recorder::Ended;
use crate::worker::{Report, Worker};

impl<L: EventLoop> Worker<L> {
    /// Writes the bound request, on a new connection if need be.
    pub(super) fn begin(&mut self, slot: usize) {
        if self.connections[slot].phase == Phase::Open {
            self.write(slot);
            return;
        }
        let begun_ns = self.read_clock();
        match self.events.connect(slot) {
            Ok(Connecting::Done) => self.on_connected(slot),
            Ok(Connecting::Pending) => {
                self.connections[slot].phase = Phase::Connecting;
                self.connecting
                    .add(slot, begun_ns + self.limits.connect_timeout_ns);
            }
            Err(errno) => self.on_connect_failed(slot, Detail::Kernel(errno)),
        }
    }

    fn on_connected(&mut self, slot: usize) {
        self.connecting.remove(slot);
        self.connections[slot].phase = Phase::Open;
        self.open_connections += 1;
        self.totals.opened += 1;
        self.write(slot);
    }

    pub(super) fn on_connect_failed(&mut self, slot: usize, detail: Detail) {
        self.totals.failed += 1;
        let now_ns = self.read_clock();
        self.end(slot, Outcome::Connect, Some(detail), false, now_ns);
    }

    /// Writes as much of the bound request as the kernel takes.
    fn write(&mut self, slot: usize) {
        let Some(exchange) = &mut self.connections[slot].exchange else {
            return;
        };
        let bytes = &self.requests[exchange.operation].bytes;
        if exchange.written_ns.is_none() {
            self.now_ns = self.events.now_ns();
            exchange.written_ns = Some(self.now_ns);
            self.in_flight
                .add(slot, self.now_ns + self.limits.timeout_ns);
        }
        while exchange.sent < bytes.len() {
            match self.events.send(slot, &bytes[exchange.sent..]) {
                // The kernel is full; it tells when it takes more.
                Ok(0) => return,
                Ok(count) => exchange.sent += count,
                Err(errno) => {
                    let now_ns = self.read_clock();
                    self.end(
                        slot,
                        Outcome::Send,
                        Some(Detail::Kernel(errno)),
                        false,
                        now_ns,
                    );
                    return;
                }
            }
        }
    }

    /// Something happened to a socket.
    pub(super) fn on_event(&mut self, event: Event) {
        if self.connections[event.slot].phase == Phase::Connecting {
            if !event.writable {
                return;
            }
            match self.events.connected(event.slot) {
                Ok(()) => self.on_connected(event.slot),
                Err(errno) => self.on_connect_failed(event.slot, Detail::Kernel(errno)),
            }
        }
        if event.readable {
            self.read(event.slot, event.hung_up);
        }
        if event.writable && self.connections[event.slot].is_waiting() {
            self.write(event.slot);
        }
    }

    fn read(&mut self, slot: usize, hung_up: bool) {
        while self.connections[slot].phase == Phase::Open {
            let connection = &mut self.connections[slot];
            let step = match self.events.receive(slot) {
                Ok(Received::Bytes { bytes, more, at_ns }) => {
                    self.now_ns = at_ns;
                    let samples = self.intervals.samples();
                    let limit_bytes = self.limits.sample_body_bytes;
                    let step = connection.on_bytes(bytes, &self.requests, samples, limit_bytes);
                    self.totals.closed_by_server += u64::from(step.is_last_response());
                    self.on_step(slot, step);
                    if more || hung_up {
                        continue;
                    }
                    return;
                }
                Ok(Received::Nothing) => return,
                Ok(Received::Closed) => connection.on_end_of_stream(&self.requests),
                Err(errno) => connection.on_reset(&self.requests, errno),
            };
            self.totals.closed_by_server += 1;
            self.read_clock();
            self.on_step(slot, step);
        }
    }

    fn on_step(&mut self, slot: usize, step: Step) {
        match step {
            Step::More => {}
            Step::Ended {
                outcome,
                detail,
                keep,
            } => {
                self.end(slot, outcome, detail, keep, self.now_ns);
            }
            Step::Unasked => {
                self.close(slot);
                self.offers.closed_while_idle(slot);
            }
        }
    }

    /// A request has its outcome: records it, and frees the slot or goes on with the session.
    pub(super) fn end(
        &mut self,
        slot: usize,
        outcome: Outcome,
        detail: Option<Detail>,
        keep: bool,
        done_ns: u64,
    ) {
        self.advance(done_ns);
        self.connecting.remove(slot);
        self.in_flight.remove(slot);
        let connection = &mut self.connections[slot];
        let Some(exchange) = connection.exchange.take() else {
            return;
        };
        self.intervals.stats().record(&Ended {
            operation: exchange.operation,
            outcome,
            intended_ns: exchange.intended_ns,
            written_ns: exchange.written_ns,
            done_ns,
            bytes_sent: exchange.sent as u64,
            bytes_received: exchange.received,
        });
        let is_response = outcome.is_response();
        if let Some(sample) = connection.take_sample(done_ns) {
            if is_response {
                self.reports.push(Report::Sample(sample));
            } else {
                self.intervals.samples().give_back(exchange.operation);
            }
        }
        if let Some(detail) = detail {
            self.totals.details.keep(outcome, detail);
        }
        if !keep {
            self.close(slot);
        }
        let next = exchange.operation + 1;
        let goes_on = outcome == Outcome::Ok && next < self.requests.len() && !self.stopped;
        if goes_on {
            self.offers.step_done(slot, next, done_ns);
            return;
        }
        let lost_connection = !is_response && outcome != Outcome::Timeout;
        if !self.offers.freed(slot, done_ns, keep, lost_connection) && keep {
            self.close(slot);
        }
    }

    fn close(&mut self, slot: usize) {
        let connection = &mut self.connections[slot];
        if connection.phase == Phase::Open {
            self.open_connections -= 1;
        }
        connection.phase = Phase::Closed;
        self.events.close(slot);
    }
}
