//! What all sessions of a group have in common, and what is counted of them.

use std::sync::Arc;

use crate::arrivals::closed_arrivals::PlacesOfPlan;
use crate::plan::session_format::{Capture, CaptureFrom, Node};
use crate::plan::{Group, GroupFeed, OnFailure, Operation, Per, Plan, Take};
use crate::record::step_counts::{FeedUse, GroupCounts, OperationCounts};
use crate::session::draws::{Drawer, Purpose, below};
use crate::session::integer::IntegerError;
use crate::session::lets::PreparedLet;
use crate::session::occasion::Occasion;
use crate::session::program::{Cursor, Program, ProgramError};
use crate::session::rows::Rows;
use crate::worker::sessions::place::Session;

/// What is the same for all sessions of a group.
#[derive(Clone, Debug)]
pub struct GroupFacts {
    /// Its number.
    pub number: usize,
    /// Its first operation among those of all groups.
    pub first_operation: usize,
    /// What its sessions do.
    pub program: Program,
    /// The names of their values.
    pub names: Vec<Arc<str>>,
    /// The values that are secret.
    pub secrets: Vec<usize>,
    places: PlacesOfPlan,
    feeds: Vec<GroupFeed>,
    lets: Vec<PreparedLet>,
    operations: Vec<OperationFacts>,
    /// How often each operation comes in a session, and in what is done once; none: that differs.
    straight: Option<[Vec<u64>; 2]>,
}

/// What a request of an operation means for its session.
#[derive(Clone, Debug)]
struct OperationFacts {
    goes_on: bool,
    captures: Vec<usize>,
    /// Those of them that are secret and come from a body.
    secrets: Vec<usize>,
    /// Headers from which secrets come.
    secret_headers: Vec<Box<[u8]>>,
}

impl OperationFacts {
    fn new(operation: &Operation) -> Self {
        let captures = operation.captures.iter();
        let secrets = captures.clone().filter(|one| one.secret);
        let is_of_body = |one: &&Capture| matches!(one.from, CaptureFrom::Json(_));
        let header = |one: &Capture| match &one.from {
            CaptureFrom::Header(name) => Some(name.as_bytes().into()),
            CaptureFrom::Json(_) | CaptureFrom::Cookie(_) => None,
        };
        Self {
            goes_on: operation.on_failure == OnFailure::GoOn,
            captures: captures.map(|one| one.value).collect(),
            secrets: secrets
                .clone()
                .filter(is_of_body)
                .map(|one| one.value)
                .collect(),
            secret_headers: secrets.filter_map(header).collect(),
        }
    }
}

/// What is counted of a group's sessions.
#[derive(Clone, Debug)]
pub struct Tally {
    /// As the record has it.
    pub counts: GroupCounts,
    /// Sessions begun that all have the same steps, and users that began once.
    begun: [u64; 2],
    open: u64,
    most_open: u64,
    /// For texts that are needed for a moment.
    pub scratch: Vec<u8>,
}

/// Why the sessions of a group cannot be performed.
#[derive(Debug, thiserror::Error)]
pub enum GroupError {
    /// Its steps.
    #[error(transparent)]
    Steps(#[from] ProgramError),
    /// A value that is made when a session begins.
    #[error(transparent)]
    Let(#[from] IntegerError),
}

impl GroupFacts {
    /// The group of this number, whose operations come after so many others.
    ///
    /// # Errors
    /// If its sessions cannot be performed.
    pub fn new(
        group: &Group,
        number: usize,
        first_operation: usize,
        places: PlacesOfPlan,
    ) -> Result<Self, GroupError> {
        let lets = group.lets.iter().map(PreparedLet::new);
        let captures = group
            .operations
            .iter()
            .flat_map(|operation| &operation.captures);
        let mut secrets: Vec<usize> = captures
            .filter(|one| one.secret)
            .map(|one| one.value)
            .collect();
        secrets.sort_unstable();
        secrets.dedup();
        Ok(Self {
            number,
            first_operation,
            program: Program::new(&group.once, &group.session)?,
            names: group
                .values
                .iter()
                .map(|name| name.as_str().into())
                .collect(),
            secrets,
            places,
            feeds: group.feeds.clone(),
            lets: lets.collect::<Result<_, _>>()?,
            operations: group.operations.iter().map(OperationFacts::new).collect(),
            straight: straight(group),
        })
    }

    /// The user of a session; 0 where there are none.
    #[must_use]
    pub fn user_of(&self, session: u64) -> u64 {
        match self.places.all {
            0 => 0,
            all => session % all / self.places.each,
        }
    }

    /// Where a session begins.
    #[must_use]
    pub fn beginning(&self, with_once: bool) -> Cursor {
        let once = self.program.once().filter(|_| with_once);
        once.unwrap_or_else(|| self.program.session())
    }

    /// Gives a session its rows, and the values that are made when it begins; false if a feed has no row
    /// for it.
    pub fn fill(&self, session: &mut Session, occasion: &Occasion<'_>, tally: &mut Tally) -> bool {
        let rows_of = |feed: &GroupFeed| &occasion.feeds[feed.feed];
        let number = |feed: &GroupFeed| match feed.per {
            Per::Session => occasion.session_number,
            Per::User => occasion.user_number,
        };
        let has_row =
            |feed: &GroupFeed| feed.take != Take::Once || number(feed) < rows_of(feed).count();
        if !self.feeds.iter().all(has_row) {
            return false;
        }
        for (feed, used) in self.feeds.iter().zip(&mut tally.counts.feeds) {
            let (rows, number) = (rows_of(feed), number(feed));
            let row = row(feed, rows, number, occasion);
            session
                .values
                .set_row(&feed.values, feed_number(feed), rows, row);
            let turn = match feed.take {
                Take::InTurn | Take::Once => number / rows.count(),
                Take::Random => 0,
            };
            used.took(usize::try_from(row).unwrap_or(usize::MAX), turn);
        }
        for one in &self.lets {
            // What cannot be made is missing, and a request that needs it cannot be sent.
            let _ = one.set(&mut session.values, occasion, &mut tally.scratch);
        }
        true
    }

    /// Counts the steps on the path of a session that begins, unless it is too long to be followed: then
    /// they are counted as they come.
    pub fn plan_path(
        &self,
        session: &mut Session,
        occasion: &Occasion<'_>,
        tally: &mut Tally,
        operations: &mut [OperationCounts],
    ) {
        if self.straight.is_some() {
            tally.begun[0] += 1;
            tally.begun[1] += u64::from(session.is_in_once);
            session.is_planned = true;
            return;
        }
        let (cursor, values) = (session.cursor, &session.values);
        let of_group = &mut operations[self.first_operation..];
        session.is_planned = self.program.walk(cursor, values, occasion, |step| {
            of_group[step.operation].planned += 1;
        });
        if !session.is_planned {
            self.program.walk(cursor, values, occasion, |step| {
                of_group[step.operation].planned -= 1;
            });
        }
    }

    /// Adds the planned steps of sessions that all have the same.
    pub fn add_planned(&self, tally: &Tally, operations: &mut [OperationCounts]) {
        let Some(straight) = &self.straight else {
            return;
        };
        for (times, begun) in straight.iter().zip(tally.begun) {
            let of_group = operations[self.first_operation..].iter_mut();
            for (counts, times) in of_group.zip(times) {
                counts.planned += times * begun;
            }
        }
    }

    /// Whether a session goes on after a failed request of this operation.
    #[must_use]
    pub fn goes_on_after(&self, operation: usize) -> bool {
        self.operations[operation].goes_on
    }

    /// The secret values that an operation takes out of bodies.
    #[must_use]
    pub fn captured_secrets(&self, operation: usize) -> &[usize] {
        &self.operations[operation].secrets
    }

    /// The headers from which an operation takes secrets.
    #[must_use]
    pub fn secret_headers(&self, operation: usize) -> &[Box<[u8]>] {
        &self.operations[operation].secret_headers
    }

    /// What would have been captured by a request that failed is missing.
    pub fn forget_captures(&self, session: &mut Session) {
        for &value in &self.operations[session.step.operation].captures {
            session.values.forget(value);
        }
    }
}

impl Tally {
    /// Nothing yet.
    #[must_use]
    pub fn new(plan: &Plan, group: &Group) -> Self {
        let feeds = group.feeds.iter().map(|feed| {
            let rows = plan.feeds[feed.feed].rows;
            FeedUse::new(usize::try_from(rows).unwrap_or(usize::MAX))
        });
        Self {
            counts: GroupCounts {
                feeds: feeds.collect(),
                ..GroupCounts::default()
            },
            begun: [0; 2],
            open: 0,
            most_open: 0,
            scratch: Vec::new(),
        }
    }

    /// Another session has begun.
    pub fn opened(&mut self) {
        self.open += 1;
        self.most_open = self.most_open.max(self.open);
    }

    /// A session that has begun has ended.
    pub fn closed(&mut self) {
        self.open -= 1;
    }

    /// Open sessions, and the most of them since this was asked last.
    pub fn take_open(&mut self) -> (u64, u64) {
        let most_open = std::mem::replace(&mut self.most_open, self.open);
        (self.open, most_open)
    }
}

/// The row that a session takes by its own or its user's number.
fn row(feed: &GroupFeed, rows: &Rows, number: u64, occasion: &Occasion<'_>) -> u64 {
    match feed.take {
        Take::InTurn | Take::Once => number % rows.count(),
        Take::Random => {
            let drawer = Drawer {
                seed: occasion.seed,
                group: occasion.group,
                session: number,
                turn: 0,
            };
            below(drawer.draw(Purpose::Feed, feed.draw), rows.count())
        }
    }
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "a checked plan has at most 1,000 feeds"
)]
fn feed_number(feed: &GroupFeed) -> u16 {
    feed.feed as u16
}

/// How often each operation comes, where every session has the same steps.
fn straight(group: &Group) -> Option<[Vec<u64>; 2]> {
    let count = |nodes: &[Node]| {
        let mut times = vec![0; group.operations.len()];
        for node in nodes {
            let Node::Send(send) = node else {
                return None;
            };
            times[send.operation] += 1;
        }
        Some(times)
    };
    Some([count(&group.session)?, count(&group.once)?])
}
