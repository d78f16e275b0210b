//! What each user got, in the summary and as a file of columns.

use schemars::JsonSchema;
use serde::Serialize;

use crate::record::user_stats::UserStats;

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
    /// Number of the user in the plan, from 0.
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
    from_ns: Option<u64>,
    rows: Vec<(u64, UserStats)>,
}

impl UserTable {
    /// Adds the users of one worker of several, who were dealt in turn.
    pub fn add(
        &mut self,
        worker: usize,
        workers: usize,
        from_ns: Option<u64>,
        users: &[UserStats],
    ) {
        self.from_ns = self.from_ns.max(from_ns);
        let numbered = users.iter().enumerate();
        let numbered = numbered.map(|(slot, user)| ((slot * workers + worker) as u64, *user));
        self.rows
            .extend(numbered.filter(|(_, user)| user.first_ns < u64::MAX));
    }

    /// In the summary; none where nobody asked, or the window never began.
    #[must_use]
    pub fn facts(&self) -> Option<UserFacts> {
        let answers = self.rows.iter().map(|(_, user)| user.answers as f64);
        let means = self.rows.iter().filter_map(|(_, user)| mean_ns(user));
        let means: Vec<f64> = means.collect();
        Some(UserFacts {
            from_ns: self.from_ns?,
            users: self.rows.len() as u64,
            answered: means.len() as u64,
            answers: spread(answers.collect())?,
            mean_service_time_ns: spread(means),
        })
    }

    /// As a file.
    #[must_use]
    pub fn columns(&mut self) -> UserColumns {
        self.rows.sort_by_key(|row| row.0);
        let every = self.rows.len().div_ceil(MOST_ROWS).max(1);
        let mut columns = UserColumns {
            from_ns: self.from_ns.unwrap_or_default(),
            every,
            ..UserColumns::default()
        };
        for (number, user) in self.rows.iter().step_by(every) {
            let count = user.answers.max(1) as f64;
            let log2_mean = user.log_sum / count;
            let variance = user.log_square_sum / count - log2_mean * log2_mean;
            columns.user.push(*number);
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

    #[test]
    fn users_of_all_workers_are_numbered_as_in_the_plan() {
        let mut table = UserTable::default();
        let nobody = UserStats::default();
        table.add(1, 2, Some(5), &[user(3, &[8, 8]), nobody]);
        table.add(0, 2, Some(5), &[user(1, &[2, 4, 6]), user(2, &[])]);
        let facts = table.facts().expect("some asked");
        assert_eq!((facts.from_ns, facts.users, facts.answered), (5, 3, 2));
        assert_eq!((facts.answers.min, facts.answers.max), (0.0, 3.0));
        let means = facts.mean_service_time_ns.expect("some were answered");
        assert_eq!((means.min, means.median, means.max), (4.0, 4.0, 8.0));
        let columns = table.columns();
        assert_eq!(columns.user, [0, 1, 2]);
        assert_eq!(columns.first_ns, [1, 3, 2]);
        assert_eq!(columns.answers, [3, 2, 0]);
        assert_eq!(columns.log2_mean[1..2], [3.0]);
        assert_eq!(columns.log2_variance, [columns.log2_variance[0], 0.0, 0.0]);
    }

    #[test]
    fn without_a_window_or_a_request_nothing_is_told() {
        assert!(UserTable::default().facts().is_none());
        let mut table = UserTable::default();
        table.add(0, 1, None, &[user(3, &[])]);
        assert!(table.facts().is_none());
    }

    #[test]
    fn of_very_many_users_some_stand_for_all() {
        let mut table = UserTable::default();
        let users = vec![user(0, &[1]); MOST_ROWS + 1];
        table.add(0, 1, Some(0), &users);
        let columns = table.columns();
        assert_eq!((columns.every, columns.user.len()), (2, MOST_ROWS / 2 + 1));
    }
}
