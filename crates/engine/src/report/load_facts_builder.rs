//! Gathers the facts of the load from what the workers counted, and checks that they add up.

use anyhow::Result;
use std::collections::BTreeMap;

use crate::host::own_quota::Throttled;
use crate::host::resource_use;
use crate::interval_rules::own_health::LimitedFacts;
use crate::outcome::DetailSamples;
use crate::plan::Plan;
use crate::plan::cells::{Cell, cells, group_names};
use crate::protocol::spoken::Spoken;
use crate::record::merged_interval::MergedInterval;
use crate::record::worker_interval::GroupGauges;
use crate::record::worker_totals::WorkerTotals;
use crate::report::arrival_facts::ArrivalFacts;
use crate::report::load_sums::LoadSums;
use crate::report::request_facts::Outcomes;
use crate::report::scheduling_facts::{SchedulingFacts, WorkerScheduling};
use crate::report::stop_facts::{StopFacts, Stopped};
use crate::report::summary::{
    ConnectionFacts, EngineFacts, LoadFacts, Repeatable, WorkerFacts, error_samples,
};
use crate::report::user_facts::{UserColumns, UserTable};
use crate::report::window_facts::WindowFacts;

/// What is known of the whole load so far.
#[derive(Debug)]
pub struct LoadFactsBuilder {
    started_unix_ns: u64,
    cpu_before_ns: u64,
    cells: Vec<Cell>,
    sums: LoadSums,
    offered: u64,
    opened: u64,
    failed: u64,
    closed_by_server: u64,
    full_handshakes: u64,
    resumed_handshakes: u64,
    users: UserTable,
    throttled: Option<Throttled>,
    redirects: u64,
    refused_streams: u64,
    spoken: Spoken,
    details: DetailSamples,
    unanswered_oldest_ns: Option<u64>,
    not_accepted: u64,
    users_at_stop: Option<u64>,
    groups_at_stop: Vec<GroupGauges>,
    stop_ns: u64,
    end_ns: u64,
    workers: Vec<(usize, WorkerFacts)>,
    scheduling: Vec<WorkerScheduling>,
    loop_name: &'static str,
}

impl LoadFactsBuilder {
    /// Nothing yet.
    #[must_use]
    pub fn new(plan: &Plan, started_unix_ns: u64, cpu_before_ns: u64) -> Self {
        let operations = plan.groups.iter().map(|group| group.operations.len());
        let cells = cells(plan);
        Self {
            started_unix_ns,
            cpu_before_ns,
            sums: LoadSums::new(cells.len(), operations.sum(), plan.groups.len()),
            cells,
            offered: 0,
            opened: 0,
            failed: 0,
            closed_by_server: 0,
            full_handshakes: 0,
            resumed_handshakes: 0,
            users: UserTable::new(group_names(plan)),
            throttled: None,
            redirects: 0,
            refused_streams: 0,
            spoken: Spoken::default(),
            details: DetailSamples::default(),
            unanswered_oldest_ns: None,
            not_accepted: 0,
            users_at_stop: None,
            groups_at_stop: Vec::new(),
            stop_ns: 0,
            end_ns: 0,
            workers: Vec::new(),
            scheduling: Vec::new(),
            loop_name: "",
        }
    }

    /// Adds one interval.
    pub fn interval(&mut self, interval: &MergedInterval) {
        self.sums.add(&interval.stats, &interval.gauges);
        if !interval.grace {
            self.users_at_stop = interval.gauges.users;
            self.groups_at_stop.clone_from(&interval.gauges.groups);
        }
    }

    /// Adds what the engine's quota came to in one interval.
    pub fn throttled(&mut self, throttled: Throttled) {
        self.throttled.get_or_insert_default().add(throttled);
    }

    /// Adds what one worker counted.
    pub fn worker(
        &mut self,
        worker: usize,
        totals: &WorkerTotals,
        facts: WorkerFacts,
        scheduling: Option<WorkerScheduling>,
        loop_name: &'static str,
    ) {
        self.offered += totals.offered;
        self.opened += totals.opened;
        self.failed += totals.failed;
        self.closed_by_server += totals.closed_by_server;
        self.full_handshakes += totals.full_handshakes;
        self.resumed_handshakes += totals.resumed_handshakes;
        self.redirects += totals.redirects;
        self.refused_streams += totals.refused_streams;
        self.spoken = self.spoken.or(&totals.spoken);
        self.users.add(totals.users_from_ns, &totals.users);
        self.sums.add_totals(totals);
        self.details.add(&totals.details);
        self.unanswered_oldest_ns = self.unanswered_oldest_ns.max(totals.unanswered_oldest_ns);
        self.not_accepted += totals.not_accepted;
        self.stop_ns = self.stop_ns.max(totals.stop_ns);
        self.end_ns = self.end_ns.max(totals.end_ns);
        self.workers.push((worker, facts));
        self.scheduling.extend(scheduling);
        self.loop_name = loop_name;
    }

    /// What each user got, as a file.
    pub fn users(&mut self) -> UserColumns {
        self.users.columns()
    }

    /// How many workers have ended.
    #[must_use]
    pub fn workers_finished(&self) -> usize {
        self.workers.len()
    }

    /// The facts of the load.
    ///
    /// # Errors
    /// If something does not add up: a bug, never adjusted.
    pub fn build(
        &mut self,
        plan: &Plan,
        stopped: Stopped,
        window: Option<WindowFacts>,
        limited: &[LimitedFacts],
    ) -> Result<LoadFacts> {
        self.sums.check(plan, &self.cells, self.offered)?;
        self.workers.sort_by_key(|worker| worker.0);
        let arrivals = ArrivalFacts::of(plan);
        let (connect, tls) = self.sums.connections();
        Ok(LoadFacts {
            protocol: plan.protocol,
            spoken: self.spoken,
            streams: plan.streams,
            simulated: false,
            started_unix_ns: self.started_unix_ns,
            load_ns: self.stop_ns,
            grace_ns: self.end_ns - self.stop_ns,
            stop: self.stop_facts(plan, stopped),
            run_id: plan.run_id.clone(),
            repeatable: Repeatable::Content,
            window: window.filter(|window| window.start_ns < self.stop_ns),
            arrivals: arrivals.kind,
            users: arrivals.users,
            rate_per_second: arrivals.rate_per_second,
            process: arrivals.process,
            outcomes: Outcomes::from(&self.sums.outcomes()),
            operations: self.sums.operations(plan, &self.cells),
            groups: self
                .sums
                .groups(plan, &self.cells, |group| self.users.facts_of(group)),
            connections: ConnectionFacts {
                requested: arrivals.connections,
                opened: self.opened,
                failed: self.failed,
                closed_by_server: self.closed_by_server,
                connect,
                tls,
                full_handshakes: self.full_handshakes,
                resumed_handshakes: self.resumed_handshakes,
            },
            by_user: self.users.facts(),
            redirects: self.redirects,
            refused_streams: self.refused_streams,
            unanswered_oldest_ns: self.unanswered_oldest_ns,
            not_accepted: self.not_accepted,
            error_samples: error_samples(&self.details),
            engine: EngineFacts {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                event_loop: self.loop_name.to_owned(),
                cpu_ns: resource_use::process_cpu_ns() - self.cpu_before_ns,
                peak_rss_bytes: resource_use::peak_rss_bytes(),
                workers: self.workers.iter().map(|worker| worker.1).collect(),
                throttled: self.throttled.map(Into::into),
                limited: limited.to_vec(),
                scheduling: SchedulingFacts::of(&self.scheduling),
            },
        })
    }

    fn stop_facts(&self, plan: &Plan, stopped: Stopped) -> StopFacts {
        let name = |group: usize| plan.groups[group].group.clone();
        let users = self.groups_at_stop.iter().enumerate();
        let users: BTreeMap<_, _> = users
            .filter_map(|(group, gauges)| Some((name(group), gauges.users?)))
            .collect();
        StopFacts {
            reason: stopped.reason,
            rule_group: stopped.group.map(name),
            at_ns: self.stop_ns,
            users: self.users_at_stop,
            users_by_group: users,
        }
    }
}
