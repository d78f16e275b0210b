//! The arrivals of a plan in a few words: of one group, and of all together.

use crate::plan::{Arrivals, Group, Plan, Process, highest, most_users};
use crate::report::summary::ArrivalKind;

/// The arrivals of a plan or a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArrivalFacts {
    /// Closed users or an arrival rate.
    pub kind: ArrivalKind,
    /// How many users at most.
    pub users: Option<u64>,
    /// The highest rate.
    pub rate_per_second: Option<f64>,
    /// How arrivals are spread.
    pub process: Option<Process>,
    /// Connections asked for.
    pub connections: u64,
}

impl ArrivalFacts {
    /// Those of one group.
    #[must_use]
    pub fn of_group(group: &Group) -> Self {
        match &group.arrivals {
            Arrivals::Rate(rate) => Self {
                kind: ArrivalKind::Rate,
                users: None,
                rate_per_second: Some(highest(&rate.stages)),
                process: Some(rate.process),
                connections: rate.connections,
            },
            Arrivals::Users(users) => {
                let count = most_users(&users.stages);
                Self {
                    kind: ArrivalKind::Users,
                    users: Some(count),
                    rate_per_second: None,
                    process: None,
                    connections: count,
                }
            }
        }
    }

    /// Those of all groups together: users and rates are the sums of each group's highest.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        let groups = plan.groups.iter().map(Self::of_group);
        let nothing = Self {
            kind: ArrivalKind::Users,
            users: None,
            rate_per_second: None,
            process: None,
            connections: 0,
        };
        groups.reduce(Self::with).unwrap_or(nothing)
    }

    fn with(self, other: Self) -> Self {
        Self {
            kind: if self.kind == other.kind {
                self.kind
            } else {
                ArrivalKind::Mixed
            },
            users: sum(self.users, other.users),
            rate_per_second: sum(self.rate_per_second, other.rate_per_second),
            process: self.process.filter(|_| self.process == other.process),
            connections: self.connections + other.connections,
        }
    }
}

/// None only if neither is there.
fn sum<T: std::ops::Add<Output = T>>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one + other),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_groups_numbers_are_added_and_what_differs_is_mixed() {
        let users = |count| ArrivalFacts {
            kind: ArrivalKind::Users,
            users: Some(count),
            rate_per_second: None,
            process: None,
            connections: count,
        };
        let rate = |process| ArrivalFacts {
            kind: ArrivalKind::Rate,
            users: None,
            rate_per_second: Some(2.5),
            process: Some(process),
            connections: 7,
        };
        assert_eq!(users(2).with(users(3)), users(5));
        let two = rate(Process::Poisson).with(rate(Process::Poisson));
        assert_eq!(
            (two.rate_per_second, two.process, two.connections),
            (Some(5.0), Some(Process::Poisson), 14)
        );
        let other = rate(Process::Poisson).with(rate(Process::Constant));
        assert_eq!((other.kind, other.process), (ArrivalKind::Rate, None));
        let mixed = users(2).with(rate(Process::Poisson));
        let expected = ArrivalFacts {
            kind: ArrivalKind::Mixed,
            users: Some(2),
            rate_per_second: Some(2.5),
            process: None,
            connections: 9,
        };
        assert_eq!(mixed, expected);
    }
}
