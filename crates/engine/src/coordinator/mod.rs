//! Runs a checked plan: starts the workers, merges and writes what they hand over, and ends it.
//!
//! Everything slow (merging, compressing, writing) happens on this thread, never on a worker's.

mod assign;
mod control;
mod process;
mod signal;
mod window;

use anyhow::{Context, Result, bail};
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use crate::coordinator::assign::assign;
use crate::coordinator::process::{allow_many_files, restrict_to, stand_back};
use crate::coordinator::signal::SignalWatch;
use crate::coordinator::window::Window;
use crate::host::load_clock::LoadClock;
use crate::host::own_quota::OwnQuota;
use crate::host::resource_use;
use crate::interval_rules::own_health::OwnHealth;
use crate::interval_rules::stop_rules::{Scope, StopWatch};
use crate::plan::Plan;
use crate::plan::cells::{Cell, cells};
use crate::protocol::tls::TlsSettings;
use crate::record::merged_interval::Merger;
use crate::record::row_backlog::RowBacklog;
use crate::report::engine_event::{EngineEvent, Started};
use crate::report::load_facts_builder::LoadFactsBuilder;
use crate::report::progress::ProgressLine;
use crate::report::record_files::{Names, RecordFiles};
use crate::report::stop_facts::{StopReason, Stopped};
use crate::report::summary::LoadFacts;
use crate::report::window_facts::WindowFacts;
use crate::session::rows::Rows;
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
    /// Of all groups together, then of each.
    stop_rules: Vec<StopWatch>,
    stop: Option<Stopped>,
    duration_ns: u64,
    /// When the window begins that nothing need be waited for.
    window_from_ns: u64,
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

/// Carries out the plan, with its feeds, and returns its facts. `is_controlled`: standard input has commands.
///
/// # Errors
/// If it cannot be started, or not be written.
pub fn run(
    plan: &Plan,
    address: SocketAddr,
    tls: Option<&TlsSettings>,
    feeds: &Arc<[Rows]>,
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
    for assignment in assign(plan, address, tls, feeds) {
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
    let (names, cells) = (Names::of(plan), cells(plan));
    let started = Started {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        plan_version: plan.plan_version,
        target: address.to_string(),
        protocol: plan.protocol,
        seed: plan.seed,
        workers: workers.len() as u64,
        operations: names.cells.clone(),
        groups: names.groups.clone(),
        started_unix_ns: clock.start_unix_ns(),
    };
    let cpu_ns = resource_use::process_cpu_ns();
    let mut coordinator = Coordinator {
        records: RecordFiles::create(folder, names, started.started_unix_ns, plan.record_requests)?,
        merger: Merger::new(workers.len(), (cells.len(), plan.groups.len()), cpu_ns),
        progress: ProgressLine::default(),
        facts: LoadFactsBuilder::new(plan, started.started_unix_ns, cpu_ns),
        health,
        backlog,
        quota: OwnQuota::watch(),
        stop_rules: stop_rules(plan, &cells),
        stop: None,
        duration_ns: plan.duration_ns,
        window_from_ns: plan.users_from_ns,
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
    let stopped = coordinator.stop.unwrap_or(StopReason::Duration.into());
    let limited = coordinator.health.limited();
    let users = coordinator.facts.users();
    coordinator.records.users(&users)?;
    let window = coordinator.window.and_then(|window| window.fixed());
    coordinator.facts.build(plan, stopped, window, limited)
}

impl<W: Write> Coordinator<'_, W> {
    fn on_message(&mut self, message: Message) -> Result<()> {
        match message {
            Message::Ready => {}
            Message::Interval(worker, interval, times) => {
                self.merger.add(worker, interval, times);
                self.write_intervals()?;
            }
            Message::StopRule(stopped) => {
                self.stop_for(stopped);
            }
            Message::Rows(worker, rows) => self.write_rows(worker, rows)?,
            Message::Sample(sample) => self.records.sample(&sample)?,
            Message::CountReached => {
                self.counts_pending -= 1;
                if self.counts_pending == 0 {
                    self.stop_for(StopReason::Count.into());
                }
            }
            Message::Signal => {
                if !self.stop_for(StopReason::Signal.into()) {
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
                self.facts
                    .worker(worker, &totals, facts, scheduling, loop_name);
                self.merger.finish(worker);
                self.write_intervals()?;
            }
            Message::Failed(error) => bail!(error),
            Message::BeginWindow(not_before_ns) => self.begin_window(not_before_ns)?,
            Message::NoCommand(error) => self.say(&EngineEvent::Error { error })?,
            Message::InputEnded => {
                self.stop_for(StopReason::InputEnded.into());
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

    fn begin_window(&mut self, not_before_ns: u64) -> Result<()> {
        let now_ns = self.clock.now_ns();
        let Some(window) = &mut self.window else {
            let error = "begin_window: the plan has no warm_up, so its window is the whole load";
            let error = error.to_owned();
            return self.say(&EngineEvent::Error { error });
        };
        if self.stop.is_some() {
            return Ok(());
        }
        let fixed = window.begin(now_ns, not_before_ns);
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
    fn stop_for(&mut self, stopped: Stopped) -> bool {
        let stops = self.stop.is_none() && self.clock.now_ns() < self.end_ns();
        if stops {
            self.stop = Some(stopped);
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
                let window_start_ns = window.map_or(Some(self.window_from_ns), |window| {
                    window.fixed().map(|facts| facts.start_ns)
                });
                for watch in &mut self.stop_rules {
                    let rule = watch.judge_interval(interval, window_start_ns);
                    fired = fired.or(rule.map(|rule| Stopped {
                        reason: rule.into(),
                        group: watch.group(),
                    }));
                }
                let end_ns = interval.end_ns;
                self.say(&EngineEvent::Progress(line))?;
                self.has_come_to(end_ns)?;
            }
        }
        if let Some(stopped) = fired {
            self.stop_for(stopped);
        }
        Ok(())
    }
}

fn stop_rules(plan: &Plan, cells: &[Cell]) -> Vec<StopWatch> {
    let all = Scope {
        group: None,
        cells: 0..cells.len(),
    };
    let of_group = plan.groups.iter().enumerate().map(|(index, group)| {
        let before = cells.partition_point(|cell| cell.group < index);
        let cells = before..cells.partition_point(|cell| cell.group <= index);
        let group_scope = Scope {
            group: Some(index),
            cells,
        };
        StopWatch::new(&group.stop, group_scope)
    });
    let whole = StopWatch::new(&plan.stop, all);
    std::iter::once(whole).chain(of_group).collect()
}
