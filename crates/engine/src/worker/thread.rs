//! The thread of one worker: its CPU, its timers, and its messages with the coordinator.

use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::thread::{CpuSet, sched_setaffinity, set_current_timer_slack};
use std::io;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::arrivals::offers::Offers;
use crate::event_loop::choice::{ChosenLoop, open_chosen};
use crate::event_loop::route::Route;
use crate::host::load_clock::LoadClock;
use crate::host::resource_use;
use crate::host::run_queue::RunQueue;
use crate::plan::Plan;
use crate::protocol::tls::TlsSettings;
use crate::record::interval_stats::IntervalStats;
use crate::record::merged_interval::ThreadTimes;
use crate::record::row_backlog::RowBacklog;
use crate::record::samples::Sample;
use crate::record::worker_interval::WorkerInterval;
use crate::record::worker_totals::WorkerTotals;
use crate::report::scheduling_facts::WorkerScheduling;
use crate::report::stop_facts::Stopped;
use crate::report::summary::WorkerFacts;
use crate::session::rows::Rows;
use crate::worker::scheduling::Scheduling;
use crate::worker::{Report, Task, Worker};

/// What a worker is to do.
#[derive(Debug)]
pub struct Assignment {
    /// The worker's number.
    pub worker: usize,
    /// Its CPU, if it is to be pinned.
    pub cpu: Option<usize>,
    /// Where the load goes, and where it comes from.
    pub route: Route,
    /// What is to be done.
    pub plan: Arc<Plan>,
    /// How TLS is spoken, if it is.
    pub tls: Option<TlsSettings>,
    /// The plan's feeds.
    pub feeds: Arc<[Rows]>,
    /// Its share of the arrivals, with the connections that are theirs.
    pub offers: Offers,
    /// Its share of the count.
    pub count: Option<u64>,
    /// The rows of all workers that wait for the disk.
    pub backlog: Arc<RowBacklog>,
}

/// What the coordinator tells a worker.
#[derive(Debug)]
pub enum Command {
    /// Begin when this clock says 0.
    Start(LoadClock),
    /// Offer no more.
    Stop,
    /// Offer no more from this time on, which is not after the planned end.
    EndWindowAt(u64),
    /// Wait for nothing any more.
    CutGrace,
    /// Memory to be used again.
    Recycle(IntervalStats),
}

/// What the coordinator is told.
#[derive(Debug)]
pub enum Message {
    /// The worker can begin.
    Ready,
    /// An interval of this worker has ended.
    Interval(usize, WorkerInterval, ThreadTimes),
    /// A response was kept.
    Sample(Sample),
    /// The worker's share of the count is offered.
    CountReached,
    /// A request did what the plan stops for, or a feed has no row left.
    StopRule(Stopped),
    /// Rows of requests of this worker.
    Rows(usize, Vec<u8>),
    /// The worker with this number has ended.
    Finished(usize, Box<Ended>),
    /// A worker could not go on; says which one, and why.
    Failed(String),
    /// SIGINT or SIGTERM came.
    Signal,
    /// The window is to begin, though not before this time of the load.
    BeginWindow(u64),
    /// A line of standard input is not a command; says which one, and why.
    NoCommand(String),
    /// Standard input has ended.
    InputEnded,
}

/// What a worker leaves.
#[derive(Debug)]
pub struct Ended {
    /// What it counted.
    pub totals: WorkerTotals,
    /// What it cost.
    pub facts: WorkerFacts,
    /// How it was scheduled, if real time was wanted.
    pub scheduling: Option<WorkerScheduling>,
    /// How it waited for the kernel.
    pub loop_name: &'static str,
}

/// The coordinator's end of a worker.
#[derive(Debug)]
pub struct WorkerHandle {
    commands: Sender<Command>,
    waker: Arc<OwnedFd>,
    thread: JoinHandle<()>,
}

impl WorkerHandle {
    /// Starts the thread; it makes all ready, says so, and waits for `Command::Start`.
    ///
    /// # Errors
    /// If the kernel gives no descriptor or no thread.
    pub fn spawn(assignment: Assignment, messages: Sender<Message>) -> io::Result<Self> {
        let waker = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
        let (commands, inbox) = channel();
        let waker_of_thread = Arc::clone(&waker);
        let name = format!("worker-{}", assignment.worker);
        let thread = thread::Builder::new().name(name).spawn(move || {
            let guard = PanicGuard(messages.clone());
            let worker = assignment.worker;
            if let Err(error) = run(assignment, &inbox, &messages, waker_of_thread) {
                let _ = messages.send(Message::Failed(format!("worker {worker}: {error}")));
            }
            drop(guard);
        })?;
        Ok(Self {
            commands,
            waker,
            thread,
        })
    }

    /// Tells the worker something and wakes it.
    pub fn send(&self, command: Command) {
        // A worker that has ended takes no commands, and needs none.
        let _ = self.commands.send(command);
        let _ = rustix::io::write(&*self.waker, &1_u64.to_ne_bytes());
    }

    /// Gives memory back without waking the worker.
    pub fn recycle(&self, stats: IntervalStats) {
        let _ = self.commands.send(Command::Recycle(stats));
    }

    /// Waits for the end of the thread.
    pub fn join(self) {
        // A panic was reported by the guard already.
        let _ = self.thread.join();
    }
}

/// Tells the coordinator about a panic, so that it does not wait for ever.
struct PanicGuard(Sender<Message>);

impl Drop for PanicGuard {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(Message::Failed(
                "a worker panicked: this is a bug".to_owned(),
            ));
        }
    }
}

fn pin(cpu: usize) -> Result<(), Errno> {
    let mut cpus = CpuSet::new();
    cpus.set(cpu);
    sched_setaffinity(None, &cpus)
}

fn run(
    assignment: Assignment,
    inbox: &Receiver<Command>,
    messages: &Sender<Message>,
    waker: Arc<OwnedFd>,
) -> anyhow::Result<()> {
    if let Some(cpu) = assignment.cpu {
        pin(cpu).map_err(|errno| {
            anyhow::anyhow!("cannot run on CPU {cpu}: {errno}; name CPUs that this process may use")
        })?;
    }
    // By default the kernel may wake a thread 50 µs late, which would be the engine's lag.
    set_current_timer_slack(NonZeroU64::new(1))?;
    let plan = &*assignment.plan;
    // All that takes time is done before the start, whose delay is for waking up alone.
    let events = open_chosen(
        plan.event_loop,
        assignment.route,
        Worker::<ChosenLoop>::slots_of_loop(plan, assignment.offers.homes()),
        LoadClock::starting_in(0),
        waker,
    )?;
    let task = Task {
        plan,
        tls: assignment.tls.as_ref(),
        feeds: &assignment.feeds,
    };
    let mut worker = Worker::new(events, task, assignment.offers, assignment.count)?;
    let _ = messages.send(Message::Ready);
    let Ok(Command::Start(clock)) = inbox.recv() else {
        return Ok(());
    };
    worker.start_clock(clock);
    let mut scheduling = Scheduling::ask(assignment.plan.real_time);
    let mut run_queue = RunQueue::watch();
    thread::sleep(Duration::from_nanos(clock.until_start_ns()));
    let cpu_before_ns = resource_use::thread_cpu_ns();
    let outbox = Outbox {
        worker: assignment.worker,
        messages,
        backlog: &assignment.backlog,
    };
    let mut has_given_up = false;
    while !worker.is_finished() {
        worker.turn()?;
        scheduling.look(worker.now_ns());
        run_queue.turned(worker.now_ns());
        for report in worker.reports() {
            outbox.send(report, &mut run_queue);
        }
        if outbox.backlog.is_exceeded() && !has_given_up {
            has_given_up = true;
            worker.stop();
        }
        while let Ok(command) = inbox.try_recv() {
            match command {
                Command::Start(_) => {}
                Command::Stop => worker.stop(),
                Command::EndWindowAt(end_ns) => worker.end_window_at(end_ns),
                Command::CutGrace => worker.cut_grace(),
                Command::Recycle(stats) => worker.recycle(stats),
            }
        }
    }
    let scheduling = scheduling.end();
    let loop_name = worker.loop_name();
    let (totals, reports) = worker.finish();
    for report in reports {
        outbox.send(report, &mut run_queue);
    }
    let facts = WorkerFacts {
        waits: run_queue.all().map(Into::into),
        cpu: assignment.cpu,
        cpu_ns: resource_use::thread_cpu_ns() - cpu_before_ns,
        wall_ns: totals.end_ns,
        longest_stall_ns: totals.longest_stall_ns,
    };
    let ended = Ended {
        totals,
        facts,
        scheduling,
        loop_name,
    };
    let _ = messages.send(Message::Finished(assignment.worker, Box::new(ended)));
    Ok(())
}

/// Where a worker's reports go.
struct Outbox<'a> {
    worker: usize,
    messages: &'a Sender<Message>,
    backlog: &'a RowBacklog,
}

impl Outbox<'_> {
    fn send(&self, report: Report, run_queue: &mut RunQueue) {
        let message = match report {
            Report::Interval(interval) => {
                let times = ThreadTimes {
                    process_ns: resource_use::process_cpu_ns(),
                    thread_ns: resource_use::thread_cpu_ns(),
                    waits: run_queue.take(),
                };
                Message::Interval(self.worker, interval, times)
            }
            Report::StopRule(reason) => Message::StopRule(reason),
            Report::Rows(rows) => {
                self.backlog.add(&rows);
                Message::Rows(self.worker, rows)
            }
            Report::Sample(sample) => Message::Sample(sample),
            Report::CountReached => Message::CountReached,
        };
        // Without a coordinator the process is about to end anyway.
        let _ = self.messages.send(message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrivals::closed_arrivals::{ClosedArrivals, ClosedPlan};
    use crate::arrivals::offers::{Arriving, GroupOffers};
    use crate::arrivals::schedule::WorkerPart;
    use crate::event_loop::route::Sources;
    use serde_json::json;
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpListener};

    /// Answers whoever connects, until it has gone.
    fn server() -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("is bound");
        thread::spawn(move || {
            let (mut stream, _) = listener.accept()?;
            while stream.read(&mut [0; 4_096])? > 0 {
                stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")?;
            }
            io::Result::Ok(())
        });
        address
    }

    #[test]
    fn a_disk_that_falls_behind_stops_the_worker_and_loses_no_row() {
        let address = server();
        let stage = json!({"from": 1, "to": 1, "duration_ns": 1});
        let second_ns = 1_000_000_000_u64;
        let plan = json!({
            "plan_version": 3, "target": {"address": address.to_string(), "host": "h"},
            "protocol": "h1c", "seed": 1, "duration_ns": 600 * second_ns,
            "connect_timeout_ns": second_ns, "timeout_ns": second_ns, "grace_ns": second_ns,
            "record_requests": true,
            "groups": [{"group": "g", "arrivals": {"users": {"stages": [stage]}},
                "operations": [{"operation": "get", "cell": "get", "method": "GET", "path": ["/"]}],
                "session": [{"send": {"operation": 0}}]}],
        });
        let part = WorkerPart::WHOLE;
        let users = GroupOffers {
            arriving: Arriving::Users(ClosedArrivals::new(&ClosedPlan::of_one(1), part)),
            homes: 1,
            part,
        };
        let assignment = Assignment {
            worker: 0,
            cpu: None,
            route: Route {
                target: address,
                sources: Sources::of_worker(&[], 0, 1),
            },
            plan: Arc::new(serde_json::from_value(plan).expect("is a plan")),
            tls: None,
            feeds: Arc::default(),
            offers: Offers::new(vec![users], 1),
            count: None,
            backlog: Arc::new(RowBacklog::new(100_000)),
        };
        let (sender, messages) = channel();
        let worker = WorkerHandle::spawn(assignment, sender).expect("a thread");
        assert!(matches!(messages.recv(), Ok(Message::Ready)));
        worker.send(Command::Start(LoadClock::starting_in(0)));
        let (mut bytes, mut offered) = (0, None);
        for message in &messages {
            match message {
                Message::Rows(_, rows) => bytes += rows.len() as u64,
                Message::Finished(_, ended) => offered = Some(ended.totals.offered),
                Message::Failed(error) => panic!("{error}"),
                _ => {}
            }
        }
        worker.join();
        assert!(bytes > 100_000, "{bytes}");
        assert_eq!(offered, Some(bytes / 80));
    }
}
