//! A pool without connections: the tests say what becomes of the lanes.

use super::*;
use crate::arrivals::schedule::WorkerPart;
use crate::arrivals::stages::tests::stage;
use crate::plan::{Process, Think};
use proptest::prelude::*;

/// One arrival each nanosecond, which may wait for 100.
fn arrivals(slots: usize) -> OpenArrivals {
    pool(slots, 1, None)
}

fn pool(slots: usize, streams: usize, think: Option<Think>) -> OpenArrivals {
    OpenArrivals::new(
        Schedule::new(
            &[stage(1e9, 1e9, 1)],
            Process::Constant,
            1,
            WorkerPart::WHOLE,
        ),
        FreeLanes::new(slots, streams),
        ThinkTimes::new(think, 1, slots * streams),
        100,
    )
}

fn send(lane: usize, intended_ns: u64, taken_up_ns: Option<u64>) -> Offer {
    Offer::Send {
        lane,
        operation: 0,
        intended_ns,
        taken_up_ns,
        sequence: None,
    }
}

/// A request of this operation that is given back, taken up at its intended time.
fn returned(operation: usize, intended_ns: u64) -> Returned {
    Returned {
        operation,
        intended_ns,
        taken_up_ns: intended_ns,
        sequence: 1_000 + intended_ns,
    }
}

/// The offer of what was given back.
fn again(lane: usize, request: Returned) -> Offer {
    Offer::Send {
        lane,
        operation: request.operation,
        intended_ns: request.intended_ns,
        taken_up_ns: Some(request.taken_up_ns),
        sequence: Some(request.sequence),
    }
}

#[test]
fn the_connection_used_last_is_taken_first() {
    let (mut open, mut budget) = (arrivals(2), Budget::new(None));
    assert_eq!(open.next(1, &mut budget), Some(send(0, 0, None)));
    assert_eq!(open.next(1, &mut budget), Some(send(1, 1, None)));
    open.freed(1, true);
    open.freed(0, true);
    assert_eq!(open.next(2, &mut budget), Some(send(0, 2, None)));
    open.closed_while_idle(1);
    assert_eq!(open.next(3, &mut budget), Some(send(1, 3, None)));
}

#[test]
fn a_waiting_arrival_keeps_its_intended_time() {
    let (mut open, mut budget) = (arrivals(1), Budget::new(Some(2)));
    assert_eq!(open.next(5, &mut budget), Some(send(0, 0, None)));
    assert_eq!(open.next(5, &mut budget), None);
    open.freed(0, true);
    assert_eq!(open.next(50, &mut budget), Some(send(0, 1, Some(5))));
}

#[test]
fn what_waits_as_long_as_the_timeout_is_not_sent() {
    let (mut open, mut budget) = (arrivals(1), Budget::new(Some(2)));
    open.next(1, &mut budget);
    assert_eq!(open.next(1, &mut budget), None);
    assert_eq!(open.due_ns(&budget), 101);
    let expired = Offer::NotSent {
        operation: 0,
        intended_ns: 1,
        cause: NotSent::NoConnection,
        sequence: None,
    };
    assert_eq!(open.next(101, &mut budget), Some(expired));
}

#[test]
fn a_later_step_keeps_its_lane_and_is_intended_when_its_think_time_ends() {
    let mut open = pool(1, 1, Some(Think::ConstantNs(20)));
    let mut budget = Budget::new(Some(3));
    assert_eq!(open.next(0, &mut budget), Some(send(0, 0, None)));
    open.step_done(0, 1, 5);
    assert_eq!(open.next(1, &mut budget), None, "the second arrival waits");
    assert_eq!(open.due_ns(&budget), 25, "no lane is free before");
    let step = Offer::Send {
        lane: 0,
        operation: 1,
        intended_ns: 25,
        taken_up_ns: None,
        sequence: None,
    };
    assert_eq!(open.next(30, &mut budget), Some(step));
    assert!(budget.is_spent(), "steps are offered requests as well");
    open.freed(0, true);
    assert_eq!(open.next(31, &mut budget), Some(send(0, 1, Some(1))));
}

#[test]
fn sessions_that_the_count_ends_leave_their_lanes_to_who_waits() {
    let mut open = pool(1, 1, Some(Think::ConstantNs(20)));
    let mut budget = Budget::new(Some(2));
    assert_eq!(open.next(1, &mut budget), Some(send(0, 0, None)));
    assert_eq!(open.next(1, &mut budget), None);
    open.step_done(0, 1, 5);
    assert_eq!(open.next(6, &mut budget), Some(send(0, 1, Some(1))));
    assert_eq!(open.next(50, &mut budget), None);
}

#[test]
fn what_was_offered_in_a_parked_lane_waits_again_in_its_old_place() {
    let mut open = pool(1, 3, None);
    let mut budget = Budget::new(Some(4));
    for lane in 0..3 {
        assert_eq!(
            open.next(3, &mut budget),
            Some(send(lane, lane as u64, None))
        );
    }
    assert_eq!(open.next(3, &mut budget), None, "the fourth one waits");
    // The peer allows one stream only.
    for lane in [1, 2] {
        open.give_back(lane, returned(0, lane as u64));
    }
    assert_eq!(open.next(3, &mut budget), None);
    open.freed(0, true);
    assert_eq!(open.next(10, &mut budget), Some(again(0, returned(0, 1))));
    let expired = Offer::NotSent {
        operation: 0,
        intended_ns: 2,
        cause: NotSent::NoStream,
        sequence: Some(1_002),
    };
    assert_eq!(open.next(102, &mut budget), Some(expired));
    // A new connection may allow more.
    open.freed(0, false);
    assert_eq!(open.next(102, &mut budget), Some(send(0, 3, Some(3))));
}

#[test]
fn a_step_that_is_given_back_comes_back_as_that_step_with_the_pauses_of_its_session() {
    let think = Some(Think::ExponentialNs(1_000));
    // What the session would pause after its step, had it stayed in its lane.
    let pauses = |given_back: bool| {
        let (mut open, mut budget) = (pool(1, 2, think), Budget::new(Some(3)));
        assert_eq!(open.next(0, &mut budget), Some(send(0, 0, None)));
        assert_eq!(open.next(1, &mut budget), Some(send(1, 1, None)));
        open.step_done(1, 1, 2);
        let due_ns = open.steps.due_ns();
        assert!(open.next(due_ns, &mut budget).is_some());
        let mut lane = 1;
        if given_back {
            open.give_back(1, returned(1, due_ns));
            assert_eq!(open.next(due_ns, &mut budget), None);
            open.freed(0, true);
            let step = again(0, returned(1, due_ns));
            assert_eq!(open.next(due_ns + 1, &mut budget), Some(step));
            lane = 0;
        }
        open.step_done(lane, 2, due_ns + 5);
        open.steps.due_ns()
    };
    assert_eq!(pauses(true), pauses(false));
}

#[test]
fn what_is_given_back_and_what_waits_go_in_the_order_of_their_intended_times() {
    let (mut open, mut budget) = (pool(1, 2, None), Budget::new(Some(4)));
    open.next(3, &mut budget);
    open.next(3, &mut budget);
    assert_eq!(open.next(3, &mut budget), None, "two wait");
    open.give_back(1, returned(1, 2));
    open.freed(0, true);
    assert_eq!(open.first_waiting_ns(), Some(2));
    assert_eq!(open.next(4, &mut budget), Some(again(0, returned(1, 2))));
    open.give_back(0, returned(1, 3));
    open.allow(0, 2);
    assert_eq!(open.next(4, &mut budget), Some(send(0, 2, Some(3))));
    assert_eq!(open.next(4, &mut budget), Some(again(1, returned(1, 3))));
}

#[test]
fn what_still_waits_at_the_end_is_given_up_in_order() {
    let (mut open, mut budget) = (arrivals(1), Budget::new(Some(3)));
    open.next(9, &mut budget);
    assert_eq!(open.next(9, &mut budget), None);
    let given_up = |intended_ns| Offer::NotSent {
        operation: 0,
        intended_ns,
        cause: NotSent::NoConnection,
        sequence: None,
    };
    assert_eq!(
        [open.give_up(), open.give_up(), open.give_up()],
        [Some(given_up(1)), Some(given_up(2)), None]
    );
}

#[test]
fn think_times_are_of_the_arrival_and_not_of_its_lane() {
    let pause = |lanes_before: usize| {
        let think = Some(Think::ExponentialNs(1_000_000));
        let (mut open, mut budget) = (pool(9, 1, think), Budget::new(None));
        let busy: Vec<_> = (0..lanes_before)
            .filter_map(|_| open.lanes.take())
            .collect();
        open.next(0, &mut budget);
        open.step_done(busy.len(), 1, 0);
        open.steps.due_ns()
    };
    assert_eq!(pause(0), pause(5));
}

fn any_think() -> impl Strategy<Value = Option<Think>> {
    prop_oneof![
        Just(None),
        (0_u64..50).prop_map(|pause_ns| Some(Think::ConstantNs(pause_ns))),
        (0_u64..50).prop_map(|mean_ns| Some(Think::ExponentialNs(mean_ns))),
    ]
}

/// What the tests let happen to a busy lane.
#[derive(Clone, Copy, Debug)]
enum Happening {
    Nothing,
    Freed,
    Lost,
    Step,
    GivenBack,
    Allowed,
}

fn any_happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        Just(Happening::Nothing),
        Just(Happening::Freed),
        Just(Happening::Lost),
        Just(Happening::Step),
        Just(Happening::GivenBack),
        Just(Happening::Allowed),
    ]
}

proptest! {
    #[test]
    fn every_request_is_sent_waiting_or_counted_and_no_lane_is_handed_out_twice(
        slots in 1_usize..4, streams in 1_usize..4,
        think in any_think(), count in prop::option::of(1_u64..200),
        steps in prop::collection::vec(
            (1_u64..40, any_happening(), any::<prop::sample::Index>()), 0..100),
    ) {
        let mut open = pool(slots, streams, think);
        let mut budget = Budget::new(count);
        let (mut now_ns, mut decided) = (0, 0);
        // Lanes with a request, which operation, and when it was intended; lanes in think time; parked.
        let mut busy: Vec<(usize, usize, u64)> = Vec::new();
        let (mut thinking, mut parked) = (Vec::new(), Vec::new());
        // Steps that were given back come back as what they were.
        let mut given_back: Vec<(usize, u64)> = Vec::new();
        for (pause_ns, happening, which) in steps {
            now_ns += pause_ns;
            if !matches!(happening, Happening::Nothing) && !busy.is_empty() {
                let (lane, operation, intended_ns) = busy.swap_remove(which.index(busy.len()));
                match happening {
                    Happening::Lost => {
                        open.freed(lane, false);
                        parked.retain(|other| other / streams != lane / streams);
                    }
                    Happening::Step => {
                        open.step_done(lane, operation + 1, now_ns);
                        thinking.push(lane);
                    }
                    Happening::GivenBack => {
                        open.give_back(lane, returned(operation, intended_ns));
                        given_back.push((operation, intended_ns));
                        parked.push(lane);
                        decided -= 1;
                    }
                    Happening::Allowed => {
                        open.freed(lane, true);
                        open.allow(lane, streams);
                        parked.retain(|other| other / streams != lane / streams);
                    }
                    _ => open.freed(lane, true),
                }
            }
            while let Some(offer) = open.next(now_ns, &mut budget) {
                decided += 1;
                let (operation, intended_ns, sequence) = match offer {
                    Offer::Send { operation, intended_ns, sequence, .. }
                    | Offer::NotSent { operation, intended_ns, sequence, .. } => {
                        (operation, intended_ns, sequence)
                    }
                };
                if sequence.is_some() {
                    prop_assert_eq!(sequence, Some(1_000 + intended_ns));
                    let known = given_back.iter().position(|one| *one == (operation, intended_ns));
                    prop_assert!(known.is_some());
                    given_back.swap_remove(known.unwrap_or_default());
                }
                let Offer::Send { lane, taken_up_ns, .. } = offer else {
                    continue;
                };
                let taken_up_ns = taken_up_ns.unwrap_or(now_ns);
                prop_assert!(intended_ns <= taken_up_ns && taken_up_ns <= now_ns);
                prop_assert!(busy.iter().all(|other| other.0 != lane) && !parked.contains(&lane));
                if operation > 0 && sequence.is_none() {
                    prop_assert!(thinking.contains(&lane));
                } else {
                    // A count that is spent ends the sessions that think.
                    prop_assert!(budget.is_spent() || !thinking.contains(&lane));
                }
                thinking.retain(|&other| other != lane);
                busy.push((lane, operation, intended_ns));
            }
            if budget.is_spent() {
                thinking.clear();
            }
            prop_assert!(open.given_back.iter().is_sorted_by_key(|one| one.request.intended_ns));
            prop_assert_eq!(given_back.len(), open.given_back.len());
            let waiting = open.waiting + open.given_back.len() as u64;
            prop_assert_eq!(budget.offered(), decided + waiting);
            let is_used_up = busy.len() + thinking.len() + parked.len() == slots * streams;
            prop_assert!(waiting == 0 || is_used_up);
        }
    }
}
