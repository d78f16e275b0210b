//! What ended in one interval of one worker: outcomes, bytes, clocks, and what the lag was due to.
//!
//! Each worker has its own, so nothing here is shared or locked.

use crate::outcome::{NotSent, Outcome, OutcomeCounts};
use crate::record::clock_histogram::{ClockHistogram, ClockSplit};
use crate::record::lag_causes::{LagCauses, LagParts};
use crate::record::request_clock::RequestClock;

/// Times of connections; a failed one has the time until it failed.
#[derive(Clone, Debug)]
pub struct ConnectionStats {
    /// From the call to the established TCP connection.
    pub connect: ClockSplit,
    /// The TLS handshake.
    pub tls: ClockSplit,
}

impl ConnectionStats {
    fn new() -> Self {
        Self {
            connect: ClockSplit::new(),
            tls: ClockSplit::new(),
        }
    }

    /// Records an attempt to connect.
    pub fn record_connect(&mut self, duration_ns: u64, is_ok: bool) {
        self.connect.record(duration_ns, is_ok);
    }

    /// Records a TLS handshake.
    pub fn record_tls(&mut self, duration_ns: u64, is_ok: bool) {
        self.tls.record(duration_ns, is_ok);
    }

    /// Both clocks as files name them.
    #[must_use]
    pub fn clocks(&self) -> [(&'static str, &ClockSplit); 2] {
        [("connect", &self.connect), ("tls", &self.tls)]
    }

    fn add(&mut self, other: &Self) {
        self.connect.add(&other.connect);
        self.tls.add(&other.tls);
    }
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
    /// What the lag of written requests was due to.
    pub lag_causes: LagCauses,
    clocks: [ClockSplit; RequestClock::COUNT],
}

/// A request that was written, or tried, and has ended.
#[derive(Clone, Copy, Debug)]
pub struct EndedRequest {
    /// Index of the operation.
    pub operation: usize,
    /// What became of it.
    pub outcome: Outcome,
    /// When it should have been written.
    pub intended_ns: u64,
    /// When its first write began; none if it never came to that.
    pub written_ns: Option<u64>,
    /// What delayed its writing.
    pub lag: LagParts,
    /// When the first byte of the response was received, if any was.
    pub first_byte_ns: Option<u64>,
    /// When it ended.
    pub done_ns: u64,
    /// Bytes the kernel took.
    pub bytes_sent: u64,
    /// Bytes of the response.
    pub bytes_received: u64,
}

impl OperationStats {
    fn new() -> Self {
        Self {
            outcomes: OutcomeCounts::default(),
            bytes_sent: 0,
            bytes_received: 0,
            lag_causes: LagCauses::default(),
            clocks: std::array::from_fn(|_| ClockSplit::new()),
        }
    }

    /// One of the clocks.
    #[must_use]
    pub fn clock(&self, name: RequestClock) -> &ClockSplit {
        &self.clocks[name as usize]
    }

    fn record(&mut self, ended: &EndedRequest) {
        self.outcomes.count(ended.outcome);
        self.bytes_sent += ended.bytes_sent;
        self.bytes_received += ended.bytes_received;
        if ended.outcome == Outcome::Unanswered {
            return;
        }
        let is_ok = ended.outcome == Outcome::Ok;
        let mut record = |name: RequestClock, value_ns: u64| {
            self.clocks[name as usize].record(value_ns, is_ok);
        };
        let response_time_ns = ended.done_ns.saturating_sub(ended.intended_ns);
        record(RequestClock::ResponseTime, response_time_ns);
        if let Some(written_ns) = ended.written_ns {
            let service_time_ns = ended.done_ns.saturating_sub(written_ns);
            record(RequestClock::ServiceTime, service_time_ns);
            record(
                RequestClock::Lag,
                written_ns.saturating_sub(ended.intended_ns),
            );
            record(RequestClock::EngineLag, ended.lag.engine_ns);
            if let Some(first_byte_ns) = ended.first_byte_ns {
                record(
                    RequestClock::FirstByte,
                    first_byte_ns.saturating_sub(written_ns),
                );
            }
            self.lag_causes.record(ended.lag);
        }
    }

    fn add(&mut self, other: &Self) {
        self.outcomes.add(&other.outcomes);
        self.bytes_sent += other.bytes_sent;
        self.bytes_received += other.bytes_received;
        self.lag_causes.add(&other.lag_causes);
        for (mine, theirs) in self.clocks.iter_mut().zip(&other.clocks) {
            mine.add(theirs);
        }
    }

    fn clear(&mut self) {
        self.outcomes = OutcomeCounts::default();
        self.bytes_sent = 0;
        self.bytes_received = 0;
        self.lag_causes = LagCauses::default();
        self.clocks.iter_mut().for_each(ClockSplit::clear);
    }
}

/// Everything recorded in one interval, by operation.
#[derive(Clone, Debug)]
pub struct IntervalStats {
    /// By index of the operation.
    pub operations: Vec<OperationStats>,
    /// Connections that were attempted in it.
    pub connections: Box<ConnectionStats>,
}

impl IntervalStats {
    /// Without values. Histograms grow with theirs: over the whole range each takes 200 KB, and an
    /// operation has ten.
    #[must_use]
    pub fn growing(operations: usize) -> Self {
        Self {
            operations: (0..operations).map(|_| OperationStats::new()).collect(),
            connections: Box::new(ConnectionStats::new()),
        }
    }

    /// Records one ended request.
    pub fn record(&mut self, ended: &EndedRequest) {
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
        self.connections.add(&other.connections);
    }

    /// One clock over all operations, of ok requests alone or of failed ones, too.
    #[must_use]
    pub fn clock(&self, name: RequestClock, with_failed: bool) -> ClockHistogram {
        let mut sum = ClockHistogram::growing();
        for operation in &self.operations {
            let split = operation.clock(name);
            sum.add(&split.ok);
            if with_failed {
                sum.add(&split.failed);
            }
        }
        sum
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
        self.connections.connect.clear();
        self.connections.tls.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::clock_histogram::HIGHEST_NS;

    fn ended(outcome: Outcome, written_ns: Option<u64>) -> EndedRequest {
        EndedRequest {
            operation: 0,
            outcome,
            intended_ns: 1_000_000,
            written_ns,
            lag: LagParts {
                no_connection_ns: 1_500_000,
                no_stream_ns: 0,
                engine_ns: 500_000,
            },
            first_byte_ns: written_ns.map(|written_ns| written_ns + 1_000_000),
            done_ns: 9_000_000,
            bytes_sent: 10,
            bytes_received: 20,
        }
    }

    fn count(stats: &IntervalStats, name: RequestClock) -> (u64, u64) {
        let split = stats.operations[0].clock(name);
        (split.ok.histogram.len(), split.failed.histogram.len())
    }

    #[test]
    fn each_clock_is_the_difference_that_its_name_says() {
        let mut stats = IntervalStats::growing(1);
        stats.record(&ended(Outcome::Ok, Some(3_000_000)));
        let mean = |name| stats.operations[0].clock(name).ok.exact.mean_ns();
        assert_eq!(mean(RequestClock::ResponseTime), Some(8_000_000.0));
        assert_eq!(mean(RequestClock::ServiceTime), Some(6_000_000.0));
        assert_eq!(mean(RequestClock::Lag), Some(2_000_000.0));
        assert_eq!(mean(RequestClock::FirstByte), Some(1_000_000.0));
        assert_eq!(mean(RequestClock::EngineLag), Some(500_000.0));
        let causes = &stats.operations[0].lag_causes;
        assert_eq!(causes.no_connection.sum_ns, 1_500_000);
        assert_eq!(causes.no_stream.count, 0);
    }

    #[test]
    fn a_failure_that_was_never_written_has_only_a_response_time() {
        let mut stats = IntervalStats::growing(1);
        stats.record(&ended(Outcome::Connect, None));
        assert_eq!(count(&stats, RequestClock::ResponseTime), (0, 1));
        assert_eq!(count(&stats, RequestClock::ServiceTime), (0, 0));
        assert_eq!(count(&stats, RequestClock::Lag), (0, 0));
    }

    #[test]
    fn unanswered_requests_are_counted_without_a_time() {
        let mut stats = IntervalStats::growing(1);
        stats.record(&ended(Outcome::Unanswered, Some(3_000_000)));
        assert_eq!(count(&stats, RequestClock::ResponseTime), (0, 0));
        assert_eq!(stats.outcomes().get(Outcome::Unanswered), 1);
    }

    #[test]
    fn merging_workers_loses_nothing_and_clearing_forgets_all() {
        let (mut first, mut merged) = (IntervalStats::growing(1), IntervalStats::growing(1));
        first.record(&ended(Outcome::Ok, Some(2_000_000)));
        first.record(&EndedRequest {
            done_ns: u64::MAX,
            ..ended(Outcome::Timeout, Some(2_000_000))
        });
        merged.add(&first);
        merged.add(&first);
        assert_eq!(count(&merged, RequestClock::ResponseTime), (2, 2));
        let failed = &merged.operations[0].clock(RequestClock::ServiceTime).failed;
        assert!(failed.histogram.max() >= HIGHEST_NS);
        merged.clear();
        assert_eq!(merged.outcomes().total(), 0);
        assert_eq!(count(&merged, RequestClock::ResponseTime), (0, 0));
    }
}
