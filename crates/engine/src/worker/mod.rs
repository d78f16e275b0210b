//! One worker: offers requests, writes them, reads responses, and records what became of each.
//!
//! Generic over the event loop, so that all of it runs without sockets or real time in tests.
//! Nothing here is shared with other workers, and nothing is allocated per request.

mod sockets;
pub mod thread;

use rustix::io::Errno;
use std::sync::Arc;

use crate::connection::Connection;
use crate::deadlines::Deadlines;
use crate::event_loop::EventLoop;
use crate::intervals::{Gauges, Interval, Intervals};
use crate::offers::{Budget, Offer, Offers};
use crate::outcome::{Detail, DetailSamples, NotSent, Outcome};
use crate::recorder::IntervalStats;
use crate::request::Request;
use crate::samples::Sample;

/// Times and sizes that hold for every request.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// When the load stops.
    pub duration_ns: u64,
    /// Since the connection was begun.
    pub connect_timeout_ns: u64,
    /// Since the request was written.
    pub timeout_ns: u64,
    /// After the stop.
    pub grace_ns: u64,
    /// Responses kept a second and operation.
    pub samples_per_second: u32,
    /// Bytes kept of each.
    pub sample_body_bytes: usize,
}

/// What a worker tells while it runs.
#[derive(Debug)]
pub enum Report {
    /// An interval has ended.
    Interval(Interval),
    /// A response was kept.
    Sample(Sample),
    /// The worker's share of the count is offered.
    CountReached,
}

/// What a worker counted over the whole load.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Requests offered, counted where they arise.
    pub offered: u64,
    /// Connections established.
    pub opened: u64,
    /// Attempts that failed.
    pub failed: u64,
    /// Connections that the server ended, or said it would.
    pub closed_by_server: u64,
    /// Age of the oldest unanswered request.
    pub unanswered_oldest_ns: Option<u64>,
    /// A few of the things seen.
    pub details: DetailSamples,
    /// The longest time between two waits, or by which a wait was overslept.
    pub longest_stall_ns: u64,
    /// When the load stopped.
    pub stop_ns: u64,
    /// When the last request had its outcome.
    pub end_ns: u64,
}

/// One worker.
#[derive(Debug)]
pub struct Worker<L> {
    events: L,
    requests: Arc<[Request]>,
    limits: Limits,
    offers: Offers,
    budget: Budget,
    count_reported: bool,
    connections: Vec<Connection>,
    open_connections: u64,
    connecting: Deadlines,
    in_flight: Deadlines,
    intervals: Intervals,
    stopping: bool,
    stopped: bool,
    grace_end_ns: u64,
    totals: Totals,
    reports: Vec<Report>,
    woken_ns: u64,
    /// The last reading of the clock.
    now_ns: u64,
}

impl<L: EventLoop> Worker<L> {
    /// A worker with `slots` connections, none of them open yet.
    #[must_use]
    pub fn new(
        events: L,
        requests: Arc<[Request]>,
        limits: Limits,
        offers: Offers,
        slots: usize,
        count: Option<u64>,
    ) -> Self {
        let intervals = Intervals::new(
            requests.len(),
            limits.duration_ns,
            limits.samples_per_second,
        );
        Self {
            events,
            requests,
            limits,
            offers,
            budget: Budget::new(count),
            count_reported: false,
            connections: (0..slots).map(|_| Connection::default()).collect(),
            open_connections: 0,
            connecting: Deadlines::new(slots),
            in_flight: Deadlines::new(slots),
            intervals,
            stopping: false,
            stopped: false,
            grace_end_ns: u64::MAX,
            totals: Totals::default(),
            reports: Vec::new(),
            woken_ns: 0,
            now_ns: 0,
        }
    }

    /// How the worker waits for the kernel.
    #[must_use]
    pub fn loop_name(&self) -> &'static str {
        self.events.name()
    }

    /// Takes what there is to tell since the last call.
    pub fn reports(&mut self) -> std::vec::Drain<'_, Report> {
        self.reports.drain(..)
    }

    /// Memory of a handed-over interval, to be used again.
    pub fn recycle(&mut self, stats: IntervalStats) {
        self.intervals.recycle(stats);
    }

    /// Stops offering requests, now.
    pub fn stop(&mut self) {
        let now_ns = self.read_clock();
        self.advance(now_ns);
        self.intervals.stop_at(now_ns);
        self.advance(now_ns);
    }

    /// Ends the grace period, now.
    pub fn cut_grace(&mut self) {
        self.grace_end_ns = self.read_clock();
    }

    /// Whether the load has stopped and nothing is to be waited for.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        let is_idle = self.connecting.is_empty() && self.in_flight.is_empty();
        self.stopped && (is_idle || self.now_ns >= self.grace_end_ns)
    }

    /// One turn: waits, handles what happened, what timed out and what became due.
    ///
    /// # Errors
    /// If the kernel refuses to wait.
    pub fn turn(&mut self) -> Result<(), Errno> {
        let deadline_ns = self.deadline_ns();
        let before_ns = self.read_clock();
        let busy_ns = before_ns - self.woken_ns;
        self.events.wait(deadline_ns)?;
        self.woken_ns = self.read_clock();
        let overslept_ns = self.woken_ns.saturating_sub(deadline_ns.max(before_ns));
        let longest_ns = &mut self.totals.longest_stall_ns;
        *longest_ns = (*longest_ns).max(busy_ns).max(overslept_ns);
        self.advance(self.woken_ns);
        while let Some(event) = self.events.next_event() {
            self.on_event(event);
            self.begin_due(self.now_ns);
        }
        let now_ns = self.read_clock();
        self.expire(now_ns);
        self.begin_due(now_ns);
        if self.budget.is_spent() && !self.count_reported {
            self.count_reported = true;
            self.reports.push(Report::CountReached);
        }
        Ok(())
    }

    /// Ends everything that is left, and hands over the last interval.
    pub fn finish(mut self) -> (Totals, Vec<Report>) {
        let now_ns = self.read_clock();
        for slot in 0..self.connections.len() {
            let Some(exchange) = self.connections[slot].exchange else {
                continue;
            };
            if exchange.written_ns.is_some() {
                let age_ns = now_ns - exchange.intended_ns;
                let oldest_ns = &mut self.totals.unanswered_oldest_ns;
                *oldest_ns = Some(oldest_ns.unwrap_or_default().max(age_ns));
                self.end(slot, Outcome::Unanswered, None, false, now_ns);
            } else {
                self.connections[slot].exchange = None;
                self.connecting.remove(slot);
                self.intervals
                    .stats()
                    .record_not_sent(exchange.operation, NotSent::NoConnection);
            }
        }
        let gauges = self.gauges();
        let last = self.intervals.finish(now_ns, gauges);
        self.reports.push(Report::Interval(last));
        self.totals.offered = self.budget.offered();
        self.totals.stop_ns = self.intervals.stop_ns();
        self.totals.end_ns = now_ns;
        (self.totals, self.reports)
    }

    fn read_clock(&mut self) -> u64 {
        self.now_ns = self.events.now_ns();
        self.now_ns
    }

    fn deadline_ns(&self) -> u64 {
        let load_ns = if self.stopped {
            self.grace_end_ns
        } else {
            self.offers.due_ns(&self.budget)
        };
        let connect_ns = self.connecting.first_ns().unwrap_or(u64::MAX);
        let response_ns = self.in_flight.first_ns().unwrap_or(u64::MAX);
        self.intervals
            .end_ns()
            .min(load_ns)
            .min(connect_ns)
            .min(response_ns)
    }

    fn gauges(&self) -> Gauges {
        Gauges {
            in_flight: self.in_flight.len() as u64,
            connections: self.open_connections,
            offered: self.budget.offered(),
        }
    }

    /// Ends every interval whose end has passed, and the load with the one that ends at the stop.
    fn advance(&mut self, now_ns: u64) {
        while !self.stopping && now_ns >= self.intervals.end_ns() {
            if self.intervals.ends_with_stop() && !self.stopped {
                self.on_stop();
                continue;
            }
            let gauges = self.gauges();
            let ended = self.intervals.rotate(gauges);
            self.reports.push(Report::Interval(ended));
        }
    }

    fn on_stop(&mut self) {
        let stop_ns = self.intervals.stop_ns();
        self.stopping = true;
        // What was due before the stop is part of the plan, also if the worker comes late to it.
        self.begin_due(stop_ns.saturating_sub(1));
        self.stopped = true;
        self.grace_end_ns = stop_ns + self.limits.grace_ns;
        while let Some((_, operation)) = self.offers.give_up() {
            self.intervals
                .stats()
                .record_not_sent(operation, NotSent::NoConnection);
        }
        self.stopping = false;
    }

    /// Begins whatever is due by now: next steps of sessions, then new sessions.
    fn begin_due(&mut self, now_ns: u64) {
        while !self.stopped {
            match self.offers.next(now_ns, &mut self.budget) {
                Some(Offer::Send {
                    lane: slot,
                    operation,
                    intended_ns,
                    ..
                }) => {
                    self.connections[slot].bind(operation, intended_ns, &self.requests[operation]);
                    self.begin(slot);
                }
                Some(Offer::NotSent {
                    operation, cause, ..
                }) => {
                    self.intervals.stats().record_not_sent(operation, cause);
                }
                None => return,
            }
        }
    }

    fn expire(&mut self, now_ns: u64) {
        while let Some(slot) = self.connecting.first_slot()
            && self.connecting.first_ns() <= Some(now_ns)
        {
            let detail = Detail::ConnectTimeout(self.limits.connect_timeout_ns);
            self.on_connect_failed(slot, detail);
        }
        while let Some(slot) = self.in_flight.first_slot()
            && self.in_flight.first_ns() <= Some(now_ns)
        {
            let detail = Detail::ResponseTimeout(self.limits.timeout_ns);
            self.end(slot, Outcome::Timeout, Some(detail), false, now_ns);
        }
    }
}

#[cfg(test)]
mod simulated;
#[cfg(test)]
mod tests;
