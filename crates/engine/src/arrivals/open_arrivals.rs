//! Open arrivals: sessions begin when the plan says so, over a shared pool of connections.
//!
//! A request that is due, an arrival's first or a later one, takes a free lane or waits, whoever was
//! intended first; what waits for a whole timeout is not sent. The schedule itself is the queue of the
//! arrivals: those between two places in it wait. So far more arrivals than can be served cost neither
//! memory nor much time. A session that pauses keeps no lane, unless each has a connection of its own.
//!
//! So many sessions may have begun and not ended. Once there are as many, the arrivals that come, and
//! those that wait, are not sent.

mod places;
mod schedule_checks;
mod steps_waiting;

use crate::arrivals::agenda::{Agenda, Next, Planned};
use crate::arrivals::budget::Budget;
use crate::arrivals::free_lanes::FreeLanes;
use crate::arrivals::offers::{Due, Offer};
use crate::arrivals::open_arrivals::places::Places;
use crate::arrivals::open_arrivals::schedule_checks::{CHECK_EVERY_NS, ScheduleChecks};
use crate::arrivals::open_arrivals::steps_waiting::{StepsWaiting, Waiting};
use crate::arrivals::schedule::Schedule;
use crate::outcome::NotSent;

/// What a plan says of a group's connections, for one worker.
#[derive(Clone, Copy, Debug)]
pub struct Pool {
    /// How many there are at most.
    pub slots: usize,
    /// Requests in flight on each.
    pub streams: usize,
    /// Whether each session has one of its own.
    pub is_owned: bool,
    /// Sessions at most at once.
    pub sessions: usize,
    /// How long a request may wait.
    pub timeout_ns: u64,
}

/// The open arrivals of one group at one worker, and their pool of lanes.
#[derive(Clone, Debug)]
pub struct OpenArrivals {
    /// The place of the next arrival that will be taken up.
    upcoming: Schedule,
    /// The place of the first one that was taken up and waits, if any does.
    first: Schedule,
    /// How many lie between the two.
    arrivals_waiting: u64,
    steps_waiting: StepsWaiting,
    checks: ScheduleChecks,
    timeout_ns: u64,
    lanes: FreeLanes,
    places: Places,
    /// Later requests of sessions that have begun.
    steps: Agenda,
    /// The lane that each session keeps, by place; none: they share lanes.
    owned: Option<OwnedLanes>,
}

#[derive(Clone, Debug)]
struct OwnedLanes {
    /// Lanes of a connection, of which its session uses the first.
    streams: usize,
    of_place: Vec<usize>,
}

impl OpenArrivals {
    /// A pool of closed connections for the arrivals of `schedule`.
    #[must_use]
    pub fn new(schedule: Schedule, pool: Pool) -> Self {
        let lanes_each = if pool.is_owned { 1 } else { pool.streams };
        Self {
            upcoming: schedule.clone(),
            first: schedule,
            arrivals_waiting: 0,
            steps_waiting: StepsWaiting::default(),
            checks: ScheduleChecks::default(),
            timeout_ns: pool.timeout_ns,
            lanes: FreeLanes::new(pool.slots, lanes_each),
            places: Places::new(pool.sessions),
            steps: Agenda::default(),
            owned: pool.is_owned.then(|| OwnedLanes {
                streams: pool.streams,
                of_place: Vec::new(),
            }),
        }
    }

    /// Whether each request takes any lane that is free.
    #[must_use]
    pub fn shares_lanes(&self) -> bool {
        self.owned.is_none()
    }

    /// The lane that the session in a place keeps; none: it keeps none.
    #[must_use]
    pub fn owned_lane(&self, place: usize) -> Option<usize> {
        self.owned.as_ref().map(|owned| owned.of_place[place])
    }

    /// When the next arrival or step is intended, or the first that waits expires.
    #[must_use]
    pub fn due_ns(&self, budget: &Budget) -> u64 {
        let first_ns = self.first_waiting_ns();
        let expiry_ns = first_ns.map_or(u64::MAX, |first_ns| first_ns + self.timeout_ns);
        if budget.is_spent() {
            return expiry_ns;
        }
        let (mut needs_lane_ns, mut has_lane_ns) = (self.upcoming.peek_ns(), self.steps.due_ns());
        if self.shares_lanes() {
            needs_lane_ns = needs_lane_ns.min(has_lane_ns);
            has_lane_ns = u64::MAX;
        }
        if first_ns.is_some() {
            // No lane is free: the next response brings a check.
            let check_ns = self.checks.last_ns() + CHECK_EVERY_NS.min(self.timeout_ns);
            needs_lane_ns = needs_lane_ns.min(expiry_ns).max(check_ns);
        }
        needs_lane_ns.min(has_lane_ns)
    }

    /// What becomes of the next step or arrival that is due by now.
    pub fn next(&mut self, now_ns: u64, budget: &mut Budget) -> Option<Offer> {
        if let Some(offer) = self.serve_waiting(now_ns) {
            return Some(offer);
        }
        if let Some(offer) = self.take_up(now_ns, budget) {
            return Some(offer);
        }
        // The count allows no further step: sessions that pause leave their lanes to who waits.
        if budget.is_spent() && !self.shares_lanes() && self.is_waiting() {
            let planned = self.steps.pop_due(u64::MAX)?;
            return Some(Offer::Leave {
                place: planned.place as usize,
                at_ns: now_ns,
            });
        }
        None
    }

    /// What becomes of the first that waits, if that is decided by now.
    fn serve_waiting(&mut self, now_ns: u64) -> Option<Offer> {
        if self.arrivals_waiting > 0 && self.places.are_taken() {
            let intended_ns = self.first.peek_ns();
            return Some(self.refuse(intended_ns));
        }
        let intended_ns = self.first_waiting_ns()?;
        if intended_ns + self.timeout_ns <= now_ns {
            return self.give_up();
        }
        let lane = self.lanes.take()?;
        if let Some(step) = self.pop_waiting_step() {
            let taken_up_ns = step
                .taken_up_ns
                .unwrap_or_else(|| self.checks.taken_up_ns(intended_ns));
            return Some(Offer::Step(Due {
                place: step.place,
                lane,
                intended_ns,
                taken_up_ns: Some(taken_up_ns),
            }));
        }
        let taken_up_ns = self.checks.taken_up_ns(intended_ns);
        let number = self.pop_waiting_arrival();
        Some(self.begin(number, lane, intended_ns, Some(taken_up_ns)))
    }

    /// Takes up what is due by now, as long as no lane is free.
    fn take_up(&mut self, now_ns: u64, budget: &mut Budget) -> Option<Offer> {
        let waited = self.is_waiting();
        loop {
            let (arrival_ns, step_ns) = (self.upcoming.peek_ns(), self.steps.due_ns());
            if arrival_ns.min(step_ns) > now_ns || !budget.take() {
                break;
            }
            let offer = if step_ns <= arrival_ns {
                self.take_up_step(now_ns)
            } else {
                self.take_up_arrival()
            };
            if offer.is_some() {
                return offer;
            }
        }
        self.checks.add(now_ns, waited, self.is_waiting());
        None
    }

    fn take_up_step(&mut self, now_ns: u64) -> Option<Offer> {
        let Planned { due_ns, place, .. } = self.steps.pop_due(now_ns)?;
        let place = place as usize;
        let lane = match &self.owned {
            Some(owned) => Some(owned.of_place[place]),
            None if self.is_waiting() => None,
            None => self.lanes.take(),
        };
        let Some(lane) = lane else {
            self.steps_waiting.add(Waiting {
                intended_ns: due_ns,
                taken_up_ns: None,
                place,
            });
            return None;
        };
        Some(Offer::Step(Due {
            place,
            lane,
            intended_ns: due_ns,
            taken_up_ns: None,
        }))
    }

    fn take_up_arrival(&mut self) -> Option<Offer> {
        let intended_ns = self.upcoming.peek_ns();
        self.upcoming.advance();
        self.arrivals_waiting += 1;
        if self.arrivals_waiting == 1 && self.places.are_taken() {
            return Some(self.refuse(intended_ns));
        }
        if self.arrivals_waiting > 1 || !self.steps_waiting.is_empty() {
            return None;
        }
        let lane = self.lanes.take()?;
        let number = self.pop_waiting_arrival();
        Some(self.begin(number, lane, intended_ns, None))
    }

    /// The session goes on at this time.
    pub fn step_planned(&mut self, place: usize, due_ns: u64) {
        self.steps.add(Planned::new(due_ns, place, Next::Step));
    }

    /// A session has ended: its place is free, and its lane if it had one of its own.
    pub fn session_ended(&mut self, place: usize) {
        self.places.free(place);
        if let Some(owned) = &self.owned {
            // Its connection is to be closed with it.
            self.lanes.close(owned.of_place[place] / owned.streams);
        }
    }

    /// A lane carries no request any more; its connection is open or not.
    pub fn lane_freed(&mut self, lane: usize, is_open: bool) {
        if self.owned.is_some() {
            return;
        }
        if is_open {
            self.lanes.release(lane);
        } else {
            self.lanes.close(lane);
        }
    }

    /// A connection was closed while this lane of it carried no request.
    pub fn closed_while_idle(&mut self, lane: usize) {
        if self.owned.is_none() {
            self.lanes.connection_closed(lane);
        }
    }

    /// The connection of this lane allows so many requests at a time: as many of its parked lanes are free
    /// again.
    pub fn allow(&mut self, lane: usize, limit: usize) {
        if self.owned.is_none() {
            self.lanes.allow(lane, limit);
        }
    }

    /// The lane just offered cannot be used until its connection allows more, or is closed: its request
    /// waits again, in its old place.
    pub fn park(&mut self, lane: usize, place: usize, intended_ns: u64, taken_up_ns: u64) {
        self.lanes.park(lane);
        self.steps_waiting.add(Waiting {
            intended_ns,
            taken_up_ns: Some(taken_up_ns),
            place,
        });
    }

    /// Why a request waits: for a stream where a peer allows fewer than the plan.
    #[must_use]
    pub fn cause_of_waiting(&self) -> NotSent {
        if self.lanes.has_parked() {
            NotSent::NoStream
        } else {
            NotSent::NoConnection
        }
    }

    /// The first that waits is not sent: it has waited too long, or the load stops.
    pub fn give_up(&mut self) -> Option<Offer> {
        let intended_ns = self.first_waiting_ns()?;
        let cause = self.cause_of_waiting();
        Some(match self.pop_waiting_step() {
            Some(step) => Offer::NotSent {
                place: step.place,
                intended_ns,
                cause,
            },
            None => Offer::NotBegun {
                number: self.pop_waiting_arrival(),
                intended_ns,
                cause,
            },
        })
    }

    fn refuse(&mut self, intended_ns: u64) -> Offer {
        Offer::NotBegun {
            number: self.pop_waiting_arrival(),
            intended_ns,
            cause: NotSent::NoPlace,
        }
    }

    fn is_waiting(&self) -> bool {
        self.arrivals_waiting > 0 || !self.steps_waiting.is_empty()
    }

    fn first_arrival_ns(&self) -> Option<u64> {
        (self.arrivals_waiting > 0).then(|| self.first.peek_ns())
    }

    /// When the first request was intended that waits for a lane, if one does.
    #[must_use]
    pub fn first_waiting_ns(&self) -> Option<u64> {
        let step_ns = self.steps_waiting.first_ns();
        match (step_ns, self.first_arrival_ns()) {
            (Some(step_ns), Some(arrival_ns)) => Some(step_ns.min(arrival_ns)),
            (step_ns, arrival_ns) => step_ns.or(arrival_ns),
        }
    }

    /// Takes the first step out of the queue, unless an arrival was intended before it.
    fn pop_waiting_step(&mut self) -> Option<Waiting> {
        let arrival_ns = self.first_arrival_ns().unwrap_or(u64::MAX);
        self.steps_waiting.pop_until(arrival_ns)
    }

    /// Takes the first arrival out of the queue, which is not empty; its number.
    fn pop_waiting_arrival(&mut self) -> u64 {
        let number = self.first.number();
        self.first.advance();
        self.arrivals_waiting -= 1;
        number
    }

    fn begin(
        &mut self,
        number: u64,
        lane: usize,
        intended_ns: u64,
        taken_up_ns: Option<u64>,
    ) -> Offer {
        let place = self.places.take();
        let lane = match &mut self.owned {
            None => lane,
            Some(owned) => {
                let lane = lane * owned.streams;
                if place == owned.of_place.len() {
                    owned.of_place.push(lane);
                } else {
                    owned.of_place[place] = lane;
                }
                lane
            }
        };
        Offer::Begin {
            due: Due {
                place,
                lane,
                intended_ns,
                taken_up_ns,
            },
            number,
            is_new: true,
        }
    }
}

#[cfg(test)]
mod tests;
