//! A window that begins when the engine is told so, by the binary and its standard input.

mod common;

use common::load::{Ended, Load, MS, Running};
use common::server::{Server, Then};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::Write;

const SECOND: u64 = 1_000 * MS;
const BEGIN: &str = "{\"command\": \"begin_window\"}\n";

fn server() -> Server {
    Server::answering(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", || {
        Then::Keep
    })
}

/// 100/s; the window lasts a second, after at most so many.
fn load(server: &Server, at_most_seconds: u64) -> Load {
    Load::to(server.address)
        .rate(100.0, 4)
        .milliseconds(1_000)
        .set("warm_up", json!({"at_most_ns": at_most_seconds * SECOND}))
        .set("record_requests", json!(true))
}

fn tell(running: &mut Running, text: &str) {
    let stdin = running.stdin.as_mut().expect("is controlled");
    // An engine that was faster than the test has ended, and reads no more.
    let _ = stdin.write_all(text.as_bytes());
}

fn windows(ended: &Ended) -> Vec<&Value> {
    let events = ended.events.iter();
    events.filter(|event| event["event"] == "window").collect()
}

fn progress(ended: &Ended) -> impl Iterator<Item = &Value> {
    let events = ended.events.iter();
    events.filter(|event| event["event"] == "progress")
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("is a number")
}

/// The window began as the event says, and the load stopped when it was over; returns the begin.
fn assert_window(ended: &Ended, by: &str) -> u64 {
    assert_eq!(ended.exit_code, Some(0));
    ended.assert_conserved();
    let summary = ended.summary();
    let [event] = windows(ended)[..] else {
        panic!("one window: {:?}", ended.events);
    };
    let start_ns = number(&event["start_ns"]);
    assert_eq!(summary["window"], json!({"start_ns": start_ns, "by": by}));
    assert_eq!(event["by"], by);
    assert_eq!(start_ns % SECOND, 0);
    assert_eq!(summary["stop"]["reason"], "duration");
    assert_eq!(summary["stop"]["at_ns"], start_ns + SECOND);
    for line in progress(ended) {
        let is_after = number(&line["elapsed_ns"]) > start_ns;
        assert_eq!(line["in_window"], is_after, "{line}");
    }
    let planned = (start_ns + SECOND) / (10 * MS);
    let offered: u64 = ended.outcomes().values().sum();
    assert_eq!(offered, planned, "no arrival is lost, and none is beyond");
    let intended = ended.intended_ns();
    assert_eq!(intended.iter().max(), Some(&(start_ns + SECOND - 10 * MS)));
    start_ns
}

fn assert_no_window(ended: &Ended, reason: &str) {
    assert_eq!(ended.exit_code, Some(0));
    ended.assert_conserved();
    assert_eq!(ended.summary()["stop"]["reason"], reason);
    assert_eq!(ended.summary().get("window"), None);
}

#[test]
fn a_command_begins_the_window_with_the_next_second_and_a_second_one_changes_nothing() {
    let server = server();
    let mut running = load(&server, 60).start_controlled();
    running.until("progress");
    tell(&mut running, BEGIN);
    running.until("window");
    tell(&mut running, BEGIN);
    let ended = running.wait();
    let start_ns = assert_window(&ended, "command");
    assert!((2 * SECOND..60 * SECOND).contains(&start_ns), "{start_ns}");
    assert!(ended.events.iter().all(|event| event["event"] != "error"));
}

#[test]
fn several_workers_stop_together() {
    let server = server();
    let cpus = json!(common::load::cpus(2));
    let load = load(&server, 60).set("cpus", cpus);
    let mut running = load.start_controlled();
    running.until("started");
    tell(&mut running, BEGIN);
    assert_window(&running.wait(), "command");
}

#[test]
fn a_command_that_comes_too_late_is_the_latest_time() {
    let server = server();
    let mut running = load(&server, 1).start_controlled();
    running.until("started");
    tell(&mut running, BEGIN);
    running.until("progress");
    tell(&mut running, BEGIN);
    assert_eq!(assert_window(&running.wait(), "at_most"), SECOND);
}

#[test]
fn a_plan_without_control_begins_its_window_at_the_latest_time() {
    let server = server();
    let ended = load(&server, 2).run();
    assert_eq!(assert_window(&ended, "at_most"), 2 * SECOND);
}

#[test]
fn a_line_that_is_no_command_is_told_and_the_load_goes_on() {
    let server = server();
    let mut running = load(&server, 60).start_controlled();
    running.until("started");
    tell(&mut running, "begin the window, please\n");
    running.until("error");
    tell(&mut running, &format!("{{\"command\": \"stop\"}}\n{BEGIN}"));
    let ended = running.wait();
    assert_window(&ended, "command");
    let errors = ended.events.iter().filter(|one| one["event"] == "error");
    let errors: Vec<String> = errors.map(|one| one["error"].to_string()).collect();
    assert_eq!(errors.len(), 2);
    assert!(errors[0].contains("line 2 of standard input"), "{errors:?}");
    assert!(errors[1].contains("unknown variant `stop`"), "{errors:?}");
}

#[test]
fn a_plan_without_a_warm_up_has_no_window_to_begin() {
    let server = server();
    let mut running = Load::to(server.address).rate(100.0, 4).start_controlled();
    running.until("progress");
    tell(&mut running, BEGIN);
    running.until("error");
    running.stdin = None;
    let ended = running.wait();
    assert_no_window(&ended, "input_ended");
    assert!(progress(&ended).all(|line| line.get("in_window").is_none()));
}

#[test]
fn a_lab_that_is_gone_in_the_warm_up_stops_the_load() {
    let server = server();
    let mut running = load(&server, 60).start_controlled();
    running.until("progress");
    running.stdin = None;
    assert_no_window(&running.wait(), "input_ended");
}

#[test]
fn a_lab_that_is_gone_in_the_window_stops_the_load() {
    let server = server();
    let load = load(&server, 1).milliseconds(60_000);
    let mut running = load.start_controlled();
    running.until("progress");
    running.until("progress");
    running.stdin = None;
    let ended = running.wait();
    assert_eq!(ended.exit_code, Some(0));
    ended.assert_conserved();
    let summary = ended.summary();
    assert_eq!(summary["stop"]["reason"], "input_ended");
    assert_eq!(summary["window"]["start_ns"], SECOND);
    assert!(number(&summary["stop"]["at_ns"]) >= 2 * SECOND);
}

#[test]
fn a_signal_in_the_warm_up_leaves_no_window() {
    let server = server();
    let mut running = load(&server, 60).start_controlled();
    running.until("progress");
    let pid = Pid::from_child(&running.child);
    kill_process(pid, Signal::TERM).expect("the engine runs");
    let ended = running.wait();
    assert_no_window(&ended, "signal");
    assert!(windows(&ended).is_empty());
}

#[test]
fn a_stop_rule_judges_the_warm_up_too() {
    let server = Server::answering(b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", || {
        Then::Keep
    });
    let rule = json!({"failures": {"above_share": 0.5, "for_ns": SECOND}});
    let ended = load(&server, 60).set("stop", rule).run();
    assert_no_window(&ended, "failures");
}

#[test]
fn with_control_the_plan_is_a_line_and_not_a_file() {
    let arguments = [
        "run",
        "--control",
        "--plan",
        "plan.json",
        "--out",
        "nowhere",
    ];
    let output = common::load::engine(&arguments).output();
    let output = output.expect("the engine starts");
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("leave --plan plan.json out"), "{told}");
}
