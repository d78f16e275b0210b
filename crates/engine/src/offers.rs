//! Where requests come from: closed users or open arrivals, behind one face.

use crate::outcome::NotSent;
use crate::rate::OpenArrivals;
use crate::users::Users;

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
    /// Written on this slot, which may have to be connected first.
    Send {
        /// The slot.
        slot: usize,
        /// When it should be written.
        intended_ns: u64,
    },
    /// Not written at all.
    NotSent {
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
    Users(Users),
    /// Open.
    Rate(OpenArrivals),
}

impl Offers {
    /// When `next` will have something that it has not now.
    #[must_use]
    pub fn due_ns(&self, budget: &Budget) -> u64 {
        match self {
            Self::Users(users) => users.due_ns(budget),
            Self::Rate(open) => open.due_ns(budget),
        }
    }

    /// The next offer that is due by now.
    pub fn next(&mut self, now_ns: u64, budget: &mut Budget) -> Option<Offer> {
        match self {
            Self::Users(users) => users.next(now_ns, budget),
            Self::Rate(open) => open.next(now_ns, budget),
        }
    }

    /// A slot's session has ended. `is_open`: its connection stands; `lost_connection`: the
    /// session ended by a failure of the connection.
    pub fn freed(&mut self, slot: usize, done_ns: u64, is_open: bool, lost_connection: bool) {
        match self {
            Self::Users(users) => users.freed(slot, done_ns, lost_connection),
            Self::Rate(open) => open.freed(slot, is_open),
        }
    }

    /// The server closed a connection that no request was bound to.
    pub fn closed_while_idle(&mut self, slot: usize) {
        match self {
            Self::Users(_) => {}
            Self::Rate(open) => open.closed_while_idle(slot),
        }
    }

    /// The intended time of one request that was offered and still waits for a connection.
    pub fn give_up(&mut self) -> Option<u64> {
        match self {
            Self::Users(_) => None,
            Self::Rate(open) => open.give_up(),
        }
    }
}
