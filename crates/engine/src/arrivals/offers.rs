//! Where requests come from: closed users or open arrivals, behind one interface.
//!
//! A lane is the place of one request in flight. The connection in slot s has the lanes s * streams to
//! (s + 1) * streams - 1. An offered lane is taken until it is freed or parked. What is written, and on
//! which socket, is not known here.

use crate::arrivals::closed_arrivals::ClosedArrivals;
use crate::arrivals::open_arrivals::OpenArrivals;
use crate::outcome::NotSent;

/// Counts what is offered, independently of what becomes of it, up to an optional limit.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    offered: u64,
    limit: Option<u64>,
}

impl Budget {
    /// Nothing offered yet.
    #[must_use]
    pub fn new(limit: Option<u64>) -> Self {
        Self { offered: 0, limit }
    }

    /// Counts one more request as offered, unless the limit is reached.
    pub fn take(&mut self) -> bool {
        let allowed = !self.is_spent();
        self.offered += u64::from(allowed);
        allowed
    }

    /// Whether the limit is reached.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.limit == Some(self.offered)
    }

    /// Requests offered so far.
    #[must_use]
    pub fn offered(&self) -> u64 {
        self.offered
    }
}

/// What is to become of an offered request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// Written in this lane, whose connection may have to be opened first.
    Send {
        /// The lane.
        lane: usize,
        /// Which operation of the session.
        operation: usize,
        /// When it should be written.
        intended_ns: u64,
        /// If it had to wait for a lane: when the engine took it up, since when it waited.
        taken_up_ns: Option<u64>,
    },
    /// Not written at all.
    NotSent {
        /// Which operation of the session.
        operation: usize,
        /// When it should have been written.
        intended_ns: u64,
        /// Why not.
        cause: NotSent,
    },
}

/// Either kind of arrivals.
#[derive(Clone, Debug)]
pub enum Offers {
    /// Closed.
    Users(ClosedArrivals),
    /// Open.
    Rate(Box<OpenArrivals>),
}

impl Offers {
    /// When `next` is worth calling again; `u64::MAX`: not before something else happens.
    #[must_use]
    pub fn due_ns(&self, budget: &Budget) -> u64 {
        match self {
            Self::Users(users) => users.due_ns(budget),
            Self::Rate(open) => open.due_ns(budget),
        }
    }

    /// The next offer that is due by now; it was taken from the budget when it was taken up.
    pub fn next(&mut self, now_ns: u64, budget: &mut Budget) -> Option<Offer> {
        match self {
            Self::Users(users) => users.next(now_ns, budget),
            Self::Rate(open) => open.next(now_ns, budget),
        }
    }

    /// A request has ended, and its session goes on in the same lane with this operation: `next`
    /// offers it after the think time.
    pub fn step_done(&mut self, lane: usize, next_operation: usize, done_ns: u64) {
        match self {
            Self::Users(users) => users.step_done(lane, next_operation, done_ns),
            Self::Rate(open) => open.step_done(lane, next_operation, done_ns),
        }
    }

    /// A lane's session has ended. `is_open`: its connection stands; `lost_connection`: the
    /// session ended by a failure of the connection.
    ///
    /// Returns whether the lane goes on. If not, its user has retired, and its connection is of no
    /// use any more once this is so of all its lanes.
    pub fn freed(
        &mut self,
        lane: usize,
        done_ns: u64,
        is_open: bool,
        lost_connection: bool,
    ) -> bool {
        match self {
            Self::Users(users) => users.freed(lane, done_ns, lost_connection),
            Self::Rate(open) => {
                open.freed(lane, is_open);
                true
            }
        }
    }

    /// The connection of this lane was closed while the lane carried no request.
    pub fn closed_while_idle(&mut self, lane: usize) {
        match self {
            Self::Users(_) => {}
            Self::Rate(open) => open.closed_while_idle(lane),
        }
    }

    /// The peer allows fewer streams: this lane, just offered, cannot be used until its connection
    /// is closed. Users keep their lanes, and wait in them.
    pub fn park(&mut self, lane: usize) {
        match self {
            Self::Users(_) => {}
            Self::Rate(open) => open.park(lane),
        }
    }

    /// Why an arrival waits for a lane, or is not sent for want of one.
    #[must_use]
    pub fn waiting_cause(&self) -> NotSent {
        match self {
            Self::Users(_) => NotSent::NoConnection,
            Self::Rate(open) => open.cause_of_waiting(),
        }
    }

    /// What was offered in a lane that had to be parked waits again, in its old place.
    pub fn requeue(&mut self, intended_ns: u64, taken_up_ns: u64) {
        match self {
            Self::Users(_) => {}
            Self::Rate(open) => open.requeue(intended_ns, taken_up_ns),
        }
    }

    /// The intended time and the operation of one request that was taken up and still waits for a
    /// lane, when the load stops.
    pub fn give_up(&mut self) -> Option<(u64, usize)> {
        match self {
            Self::Users(_) => None,
            Self::Rate(open) => open.give_up(),
        }
    }

    /// How many users of this worker the plan asks for; none if it asks for a rate.
    #[must_use]
    pub fn active_users(&self, now_ns: u64) -> Option<u64> {
        match self {
            Self::Users(users) => Some(users.active(now_ns)),
            Self::Rate(_) => None,
        }
    }
}
