//! How connections are used: kept or not, pipelined, over IPv6, redirected, and what lag is due to.

mod common;

use common::load::{Load, MS};
use common::server::{Server, Then};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::{Arc, Mutex};

const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

fn server() -> Server {
    Server::answering(OK, || Then::Keep)
}

#[test]
fn a_connection_per_request_is_opened_for_each_and_announced() {
    let server = Server::by_request(|stream, head, _| {
        let answer: &[u8] = if head.contains("Connection: close") {
            OK
        } else {
            b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"
        };
        let _ = stream.write_all(answer);
        Then::Keep
    });
    let load = Load::to(server.address).set("connections", json!("per_request"));
    let ended = load.users(2).count(20).run();
    ended.assert_outcomes(&[("ok", 20)]);
    let connections = &ended.summary()["connections"];
    assert_eq!(connections["opened"], 20);
    assert_eq!(connections["connect"]["ok"]["count"], 20);
    assert_eq!(connections["closed_by_server"], 0);
}

#[test]
fn pipelined_requests_share_a_connection_and_keep_their_order() {
    let server = Server::by_request(|stream, head, _| {
        let target = head.split(' ').nth(1).unwrap_or_default();
        let answer = format!(
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{target}",
            target.len()
        );
        let _ = stream.write_all(answer.as_bytes());
        Then::Keep
    });
    let operation = |name: &str| {
        json!({"operation": name, "method": "GET", "path": format!("/{name}"),
            "check": {"body_contains": name}})
    };
    let load = Load::to(server.address).set("streams", json!(5)).users(2);
    let load = load.steps(&[operation("first"), operation("second")]);
    let ended = load.count(200).run();
    ended.assert_outcomes(&[("ok", 200)]);
    assert_eq!(ended.summary()["connections"]["opened"], 2);
    assert_eq!(ended.summary()["streams"], 5);
}

#[test]
fn what_follows_the_last_response_of_a_pipeline_is_read() {
    let server = Server::answering(
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        || Then::Close,
    );
    let load = Load::to(server.address).set("streams", json!(3)).count(30);
    let outcomes = load.run().outcomes();
    assert_eq!(outcomes.values().sum::<u64>(), 30);
    assert!(outcomes["ok"] >= 10 && outcomes["read"] > 0, "{outcomes:?}");
}

#[test]
fn ipv6_is_spoken() {
    let server = Server::on("[::1]:0", OK);
    let ended = Load::to(server.address).count(5).run();
    ended.assert_outcomes(&[("ok", 5)]);
}

fn redirecting() -> Server {
    Server::by_request(|stream, head, body| {
        let (status, location) = match head.split(' ').nth(1).unwrap_or_default() {
            "/" => ("307 Again", "further?x=1"),
            "/further?x=1" => ("303 Other", "/end"),
            "/end" => {
                let is_get = head.starts_with("GET") && body.is_empty();
                ("200 OK", if is_get { "as a get" } else { "as a post" })
            }
            "/away" => ("302 Found", "http://192.0.2.1/"),
            _ => ("302 Found", "/loop"),
        };
        let answer =
            format!("HTTP/1.1 {status}\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n");
        let _ = stream.write_all(answer.as_bytes());
        Then::Keep
    })
}

#[test]
fn redirects_to_the_target_are_one_request_with_its_last_response() {
    let server = redirecting();
    let load = Load::to(server.address)
        .post("body")
        .set("redirects", json!(5));
    let ended = load.count(4).run();
    ended.assert_outcomes(&[("ok", 4)]);
    assert_eq!(ended.summary()["redirects"], 8);
    assert_eq!(server.requests(), 12);
    assert_eq!(ended.summary()["connections"]["opened"], 1);
    let sample = &ended.ndjson("samples.ndjson")[0];
    assert_eq!(sample["status"], 200);
}

#[test]
fn a_redirect_starts_from_the_request_that_was_redirected() {
    let asked = Arc::<Mutex<Vec<String>>>::default();
    let log = Arc::clone(&asked);
    let server = Server::by_request(move |stream, head, body| {
        let line = head.lines().next().unwrap_or_default().to_owned();
        let text = String::from_utf8_lossy(body);
        let (status, location, answer) = match line.split(' ').nth(1).unwrap_or_default() {
            "/a" => ("303 Other", "/b/c", "first"),
            "/b/c" => ("307 Again", "d", "second"),
            _ => ("200 OK", "", "last"),
        };
        log.lock()
            .expect("nobody panicked")
            .push(format!("{line} {text}"));
        let length = answer.len();
        let answer = format!(
            "HTTP/1.1 {status}\r\nLocation: {location}\r\nContent-Length: {length}\r\n\r\n{answer}"
        );
        let _ = stream.write_all(answer.as_bytes());
        Then::Keep
    });
    let load = Load::to(server.address)
        .post("body")
        .operation("path", json!("/a"))
        .operation("check", json!({"body_contains": "last"}))
        .set("samples", json!({"per_second": 1, "body_bytes": 100}))
        .set("redirects", json!(5));
    let ended = load.count(1).run();
    ended.assert_outcomes(&[("ok", 1)]);
    let asked = &asked.lock().expect("nobody panicked")[..];
    let expected = [
        "POST /a HTTP/1.1 body",
        "GET /b/c HTTP/1.1 ",
        "GET /b/d HTTP/1.1 ",
    ];
    assert_eq!(asked, expected);
    let sample = &ended.ndjson("samples.ndjson")[0];
    assert_eq!(
        (&sample["body"], &sample["body_bytes"]),
        (&json!("bGFzdA=="), &json!(4))
    );
}

#[test]
fn redirects_are_followed_neither_elsewhere_nor_for_ever_nor_unasked() {
    let server = redirecting();
    for (path, redirects, text) in [
        ("/away", 5, "elsewhere"),
        ("/loop", 5, "more than 5 redirects"),
        ("/loop", 0, "status 302"),
    ] {
        let load = Load::to(server.address).operation("path", json!(path));
        let ended = load.set("redirects", json!(redirects)).count(2).run();
        ended.assert_outcomes(&[("status", 2)]);
        let samples = ended.summary()["error_samples"]["status"].to_string();
        assert!(samples.contains(text), "{samples}");
    }
}

fn cause<'a>(operation: &'a Value, name: &str) -> &'a Value {
    &operation["lag_causes"][name]
}

#[test]
fn waiting_for_a_connection_is_not_the_engines_lag() {
    let server = Server::start(|stream, _| {
        // The server's own service time, not synchronisation.
        std::thread::sleep(std::time::Duration::from_millis(20));
        let _ = stream.write_all(OK);
        Then::Keep
    });
    let ended = Load::to(server.address).rate(200.0, 1).count(40).run();
    let operation = ended.operation();
    let (waited, engine) = (
        cause(operation, "no_connection"),
        cause(operation, "engine"),
    );
    let lag = ended.clock("lag", "ok");
    let sum = lag["mean_ns"].as_f64().expect("is there") * lag["count"].as_f64().expect("is there");
    let of = |cause: &Value| cause["sum_ns"].as_f64().expect("is there");
    assert!(
        (of(waited) + of(engine) - sum).abs() < 40.0,
        "the parts are the whole"
    );
    // All but the first wait for the one before, which takes 20 ms.
    assert!(of(waited) >= 20e6, "{waited}");
    assert_eq!(cause(operation, "no_stream")["count"], 0);
}

#[test]
fn connecting_is_told_apart_from_the_response() {
    let ended = Load::to(server().address).users(3).count(3).run();
    let connect = &ended.summary()["connections"]["connect"]["ok"];
    assert_eq!(connect["count"], 3);
    let waited = cause(ended.operation(), "no_connection");
    assert_eq!(waited["count"], 3);
    assert!(waited["sum_ns"].as_u64() >= connect["min_ns"].as_u64());
    assert!(ended.clock("first_byte", "ok")["max_ns"].as_u64() <= Some(10_000 * MS));
}
