//! Drawn plans, servers and stops: what sessions send, what becomes of it, and what is counted, against a
//! plain interpreter of the nested plan.

mod answers;
mod asking;
mod interpreter;
mod rows;
mod server;
mod steps;
mod texts;
mod world;

use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use self::interpreter::{Counts, User, count, perform};
use self::rows::{Row, by_session};
use self::server::{Log, Recorder, SessionKey};
use self::steps::users;
use self::world::World;
use super::{MS, Report, Task, Worker};
use crate::arrivals::offers::Offers;
use crate::arrivals::random::mix;
use crate::arrivals::schedule::WorkerPart;
use crate::plan::Plan;
use crate::plan::cells::cells;
use crate::report::load_sums::LoadSums;
use crate::session::rows::Rows;
use crate::worker::simulated::SimulatedLoop;
use crate::worker::simulated::script::Script;

/// What came of a load: its sums, its rows, and what the server was asked.
struct Came {
    sums: LoadSums,
    rows: Vec<u8>,
    log: Log,
    offered: u64,
    /// Whether a feed had no row left.
    is_exhausted: bool,
}

/// Feeds as they are read from files.
fn feeds(world: &World) -> Vec<Rows> {
    let of_feed = |rows: &Vec<Vec<String>>| {
        let texts: Vec<&String> = rows.iter().flatten().collect();
        let mut bytes = 0_u32.to_le_bytes().to_vec();
        let mut end = 0_u32;
        for text in &texts {
            end += u32::try_from(text.len()).expect("is short");
            bytes.extend(end.to_le_bytes());
        }
        for text in texts {
            bytes.extend(text.as_bytes());
        }
        Rows::new(Arc::from(bytes), rows.len() as u64, rows[0].len() as u64).expect("are rows")
    };
    world.feeds.iter().map(of_feed).collect()
}

/// Performs a plan with so many workers, each of which has a server of its own that does the same. One
/// that is told to stops at that time.
fn run(world: &World, plan: &Plan, workers: u64, stop_ns: Option<u64>) -> Came {
    let (feeds, log) = (feeds(world), Rc::new(RefCell::new(Log::new())));
    let operations = plan.groups.iter().map(|group| group.operations.len()).sum();
    let mut came = Came {
        sums: LoadSums::new(cells(plan).len(), operations, plan.groups.len()),
        rows: Vec::new(),
        log: Log::new(),
        offered: 0,
        is_exhausted: false,
    };
    for index in 0..workers {
        let offers = Offers::of_plan(plan, WorkerPart { workers, index });
        let slots = offers.homes();
        if slots == 0 {
            continue;
        }
        let events = SimulatedLoop::new(Recorder::new(world.mood, &log, slots), slots);
        let task = Task {
            plan,
            tls: None,
            feeds: &feeds,
        };
        let mut worker = Worker::new(events, task, offers, None).expect("can be carried out");
        let (mut reports, mut turns, mut is_told) = (Vec::new(), 0, false);
        while !worker.is_finished() {
            worker.turn().expect("the simulated loop waits");
            worker.check();
            let new = reports.len();
            reports.extend(worker.reports());
            let stops = reports[new..]
                .iter()
                .any(|report| matches!(report, Report::StopRule(_)));
            came.is_exhausted |= stops;
            if stops || (!is_told && stop_ns.is_some_and(|stop_ns| worker.now_ns() >= stop_ns)) {
                worker.stop();
                is_told = true;
            }
            turns += 1;
            assert!(turns < 1_000_000, "the load makes no progress");
        }
        let (totals, last) = worker.finish();
        for report in reports.into_iter().chain(last) {
            match report {
                Report::Interval(interval) => came.sums.add(&interval.stats, &interval.gauges),
                Report::Rows(rows) => came.rows.extend(rows),
                _ => {}
            }
        }
        came.sums.add_totals(&totals);
        came.offered += totals.offered;
    }
    came.log = log.take();
    came
}

/// What the engine counted, as the interpreter counts it.
fn counted(plan: &Plan, sums: &LoadSums) -> Counts {
    let mut counts = Counts::new();
    let mut put = |name: String, count: u64| {
        if count > 0 {
            counts.insert(name, count);
        }
    };
    let cells = cells(plan);
    for (index, facts) in sums
        .groups(plan, &cells, |_| None)
        .into_values()
        .enumerate()
    {
        let sessions = facts.sessions;
        put(format!("g{index} begun"), sessions.begun);
        put(format!("g{index} finished"), sessions.finished);
        put(format!("g{index} ended early"), sessions.ended_early);
        put(format!("g{index} cut"), sessions.cut);
        for (outcome, count) in sessions.aborted {
            put(format!("g{index} aborted {outcome:?}"), count);
        }
        for (operation, count) in facts.aborted_at {
            put(format!("g{index}.{operation} aborted at"), count);
        }
        put(format!("g{index} cookies kept"), facts.cookies.kept);
        put(format!("g{index} cookies dropped"), facts.cookies.dropped);
        put(format!("g{index} cookies ignored"), facts.cookies.ignored);
    }
    for (name, facts) in sums.operations(plan, &cells) {
        put(format!("{name} skipped"), facts.skipped);
        put(format!("{name} unreached aborted"), facts.unreached.aborted);
        put(format!("{name} unreached ended"), facts.unreached.ended);
        put(format!("{name} unreached cut"), facts.unreached.cut);
        for (status, count) in facts.statuses {
            put(format!("{name} status {status}"), count);
        }
        let outcomes = serde_json::to_value(facts.outcomes).expect("is JSON");
        for (outcome, count) in outcomes.as_object().expect("is an object") {
            put(
                format!("{name} {}", camel(outcome)),
                count.as_u64().expect("a count"),
            );
        }
        let failed = serde_json::to_value(facts.failed_checks).expect("is JSON");
        for (check, count) in failed.as_object().expect("is an object") {
            put(
                format!("{name} failed {}", camel(check)),
                count.as_u64().expect("a count"),
            );
        }
    }
    counts
}

/// A name of JSON as Rust has it.
fn camel(name: &str) -> String {
    let words = name
        .split('_')
        .map(|word| word[..1].to_uppercase() + &word[1..]);
    words.collect()
}

/// What users pause is counted, where none of them leaves.
fn check_pauses(
    world: &World,
    plan: &Plan,
    sessions: &BTreeMap<SessionKey, Vec<Row>>,
    sums: &LoadSums,
) {
    let facts = sums.groups(plan, &cells(plan), |_| None);
    for (number, facts) in (0..).zip(facts.into_values()) {
        let group = &world.plan["groups"][usize::from(number)];
        let stages = &group["arrivals"]["users"]["stages"];
        if stages[1].is_object() {
            continue;
        }
        let of_group = sessions.iter().filter(|(key, _)| key.0 == number);
        let mut by_user: BTreeMap<u64, Vec<&Row>> = BTreeMap::new();
        for (key, rows) in of_group {
            let user = if stages.is_array() {
                key.1 % users(group)
            } else {
                key.1
            };
            by_user.entry(user).or_default().extend(rows);
        }
        let (mut count, mut sum_ns) = (0, 0);
        for pair in by_user.values().flat_map(|rows| rows.windows(2)) {
            count += 1;
            sum_ns += pair[1].intended_ns - pair[0].done_ns;
        }
        assert_eq!((facts.think.count, facts.think.sum_ns), (count, sum_ns));
    }
}

/// Performs the plan that a script describes, and compares all that came of it.
fn check(script: &[u8]) -> Counts {
    let mut script = Script::new(script);
    let workers = [1, 1, 2, 3, 5][usize::from(script.choice(5))];
    let stop_ns = (script.choice(3) == 2).then(|| u64::from(script.choice(100)) * MS);
    let world = World::draw(&mut script);
    let (plan, _) = crate::plan::check::read(&world.plan.to_string()).expect("is a checked plan");
    let came = run(&world, &plan, workers, stop_ns);
    came.sums
        .check(&plan, &cells(&plan), came.offered)
        .unwrap_or_else(|error| panic!("{error}"));
    let sessions = by_session(&came.rows);
    let (mut counts, mut known) = (Counts::new(), BTreeMap::new());
    let nothing = Vec::new();
    for (key, rows) in &sessions {
        let group = &world.plan["groups"][usize::from(key.0)];
        let user = if group["arrivals"]["users"].is_object() {
            key.1 % users(group)
        } else {
            key.1
        };
        let user: &mut User = known.entry((key.0, user)).or_default();
        let asked = came.log.get(key).unwrap_or(&nothing);
        perform(&world, *key, (rows, asked), user, &mut counts);
    }
    assert!(came.log.keys().all(|key| sessions.contains_key(key)));
    assert_eq!(counted(&plan, &came.sums), counts);
    check_pauses(&world, &plan, &sessions, &came.sums);
    if came.is_exhausted {
        count(&mut counts, "exhausted");
    }
    counts
}

fn a_script() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..500)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn sessions_do_what_a_plain_interpreter_of_the_plan_does(script in a_script()) {
        check(&script);
    }
}

#[test]
fn a_plain_plan_is_performed_without_end_until_it_stops() {
    assert!(check(&[])["g0 finished"] > 30);
}

#[test]
fn drawn_plans_come_to_all_that_can_be() {
    let mut all = Counts::new();
    for seed in 0..300 {
        let bytes = |place: u64| mix(mix(seed) ^ place).to_le_bytes();
        let script: Vec<u8> = (0..60).flat_map(bytes).collect();
        for (name, counted) in check(&script) {
            // Without the group, the operation and the status of its cell.
            let name = name.split_once(' ').map_or(name.as_str(), |split| split.1);
            *all.entry(name.to_owned()).or_default() += counted;
        }
    }
    for name in [
        "begun",
        "finished",
        "ended early",
        "cut",
        "exhausted",
        "skipped",
        "aborted at",
        "unreached aborted",
        "unreached ended",
        "unreached cut",
        "cookies kept",
        "cookies dropped",
        "cookies ignored",
        "failed Status",
        "failed Coding",
        "failed Json",
        "failed Capture",
        "failed Header",
        "failed Text",
        "Ok",
        "Status",
        "Check",
        "Read",
        "Timeout",
        "Protocol",
        "NotSent",
        "Unanswered",
        "aborted NotSent",
        "aborted Timeout",
        "aborted Check",
        "status 409",
        "status 204",
    ] {
        assert!(all.get(name) > Some(&8), "{name}: {all:?}");
    }
}
