//! When the load stops because of how it goes: pure, over the merged intervals of the load, or over what
//! they say of one group.
//!
//! Each rule judges each interval, once, by what ended in it, over all workers:
//!
//! | in the interval | mean response time | failures |
//! |---|---|---|
//! | requests ended | above if their mean is above the limit | above if their share of failures is above the limit |
//! | none ended, some are pending | above if the oldest is older than the limit, else open | open |
//! | none ended, none pending | not above | not above |
//!
//! Pending is what was offered and has no outcome yet, whether it was written or waits to be.
//! "Above" is strictly above. A rule's time begins at the start of the first interval that is above
//! and ends with the first that is not; an open interval, which tells neither, leaves it running. A
//! rule fires at the end of an interval that is itself above, once its time is as long as it asks.
//! Hence it fires only at ends of intervals, and never on an interval that tells nothing.
//!
//! The 99th percentile is judged over all that ended within the last stretch of the time that its rule
//! asks for, once there is such a stretch: above if more than one request in a hundred took longer than the
//! limit, to three digits; if none ended, if the oldest in flight is older.
//!
//! Mean and percentile are over all requests with a response time, failed ones included: a server that
//! lets everything time out is slow, too. The share of failures is over all outcomes, `not_sent`
//! included. The stops by a first timeout, failure or failed check are not here: the worker that sees the
//! request stops at once. Rules that hold from the window on judge no interval before it: a row of intervals
//! above a limit begins there, too.

mod percentile;

use std::ops::Range;

use crate::interval_rules::stop_rules::percentile::PercentileWatch;
use crate::outcome::{Outcome, OutcomeCounts};
use crate::plan::{FailuresRule, HoldsFrom, MeanRule, StopRules};
use crate::record::clock_histogram::{ClockHistogram, ExactStats};
use crate::record::merged_interval::MergedInterval;
use crate::record::request_clock::RequestClock;
use crate::record::worker_interval::Gauges;

/// What one merged interval says of all groups or of one.
#[derive(Clone, Copy, Debug, Default)]
pub struct IntervalFacts {
    /// When it began.
    pub start_ns: u64,
    /// When it ended.
    pub end_ns: u64,
    /// Requests that ended in it and have a response time.
    pub ended: u64,
    /// Their response times together.
    pub response_time_sum_ns: u128,
    /// Those that took longer than the limit of the 99th percentile; 0 without one.
    pub beyond: u64,
    /// Requests whose outcome in it is `ok`.
    pub ok: u64,
    /// Requests of every other outcome.
    pub failed: u64,
    /// How long ago the oldest request was intended that has no outcome at the end; none if none is
    /// pending. It may still wait for a connection: a server that accepts none is slow, too.
    pub oldest_pending_ns: Option<u64>,
}

/// All groups of a load, or one of them.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The group; none: all.
    pub group: Option<usize>,
    /// Its cells.
    pub cells: Range<usize>,
}

impl Scope {
    fn oldest_pending_ns(&self, gauges: &Gauges) -> Option<u64> {
        match self.group {
            None => gauges.oldest_pending_ns,
            Some(group) => gauges.groups[group].oldest_pending_ns,
        }
    }
}

impl IntervalFacts {
    /// Those of a merged interval.
    #[must_use]
    fn of(interval: &MergedInterval, scope: &Scope, limit_ns: Option<u64>) -> Self {
        let (mut ended, mut outcomes) = (ExactStats::default(), OutcomeCounts::default());
        let mut beyond = 0;
        for cell in &interval.stats.cells[scope.cells.clone()] {
            let clock = cell.clock(RequestClock::ResponseTime);
            for split in [&clock.ok, &clock.failed] {
                ended.add(&split.exact);
                beyond += limit_ns.map_or(0, |limit_ns| count_beyond(split, limit_ns));
            }
            outcomes.add(&cell.outcomes);
        }
        let ok = outcomes.get(Outcome::Ok);
        Self {
            start_ns: interval.start_ns,
            end_ns: interval.end_ns,
            ended: ended.count,
            response_time_sum_ns: ended.sum_ns,
            beyond,
            ok,
            failed: outcomes.total() - ok,
            oldest_pending_ns: scope.oldest_pending_ns(&interval.gauges),
        }
    }
}

fn count_beyond(values: &ClockHistogram, limit_ns: u64) -> u64 {
    if values.exact.max_ns <= limit_ns {
        return 0;
    }
    values.exact.count - values.histogram.count_between(0, limit_ns)
}

/// A rule that looks at intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopRule {
    /// The mean response time stayed above its limit.
    MeanResponseTime,
    /// The share of failures stayed above its limit.
    Failures,
    /// The 99th percentile of the response time was above its limit.
    P99,
}

/// How an interval looks to a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judgement {
    Above,
    NotAbove,
    Open,
}

/// The rules of a plan or of a group, and since when each holds.
#[derive(Clone, Debug)]
pub struct StopWatch {
    scope: Scope,
    mean: Option<MeanRule>,
    failures: Option<FailuresRule>,
    p99: Option<PercentileWatch>,
    holds_from: HoldsFrom,
    mean_since_ns: Option<u64>,
    failures_since_ns: Option<u64>,
}

impl StopWatch {
    /// Before the first interval.
    #[must_use]
    pub fn new(rules: &StopRules, scope: Scope) -> Self {
        Self {
            scope,
            mean: rules.mean_response_time,
            failures: rules.failures,
            p99: rules.p99.map(PercentileWatch::new),
            holds_from: rules.holds_from,
            mean_since_ns: None,
            failures_since_ns: None,
        }
    }

    /// The group whose rules they are; none: of all together.
    #[must_use]
    pub fn group(&self) -> Option<usize> {
        self.scope.group
    }

    /// Judges the next interval of the load; which rule fires, if one does. `window_start_ns` is when the
    /// window begins; none: that is not fixed yet.
    pub fn judge_interval(
        &mut self,
        interval: &MergedInterval,
        window_start_ns: Option<u64>,
    ) -> Option<StopRule> {
        if self.mean.is_none() && self.failures.is_none() && self.p99.is_none() {
            return None;
        }
        let is_before = window_start_ns.is_none_or(|begins_ns| interval.start_ns < begins_ns);
        if self.holds_from == HoldsFrom::Window && is_before {
            return None;
        }
        let limit_ns = self.p99.as_ref().map(PercentileWatch::limit_ns);
        self.judge(&IntervalFacts::of(interval, &self.scope, limit_ns))
    }

    /// Judges the next interval; which rule fires, if one does. Of several, the mean's comes first, then
    /// that of failures.
    fn judge(&mut self, facts: &IntervalFacts) -> Option<StopRule> {
        let mean_fires = self.mean.is_some_and(|rule| {
            let judgement = judge_mean(rule.above_ns, facts);
            lasts(&mut self.mean_since_ns, judgement, rule.for_ns, facts)
        });
        let failures_fire = self.failures.is_some_and(|rule| {
            let judgement = judge_failures(rule.above_share, facts);
            lasts(&mut self.failures_since_ns, judgement, rule.for_ns, facts)
        });
        let p99_fires = self.p99.as_mut().is_some_and(|watch| watch.judge(facts));
        match (mean_fires, failures_fire, p99_fires) {
            (true, ..) => Some(StopRule::MeanResponseTime),
            (_, true, _) => Some(StopRule::Failures),
            (_, _, true) => Some(StopRule::P99),
            (false, false, false) => None,
        }
    }
}

fn judge_mean(above_ns: u64, facts: &IntervalFacts) -> Judgement {
    if facts.ended > 0 {
        let at_limit_ns = u128::from(above_ns) * u128::from(facts.ended);
        return above_if(facts.response_time_sum_ns > at_limit_ns);
    }
    match facts.oldest_pending_ns {
        Some(age_ns) if age_ns > above_ns => Judgement::Above,
        Some(_) => Judgement::Open,
        None => Judgement::NotAbove,
    }
}

fn judge_failures(above_share: f64, facts: &IntervalFacts) -> Judgement {
    let outcomes = facts.ok + facts.failed;
    if outcomes > 0 {
        return above_if(facts.failed as f64 / outcomes as f64 > above_share);
    }
    match facts.oldest_pending_ns {
        Some(_) => Judgement::Open,
        None => Judgement::NotAbove,
    }
}

fn above_if(is_above: bool) -> Judgement {
    if is_above {
        Judgement::Above
    } else {
        Judgement::NotAbove
    }
}

/// Carries a rule's time on; whether it is long enough now.
fn lasts(
    since_ns: &mut Option<u64>,
    judgement: Judgement,
    for_ns: u64,
    facts: &IntervalFacts,
) -> bool {
    match judgement {
        Judgement::Open => false,
        Judgement::NotAbove => {
            *since_ns = None;
            false
        }
        Judgement::Above => {
            let begun_ns = *since_ns.get_or_insert(facts.start_ns);
            facts.end_ns - begun_ns >= for_ns
        }
    }
}

#[cfg(test)]
mod tests;
