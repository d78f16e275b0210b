//! Rules over made-up intervals, and over real ones.

use super::*;
use crate::plan::PercentileRule;
use crate::record::interval_stats::{EndedRequest, IntervalStats};
use crate::record::lag_causes::LagParts;
use crate::record::worker_interval::GroupGauges;
use proptest::prelude::*;

const SECOND: u64 = 1_000_000_000;

const ALL: Scope = Scope {
    group: None,
    cells: 0..1,
};

fn watch(mean_seconds: Option<(u64, u64)>, failures: Option<(f64, u64)>) -> StopWatch {
    let rules = StopRules {
        mean_response_time: mean_seconds.map(|(above, seconds)| MeanRule {
            above_ns: above * SECOND,
            for_ns: seconds * SECOND,
        }),
        failures: failures.map(|(above_share, seconds)| FailuresRule {
            above_share,
            for_ns: seconds * SECOND,
        }),
        ..StopRules::default()
    };
    StopWatch::new(&rules, ALL)
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
        fired.map(|rule| (rule, second + 1))
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

#[test]
fn a_percentile_is_judged_over_the_last_stretch_and_not_before_there_is_one() {
    let rules = StopRules {
        p99: Some(PercentileRule {
            above_ns: 2 * SECOND,
            for_ns: 3 * SECOND,
        }),
        ..StopRules::default()
    };
    let fires = |facts: &[IntervalFacts]| fires(StopWatch::new(&rules, ALL), facts.iter().copied());
    let of = |ended, beyond| IntervalFacts {
        ended,
        beyond,
        ..IntervalFacts::default()
    };
    assert_eq!(fires(&[of(100, 2), of(100, 2)]), None, "too short");
    let slow = [of(100, 2), of(100, 1), of(100, 1)];
    assert_eq!(fires(&slow), Some((StopRule::P99, 3)), "4 of 300");
    let at_limit = [of(100, 1), of(100, 2), of(100, 0), of(100, 1)];
    assert_eq!(fires(&at_limit), None, "3 of 300 are one in a hundred");
    let later = [of(900, 0), of(100, 2), of(50, 0), of(50, 1)];
    assert_eq!(fires(&later), Some((StopRule::P99, 4)), "3 of the last 200");
    // While nothing ends the oldest in flight tells.
    assert_eq!(fires(&[hung(1), hung(2), hung(2)]), None);
    assert_eq!(
        fires(&[hung(1), hung(2), hung(3)]),
        Some((StopRule::P99, 3))
    );
    assert_eq!(fires(&[of(9, 0), hung(2), hung(3)]), None);
}

#[test]
fn a_groups_rules_look_at_its_own_cells_and_users() {
    let mut stats = IntervalStats::growing(3, 2);
    for (cell, done_ns) in [(0, 1), (1, 4), (2, 9)] {
        stats.record(&EndedRequest {
            cell,
            outcome: if cell == 1 {
                Outcome::Ok
            } else {
                Outcome::Read
            },
            intended_ns: 0,
            written_ns: Some(0),
            lag: LagParts::default(),
            first_byte_ns: None,
            done_ns: done_ns * SECOND,
            bytes_sent: 0,
            bytes_received: 0,
        });
    }
    let mut gauges = Gauges::none(2);
    gauges.groups[1] = GroupGauges {
        oldest_pending_ns: Some(7),
        ..GroupGauges::default()
    };
    let interval = MergedInterval {
        start_ns: 0,
        end_ns: SECOND,
        grace: false,
        gauges,
        cpu_ns: 0,
        workers: Vec::new(),
        stats,
    };
    let of = |group, cells, limit: Option<u64>| {
        let scope = Scope { group, cells };
        let facts = IntervalFacts::of(&interval, &scope, limit.map(|limit| limit * SECOND));
        let counts = (facts.ended, facts.beyond, facts.ok, facts.failed);
        (counts, facts.oldest_pending_ns)
    };
    assert_eq!(of(None, 0..3, Some(3)), ((3, 2, 1, 2), None));
    assert_eq!(of(Some(0), 0..1, Some(3)), ((1, 0, 0, 1), None));
    assert_eq!(of(Some(1), 1..3, Some(4)), ((2, 1, 1, 1), Some(7)));
    assert_eq!(of(Some(1), 1..3, None), ((2, 0, 1, 1), Some(7)));
}

/// A second in which one request failed and none ended well.
fn failing(second: u64) -> MergedInterval {
    let mut stats = IntervalStats::growing(1, 1);
    stats.record(&EndedRequest {
        cell: 0,
        outcome: Outcome::Read,
        intended_ns: second * SECOND,
        written_ns: Some(second * SECOND),
        lag: LagParts::default(),
        first_byte_ns: None,
        done_ns: second * SECOND + 1,
        bytes_sent: 0,
        bytes_received: 0,
    });
    MergedInterval {
        start_ns: second * SECOND,
        end_ns: (second + 1) * SECOND,
        grace: false,
        gauges: Gauges::none(1),
        cpu_ns: 0,
        workers: Vec::new(),
        stats,
    }
}

#[test]
fn rules_that_hold_from_the_window_on_judge_no_interval_before_it() {
    for (holds_from, expected) in [(HoldsFrom::Start, 1), (HoldsFrom::Window, 4)] {
        let rules = StopRules {
            failures: Some(FailuresRule {
                above_share: 0.5,
                for_ns: 2 * SECOND,
            }),
            holds_from,
            ..StopRules::default()
        };
        let mut watch = StopWatch::new(&rules, ALL);
        // That the window begins with the fourth second is known from the second on.
        let fired = (0..9).find(|&second| {
            let window_start_ns = (second > 0).then_some(3 * SECOND);
            watch
                .judge_interval(&failing(second), window_start_ns)
                .is_some()
        });
        assert_eq!(fired, Some(expected), "{holds_from:?}");
    }
}
