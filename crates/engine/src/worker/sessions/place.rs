//! One session, in its place.

use crate::outcome::Outcome;
use crate::record::request_rows::RowOrigin;
use crate::record::session_stats::SessionEnd;
use crate::session::cookies::Jar;
use crate::session::program::{Cursor, Step};
use crate::session::template::Unsendable;
use crate::session::values::Values;

/// A session, or what the last one in this place has left.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact by itself")]
#[derive(Clone, Debug)]
pub struct Session {
    /// Its number in its group.
    pub number: u64,
    /// It has begun, and not ended.
    pub is_open: bool,
    /// It is at what its user does once.
    pub is_in_once: bool,
    /// The next session of this user begins with what that does once.
    pub needs_once: bool,
    /// All of its steps were counted when it began; else each is counted when it comes.
    pub is_planned: bool,
    /// Where it stands.
    pub cursor: Cursor,
    /// The step that it is at.
    pub step: Step,
    /// Why that cannot be sent at all, if that is so.
    pub unsendable: Option<Unsendable>,
    /// The number of its request among the worker's offered ones, once it is offered.
    pub sequence: Option<u64>,
    /// When the last request of its user ended, of this session or the one before.
    pub rests_since_ns: Option<u64>,
    /// Its values.
    pub values: Values,
    /// Its cookies.
    pub jar: Jar,
    /// When its first request was intended, and the first beyond what is done once.
    began_ns: Option<u64>,
    first_ns: Option<u64>,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            number: 0,
            is_open: false,
            is_in_once: false,
            needs_once: false,
            is_planned: false,
            cursor: Cursor::default(),
            step: Step {
                number: 0,
                operation: 0,
                think: None,
                when: None,
            },
            unsendable: None,
            sequence: None,
            rests_since_ns: None,
            values: Values::default(),
            jar: Jar::default(),
            began_ns: None,
            first_ns: None,
        }
    }
}

impl Session {
    /// So many values, none of them there.
    #[must_use]
    pub fn new(values: usize) -> Self {
        Self {
            values: Values::new(values),
            ..Self::default()
        }
    }

    /// Begins with a new session, and with nothing of those before if its user is new, or has still to do
    /// what it does once.
    pub fn begin(&mut self, number: u64, is_new: bool, has_once: bool) {
        let with_once = has_once && (is_new || self.needs_once);
        self.number = number;
        self.is_open = true;
        self.is_in_once = with_once;
        self.needs_once = with_once;
        self.sequence = None;
        self.began_ns = None;
        self.first_ns = None;
        if is_new {
            self.rests_since_ns = None;
        }
        if with_once || is_new {
            self.values.reset();
            self.jar.reset();
        } else {
            self.values.begin();
            self.jar.begin();
        }
    }

    /// What is done once is done: what it left stays for all sessions of the user.
    pub fn end_once(&mut self) {
        self.is_in_once = false;
        self.needs_once = false;
        self.values.keep();
        self.jar.keep();
    }

    /// The step that it is at is offered.
    pub fn offered(&mut self, intended_ns: u64) {
        self.began_ns.get_or_insert(intended_ns);
        if !self.is_in_once {
            self.first_ns.get_or_insert(intended_ns);
        }
    }

    /// How long it took; of one that did not come beyond what is done once, since that began.
    #[must_use]
    pub fn duration_ns(&self, end: SessionEnd, at_ns: u64) -> Option<u64> {
        let has_time = match end {
            SessionEnd::Finished | SessionEnd::Early => true,
            SessionEnd::Aborted(outcome) => {
                !matches!(outcome, Outcome::NotSent | Outcome::Unanswered)
            }
            SessionEnd::Cut => false,
        };
        let since_ns = self.first_ns.or(self.began_ns).filter(|_| has_time)?;
        Some(at_ns.saturating_sub(since_ns))
    }

    /// Where its request comes from.
    #[must_use]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a checked plan has at most 32 groups and 10,000 steps"
    )]
    pub fn origin(&self, group: usize) -> RowOrigin {
        RowOrigin {
            sequence: self.sequence.unwrap_or_default(),
            session: self.number,
            group: group as u16,
            step: self.step.number as u16,
        }
    }
}
