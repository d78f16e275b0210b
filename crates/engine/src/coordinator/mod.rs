//! Runs a checked plan: starts the workers, merges and writes what they hand over, and ends it.
//!
//! Everything slow (merging, compressing, writing) happens on this thread, never on a worker's.

mod assign;
mod signal;

use anyhow::{Context, Result, bail};
use rustix::process::{Resource, getrlimit, setrlimit};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};

use crate::coordinator::assign::assign;
use crate::coordinator::signal::SignalWatch;
use crate::host::load_clock::LoadClock;
use crate::host::resource_use;
use crate::interval_rules::own_health::OwnHealth;
use crate::interval_rules::stop_rules::{IntervalFacts, StopWatch};
use crate::plan::Plan;
use crate::protocol::tls::TlsSettings;
use crate::record::merged_interval::Merger;
use crate::report::engine_event::{EngineEvent, Started};
use crate::report::load_facts_builder::LoadFactsBuilder;
use crate::report::progress::ProgressLine;
use crate::report::record_files::RecordFiles;
use crate::report::summary::{LoadFacts, StopReason};
use crate::worker::thread::{Command, Message, WorkerHandle};

/// Time between the order to start and the start of the load, so that every worker is awake by then.
const START_DELAY_NS: u64 = 5_000_000;

struct Coordinator<'a, W> {
    output: &'a mut W,
    clock: LoadClock,
    workers: &'a [WorkerHandle],
    records: RecordFiles,
    merger: Merger,
    progress: ProgressLine,
    facts: LoadFactsBuilder,
    health: OwnHealth,
    stop_rules: StopWatch,
    stop: Option<StopReason>,
    duration_ns: u64,
    counts_pending: usize,
}

/// Carries out the plan and returns its facts.
///
/// # Errors
/// If it cannot be started, or not be written.
pub fn run(
    plan: &Plan,
    address: SocketAddr,
    tls: Option<&TlsSettings>,
    folder: &Path,
    output: &mut impl Write,
) -> Result<LoadFacts> {
    allow_many_files();
    restrict_to(&plan.cpus)?;
    let (sender, messages) = channel();
    let signals = SignalWatch::start(sender.clone())?;
    let (mut workers, mut cpus) = (Vec::new(), Vec::new());
    for assignment in assign(plan, address, tls) {
        cpus.push(assignment.cpu);
        workers.push(WorkerHandle::spawn(assignment, sender.clone())?);
    }
    let health = OwnHealth::new(cpus);
    let facts = load(plan, address, folder, output, &workers, health, &messages);
    if facts.is_err() {
        for worker in &workers {
            worker.send(Command::Stop);
            worker.send(Command::CutGrace);
        }
    }
    drop(signals);
    for worker in workers {
        worker.join();
    }
    facts
}

fn load(
    plan: &Plan,
    address: SocketAddr,
    folder: &Path,
    output: &mut impl Write,
    workers: &[WorkerHandle],
    health: OwnHealth,
    messages: &Receiver<Message>,
) -> Result<LoadFacts> {
    let mut ready = 0;
    while ready < workers.len() {
        match messages.recv()? {
            Message::Ready => ready += 1,
            Message::Failed(error) => bail!(error),
            Message::Signal => bail!("interrupted before the load began"),
            _ => {}
        }
    }
    let clock = LoadClock::starting_in(START_DELAY_NS);
    let names: Vec<String> = plan
        .groups
        .iter()
        .flat_map(|group| &group.session)
        .map(|one| one.operation.clone())
        .collect();
    let started = Started {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        plan_version: plan.plan_version,
        target: address.to_string(),
        protocol: plan.protocol,
        seed: plan.seed,
        workers: workers.len() as u64,
        operations: names.clone(),
        started_unix_ns: clock.start_unix_ns(),
    };
    let cpu_ns = resource_use::process_cpu_ns();
    let mut coordinator = Coordinator {
        records: RecordFiles::create(
            folder,
            names.clone(),
            started.started_unix_ns,
            plan.record_requests,
        )?,
        merger: Merger::new(workers.len(), names.len(), cpu_ns),
        progress: ProgressLine::default(),
        facts: LoadFactsBuilder::new(names.len(), started.started_unix_ns, cpu_ns),
        health,
        stop_rules: StopWatch::new(&plan.stop),
        stop: None,
        duration_ns: plan.duration_ns,
        counts_pending: workers.len(),
        output,
        clock,
        workers,
    };
    EngineEvent::Started(started)
        .write(&mut *coordinator.output)
        .context("cannot write to stdout")?;
    for worker in workers {
        worker.send(Command::Start(clock));
    }
    while coordinator.facts.workers_finished() < workers.len() {
        coordinator.on_message(messages.recv()?)?;
    }
    let reason = coordinator.stop.unwrap_or(StopReason::Duration);
    let limited = coordinator.health.limited();
    coordinator.facts.build(plan, reason, limited)
}

impl<W: Write> Coordinator<'_, W> {
    fn on_message(&mut self, message: Message) -> Result<()> {
        match message {
            Message::Ready => {}
            Message::Interval(worker, interval, times) => {
                self.merger.add(worker, interval, times);
                self.write_intervals()?;
            }
            Message::StopRule(reason) => {
                self.stop_for(reason);
            }
            Message::Rows(worker, rows) => self.records.rows(worker, rows)?,
            Message::Sample(sample) => self.records.sample(&sample)?,
            Message::CountReached => {
                self.counts_pending -= 1;
                if self.counts_pending == 0 {
                    self.stop_for(StopReason::Count);
                }
            }
            Message::Signal => {
                if !self.stop_for(StopReason::Signal) {
                    self.tell(|| Command::CutGrace);
                }
            }
            Message::Finished(worker, totals, facts, loop_name) => {
                self.facts.worker(worker, &totals, facts, loop_name);
                self.merger.finish(worker);
                self.write_intervals()?;
            }
            Message::Failed(error) => bail!(error),
        }
        Ok(())
    }

    /// Stops the load, unless it has stopped already.
    fn stop_for(&mut self, reason: StopReason) -> bool {
        let stops = self.stop.is_none() && self.clock.now_ns() < self.duration_ns;
        if stops {
            self.stop = Some(reason);
            self.tell(|| Command::Stop);
        }
        stops
    }

    fn tell(&self, command: impl Fn() -> Command) {
        for worker in self.workers {
            worker.send(command());
        }
    }

    fn write_intervals(&mut self) -> Result<()> {
        let workers = self.workers;
        let mut fired = None;
        while let Some(interval) = self
            .merger
            .next(|worker, stats| workers[worker].recycle(stats))
        {
            self.facts.interval(interval);
            let limited_by = if interval.grace {
                Vec::new()
            } else {
                self.health.judge_now(interval)
            };
            self.records.interval(interval, &limited_by)?;
            let line = self.progress.next(interval, limited_by);
            if !interval.grace {
                let rule = self.stop_rules.judge(&IntervalFacts::of(interval));
                fired = fired.or(rule.map(|rule| StopReason::from(rule.0)));
                EngineEvent::Progress(line)
                    .write(&mut *self.output)
                    .context("cannot write to stdout")?;
            }
        }
        if let Some(reason) = fired {
            self.stop_for(reason);
        }
        Ok(())
    }
}

/// Each connection is a file; the usual limit of 1024 is for programs that use `select`.
fn allow_many_files() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // If it is refused, connections beyond the limit fail, and are counted and shown as such.
    let _ = setrlimit(Resource::Nofile, limit);
}

/// Keeps the whole engine, this thread included, on the CPUs of the plan.
fn restrict_to(cpus: &[usize]) -> Result<()> {
    if cpus.is_empty() {
        return Ok(());
    }
    let allowed = sched_getaffinity(None)?;
    let mut wanted = CpuSet::new();
    for &cpu in cpus {
        if !allowed.is_set(cpu) {
            bail!("cpus: CPU {cpu} does not exist or is not allowed for this process");
        }
        wanted.set(cpu);
    }
    sched_setaffinity(None, &wanted).context("cpus: the process cannot be moved there")
}
