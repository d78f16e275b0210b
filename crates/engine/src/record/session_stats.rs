//! What became of a group's sessions in one interval of one worker.
//!
//! A session is begun with its first request that is offered. It is finished at its end, early if an
//! answer says so; aborted by a request that fails; cut if the load or its user ends between its requests.

use crate::outcome::{Outcome, OutcomeCounts};
use crate::record::clock_histogram::ClockSplit;

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// It came to its end.
    Finished,
    /// An answer ended it, as the plan says: it is finished, too.
    Early,
    /// A request of this outcome ended it.
    Aborted(Outcome),
    /// The load stopped, or its user left, between its requests.
    Cut,
}

/// The sessions of one group.
#[derive(Clone, Debug)]
pub struct SessionStats {
    /// Begun in the interval; the others ended in it.
    pub begun: u64,
    /// Finished, those that ended early among them.
    pub finished: u64,
    /// Finished before their end.
    pub ended_early: u64,
    /// Aborted, by the outcome of the request that did it.
    pub aborted: OutcomeCounts,
    /// Cut.
    pub cut: u64,
    /// From the intended time of the first request to the end of the last, without what a user does
    /// once: of finished sessions, and of those aborted by a request that has a time.
    pub duration: ClockSplit,
}

impl SessionStats {
    pub(super) fn new() -> Self {
        Self {
            begun: 0,
            finished: 0,
            ended_early: 0,
            aborted: OutcomeCounts::default(),
            cut: 0,
            duration: ClockSplit::new(),
        }
    }

    /// A session has ended; `duration_ns` if it has one.
    pub fn ended(&mut self, end: SessionEnd, duration_ns: Option<u64>) {
        match end {
            SessionEnd::Finished => self.finished += 1,
            SessionEnd::Early => {
                self.finished += 1;
                self.ended_early += 1;
            }
            SessionEnd::Aborted(outcome) => self.aborted.count(outcome),
            SessionEnd::Cut => self.cut += 1,
        }
        if let Some(duration_ns) = duration_ns {
            let is_ok = !matches!(end, SessionEnd::Aborted(_));
            self.duration.record(duration_ns, is_ok);
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.begun += other.begun;
        self.finished += other.finished;
        self.ended_early += other.ended_early;
        self.aborted.add(&other.aborted);
        self.cut += other.cut;
        self.duration.add(&other.duration);
    }

    pub(super) fn clear(&mut self) {
        self.begun = 0;
        self.finished = 0;
        self.ended_early = 0;
        self.aborted = OutcomeCounts::default();
        self.cut = 0;
        self.duration.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_session_is_counted_by_how_it_ended_and_cut_ones_have_no_time() {
        let (mut here, mut sum) = (SessionStats::new(), SessionStats::new());
        here.begun += 4;
        here.ended(SessionEnd::Finished, Some(2_000));
        here.ended(SessionEnd::Early, Some(4_000));
        here.ended(SessionEnd::Aborted(Outcome::Read), Some(8_000));
        here.ended(SessionEnd::Cut, None);
        sum.add(&here);
        sum.add(&here);
        let counts = (sum.begun, sum.finished, sum.ended_early, sum.cut);
        assert_eq!(counts, (8, 4, 2, 2));
        assert_eq!(sum.aborted.get(Outcome::Read), 2);
        assert_eq!(sum.duration.ok.exact.mean_ns(), Some(3_000.0));
        assert_eq!(sum.duration.failed.exact.count, 2);
        sum.clear();
        assert_eq!((sum.begun, sum.aborted.total()), (0, 0));
        assert_eq!(sum.duration.ok.exact.count, 0);
    }
}
