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
        /// Its number, if it was offered before and given back.
        sequence: Option<u64>,
    },
    /// Not written at all.
    NotSent {
        /// Which operation of the session.
        operation: usize,
        /// When it should have been written.
        intended_ns: u64,
        /// Why not.
        cause: NotSent,
        /// Its number, if it was offered before and given back.
        sequence: Option<u64>,
    },
}

/// A request that was offered in a lane which then could not take it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Returned {
    /// Which operation of the session.
    pub operation: usize,
    /// When it should be written.
    pub intended_ns: u64,
    /// Since when it waits.
    pub taken_up_ns: u64,
    /// Its number among the offered requests.
    pub sequence: u64,
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

    /// The connection of this lane, just offered, cannot take the request: it waits again, in its old
    /// place and as the step that it is, and the lane rests until the connection allows more or is
    /// closed. Not for users, who keep their lanes and wait in them.
    pub fn give_back(&mut self, lane: usize, returned: Returned) {
        match self {
            Self::Users(_) => {}
            Self::Rate(open) => open.give_back(lane, returned),
        }
    }

    /// The connection of this lane allows so many requests at a time: as many of its lanes that rest
    /// for want of a stream are free again.
    pub fn allow(&mut self, lane: usize, limit: usize) {
        match self {
            Self::Users(_) => {}
            Self::Rate(open) => open.allow(lane, limit),
        }
    }

    /// Whether requests that a connection cannot take are given back.
    #[must_use]
    pub fn takes_back(&self) -> bool {
        matches!(self, Self::Rate(_))
    }

    /// Why an arrival waits for a lane, or is not sent for want of one.
    #[must_use]
    pub fn waiting_cause(&self) -> NotSent {
        match self {
            Self::Users(_) => NotSent::NoConnection,
            Self::Rate(open) => open.cause_of_waiting(),
        }
    }

    /// The first request that was taken up and still waits for a lane is not sent: it has waited too
    /// long, or the load stops.
    pub fn give_up(&mut self) -> Option<Offer> {
        match self {
            Self::Users(_) => None,
            Self::Rate(open) => open.give_up(),
        }
    }

    /// When the first request was intended that waits for a lane, if one does.
    #[must_use]
    pub fn first_waiting_ns(&self) -> Option<u64> {
        match self {
            Self::Users(_) => None,
            Self::Rate(open) => open.first_waiting_ns(),
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
