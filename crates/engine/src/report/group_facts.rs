//! What became of each group's sessions, in the summary.

use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

use crate::arrivals::closed_arrivals::Paces;
use crate::outcome::{Outcome, OutcomeCounts};
use crate::plan::{Group, Plan, Process};
use crate::record::clock_histogram::SplitSums;
use crate::record::interval_stats::IntervalStats;
use crate::record::step_counts::{CookieCounts, GroupCounts, OperationCounts};
use crate::record::worker_interval::Gauges;
use crate::report::arrival_facts::ArrivalFacts;
use crate::report::request_facts::{ClockSplitSummary, Outcomes};
use crate::report::summary::ArrivalKind;
use crate::report::user_facts::UserFacts;

/// How sessions ended. Begun is finished, aborted and cut together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SessionFacts {
    /// Their first request was offered.
    pub begun: u64,
    /// They came to their end, or to one that an answer made.
    pub finished: u64,
    /// Those of the finished that an answer ended.
    pub ended_early: u64,
    /// A request of this outcome ended them.
    pub aborted: BTreeMap<Outcome, u64>,
    /// The load stopped, or their user left, between their requests.
    pub cut: u64,
    /// Begun and not ended at the same time; of several workers the sum of each one's most within a second.
    pub most_at_once: u64,
}

/// How many sessions began as long after the one before as the pace says.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct PaceFacts {
    /// They did.
    pub held: u64,
    /// They began later, since the one before took longer.
    pub missed: u64,
}

impl From<Paces> for PaceFacts {
    fn from(paces: Paces) -> Self {
        Self {
            held: paces.held,
            missed: paces.missed,
        }
    }
}

/// The pauses between requests.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ThinkFacts {
    /// How many.
    pub count: u64,
    /// All together, nanoseconds.
    pub sum_ns: u64,
}

/// Which rows of a feed were taken.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FeedFacts {
    /// The feed.
    pub feed: String,
    /// Its rows.
    pub rows: u64,
    /// Those that were taken at least once.
    pub used: u64,
    /// How often it has begun again.
    pub turns: u64,
    /// Of its file, as the plan says.
    pub sha256: String,
}

/// What came of cookies that answers set.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct CookieFacts {
    /// Kept.
    pub kept: u64,
    /// Not allowed, or one too many.
    pub dropped: u64,
    /// Seen where no cookies are kept; of HTTP/2 only in answers whose headers were looked at.
    pub ignored: u64,
}

impl From<CookieCounts> for CookieFacts {
    fn from(counts: CookieCounts) -> Self {
        Self {
            kept: counts.kept,
            dropped: counts.dropped,
            ignored: counts.ignored,
        }
    }
}

/// One group over the whole load, grace period included.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GroupFacts {
    /// Closed users or an arrival rate.
    pub arrivals: ArrivalKind,
    /// How many users at most; null for a rate.
    pub users: Option<u64>,
    /// The highest rate; null for users.
    pub rate_per_second: Option<f64>,
    /// How arrivals are spread; null for users.
    pub process: Option<Process>,
    /// Users, or the cap of the pool.
    pub connections: u64,
    /// When its stages begin.
    pub start_ns: u64,
    /// What became of its sessions.
    pub sessions: SessionFacts,
    /// From the intended time of the first request to the end of the last, without what a user does once:
    /// of finished sessions (`ok`), and of those aborted by a request that has a time.
    pub duration: ClockSplitSummary,
    /// How sessions kept their pace; null if they have none.
    pub paces: Option<PaceFacts>,
    /// The pauses between requests.
    pub think: ThinkFacts,
    /// Its feeds.
    pub feeds: Vec<FeedFacts>,
    /// Its cookies.
    pub cookies: CookieFacts,
    /// Sessions that a request of this operation aborted.
    pub aborted_at: BTreeMap<String, u64>,
    /// Over all of its operations.
    pub outcomes: Outcomes,
    /// What each user got; null where none had a request, or the window never began.
    pub by_user: Option<UserFacts>,
}

/// What the intervals say of one group's sessions.
#[derive(Clone, Copy, Debug, Default)]
pub struct SessionSums {
    begun: u64,
    finished: u64,
    ended_early: u64,
    aborted: OutcomeCounts,
    cut: u64,
    most_at_once: u64,
    duration: SplitSums,
}

impl SessionSums {
    /// Adds one interval to the sums of all groups.
    pub fn add(all: &mut [Self], stats: &IntervalStats, gauges: &Gauges) {
        for (sums, sessions) in all.iter_mut().zip(&stats.sessions) {
            sums.begun += sessions.begun;
            sums.finished += sessions.finished;
            sums.ended_early += sessions.ended_early;
            sums.aborted.add(&sessions.aborted);
            sums.cut += sessions.cut;
            sums.duration.add(&sessions.duration);
        }
        for (sums, gauge) in all.iter_mut().zip(&gauges.groups) {
            sums.most_at_once = sums.most_at_once.max(gauge.most_open);
        }
    }

    /// Begun, and ended in some way: equal, or something was lost.
    #[must_use]
    pub fn begun_and_ended(&self) -> (u64, u64) {
        let ended = self.finished + self.aborted.total() + self.cut;
        (self.begun, ended)
    }

    fn facts(&self) -> SessionFacts {
        let aborted = Outcome::ALL.map(|outcome| (outcome, self.aborted.get(outcome)));
        SessionFacts {
            begun: self.begun,
            finished: self.finished,
            ended_early: self.ended_early,
            aborted: aborted.into_iter().filter(|entry| entry.1 > 0).collect(),
            cut: self.cut,
            most_at_once: self.most_at_once,
        }
    }
}

/// What was counted of one group over the whole load.
#[derive(Clone, Copy, Debug)]
pub struct GroupSums<'a> {
    /// By the intervals.
    pub sessions: &'a SessionSums,
    /// Beside them.
    pub counts: &'a GroupCounts,
    /// By operation.
    pub operations: &'a [OperationCounts],
    /// Over its cells.
    pub outcomes: OutcomeCounts,
    /// By user.
    pub by_user: Option<UserFacts>,
}

impl GroupSums<'_> {
    /// As the summary has it.
    #[must_use]
    pub fn facts(&self, plan: &Plan, group: &Group) -> GroupFacts {
        let arrivals = ArrivalFacts::of_group(group);
        let operations = group.operations.iter().zip(self.operations);
        let aborted_at = operations.filter(|(_, counts)| counts.aborted_sessions > 0);
        let feeds = group.feeds.iter().zip(&self.counts.feeds);
        GroupFacts {
            arrivals: arrivals.kind,
            users: arrivals.users,
            rate_per_second: arrivals.rate_per_second,
            process: arrivals.process,
            connections: arrivals.connections,
            start_ns: group.start_ns,
            sessions: self.sessions.facts(),
            duration: (&self.sessions.duration).into(),
            paces: self.counts.paces.map(Into::into),
            think: ThinkFacts {
                count: self.counts.thought,
                sum_ns: self.counts.thought_ns,
            },
            feeds: feeds
                .map(|(feed, used)| {
                    let of = &plan.feeds[feed.feed];
                    FeedFacts {
                        feed: of.name.clone(),
                        rows: of.rows,
                        used: used.used(),
                        turns: used.turns,
                        sha256: of.sha256.clone(),
                    }
                })
                .collect(),
            cookies: self.counts.cookies.into(),
            aborted_at: aborted_at
                .map(|(operation, counts)| (operation.operation.clone(), counts.aborted_sessions))
                .collect(),
            outcomes: Outcomes::from(&self.outcomes),
            by_user: self.by_user,
        }
    }
}
