//! Open arrivals: sessions begin when the plan says so, over a shared pool of connections.
//!
//! An arrival takes a free lane, else waits in order; what waits for a whole timeout is not sent.
//! The schedule itself is the queue: the arrivals between two places in it are those that wait. So far
//! more arrivals than can be served cost neither memory nor much time. A session keeps its lane until
//! its last step is done, think times included.

mod schedule_checks;

use std::collections::VecDeque;

use crate::arrivals::agenda::{Agenda, NextRequest};
use crate::arrivals::free_lanes::FreeLanes;
use crate::arrivals::offers::{Budget, Offer, Returned};
use crate::arrivals::open_arrivals::schedule_checks::{CHECK_EVERY_NS, ScheduleChecks};
use crate::arrivals::random::Generator;
use crate::arrivals::schedule::Schedule;
use crate::arrivals::think_times::ThinkTimes;
use crate::outcome::NotSent;

/// What was offered in a lane that could not take it, and the draws of its session's pauses.
#[derive(Clone, Debug)]
struct GivenBack {
    request: Returned,
    draws: Option<Generator>,
}

/// The open arrivals of one worker and its pool of lanes.
#[derive(Clone, Debug)]
pub struct OpenArrivals {
    /// The place of the next arrival that will be taken up.
    upcoming: Schedule,
    /// The place of the first one that was taken up and waits, if any does.
    first: Schedule,
    /// How many lie between the two.
    waiting: u64,
    checks: ScheduleChecks,
    /// In the order of their intended times.
    given_back: VecDeque<GivenBack>,
    timeout_ns: u64,
    lanes: FreeLanes,
    /// Later steps of sessions that have begun.
    steps: Agenda,
    thinking: ThinkTimes,
}

impl OpenArrivals {
    /// A pool of closed connections for the arrivals of `schedule`.
    #[must_use]
    pub fn new(
        schedule: Schedule,
        lanes: FreeLanes,
        thinking: ThinkTimes,
        timeout_ns: u64,
    ) -> Self {
        Self {
            upcoming: schedule.clone(),
            first: schedule,
            waiting: 0,
            checks: ScheduleChecks::default(),
            given_back: VecDeque::new(),
            timeout_ns,
            lanes,
            steps: Agenda::default(),
            thinking,
        }
    }

    /// When the next arrival or step is intended, or the first waiting arrival expires.
    #[must_use]
    pub fn due_ns(&self, budget: &Budget) -> u64 {
        let first_ns = self.first_waiting_ns();
        let expiry_ns = first_ns.map_or(u64::MAX, |first_ns| first_ns + self.timeout_ns);
        if budget.is_spent() {
            return expiry_ns;
        }
        let arrival_ns = self.upcoming.peek_ns();
        let due_ns = if first_ns.is_some() {
            // No lane is free: the next response brings a check.
            let check_ns = self.checks.last_ns() + CHECK_EVERY_NS.min(self.timeout_ns);
            arrival_ns.min(expiry_ns).max(check_ns)
        } else {
            arrival_ns
        };
        due_ns.min(self.steps.due_ns())
    }

    /// What becomes of the next step or arrival that is due by now.
    pub fn next(&mut self, now_ns: u64, budget: &mut Budget) -> Option<Offer> {
        if !budget.is_spent()
            && let Some(request) = self.steps.pop_due(now_ns)
        {
            budget.take();
            return Some(request.offer());
        }
        if let Some(intended_ns) = self.first_waiting_ns() {
            if intended_ns + self.timeout_ns <= now_ns {
                return self.give_up();
            }
            if let Some(lane) = self.lanes.take() {
                return self.serve_waiting(lane);
            }
        }
        if let Some(offer) = self.take_up(now_ns, budget) {
            return Some(offer);
        }
        if budget.is_spent() && self.end_sessions() {
            return self.next(now_ns, budget);
        }
        None
    }

    /// Takes up what is due by now, as long as no lane is free.
    fn take_up(&mut self, now_ns: u64, budget: &mut Budget) -> Option<Offer> {
        let waited = self.waiting > 0;
        while self.upcoming.peek_ns() <= now_ns && budget.take() {
            let intended_ns = self.upcoming.peek_ns();
            self.upcoming.advance();
            if let Some(lane) = self.lanes.take() {
                self.first.advance();
                return Some(self.send(lane, intended_ns, None));
            }
            self.waiting += 1;
        }
        self.checks.add(now_ns, waited, self.waiting > 0);
        None
    }

    /// The session goes on in its lane with this operation, after the think time.
    pub fn step_done(&mut self, lane: usize, next_operation: usize, done_ns: u64) {
        let due_ns = done_ns + self.thinking.draw_ns(lane);
        let request = NextRequest::new(due_ns, lane, next_operation);
        if self.thinking.keeps_order() {
            self.steps.add_in_order(request);
        } else {
            self.steps.add(request);
        }
    }

    /// A lane's session has ended; its connection is open or not.
    pub fn freed(&mut self, lane: usize, is_open: bool) {
        if is_open {
            self.lanes.release(lane);
        } else {
            self.lanes.close(lane);
        }
    }

    /// A connection was closed while this lane of it carried no request.
    pub fn closed_while_idle(&mut self, lane: usize) {
        self.lanes.connection_closed(lane);
    }

    /// Why an arrival waits: for a stream where a peer allows fewer than the plan.
    #[must_use]
    pub fn cause_of_waiting(&self) -> NotSent {
        if self.lanes.has_parked() {
            NotSent::NoStream
        } else {
            NotSent::NoConnection
        }
    }

    /// What was just offered in this lane waits again, in its old place; the lane rests until its
    /// connection allows more, or is closed.
    pub fn give_back(&mut self, lane: usize, request: Returned) {
        self.lanes.park(lane);
        let is_earlier = |other: &GivenBack| other.request.intended_ns < request.intended_ns;
        let place = self.given_back.partition_point(is_earlier);
        let draws = self.thinking.draws(lane);
        self.given_back.insert(place, GivenBack { request, draws });
    }

    /// The connection of this lane allows so many requests at a time.
    pub fn allow(&mut self, lane: usize, limit: usize) {
        self.lanes.allow(lane, limit);
    }

    /// The first that waits is not sent: it has waited too long, or the load stops.
    pub fn give_up(&mut self) -> Option<Offer> {
        let cause = self.cause_of_waiting();
        if let Some(GivenBack { request, .. }) = self.pop_given_back() {
            return Some(Offer::NotSent {
                operation: request.operation,
                intended_ns: request.intended_ns,
                cause,
                sequence: Some(request.sequence),
            });
        }
        let (intended_ns, _) = self.pop_arrival()?;
        Some(Offer::NotSent {
            operation: 0,
            intended_ns,
            cause,
            sequence: None,
        })
    }

    /// When the first that waits was intended, if one does.
    #[must_use]
    pub fn first_waiting_ns(&self) -> Option<u64> {
        let given_back = self.given_back.front();
        let given_back_ns = given_back.map_or(u64::MAX, |first| first.request.intended_ns);
        let first_ns = given_back_ns.min(self.first_arrival_ns());
        (first_ns < u64::MAX).then_some(first_ns)
    }

    /// When the first arrival was intended that waits; `u64::MAX`: none does.
    fn first_arrival_ns(&self) -> u64 {
        if self.waiting > 0 {
            self.first.peek_ns()
        } else {
            u64::MAX
        }
    }

    /// The first that waits is sent in a free lane.
    fn serve_waiting(&mut self, lane: usize) -> Option<Offer> {
        if let Some(GivenBack { request, draws }) = self.pop_given_back() {
            self.thinking.go_on(lane, draws);
            return Some(Offer::Send {
                lane,
                operation: request.operation,
                intended_ns: request.intended_ns,
                taken_up_ns: Some(request.taken_up_ns),
                sequence: Some(request.sequence),
            });
        }
        let (intended_ns, taken_up_ns) = self.pop_arrival()?;
        Some(self.send(lane, intended_ns, Some(taken_up_ns)))
    }

    /// Takes what was given back first, unless an arrival that waits was intended before it.
    fn pop_given_back(&mut self) -> Option<GivenBack> {
        let arrival_ns = self.first_arrival_ns();
        let is_first = |first: &mut GivenBack| first.request.intended_ns <= arrival_ns;
        self.given_back.pop_front_if(is_first)
    }

    /// Takes the first arrival that waits: when it was intended, and taken up.
    fn pop_arrival(&mut self) -> Option<(u64, u64)> {
        self.waiting = self.waiting.checked_sub(1)?;
        let intended_ns = self.first.peek_ns();
        self.first.advance();
        Some((intended_ns, self.checks.taken_up_ns(intended_ns)))
    }

    fn send(&mut self, lane: usize, intended_ns: u64, taken_up_ns: Option<u64>) -> Offer {
        // The draws depend on the intended time, which the plan fixes; the lane depends on the load.
        self.thinking.assign(lane, intended_ns);
        Offer::Send {
            lane,
            operation: 0,
            intended_ns,
            taken_up_ns,
            sequence: None,
        }
    }

    /// Ends the sessions whose next step the count does not allow any more, so that their lanes
    /// serve who waits; whether there were any.
    fn end_sessions(&mut self) -> bool {
        let mut ended = false;
        while let Some(request) = self.steps.pop_due(u64::MAX) {
            self.lanes.release(request.lane as usize);
            ended = true;
        }
        ended
    }
}

#[cfg(test)]
mod tests;
