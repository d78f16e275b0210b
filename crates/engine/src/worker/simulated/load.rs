//! Whole loads of scripted servers, and what must be true of them after every turn.
//!
//! A load and its servers are made of bytes, so that property tests and the fuzzer share them: the
//! first six say what is loaded, the others are the script.

use serde_json::json;

use super::SimulatedLoop;
use super::script::Script;
use super::scripted::Scripted;
use crate::arrivals::closed_arrivals::BACK_OFF_NS;
use crate::arrivals::offers::Offers;
use crate::arrivals::schedule::WorkerPart;
use crate::plan::Plan;
use crate::plan::cells::cells;
use crate::record::request_rows::ROW_BYTES;
use crate::report::load_sums::LoadSums;
use crate::worker::{Report, Task, Worker};

const MS: u64 = 1_000_000;
const DURATION_NS: u64 = 1_000 * MS;
const TIMEOUT_NS: u64 = 100 * MS;
const CONNECT_TIMEOUT_NS: u64 = 80 * MS;
const GRACE_NS: u64 = 120 * MS;
const THINK_NS: u64 = 7 * MS;
const STALL_NS: u64 = 150 * MS;

/// Turns that no load comes to: time passes with each, and something happens at most each 10 us.
const MOST_TURNS: u64 = 1_000_000;

/// How many bytes say what is loaded.
pub const HEAD_BYTES: usize = 6;

/// What is loaded.
#[derive(Clone, Copy, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent choices of a plan"
)]
struct Wanted {
    is_http2: bool,
    is_rate: bool,
    is_per_request: bool,
    has_body: bool,
    has_count: bool,
    thinks: bool,
    redirects: u32,
    slots: usize,
    streams: usize,
    operations: usize,
    per_second: usize,
    /// When the engine itself sleeps for `STALL_NS`, if it does.
    stall_ns: Option<u64>,
}

impl Wanted {
    fn of(head: [u8; HEAD_BYTES]) -> Self {
        let [flags, slots, streams, operations, rate, others] = head;
        let is_per_request = flags & 4 != 0;
        let few = |byte: u8| usize::from(byte % 4) + 1;
        Self {
            is_http2: flags & 1 != 0,
            is_rate: flags & 2 != 0,
            is_per_request,
            has_body: flags & 8 != 0,
            has_count: flags & 16 != 0,
            thinks: flags & 32 != 0,
            redirects: u32::from(others % 4),
            slots: few(slots),
            streams: if is_per_request { 1 } else { few(streams) },
            operations: few(operations),
            per_second: 1 + usize::from(rate) * 2,
            stall_ns: (others >= 128).then(|| u64::from(others / 4) * 13 * MS),
        }
    }

    fn plan(&self) -> Plan {
        let method = if self.has_body { "POST" } else { "GET" };
        let body = if self.has_body {
            json!(["a body"])
        } else {
            json!([])
        };
        let operation = |index| {
            let name = format!("step-{index}");
            json!({"operation": name, "cell": name, "method": method, "path": ["/"], "body": body})
        };
        let think = self.thinks.then_some(json!({"constant_ns": THINK_NS}));
        let send = |index| json!({"send": {"operation": index, "think": think}});
        let stages =
            |level: usize| json!([{"from": level, "to": level, "duration_ns": DURATION_NS}]);
        let arrivals = if self.is_rate {
            json!({"rate": {"stages": stages(self.per_second), "connections": self.slots}})
        } else {
            json!({"users": {"stages": stages(self.slots)}})
        };
        let plan = json!({
            "plan_version": 3, "target": {"address": "127.0.0.1:1", "host": "h"},
            "protocol": if self.is_http2 { "h2c" } else { "h1c" }, "streams": self.streams, "seed": 1,
            "connections": if self.is_per_request { "per_request" } else { "kept" },
            "redirects": self.redirects, "duration_ns": DURATION_NS,
            "connect_timeout_ns": CONNECT_TIMEOUT_NS, "timeout_ns": TIMEOUT_NS, "grace_ns": GRACE_NS,
            "record_requests": true,
            "groups": [{"group": "g", "arrivals": arrivals,
                "operations": (0..self.operations).map(operation).collect::<Vec<_>>(),
                "session": (0..self.operations).map(send).collect::<Vec<_>>()}],
        });
        serde_json::from_value(plan).expect("is a plan")
    }
}

/// Since when each lane is as it is: how many requests it has had, and whether it has one now.
struct Watch {
    lanes: Vec<(u64, bool, u64)>,
}

impl Watch {
    /// No request lasts longer than its waits and its response may, and no user that goes on rests for
    /// longer than it pauses and backs off.
    fn look<S: super::Server>(&mut self, worker: &Worker<SimulatedLoop<S>>, wanted: &Wanted) {
        let late_ns = wanted.stall_ns.map_or(0, |_| STALL_NS);
        let pause_ns = if wanted.thinks { THINK_NS } else { 0 };
        let goes_on = !wanted.is_rate && !worker.stopped && !worker.budget.is_spent();
        for (number, (lane, known)) in worker.lanes.iter().zip(&mut self.lanes).enumerate() {
            let (had, is_busy) = (lane.had, lane.exchange.is_some());
            if (had, is_busy) != (known.0, known.1) {
                *known = (had, is_busy, worker.now_ns);
            }
            let lasts_ns = worker.now_ns - known.2;
            if is_busy {
                let most_ns = CONNECT_TIMEOUT_NS + 2 * TIMEOUT_NS + late_ns;
                assert!(
                    lasts_ns <= most_ns,
                    "lane {number} has had one request for {lasts_ns} ns"
                );
            } else if goes_on {
                let most_ns = BACK_OFF_NS + pause_ns + late_ns;
                assert!(
                    lasts_ns <= most_ns,
                    "lane {number} has had no request for {lasts_ns} ns"
                );
            }
        }
    }
}

/// What came of a load.
#[derive(Debug)]
pub struct Came {
    /// Requests offered.
    pub offered: u64,
    /// Of them, how many were ok.
    pub ok: u64,
}

/// Runs the load that these bytes describe. A load of fewer than `HEAD_BYTES` is none.
///
/// # Panics
/// If something does not hold that must.
pub fn run(bytes: &[u8]) -> Option<Came> {
    let (head, script) = bytes.split_first_chunk::<HEAD_BYTES>()?;
    let wanted = Wanted::of(*head);
    let plan = wanted.plan();
    let slots = Worker::<SimulatedLoop<Scripted>>::slots_of_loop(&plan, wanted.slots);
    let server = Scripted::new(Script::new(script), wanted.is_http2, slots);
    let mut events = SimulatedLoop::new(server, slots);
    if let Some(at_ns) = wanted.stall_ns {
        events = events.stalling(at_ns, STALL_NS);
    }
    let count = wanted.has_count.then_some(30);
    let part = WorkerPart {
        workers: 1,
        index: 0,
    };
    let task = Task {
        plan: &plan,
        tls: None,
        feeds: &[],
    };
    let offers = Offers::of_plan(&plan, part);
    let mut worker = Worker::new(events, task, offers, count).expect("can be carried out");
    let lanes = vec![(0, false, 0); wanted.slots * wanted.streams];
    let mut watch = Watch { lanes };
    let (mut reports, mut turns) = (Vec::new(), 0);
    while !worker.is_finished() {
        worker.turn().expect("the simulated loop waits");
        worker.check();
        watch.look(&worker, &wanted);
        let new = worker.reports.len();
        reports.extend(worker.reports());
        if reports[reports.len() - new..]
            .iter()
            .any(|report| matches!(report, Report::CountReached))
        {
            worker.stop();
        }
        turns += 1;
        assert!(turns < MOST_TURNS, "the load makes no progress");
    }
    let (totals, last) = worker.finish();
    reports.extend(last);
    let operations = wanted.operations;
    let (mut sums, mut rows) = (LoadSums::new(operations, operations, 1), Vec::new());
    for report in reports {
        match report {
            Report::Interval(interval) => sums.add(&interval.stats, &interval.gauges),
            Report::Rows(part) => rows.extend(part),
            _ => {}
        }
    }
    sums.add_totals(&totals);
    sums.check(&plan, &cells(&plan), totals.offered)
        .expect("everything adds up");
    let outcomes = sums.outcomes();
    let (rows, _) = rows.as_chunks::<ROW_BYTES>();
    let number = |row: &[u8; ROW_BYTES]| row.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    let mut numbers: Vec<u64> = rows.iter().filter_map(number).collect();
    numbers.sort_unstable();
    assert!(
        numbers.into_iter().eq(0..totals.offered),
        "each offered request has one row"
    );
    Some(Came {
        offered: totals.offered,
        ok: outcomes.get(crate::outcome::Outcome::Ok),
    })
}
