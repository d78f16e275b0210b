//! One session, as it is performed.

use crate::outcome::Outcome;
use crate::record::request_rows::RequestRows;
use crate::record::session_stats::SessionEnd;
use crate::record::step_counts::OperationCounts;
use crate::session::occasion::Occasion;
use crate::session::program::{self, Step};
use crate::worker::sessions::group::{GroupFacts, Tally};
use crate::worker::sessions::place::Session;
use crate::worker::sessions::{Begun, Next, Surroundings};

/// A session and all that it has to do with, for a moment.
pub(super) struct Performing<'a> {
    pub(super) surroundings: &'a Surroundings,
    pub(super) facts: &'a GroupFacts,
    pub(super) tally: &'a mut Tally,
    pub(super) operations: &'a mut [OperationCounts],
    pub(super) session: &'a mut Session,
    pub(super) now_ns: u64,
}

impl<'a> Performing<'a> {
    fn occasion(&self) -> Occasion<'a> {
        self.surroundings
            .occasion(self.facts, self.session.number, self.now_ns)
    }

    /// Begins the session of this number.
    pub(super) fn begin(&mut self, number: u64, is_new: bool) -> Begun {
        let has_once = self.facts.program.once().is_some();
        self.session.begin(number, is_new, has_once);
        let occasion = self.occasion();
        if !self.facts.fill(self.session, &occasion, self.tally) {
            self.session.is_open = false;
            return Begun::Exhausted;
        }
        self.session.cursor = self.facts.beginning(self.session.is_in_once);
        let operations = &mut *self.operations;
        self.facts
            .plan_path(self.session, &occasion, self.tally, operations);
        if self.go_to_next() {
            Begun::Step
        } else {
            Begun::Nothing
        }
    }

    /// Goes on to the next request, past those that are skipped; false at the end.
    fn go_to_next(&mut self) -> bool {
        let occasion = self.occasion();
        let Self { facts, session, .. } = self;
        session.sequence = None;
        loop {
            let cursor = &mut session.cursor;
            let (step, unsendable) = match facts.program.next(cursor, &session.values, &occasion) {
                program::Next::Send(step) => (step, None),
                program::Next::Unsendable(step, error) => (step, Some(error)),
                program::Next::Skip(step) => {
                    let counts = &mut self.operations[facts.first_operation + step.operation];
                    counts.skipped += 1;
                    counts.planned += u64::from(!session.is_planned);
                    continue;
                }
                program::Next::End if session.is_in_once => {
                    session.end_once();
                    session.cursor = facts.program.session();
                    continue;
                }
                program::Next::End => return false,
            };
            session.step = *step;
            session.unsendable = unsendable;
            return true;
        }
    }

    /// The request that it is at is offered: now for the first time, or again.
    pub(super) fn offered(&mut self, intended_ns: u64, rows: &mut RequestRows) {
        let Self { facts, session, .. } = self;
        if session.sequence.is_some() {
            return;
        }
        session.sequence = Some(rows.next_sequence());
        session.offered(intended_ns);
        let counts = &mut self.operations[facts.first_operation + session.step.operation];
        counts.planned += u64::from(!session.is_planned);
        if let Some(since_ns) = session.rests_since_ns.take() {
            self.tally.counts.thought += 1;
            self.tally.counts.thought_ns += intended_ns.saturating_sub(since_ns);
        }
    }

    /// What follows from the outcome of its request.
    pub(super) fn next(&mut self, outcome: Outcome, ends_session: bool) -> Next {
        let is_ok = outcome == Outcome::Ok;
        self.session.rests_since_ns = Some(self.now_ns);
        if !is_ok {
            self.facts.forget_captures(self.session);
        }
        if is_ok && ends_session {
            Next::End(SessionEnd::Early)
        } else if !is_ok && !self.facts.goes_on_after(self.session.step.operation) {
            Next::End(SessionEnd::Aborted(outcome))
        } else if self.go_to_next() {
            Next::Step
        } else {
            Next::End(SessionEnd::Finished)
        }
    }

    /// It has ended: counts the steps that it does not come to. How long it took, if it has such a time.
    pub(super) fn end(&mut self, end: SessionEnd) -> Option<u64> {
        self.session.is_open = false;
        if end != SessionEnd::Finished {
            self.count_unreached(end);
        }
        self.session.duration_ns(end, self.now_ns)
    }

    fn count_unreached(&mut self, end: SessionEnd) {
        let occasion = self.occasion();
        let Self { facts, session, .. } = self;
        let of_group = &mut self.operations[facts.first_operation..];
        if let SessionEnd::Aborted(_) = end {
            of_group[session.step.operation].aborted_sessions += 1;
        }
        let mut count = |step: &Step| {
            let counts = &mut of_group[step.operation];
            counts.planned += u64::from(!session.is_planned);
            match end {
                SessionEnd::Aborted(_) => counts.unreached.aborted += 1,
                SessionEnd::Early => counts.unreached.ended += 1,
                SessionEnd::Cut => counts.unreached.cut += 1,
                SessionEnd::Finished => {}
            }
        };
        if session.sequence.is_none() {
            count(&session.step);
        }
        let (cursor, values) = (session.cursor, &session.values);
        facts.program.walk(cursor, values, &occasion, count);
    }
}
