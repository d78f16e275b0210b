//! Open arrivals: sessions begin when the plan says so, over a shared pool of connections.
//!
//! An arrival takes a free lane, else waits in order. What waits too long, or finds the queue
//! full, is not sent. A session keeps its lane until its last step is done, think times included.

use std::collections::VecDeque;

use crate::agenda::{Agenda, Turn};
use crate::lanes::Lanes;
use crate::offers::{Budget, Offer};
use crate::outcome::NotSent;
use crate::pacing::Schedule;
use crate::think::Thinking;

/// The queue holds at least so many arrivals, however short the timeout.
const LEAST_QUEUE: usize = 1_000;

/// And at most so many (16 MiB), however long it is.
const MOST_QUEUE: usize = 1 << 20;

/// How many arrivals may wait: what arrives within one timeout, since the rest expires anyway.
#[must_use]
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "positive, and clamped right after"
)]
pub fn queue_limit(per_second: f64, timeout_ns: u64) -> usize {
    let within_timeout = per_second * timeout_ns as f64 / 1e9;
    (within_timeout.ceil() as usize).clamp(LEAST_QUEUE, MOST_QUEUE)
}

/// An arrival that was taken up, and found no free lane.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    intended_ns: u64,
    taken_up_ns: u64,
}

/// The open arrivals of one worker and its pool of lanes.
#[derive(Clone, Debug)]
pub struct OpenArrivals {
    schedule: Schedule,
    timeout_ns: u64,
    queue_limit: usize,
    /// In the order of their intended times.
    waiting: VecDeque<Waiting>,
    lanes: Lanes,
    /// Later steps of sessions that have begun.
    steps: Agenda,
    thinking: Thinking,
}

impl OpenArrivals {
    /// A pool of closed connections for the arrivals of `schedule`.
    #[must_use]
    pub fn new(
        schedule: Schedule,
        lanes: Lanes,
        thinking: Thinking,
        timeout_ns: u64,
        queue_limit: usize,
    ) -> Self {
        Self {
            schedule,
            timeout_ns,
            queue_limit,
            waiting: VecDeque::new(),
            lanes,
            steps: Agenda::default(),
            thinking,
        }
    }

    /// When the next arrival or step is intended, or the first waiting arrival expires.
    #[must_use]
    pub fn due_ns(&self, budget: &Budget) -> u64 {
        let first = self.waiting.front();
        let expiry_ns = first.map_or(u64::MAX, |first| first.intended_ns + self.timeout_ns);
        if budget.is_spent() {
            return expiry_ns;
        }
        let arrival_ns = self.schedule.peek_ns();
        arrival_ns.min(expiry_ns).min(self.steps.due_ns())
    }

    /// What becomes of the next step or arrival that is due by now.
    pub fn next(&mut self, now_ns: u64, budget: &mut Budget) -> Option<Offer> {
        if !budget.is_spent()
            && let Some(turn) = self.steps.pop_due(now_ns)
        {
            budget.take();
            return Some(turn.send());
        }
        if let Some(&first) = self.waiting.front() {
            if first.intended_ns + self.timeout_ns <= now_ns {
                self.waiting.pop_front();
                return Some(Offer::NotSent {
                    operation: 0,
                    intended_ns: first.intended_ns,
                    cause: self.cause_of_waiting(),
                });
            }
            if let Some(lane) = self.lanes.take() {
                self.waiting.pop_front();
                return Some(self.send(lane, first.intended_ns, Some(first.taken_up_ns)));
            }
        }
        while self.schedule.peek_ns() <= now_ns && budget.take() {
            let intended_ns = self.schedule.peek_ns();
            self.schedule.advance();
            if let Some(lane) = self.lanes.take() {
                return Some(self.send(lane, intended_ns, None));
            }
            if self.waiting.len() >= self.queue_limit {
                return Some(Offer::NotSent {
                    operation: 0,
                    intended_ns,
                    cause: NotSent::Shed,
                });
            }
            self.waiting.push_back(Waiting {
                intended_ns,
                taken_up_ns: now_ns,
            });
        }
        if budget.is_spent() && self.end_sessions() {
            return self.next(now_ns, budget);
        }
        None
    }

    /// The session goes on in its lane with this operation, after the think time.
    pub fn step_done(&mut self, lane: usize, next_operation: usize, done_ns: u64) {
        let due_ns = done_ns + self.thinking.draw_ns(lane);
        let turn = Turn::new(due_ns, lane, next_operation);
        if self.thinking.keeps_order() {
            self.steps.add_in_order(turn);
        } else {
            self.steps.add(turn);
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

    /// Whether a peer allows fewer streams than the plan.
    #[must_use]
    pub fn has_parked(&self) -> bool {
        self.lanes.has_parked()
    }

    /// What was offered in a parked lane waits again, in its old place.
    pub fn requeue(&mut self, intended_ns: u64, taken_up_ns: u64) {
        let is_earlier = |other: &Waiting| other.intended_ns < intended_ns;
        let place = self.waiting.partition_point(is_earlier);
        let waiting = Waiting {
            intended_ns,
            taken_up_ns,
        };
        self.waiting.insert(place, waiting);
    }

    /// The intended time and operation of one arrival that still waits, when the load stops.
    pub fn give_up(&mut self) -> Option<(u64, usize)> {
        self.waiting.pop_front().map(|first| (first.intended_ns, 0))
    }

    fn send(&mut self, lane: usize, intended_ns: u64, taken_up_ns: Option<u64>) -> Offer {
        // By the intended time, which is fixed by the plan, and not by the lane, which is not.
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
        while let Some(turn) = self.steps.pop_due(u64::MAX) {
            self.lanes.release(turn.lane as usize);
            ended = true;
        }
        ended
    }

    fn cause_of_waiting(&self) -> NotSent {
        if self.lanes.has_parked() {
            NotSent::NoStream
        } else {
            NotSent::NoConnection
        }
    }
}

#[cfg(test)]
mod tests;
