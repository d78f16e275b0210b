//! Whole loads on a simulated server and clock: every figure is exact.

use super::simulated::canned::Behaviour;
use super::simulated::{Server, SimulatedLoop};
use super::*;
use crate::arrivals::closed_arrivals::{BACK_OFF_NS, ClosedArrivals, ClosedPlan};
use crate::arrivals::offers::{Arriving, GroupOffers};
use crate::arrivals::open_arrivals::{OpenArrivals, Pool};
use crate::arrivals::schedule::{GroupPlace, Schedule, WorkerPart};
use crate::arrivals::stages::ValueOverTime;
use crate::outcome::{NotSent, Outcome};
use crate::plan::{Process, Stage};
use crate::record::request_clock::RequestClock;
use crate::report::load_sums::LoadSums;
use proptest::prelude::*;
use serde_json::json;

mod allocations;
mod framed_server;
mod frames;
mod hostile;
mod model;
mod whole_loads;
mod window;

const MS: u64 = 1_000_000;
const SECOND: u64 = 1_000 * MS;
const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

#[derive(Clone, Copy)]
#[allow(clippy::struct_field_names, reason = "all are times")]
struct Times {
    duration_ns: u64,
    timeout_ns: u64,
    grace_ns: u64,
}

const TIMES: Times = Times {
    duration_ns: SECOND,
    timeout_ns: 500 * MS,
    grace_ns: 200 * MS,
};

struct Load {
    totals: WorkerTotals,
    intervals: Vec<WorkerInterval>,
    samples: usize,
}

fn plan(times: Times, operations: usize) -> Plan {
    let operation = |index| {
        let name = format!("step-{index}");
        json!({"operation": name, "cell": name, "method": "GET", "path": ["/"]})
    };
    let send = |index| json!({"send": {"operation": index}});
    let stage = json!({"from": 1, "to": 1, "duration_ns": 1});
    let plan = json!({
        "plan_version": 3, "target": {"address": "127.0.0.1:1", "host": "h"}, "protocol": "h1c",
        "seed": 1, "duration_ns": times.duration_ns, "connect_timeout_ns": SECOND,
        "timeout_ns": times.timeout_ns, "grace_ns": times.grace_ns,
        "samples": {"per_second": 1, "body_bytes": 64},
        "groups": [{"group": "g", "arrivals": {"users": {"stages": [stage]}},
            "operations": (0..operations).map(operation).collect::<Vec<_>>(),
            "session": (0..operations).map(send).collect::<Vec<_>>()}],
    });
    serde_json::from_value(plan).expect("is a plan")
}

fn level(value: f64) -> [Stage; 1] {
    [Stage {
        from: value,
        to: value,
        duration_ns: SECOND,
    }]
}

fn only_group(arriving: Arriving, homes: usize, part: WorkerPart) -> Offers {
    let group = GroupOffers {
        arriving,
        homes,
        part,
    };
    Offers::new(vec![group], 1)
}

fn users(count: u32) -> Offers {
    let plan = ClosedPlan {
        stages: &level(f64::from(count)),
        ..ClosedPlan::of_one(1)
    };
    let users = ClosedArrivals::new(&plan, WorkerPart::WHOLE);
    only_group(Arriving::Users(users), count as usize, WorkerPart::WHOLE)
}

fn schedule(per_second: f64, part: WorkerPart) -> Schedule {
    let line = ValueOverTime::new(0, &level(per_second));
    Schedule::new(line, Process::Constant, 1, GroupPlace::ONLY, part)
}

fn rate_of(per_second: f64, slots: usize, part: WorkerPart) -> Offers {
    let pool = Pool {
        slots,
        streams: 1,
        is_owned: false,
        sessions: 100_000,
        timeout_ns: TIMES.timeout_ns,
    };
    let open = OpenArrivals::new(schedule(per_second, part), pool);
    only_group(Arriving::Rate(Box::new(open)), slots, part)
}

fn rate(per_second: f64, slots: usize) -> Offers {
    rate_of(per_second, slots, WorkerPart::WHOLE)
}

fn worker<S: Server>(
    events: SimulatedLoop<S>,
    plan: &Plan,
    offers: Offers,
    count: Option<u64>,
) -> Worker<SimulatedLoop<S>> {
    let task = Task {
        plan,
        tls: None,
        feeds: &[],
    };
    Worker::new(events, task, offers, count).expect("can be carried out")
}

fn run(
    events: SimulatedLoop<Behaviour>,
    offers: Offers,
    times: Times,
    operations: usize,
    count: Option<u64>,
) -> Load {
    run_plan(events, offers, &plan(times, operations), count)
}

fn run_plan<S: Server>(
    events: SimulatedLoop<S>,
    offers: Offers,
    plan: &Plan,
    count: Option<u64>,
) -> Load {
    let mut worker = worker(events, plan, offers, count);
    let mut reports = Vec::new();
    while !worker.is_finished() {
        worker.turn().expect("the simulated loop waits");
        worker.check();
        let reached = worker
            .reports
            .iter()
            .any(|report| matches!(report, Report::CountReached));
        reports.extend(worker.reports());
        if reached {
            worker.stop();
        }
    }
    let (totals, last) = worker.finish();
    reports.extend(last);
    let samples = reports
        .iter()
        .filter(|report| matches!(report, Report::Sample(_)))
        .count();
    let intervals = reports.into_iter().filter_map(|report| match report {
        Report::Interval(interval) => Some(interval),
        _ => None,
    });
    let load = Load {
        totals,
        intervals: intervals.collect(),
        samples,
    };
    let sums = load.sums();
    sums.check(plan, &cells(plan), load.totals.offered)
        .expect("everything adds up");
    load
}

impl Load {
    fn sums(&self) -> LoadSums {
        let cells = self.intervals[0].stats.cells.len();
        let mut sums = LoadSums::new(cells, cells, 1);
        self.intervals
            .iter()
            .for_each(|interval| sums.add(&interval.stats, &interval.gauges));
        sums.add_totals(&self.totals);
        sums
    }

    /// Outcomes that are not zero; and they add up.
    fn outcomes(&self) -> Vec<(Outcome, u64)> {
        let counts = self.sums().outcomes();
        assert_eq!(
            counts.total(),
            self.totals.offered,
            "every offered request has an outcome"
        );
        let all = Outcome::ALL
            .into_iter()
            .map(|outcome| (outcome, counts.get(outcome)));
        all.filter(|entry| entry.1 > 0).collect()
    }

    fn max_ns(&self, clock: RequestClock) -> (u64, u64) {
        let mut max_ns = (0, 0);
        for interval in &self.intervals {
            let split = interval.stats.cells[0].clock(clock);
            max_ns.0 = max_ns.0.max(split.ok.exact.max_ns);
            max_ns.1 = max_ns.1.max(split.failed.exact.max_ns);
        }
        max_ns
    }
}

fn answering(slots: usize) -> SimulatedLoop<Behaviour> {
    SimulatedLoop::new(Behaviour::Answers(10 * MS, OK), slots)
}
