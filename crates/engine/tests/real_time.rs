//! Workers that ask for real time: what the kernel says of their threads, and what the engine does.

mod common;

use common::load::{ENGINE, Ended, Load, Running, cpus};
use common::server::{Server, Then};
use rustix::process::geteuid;
use rustix::thread::{CpuSet, sched_setaffinity};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/// As sched(7) numbers it.
const SCHED_FIFO: u64 = 1;

fn server() -> Server {
    Server::answering(OK, || Then::Keep)
}

fn load(server: &Server) -> Load {
    Load::to(server.address)
        .rate(500.0, 8)
        .milliseconds(2_000)
        .set("real_time", json!(true))
}

/// Whether this process may ask for real time, by somebody else's program.
fn has_right() -> bool {
    let tried = Command::new("chrt").args(["-f", "1", "true"]).output();
    let has_right = tried.is_ok_and(|tried| tried.status.success());
    if !has_right {
        eprintln!("skipped: `chrt -f 1 true` is not here or has no right to SCHED_FIFO");
    }
    has_right
}

/// Policy and priority of the engine's threads, by their names.
fn threads(running: &Running) -> BTreeMap<String, (u64, u64)> {
    let tasks = fs::read_dir(format!("/proc/{}/task", running.child.id()));
    let mut found = BTreeMap::new();
    for task in tasks.expect("the engine runs") {
        let stat = task.expect("is listed").path().join("stat");
        // A thread may have ended since.
        let Ok(stat) = fs::read_to_string(stat) else {
            continue;
        };
        let (head, fields) = stat.rsplit_once(") ").expect("the name is in brackets");
        let (_, name) = head.split_once('(').expect("the name is in brackets");
        // proc(5): the first one here is the third, 40 is the priority and 41 the policy.
        let fields: Vec<&str> = fields.split(' ').collect();
        let number = |place: usize| fields[place - 3].parse().expect("is a number");
        found.insert(name.to_owned(), (number(41), number(40)));
    }
    found
}

fn scheduling(ended: &Ended) -> &Value {
    &ended.summary()["engine"]["scheduling"]
}

#[test]
fn the_workers_alone_run_in_real_time_and_the_summary_says_so() {
    if !has_right() {
        return;
    }
    for event_loop in ["auto", "epoll"] {
        let server = server();
        let load = load(&server)
            .set("event_loop", json!(event_loop))
            .set("cpus", json!(cpus(2)));
        let mut running = load.start();
        running.until("progress");
        let threads = threads(&running);
        for (name, policy) in &threads {
            let is_worker = name.starts_with("worker-");
            let expected = if is_worker { (SCHED_FIFO, 1) } else { (0, 0) };
            assert_eq!(*policy, expected, "{name}: {threads:?}");
        }
        assert!(threads.contains_key("worker-0"), "{threads:?}");
        let ended = running.wait();
        ended.assert_conserved();
        ended.assert_outcomes(&[("ok", 1_000)]);
        let expected = json!({"wanted": "fifo", "workers": "fifo", "reason": null, "given_up": 0,
            "given_up_at_ns": null});
        assert_eq!(*scheduling(&ended), expected);
    }
}

#[test]
fn a_server_on_the_same_cpu_still_gets_its_time() {
    if !has_right() {
        return;
    }
    let cpu = cpus(1)[0];
    let mut only = CpuSet::new();
    only.set(cpu);
    // The threads of the server are started from here.
    sched_setaffinity(None, &only).expect("the CPU is allowed");
    let server = server();
    let ended = load(&server).set("cpus", json!([cpu])).run();
    ended.assert_outcomes(&[("ok", 1_000)]);
    assert_eq!(scheduling(&ended)["workers"], "fifo");
}

#[test]
fn without_the_right_the_load_goes_on_and_says_why() {
    let mut command = Command::new("prlimit");
    command.args(["--rtprio=0", "--"]);
    if geteuid().is_root() {
        // Root's right goes with the capability.
        let without = ["--bounding-set=-sys_nice", "--inh-caps=-sys_nice", "--"];
        command.arg("setpriv").args(without);
    }
    command.args([ENGINE, "run", "--plan", "-"]);
    let server = server();
    let ended = load(&server).start_as(command).wait();
    assert_eq!(ended.exit_code, Some(0));
    ended.assert_conserved();
    ended.assert_outcomes(&[("ok", 1_000)]);
    let expected = json!({"wanted": "fifo", "workers": "other", "given_up": 0,
        "reason": "SCHED_FIFO: Operation not permitted (os error 1)", "given_up_at_ns": null});
    assert_eq!(*scheduling(&ended), expected);
}

#[test]
fn a_limit_that_is_too_narrow_to_be_bounded_is_told() {
    let mut command = Command::new("prlimit");
    command.args(["--rttime=1000", "--", ENGINE, "run", "--plan", "-"]);
    let server = server();
    let ended = load(&server).start_as(command).wait();
    ended.assert_outcomes(&[("ok", 1_000)]);
    let expected = "RLIMIT_RTTIME is 1000 us, and should be 3000000 or unlimited";
    assert_eq!(scheduling(&ended)["reason"], expected);
}

#[test]
fn nothing_is_asked_for_and_nothing_told_unless_the_plan_wants_it() {
    let server = server();
    let mut running = Load::to(server.address)
        .rate(100.0, 4)
        .milliseconds(1_500)
        .start();
    running.until("progress");
    let policies = threads(&running);
    assert!(
        policies.values().all(|policy| *policy == (0, 0)),
        "{policies:?}"
    );
    let ended = running.wait();
    assert_eq!(ended.summary()["engine"].get("scheduling"), None);
}
