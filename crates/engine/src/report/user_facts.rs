//! What each user got, in the summary and as a file of columns.

use schemars::JsonSchema;
use serde::Serialize;

use crate::record::user_stats::{UserRow, UserStats};

/// Rows of the file at most: of more users every second one is kept, every third one, and so on.
const MOST_ROWS: usize = 10_000;

/// Values over users: nearest ranks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct UserSpread {
    /// The least.
    pub min: f64,
    /// One user in twenty has less.
    pub p5: f64,
    /// The median user's.
    pub median: f64,
    /// One user in twenty has more.
    pub p95: f64,
    /// The greatest.
    pub max: f64,
}

/// What the users of a load got; of a rate, what each of its connections carried.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct UserFacts {
    /// Answers that ended from here on are added up, since the load began, grace included.
    pub from_ns: u64,
    /// Users that had a request at all.
    pub users: u64,
    /// Those of them that had an ok answer.
    pub answered: u64,
    /// Ok answers of each.
    pub answers: UserSpread,
    /// Mean service time of each that had an ok answer, nanoseconds; null if none had.
    pub mean_service_time_ns: Option<UserSpread>,
}

/// `users.json`: one place in each column for each user.
#[derive(Debug, Default, Serialize)]
pub struct UserColumns {
    from_ns: u64,
    /// How many users one of them stands for: 1 unless there are very many.
    every: usize,
    /// Names of the groups.
    groups: Vec<String>,
    /// Number of the user's group.
    group: Vec<u16>,
    /// Number of the user in its group, from 0.
    user: Vec<u64>,
    first_ns: Vec<u64>,
    answers: Vec<u64>,
    mean_ns: Vec<f64>,
    max_ns: Vec<u64>,
    /// Mean and variance of the binary logarithm of the service time.
    log2_mean: Vec<f64>,
    log2_variance: Vec<f64>,
}

/// Gathers what the workers' connections got.
#[derive(Debug, Default)]
pub struct UserTable {
    groups: Vec<String>,
    from_ns: Option<u64>,
    rows: Vec<UserRow>,
}

impl UserTable {
    /// Nobody yet, of groups of these names.
    #[must_use]
    pub fn new(groups: Vec<String>) -> Self {
        Self {
            groups,
            ..Self::default()
        }
    }

    /// Adds the users of one worker.
    pub fn add(&mut self, from_ns: Option<u64>, users: &[UserRow]) {
        self.from_ns = self.from_ns.max(from_ns);
        let asked = users.iter().filter(|row| row.stats.first_ns < u64::MAX);
        self.rows.extend(asked);
    }

    /// In the summary; none where nobody asked, or the window never began.
    #[must_use]
    pub fn facts(&self) -> Option<UserFacts> {
        self.facts_over(|_| true)
    }

    /// The same of one group.
    #[must_use]
    pub fn facts_of(&self, group: usize) -> Option<UserFacts> {
        self.facts_over(|row| usize::from(row.group) == group)
    }

    fn facts_over(&self, is_counted: impl Fn(&&UserRow) -> bool) -> Option<UserFacts> {
        let rows: Vec<&UserRow> = self.rows.iter().filter(is_counted).collect();
        let means = rows.iter().filter_map(|row| mean_ns(&row.stats));
        let means: Vec<f64> = means.collect();
        let answers: Vec<f64> = rows.iter().map(|row| row.stats.answers as f64).collect();
        Some(UserFacts {
            from_ns: self.from_ns?,
            users: answers.len() as u64,
            answered: means.len() as u64,
            answers: spread(answers)?,
            mean_service_time_ns: spread(means),
        })
    }

    /// As a file.
    #[must_use]
    pub fn columns(&mut self) -> UserColumns {
        self.rows.sort_by_key(|row| (row.group, row.user));
        let every = self.rows.len().div_ceil(MOST_ROWS).max(1);
        let mut columns = UserColumns {
            from_ns: self.from_ns.unwrap_or_default(),
            every,
            groups: self.groups.clone(),
            ..UserColumns::default()
        };
        for row in self.rows.iter().step_by(every) {
            let user = &row.stats;
            let count = user.answers.max(1) as f64;
            let log2_mean = user.log_sum / count;
            let variance = user.log_square_sum / count - log2_mean * log2_mean;
            columns.group.push(row.group);
            columns.user.push(row.user);
            columns.first_ns.push(user.first_ns);
            columns.answers.push(user.answers);
            columns.mean_ns.push(mean_ns(user).unwrap_or_default());
            columns.max_ns.push(user.max_ns);
            columns.log2_mean.push(log2_mean);
            columns.log2_variance.push(variance.max(0.0));
        }
        columns
    }
}

fn mean_ns(user: &UserStats) -> Option<f64> {
    (user.answers > 0).then(|| user.sum_ns as f64 / user.answers as f64)
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of a length is a place in it"
)]
fn spread(mut values: Vec<f64>) -> Option<UserSpread> {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let rank = (share * values.len() as f64).ceil() as usize;
        values.get(rank.max(1) - 1).copied()
    };
    Some(UserSpread {
        min: at(0.0)?,
        p5: at(0.05)?,
        median: at(0.5)?,
        p95: at(0.95)?,
        max: at(1.0)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(first_ns: u64, service_times_ns: &[u64]) -> UserStats {
        let mut user = UserStats::default();
        user.asked(first_ns);
        for &service_time_ns in service_times_ns {
            user.answered(service_time_ns);
        }
        user
    }

    fn row(group: u16, user: u64, stats: UserStats) -> UserRow {
        UserRow { group, user, stats }
    }

    #[test]
    fn users_of_all_workers_and_groups_are_told_in_their_order() {
        let mut table = UserTable::new(vec!["a".to_owned(), "b".to_owned()]);
        let nobody = UserStats::default();
        table.add(
            Some(5),
            &[
                row(0, 1, user(3, &[8, 8])),
                row(0, 3, nobody),
                row(1, 0, user(9, &[5])),
            ],
        );
        table.add(
            Some(5),
            &[row(0, 0, user(1, &[2, 4, 6])), row(0, 2, user(2, &[]))],
        );
        let facts = table.facts().expect("some asked");
        assert_eq!((facts.from_ns, facts.users, facts.answered), (5, 4, 3));
        let facts = table.facts_of(0).expect("some asked");
        assert_eq!((facts.from_ns, facts.users, facts.answered), (5, 3, 2));
        assert_eq!((facts.answers.min, facts.answers.max), (0.0, 3.0));
        let means = facts.mean_service_time_ns.expect("some were answered");
        assert_eq!((means.min, means.median, means.max), (4.0, 4.0, 8.0));
        let columns = table.columns();
        assert_eq!(columns.group, [0, 0, 0, 1]);
        assert_eq!(columns.user, [0, 1, 2, 0]);
        assert_eq!(columns.first_ns, [1, 3, 2, 9]);
        assert_eq!(columns.answers, [3, 2, 0, 1]);
        assert_eq!(columns.log2_mean[1..2], [3.0]);
        assert_eq!(columns.log2_variance[1..3], [0.0, 0.0]);
        assert!(table.facts_of(2).is_none());
    }

    #[test]
    fn without_a_window_or_a_request_nothing_is_told() {
        assert!(UserTable::default().facts().is_none());
        let mut table = UserTable::default();
        table.add(None, &[row(0, 0, user(3, &[]))]);
        assert!(table.facts().is_none());
    }

    #[test]
    fn of_very_many_users_some_stand_for_all() {
        let mut table = UserTable::default();
        let users = vec![row(0, 0, user(0, &[1])); MOST_ROWS + 1];
        table.add(Some(0), &users);
        let columns = table.columns();
        assert_eq!((columns.every, columns.user.len()), (2, MOST_ROWS / 2 + 1));
    }
}
