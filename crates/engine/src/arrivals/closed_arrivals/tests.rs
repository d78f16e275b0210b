//! Users alone and in ramps, without a server: the tests say when sessions end.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the tests' numbers are small"
)]

use super::*;
use crate::arrivals::stages::tests::stage;

mod any_stages;

const MS: u64 = 1_000_000;
const SECOND: u64 = 1_000 * MS;

fn plan(stages: &[Stage], streams: usize) -> ClosedPlan<'_> {
    ClosedPlan {
        stages,
        ..ClosedPlan::of_one(streams)
    }
}

fn users(stages: &[Stage], streams: usize) -> ClosedArrivals {
    ClosedArrivals::new(&plan(stages, streams), WorkerPart::WHOLE)
}

fn always(count: u32) -> ClosedArrivals {
    let count = f64::from(count);
    users(&[stage(count, count, SECOND)], 1)
}

fn sent(offer: Option<Offer>) -> (usize, u64) {
    match offer {
        Some(Offer::Begin { due, .. } | Offer::Step(due)) => {
            assert_eq!((due.lane, due.taken_up_ns), (due.place, None));
            (due.lane, due.intended_ns)
        }
        other => panic!("{other:?}"),
    }
}

fn begun(offer: Option<Offer>) -> (usize, u64, u64, bool) {
    match offer {
        Some(Offer::Begin {
            due,
            number,
            is_new,
        }) => (due.place, due.intended_ns, number, is_new),
        other => panic!("{other:?}"),
    }
}

impl ClosedArrivals {
    /// A session ends, and its user does not think.
    fn freed(&mut self, place: usize, done_ns: u64, lost_connection: bool) -> bool {
        self.session_ended(place, done_ns, done_ns, lost_connection)
    }

    /// A step ends, and its user does not think.
    fn step_done(&mut self, place: usize, done_ns: u64) {
        assert!(self.step_planned(place, done_ns, done_ns, false));
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
    users.step_done(0, 70 * MS);
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
    let (mut users, mut budget) = (always(1), Budget::new(None));
    assert_eq!(sent(users.next(0, &mut budget)), (0, 0));
    assert!(users.step_planned(0, 30, 130, false));
    assert!(users.next(129, &mut budget).is_none());
    assert_eq!(users.due_ns(&budget), 130);
    let step = Offer::Step(Due {
        place: 0,
        lane: 0,
        intended_ns: 130,
        taken_up_ns: None,
    });
    assert_eq!(users.next(130, &mut budget), Some(step));
    users.session_ended(0, 150, 250, false);
    assert_eq!(begun(users.next(500, &mut budget)), (0, 250, 1, false));
    assert_eq!(budget.offered(), 3);
}

#[test]
fn a_back_off_and_a_pause_run_together() {
    let (mut users, mut budget) = (always(1), Budget::new(None));
    assert_eq!(sent(users.next(0, &mut budget)), (0, 0));
    users.session_ended(0, 0, 3 * BACK_OFF_NS, true);
    assert_eq!(sent(users.next(SECOND, &mut budget)), (0, 3 * BACK_OFF_NS));
    users.session_ended(0, SECOND, SECOND + 1, true);
    assert_eq!(users.due_ns(&budget), SECOND + BACK_OFF_NS);
}

#[test]
fn sessions_are_numbered_over_all_places_and_workers() {
    let five = [stage(5.0, 5.0, SECOND)];
    let part = WorkerPart {
        workers: 2,
        index: 1,
    };
    // Users 1 and 3 with two places each; a place's next session is 10 further on.
    let mut users = ClosedArrivals::new(&plan(&five, 2), part);
    let mut budget = Budget::new(None);
    let first: Vec<_> = (0..4)
        .map(|_| begun(users.next(0, &mut budget)).2)
        .collect();
    assert_eq!(first, [2, 3, 6, 7]);
    users.freed(1, 9, false);
    assert_eq!(begun(users.next(9, &mut budget)), (1, 9, 13, false));
}

#[test]
fn the_users_of_later_groups_come_a_little_later_on_a_ramp() {
    let up = [stage(0.0, 10.0, 10 * SECOND)];
    let group = GroupPlace {
        number: 1,
        groups: 4,
    };
    let plan = ClosedPlan {
        group,
        start_ns: 3 * SECOND,
        ..plan(&up, 1)
    };
    let mut users = ClosedArrivals::new(&plan, WorkerPart::WHOLE);
    let mut budget = Budget::new(None);
    assert_eq!(users.active(3 * SECOND), 0);
    assert_eq!(sent(users.next(4 * SECOND, &mut budget)), (0, 3_250 * MS));
    assert_eq!(users.due_ns(&budget), 4_250 * MS);
    assert_eq!(users.active(3_251 * MS), 1);
    assert_eq!(users.active(99 * SECOND), 10);
}

#[test]
fn a_pace_is_the_least_time_between_beginnings_and_is_counted() {
    let one = [stage(1.0, 1.0, SECOND)];
    let plan = ClosedPlan {
        pace_ns: Some(100),
        ..plan(&one, 1)
    };
    let mut users = ClosedArrivals::new(&plan, WorkerPart::WHOLE);
    let mut budget = Budget::new(None);
    users.next(0, &mut budget);
    users.session_ended(0, 30, 40, false);
    assert_eq!(sent(users.next(100, &mut budget)), (0, 100));
    // It takes longer than the pace: the next one begins at once, and the pace counts from there.
    users.session_ended(0, 230, 240, false);
    assert_eq!(sent(users.next(300, &mut budget)), (0, 240));
    users.session_ended(0, 340, 340, false);
    assert_eq!(users.due_ns(&budget), 340, "exactly at its pace");
    let counted = users.paces().expect("there is a pace");
    assert_eq!((counted.held, counted.missed), (1, 1), "as far as begun");
    users.next(340, &mut budget);
    assert_eq!(users.paces().map(|paces| paces.held), Some(2));
    assert_eq!(always(1).paces(), None);
}

#[test]
fn each_stream_of_a_user_has_its_own_session() {
    let two = [stage(2.0, 2.0, SECOND)];
    let (mut users, mut budget) = (users(&two, 3), Budget::new(None));
    let first: Vec<_> = (0..6).map(|_| sent(users.next(0, &mut budget)).0).collect();
    assert_eq!(first, [0, 1, 2, 3, 4, 5]);
    users.freed(4, 9, false);
    assert_eq!(sent(users.next(9, &mut budget)), (4, 9));
    assert!(users.next(9, &mut budget).is_none());
}

#[test]
fn on_a_ramp_up_each_user_begins_when_the_line_reaches_it() {
    let up = [stage(0.0, 20.0, 10 * SECOND)];
    let (mut users, mut budget) = (users(&up, 1), Budget::new(None));
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
    let (mut users, mut budget) = (users(&valley, 1), Budget::new(None));
    (0..10).for_each(|_| assert!(users.next(0, &mut budget).is_some()));
    assert!(users.freed(4, 5 * SECOND, false), "the line is still above");
    assert_eq!(sent(users.next(5 * SECOND, &mut budget)), (4, 5 * SECOND));
    // The line comes down to user 4 after 6 s; it is in the middle of its session then.
    users.step_done(4, 7 * SECOND);
    assert_eq!(sent(users.next(7 * SECOND, &mut budget)), (4, 7 * SECOND));
    assert!(!users.freed(4, 8 * SECOND, false), "it retires");
    assert!(!users.freed(9, 8 * SECOND, false));
    assert_eq!(users.active(8 * SECOND), 2);
    // And up again to user 4 after 14 s, to user 9 after 19 s.
    assert_eq!(users.due_ns(&budget), 14 * SECOND);
    // Who comes back is new again.
    let back = (4, 14 * SECOND, 24, true);
    assert_eq!(begun(users.next(14 * SECOND, &mut budget)), back);
    assert_eq!(sent(users.next(20 * SECOND, &mut budget)), (9, 19 * SECOND));
}

#[test]
fn a_user_that_leaves_after_a_request_leaves_in_its_pause_or_at_the_end_of_the_request() {
    let valley = [stage(10.0, 0.0, 10 * SECOND), stage(0.0, 10.0, 10 * SECOND)];
    let plan = ClosedPlan {
        leave: Leave::AfterRequest,
        ..plan(&valley, 1)
    };
    let mut users = ClosedArrivals::new(&plan, WorkerPart::WHOLE);
    let mut budget = Budget::new(None);
    (0..10).for_each(|_| assert!(users.next(0, &mut budget).is_some()));
    // The line comes down to user 4 after 6 s, to user 2 after 8 s.
    assert!(users.step_planned(4, 5 * SECOND, 7 * SECOND, false));
    assert!(users.step_planned(2, 5 * SECOND, 7 * SECOND, false));
    let leaves = Offer::Leave {
        place: 4,
        at_ns: 6 * SECOND,
    };
    assert_eq!(users.due_ns(&budget), 6 * SECOND);
    assert_eq!(users.next(6 * SECOND, &mut budget), Some(leaves));
    assert_eq!(sent(users.next(7 * SECOND, &mut budget)), (2, 7 * SECOND));
    assert_eq!(budget.offered(), 11, "leaving is no request");
    assert!(!users.step_planned(2, 9 * SECOND, 9 * SECOND, false));
    users.user_left(2, 9 * SECOND);
    assert_eq!(users.due_ns(&budget), 12 * SECOND, "the line rises again");
    assert_eq!(
        begun(users.next(12 * SECOND, &mut budget)),
        (2, 12 * SECOND, 12, true)
    );
    assert_eq!(
        begun(users.next(14 * SECOND, &mut budget)),
        (4, 14 * SECOND, 14, true)
    );
}

#[test]
fn who_would_be_away_within_its_pause_comes_back_as_a_new_user() {
    let dip = [
        stage(1.0, 1.0, SECOND),
        stage(0.0, 0.0, SECOND),
        stage(1.0, 1.0, SECOND),
    ];
    let (mut users, mut budget) = (users(&dip, 1), Budget::new(None));
    assert_eq!(begun(users.next(0, &mut budget)), (0, 0, 0, true));
    assert!(
        !users.session_ended(0, 900 * MS, 2_500 * MS, false),
        "it left"
    );
    let back = (0, 2_500 * MS, 1, true);
    assert_eq!(begun(users.next(9 * SECOND, &mut budget)), back);
}

#[test]
fn a_session_that_would_begin_after_the_users_time_does_not_begin() {
    let down = [stage(1.0, 1.0, SECOND), stage(0.0, 0.0, SECOND)];
    let (mut users, mut budget) = (users(&down, 1), Budget::new(None));
    users.next(0, &mut budget);
    assert!(users.session_ended(0, 300 * MS, 900 * MS, false));
    users.next(900 * MS, &mut budget);
    assert!(!users.session_ended(0, 901 * MS, 1_501 * MS, false));
    assert_eq!(users.due_ns(&budget), u64::MAX);
}
