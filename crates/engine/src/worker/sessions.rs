//! What each session of a worker is at: which step comes next, and with what values; and how many steps
//! there were, skipped and not reached. No lane, no socket and no clock.
//!
//! A session is meant by its group and its place there, which is used again once it has ended.

pub mod asking;
pub mod group;
mod performing;
mod place;

use crate::arrivals::offers::Offers;
use crate::arrivals::think_times::pause_ns;
use crate::outcome::Outcome;
use crate::record::request_rows::{RequestRows, RowOrigin};
use crate::record::session_stats::SessionEnd;
use crate::record::step_counts::{GroupCounts, OperationCounts};
use crate::session::draws::{Purpose, run_key};
use crate::session::occasion::Occasion;
use crate::session::rows::Rows;
use crate::worker::Task;
use crate::worker::sessions::group::{GroupError, GroupFacts, Tally};
use crate::worker::sessions::performing::Performing;
use crate::worker::sessions::place::Session;

/// How a session begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    /// With a request.
    Step,
    /// It has nothing to do.
    Nothing,
    /// Not at all: a feed whose rows are taken once has none for it.
    Exhausted,
}

/// How a session goes on after a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// With another one.
    Step,
    /// It has ended.
    End(SessionEnd),
}

/// An arrival whose first request is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// That request would have been of this operation.
    Step(usize, RowOrigin),
    /// It would have had nothing to do.
    Nothing,
    /// A feed has no row for it.
    Exhausted,
}

/// What is the same for all sessions of a load.
#[derive(Clone, Debug)]
struct Surroundings {
    feeds: Vec<Rows>,
    origin: String,
    seed: u64,
    run_key: u64,
    start_unix_ns: u64,
}

/// The sessions of one worker's part of a group.
#[derive(Debug)]
struct SessionGroup {
    facts: GroupFacts,
    tally: Tally,
    /// By place.
    places: Vec<Session>,
    /// For arrivals that are not sent.
    refused: Session,
}

/// The sessions of one worker.
#[derive(Debug)]
pub struct Sessions {
    surroundings: Surroundings,
    groups: Vec<SessionGroup>,
    /// By operation, over all groups.
    operations: Vec<OperationCounts>,
}

impl Surroundings {
    /// A moment of a session.
    fn occasion(&self, facts: &GroupFacts, session_number: u64, now_ns: u64) -> Occasion<'_> {
        Occasion {
            feeds: &self.feeds,
            origin: &self.origin,
            seed: self.seed,
            run_key: self.run_key,
            group: facts.number as u64,
            session_number,
            user_number: facts.user_of(session_number),
            turn: 0,
            draw_turn: 0,
            now_unix_ns: self.start_unix_ns + now_ns,
        }
    }
}

impl Sessions {
    /// None has begun yet. `origin` is the URL of the target, without a path.
    ///
    /// # Errors
    /// If the sessions of a group cannot be performed.
    pub fn new(task: &Task<'_>, origin: &str, offers: &Offers) -> Result<Self, GroupError> {
        let plan = task.plan;
        let (mut groups, mut operations) = (Vec::new(), 0);
        for (number, group) in plan.groups.iter().enumerate() {
            let places = offers.places_of_plan(number);
            groups.push(SessionGroup {
                facts: GroupFacts::new(group, number, operations, places)?,
                tally: Tally::new(plan, group),
                places: Vec::new(),
                refused: Session::new(group.values.len()),
            });
            operations += group.operations.len();
        }
        Ok(Self {
            surroundings: Surroundings {
                feeds: task.feeds.to_vec(),
                origin: origin.to_owned(),
                seed: plan.seed,
                run_key: run_key(&plan.run_id),
                start_unix_ns: 0,
            },
            groups,
            operations: vec![OperationCounts::default(); operations],
        })
    }

    /// The load begins at this time, since 1970.
    pub fn start_at(&mut self, unix_ns: u64) {
        self.surroundings.start_unix_ns = unix_ns;
    }

    /// Begins a session of a user that is new, or was there before.
    pub fn begin(
        &mut self,
        group: usize,
        place: usize,
        number: u64,
        is_new: bool,
        now_ns: u64,
    ) -> Begun {
        let of_group = &mut self.groups[group];
        while of_group.places.len() <= place {
            of_group
                .places
                .push(Session::new(of_group.facts.names.len()));
        }
        let mut performing = self.performing(group, place, now_ns);
        let begun = performing.begin(number, is_new);
        if begun != Begun::Exhausted {
            self.groups[group].tally.opened();
        }
        begun
    }

    /// Lets an arrival begin and end with its first request, which is not sent.
    pub fn refuse(
        &mut self,
        group: usize,
        number: u64,
        rows: &mut RequestRows,
        now_ns: u64,
    ) -> Refused {
        let SessionGroup {
            facts,
            tally,
            refused,
            ..
        } = &mut self.groups[group];
        let mut performing = Performing {
            surroundings: &self.surroundings,
            facts,
            tally,
            operations: &mut self.operations,
            session: refused,
            now_ns,
        };
        match performing.begin(number, true) {
            Begun::Step => {
                performing.offered(now_ns, rows);
                performing.end(SessionEnd::Aborted(Outcome::NotSent));
                let operation = facts.first_operation + refused.step.operation;
                Refused::Step(operation, refused.origin(group))
            }
            Begun::Nothing => Refused::Nothing,
            Begun::Exhausted => Refused::Exhausted,
        }
    }

    fn performing(&mut self, group: usize, place: usize, now_ns: u64) -> Performing<'_> {
        let SessionGroup {
            facts,
            tally,
            places,
            ..
        } = &mut self.groups[group];
        Performing {
            surroundings: &self.surroundings,
            facts,
            tally,
            operations: &mut self.operations,
            session: &mut places[place],
            now_ns,
        }
    }

    /// The request that a session is at is offered: now for the first time, or again.
    pub fn offered(
        &mut self,
        group: usize,
        place: usize,
        intended_ns: u64,
        rows: &mut RequestRows,
    ) {
        self.performing(group, place, 0).offered(intended_ns, rows);
    }

    /// The operation, over all groups, of the request that a session is at.
    #[must_use]
    pub fn operation(&self, group: usize, place: usize) -> usize {
        let of_group = &self.groups[group];
        of_group.facts.first_operation + of_group.places[place].step.operation
    }

    /// Where the request that a session is at comes from.
    #[must_use]
    pub fn origin(&self, group: usize, place: usize) -> RowOrigin {
        self.groups[group].places[place].origin(group)
    }

    /// How long the user pauses after the request that its session is at.
    #[must_use]
    pub fn pause_ns(&self, group: usize, place: usize) -> u64 {
        let of_group = &self.groups[group];
        let session = &of_group.places[place];
        let step = &session.step;
        step.think.map_or(0, |think| {
            pause_ns(think, || {
                let facts = &of_group.facts;
                let occasion = self.surroundings.occasion(facts, session.number, 0);
                let turned = session.cursor.turned(&occasion);
                turned.draw(Purpose::Think, step.number)
            })
        })
    }

    /// What follows for a session from the outcome of its request.
    pub fn next(
        &mut self,
        group: usize,
        place: usize,
        outcome: Outcome,
        ends_session: bool,
        now_ns: u64,
    ) -> Next {
        self.performing(group, place, now_ns)
            .next(outcome, ends_session)
    }

    /// A session has ended; how long it took, if it has such a time.
    pub fn end(&mut self, group: usize, place: usize, end: SessionEnd, at_ns: u64) -> Option<u64> {
        self.groups[group].tally.closed();
        self.performing(group, place, at_ns).end(end)
    }

    /// Whether a session is between two requests.
    #[must_use]
    pub fn is_pausing(&self, group: usize, place: usize) -> bool {
        let session = &self.groups[group].places[place];
        session.is_open && session.sequence.is_none()
    }

    /// How many places of a group have been used.
    #[must_use]
    pub fn places(&self, group: usize) -> usize {
        self.groups[group].places.len()
    }

    /// How many sessions of a group have begun and not ended, and the most of them since this was asked last.
    pub fn open(&mut self, group: usize) -> (u64, u64) {
        self.groups[group].tally.take_open()
    }

    /// What was counted, by operation and by group.
    #[must_use]
    pub fn counts(&mut self) -> (Vec<OperationCounts>, Vec<GroupCounts>) {
        for group in &self.groups {
            group.facts.add_planned(&group.tally, &mut self.operations);
        }
        let of_groups = self.groups.iter_mut();
        let of_groups = of_groups.map(|group| std::mem::take(&mut group.tally.counts));
        (std::mem::take(&mut self.operations), of_groups.collect())
    }
}
