//! How a load ends: by its plan, by a signal, and without a chance to say anything.

mod common;

use common::load::{Load, MS, ndjson};
use common::server::{Server, Then};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use std::io::Write;

fn server() -> Server {
    Server::start(|stream, _| {
        std::thread::sleep(std::time::Duration::from_millis(1));
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        Then::Keep
    })
}

fn signal(running: &common::load::Running, signal: Signal) {
    kill_process(Pid::from_child(&running.child), signal).expect("the engine runs");
}

#[test]
fn a_duration_stops_the_load_and_the_grace_is_apart() {
    let server = server();
    let ended = Load::to(server.address).users(4).milliseconds(300).run();
    assert_eq!(
        ended.summary()["stop"],
        json!({"reason": "duration", "rule_group": null, "users": 4,
            "users_by_group": {"callers": 4}, "at_ns": 300 * MS})
    );
    assert_eq!(ended.summary()["load_ns"], 300 * MS);
    let timeline = ended.ndjson("timeline.ndjson");
    let cuts: Vec<_> = timeline
        .iter()
        .map(|line| (&line["end_ns"], &line["grace"]))
        .collect();
    assert_eq!(cuts[0], (&json!(300 * MS), &json!(false)));
    assert!(cuts[1..].iter().all(|cut| cut.1 == true));
}

#[test]
fn sigterm_in_mid_load_stops_cleanly_and_keeps_everything() {
    let server = server();
    let mut running = Load::to(server.address).users(4).start();
    running.until("progress");
    signal(&running, Signal::TERM);
    let ended = running.wait();
    assert_eq!(ended.exit_code, Some(0));
    assert_eq!(ended.summary()["stop"]["reason"], "signal");
    let outcomes = ended.outcomes();
    assert_eq!(
        outcomes.keys().collect::<Vec<_>>(),
        ["ok"],
        "the grace answers what is in flight"
    );
    assert_eq!(outcomes["ok"], server.requests());
}

#[test]
fn a_second_signal_cuts_the_grace() {
    let server = Server::start(|_, _| Then::Hang);
    let mut running = Load::to(server.address)
        .users(2)
        .set("timeout_ns", json!(60_000 * MS))
        .start();
    running.until("progress");
    signal(&running, Signal::INT);
    // The stop ends the interval: its progress line says that the first signal has been handled.
    running.until("progress");
    signal(&running, Signal::INT);
    let ended = running.wait();
    assert_eq!(ended.exit_code, Some(0));
    ended.assert_outcomes(&[("unanswered", 2)]);
}

#[test]
fn sigkill_leaves_the_timeline_readable() {
    let server = server();
    let mut running = Load::to(server.address).users(4).start();
    running.until("progress");
    running.until("progress");
    signal(&running, Signal::KILL);
    let folder = running.folder.path().to_owned();
    running.child.wait().expect("it is killed");
    let timeline = ndjson(&folder.join("timeline.ndjson"));
    assert!(timeline.len() >= 2);
    assert!(timeline[1]["operations"]["call"]["outcomes"]["ok"].as_u64() > Some(0));
    assert!(!common::load::histograms(&folder).is_empty());
    assert!(!ndjson(&folder.join("samples.ndjson")).is_empty());
}

#[test]
fn the_first_timeout_stops_the_load_and_says_so() {
    let server = Server::start(|_, _| Then::Hang);
    let load = Load::to(server.address)
        .users(2)
        .set("timeout_ns", json!(100 * MS));
    let ended = load.set("stop", json!({"first_timeout": true})).run();
    let stop = &ended.summary()["stop"];
    assert_eq!(stop["reason"], "first_timeout");
    assert_eq!(stop["users"], 2);
    assert!(stop["at_ns"].as_u64() < Some(60_000 * MS));
}

#[test]
fn the_first_failed_check_stops_the_load() {
    let server = server();
    let load = Load::to(server.address).operation("check", json!({"body_contains": "no"}));
    let ended = load.set("stop", json!({"first_failed_check": true})).run();
    assert_eq!(ended.summary()["stop"]["reason"], "first_failed_check");
}

#[test]
fn failures_that_last_stop_the_load() {
    let server = Server::answering(b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", || {
        Then::Keep
    });
    let rule = json!({"failures": {"above_share": 0.5, "for_ns": 2_000 * MS}});
    let load = Load::to(server.address).rate(50.0, 2).set("stop", rule);
    let ended = load.run();
    let stop = &ended.summary()["stop"];
    assert_eq!(stop["reason"], "failures");
    assert_eq!(stop["users"], json!(null));
    assert!(stop["at_ns"].as_u64() >= Some(2_000 * MS));
}

#[test]
fn a_mean_response_time_that_stays_above_stops_the_load_also_if_nothing_comes_back() {
    let server = Server::start(|_, _| Then::Hang);
    let rule = json!({"mean_response_time": {"above_ns": 500 * MS, "for_ns": 2_000 * MS}});
    let load = Load::to(server.address).users(2).set("stop", rule);
    let ended = load.set("grace_ns", json!(0)).run();
    assert_eq!(ended.summary()["stop"]["reason"], "mean_response_time");
    ended.assert_outcomes(&[("unanswered", 2)]);
}

#[test]
fn an_engine_that_was_frozen_says_so_and_does_not_blame_the_server() {
    let server = server();
    let load = Load::to(server.address).rate(200.0, 4).milliseconds(4_000);
    let mut running = load.start();
    running.until("progress");
    signal(&running, Signal::STOP);
    std::thread::sleep(std::time::Duration::from_secs(1));
    signal(&running, Signal::CONT);
    let ended = running.wait();
    ended.assert_outcomes(&[("ok", 800)]);
    let limited = ended.summary()["engine"]["limited"]
        .as_array()
        .expect("a list");
    let causes: Vec<_> = limited.iter().map(|one| one["cause"].as_str()).collect();
    assert!(
        causes.contains(&Some("stall")) && causes.contains(&Some("late")),
        "{causes:?}"
    );
    let marked = |event: &serde_json::Value| event["limited_by"].to_string().contains("stall");
    assert!(ended.events.iter().any(marked), "progress says so too");
    let engine = &ended.operation()["lag_causes"]["engine"];
    assert!(engine["max_ns"].as_u64() >= Some(900 * MS), "{engine}");
}
