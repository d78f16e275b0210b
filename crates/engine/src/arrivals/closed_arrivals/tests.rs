//! Users alone and in ramps, without a server: the tests say when sessions end.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the tests' numbers are small"
)]

use std::collections::BTreeSet;

use super::*;
use crate::arrivals::stages::tests::{any_stages, stage};
use proptest::prelude::*;

const MS: u64 = 1_000_000;
const SECOND: u64 = 1_000 * MS;

fn users(stages: &[Stage], think: Option<Think>, streams: usize) -> ClosedArrivals {
    ClosedArrivals::new(stages, think, 1, streams, WorkerPart::WHOLE)
}

fn always(count: u32) -> ClosedArrivals {
    let count = f64::from(count);
    users(&[stage(count, count, SECOND)], None, 1)
}

fn sent(offer: Option<Offer>) -> (usize, u64) {
    match offer {
        Some(Offer::Send {
            lane,
            intended_ns,
            taken_up_ns: None,
            ..
        }) => (lane, intended_ns),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_next_session_is_intended_when_the_last_one_is_done() {
    let (mut users, mut budget) = (always(2), Budget::new(None));
    assert_eq!(sent(users.next(0, &mut budget)), (0, 0));
    assert_eq!(sent(users.next(0, &mut budget)), (1, 0));
    assert!(users.next(0, &mut budget).is_none());
    assert!(users.freed(1, 70, false));
    assert_eq!(sent(users.next(75, &mut budget)), (1, 70));
    assert_eq!(budget.offered(), 3);
}

#[test]
fn the_second_failure_in_a_row_backs_off_and_a_success_forgets() {
    let (mut users, mut budget) = (always(1), Budget::new(None));
    users.next(0, &mut budget);
    users.freed(0, 10, true);
    assert_eq!(sent(users.next(10, &mut budget)), (0, 10));
    users.freed(0, 20, true);
    assert!(users.next(20, &mut budget).is_none());
    assert_eq!(users.due_ns(&budget), 20 + BACK_OFF_NS);
    assert_eq!(sent(users.next(SECOND, &mut budget)), (0, 20 + BACK_OFF_NS));
    users.freed(0, 50 * MS, false);
    users.next(50 * MS, &mut budget);
    users.freed(0, 60 * MS, true);
    assert_eq!(sent(users.next(60 * MS, &mut budget)), (0, 60 * MS));
    // A step that was answered is a success as well.
    users.step_done(0, 1, 70 * MS);
    users.next(70 * MS, &mut budget);
    users.freed(0, 80 * MS, true);
    assert_eq!(sent(users.next(80 * MS, &mut budget)), (0, 80 * MS));
}

#[test]
fn who_backs_off_does_not_hold_up_the_others() {
    let (mut users, mut budget) = (always(2), Budget::new(None));
    assert_eq!(sent(users.next(0, &mut budget)), (0, 0));
    assert_eq!(sent(users.next(0, &mut budget)), (1, 0));
    users.freed(0, 1, true);
    assert_eq!(sent(users.next(1, &mut budget)), (0, 1));
    users.freed(0, 2, true);
    users.freed(1, 5, false);
    assert_eq!(sent(users.next(5, &mut budget)), (1, 5));
}

#[test]
fn a_spent_budget_offers_no_more() {
    let (mut users, mut budget) = (always(2), Budget::new(Some(1)));
    assert!(users.next(0, &mut budget).is_some());
    assert!(users.next(0, &mut budget).is_none());
    assert!(budget.is_spent());
    assert_eq!(users.due_ns(&budget), u64::MAX);
}

#[test]
fn a_user_pauses_after_each_request_and_steps_are_counted() {
    let one = [stage(1.0, 1.0, SECOND)];
    let mut users = users(&one, Some(Think::ConstantNs(100)), 1);
    let mut budget = Budget::new(None);
    assert_eq!(sent(users.next(0, &mut budget)), (0, 0));
    users.step_done(0, 1, 30);
    assert!(users.next(129, &mut budget).is_none());
    assert_eq!(users.due_ns(&budget), 130);
    let step = Offer::Send {
        lane: 0,
        operation: 1,
        intended_ns: 130,
        taken_up_ns: None,
        sequence: None,
    };
    assert_eq!(users.next(130, &mut budget), Some(step));
    users.freed(0, 150, false);
    assert_eq!(sent(users.next(500, &mut budget)), (0, 250));
    assert_eq!(budget.offered(), 3);
}

#[test]
fn a_back_off_and_a_pause_run_together() {
    let one = [stage(1.0, 1.0, SECOND)];
    let think = Some(Think::ConstantNs(3 * BACK_OFF_NS));
    let (mut users, mut budget) = (users(&one, think, 1), Budget::new(None));
    assert_eq!(sent(users.next(0, &mut budget)), (0, 0));
    users.freed(0, 0, true);
    assert_eq!(sent(users.next(SECOND, &mut budget)), (0, 3 * BACK_OFF_NS));
    users.freed(0, SECOND, true);
    assert_eq!(users.due_ns(&budget), SECOND + 3 * BACK_OFF_NS);
}

#[test]
fn each_stream_of_a_user_has_its_own_session() {
    let two = [stage(2.0, 2.0, SECOND)];
    let (mut users, mut budget) = (users(&two, None, 3), Budget::new(None));
    let first: Vec<_> = (0..6).map(|_| sent(users.next(0, &mut budget)).0).collect();
    assert_eq!(first, [0, 1, 2, 3, 4, 5]);
    users.freed(4, 9, false);
    assert_eq!(sent(users.next(9, &mut budget)), (4, 9));
    assert!(users.next(9, &mut budget).is_none());
}

#[test]
fn on_a_ramp_up_each_user_begins_when_the_line_reaches_it() {
    let up = [stage(0.0, 20.0, 10 * SECOND)];
    let (mut users, mut budget) = (users(&up, None, 1), Budget::new(None));
    for user in 0..20 {
        let begin_ns = user * SECOND / 2;
        assert_eq!(users.due_ns(&budget), begin_ns);
        assert_eq!(
            sent(users.next(begin_ns, &mut budget)),
            (user as usize, begin_ns)
        );
        assert_eq!(users.active(begin_ns + 1), user + 1);
    }
    assert_eq!(users.due_ns(&budget), u64::MAX);
    assert_eq!(users.active(3600 * SECOND), 20);
}

#[test]
fn on_a_ramp_down_a_user_finishes_its_session_and_retires_until_the_line_rises() {
    let valley = [stage(10.0, 0.0, 10 * SECOND), stage(0.0, 10.0, 10 * SECOND)];
    let (mut users, mut budget) = (users(&valley, None, 1), Budget::new(None));
    (0..10).for_each(|_| assert!(users.next(0, &mut budget).is_some()));
    assert!(users.freed(4, 5 * SECOND, false), "the line is still above");
    assert_eq!(sent(users.next(5 * SECOND, &mut budget)), (4, 5 * SECOND));
    // The line comes down to user 4 after 6 s; it is in the middle of its session then.
    users.step_done(4, 1, 7 * SECOND);
    assert_eq!(sent(users.next(7 * SECOND, &mut budget)), (4, 7 * SECOND));
    assert!(!users.freed(4, 8 * SECOND, false), "it retires");
    assert!(!users.freed(9, 8 * SECOND, false));
    assert_eq!(users.active(8 * SECOND), 2);
    // And up again to user 4 after 14 s, to user 9 after 19 s.
    assert_eq!(users.due_ns(&budget), 14 * SECOND);
    assert_eq!(sent(users.next(14 * SECOND, &mut budget)), (4, 14 * SECOND));
    assert_eq!(sent(users.next(20 * SECOND, &mut budget)), (9, 19 * SECOND));
}

#[test]
fn a_session_that_would_begin_after_the_users_time_does_not_begin() {
    let down = [stage(1.0, 1.0, SECOND), stage(0.0, 0.0, SECOND)];
    let think = Some(Think::ConstantNs(600 * MS));
    let (mut users, mut budget) = (users(&down, think, 1), Budget::new(None));
    users.next(0, &mut budget);
    assert!(users.freed(0, 300 * MS, false), "900 ms are in its time");
    users.next(900 * MS, &mut budget);
    assert!(!users.freed(0, 901 * MS, false), "1,501 ms are not");
    assert_eq!(users.due_ns(&budget), u64::MAX);
}

#[test]
fn think_times_do_not_depend_on_how_many_workers_there_are() {
    let ten = [stage(10.0, 10.0, SECOND)];
    let pauses = |workers| {
        let mut pauses = vec![Vec::new(); 20];
        for index in 0..workers {
            let part = WorkerPart { workers, index };
            let think = Some(Think::ExponentialNs(SECOND));
            let mut users = ClosedArrivals::new(&ten, think, 9, 2, part);
            let mut budget = Budget::new(Some(200));
            while let Some(offer) = users.next(u64::MAX, &mut budget) {
                let (lane, intended_ns) = sent(Some(offer));
                let user = part.global(lane as u64 / 2) as usize;
                pauses[user * 2 + lane % 2].push(intended_ns);
                users.freed(lane, intended_ns, false);
            }
        }
        pauses
    };
    let of_one = pauses(1);
    for workers in [2, 3, 4] {
        for (one, several) in of_one.iter().zip(pauses(workers)) {
            let common = one.len().min(several.len());
            assert!(common > 3);
            assert_eq!(one[..common], several[..common]);
        }
    }
}

/// What one worker's users do if each session takes `service_ns`: all offers up to the end.
fn simulate(users: &mut ClosedArrivals, service_ns: u64, end_ns: u64) -> Vec<(u64, usize)> {
    let (mut budget, mut busy, mut offers) = (Budget::new(None), Vec::new(), Vec::new());
    loop {
        let done_ns = busy.iter().map(|&(done_ns, _)| done_ns).min();
        let now_ns = users.due_ns(&budget).min(done_ns.unwrap_or(u64::MAX));
        if now_ns >= end_ns {
            return offers;
        }
        busy.retain(|&(done_ns, lane)| {
            if done_ns <= now_ns {
                users.freed(lane, done_ns, false);
            }
            done_ns > now_ns
        });
        while let Some(offer) = users.next(now_ns, &mut budget) {
            let (lane, intended_ns) = sent(Some(offer));
            assert!(busy.iter().all(|&(_, other)| other != lane));
            offers.push((intended_ns, lane));
            busy.push((now_ns + service_ns, lane));
        }
    }
}

/// Stages with at least one user at some time.
fn any_users() -> impl Strategy<Value = Vec<Stage>> {
    any_stages(8.0).prop_map(|mut stages| {
        if most_users(&stages) == 0 {
            stages.push(stage(1.0, 8.0, SECOND));
        }
        stages
    })
}

fn any_think() -> impl Strategy<Value = Option<Think>> {
    prop_oneof![
        Just(None),
        (0..SECOND).prop_map(|pause_ns| Some(Think::ConstantNs(pause_ns))),
        (0..SECOND).prop_map(|least_ns| Some(Think::UniformNs(least_ns, SECOND))),
        (0..SECOND).prop_map(|mean_ns| Some(Think::ExponentialNs(mean_ns))),
    ]
}

proptest! {
    #[test]
    fn sessions_begin_only_in_their_users_time_and_in_order(
        stages in any_users(), think in any_think(), streams in 1_usize..4,
        service_ms in 50_u64..1000,
    ) {
        let line = ValueOverTime::new(&stages);
        let offers = simulate(&mut users(&stages, think, streams), service_ms * MS, 30 * SECOND);
        for &(intended_ns, lane) in &offers {
            let user = (lane / streams) as f64;
            prop_assert_eq!(line.above(user, intended_ns), Some(intended_ns));
        }
        // Whoever's time it ever is begins at its first moment, in all of its lanes.
        for lane in 0..most_users(&stages) as usize * streams {
            let first_ns = line.above((lane / streams) as f64, 0).filter(|&at_ns| at_ns < 30 * SECOND);
            let of_lane = offers.iter().find(|offer| offer.1 == lane).map(|offer| offer.0);
            prop_assert_eq!(of_lane, first_ns);
        }
    }

    #[test]
    fn the_workers_together_do_what_one_does(
        stages in any_users(), think in any_think(), streams in 1_usize..4,
        service_ms in 100_u64..1000, workers in 1_u64..4, seed in any::<u64>(),
    ) {
        let all = |workers| -> BTreeSet<(u64, u64, usize)> {
            let parts = (0..workers).map(|index| WorkerPart { workers, index });
            parts.flat_map(|part| {
                let mut users = ClosedArrivals::new(&stages, think, seed, streams, part);
                let offers = simulate(&mut users, service_ms * MS, 10 * SECOND);
                offers.into_iter().map(move |(intended_ns, lane)| {
                    (intended_ns, part.global((lane / streams) as u64), lane % streams)
                })
            }).collect()
        };
        prop_assert_eq!(all(workers), all(1));
    }

    #[test]
    fn the_workers_users_add_up_to_the_plans(
        stages in any_stages(50.0), workers in 1_u64..5, at_ns in 0..60 * SECOND,
    ) {
        let active = (0..workers).map(|index| {
            ClosedArrivals::new(&stages, None, 1, 1, WorkerPart { workers, index }).active(at_ns)
        });
        prop_assert_eq!(active.sum::<u64>(), ValueOverTime::new(&stages).value(at_ns).ceil() as u64);
    }
}
