//! What a worker counts of steps over the whole load, beside the requests that they are: by operation, by
//! cell, and by group.

use crate::arrivals::closed_arrivals::Paces;
use crate::outcome::FailedCheck;

/// Steps that sessions did not come to, by how these ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unreached {
    /// Aborted.
    pub aborted: u64,
    /// Ended early.
    pub ended: u64,
    /// Cut.
    pub cut: u64,
}

impl Unreached {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.aborted + self.ended + self.cut
    }

    fn add(&mut self, other: &Self) {
        self.aborted += other.aborted;
        self.ended += other.ended;
        self.cut += other.cut;
    }
}

/// The steps of one operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OperationCounts {
    /// Steps on the paths of all sessions that have begun.
    pub planned: u64,
    /// Those that sessions did not come to.
    pub unreached: Unreached,
    /// Those that were left out.
    pub skipped: u64,
    /// Sessions that a request of it aborted.
    pub aborted_sessions: u64,
}

impl OperationCounts {
    /// Adds what another worker counted.
    pub fn add(&mut self, other: &Self) {
        self.planned += other.planned;
        self.unreached.add(&other.unreached);
        self.skipped += other.skipped;
        self.aborted_sessions += other.aborted_sessions;
    }
}

/// The answers in one cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerCounts {
    /// By what they did not hold.
    pub failed_checks: [u64; FailedCheck::COUNT],
    /// By status: few, so that they are searched one by one.
    statuses: Vec<(u16, u64)>,
}

impl AnswerCounts {
    /// A complete response came.
    pub fn answered(&mut self, status: u16) {
        self.add_status(status, 1);
    }

    /// How many complete responses had which status.
    pub fn statuses(&self) -> impl Iterator<Item = (u16, u64)> {
        self.statuses.iter().copied()
    }

    /// Adds what another worker counted.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.failed_checks.iter_mut().zip(other.failed_checks) {
            *mine += theirs;
        }
        for &(status, count) in &other.statuses {
            self.add_status(status, count);
        }
    }

    fn add_status(&mut self, status: u16, more: u64) {
        match self.statuses.iter_mut().find(|known| known.0 == status) {
            Some((_, count)) => *count += more,
            None => self.statuses.push((status, more)),
        }
    }
}

/// What came of a group's cookies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CookieCounts {
    /// Set, and kept.
    pub kept: u64,
    /// Set, and not kept: not allowed, or one too many.
    pub dropped: u64,
    /// Set where no cookies are kept.
    pub ignored: u64,
}

/// Which rows of a feed a group's sessions took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedUse {
    /// A bit for each row.
    taken: Vec<u64>,
    /// How often it has begun again.
    pub turns: u64,
}

impl FeedUse {
    /// Of a feed of so many rows.
    #[must_use]
    pub fn new(rows: usize) -> Self {
        Self {
            taken: vec![0; rows.div_ceil(64)],
            turns: 0,
        }
    }

    /// A row was taken, in this turn of the feed.
    pub fn took(&mut self, row: usize, turn: u64) {
        self.taken[row / 64] |= 1 << (row % 64);
        self.turns = self.turns.max(turn);
    }

    /// Rows that were taken at least once.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.taken
            .iter()
            .map(|bits| u64::from(bits.count_ones()))
            .sum()
    }

    fn add(&mut self, other: &Self) {
        self.taken
            .resize(self.taken.len().max(other.taken.len()), 0);
        for (mine, theirs) in self.taken.iter_mut().zip(&other.taken) {
            *mine |= theirs;
        }
        self.turns = self.turns.max(other.turns);
    }
}

/// What a worker counts of one group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupCounts {
    /// Pauses between requests, as far as they were waited for.
    pub thought: u64,
    /// All of them together.
    pub thought_ns: u64,
    /// How sessions kept their pace; none if they have none.
    pub paces: Option<Paces>,
    /// Cookies.
    pub cookies: CookieCounts,
    /// By feed of the group.
    pub feeds: Vec<FeedUse>,
}

impl GroupCounts {
    /// Adds what another worker counted.
    pub fn add(&mut self, other: &Self) {
        self.thought += other.thought;
        self.thought_ns += other.thought_ns;
        if let Some(paces) = other.paces {
            self.paces.get_or_insert_default().add(paces);
        }
        self.cookies.kept += other.cookies.kept;
        self.cookies.dropped += other.cookies.dropped;
        self.cookies.ignored += other.cookies.ignored;
        self.feeds
            .resize(self.feeds.len().max(other.feeds.len()), FeedUse::default());
        for (mine, theirs) in self.feeds.iter_mut().zip(&other.feeds) {
            mine.add(theirs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_several_workers_took_are_used_once() {
        let (mut here, mut there) = (FeedUse::new(100), FeedUse::new(100));
        here.took(0, 0);
        here.took(99, 0);
        there.took(99, 2);
        there.took(64, 1);
        let mut sum = GroupCounts::default();
        for part in [here, there] {
            let feeds = vec![part];
            sum.add(&GroupCounts {
                feeds,
                thought: 1,
                paces: Some(Paces { held: 1, missed: 2 }),
                ..GroupCounts::default()
            });
        }
        assert_eq!((sum.feeds[0].used(), sum.feeds[0].turns), (3, 2));
        assert_eq!(
            (sum.thought, sum.paces),
            (2, Some(Paces { held: 2, missed: 4 }))
        );
    }

    #[test]
    fn answers_are_counted_by_status_whatever_comes() {
        let (mut here, mut there) = (AnswerCounts::default(), AnswerCounts::default());
        for status in [200, 503, 200] {
            here.answered(status);
            there.answered(status + 1);
        }
        here.add(&there);
        let mut statuses: Vec<_> = here.statuses().collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [(200, 2), (201, 2), (503, 1), (504, 1)]);
    }
}
