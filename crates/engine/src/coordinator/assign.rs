//! Divides a plan over workers: pure, and the same for the same plan.

use std::net::SocketAddr;
use std::sync::Arc;

use crate::arrivals::closed_arrivals::ClosedArrivals;
use crate::arrivals::free_lanes::FreeLanes;
use crate::arrivals::offers::Offers;
use crate::arrivals::open_arrivals::OpenArrivals;
use crate::arrivals::schedule::{Schedule, WorkerPart};
use crate::arrivals::think_times::ThinkTimes;
use crate::plan::{Arrivals, Group, Plan, most_users};
use crate::protocol::tls::TlsSettings;
use crate::record::row_backlog::{MOST_BYTES, RowBacklog};
use crate::worker::thread::Assignment;

/// One assignment per CPU of the plan, though no more than there are connections to divide, nor
/// requests to offer.
#[must_use]
#[allow(
    clippy::cast_possible_truncation,
    reason = "a checked plan has at most 10^6 connections"
)]
pub fn assign(plan: &Plan, address: SocketAddr, tls: Option<&TlsSettings>) -> Vec<Assignment> {
    let Some(group) = plan.groups.first() else {
        return Vec::new();
    };
    let connections = match &group.arrivals {
        Arrivals::Users(users) => most_users(&users.stages),
        Arrivals::Rate(rate) => rate.connections,
    };
    let most = connections.min(plan.count.unwrap_or(u64::MAX));
    let workers = (plan.cpus.len().max(1) as u64).min(most);
    let plan = Arc::new(plan.clone());
    let plan = &plan;
    let backlog = Arc::new(RowBacklog::new(MOST_BYTES));
    (0..workers)
        .map(|index| {
            let part = WorkerPart { workers, index };
            let slots = part.of(connections) as usize;
            let offers = offers(plan, group, part, slots);
            Assignment {
                worker: index as usize,
                cpu: plan.cpus.get(index as usize).copied(),
                address,
                plan: Arc::clone(plan),
                tls: tls.cloned(),
                offers,
                slots,
                count: plan.count.map(|count| part.of(count)),
                backlog: Arc::clone(&backlog),
            }
        })
        .collect()
}

/// One worker's part of the arrivals.
#[allow(
    clippy::cast_possible_truncation,
    reason = "a checked plan has at most 1,000 streams"
)]
fn offers(plan: &Plan, group: &Group, part: WorkerPart, slots: usize) -> Offers {
    let streams = plan.streams as usize;
    match &group.arrivals {
        Arrivals::Users(users) => {
            let users = ClosedArrivals::new(&users.stages, group.think, plan.seed, streams, part);
            Offers::Users(users)
        }
        Arrivals::Rate(rate) => {
            // Between the requests of a session of one there is no pause to draw.
            let think = group.think.filter(|_| group.session.len() > 1);
            let open = OpenArrivals::new(
                Schedule::new(&rate.stages, rate.process, plan.seed, part),
                FreeLanes::new(slots, streams),
                ThinkTimes::new(think, plan.seed, slots * streams),
                plan.timeout_ns,
            );
            Offers::Rate(Box::new(open))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrivals::offers::{Budget, Offer};
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn plan(cpus: usize, streams: u64, count: Option<u64>, arrivals: &Value) -> Plan {
        serde_json::from_value(json!({
            "plan_version": 2, "target": {"address": "127.0.0.1:1", "host": "h"},
            "protocol": "h2c", "streams": streams, "seed": 1, "duration_ns": 1,
            "connect_timeout_ns": 1, "timeout_ns": 1_000_000_000, "grace_ns": 0, "count": count,
            "cpus": (0..cpus).collect::<Vec<_>>(),
            "groups": [{"group": "g", "arrivals": arrivals,
                "session": [{"operation": "get", "method": "GET", "path": "/"}]}],
        }))
        .expect("is a plan")
    }

    fn parts(plan: &Plan) -> Vec<Assignment> {
        assign(plan, ([127, 0, 0, 1], 1).into(), None)
    }

    fn stages(value: f64) -> Value {
        json!([{"from": value, "to": value, "duration_ns": 1}])
    }

    /// What is due by a moment: intended times, and how many different lanes were offered.
    fn due(part: &mut Assignment, now_ns: u64) -> (Vec<u64>, usize) {
        let mut budget = Budget::new(part.count);
        let (mut intended, mut lanes) = (Vec::new(), Vec::new());
        while let Some(offer) = part.offers.next(now_ns, &mut budget) {
            if let Offer::Send {
                lane, intended_ns, ..
            } = offer
            {
                intended.push(intended_ns);
                lanes.push(lane);
            }
        }
        lanes.sort_unstable();
        lanes.dedup();
        (intended, lanes.len())
    }

    #[test]
    fn a_part_of_a_user_is_a_user() {
        let arrivals = json!({"users": {"stages": [{"from": 0.0, "to": 2.5, "duration_ns": 9}]}});
        let slots: Vec<usize> = parts(&plan(2, 1, None, &arrivals))
            .iter()
            .map(|part| part.slots)
            .collect();
        assert_eq!(slots, [2, 1]);
    }

    proptest! {
        #[test]
        fn connections_and_count_are_divided_without_loss(
            cpus in 0_usize..9, connections in 1_u32..100, count in 1_u64..1000,
        ) {
            let arrivals = json!({"users": {"stages": stages(f64::from(connections))}});
            let parts = parts(&plan(cpus, 1, Some(count), &arrivals));
            prop_assert_eq!(parts.iter().map(|part| part.slots as u64).sum::<u64>(), u64::from(connections));
            prop_assert_eq!(parts.iter().filter_map(|part| part.count).sum::<u64>(), count);
            prop_assert!(parts.iter().all(|part| part.slots > 0 && part.count > Some(0)));
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
                prop_assert_eq!(lanes, part.slots * streams);
            }
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
