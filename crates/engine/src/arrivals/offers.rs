//! Where sessions come from: the closed users and open arrivals of all groups, behind one interface.
//!
//! A *place* is where a session is performed: of a closed user for good, one for each stream of its
//! connection; of open arrivals one of those that a group may have at once. A *lane* is the place of one
//! request in flight. The connection of home h has the lanes h * streams to (h + 1) * streams - 1, and
//! each group has homes of its own, one after another. An offered lane is taken until it is freed or
//! parked. What is written, and on which socket, is not known here.

use crate::arrivals::budget::Budget;
use crate::arrivals::closed_arrivals::{ClosedArrivals, Paces, PlacesOfPlan};
use crate::arrivals::open_arrivals::OpenArrivals;
use crate::arrivals::schedule::WorkerPart;
use crate::outcome::NotSent;
use std::ops::Range;

/// A request that is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// Whose session it is of.
    pub place: usize,
    /// Where it is written; its connection may have to be opened first.
    pub lane: usize,
    /// When it should be written.
    pub intended_ns: u64,
    /// If it had to wait for a lane: when the engine took it up, since when it waited.
    pub taken_up_ns: Option<u64>,
}

/// What is to become of an offered request, or of a session without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// A session begins with its first request.
    Begin {
        /// The request.
        due: Due,
        /// The session's number in its group.
        number: u64,
        /// It is the first of its user since that came.
        is_new: bool,
    },
    /// The next request of a session that has begun.
    Step(Due),
    /// A session is not begun: its first request is not sent.
    NotBegun {
        /// The session's number in its group.
        number: u64,
        /// When it should have been written.
        intended_ns: u64,
        /// Why not.
        cause: NotSent,
    },
    /// The next request of a session that has begun is not sent.
    NotSent {
        /// Whose session it is of.
        place: usize,
        /// When it should have been written.
        intended_ns: u64,
        /// Why not.
        cause: NotSent,
    },
    /// The session in this place ends in its pause: its user leaves, or the count allows no more.
    Leave {
        /// Whose session it is.
        place: usize,
        /// When.
        at_ns: u64,
    },
}

/// The arrivals of one group, of either kind.
#[derive(Clone, Debug)]
pub enum Arriving {
    /// Closed.
    Users(ClosedArrivals),
    /// Open.
    Rate(Box<OpenArrivals>),
}

/// One group's arrivals at one worker.
#[derive(Clone, Debug)]
pub struct GroupOffers {
    /// When they come.
    pub arriving: Arriving,
    /// How many connections, and so homes, are theirs.
    pub homes: usize,
    /// Which of the group's connections they are.
    pub part: WorkerPart,
}

/// The arrivals of all groups at one worker.
#[derive(Clone, Debug)]
pub struct Offers {
    groups: Vec<GroupOffers>,
    /// The first lane of each.
    first_lanes: Vec<usize>,
    /// Whose each home is.
    of_home: Vec<u8>,
    streams: usize,
    /// The group that is asked next.
    turn: usize,
}

impl Offers {
    /// The arrivals of at most 256 groups, whose connections have so many streams each.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "at most 256 groups")]
    pub fn new(groups: Vec<GroupOffers>, streams: usize) -> Self {
        let (mut first_lanes, mut of_home) = (Vec::new(), Vec::new());
        for (index, group) in groups.iter().enumerate() {
            first_lanes.push(of_home.len() * streams);
            of_home.resize(of_home.len() + group.homes, index as u8);
        }
        Self {
            groups,
            first_lanes,
            of_home,
            streams,
            turn: 0,
        }
    }

    /// Homes of all groups.
    #[must_use]
    pub fn homes(&self) -> usize {
        self.of_home.len()
    }

    /// How many groups there are.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// Whose a home is.
    #[must_use]
    pub fn group_of(&self, home: usize) -> usize {
        usize::from(self.of_home[home])
    }

    /// The homes of a group.
    #[must_use]
    pub fn homes_of(&self, group: usize) -> Range<usize> {
        let first = self.first_lanes[group] / self.streams;
        first..first + self.groups[group].homes
    }

    /// The number of a connection, or of the user that owns it, in its group.
    #[must_use]
    pub fn number_of(&self, home: usize) -> u64 {
        let group = self.group_of(home);
        let own = home - self.homes_of(group).start;
        self.groups[group].part.global(own as u64)
    }

    /// The home of a place that has one for as long as its session lasts.
    #[must_use]
    pub fn home_of_place(&self, group: usize, place: usize) -> Option<usize> {
        let own = match &self.groups[group].arriving {
            Arriving::Users(_) => place,
            Arriving::Rate(open) => open.owned_lane(place)?,
        };
        Some((self.first_lanes[group] + own) / self.streams)
    }

    /// Whether a group's requests share lanes: each takes any that is free.
    #[must_use]
    pub fn shares_lanes(&self, group: usize) -> bool {
        match &self.groups[group].arriving {
            Arriving::Users(_) => false,
            Arriving::Rate(open) => open.shares_lanes(),
        }
    }

    /// When `next` is worth calling again; `u64::MAX`: not before something else happens.
    #[must_use]
    pub fn due_ns(&self, budget: &Budget) -> u64 {
        let due_ns = self.groups.iter().map(|group| match &group.arriving {
            Arriving::Users(users) => users.due_ns(budget),
            Arriving::Rate(open) => open.due_ns(budget),
        });
        due_ns.min().unwrap_or(u64::MAX)
    }

    /// The next offer that is due by now, and whose it is; groups in turn. Its request was taken from the
    /// budget when it was taken up.
    pub fn next(&mut self, now_ns: u64, budget: &mut Budget) -> Option<(usize, Offer)> {
        let count = self.groups.len();
        for _ in 0..count {
            let group = self.turn;
            self.turn = (group + 1) % count;
            let offer = match &mut self.groups[group].arriving {
                Arriving::Users(users) => users.next(now_ns, budget),
                Arriving::Rate(open) => open.next(now_ns, budget),
            };
            if let Some(offer) = offer {
                return Some((group, self.in_all_lanes(group, offer)));
            }
        }
        None
    }

    /// A request has ended, and its session goes on at `due_ns`. Returns whether it does: else its user
    /// has left with the request that has ended, and its session is to be cut.
    pub fn step_planned(
        &mut self,
        group: usize,
        place: usize,
        done_ns: u64,
        due_ns: u64,
        lost_connection: bool,
    ) -> bool {
        match &mut self.groups[group].arriving {
            Arriving::Users(users) => users.step_planned(place, done_ns, due_ns, lost_connection),
            Arriving::Rate(open) => {
                open.step_planned(place, due_ns);
                true
            }
        }
    }

    /// The session in a place has ended; its user begins the next one at `due_ns`. `lost_connection`: it
    /// ended by a failure of its connection.
    ///
    /// Returns whether the place goes on. If not, its user has left, and its connection is of no
    /// use any more once this is so of all its places.
    pub fn session_ended(
        &mut self,
        group: usize,
        place: usize,
        done_ns: u64,
        due_ns: u64,
        lost_connection: bool,
    ) -> bool {
        match &mut self.groups[group].arriving {
            Arriving::Users(users) => users.session_ended(place, done_ns, due_ns, lost_connection),
            Arriving::Rate(open) => {
                open.session_ended(place);
                open.shares_lanes()
            }
        }
    }

    /// The user of a place has left at the end of a request, in the middle of its session.
    pub fn user_left(&mut self, group: usize, place: usize, at_ns: u64) {
        match &mut self.groups[group].arriving {
            Arriving::Users(users) => users.user_left(place, at_ns),
            Arriving::Rate(open) => open.session_ended(place),
        }
    }

    /// The place of an arrived session is free: it was cut, or could not begin.
    pub fn place_left(&mut self, group: usize, place: usize) {
        if let Arriving::Rate(open) = &mut self.groups[group].arriving {
            open.session_ended(place);
        }
    }

    /// A lane carries no request any more. `is_open`: its connection stands.
    pub fn lane_freed(&mut self, lane: usize, is_open: bool) {
        let (group, own) = self.own_lane(lane);
        if let Arriving::Rate(open) = &mut self.groups[group].arriving {
            open.lane_freed(own, is_open);
        }
    }

    /// The connection of this lane was closed while the lane carried no request.
    pub fn closed_while_idle(&mut self, lane: usize) {
        let (group, own) = self.own_lane(lane);
        if let Arriving::Rate(open) = &mut self.groups[group].arriving {
            open.closed_while_idle(own);
        }
    }

    /// The connection of this lane allows so many requests at a time: as many of its parked lanes are free
    /// again.
    pub fn allow(&mut self, lane: usize, limit: usize) {
        let (group, own) = self.own_lane(lane);
        if let Arriving::Rate(open) = &mut self.groups[group].arriving {
            open.allow(own, limit);
        }
    }

    /// The peer allows fewer streams: this lane, just offered, cannot be used until its connection allows
    /// more, or is closed, and its request waits again in its old place. Users keep their lanes, and wait
    /// in them.
    pub fn park(&mut self, lane: usize, place: usize, intended_ns: u64, taken_up_ns: u64) {
        let (group, own) = self.own_lane(lane);
        if let Arriving::Rate(open) = &mut self.groups[group].arriving {
            open.park(own, place, intended_ns, taken_up_ns);
        }
    }

    /// Why a request of a group waits for a lane, or is not sent for want of one.
    #[must_use]
    pub fn waiting_cause(&self, group: usize) -> NotSent {
        match &self.groups[group].arriving {
            Arriving::Users(_) => NotSent::NoConnection,
            Arriving::Rate(open) => open.cause_of_waiting(),
        }
    }

    /// One request that was taken up and still waits for a lane, when the load stops: it is not sent.
    pub fn give_up(&mut self) -> Option<(usize, Offer)> {
        let mut groups = self.groups.iter_mut().enumerate();
        groups.find_map(|(index, group)| match &mut group.arriving {
            Arriving::Users(_) => None,
            Arriving::Rate(open) => open.give_up().map(|offer| (index, offer)),
        })
    }

    /// When the first request of a group was intended that waits for a lane, if one does.
    #[must_use]
    pub fn first_waiting_ns(&self, group: usize) -> Option<u64> {
        match &self.groups[group].arriving {
            Arriving::Users(_) => None,
            Arriving::Rate(open) => open.first_waiting_ns(),
        }
    }

    /// How many users of this worker a group's plan asks for; none if it asks for a rate.
    #[must_use]
    pub fn active_users(&self, group: usize, now_ns: u64) -> Option<u64> {
        match &self.groups[group].arriving {
            Arriving::Users(users) => Some(users.active(now_ns)),
            Arriving::Rate(_) => None,
        }
    }

    /// The places of a group's users, over all workers.
    #[must_use]
    pub fn places_of_plan(&self, group: usize) -> PlacesOfPlan {
        match &self.groups[group].arriving {
            Arriving::Users(users) => users.places_of_plan(),
            Arriving::Rate(_) => PlacesOfPlan::default(),
        }
    }

    /// How a group's sessions kept their pace; none if they have none.
    #[must_use]
    pub fn paces(&self, group: usize) -> Option<Paces> {
        match &self.groups[group].arriving {
            Arriving::Users(users) => users.paces(),
            Arriving::Rate(_) => None,
        }
    }

    fn own_lane(&self, lane: usize) -> (usize, usize) {
        let group = self.group_of(lane / self.streams);
        (group, lane - self.first_lanes[group])
    }

    fn in_all_lanes(&self, group: usize, mut offer: Offer) -> Offer {
        if let Offer::Begin { due, .. } | Offer::Step(due) = &mut offer {
            due.lane += self.first_lanes[group];
        }
        offer
    }
}

#[cfg(test)]
mod tests;
