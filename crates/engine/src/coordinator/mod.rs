//! Runs a checked plan: starts the workers, merges and writes what they hand over, and ends it.
//!
//! Everything slow (merging, compressing, writing) happens on this thread, never on a worker's.

mod assign;
mod control;
mod signal;
mod window;

use anyhow::{Context, Result, bail};
use rustix::process::{Resource, getrlimit, nice, setrlimit};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use crate::coordinator::assign::assign;
use crate::coordinator::signal::SignalWatch;
use crate::coordinator::window::Window;
use crate::host::load_clock::LoadClock;
use crate::host::own_quota::OwnQuota;
use crate::host::resource_use;
use crate::interval_rules::own_health::OwnHealth;
use crate::interval_rules::stop_rules::{IntervalFacts, StopWatch};
use crate::plan::Plan;
use crate::protocol::tls::TlsSettings;
use crate::record::merged_interval::Merger;
use crate::record::row_backlog::RowBacklog;
use crate::report::engine_event::{EngineEvent, Started};
use crate::report::load_facts_builder::LoadFactsBuilder;
use crate::report::progress::ProgressLine;
use crate::report::record_files::RecordFiles;
use crate::report::summary::{LoadFacts, StopReason};
use crate::report::window_facts::WindowFacts;
use crate::worker::thread::{Command, Ended, Message, WorkerHandle};

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
    backlog: Option<Arc<RowBacklog>>,
    quota: OwnQuota,
    stop_rules: StopWatch,
    stop: Option<StopReason>,
    duration_ns: u64,
    /// Only of a load with a warm-up.
    window: Option<Window>,
    counts_pending: usize,
}

/// The workers that are to carry a plan out, and what is known of them.
struct Workers<'a> {
    handles: &'a [WorkerHandle],
    health: OwnHealth,
    backlog: Option<Arc<RowBacklog>>,
    messages: &'a Receiver<Message>,
}

/// Carries out the plan and returns its facts. `is_controlled`: standard input has commands.
///
/// # Errors
/// If it cannot be started, or not be written.
pub fn run(
    plan: &Plan,
    address: SocketAddr,
    tls: Option<&TlsSettings>,
    folder: &Path,
    is_controlled: bool,
    output: &mut impl Write,
) -> Result<LoadFacts> {
    allow_many_files();
    restrict_to(&plan.cpus)?;
    let (sender, messages) = channel();
    let signals = SignalWatch::start(sender.clone())?;
    let (mut workers, mut cpus) = (Vec::new(), Vec::new());
    let mut backlog = None;
    for assignment in assign(plan, address, tls) {
        cpus.push(assignment.cpu);
        backlog.get_or_insert_with(|| Arc::clone(&assignment.backlog));
        workers.push(WorkerHandle::spawn(assignment, sender.clone())?);
    }
    stand_back();
    let health = OwnHealth::new(cpus);
    let facts = wait_until_ready(workers.len(), &messages).and_then(|()| {
        if is_controlled {
            control::watch(sender)?;
        }
        let workers = Workers {
            handles: &workers,
            health,
            backlog,
            messages: &messages,
        };
        load(plan, address, folder, output, workers)
    });
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

fn wait_until_ready(workers: usize, messages: &Receiver<Message>) -> Result<()> {
    let mut ready = 0;
    while ready < workers {
        match messages.recv()? {
            Message::Ready => ready += 1,
            Message::Failed(error) => bail!(error),
            Message::Signal => bail!("interrupted before the load began"),
            _ => {}
        }
    }
    Ok(())
}

fn load(
    plan: &Plan,
    address: SocketAddr,
    folder: &Path,
    output: &mut impl Write,
    Workers {
        handles: workers,
        health,
        backlog,
        messages,
    }: Workers<'_>,
) -> Result<LoadFacts> {
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
        backlog,
        quota: OwnQuota::watch(),
        stop_rules: StopWatch::new(&plan.stop),
        stop: None,
        duration_ns: plan.duration_ns,
        window: Window::of(plan),
        counts_pending: workers.len(),
        output,
        clock,
        workers,
    };
    coordinator.say(&EngineEvent::Started(started))?;
    for worker in workers {
        worker.send(Command::Start(clock));
    }
    coordinator.has_come_to(0)?;
    while coordinator.facts.workers_finished() < workers.len() {
        coordinator.on_message(messages.recv()?)?;
    }
    let reason = coordinator.stop.unwrap_or(StopReason::Duration);
    let limited = coordinator.health.limited();
    let users = coordinator.facts.users();
    coordinator.records.users(&users)?;
    let window = coordinator.window.and_then(|window| window.fixed());
    coordinator.facts.build(plan, reason, window, limited)
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
            Message::Rows(worker, rows) => self.write_rows(worker, rows)?,
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
            Message::Finished(worker, ended) => {
                let Ended {
                    totals,
                    facts,
                    scheduling,
                    loop_name,
                } = *ended;
                let place = (worker, self.workers.len());
                self.facts
                    .worker(place, &totals, facts, scheduling, loop_name);
                self.merger.finish(worker);
                self.write_intervals()?;
            }
            Message::Failed(error) => bail!(error),
            Message::BeginWindow => self.begin_window()?,
            Message::NoCommand(error) => self.say(&EngineEvent::Error { error })?,
            Message::InputEnded => {
                self.stop_for(StopReason::InputEnded);
            }
        }
        Ok(())
    }

    fn write_rows(&mut self, worker: usize, rows: Vec<u8>) -> Result<()> {
        let length = rows.len();
        self.records.rows(worker, rows)?;
        if let Some(backlog) = &self.backlog {
            backlog.written(length);
            if backlog.is_exceeded() {
                return Err(self.records.rows_wait().into());
            }
        }
        Ok(())
    }

    fn begin_window(&mut self) -> Result<()> {
        let now_ns = self.clock.now_ns();
        let Some(window) = &mut self.window else {
            let error = "begin_window: the plan has no warm_up, so its window is the whole load";
            let error = error.to_owned();
            return self.say(&EngineEvent::Error { error });
        };
        if self.stop.is_some() {
            return Ok(());
        }
        let fixed = window.begin(now_ns);
        self.on_window(fixed)
    }

    /// All workers have come to the end of a second.
    fn has_come_to(&mut self, now_ns: u64) -> Result<()> {
        if self.stop.is_some() {
            return Ok(());
        }
        let fixed = self
            .window
            .as_mut()
            .and_then(|window| window.has_come_to(now_ns));
        self.on_window(fixed)
    }

    /// Says so once it is fixed when the window begins, workers first.
    fn on_window(&mut self, fixed: Option<WindowFacts>) -> Result<()> {
        let Some(facts) = fixed else {
            return Ok(());
        };
        let end_ns = self.end_ns();
        self.tell(|| Command::EndWindowAt(end_ns));
        self.say(&EngineEvent::Window(facts))
    }

    /// When the load is to stop, as far as is known.
    fn end_ns(&self) -> u64 {
        let window_end_ns = self.window.as_ref().map(Window::end_ns);
        window_end_ns.unwrap_or(self.duration_ns)
    }

    fn say(&mut self, event: &EngineEvent) -> Result<()> {
        event
            .write(&mut *self.output)
            .context("cannot write to stdout")
    }

    /// Stops the load, unless it has stopped already.
    fn stop_for(&mut self, reason: StopReason) -> bool {
        let stops = self.stop.is_none() && self.clock.now_ns() < self.end_ns();
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
            let throttled = self.quota.take();
            if let Some(throttled) = throttled {
                self.facts.throttled(throttled);
            }
            self.records.interval(interval, throttled, &limited_by)?;
            let window = self.window.as_ref();
            let in_window = window.map(|window| window.holds(interval.start_ns));
            let line = self.progress.next(interval, limited_by, in_window);
            if !interval.grace {
                let rule = self.stop_rules.judge(&IntervalFacts::of(interval));
                fired = fired.or(rule.map(|rule| StopReason::from(rule.0)));
                let end_ns = interval.end_ns;
                self.say(&EngineEvent::Progress(line))?;
                self.has_come_to(end_ns)?;
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

/// Workers that share a CPU with this thread go before it: what it does may come a little later, and
/// what they do may not. 10 is a tenth of a worker's share of a busy CPU (sched(7)).
fn stand_back() {
    // Without it the load is as it was.
    let _ = nice(10);
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
