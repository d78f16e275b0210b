//! The arrivals that a plan asks for, and one worker's part of them: pure, and the same for the same plan.
//!
//! The users of all groups are dealt to the workers in turn, one group after the other; so are the arrivals
//! of each group, from the first worker on. So what a session sends does not depend on how many workers
//! there are.

use crate::arrivals::closed_arrivals::{ClosedArrivals, ClosedPlan};
use crate::arrivals::offers::{Arriving, GroupOffers, Offers};
use crate::arrivals::open_arrivals::{OpenArrivals, Pool};
use crate::arrivals::schedule::{GroupPlace, Schedule, WorkerPart};
use crate::arrivals::stages::ValueOverTime;
use crate::plan::{Arrivals, Group, Plan, Rate, Users, most_users};

impl Offers {
    /// One worker's part of the arrivals of a checked plan.
    #[must_use]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a checked plan has at most 1,000 streams"
    )]
    pub fn of_plan(plan: &Plan, part: WorkerPart) -> Self {
        let (mut groups, mut users_before) = (Vec::new(), 0);
        for (number, group) in (0..).zip(&plan.groups) {
            let place = GroupPlace {
                number,
                groups: plan.groups.len() as u64,
            };
            groups.push(match &group.arrivals {
                Arrivals::Users(users) => {
                    let part = part.after(users_before);
                    users_before += most_users(&users.stages);
                    closed(plan, group, users, place, part)
                }
                Arrivals::Rate(rate) => open(plan, group, rate, place, part),
            });
        }
        Self::new(groups, plan.streams as usize)
    }
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "a checked plan has at most 10^6 connections"
)]
fn closed(
    plan: &Plan,
    group: &Group,
    users: &Users,
    place: GroupPlace,
    part: WorkerPart,
) -> GroupOffers {
    let closed = ClosedPlan {
        stages: &users.stages,
        start_ns: group.start_ns,
        leave: group.leave,
        pace_ns: group.pace_ns,
        streams: plan.streams as usize,
        group: place,
    };
    GroupOffers {
        arriving: Arriving::Users(ClosedArrivals::new(&closed, part)),
        homes: part.of(most_users(&users.stages)) as usize,
        part,
    }
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "a checked plan has at most 10^6 connections and sessions"
)]
fn open(
    plan: &Plan,
    group: &Group,
    rate: &Rate,
    place: GroupPlace,
    part: WorkerPart,
) -> GroupOffers {
    let homes = part.of(rate.connections) as usize;
    let line = ValueOverTime::new(group.start_ns, &rate.stages);
    let schedule = Schedule::new(line, rate.process, plan.seed, place, part);
    let pool = Pool {
        slots: homes,
        streams: plan.streams as usize,
        is_owned: rate.own_connections,
        sessions: part.of(rate.sessions) as usize,
        timeout_ns: plan.timeout_ns,
    };
    GroupOffers {
        arriving: Arriving::Rate(Box::new(OpenArrivals::new(schedule, pool))),
        homes,
        part,
    }
}
