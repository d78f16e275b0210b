//! How sessions begin, go on and end: what an offer, and the outcome of a request, mean for them.

use crate::arrivals::closed_arrivals::BACK_OFF_NS;
use crate::arrivals::offers::{Due, Offer};
use crate::event_loop::EventLoop;
use crate::outcome::{NotSent, Outcome};
use crate::record::session_stats::SessionEnd;
use crate::report::stop_facts::{StopReason, Stopped};
use crate::worker::Worker;
use crate::worker::sessions::{Begun, Next, Refused};

impl<L: EventLoop> Worker<L> {
    /// Does what is due.
    pub(super) fn take_offer(&mut self, group: usize, offer: Offer) {
        match offer {
            Offer::Begin {
                due,
                number,
                is_new,
            } => self.begin_session(group, due, number, is_new),
            Offer::Step(due) => self.send_step(group, due),
            Offer::NotBegun {
                number,
                intended_ns,
                cause,
            } => self.refuse_session(group, number, intended_ns, cause),
            Offer::NotSent {
                place,
                intended_ns,
                cause,
            } => {
                self.sessions
                    .offered(group, place, intended_ns, &mut self.rows);
                let operation = self.sessions.operation(group, place);
                let origin = self.sessions.origin(group, place);
                self.count_not_sent(group, operation, intended_ns, cause, origin);
                self.session_goes_on(group, place, Outcome::NotSent, false, false);
            }
            Offer::Leave { place, at_ns } => {
                self.end_session(group, place, SessionEnd::Cut, at_ns);
                self.leave(group, place);
                self.offers.place_left(group, place);
            }
        }
    }

    fn begin_session(&mut self, group: usize, due: Due, number: u64, is_new: bool) {
        let place = due.place;
        let now_ns = self.now_ns;
        match self.sessions.begin(group, place, number, is_new, now_ns) {
            Begun::Step => {
                self.intervals.stats().sessions[group].begun += 1;
                self.send_step(group, due);
            }
            Begun::Nothing => {
                self.budget.give_back();
                self.intervals.stats().sessions[group].begun += 1;
                self.free_lane(due.lane);
                self.end_session(group, place, SessionEnd::Finished, now_ns);
                let due_ns = now_ns + BACK_OFF_NS;
                self.offers
                    .session_ended(group, place, now_ns, due_ns, false);
            }
            Begun::Exhausted => {
                self.budget.give_back();
                self.free_lane(due.lane);
                self.offers.place_left(group, place);
                self.feed_exhausted(group);
            }
        }
    }

    /// An arrival is not sent: its session begins and is aborted with its first request.
    fn refuse_session(&mut self, group: usize, number: u64, intended_ns: u64, cause: NotSent) {
        let refused = self
            .sessions
            .refuse(group, number, &mut self.rows, self.now_ns);
        let stats = &mut self.intervals.stats().sessions[group];
        match refused {
            Refused::Step(operation, origin) => {
                stats.begun += 1;
                stats.ended(SessionEnd::Aborted(Outcome::NotSent), None);
                self.count_not_sent(group, operation, intended_ns, cause, origin);
            }
            Refused::Nothing => {
                stats.begun += 1;
                stats.ended(SessionEnd::Finished, None);
                self.budget.give_back();
            }
            Refused::Exhausted => {
                self.budget.give_back();
                self.feed_exhausted(group);
            }
        }
    }

    /// A feed whose rows are taken once has none left: the load stops.
    fn feed_exhausted(&mut self, group: usize) {
        self.report_stop_rule(Stopped {
            reason: StopReason::FeedExhausted,
            group: Some(group),
        });
    }

    /// The request that a session was at has this outcome: the session goes on, or ends. Returns whether
    /// its user goes on, and its connection with it.
    pub(super) fn session_goes_on(
        &mut self,
        group: usize,
        place: usize,
        outcome: Outcome,
        ends_session: bool,
        lost_connection: bool,
    ) -> bool {
        let done_ns = self.now_ns;
        let due_ns = done_ns + self.sessions.pause_ns(group, place);
        match self
            .sessions
            .next(group, place, outcome, ends_session, done_ns)
        {
            Next::Step if self.stopped => {
                self.end_session(group, place, SessionEnd::Cut, done_ns);
                true
            }
            Next::Step => {
                let goes_on =
                    self.offers
                        .step_planned(group, place, done_ns, due_ns, lost_connection);
                if !goes_on {
                    self.end_session(group, place, SessionEnd::Cut, done_ns);
                    self.offers.user_left(group, place, done_ns);
                }
                goes_on
            }
            Next::End(end) => {
                self.end_session(group, place, end, done_ns);
                self.offers
                    .session_ended(group, place, done_ns, due_ns, lost_connection)
            }
        }
    }

    /// Cuts the sessions that are between two requests: the load stops.
    pub(super) fn cut_pausing(&mut self, stop_ns: u64) {
        for group in 0..self.offers.groups() {
            for place in 0..self.sessions.places(group) {
                if self.sessions.is_pausing(group, place) {
                    self.end_session(group, place, SessionEnd::Cut, stop_ns);
                }
            }
        }
    }

    fn end_session(&mut self, group: usize, place: usize, end: SessionEnd, at_ns: u64) {
        let duration_ns = self.sessions.end(group, place, end, at_ns);
        self.intervals.stats().sessions[group].ended(end, duration_ns);
    }

    /// A user has left in its pause: its connection is closed, unless another of its places still uses it.
    fn leave(&mut self, group: usize, place: usize) {
        let Some(home) = self.offers.home_of_place(group, place) else {
            return;
        };
        self.close_if_idle(self.homes.current(home));
    }

    /// A lane is free; whether its connection stands.
    pub(super) fn free_lane(&mut self, lane: usize) -> bool {
        let connection = &self.connections[self.slot_of(lane)];
        let is_open = connection.phase().is_open() && !connection.is_closing();
        self.offers.lane_freed(lane, is_open);
        is_open
    }

    /// Closes a connection that is of no more use to who leaves it, unless others use it.
    pub(super) fn close_if_idle(&mut self, slot: usize) {
        let connection = &self.connections[slot];
        let is_open = connection.phase().is_open() && !connection.is_closing();
        if is_open && connection.in_flight() == 0 && connection.waiting.is_empty() {
            self.close_politely(slot);
        }
    }
}
