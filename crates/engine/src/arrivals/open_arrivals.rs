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
use crate::arrivals::offers::{Budget, Offer};
use crate::arrivals::open_arrivals::schedule_checks::{CHECK_EVERY_NS, ScheduleChecks};
use crate::arrivals::schedule::Schedule;
use crate::arrivals::think_times::ThinkTimes;
use crate::outcome::NotSent;

/// An arrival that was offered in a lane which then could not take it.
#[derive(Clone, Copy, Debug)]
struct Returned {
    intended_ns: u64,
    taken_up_ns: u64,
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
    /// In the order of their intended times, and all before who waits.
    returned: VecDeque<Returned>,
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
            returned: VecDeque::new(),
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
                self.pop_waiting();
                return Some(Offer::NotSent {
                    operation: 0,
                    intended_ns,
                    cause: self.cause_of_waiting(),
                });
            }
            if let Some(lane) = self.lanes.take() {
                let taken_up_ns = self.pop_waiting();
                return Some(self.send(lane, intended_ns, Some(taken_up_ns)));
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

    /// The lane just offered cannot be used until its connection is closed.
    pub fn park(&mut self, lane: usize) {
        self.lanes.park(lane);
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

    /// What was offered in a parked lane waits again, in its old place.
    pub fn requeue(&mut self, intended_ns: u64, taken_up_ns: u64) {
        let is_earlier = |other: &Returned| other.intended_ns < intended_ns;
        let place = self.returned.partition_point(is_earlier);
        let returned = Returned {
            intended_ns,
            taken_up_ns,
        };
        self.returned.insert(place, returned);
    }

    /// The intended time and operation of one arrival that still waits, when the load stops.
    pub fn give_up(&mut self) -> Option<(u64, usize)> {
        let intended_ns = self.first_waiting_ns()?;
        self.pop_waiting();
        Some((intended_ns, 0))
    }

    fn first_waiting_ns(&self) -> Option<u64> {
        match self.returned.front() {
            Some(returned) => Some(returned.intended_ns),
            None => (self.waiting > 0).then(|| self.first.peek_ns()),
        }
    }

    /// Takes the first one out of the queue, which is not empty; when it was taken up.
    fn pop_waiting(&mut self) -> u64 {
        if let Some(returned) = self.returned.pop_front() {
            return returned.taken_up_ns;
        }
        let taken_up_ns = self.checks.taken_up_ns(self.first.peek_ns());
        self.first.advance();
        self.waiting -= 1;
        taken_up_ns
    }

    fn send(&mut self, lane: usize, intended_ns: u64, taken_up_ns: Option<u64>) -> Offer {
        // The draws depend on the intended time, which the plan fixes; the lane depends on the load.
        self.thinking.assign(lane, intended_ns);
        Offer::Send {
            lane,
            operation: 0,
            intended_ns,
            taken_up_ns,
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
