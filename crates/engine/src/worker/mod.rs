//! One worker: begins sessions, writes their requests, reads responses, and records what became of each.
//!
//! `offers` say what is due. `sessions` know what each session does next; a request of theirs is put into a
//! lane by `sending`, and comes back by `socket_events`; `ending` gives it its outcome, and `going_on` says
//! what that means for its session.
//!
//! Generic over the event loop, so that all of it runs without sockets or real time in tests.
//! Nothing here is shared with other workers, and nothing is allocated per request.

mod alarm;
mod deadlines;
mod ending;
mod finishing;
mod going_on;
mod homes;
mod limits;
mod scheduling;
mod sending;
mod sessions;
mod socket_events;
pub mod thread;

use rustix::io::Errno;
use thiserror::Error;

use crate::arrivals::budget::Budget;
use crate::arrivals::offers::Offers;
use crate::event_loop::EventLoop;
use crate::event_loop::choice::ChosenLoop;
use crate::exchange::connection::Connection;
use crate::exchange::lane::Lane;
use crate::exchange::request::{Request, RequestError, RequestMaker};
use crate::exchange::request_template::Scratch;
use crate::host::accept_queue::AcceptQueue;
use crate::host::load_clock::LoadClock;
use crate::plan::Plan;
use crate::plan::cells::cells;
use crate::protocol::http2::StreamEnd;
use crate::protocol::tls::{TlsClient, TlsSettings};
use crate::record::answer_kinds::AnswerKinds;
use crate::record::interval_stats::IntervalStats;
use crate::record::request_rows::RequestRows;
use crate::record::samples::Sample;
use crate::record::step_counts::AnswerCounts;
use crate::record::user_stats::UserStats;
use crate::record::worker_interval::{IntervalCutter, WorkerInterval};
use crate::record::worker_totals::WorkerTotals;
use crate::report::stop_facts::Stopped;
use crate::session::rows::Rows;
use crate::worker::alarm::Alarm;
use crate::worker::deadlines::Deadlines;
use crate::worker::homes::Homes;
use crate::worker::limits::Limits;
use crate::worker::sessions::Sessions;
use crate::worker::sessions::group::GroupError;

/// What a worker tells while it runs.
#[derive(Debug)]
pub enum Report {
    /// An interval has ended.
    Interval(WorkerInterval),
    /// A response was kept.
    Sample(Sample),
    /// The worker's share of the count is offered.
    CountReached,
    /// A request did what the plan stops for, or a feed has no row left.
    StopRule(Stopped),
    /// Rows of requests that ended.
    Rows(Vec<u8>),
}

/// What a worker carries out.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// A checked plan.
    pub plan: &'a Plan,
    /// How TLS is spoken, if it is.
    pub tls: Option<&'a TlsSettings>,
    /// The plan's feeds.
    pub feeds: &'a [Rows],
}

/// Why a worker cannot carry out a plan.
#[derive(Debug, Error)]
pub enum TaskError {
    /// A request.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The sessions of a group.
    #[error(transparent)]
    Group(#[from] GroupError),
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
    maker: RequestMaker,
    scratch: Scratch,
    /// By operation, over all groups.
    requests: Vec<Request>,
    tls: Option<TlsClient>,
    offers: Offers,
    sessions: Sessions,
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
    /// What each connection got, by lane.
    users: Vec<UserStats>,
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
        self.sessions.start_at(clock.start_unix_ns());
    }
}

impl<L: EventLoop> Worker<L> {
    /// How many slots the event loop of a worker needs that has so many connections.
    #[must_use]
    pub fn slots_of_loop(plan: &Plan, homes: usize) -> usize {
        Homes::new(homes, Limits::of(plan).streams).slots()
    }

    /// A worker for these arrivals, none of whose connections is open yet.
    ///
    /// # Errors
    /// If the plan cannot be carried out, which a checked one can be.
    pub fn new(
        events: L,
        task: Task<'_>,
        offers: Offers,
        count: Option<u64>,
    ) -> Result<Self, TaskError> {
        let plan = task.plan;
        let limits = Limits::of(plan);
        let cells = cells(plan);
        let mut maker = RequestMaker::new(plan);
        let mut requests = Vec::new();
        for (first_cell, cell) in cells.iter().enumerate() {
            if cell.status.is_none() {
                let group = &plan.groups[cell.group];
                let operation = &group.operations[cell.operation_of_group];
                requests.push(maker.make(group, operation, first_cell)?);
            }
        }
        let homes = Homes::new(offers.homes(), limits.streams);
        let (lanes, slots) = (homes.lanes(), homes.slots());
        Ok(Self {
            events,
            is_http2: plan.protocol.is_http2(),
            sessions: Sessions::new(&task, &maker.origin(), &offers)?,
            maker,
            scratch: Scratch::default(),
            tls: task.tls.map(TlsSettings::client),
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
                (cells.len(), plan.groups.len()),
                requests.len(),
                limits.latest_end_ns,
                limits.samples_per_second,
            ),
            rows: RequestRows::new(limits.records_requests),
            requests,
            limits,
            stopping: false,
            stopped: false,
            grace_end_ns: u64::MAX,
            users: vec![UserStats::default(); lanes],
            totals: WorkerTotals {
                kinds: vec![AnswerKinds::default(); cells.len()],
                answers: vec![AnswerCounts::default(); cells.len()],
                ..WorkerTotals::default()
            },
            reports: Vec::new(),
            alarm: Alarm::default(),
            accept_queue: AcceptQueue::default(),
            woken_ns: 0,
            now_ns: 0,
        })
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
        while let Some((group, offer)) = self.offers.give_up() {
            self.take_offer(group, offer);
        }
        self.cut_pausing(stop_ns);
        self.stopping = false;
    }
}

#[cfg(any(test, fuzzing))]
mod invariants;
#[cfg(any(test, fuzzing))]
pub mod simulated;
#[cfg(test)]
mod tests;
