//! Records ended requests: outcomes, bytes, and the three clocks as histograms.
//!
//! One set of these belongs to one worker and one interval, so nothing here is shared or locked.

use hdrhistogram::Histogram;

use crate::outcome::{NotSent, Outcome, OutcomeCounts};

/// Values below are recorded as this: the histograms' lowest discernible value.
pub const LOWEST_NS: u64 = 1_000;

/// Values above are recorded as this: one hour.
pub const HIGHEST_NS: u64 = 3_600_000_000_000;

const SIGNIFICANT_DIGITS: u8 = 3;

/// The three clocks of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockName {
    /// Done - intended.
    ResponseTime,
    /// Done - written.
    ServiceTime,
    /// Written - intended.
    Lag,
}

impl ClockName {
    /// Every clock, in the order of the files.
    pub const ALL: [Self; 3] = [Self::ResponseTime, Self::ServiceTime, Self::Lag];

    /// As files name it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ResponseTime => "response_time",
            Self::ServiceTime => "service_time",
            Self::Lag => "lag",
        }
    }
}

/// Count, sum and extremes of one clock, exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extremes {
    /// Values.
    pub count: u64,
    /// Their sum.
    pub sum_ns: u128,
    /// The least; meaningless without values.
    pub min_ns: u64,
    /// The greatest.
    pub max_ns: u64,
}

impl Default for Extremes {
    fn default() -> Self {
        Self {
            count: 0,
            sum_ns: 0,
            min_ns: u64::MAX,
            max_ns: 0,
        }
    }
}

impl Extremes {
    fn record(&mut self, value_ns: u64) {
        self.add(&Self {
            count: 1,
            sum_ns: u128::from(value_ns),
            min_ns: value_ns,
            max_ns: value_ns,
        });
    }

    /// Adds other values to these.
    pub fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.sum_ns += other.sum_ns;
        self.min_ns = self.min_ns.min(other.min_ns);
        self.max_ns = self.max_ns.max(other.max_ns);
    }

    /// The mean; none without values.
    #[must_use]
    pub fn mean_ns(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum_ns as f64 / self.count as f64)
    }
}

/// One clock of one operation, of ok or of failed requests.
#[derive(Clone, Debug)]
pub struct ClockStats {
    /// Exact.
    pub extremes: Extremes,
    /// To three significant digits.
    pub histogram: Histogram<u64>,
}

impl ClockStats {
    /// Empty, and growing with the values: small enough for a worker's cache.
    ///
    /// # Panics
    /// Never: the bounds are constants that the histogram takes.
    #[must_use]
    pub fn growing() -> Self {
        let mut histogram =
            Histogram::new_with_bounds(LOWEST_NS, 2 * LOWEST_NS, SIGNIFICANT_DIGITS)
                .expect("constant bounds are valid");
        histogram.auto(true);
        Self {
            extremes: Extremes::default(),
            histogram,
        }
    }

    /// Empty, over the whole range, so that what is written states the range of the method.
    ///
    /// # Panics
    /// Never: the bounds are constants that the histogram takes.
    #[must_use]
    pub fn full_range() -> Self {
        let histogram = Histogram::new_with_bounds(LOWEST_NS, HIGHEST_NS, SIGNIFICANT_DIGITS)
            .expect("constant bounds are valid");
        Self {
            extremes: Extremes::default(),
            histogram,
        }
    }

    fn record(&mut self, value_ns: u64) {
        self.extremes.record(value_ns);
        // Within the range by the clamp; a growing histogram grows into it.
        let recorded = self.histogram.record(value_ns.clamp(LOWEST_NS, HIGHEST_NS));
        debug_assert!(recorded.is_ok());
    }

    /// Adds other values to these.
    ///
    /// # Panics
    /// Never: all histograms share one range.
    pub fn add(&mut self, other: &Self) {
        self.extremes.add(&other.extremes);
        self.histogram
            .add(&other.histogram)
            .expect("all histograms share one range");
    }

    fn clear(&mut self) {
        if self.extremes.count > 0 {
            self.extremes = Extremes::default();
            self.histogram.reset();
        }
    }
}

/// One clock, ok requests apart from the rest.
#[derive(Clone, Debug)]
pub struct ClockSplit {
    /// Of requests that ended ok.
    pub ok: ClockStats,
    /// Of all others that have the clock.
    pub failed: ClockStats,
}

/// Everything recorded of one operation.
#[derive(Clone, Debug)]
pub struct OperationStats {
    /// What became of its requests.
    pub outcomes: OutcomeCounts,
    /// Bytes of its requests that the kernel took.
    pub bytes_sent: u64,
    /// Bytes of its responses, heads included.
    pub bytes_received: u64,
    clocks: [ClockSplit; 3],
}

/// A request that was written, or tried, and has ended.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// Index of the operation.
    pub operation: usize,
    /// What became of it.
    pub outcome: Outcome,
    /// When it should have been written.
    pub intended_ns: u64,
    /// When its first write began; none if it never came to that.
    pub written_ns: Option<u64>,
    /// When it ended.
    pub done_ns: u64,
    /// Bytes the kernel took.
    pub bytes_sent: u64,
    /// Bytes of the response.
    pub bytes_received: u64,
}

impl OperationStats {
    fn new(clock: impl Fn() -> ClockStats) -> Self {
        let split = || ClockSplit {
            ok: clock(),
            failed: clock(),
        };
        Self {
            outcomes: OutcomeCounts::default(),
            bytes_sent: 0,
            bytes_received: 0,
            clocks: [split(), split(), split()],
        }
    }

    /// One of the clocks.
    #[must_use]
    pub fn clock(&self, name: ClockName) -> &ClockSplit {
        &self.clocks[name as usize]
    }

    fn record(&mut self, ended: &Ended) {
        self.outcomes.count(ended.outcome);
        self.bytes_sent += ended.bytes_sent;
        self.bytes_received += ended.bytes_received;
        if ended.outcome == Outcome::Unanswered {
            return;
        }
        let is_ok = ended.outcome == Outcome::Ok;
        let mut record = |name: ClockName, from_ns: u64, to_ns: u64| {
            let split = &mut self.clocks[name as usize];
            let stats = if is_ok {
                &mut split.ok
            } else {
                &mut split.failed
            };
            stats.record(to_ns.saturating_sub(from_ns));
        };
        record(ClockName::ResponseTime, ended.intended_ns, ended.done_ns);
        if let Some(written_ns) = ended.written_ns {
            record(ClockName::ServiceTime, written_ns, ended.done_ns);
            record(ClockName::Lag, ended.intended_ns, written_ns);
        }
    }

    fn add(&mut self, other: &Self) {
        self.outcomes.add(&other.outcomes);
        self.bytes_sent += other.bytes_sent;
        self.bytes_received += other.bytes_received;
        for (mine, theirs) in self.clocks.iter_mut().zip(&other.clocks) {
            mine.ok.add(&theirs.ok);
            mine.failed.add(&theirs.failed);
        }
    }

    fn clear(&mut self) {
        self.outcomes = OutcomeCounts::default();
        self.bytes_sent = 0;
        self.bytes_received = 0;
        for split in &mut self.clocks {
            split.ok.clear();
            split.failed.clear();
        }
    }
}

/// Everything recorded in one interval, by operation.
#[derive(Clone, Debug)]
pub struct IntervalStats {
    /// By index of the operation.
    pub operations: Vec<OperationStats>,
}

impl IntervalStats {
    /// For a worker: histograms grow with their values.
    #[must_use]
    pub fn growing(operations: usize) -> Self {
        let new = || OperationStats::new(ClockStats::growing);
        Self {
            operations: (0..operations).map(|_| new()).collect(),
        }
    }

    /// For what is written to files: histograms over the whole range.
    #[must_use]
    pub fn full_range(operations: usize) -> Self {
        let new = || OperationStats::new(ClockStats::full_range);
        Self {
            operations: (0..operations).map(|_| new()).collect(),
        }
    }

    /// Records one ended request.
    pub fn record(&mut self, ended: &Ended) {
        self.operations[ended.operation].record(ended);
    }

    /// Counts one request that was never tried.
    pub fn record_not_sent(&mut self, operation: usize, cause: NotSent) {
        self.operations[operation].outcomes.count_not_sent(cause);
    }

    /// Adds another worker's interval.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.operations.iter_mut().zip(&other.operations) {
            mine.add(theirs);
        }
    }

    /// Outcomes over all operations.
    #[must_use]
    pub fn outcomes(&self) -> OutcomeCounts {
        let mut sum = OutcomeCounts::default();
        for operation in &self.operations {
            sum.add(&operation.outcomes);
        }
        sum
    }

    /// Empties everything and keeps the memory.
    pub fn clear(&mut self) {
        self.operations.iter_mut().for_each(OperationStats::clear);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(outcome: Outcome, written_ns: Option<u64>) -> Ended {
        Ended {
            operation: 0,
            outcome,
            intended_ns: 1_000_000,
            written_ns,
            done_ns: 9_000_000,
            bytes_sent: 10,
            bytes_received: 20,
        }
    }

    fn count(stats: &IntervalStats, name: ClockName) -> (u64, u64) {
        let split = stats.operations[0].clock(name);
        (split.ok.histogram.len(), split.failed.histogram.len())
    }

    #[test]
    fn each_clock_is_the_difference_that_its_name_says() {
        let mut stats = IntervalStats::growing(1);
        stats.record(&ended(Outcome::Ok, Some(3_000_000)));
        let mean = |name| stats.operations[0].clock(name).ok.extremes.mean_ns();
        assert_eq!(mean(ClockName::ResponseTime), Some(8_000_000.0));
        assert_eq!(mean(ClockName::ServiceTime), Some(6_000_000.0));
        assert_eq!(mean(ClockName::Lag), Some(2_000_000.0));
    }

    #[test]
    fn a_failure_that_was_never_written_has_only_a_response_time() {
        let mut stats = IntervalStats::growing(1);
        stats.record(&ended(Outcome::Connect, None));
        assert_eq!(count(&stats, ClockName::ResponseTime), (0, 1));
        assert_eq!(count(&stats, ClockName::ServiceTime), (0, 0));
        assert_eq!(count(&stats, ClockName::Lag), (0, 0));
    }

    #[test]
    fn unanswered_requests_are_counted_without_a_time() {
        let mut stats = IntervalStats::growing(1);
        stats.record(&ended(Outcome::Unanswered, Some(3_000_000)));
        assert_eq!(count(&stats, ClockName::ResponseTime), (0, 0));
        assert_eq!(stats.outcomes().get(Outcome::Unanswered), 1);
    }

    #[test]
    fn merging_workers_loses_nothing_and_clearing_forgets_all() {
        let (mut first, mut merged) = (IntervalStats::growing(1), IntervalStats::full_range(1));
        first.record(&ended(Outcome::Ok, Some(2_000_000)));
        first.record(&Ended {
            done_ns: u64::MAX,
            ..ended(Outcome::Timeout, Some(2_000_000))
        });
        merged.add(&first);
        merged.add(&first);
        assert_eq!(count(&merged, ClockName::ResponseTime), (2, 2));
        let failed = &merged.operations[0].clock(ClockName::ServiceTime).failed;
        assert!(failed.histogram.max() >= HIGHEST_NS);
        merged.clear();
        assert_eq!(merged.outcomes().total(), 0);
        assert_eq!(count(&merged, ClockName::ResponseTime), (0, 0));
    }
}
