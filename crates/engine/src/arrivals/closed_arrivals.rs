//! Closed arrivals: each user owns one connection and begins its next session after its last.
//!
//! User `i` of a group is there while the line of the stages is above `i` and the group's phase. It
//! begins when the line reaches that. When the line has come down to it, it leaves, after its session or
//! after the request that is in flight, and it comes back if the line rises again. On a connection of
//! several streams the user performs a session on each of them, independently of each other: each has a
//! place, which is also its lane.
//!
//! Place `p` of a group of `P` performs the sessions of number `k` P + `p`: each is performed once,
//! whatever the number of workers.

use crate::arrivals::agenda::{Agenda, Next, Planned};
use crate::arrivals::budget::Budget;
use crate::arrivals::offers::{Due, Offer};
use crate::arrivals::schedule::{GroupPlace, WorkerPart};
use crate::arrivals::stages::ValueOverTime;
use crate::plan::{Leave, Stage, most_users};

/// How long a user waits at least after its second and each further failure in a row that cost it
/// its connection, and after a session in which there was nothing to do: a refused connection takes
/// about 20 µs, and an unbounded loop of them would load nothing but the machine. Short against any
/// restart of a server.
pub const BACK_OFF_NS: u64 = 10_000_000;

/// What a plan says of the users of a group.
#[derive(Clone, Copy, Debug)]
pub struct ClosedPlan<'a> {
    /// How many there are, over time.
    pub stages: &'a [Stage],
    /// When the stages begin.
    pub start_ns: u64,
    /// How they leave.
    pub leave: Leave,
    /// The least time between the beginnings of the sessions of a place.
    pub pace_ns: Option<u64>,
    /// Sessions at a time on a connection.
    pub streams: usize,
    /// Which group it is.
    pub group: GroupPlace,
}

#[cfg(test)]
impl ClosedPlan<'static> {
    /// One user of the only group, on a connection of so many streams.
    pub fn of_one(streams: usize) -> Self {
        const ONE: &[Stage] = &[Stage {
            from: 1.0,
            to: 1.0,
            duration_ns: 1,
        }];
        Self {
            stages: ONE,
            start_ns: 0,
            leave: Leave::AfterSession,
            pace_ns: None,
            streams,
            group: GroupPlace::ONLY,
        }
    }
}

/// The places of a group of users, over all workers.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlacesOfPlan {
    /// Of all users; 0: there are none.
    pub all: u64,
    /// Of each user.
    pub each: u64,
}

/// How many sessions began at their pace, and how many late since the one before took longer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paces {
    /// Begun as long after the one before as the pace says.
    pub held: u64,
    /// Begun later.
    pub missed: u64,
}

impl Paces {
    /// Adds those of another worker.
    pub fn add(&mut self, other: Self) {
        self.held += other.held;
        self.missed += other.missed;
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// Sessions that it has begun.
    sessions: u64,
    /// When it began the last one.
    begun_ns: u64,
    failures_in_a_row: u8,
    /// Its user has begun no session since it came.
    is_new: bool,
    /// Whether the session that is planned begins at its pace; none: it follows on no other.
    holds_pace: Option<bool>,
}

/// The users of one worker; user `i` of the worker has connection `i`.
#[derive(Clone, Debug)]
pub struct ClosedArrivals {
    streams: usize,
    part: WorkerPart,
    phase: f64,
    line: ValueOverTime,
    /// From here on nobody leaves, so that no search along the line is needed.
    leaves_until_ns: u64,
    leave: Leave,
    pace_ns: Option<u64>,
    /// Places of all workers.
    places_of_plan: u64,
    places: Vec<Place>,
    agenda: Agenda,
    paces: Paces,
}

impl ClosedArrivals {
    /// One worker's part of the users, who are dealt to the workers in turn.
    #[must_use]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a checked plan has at most 10^6 users"
    )]
    pub fn new(plan: &ClosedPlan<'_>, part: WorkerPart) -> Self {
        let users = most_users(plan.stages);
        let places = part.of(users) as usize * plan.streams;
        let line = ValueOverTime::new(plan.start_ns, plan.stages);
        let mut arrivals = Self {
            streams: plan.streams,
            part,
            phase: plan.group.phase(),
            leaves_until_ns: line.falls_until_ns(),
            line,
            leave: plan.leave,
            pace_ns: plan.pace_ns,
            places_of_plan: users * plan.streams as u64,
            places: vec![Place::default(); places],
            agenda: Agenda::default(),
            paces: Paces::default(),
        };
        for place in 0..places {
            arrivals.comes(place, 0);
        }
        arrivals
    }

    /// When the next request of a user is due.
    #[must_use]
    pub fn due_ns(&self, budget: &Budget) -> u64 {
        if budget.is_spent() {
            return u64::MAX;
        }
        self.agenda.due_ns()
    }

    /// What is due next, if anything is by now.
    pub fn next(&mut self, now_ns: u64, budget: &mut Budget) -> Option<Offer> {
        if budget.is_spent() {
            return None;
        }
        let planned = self.agenda.pop_due(now_ns)?;
        let place = planned.place as usize;
        let due = Due {
            place,
            lane: place,
            intended_ns: planned.due_ns,
            taken_up_ns: None,
        };
        match planned.next {
            Next::Session => {
                budget.take();
                Some(self.begin(due))
            }
            Next::Step => {
                budget.take();
                Some(Offer::Step(due))
            }
            Next::Leave => {
                self.user_left(place, planned.due_ns);
                Some(Offer::Leave {
                    place,
                    at_ns: planned.due_ns,
                })
            }
        }
    }

    fn begin(&mut self, due: Due) -> Offer {
        let number = self.places[due.place].sessions * self.places_of_plan + self.global(due.place);
        let place = &mut self.places[due.place];
        place.sessions += 1;
        place.begun_ns = due.intended_ns;
        match place.holds_pace.take() {
            Some(true) => self.paces.held += 1,
            Some(false) => self.paces.missed += 1,
            None => {}
        }
        Offer::Begin {
            due,
            number,
            is_new: std::mem::take(&mut place.is_new),
        }
    }

    /// The session goes on at `due_ns`; false if its user has left by `done_ns`.
    pub fn step_planned(
        &mut self,
        place: usize,
        done_ns: u64,
        due_ns: u64,
        lost_connection: bool,
    ) -> bool {
        let due_ns = self.backed_off(place, done_ns, due_ns, lost_connection);
        if self.leave == Leave::AfterRequest
            && let Some(leaves_ns) = self.leaves_ns(place, done_ns)
            && leaves_ns <= due_ns
        {
            if leaves_ns == done_ns {
                return false;
            }
            let leaving = Planned::new(leaves_ns, place, Next::Leave);
            self.agenda.add_later(leaving);
            return true;
        }
        self.agenda.add(Planned::new(due_ns, place, Next::Step));
        true
    }

    /// The session has ended, and its user begins the next one at `due_ns`, or later for its pace's
    /// sake; false if it has left by then. It may come back.
    pub fn session_ended(
        &mut self,
        place: usize,
        done_ns: u64,
        due_ns: u64,
        lost_connection: bool,
    ) -> bool {
        let mut due_ns = self.backed_off(place, done_ns, due_ns, lost_connection);
        if let Some(pace_ns) = self.pace_ns {
            let paced_ns = self.places[place].begun_ns + pace_ns;
            self.places[place].holds_pace = Some(due_ns <= paced_ns);
            due_ns = due_ns.max(paced_ns);
        }
        let leaves_ns = self.leaves_ns(place, done_ns);
        if leaves_ns.is_some_and(|leaves_ns| leaves_ns <= due_ns) {
            self.comes(place, due_ns);
            return false;
        }
        let planned = Planned::new(due_ns, place, Next::Session);
        if self.places[place].failures_in_a_row > 1 {
            self.agenda.add_later(planned);
        } else {
            self.agenda.add(planned);
        }
        true
    }

    /// The user of a place has left in the middle of its session; it may come back.
    pub fn user_left(&mut self, place: usize, at_ns: u64) {
        self.comes(place, at_ns);
    }

    /// How many of this worker's users the stages ask for; who is still there to finish its session is
    /// not among them.
    #[must_use]
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a checked plan has at most 10^6 users"
    )]
    pub fn active(&self, now_ns: u64) -> u64 {
        let value = self.line.value(now_ns) - self.phase;
        self.part.of(value.ceil().max(0.0) as u64)
    }

    /// The places of all workers.
    #[must_use]
    pub fn places_of_plan(&self) -> PlacesOfPlan {
        PlacesOfPlan {
            all: self.places_of_plan,
            each: self.streams as u64,
        }
    }

    /// How sessions kept their pace; none if they have none.
    #[must_use]
    pub fn paces(&self) -> Option<Paces> {
        self.pace_ns.map(|_| self.paces)
    }

    /// Plans the first session of a user that comes, or comes back, as soon as the line asks for it.
    fn comes(&mut self, place: usize, since_ns: u64) {
        self.places[place].is_new = true;
        self.places[place].holds_pace = None;
        match self.line.above(self.level(place), since_ns) {
            Some(0) => self.agenda.add(Planned::new(0, place, Next::Session)),
            Some(begin_ns) => {
                let planned = Planned::new(begin_ns, place, Next::Session);
                self.agenda.add_later(planned);
            }
            None => {}
        }
    }

    /// When the user of a place leaves who was there until now, or ought to have left; none: never.
    fn leaves_ns(&self, place: usize, since_ns: u64) -> Option<u64> {
        if since_ns >= self.leaves_until_ns {
            // Nobody leaves any more, though who is there beyond its time still does.
            let is_asked_for = self.leaves_until_ns == 0 || self.is_asked_for(place, since_ns);
            return (!is_asked_for).then_some(since_ns);
        }
        self.line.not_above(self.level(place), since_ns)
    }

    fn is_asked_for(&self, place: usize, at_ns: u64) -> bool {
        self.line.above(self.level(place), at_ns) == Some(at_ns)
    }

    fn backed_off(
        &mut self,
        place: usize,
        done_ns: u64,
        due_ns: u64,
        lost_connection: bool,
    ) -> u64 {
        let failures = &mut self.places[place].failures_in_a_row;
        *failures = if lost_connection {
            failures.saturating_add(1)
        } else {
            0
        };
        if *failures > 1 {
            due_ns.max(done_ns + BACK_OFF_NS)
        } else {
            due_ns
        }
    }

    /// What the line must be above for the user of a place to be there.
    fn level(&self, place: usize) -> f64 {
        self.part.global((place / self.streams) as u64) as f64 + self.phase
    }

    /// The number of a place in the whole plan.
    fn global(&self, place: usize) -> u64 {
        let user = self.part.global((place / self.streams) as u64);
        user * self.streams as u64 + (place % self.streams) as u64
    }
}

#[cfg(test)]
mod tests;
