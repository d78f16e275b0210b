//! The whole engine on each event loop, and what it says where `io_uring` is refused.

mod common;

use common::load::{Ended, Load, MS};
use common::server::{Server, Then};
use serde_json::json;
use std::io::Write;

/// Runs on both loops; without `io_uring`, which containers often forbid, on the one there is.
fn on_each_loop(load: impl Fn() -> Load, check: impl Fn(&Ended)) {
    let ended = load().set("event_loop", json!("epoll")).run();
    assert_eq!(ended.summary()["engine"]["loop"], "epoll");
    check(&ended);
    let ended = load().set("event_loop", json!("io_uring")).start().wait();
    let last = ended.events.last().expect("there is output");
    if last["event"] == "failed" {
        let error = last["error"].as_str().expect("is text");
        assert!(error.contains("io_uring"), "{error}");
        assert_eq!(ended.exit_code, Some(2));
        return;
    }
    assert_eq!(ended.summary()["engine"]["loop"], "io_uring");
    check(&ended);
}

#[test]
fn keep_alive_and_closing_servers_are_answered_in_full() {
    let keeping = Server::answering(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", || {
        Then::Keep
    });
    let closing = Server::answering(
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok",
        || Then::Close,
    );
    for server in [&keeping, &closing] {
        on_each_loop(
            || Load::to(server.address).users(20).count(1_000),
            |ended| ended.assert_outcomes(&[("ok", 1_000)]),
        );
    }
}

#[test]
fn long_bodies_arrive_whole_in_both_directions() {
    const ANSWER_BYTES: usize = 3_000_000;
    let server = Server::start(|stream, body| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {ANSWER_BYTES}\r\n\r\n");
        assert_eq!(body.len(), 300_000);
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(&vec![b'x'; ANSWER_BYTES]);
        Then::Keep
    });
    on_each_loop(
        || {
            let load = Load::to(server.address).users(3).count(12);
            load.post(&"y".repeat(300_000))
        },
        |ended| {
            ended.assert_outcomes(&[("ok", 12)]);
            let received = ended.operation()["bytes_received"].as_u64();
            assert!(received > Some(12 * ANSWER_BYTES as u64));
            assert!(ended.operation()["bytes_sent"].as_u64() > Some(12 * 300_000));
        },
    );
}

#[test]
fn failures_have_the_same_outcome_on_each_loop() {
    let resetting = Server::resetting_in_mid_request();
    on_each_loop(
        || {
            let load = Load::to(resetting.address).count(3);
            load.post(&"y".repeat(6_000_000))
        },
        |ended| ended.assert_outcomes(&[("send", 3)]),
    );
    let silent = Server::start(|_, _| Then::Hang);
    on_each_loop(
        || {
            let load = Load::to(silent.address).users(5).count(10);
            load.set("timeout_ns", json!(50 * MS))
        },
        |ended| ended.assert_outcomes(&[("timeout", 10)]),
    );
    let cutting = Server::answering(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok", || {
        Then::Reset
    });
    on_each_loop(
        || Load::to(cutting.address).count(5),
        |ended| ended.assert_outcomes(&[("read", 5)]),
    );
}

#[test]
fn a_load_of_which_nothing_happens_still_ends_on_each_loop() {
    let server = Server::start(|_, _| Then::Hang);
    on_each_loop(
        || {
            let load = Load::to(server.address).users(1).milliseconds(2_500);
            load.set("grace_ns", json!(50 * MS))
        },
        |ended| {
            ended.assert_outcomes(&[("unanswered", 1)]);
            // The wait of each second is over with it, and not with the next event.
            let stall_ns = ended.summary()["engine"]["workers"][0]["longest_stall_ns"].as_u64();
            assert!(stall_ns < Some(1_000 * MS), "{stall_ns:?}");
        },
    );
}
