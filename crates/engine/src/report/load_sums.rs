//! Adds up the intervals of a load, operation by operation.

use std::collections::BTreeMap;

use crate::outcome::{NotSent, OutcomeCounts};
use crate::plan::Plan;
use crate::record::answer_kinds::AnswerKinds;
use crate::record::clock_histogram::ExactStats;
use crate::record::interval_stats::IntervalStats;
use crate::record::lag_causes::LagCauses;
use crate::record::request_clock::RequestClock;
use crate::report::answer_facts::AnswerFacts;
use crate::report::summary::{
    ClockSplitSummary, ClockSummaries, ClockSummary, NotSentCauses, OperationFacts, Outcomes,
};

/// Adds up intervals to the facts of a whole load.
#[derive(Clone, Debug)]
pub struct LoadSums {
    operations: Vec<OperationSums>,
    connect: (ExactStats, ExactStats),
    tls: (ExactStats, ExactStats),
}

#[derive(Clone, Debug, Default)]
struct OperationSums {
    outcomes: OutcomeCounts,
    bytes_sent: u64,
    bytes_received: u64,
    /// By clock: ok, failed.
    clocks: [(ExactStats, ExactStats); RequestClock::COUNT],
    lag_causes: LagCauses,
    answers: AnswerKinds,
}

impl LoadSums {
    /// Nothing yet, of so many operations.
    #[must_use]
    pub fn new(operations: usize) -> Self {
        Self {
            operations: vec![OperationSums::default(); operations],
            connect: <(ExactStats, ExactStats)>::default(),
            tls: <(ExactStats, ExactStats)>::default(),
        }
    }

    /// Adds one interval.
    pub fn add(&mut self, stats: &IntervalStats) {
        for (sums, operation) in self.operations.iter_mut().zip(&stats.operations) {
            sums.outcomes.add(&operation.outcomes);
            sums.bytes_sent += operation.bytes_sent;
            sums.bytes_received += operation.bytes_received;
            sums.lag_causes.add(&operation.lag_causes);
            for name in RequestClock::ALL {
                let (ok, failed) = &mut sums.clocks[name as usize];
                ok.add(&operation.clock(name).ok.exact);
                failed.add(&operation.clock(name).failed.exact);
            }
        }
        let [(_, connect), (_, tls)] = stats.connections.clocks();
        for (sums, clock) in [(&mut self.connect, connect), (&mut self.tls, tls)] {
            sums.0.add(&clock.ok.exact);
            sums.1.add(&clock.failed.exact);
        }
    }

    /// Adds the bodies of answers that one worker counted, by operation.
    pub fn add_answers(&mut self, answers: &[AnswerKinds]) {
        for (sums, kinds) in self.operations.iter_mut().zip(answers) {
            sums.answers.add(kinds);
        }
    }

    /// Connect and TLS times.
    #[must_use]
    pub fn connections(&self) -> (ClockSplitSummary, ClockSplitSummary) {
        (split(&self.connect), split(&self.tls))
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

    /// The facts of each operation, by name.
    #[must_use]
    pub fn facts(&self, plan: &Plan) -> BTreeMap<String, OperationFacts> {
        let session = plan.groups.iter().flat_map(|group| &group.session);
        let named = session.map(|operation| operation.operation.clone());
        named
            .zip(self.operations.iter().map(OperationSums::facts))
            .collect()
    }
}

impl OperationSums {
    fn facts(&self) -> OperationFacts {
        let clock = |name: RequestClock| split(&self.clocks[name as usize]);
        OperationFacts {
            outcomes: Outcomes::from(&self.outcomes),
            not_sent: NotSentCauses {
                no_connection: self.outcomes.get_not_sent(NotSent::NoConnection),
                no_stream: self.outcomes.get_not_sent(NotSent::NoStream),
            },
            bytes_sent: self.bytes_sent,
            bytes_received: self.bytes_received,
            clocks: ClockSummaries {
                response_time: clock(RequestClock::ResponseTime),
                service_time: clock(RequestClock::ServiceTime),
                lag: clock(RequestClock::Lag),
                first_byte: clock(RequestClock::FirstByte),
                engine_lag: clock(RequestClock::EngineLag),
            },
            lag_causes: (&self.lag_causes).into(),
            answers: AnswerFacts::of(&self.answers),
        }
    }
}

fn split((ok, failed): &(ExactStats, ExactStats)) -> ClockSplitSummary {
    ClockSplitSummary {
        ok: summary(ok),
        failed: summary(failed),
    }
}

fn summary(exact: &ExactStats) -> Option<ClockSummary> {
    exact.mean_ns().map(|mean_ns| ClockSummary {
        count: exact.count,
        min_ns: exact.min_ns,
        mean_ns,
        max_ns: exact.max_ns,
    })
}
