//! Gathers what the workers counted into the facts of the load, and holds it against itself.

use anyhow::{Result, ensure};

use crate::clock;
use crate::merge::MergedInterval;
use crate::outcome::DetailSamples;
use crate::plan::Plan;
use crate::summary::{
    ConnectionFacts, EngineFacts, LoadFacts, Outcomes, StopFacts, StopReason, Sums, WorkerFacts,
    arrivals, error_samples,
};
use crate::worker::Totals;

/// What is known of the whole load so far.
#[derive(Debug)]
pub struct Finish {
    started_unix_ns: u64,
    cpu_before_ns: u64,
    sums: Sums,
    offered: u64,
    connections: ConnectionFacts,
    details: DetailSamples,
    unanswered_oldest_ns: Option<u64>,
    stop_ns: u64,
    end_ns: u64,
    workers: Vec<(usize, WorkerFacts)>,
    loop_name: &'static str,
}

impl Finish {
    /// Nothing yet.
    #[must_use]
    pub fn new(operations: usize, started_unix_ns: u64, cpu_before_ns: u64) -> Self {
        Self {
            started_unix_ns,
            cpu_before_ns,
            sums: Sums::new(operations),
            offered: 0,
            connections: ConnectionFacts::default(),
            details: DetailSamples::default(),
            unanswered_oldest_ns: None,
            stop_ns: 0,
            end_ns: 0,
            workers: Vec::new(),
            loop_name: "",
        }
    }

    /// Adds one interval.
    pub fn interval(&mut self, interval: &MergedInterval) {
        self.sums.add(&interval.stats);
    }

    /// Adds what one worker counted.
    pub fn worker(
        &mut self,
        worker: usize,
        totals: &Totals,
        facts: WorkerFacts,
        loop_name: &'static str,
    ) {
        self.offered += totals.offered;
        self.connections.opened += totals.opened;
        self.connections.failed += totals.failed;
        self.connections.closed_by_server += totals.closed_by_server;
        self.details.add(&totals.details);
        self.unanswered_oldest_ns = self.unanswered_oldest_ns.max(totals.unanswered_oldest_ns);
        self.stop_ns = self.stop_ns.max(totals.stop_ns);
        self.end_ns = self.end_ns.max(totals.end_ns);
        self.workers.push((worker, facts));
        self.loop_name = loop_name;
    }

    /// How many workers have ended.
    #[must_use]
    pub fn workers_finished(&self) -> usize {
        self.workers.len()
    }

    /// The facts of the load.
    ///
    /// # Errors
    /// If the outcomes do not add up to what was offered: a bug, never adjusted.
    pub fn facts(&mut self, plan: &Plan, reason: StopReason) -> Result<LoadFacts> {
        let outcomes = self.sums.outcomes();
        ensure!(
            outcomes.total() == self.offered,
            "{} requests were offered and {} have an outcome: this is a bug of the engine, and \
             the figures of this load cannot be trusted",
            self.offered,
            outcomes.total(),
        );
        self.workers.sort_by_key(|worker| worker.0);
        let (kind, users, rate_per_second, requested) = arrivals(plan);
        Ok(LoadFacts {
            protocol: plan.protocol,
            simulated: false,
            started_unix_ns: self.started_unix_ns,
            load_ns: self.stop_ns,
            grace_ns: self.end_ns - self.stop_ns,
            stop: StopFacts {
                reason,
                at_ns: self.stop_ns,
            },
            arrivals: kind,
            users,
            rate_per_second,
            outcomes: Outcomes::from(&outcomes),
            operations: self.sums.facts(plan),
            connections: ConnectionFacts {
                requested,
                ..self.connections
            },
            unanswered_oldest_ns: self.unanswered_oldest_ns,
            error_samples: error_samples(&self.details),
            engine: EngineFacts {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                event_loop: self.loop_name.to_owned(),
                cpu_ns: clock::process_cpu_ns() - self.cpu_before_ns,
                peak_rss_bytes: clock::peak_rss_bytes(),
                workers: self.workers.iter().map(|worker| worker.1).collect(),
            },
        })
    }
}
