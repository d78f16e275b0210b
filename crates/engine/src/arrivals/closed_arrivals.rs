//! Closed arrivals: each user owns one connection and begins its next session after its last.
//!
//! User `i` of the plan is there while the line of the stages is above `i`. It begins when the line
//! reaches `i`; when the line has come down to `i` it finishes its session and retires, and it comes
//! back if the line rises again. On a connection of several streams the user performs a session
//! on each of them, independently of each other.

use crate::arrivals::agenda::{Agenda, NextRequest};
use crate::arrivals::offers::{Budget, Offer};
use crate::arrivals::schedule::WorkerPart;
use crate::arrivals::stages::ValueOverTime;
use crate::arrivals::think_times::ThinkTimes;
use crate::plan::{Stage, Think, most_users};

/// How long a user waits at least after its second and each further failure in a row that cost it
/// its connection: a refused connection takes about 20 µs, and an unbounded loop of them would
/// load nothing but the machine. Short against any restart of a server.
pub const BACK_OFF_NS: u64 = 10_000_000;

/// The users of one worker; user `i` of the worker has connection `i`.
#[derive(Clone, Debug)]
pub struct ClosedArrivals {
    streams: usize,
    part: WorkerPart,
    line: ValueOverTime,
    /// The number of users never changes, so that no search along the line is needed.
    is_level: bool,
    agenda: Agenda,
    thinking: ThinkTimes,
    failures_in_a_row: Vec<u8>,
}

impl ClosedArrivals {
    /// One worker's part of the users, who are dealt to the workers in turn.
    #[must_use]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a checked plan has at most 10^6 users"
    )]
    pub fn new(
        stages: &[Stage],
        think: Option<Think>,
        seed: u64,
        streams: usize,
        part: WorkerPart,
    ) -> Self {
        let lanes = part.of(most_users(stages)) as usize * streams;
        let line = ValueOverTime::new(stages);
        let mut users = Self {
            streams,
            part,
            is_level: line.is_level(),
            line,
            agenda: Agenda::default(),
            thinking: ThinkTimes::new(think, seed, lanes),
            failures_in_a_row: vec![0; lanes],
        };
        for lane in 0..lanes {
            let user = users.user(lane);
            let stream = user * streams as u64 + (lane % streams) as u64;
            users.thinking.assign(lane, stream);
            match users.line.above(user as f64, 0) {
                Some(0) => users.agenda.add_in_order(NextRequest::new(0, lane, 0)),
                Some(begin_ns) => users.agenda.add(NextRequest::new(begin_ns, lane, 0)),
                None => {}
            }
        }
        users
    }

    /// When the next request of a user is due.
    #[must_use]
    pub fn due_ns(&self, budget: &Budget) -> u64 {
        if budget.is_spent() {
            return u64::MAX;
        }
        self.agenda.due_ns()
    }

    /// The next request that is due by now.
    pub fn next(&mut self, now_ns: u64, budget: &mut Budget) -> Option<Offer> {
        if budget.is_spent() {
            return None;
        }
        let request = self.agenda.pop_due(now_ns)?;
        budget.take();
        Some(request.offer())
    }

    /// The session goes on with this operation, after the think time.
    pub fn step_done(&mut self, lane: usize, next_operation: usize, done_ns: u64) {
        self.failures_in_a_row[lane] = 0;
        let due_ns = done_ns + self.thinking.draw_ns(lane);
        self.add(NextRequest::new(due_ns, lane, next_operation));
    }

    /// A user's session has ended; `lost_connection`: by a failure of its connection. Returns
    /// whether the user goes on; else it retires, though it may come back.
    pub fn freed(&mut self, lane: usize, done_ns: u64, lost_connection: bool) -> bool {
        let failures = &mut self.failures_in_a_row[lane];
        *failures = if lost_connection {
            failures.saturating_add(1)
        } else {
            0
        };
        let backs_off = *failures > 1;
        let mut due_ns = done_ns + self.thinking.draw_ns(lane);
        if backs_off {
            due_ns = due_ns.max(done_ns + BACK_OFF_NS);
        }
        let begin_ns = if self.is_level {
            Some(due_ns)
        } else {
            self.line.above(self.user(lane) as f64, due_ns)
        };
        let Some(begin_ns) = begin_ns else {
            return false;
        };
        let request = NextRequest::new(begin_ns, lane, 0);
        let goes_on = begin_ns == due_ns;
        if goes_on && !backs_off {
            self.add(request);
        } else {
            self.agenda.add(request);
        }
        goes_on
    }

    /// How many of this worker's users the stages ask for; on a ramp down, those who finish their
    /// session are not among them.
    #[must_use]
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a checked plan has at most 10^6 users"
    )]
    pub fn active(&self, now_ns: u64) -> u64 {
        self.part.of(self.line.value(now_ns).ceil() as u64)
    }

    fn add(&mut self, request: NextRequest) {
        if self.thinking.keeps_order() {
            self.agenda.add_in_order(request);
        } else {
            self.agenda.add(request);
        }
    }

    /// The number of a lane's user in the whole plan.
    fn user(&self, lane: usize) -> u64 {
        self.part.global((lane / self.streams) as u64)
    }
}

#[cfg(test)]
mod tests;
