//! The engine's summary: its last line on stdout, and what the run record takes over.

use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

use crate::outcome::{DetailSamples, NotSent, Outcome, OutcomeCounts};
use crate::plan::{Arrivals, Plan, Protocol, highest};
use crate::recorder::{ClockName, Extremes, IntervalStats};

/// How many requests ended in each outcome; zeros are present.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub struct Outcomes {
    /// Complete and as expected.
    pub ok: u64,
    /// Not connected.
    pub connect: u64,
    /// TLS handshake failed.
    pub tls: u64,
    /// Not written completely.
    pub send: u64,
    /// Connection ended before a complete response.
    pub read: u64,
    /// No complete response in time.
    pub timeout: u64,
    /// Not HTTP, or beyond a limit.
    pub protocol: u64,
    /// Another status than expected.
    pub status: u64,
    /// Another body than expected.
    pub check: u64,
    /// Never written.
    pub not_sent: u64,
    /// Without a response when the grace period ended.
    pub unanswered: u64,
}

impl From<&OutcomeCounts> for Outcomes {
    fn from(counts: &OutcomeCounts) -> Self {
        Self {
            ok: counts.get(Outcome::Ok),
            connect: counts.get(Outcome::Connect),
            tls: counts.get(Outcome::Tls),
            send: counts.get(Outcome::Send),
            read: counts.get(Outcome::Read),
            timeout: counts.get(Outcome::Timeout),
            protocol: counts.get(Outcome::Protocol),
            status: counts.get(Outcome::Status),
            check: counts.get(Outcome::Check),
            not_sent: counts.get(Outcome::NotSent),
            unanswered: counts.get(Outcome::Unanswered),
        }
    }
}

/// Why requests were never written.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub struct NotSentCauses {
    /// The queue was full.
    pub shed: u64,
    /// No connection became free.
    pub no_connection: u64,
    /// The limit of streams was reached.
    pub no_stream: u64,
}

/// Count and exact extremes of one clock.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ClockSummary {
    /// Requests.
    pub count: u64,
    /// The least, nanoseconds.
    pub min_ns: u64,
    /// The mean, nanoseconds.
    pub mean_ns: f64,
    /// The greatest, nanoseconds.
    pub max_ns: u64,
}

/// One clock, ok requests apart from the rest; null where there were none.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ClockSplitSummary {
    /// Of requests that ended ok.
    pub ok: Option<ClockSummary>,
    /// Of all others that have the clock.
    pub failed: Option<ClockSummary>,
}

/// The three clocks of one operation.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ClockSummaries {
    /// Done - intended.
    pub response_time: ClockSplitSummary,
    /// Done - written.
    pub service_time: ClockSplitSummary,
    /// Written - intended.
    pub lag: ClockSplitSummary,
}

/// One operation over the whole load, grace period included.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OperationFacts {
    /// What became of its requests.
    pub outcomes: Outcomes,
    /// Why some were not sent.
    pub not_sent: NotSentCauses,
    /// Bytes that the kernel took.
    pub bytes_sent: u64,
    /// Bytes of responses, heads included.
    pub bytes_received: u64,
    /// Its clocks.
    pub clocks: ClockSummaries,
}

/// Why the load stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The planned duration was over.
    Duration,
    /// The planned count was offered.
    Count,
    /// SIGINT or SIGTERM.
    Signal,
}

/// Why and when the load stopped.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct StopFacts {
    /// Why.
    pub reason: StopReason,
    /// Nanoseconds since the load began.
    pub at_ns: u64,
}

/// Whether arrivals were closed or open.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ArrivalKind {
    /// Closed users.
    Users,
    /// An arrival rate.
    Rate,
}

/// Connections of the whole load.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub struct ConnectionFacts {
    /// Users, or the cap of the pool.
    pub requested: u64,
    /// Established, reopened ones included.
    pub opened: u64,
    /// Attempts that failed.
    pub failed: u64,
    /// Ended by the server, with or without saying so.
    pub closed_by_server: u64,
}

/// One engine thread.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct WorkerFacts {
    /// The CPU it was pinned to; null when the plan named no CPUs.
    pub cpu: Option<usize>,
    /// Its user and system time.
    pub cpu_ns: u64,
    /// From the load's start to its end.
    pub wall_ns: u64,
    /// The longest time between two waits of the loop, or by which it overslept.
    pub longest_stall_ns: u64,
}

/// What the engine itself cost.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EngineFacts {
    /// Its version.
    pub version: String,
    /// How it waits for the kernel.
    #[serde(rename = "loop")]
    pub event_loop: String,
    /// User and system time of the process from the load's start to the end of grace.
    pub cpu_ns: u64,
    /// Its highest resident memory.
    pub peak_rss_bytes: u64,
    /// Its threads that load.
    pub workers: Vec<WorkerFacts>,
}

/// Facts of one load.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LoadFacts {
    /// What was spoken.
    pub protocol: Protocol,
    /// Whether transport and clock were simulated; never, so far.
    pub simulated: bool,
    /// When the load began, Unix time in nanoseconds.
    pub started_unix_ns: u64,
    /// From the first intended time to the stop.
    pub load_ns: u64,
    /// How long requests in flight were then waited for.
    pub grace_ns: u64,
    /// Why and when it stopped.
    pub stop: StopFacts,
    /// Closed users or an arrival rate.
    pub arrivals: ArrivalKind,
    /// How many users; null for a rate.
    pub users: Option<u64>,
    /// The rate; null for users.
    pub rate_per_second: Option<f64>,
    /// Over all operations.
    pub outcomes: Outcomes,
    /// By operation.
    pub operations: BTreeMap<String, OperationFacts>,
    /// Connections.
    pub connections: ConnectionFacts,
    /// Age of the oldest unanswered request, since it was intended; null if all were answered.
    pub unanswered_oldest_ns: Option<u64>,
    /// At most three texts per outcome that has any.
    pub error_samples: BTreeMap<Outcome, Vec<String>>,
    /// What the engine cost.
    pub engine: EngineFacts,
}

/// Adds up intervals to the facts of a whole load.
#[derive(Clone, Debug)]
pub struct Sums {
    operations: Vec<OperationSums>,
}

#[derive(Clone, Debug, Default)]
struct OperationSums {
    outcomes: OutcomeCounts,
    bytes_sent: u64,
    bytes_received: u64,
    /// By clock: ok, failed.
    clocks: [(Extremes, Extremes); 3],
}

impl Sums {
    /// Nothing yet, of so many operations.
    #[must_use]
    pub fn new(operations: usize) -> Self {
        Self {
            operations: vec![OperationSums::default(); operations],
        }
    }

    /// Adds one interval.
    pub fn add(&mut self, stats: &IntervalStats) {
        for (sums, operation) in self.operations.iter_mut().zip(&stats.operations) {
            sums.outcomes.add(&operation.outcomes);
            sums.bytes_sent += operation.bytes_sent;
            sums.bytes_received += operation.bytes_received;
            for name in ClockName::ALL {
                let (ok, failed) = &mut sums.clocks[name as usize];
                ok.add(&operation.clock(name).ok.extremes);
                failed.add(&operation.clock(name).failed.extremes);
            }
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
        let clock = |name: ClockName| {
            let (ok, failed) = &self.clocks[name as usize];
            ClockSplitSummary {
                ok: summary(ok),
                failed: summary(failed),
            }
        };
        OperationFacts {
            outcomes: Outcomes::from(&self.outcomes),
            not_sent: NotSentCauses {
                shed: self.outcomes.get_not_sent(NotSent::Shed),
                no_connection: self.outcomes.get_not_sent(NotSent::NoConnection),
                no_stream: self.outcomes.get_not_sent(NotSent::NoStream),
            },
            bytes_sent: self.bytes_sent,
            bytes_received: self.bytes_received,
            clocks: ClockSummaries {
                response_time: clock(ClockName::ResponseTime),
                service_time: clock(ClockName::ServiceTime),
                lag: clock(ClockName::Lag),
            },
        }
    }
}

fn summary(extremes: &Extremes) -> Option<ClockSummary> {
    extremes.mean_ns().map(|mean_ns| ClockSummary {
        count: extremes.count,
        min_ns: extremes.min_ns,
        mean_ns,
        max_ns: extremes.max_ns,
    })
}

/// The texts of every outcome that has any.
#[must_use]
pub fn error_samples(details: &DetailSamples) -> BTreeMap<Outcome, Vec<String>> {
    let texts = Outcome::ALL
        .into_iter()
        .map(|outcome| (outcome, details.texts(outcome)));
    texts.filter(|(_, texts)| !texts.is_empty()).collect()
}

/// How the plan's arrivals are named: kind, users, rate, connections asked for.
#[must_use]
pub fn arrivals(plan: &Plan) -> (ArrivalKind, Option<u64>, Option<f64>, u64) {
    match plan.groups.first().map(|group| &group.arrivals) {
        Some(Arrivals::Rate(rate)) => (
            ArrivalKind::Rate,
            None,
            Some(highest(&rate.stages)),
            rate.connections,
        ),
        Some(Arrivals::Users(users)) => {
            let count = highest(&users.stages) as u64;
            (ArrivalKind::Users, Some(count), None, count)
        }
        None => (ArrivalKind::Users, Some(0), None, 0),
    }
}
