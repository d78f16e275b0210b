//! Divides a plan over workers: pure, and the same for the same plan.

use std::net::SocketAddr;
use std::sync::Arc;

use crate::arrivals::offers::Offers;
use crate::arrivals::schedule::WorkerPart;
use crate::event_loop::route::{Route, Sources};
use crate::plan::{Plan, Share, most_parts};
use crate::protocol::tls::TlsSettings;
use crate::record::row_backlog::{MOST_BYTES, RowBacklog};
use crate::session::rows::Rows;
use crate::worker::thread::Assignment;

/// One assignment per CPU of the plan, though no more than its parts can be divided into. Of several shares
/// each is dealt to as a worker of one engine would be: the share's own workers are every n-th of all.
#[must_use]
#[allow(clippy::cast_possible_truncation, reason = "one worker a CPU")]
pub fn assign(
    plan: &Plan,
    address: SocketAddr,
    tls: Option<&TlsSettings>,
    feeds: &Arc<[Rows]>,
) -> Vec<Assignment> {
    let share = plan.share.unwrap_or(Share::WHOLE);
    let workers = (plan.cpus.len().max(1) as u64).min(most_parts(plan) / share.of);
    let shared = Arc::new(plan.clone());
    let backlog = Arc::new(RowBacklog::new(MOST_BYTES));
    (0..workers)
        .map(|index| {
            let part = WorkerPart {
                workers: workers * share.of,
                index: index * share.of + share.index,
            };
            let sources = &plan.source_addresses;
            Assignment {
                worker: index as usize,
                cpu: plan.cpus.get(index as usize).copied(),
                route: Route {
                    target: address,
                    sources: Sources::of_worker(sources, index as usize, workers as usize),
                },
                plan: Arc::clone(&shared),
                tls: tls.cloned(),
                feeds: Arc::clone(feeds),
                offers: Offers::of_plan(plan, part),
                count: plan.count.map(|count| part.of(count)),
                backlog: Arc::clone(&backlog),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrivals::budget::Budget;
    use crate::arrivals::offers::Offer;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn plan(cpus: usize, streams: u64, count: Option<u64>, arrivals: &Value) -> Plan {
        serde_json::from_value(json!({
            "plan_version": 3, "target": {"address": "127.0.0.1:1", "host": "h"},
            "protocol": "h2c", "streams": streams, "seed": 1, "duration_ns": 1,
            "connect_timeout_ns": 1, "timeout_ns": 1_000_000_000, "grace_ns": 0, "count": count,
            "cpus": (0..cpus).collect::<Vec<_>>(),
            "groups": [group("g", arrivals)],
        }))
        .expect("is a plan")
    }

    fn group(name: &str, arrivals: &Value) -> Value {
        let operation = json!({"operation": "get", "cell": name, "method": "GET", "path": ["/"]});
        json!({"group": name, "arrivals": arrivals, "operations": [operation],
            "session": [{"send": {"operation": 0}}]})
    }

    fn parts(plan: &Plan) -> Vec<Assignment> {
        assign(plan, ([127, 0, 0, 1], 1).into(), None, &Arc::default())
    }

    fn stages(value: f64) -> Value {
        json!([{"from": value, "to": value, "duration_ns": 1}])
    }

    /// What is due by a moment: intended times, and how many different lanes were offered.
    fn due(part: &mut Assignment, now_ns: u64) -> (Vec<u64>, usize) {
        let mut budget = Budget::new(part.count);
        let (mut intended, mut lanes) = (Vec::new(), Vec::new());
        while let Some((_, offer)) = part.offers.next(now_ns, &mut budget) {
            if let Offer::Begin { due, .. } = offer {
                intended.push(due.intended_ns);
                lanes.push(due.lane);
            }
        }
        lanes.sort_unstable();
        lanes.dedup();
        (intended, lanes.len())
    }

    /// The same plan for each of so many engines.
    fn shares(plan: &Plan, of: u64) -> Vec<Plan> {
        let share = |index| Plan {
            share: Some(Share { index, of }),
            ..plan.clone()
        };
        (0..of).map(share).collect()
    }

    /// What begins within 10 ms, in all workers of an engine: intended time and number of each session.
    fn sessions_due(plan: &Plan) -> Vec<(u64, u64)> {
        let mut begun = Vec::new();
        for mut part in parts(plan) {
            let mut budget = Budget::new(part.count);
            while let Some((_, offer)) = part.offers.next(10_000_000, &mut budget) {
                if let Offer::Begin { due, number, .. } = offer {
                    begun.push((due.intended_ns, number));
                }
            }
        }
        begun.sort_unstable();
        begun
    }

    #[test]
    fn a_part_of_a_user_is_a_user() {
        let arrivals = json!({"users": {"stages": [{"from": 0.0, "to": 2.5, "duration_ns": 9}]}});
        let slots: Vec<usize> = parts(&plan(2, 1, None, &arrivals))
            .iter()
            .map(|part| part.offers.homes())
            .collect();
        assert_eq!(slots, [2, 1]);
    }

    #[test]
    fn the_users_of_several_groups_are_dealt_on_where_the_last_group_ended() {
        let users = |count: f64| json!({"users": {"stages": stages(count)}});
        let mut plan = plan(2, 1, None, &users(3.0));
        let other = group("h", &users(3.0));
        plan.groups
            .push(serde_json::from_value(other).expect("is a group"));
        let parts = parts(&plan);
        let numbers = |worker: usize| -> Vec<(usize, u64)> {
            let offers = &parts[worker].offers;
            let homes = 0..offers.homes();
            homes
                .map(|home| (offers.group_of(home), offers.number_of(home)))
                .collect()
        };
        assert_eq!(numbers(0), [(0, 0), (0, 2), (1, 1)]);
        assert_eq!(numbers(1), [(0, 1), (1, 0), (1, 2)]);
    }

    #[test]
    fn every_worker_has_a_connection_for_the_arrivals_that_are_dealt_to_it() {
        let rate = json!({"rate": {"stages": stages(9.0), "connections": 2}});
        let mut plan = plan(4, 1, None, &rate);
        let users = group("h", &json!({"users": {"stages": stages(9.0)}}));
        plan.groups
            .push(serde_json::from_value(users).expect("is a group"));
        assert_eq!(parts(&plan).len(), 2);
    }

    proptest! {
        #[test]
        fn connections_and_count_are_divided_without_loss(
            cpus in 0_usize..9, connections in 1_u32..100, count in 1_u64..1000,
        ) {
            let arrivals = json!({"users": {"stages": stages(f64::from(connections))}});
            let parts = parts(&plan(cpus, 1, Some(count), &arrivals));
            prop_assert_eq!(parts.iter().map(|part| part.offers.homes() as u64).sum::<u64>(), u64::from(connections));
            prop_assert_eq!(parts.iter().filter_map(|part| part.count).sum::<u64>(), count);
            prop_assert!(parts.iter().all(|part| part.offers.homes() > 0 && part.count > Some(0)));
        }

        #[test]
        fn each_connection_has_a_lane_for_each_stream(
            cpus in 0_usize..5, connections in 1_u32..9, streams in 1_usize..9, is_rate in any::<bool>(),
        ) {
            let arrivals = if is_rate {
                json!({"rate": {"stages": stages(1e6), "connections": connections}})
            } else {
                json!({"users": {"stages": stages(f64::from(connections))}})
            };
            for mut part in parts(&plan(cpus, streams as u64, None, &arrivals)) {
                let lanes = due(&mut part, 1_000_000).1;
                prop_assert_eq!(lanes, part.offers.homes() * streams);
            }
        }

        #[test]
        fn the_shares_of_engines_together_are_the_arrivals_of_one(
            engines in 1_u64..17, cpus in 1_usize..4, seed in any::<u64>(), is_poisson in any::<bool>(),
            count in prop::option::of(64_u64..200),
        ) {
            let process = if is_poisson { "poisson" } else { "constant" };
            let arrivals = json!({"rate":
                {"stages": stages(5000.0), "process": process, "connections": 400, "sessions": 400}});
            let mut plan = plan(cpus, 1, count, &arrivals);
            plan.seed = seed;
            let of_one = sessions_due(&plan);
            let (mut together, mut counted, mut homes) = (Vec::new(), 0, 0);
            for share in shares(&plan, engines) {
                let own = sessions_due(&share);
                prop_assert!(own.iter().all(|(_, number)| number % engines == share.share.expect("has one").index));
                together.extend(own);
                let parts = parts(&share);
                counted += parts.iter().filter_map(|part| part.count).sum::<u64>();
                homes += parts.iter().map(|part| part.offers.homes()).sum::<usize>();
            }
            together.sort_unstable();
            prop_assert_eq!(homes, 400);
            if let Some(count) = count {
                prop_assert_eq!(counted, count);
            } else {
                prop_assert_eq!(together, of_one);
            }
        }

        #[test]
        fn the_shares_of_engines_together_are_the_users_of_one(
            engines in 1_u64..17, cpus in 1_usize..4, users in prop::collection::vec(16_u32..60, 1..4),
            streams in 1_u64..4,
        ) {
            let of = |count: u32| json!({"users": {"stages": stages(f64::from(count))}});
            let mut plan = plan(cpus, streams, None, &of(users[0]));
            for (number, count) in users.iter().enumerate().skip(1) {
                let other = group(&format!("g{number}"), &of(*count));
                plan.groups.push(serde_json::from_value(other).expect("is a group"));
            }
            let everybody = |plan: &Plan| -> Vec<(usize, u64)> {
                let parts = parts(plan);
                let offers = parts.iter().map(|part| &part.offers);
                offers
                    .flat_map(|offers| (0..offers.homes())
                        .map(move |home| (offers.group_of(home), offers.number_of(home))))
                    .collect()
            };
            let (mut of_one, mut together) = (everybody(&plan), Vec::new());
            let (mut sessions, mut sizes) = (Vec::new(), Vec::new());
            for share in shares(&plan, engines) {
                let own = everybody(&share);
                sizes.push(own.len());
                together.extend(own);
                sessions.extend(sessions_due(&share));
            }
            of_one.sort_unstable();
            together.sort_unstable();
            sessions.sort_unstable();
            prop_assert_eq!(together, of_one);
            prop_assert_eq!(sessions, sessions_due(&plan));
            let (least, most) = (sizes.iter().min(), sizes.iter().max());
            let workers = parts(&plan).len();
            prop_assert!(most.unwrap_or(&0) - least.unwrap_or(&0) <= workers, "{:?}", sizes);
        }

        #[test]
        fn workers_together_offer_the_arrivals_of_one(
            cpus in 1_usize..5, seed in any::<u64>(), is_poisson in any::<bool>(),
        ) {
            let process = if is_poisson { "poisson" } else { "constant" };
            let offered = |cpus| {
                let arrivals = json!({"rate":
                    {"stages": stages(5000.0), "process": process, "connections": 400}});
                let mut plan = plan(cpus, 1, None, &arrivals);
                plan.seed = seed;
                let parts = parts(&plan);
                let mut intended: Vec<u64> = parts
                    .into_iter()
                    .flat_map(|mut part| due(&mut part, 10_000_000).0)
                    .collect();
                intended.sort_unstable();
                intended
            };
            let of_one = offered(1);
            prop_assert!(of_one.len() > 20);
            prop_assert_eq!(offered(cpus), of_one);
        }
    }
}
