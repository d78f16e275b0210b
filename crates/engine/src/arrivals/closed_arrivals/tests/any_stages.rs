//! Users of any stages: whose time it is, whatever worker they are of.

use std::collections::BTreeSet;

use super::*;
use crate::arrivals::stages::tests::any_stages;
use proptest::prelude::*;

/// What one worker's users do if each session takes `service_ns`: all offers up to the end.
fn simulate(
    users: &mut ClosedArrivals,
    (service_ns, pause_ns): (u64, u64),
    end_ns: u64,
) -> Vec<(u64, usize)> {
    let (mut budget, mut busy, mut offers) = (Budget::new(None), Vec::new(), Vec::new());
    loop {
        let done_ns = busy.iter().map(|&(done_ns, _)| done_ns).min();
        let now_ns = users.due_ns(&budget).min(done_ns.unwrap_or(u64::MAX));
        if now_ns >= end_ns {
            return offers;
        }
        busy.retain(|&(done_ns, lane)| {
            if done_ns <= now_ns {
                users.session_ended(lane, done_ns, done_ns + pause_ns, false);
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

proptest! {
    #[test]
    fn sessions_begin_only_in_their_users_time_and_in_order(
        stages in any_users(), pause_ns in prop_oneof![Just(0), 0..SECOND], streams in 1_usize..4,
        service_ms in 50_u64..1000,
    ) {
        let line = ValueOverTime::new(0, &stages);
        let times = (service_ms * MS, pause_ns);
        let offers = simulate(&mut users(&stages, streams), times, 30 * SECOND);
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
        stages in any_users(), pause_ns in prop_oneof![Just(0), 0..SECOND], streams in 1_usize..4,
        service_ms in 100_u64..1000, workers in 1_u64..4, before in 0_u64..5,
    ) {
        let all = |workers| -> BTreeSet<(u64, u64, usize)> {
            let parts = (0..workers).map(|index| WorkerPart { workers, index }.after(before));
            parts.flat_map(|part| {
                let mut users = ClosedArrivals::new(&plan(&stages, streams), part);
                let offers = simulate(&mut users, (service_ms * MS, pause_ns), 10 * SECOND);
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
            let part = WorkerPart { workers, index };
            ClosedArrivals::new(&plan(&stages, 1), part).active(at_ns)
        });
        let value = ValueOverTime::new(0, &stages).value(at_ns);
        prop_assert_eq!(active.sum::<u64>(), value.ceil() as u64);
    }
}
