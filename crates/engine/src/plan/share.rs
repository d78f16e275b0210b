//! One of several shares of a load, and into how many shares and workers a load can be divided.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::plan::{Arrivals, Group, Plan, most_users};

/// One of the shares that several engines carry out together. All of them have the same plan but for this
/// and the numbers of their CPUs, of which each has as many as the others: then the shares together are
/// the load that one engine would offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// Which one, from 0.
    pub index: u64,
    /// How many there are.
    pub of: u64,
}

impl Share {
    /// The load of the only engine.
    pub const WHOLE: Self = Self { index: 0, of: 1 };
}

/// Into how many parts a load can be divided, one for each worker of each engine: every part has a
/// connection, in all and of each group whose arrivals take any of them, and a request to offer.
#[must_use]
pub fn most_parts(plan: &Plan) -> u64 {
    let connections: u64 = plan.groups.iter().map(connections).sum();
    let pools = plan
        .groups
        .iter()
        .filter_map(|group| match &group.arrivals {
            Arrivals::Users(_) => None,
            Arrivals::Rate(rate) => Some(rate.connections),
        });
    let most = pools
        .chain([connections, plan.count.unwrap_or(u64::MAX)])
        .min();
    most.unwrap_or(0)
}

fn connections(group: &Group) -> u64 {
    match &group.arrivals {
        Arrivals::Users(users) => most_users(&users.stages),
        Arrivals::Rate(rate) => rate.connections,
    }
}
