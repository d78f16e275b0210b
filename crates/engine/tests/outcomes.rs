//! Unsound servers: each way to fail is its own outcome, and nothing is lost.

mod common;

use common::load::{Load, MS};
use common::server::{Server, Then};
use serde_json::{Value, json};
use std::io::Write;
use std::net::TcpListener;

/// Five requests of one user, all with the same outcome and this text among its samples.
fn assert_all(load: Load, outcome: &str, text: &str) {
    let ended = load.count(5).run();
    ended.assert_outcomes(&[(outcome, 5)]);
    let samples = ended.summary()["error_samples"][outcome].to_string();
    assert!(samples.contains(text), "{samples}");
}

fn assert_answer(answer: &'static [u8], then: fn() -> Then, outcome: &str, text: &str) {
    let server = Server::answering(answer, then);
    assert_all(Load::to(server.address), outcome, text);
}

#[test]
fn a_refused_port_is_connect() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("is bound");
    drop(listener);
    let ended = Load::to(address).users(2).count(6).run();
    ended.assert_outcomes(&[("connect", 6)]);
    assert_eq!(ended.summary()["connections"]["failed"], 6);
    assert_eq!(ended.clock("response_time", "failed")["count"], 6);
    assert_eq!(ended.clock("service_time", "failed"), &Value::Null);
}

#[test]
fn a_server_that_resets_in_mid_request_is_send() {
    let server = Server::resetting_in_mid_request();
    let body = "x".repeat(16 << 20);
    assert_all(Load::to(server.address).post(&body), "send", "");
}

#[test]
fn a_reset_or_an_early_close_is_read() {
    assert_answer(b"", || Then::Reset, "read", "reset");
    assert_answer(b"", || Then::Close, "read", "before any byte");
    let short = b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive!";
    assert_answer(short, || Then::Close, "read", "after 44 bytes");
    let chunk = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfive!\r\n";
    assert_answer(chunk, || Then::Close, "read", "closed after");
}

#[test]
fn what_is_not_http_is_protocol() {
    assert_answer(
        b"SSH-2.0-OpenSSH\r\n",
        || Then::Hang,
        "protocol",
        "begin with HTTP/1.",
    );
    assert_answer(
        b"HTTP/1.1 2x0 OK\r\n\r\n",
        || Then::Hang,
        "protocol",
        "status line",
    );
    let long = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nfive!";
    assert_answer(long, || Then::Keep, "protocol", "beyond the end");
}

#[test]
fn endless_headers_end_as_protocol() {
    let server = Server::start(|stream, _| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n");
        while stream.write_all(b"Header: and another one\r\n").is_ok() {}
        Then::Close
    });
    assert_all(Load::to(server.address), "protocol", "64 KiB");
}

#[test]
fn a_wrong_status_is_status_and_keeps_the_connection() {
    let server = Server::answering(b"HTTP/1.1 500 Oh\r\nContent-Length: 2\r\n\r\nno", || {
        Then::Keep
    });
    let ended = Load::to(server.address).count(5).run();
    ended.assert_outcomes(&[("status", 5)]);
    assert_eq!(ended.summary()["connections"]["opened"], 1);
    let exact = Load::to(server.address).operation("check", json!({"status": 500}));
    exact.count(5).run().assert_outcomes(&[("ok", 5)]);
}

#[test]
fn a_body_without_the_text_is_check() {
    let server = Server::answering(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfive!", || {
        Then::Keep
    });
    let check = json!({"body_contains": "six"});
    assert_all(
        Load::to(server.address).operation("check", check),
        "check",
        "lacks",
    );
}

#[test]
fn a_response_that_never_ends_is_timeout() {
    let load = |server: &Server| Load::to(server.address).set("timeout_ns", json!(50 * MS));
    let silent = Server::start(|_, _| Then::Hang);
    assert_all(load(&silent), "timeout", "50ms");
    let stuck = Server::answering(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx", || {
        Then::Hang
    });
    let ended = load(&stuck).count(3).run();
    ended.assert_outcomes(&[("timeout", 3)]);
    assert!(ended.clock("service_time", "failed")["min_ns"].as_u64() >= Some(50 * MS));
}

#[test]
fn a_black_hole_is_accounted_for_in_full() {
    let server = Server::start(|_, _| Then::Hang);
    let ended = Load::to(server.address)
        .rate(100.0, 10)
        .milliseconds(2_000)
        .set("timeout_ns", json!(500 * MS))
        .set("grace_ns", json!(100 * MS))
        .run();
    let outcomes = ended.outcomes();
    assert_eq!(outcomes.values().sum::<u64>(), 200, "{outcomes:?}");
    assert!(outcomes["timeout"] >= 20, "{outcomes:?}");
    assert!(outcomes["not_sent"] > 0, "{outcomes:?}");
    let not_sent = &ended.operation()["not_sent"];
    assert_eq!(not_sent["no_connection"], outcomes["not_sent"]);
}

#[test]
fn what_is_in_flight_when_the_grace_ends_is_unanswered_with_its_age() {
    let server = Server::start(|_, _| Then::Hang);
    let load = Load::to(server.address).users(3).milliseconds(100);
    let ended = load.set("grace_ns", json!(50 * MS)).run();
    ended.assert_outcomes(&[("unanswered", 3)]);
    let oldest_ns = ended.summary()["unanswered_oldest_ns"].as_u64();
    assert!(oldest_ns >= Some(150 * MS), "{oldest_ns:?}");
    assert_eq!(ended.clock("response_time", "failed"), &Value::Null);
}

#[test]
fn far_more_arrivals_than_can_be_sent_are_all_counted() {
    let server = Server::start(|_, _| Then::Hang);
    let load = Load::to(server.address).rate(3e6, 1).milliseconds(500);
    let ended = load.set("grace_ns", json!(0)).run();
    ended.assert_outcomes(&[("not_sent", 1_499_999), ("unanswered", 1)]);
    assert_eq!(ended.operation()["not_sent"]["no_connection"], 1_499_999);
}

#[test]
fn waiting_for_a_connection_is_lag_and_not_service_time() {
    let server = Server::start(|stream, _| {
        // The server's own service time, not synchronisation.
        std::thread::sleep(std::time::Duration::from_millis(20));
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        Then::Keep
    });
    let ended = Load::to(server.address).rate(200.0, 1).count(40).run();
    assert_eq!(ended.outcomes().values().sum::<u64>(), 40);
    let of = |clock: &str, key: &str| ended.clock(clock, "ok")[key].as_f64().expect("is there");
    assert!(of("service_time", "min_ns") >= 20e6);
    // Arrivals come every 5 ms and are served every 20 ms or slower: the last one sent waited.
    assert!(of("lag", "max_ns") >= 100e6, "{}", of("lag", "max_ns"));
    let sum = of("lag", "mean_ns") + of("service_time", "mean_ns");
    assert!((sum - of("response_time", "mean_ns")).abs() < 10.0);
}

#[test]
fn a_connection_that_nobody_accepts_is_told_from_one_that_is_not_answered() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("is bound");
    let limited = |to| Load::to(to).users(3).set("timeout_ns", json!(50 * MS));
    for event_loop in ["auto", "epoll"] {
        let load = limited(address).set("event_loop", json!(event_loop));
        let ended = load.count(3).run();
        ended.assert_outcomes(&[("timeout", 3)]);
        assert_eq!(ended.summary()["not_accepted"], 3);
        let samples = ended.summary()["error_samples"]["timeout"].to_string();
        assert!(samples.contains("had not accepted"), "{samples}");
    }
    let load = Load::to(address).users(3).milliseconds(50);
    let ended = load.set("grace_ns", json!(50 * MS)).run();
    ended.assert_outcomes(&[("unanswered", 3)]);
    assert_eq!(ended.summary()["not_accepted"], 3);
    let silent = Server::start(|_, _| Then::Hang);
    let ended = limited(silent.address).count(3).run();
    ended.assert_outcomes(&[("timeout", 3)]);
    assert_eq!(ended.summary()["not_accepted"], 0);
}
