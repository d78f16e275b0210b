//! Divides a plan over workers: pure, and the same for the same plan.

use std::net::SocketAddr;
use std::sync::Arc;

use crate::lanes::Lanes;
use crate::offers::Offers;
use crate::pacing::{Part, Schedule};
use crate::plan::{Arrivals, Group, Plan, highest};
use crate::rate::{OpenArrivals, queue_limit};
use crate::request::Request;
use crate::think::Thinking;
use crate::users::{Users, most_users};
use crate::worker::Limits;
use crate::worker::thread::Assignment;

/// One assignment per CPU of the plan, though no more than there are connections to divide, nor
/// requests to offer.
#[must_use]
#[allow(
    clippy::cast_possible_truncation,
    reason = "a checked plan has at most 10^6 connections"
)]
pub fn assign(plan: &Plan, address: SocketAddr) -> Vec<Assignment> {
    let Some(group) = plan.groups.first() else {
        return Vec::new();
    };
    let connections = match &group.arrivals {
        Arrivals::Users(users) => most_users(&users.stages),
        Arrivals::Rate(rate) => rate.connections,
    };
    let most = connections.min(plan.count.unwrap_or(u64::MAX));
    let workers = (plan.cpus.len().max(1) as u64).min(most);
    let requests: Arc<[Request]> = Request::all(plan).into();
    let limits = Limits {
        duration_ns: plan.duration_ns,
        connect_timeout_ns: plan.connect_timeout_ns,
        timeout_ns: plan.timeout_ns,
        grace_ns: plan.grace_ns,
        samples_per_second: plan.samples.per_second,
        sample_body_bytes: plan.samples.body_bytes,
    };
    (0..workers)
        .map(|index| {
            let part = Part { workers, index };
            let slots = part.of(connections) as usize;
            let offers = offers(plan, group, part, slots);
            Assignment {
                worker: index as usize,
                cpu: plan.cpus.get(index as usize).copied(),
                address,
                requests: Arc::clone(&requests),
                limits,
                offers,
                slots,
                count: plan.count.map(|count| part.of(count)),
            }
        })
        .collect()
}

/// One worker's part of the arrivals.
#[allow(
    clippy::cast_possible_truncation,
    reason = "a checked plan has at most 1,000 streams"
)]
fn offers(plan: &Plan, group: &Group, part: Part, slots: usize) -> Offers {
    let streams = plan.streams as usize;
    match &group.arrivals {
        Arrivals::Users(users) => {
            let users = Users::new(&users.stages, group.think, plan.seed, streams, part);
            Offers::Users(users)
        }
        Arrivals::Rate(rate) => {
            // Between the requests of a session of one there is no pause to draw.
            let think = group.think.filter(|_| group.session.len() > 1);
            let per_worker = highest(&rate.stages) / part.workers as f64;
            Offers::Rate(OpenArrivals::new(
                Schedule::new(&rate.stages, rate.process, plan.seed, part),
                Lanes::new(slots, streams),
                Thinking::new(think, plan.seed, slots * streams),
                plan.timeout_ns,
                queue_limit(per_worker, plan.timeout_ns),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    proptest! {
        #[test]
        fn connections_and_count_are_divided_without_loss(
            cpus in 0_usize..9, connections in 1_u64..100, count in 1_u64..1000,
        ) {
            let plan: Plan = serde_json::from_value(json!({
                "plan_version": 2, "target": {"address": "127.0.0.1:1", "host": "h"},
                "protocol": "h1c", "seed": 1, "duration_ns": 1, "connect_timeout_ns": 1,
                "timeout_ns": 1, "grace_ns": 0, "count": count,
                "cpus": (0..cpus).collect::<Vec<_>>(),
                "groups": [{"group": "g", "arrivals": {"users": {"stages": [{"from": connections, "to": connections, "duration_ns": 1}]}},
                    "session": [{"operation": "get", "method": "GET", "path": "/"}]}],
            })).expect("is a plan");
            let parts = assign(&plan, ([127, 0, 0, 1], 1).into());
            prop_assert_eq!(parts.iter().map(|part| part.slots as u64).sum::<u64>(), connections);
            prop_assert_eq!(parts.iter().filter_map(|part| part.count).sum::<u64>(), count);
            prop_assert!(parts.iter().all(|part| part.slots > 0 && part.count > Some(0)));
        }
    }
}
