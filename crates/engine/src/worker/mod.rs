//! One worker: offers requests, writes them, reads responses, and records what became of each.
//!
//! Generic over the event loop, so that all of it runs without sockets or real time in tests.
//! Nothing here is shared with other workers, and nothing is allocated per request.

mod alarm;
mod deadlines;
mod ending;
mod homes;
mod limits;
mod scheduling;
mod sending;
mod socket_events;
pub mod thread;

use rustix::io::Errno;

use crate::arrivals::offers::{Budget, Offer, Offers};
use crate::event_loop::EventLoop;
use crate::event_loop::choice::ChosenLoop;
use crate::exchange::connection::Connection;
use crate::exchange::lane::Lane;
use crate::exchange::request::{Request, RequestMaker};
use crate::host::accept_queue::AcceptQueue;
use crate::host::load_clock::LoadClock;
use crate::outcome::{Detail, Outcome};
use crate::plan::{Operation, Plan};
use crate::protocol::http2::StreamEnd;
use crate::protocol::tls::{TlsClient, TlsSettings};
use crate::record::answer_kinds::AnswerKinds;
use crate::record::interval_stats::IntervalStats;
use crate::record::request_rows::RequestRows;
use crate::record::samples::Sample;
use crate::record::user_stats::UserStats;
use crate::record::worker_interval::{Gauges, IntervalCutter, WorkerInterval};
use crate::record::worker_totals::WorkerTotals;
use crate::report::summary::StopReason;
use crate::worker::alarm::Alarm;
use crate::worker::deadlines::Deadlines;
use crate::worker::homes::Homes;
use crate::worker::limits::Limits;

/// What a worker tells while it runs.
#[derive(Debug)]
pub enum Report {
    /// An interval has ended.
    Interval(WorkerInterval),
    /// A response was kept.
    Sample(Sample),
    /// The worker's share of the count is offered.
    CountReached,
    /// A request did what the plan stops for.
    StopRule(StopReason),
    /// Rows of requests that ended.
    Rows(Vec<u8>),
}

/// One worker.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each happens once, by itself"
)]
#[derive(Debug)]
pub struct Worker<L> {
    events: L,
    limits: Limits,
    is_http2: bool,
    operations: Vec<Operation>,
    maker: RequestMaker,
    requests: Vec<Request>,
    tls: Option<TlsClient>,
    offers: Offers,
    budget: Budget,
    count_reported: bool,
    stop_rule_reported: bool,
    lanes: Vec<Lane>,
    homes: Homes,
    connections: Vec<Connection>,
    open_connections: u64,
    /// Connections that are being established, by slot.
    connecting: Deadlines,
    /// Requests that wait for their response, by lane.
    in_flight: Deadlines,
    /// Requests that wait on a connection that stands, for a stream or for another connection, by lane.
    waits: Deadlines,
    /// Slots with something to write.
    dirty: Vec<usize>,
    /// What ended in the last read; kept for its memory.
    ended: Vec<(u32, StreamEnd)>,
    intervals: IntervalCutter,
    rows: RequestRows,
    stopping: bool,
    stopped: bool,
    grace_end_ns: u64,
    totals: WorkerTotals,
    reports: Vec<Report>,
    alarm: Alarm,
    accept_queue: AcceptQueue,
    woken_ns: u64,
    /// The last reading of the clock.
    now_ns: u64,
}

impl Worker<ChosenLoop> {
    /// The load begins when this clock says 0.
    pub fn start_clock(&mut self, clock: LoadClock) {
        self.events.begin(clock);
    }
}

impl<L: EventLoop> Worker<L> {
    /// How many slots the event loop of a worker needs that has so many connections.
    #[must_use]
    pub fn slots_of_loop(plan: &Plan, slots: usize) -> usize {
        Homes::new(slots, Limits::of(plan).streams).slots()
    }

    /// A worker of a checked plan with `slots` connections, none of them open yet.
    #[must_use]
    pub fn new(
        events: L,
        plan: &Plan,
        tls: Option<&TlsSettings>,
        offers: Offers,
        slots: usize,
        count: Option<u64>,
    ) -> Self {
        let limits = Limits::of(plan);
        let session = plan.groups.iter().flat_map(|group| &group.session);
        let operations: Vec<Operation> = session.cloned().collect();
        let mut maker = RequestMaker::new(plan);
        let requests = operations.iter().map(|one| maker.make(one)).collect();
        let homes = Homes::new(slots, limits.streams);
        let (lanes, slots) = (homes.lanes(), homes.slots());
        let answers = vec![AnswerKinds::default(); operations.len()];
        Self {
            events,
            is_http2: plan.protocol.is_http2(),
            maker,
            requests,
            tls: tls.map(TlsSettings::client),
            offers,
            budget: Budget::new(count),
            count_reported: false,
            stop_rule_reported: false,
            lanes: (0..lanes).map(|_| Lane::default()).collect(),
            homes,
            connections: (0..slots).map(|_| Connection::default()).collect(),
            open_connections: 0,
            connecting: Deadlines::new(slots),
            in_flight: Deadlines::new(lanes),
            waits: Deadlines::new(lanes),
            dirty: Vec::new(),
            ended: Vec::new(),
            intervals: IntervalCutter::new(
                operations.len(),
                limits.latest_end_ns,
                limits.samples_per_second,
            ),
            rows: RequestRows::new(limits.records_requests),
            operations,
            limits,
            stopping: false,
            stopped: false,
            grace_end_ns: u64::MAX,
            totals: WorkerTotals {
                users: vec![UserStats::default(); lanes],
                answers,
                ..WorkerTotals::default()
            },
            reports: Vec::new(),
            alarm: Alarm::default(),
            accept_queue: AcceptQueue::default(),
            woken_ns: 0,
            now_ns: 0,
        }
    }

    /// How the worker waits for the kernel.
    #[must_use]
    pub fn loop_name(&self) -> &'static str {
        self.events.name()
    }

    /// The last reading of the clock.
    #[must_use]
    pub fn now_ns(&self) -> u64 {
        self.now_ns
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
        self.end_at(0);
    }

    /// The window is fixed: lets the load stop at its end, which is not after the latest; now, if it
    /// has passed.
    pub fn end_window_at(&mut self, end_ns: u64) {
        self.limits.users_from_ns = end_ns.saturating_sub(self.limits.window_ns);
        self.end_at(end_ns);
    }

    fn end_at(&mut self, end_ns: u64) {
        let now_ns = self.read_clock();
        self.advance(now_ns);
        self.intervals.stop_at(end_ns.max(now_ns));
        self.advance(now_ns);
    }

    /// Ends the grace period, now.
    pub fn cut_grace(&mut self) {
        self.grace_end_ns = self.read_clock();
    }

    /// Whether the load has stopped and nothing is to be waited for.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        let is_idle =
            self.connecting.is_empty() && self.in_flight.is_empty() && self.waits.is_empty();
        self.stopped && (is_idle || self.now_ns >= self.grace_end_ns)
    }

    /// One round: waits, then handles what happened, what timed out and what became due.
    ///
    /// # Errors
    /// If the kernel refuses to wait.
    pub fn turn(&mut self) -> Result<(), Errno> {
        let deadline_ns = self.deadline_ns();
        let before_ns = self.read_clock();
        let busy_ns = before_ns - self.woken_ns;
        let alarm_ns = self.alarm.set(before_ns, deadline_ns);
        self.events.wait(alarm_ns)?;
        self.woken_ns = self.read_clock();
        if alarm_ns > before_ns {
            self.alarm.woke(deadline_ns, alarm_ns, self.woken_ns);
        }
        let overslept_ns = self.woken_ns.saturating_sub(deadline_ns.max(before_ns));
        self.intervals.stalled(busy_ns.max(overslept_ns));
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
        if let Some(rows) = self.rows.full() {
            self.reports.push(Report::Rows(rows));
        }
        Ok(())
    }

    /// Ends everything that is left, and hands over the last interval.
    pub fn finish(mut self) -> (WorkerTotals, Vec<Report>) {
        let now_ns = self.read_clock();
        for lane in 0..self.lanes.len() {
            let Some(exchange) = self.lanes[lane].exchange else {
                continue;
            };
            if exchange.written_ns.is_some() {
                let age_ns = now_ns - exchange.intended_ns;
                let oldest_ns = &mut self.totals.unanswered_oldest_ns;
                *oldest_ns = Some(oldest_ns.unwrap_or_default().max(age_ns));
                let waits = self.note_if_not_accepted(self.slot_of(lane));
                let detail = waits.then_some(Detail::NotAccepted);
                self.record(lane, Outcome::Unanswered, detail, now_ns);
            } else {
                self.record_not_sent(lane, exchange.cause_of_wait());
            }
        }
        let gauges = self.gauges(now_ns);
        let last = self.intervals.finish(now_ns, gauges);
        self.reports.push(Report::Interval(last));
        if let Some(rows) = self.rows.rest() {
            self.reports.push(Report::Rows(rows));
        }
        let of_connections = self.totals.users.chunks(self.limits.streams);
        self.totals.users = of_connections.map(UserStats::together).collect();
        self.totals.offered = self.budget.offered();
        self.totals.stop_ns = self.intervals.stop_ns();
        self.totals.end_ns = now_ns;
        let users_from_ns = self.limits.users_from_ns;
        self.totals.users_from_ns = (users_from_ns < self.totals.stop_ns).then_some(users_from_ns);
        self.totals.longest_stall_ns = self.intervals.longest_stall_ns();
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
        let wait_ns = self.waits.first_ns().unwrap_or(u64::MAX);
        self.intervals
            .end_ns()
            .min(load_ns)
            .min(connect_ns)
            .min(response_ns)
            .min(wait_ns)
    }

    fn gauges(&self, now_ns: u64) -> Gauges {
        let oldest_ns = self.oldest_intended_ns();
        Gauges {
            in_flight: self.in_flight.len() as u64,
            oldest_pending_ns: oldest_ns.map(|oldest_ns| now_ns.saturating_sub(oldest_ns)),
            connections: self.open_connections,
            offered: self.budget.offered(),
            users: self.offers.active_users(now_ns),
        }
    }

    /// When the oldest request was intended that has no outcome yet: of those that were written, that wait
    /// for a stream, for a connection and for a lane, each the one that has done so for longest.
    fn oldest_intended_ns(&self) -> Option<u64> {
        let connecting = self.connecting.first_entry().and_then(|slot| {
            let tag = self.connections[slot].waiting.front()?;
            Some(self.lane_of(slot, *tag))
        });
        let lanes = [
            self.in_flight.first_entry(),
            self.waits.first_entry(),
            connecting,
        ];
        let intended_ns = |lane: usize| Some(self.lanes[lane].exchange.as_ref()?.intended_ns);
        let in_lanes = lanes.into_iter().flatten().filter_map(intended_ns);
        in_lanes.chain(self.offers.first_waiting_ns()).min()
    }

    /// Ends every interval whose end has passed, and the load with the one that ends at the stop.
    fn advance(&mut self, now_ns: u64) {
        while !self.stopping && now_ns >= self.intervals.end_ns() {
            if self.intervals.ends_with_stop() && !self.stopped {
                self.on_stop();
                continue;
            }
            let gauges = self.gauges(self.intervals.end_ns());
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
        while let Some(Offer::NotSent {
            operation,
            intended_ns,
            cause,
            sequence,
        }) = self.offers.give_up()
        {
            self.not_sent(operation, intended_ns, cause, sequence);
        }
        self.stopping = false;
    }
}

#[cfg(test)]
mod simulated;
#[cfg(test)]
mod tests;
