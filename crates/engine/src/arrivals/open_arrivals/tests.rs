//! A pool without connections: the tests say what becomes of the lanes.

use super::*;
use crate::arrivals::schedule::{GroupPlace, WorkerPart};
use crate::arrivals::stages::ValueOverTime;
use crate::arrivals::stages::tests::stage;
use crate::plan::Process;
use proptest::prelude::*;

const POOL: Pool = Pool {
    slots: 1,
    streams: 1,
    is_owned: false,
    sessions: 100,
    timeout_ns: 100,
};

/// One arrival each nanosecond, which may wait for 100.
fn arrivals(slots: usize) -> OpenArrivals {
    in_pool(Pool { slots, ..POOL })
}

fn in_pool(pool: Pool) -> OpenArrivals {
    let line = ValueOverTime::new(0, &[stage(1e9, 1e9, 1)]);
    let (process, group) = (Process::Constant, GroupPlace::ONLY);
    OpenArrivals::new(
        Schedule::new(line, process, 1, group, WorkerPart::WHOLE),
        pool,
    )
}

fn due(place: usize, lane: usize, intended_ns: u64, taken_up_ns: Option<u64>) -> Due {
    Due {
        place,
        lane,
        intended_ns,
        taken_up_ns,
    }
}

/// The session of the arrival of this nanosecond begins.
fn begins(place: usize, lane: usize, intended_ns: u64, taken_up_ns: Option<u64>) -> Offer {
    Offer::Begin {
        due: due(place, lane, intended_ns, taken_up_ns),
        number: intended_ns,
        is_new: true,
    }
}

fn not_begun(intended_ns: u64, cause: NotSent) -> Offer {
    Offer::NotBegun {
        number: intended_ns,
        intended_ns,
        cause,
    }
}

impl OpenArrivals {
    /// A session ends with its request, and its connection is open or not.
    fn freed(&mut self, place: usize, lane: usize, is_open: bool) {
        self.lane_freed(lane, is_open);
        self.session_ended(place);
    }

    fn next_in(&mut self, now_ns: u64, budget: &mut Budget) -> Offer {
        self.next(now_ns, budget).expect("something is due")
    }
}

#[test]
fn the_connection_used_last_is_taken_first() {
    let (mut open, mut budget) = (arrivals(2), Budget::new(None));
    assert_eq!(open.next_in(1, &mut budget), begins(0, 0, 0, None));
    assert_eq!(open.next_in(1, &mut budget), begins(1, 1, 1, None));
    open.freed(1, 1, true);
    open.freed(0, 0, true);
    assert_eq!(open.next_in(2, &mut budget), begins(0, 0, 2, None));
    open.closed_while_idle(1);
    assert_eq!(open.next_in(3, &mut budget), begins(1, 1, 3, None));
}

#[test]
fn a_waiting_arrival_keeps_its_intended_time_and_its_number() {
    let (mut open, mut budget) = (arrivals(1), Budget::new(Some(2)));
    assert_eq!(open.next_in(5, &mut budget), begins(0, 0, 0, None));
    assert_eq!(open.next(5, &mut budget), None);
    open.freed(0, 0, true);
    assert_eq!(open.next_in(50, &mut budget), begins(0, 0, 1, Some(5)));
}

#[test]
fn what_waits_as_long_as_the_timeout_is_not_sent() {
    let (mut open, mut budget) = (arrivals(1), Budget::new(Some(2)));
    open.next(1, &mut budget);
    assert_eq!(open.next(1, &mut budget), None);
    assert_eq!(open.due_ns(&budget), 101);
    let expired = not_begun(1, NotSent::NoConnection);
    assert_eq!(open.next(101, &mut budget), Some(expired));
}

#[test]
fn a_session_that_pauses_leaves_its_lane_to_others_and_takes_any_that_is_free_then() {
    let (mut open, mut budget) = (arrivals(1), Budget::new(Some(4)));
    assert_eq!(open.next_in(0, &mut budget), begins(0, 0, 0, None));
    open.lane_freed(0, true);
    open.step_planned(0, 25);
    assert_eq!(open.next_in(1, &mut budget), begins(1, 0, 1, None));
    assert_eq!(open.next(2, &mut budget), None, "the third arrival waits");
    open.freed(1, 0, true);
    assert_eq!(open.next_in(20, &mut budget), begins(1, 0, 2, Some(2)));
    open.freed(1, 0, true);
    let mut later = open.clone();
    // Who comes first is served first.
    assert_eq!(open.next_in(21, &mut budget), begins(1, 0, 3, None));
    assert!(budget.is_spent());
    let mut budget = Budget::new(Some(1));
    later.upcoming = far_off();
    assert_eq!(later.next(24, &mut budget), None);
    let step = Offer::Step(due(0, 0, 25, None));
    assert_eq!(later.next_in(30, &mut budget), step);
    assert!(budget.is_spent(), "steps are offered requests as well");
}

/// Arrivals that never come.
fn far_off() -> Schedule {
    let line = ValueOverTime::new(0, &[]);
    Schedule::new(
        line,
        Process::Constant,
        1,
        GroupPlace::ONLY,
        WorkerPart::WHOLE,
    )
}

#[test]
fn arrivals_and_steps_wait_together_whoever_was_intended_first() {
    let (mut open, mut budget) = (arrivals(1), Budget::new(Some(7)));
    assert_eq!(open.next_in(0, &mut budget), begins(0, 0, 0, None));
    open.lane_freed(0, true);
    open.step_planned(0, 3);
    assert_eq!(open.next_in(1, &mut budget), begins(1, 0, 1, None));
    assert_eq!(open.next(4, &mut budget), None);
    open.freed(1, 0, true);
    assert_eq!(open.next_in(5, &mut budget), begins(1, 0, 2, Some(4)));
    open.freed(1, 0, true);
    let step = Offer::Step(due(0, 0, 3, Some(4)));
    assert_eq!(
        open.next_in(6, &mut budget),
        step,
        "before the arrival of then"
    );
    open.lane_freed(0, true);
    assert_eq!(open.next_in(6, &mut budget), begins(1, 0, 3, Some(4)));
    open.upcoming = far_off();
    open.step_planned(0, 7);
    assert_eq!(open.next(8, &mut budget), None);
    assert!(budget.is_spent());
    let cause = NotSent::NoConnection;
    assert_eq!(open.next_in(107, &mut budget), not_begun(4, cause));
    let expired = Offer::NotSent {
        place: 0,
        intended_ns: 7,
        cause,
    };
    assert_eq!(open.next_in(107, &mut budget), expired);
    assert_eq!(open.next(107, &mut budget), None);
}

#[test]
fn a_session_with_a_connection_of_its_own_keeps_it_and_nobody_else_has_it_after() {
    let pool = Pool {
        slots: 1,
        streams: 2,
        is_owned: true,
        ..POOL
    };
    let (mut open, mut budget) = (in_pool(pool), Budget::new(Some(3)));
    assert_eq!(open.next_in(0, &mut budget), begins(0, 0, 0, None));
    open.lane_freed(0, true);
    open.step_planned(0, 25);
    assert_eq!(open.next(1, &mut budget), None, "the second arrival waits");
    open.upcoming = far_off();
    assert_eq!(open.due_ns(&budget), 25, "no lane is free before");
    let step = Offer::Step(due(0, 0, 25, None));
    assert_eq!(open.next_in(30, &mut budget), step);
    open.lane_freed(0, true);
    assert_eq!(open.next(30, &mut budget), None);
    open.session_ended(0);
    assert_eq!(open.next_in(31, &mut budget), begins(0, 0, 1, Some(1)));
}

#[test]
fn sessions_that_the_count_ends_leave_their_own_connections_to_who_waits() {
    let pool = Pool {
        is_owned: true,
        ..POOL
    };
    let (mut open, mut budget) = (in_pool(pool), Budget::new(Some(2)));
    assert_eq!(open.next_in(1, &mut budget), begins(0, 0, 0, None));
    assert_eq!(open.next(1, &mut budget), None);
    open.lane_freed(0, true);
    open.step_planned(0, 25);
    let left = Offer::Leave { place: 0, at_ns: 6 };
    assert_eq!(open.next_in(6, &mut budget), left);
    open.session_ended(0);
    assert_eq!(open.next_in(6, &mut budget), begins(0, 0, 1, Some(1)));
    assert_eq!(open.next(50, &mut budget), None);
}

#[test]
fn once_as_many_sessions_are_open_as_may_be_arrivals_have_no_place() {
    let pool = Pool {
        slots: 2,
        sessions: 2,
        ..POOL
    };
    let (mut open, mut budget) = (in_pool(pool), Budget::new(Some(6)));
    open.next(0, &mut budget);
    open.lane_freed(0, true);
    open.step_planned(0, 90);
    assert_eq!(open.next_in(1, &mut budget), begins(1, 0, 1, None));
    let refused = |at_ns| not_begun(at_ns, NotSent::NoPlace);
    assert_eq!(open.next_in(2, &mut budget), refused(2));
    assert_eq!(open.next(2, &mut budget), None);
    open.freed(1, 0, true);
    assert_eq!(open.next_in(3, &mut budget), begins(1, 0, 3, None));
    assert_eq!(open.next_in(4, &mut budget), refused(4));
}

#[test]
fn who_waits_for_a_lane_has_no_place_either_once_all_are_taken() {
    let pool = Pool {
        sessions: 2,
        ..POOL
    };
    let (mut open, mut budget) = (in_pool(pool), Budget::new(Some(4)));
    open.next(0, &mut budget);
    assert_eq!(open.next(3, &mut budget), None, "three wait for a lane");
    open.lane_freed(0, true);
    open.step_planned(0, 90);
    assert_eq!(open.next_in(5, &mut budget), begins(1, 0, 1, Some(3)));
    let refused = |at_ns| not_begun(at_ns, NotSent::NoPlace);
    assert_eq!(open.next_in(5, &mut budget), refused(2));
    assert_eq!(open.next_in(5, &mut budget), refused(3));
    assert_eq!(open.next(5, &mut budget), None);
}

#[test]
fn what_was_offered_in_a_parked_lane_waits_again_in_its_old_place() {
    let pool = Pool { streams: 3, ..POOL };
    let (mut open, mut budget) = (in_pool(pool), Budget::new(Some(4)));
    for lane in 0..3 {
        let begun = begins(lane, lane, lane as u64, None);
        assert_eq!(open.next_in(3, &mut budget), begun);
    }
    assert_eq!(open.next(3, &mut budget), None, "the fourth one waits");
    // The peer allows one stream only.
    for lane in [1, 2] {
        open.park(lane, lane, lane as u64, 3);
    }
    assert_eq!(open.next(3, &mut budget), None);
    open.freed(0, 0, true);
    let again = Offer::Step(due(1, 0, 1, Some(3)));
    assert_eq!(open.next_in(10, &mut budget), again);
    let expired = Offer::NotSent {
        place: 2,
        intended_ns: 2,
        cause: NotSent::NoStream,
    };
    assert_eq!(open.next_in(102, &mut budget), expired);
    open.session_ended(2);
    // A new connection may allow more.
    open.freed(1, 0, false);
    assert_eq!(open.next_in(102, &mut budget), begins(1, 0, 3, Some(3)));
}

#[test]
fn what_still_waits_at_the_end_is_given_up_in_order() {
    let (mut open, mut budget) = (arrivals(1), Budget::new(Some(3)));
    open.next(9, &mut budget);
    assert_eq!(open.next(9, &mut budget), None);
    let cause = NotSent::NoConnection;
    assert_eq!(open.give_up(), Some(not_begun(1, cause)));
    assert_eq!(open.give_up(), Some(not_begun(2, cause)));
    assert_eq!(open.give_up(), None);
}

/// What the tests let happen to a busy lane.
#[derive(Clone, Copy, Debug)]
enum Happening {
    Nothing,
    Freed,
    Lost,
    Step(u64),
    Parked,
}

fn any_happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        Just(Happening::Nothing),
        Just(Happening::Freed),
        Just(Happening::Lost),
        (0_u64..50).prop_map(Happening::Step),
        Just(Happening::Parked),
    ]
}

proptest! {
    #[test]
    fn every_arrival_is_sent_waiting_or_counted_and_no_lane_is_handed_out_twice(
        slots in 1_usize..4, streams in 1_usize..4, sessions in 1_usize..9,
        is_owned in any::<bool>(), count in prop::option::of(1_u64..200),
        steps in prop::collection::vec(
            (1_u64..40, any_happening(), any::<prop::sample::Index>()), 0..100),
    ) {
        let pool = Pool { slots, streams, is_owned, sessions: sessions.max(slots), ..POOL };
        let mut open = in_pool(pool);
        let mut budget = Budget::new(count);
        let (mut now_ns, mut decided) = (0, 0);
        // Requests in lanes; sessions that pause, or wait; lanes that are parked.
        let mut busy: Vec<Due> = Vec::new();
        let (mut pausing, mut parked) = (Vec::new(), Vec::new());
        for (pause_ns, happening, which) in steps {
            now_ns += pause_ns;
            if !matches!(happening, Happening::Nothing) && !busy.is_empty() {
                let Due { place, lane, intended_ns, .. } = busy.swap_remove(which.index(busy.len()));
                match happening {
                    Happening::Lost => {
                        open.freed(place, lane, false);
                        parked.retain(|other| other / streams != lane / streams);
                    }
                    Happening::Step(after_ns) => {
                        open.lane_freed(lane, true);
                        open.step_planned(place, now_ns + after_ns);
                        pausing.push(place);
                    }
                    Happening::Parked if !is_owned => {
                        open.park(lane, place, intended_ns, now_ns);
                        parked.push(lane);
                        pausing.push(place);
                        decided -= 1;
                    }
                    _ => open.freed(place, lane, true),
                }
            }
            let mut last_ns = 0;
            while let Some(offer) = open.next(now_ns, &mut budget) {
                let due = match offer {
                    Offer::Begin { due, .. } => {
                        prop_assert!(busy.iter().all(|other| other.place != due.place));
                        prop_assert!(!pausing.contains(&due.place));
                        due
                    }
                    Offer::Step(due) => {
                        prop_assert!(pausing.contains(&due.place));
                        pausing.retain(|&other| other != due.place);
                        due
                    }
                    Offer::NotSent { place, .. } => {
                        decided += 1;
                        pausing.retain(|&other| other != place);
                        open.session_ended(place);
                        continue;
                    }
                    Offer::NotBegun { .. } => {
                        decided += 1;
                        continue;
                    }
                    Offer::Leave { place, .. } => {
                        prop_assert!(is_owned && budget.is_spent());
                        pausing.retain(|&other| other != place);
                        open.session_ended(place);
                        continue;
                    }
                };
                decided += 1;
                prop_assert!(due.intended_ns <= due.taken_up_ns.unwrap_or(now_ns));
                prop_assert!(due.taken_up_ns.unwrap_or(now_ns) <= now_ns);
                prop_assert!(is_owned || last_ns <= due.intended_ns, "the earliest first");
                last_ns = due.intended_ns;
                let is_free = busy.iter().all(|other| other.lane != due.lane);
                prop_assert!(is_free && !parked.contains(&due.lane));
                busy.push(due);
                prop_assert!(busy.len() + pausing.len() <= pool.sessions);
            }
            let waiting = open.arrivals_waiting + open.steps_waiting.len() as u64;
            prop_assert_eq!(budget.offered(), decided + waiting);
            let lanes = if is_owned { slots } else { slots * streams };
            let held = busy.len() + parked.len() + if is_owned { pausing.len() } else { 0 };
            prop_assert!(waiting == 0 || held == lanes);
        }
    }
}
