//! When the load stops because of how it goes: pure, over the merged intervals of the load.
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
//! The mean is over all requests with a response time, failed ones included: a server that lets
//! everything time out is slow, too. The share of failures is over all outcomes, `not_sent`
//! included. The stops by a first timeout or failed check are not here: the worker that sees the
//! request stops at once.

use crate::outcome::Outcome;
use crate::plan::{FailuresRule, MeanRule, StopRules};
use crate::record::clock_histogram::ExactStats;
use crate::record::merged_interval::MergedInterval;
use crate::record::request_clock::RequestClock;

/// What one merged interval says.
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
    /// Requests whose outcome in it is `ok`.
    pub ok: u64,
    /// Requests of every other outcome.
    pub failed: u64,
    /// How long ago the oldest request was intended that has no outcome at the end; none if none is
    /// pending. It may still wait for a connection: a server that accepts none is slow, too.
    pub oldest_pending_ns: Option<u64>,
}

impl IntervalFacts {
    /// Those of a merged interval.
    #[must_use]
    pub fn of(interval: &MergedInterval) -> Self {
        let outcomes = interval.stats.outcomes();
        let mut ended = ExactStats::default();
        for operation in &interval.stats.operations {
            let clock = operation.clock(RequestClock::ResponseTime);
            ended.add(&clock.ok.exact);
            ended.add(&clock.failed.exact);
        }
        let ok = outcomes.get(Outcome::Ok);
        Self {
            start_ns: interval.start_ns,
            end_ns: interval.end_ns,
            ended: ended.count,
            response_time_sum_ns: ended.sum_ns,
            ok,
            failed: outcomes.total() - ok,
            oldest_pending_ns: interval.gauges.oldest_pending_ns,
        }
    }
}

/// A rule that looks at intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopRule {
    /// The mean response time stayed above its limit.
    MeanResponseTime,
    /// The share of failures stayed above its limit.
    Failures,
}

/// How an interval looks to a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judgement {
    Above,
    NotAbove,
    Open,
}

/// The rules of a plan, and since when each holds.
#[derive(Clone, Copy, Debug)]
pub struct StopWatch {
    mean: Option<MeanRule>,
    failures: Option<FailuresRule>,
    mean_since_ns: Option<u64>,
    failures_since_ns: Option<u64>,
}

impl StopWatch {
    /// Before the first interval.
    #[must_use]
    pub fn new(rules: &StopRules) -> Self {
        Self {
            mean: rules.mean_response_time,
            failures: rules.failures,
            mean_since_ns: None,
            failures_since_ns: None,
        }
    }

    /// Judges the next interval; if a rule fires, which one and when. Of two, the mean's.
    pub fn judge(&mut self, facts: &IntervalFacts) -> Option<(StopRule, u64)> {
        let mean_fires = self.mean.is_some_and(|rule| {
            let judgement = judge_mean(rule.above_ns, facts);
            lasts(&mut self.mean_since_ns, judgement, rule.for_ns, facts)
        });
        let failures_fire = self.failures.is_some_and(|rule| {
            let judgement = judge_failures(rule.above_share, facts);
            lasts(&mut self.failures_since_ns, judgement, rule.for_ns, facts)
        });
        let rule = match (mean_fires, failures_fire) {
            (true, _) => StopRule::MeanResponseTime,
            (false, true) => StopRule::Failures,
            (false, false) => return None,
        };
        Some((rule, facts.end_ns))
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
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SECOND: u64 = 1_000_000_000;

    fn watch(mean_seconds: Option<(u64, u64)>, failures: Option<(f64, u64)>) -> StopWatch {
        StopWatch::new(&StopRules {
            mean_response_time: mean_seconds.map(|(above, seconds)| MeanRule {
                above_ns: above * SECOND,
                for_ns: seconds * SECOND,
            }),
            failures: failures.map(|(above_share, seconds)| FailuresRule {
                above_share,
                for_ns: seconds * SECOND,
            }),
            ..StopRules::default()
        })
    }

    /// One-second intervals from 0 on; the second at whose end a rule fires.
    fn fires(
        mut watch: StopWatch,
        facts: impl IntoIterator<Item = IntervalFacts>,
    ) -> Option<(StopRule, u64)> {
        (0..).zip(facts).find_map(|(second, facts)| {
            let fired = watch.judge(&IntervalFacts {
                start_ns: second * SECOND,
                end_ns: (second + 1) * SECOND,
                ..facts
            });
            fired.map(|(rule, at_ns)| (rule, at_ns / SECOND))
        })
    }

    fn mean(seconds: u64) -> IntervalFacts {
        IntervalFacts {
            ended: 3,
            response_time_sum_ns: u128::from(3 * seconds * SECOND),
            ok: 3,
            ..IntervalFacts::default()
        }
    }

    fn hung(seconds: u64) -> IntervalFacts {
        IntervalFacts {
            oldest_pending_ns: Some(seconds * SECOND),
            ..IntervalFacts::default()
        }
    }

    fn outcomes(ok: u64, failed: u64) -> IntervalFacts {
        IntervalFacts {
            ok,
            failed,
            ..IntervalFacts::default()
        }
    }

    #[test]
    fn a_mean_above_the_limit_for_long_enough_fires_at_the_end_of_that_time() {
        let slow = std::iter::repeat_n(mean(1), 5).chain(std::iter::repeat_n(mean(31), 70));
        let fired = fires(watch(Some((30, 60)), None), slow);
        assert_eq!(fired, Some((StopRule::MeanResponseTime, 65)));
    }

    #[test]
    fn a_mean_of_exactly_the_limit_is_not_above_it() {
        let at_limit = std::iter::repeat_n(mean(30), 100);
        assert_eq!(fires(watch(Some((30, 60)), None), at_limit), None);
    }

    #[test]
    fn one_good_interval_begins_the_time_anew() {
        let facts = [mean(31), mean(31), mean(30), mean(31), mean(31), mean(31)];
        let fired = fires(watch(Some((30, 3)), None), facts);
        assert_eq!(fired, Some((StopRule::MeanResponseTime, 6)));
    }

    #[test]
    fn a_server_that_hangs_is_above_once_its_oldest_request_is() {
        // Nothing ends any more from the start on: above from the 31st second, for 60 seconds.
        let fired = fires(watch(Some((30, 60)), None), (1..200).map(hung));
        assert_eq!(fired, Some((StopRule::MeanResponseTime, 90)));
    }

    #[test]
    fn answers_that_all_come_late_and_rarely_add_up() {
        // One burst of answers every 35 seconds, and nothing between.
        let facts = (1..200).map(|second| match second % 35 {
            0 => mean(35),
            age => hung(age),
        });
        let fired = fires(watch(Some((30, 60)), None), facts);
        // Above from the 31st second on (start at 30); the 91st, in which nothing older than 20
        // seconds is in flight, tells nothing.
        assert_eq!(fired, Some((StopRule::MeanResponseTime, 101)));
    }

    #[test]
    fn a_load_that_rests_is_not_above() {
        let idle = IntervalFacts::default();
        let facts = [mean(31), mean(31), idle, mean(31), mean(31)];
        assert_eq!(fires(watch(Some((30, 3)), None), facts), None);
        let facts = [outcomes(0, 1), outcomes(0, 1), idle, outcomes(0, 1)];
        assert_eq!(fires(watch(None, Some((0.5, 3))), facts), None);
    }

    #[test]
    fn half_of_the_requests_failing_is_not_more_than_half() {
        let half = std::iter::repeat_n(outcomes(5, 5), 20);
        assert_eq!(fires(watch(None, Some((0.5, 10))), half), None);
        let more = std::iter::repeat_n(outcomes(5, 6), 20);
        let fired = fires(watch(None, Some((0.5, 10))), more);
        assert_eq!(fired, Some((StopRule::Failures, 10)));
    }

    #[test]
    fn requests_in_flight_are_no_failures_yet() {
        let facts = [outcomes(0, 1), hung(1), hung(2), outcomes(0, 1)];
        let fired = fires(watch(None, Some((0.0, 2))), facts);
        assert_eq!(fired, Some((StopRule::Failures, 4)));
    }

    #[test]
    fn without_rules_nothing_fires() {
        let worst = IntervalFacts {
            failed: 9,
            ..mean(1000)
        };
        let facts = std::iter::repeat_n(worst, 1000);
        assert_eq!(fires(watch(None, None), facts), None);
    }

    proptest! {
        #[test]
        fn it_fires_exactly_when_the_last_intervals_are_all_above(
            above in prop::collection::vec(any::<bool>(), 0..40), seconds in 1_usize..6,
        ) {
            let facts = above.iter().map(|&is_above| mean(if is_above { 31 } else { 29 }));
            let fired = fires(watch(Some((30, seconds as u64)), None), facts);
            let runs = above.windows(seconds).position(|run| run.iter().all(|&is_above| is_above));
            let expected = runs.map(|start| (StopRule::MeanResponseTime, (start + seconds) as u64));
            prop_assert_eq!(fired, expected);
        }
    }
}
