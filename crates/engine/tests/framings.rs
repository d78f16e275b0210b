//! Sound servers of every framing: every request is ok.

mod common;

use common::load::Load;
use common::server::{Server, Then};
use serde_json::{Value, json};
use std::io::Write;

const BODY: &str = "a body that comes back";

fn echo(head: impl Fn(&[u8]) -> Vec<u8> + Send + Sync + 'static, then: fn() -> Then) -> Server {
    Server::start(move |stream, body| {
        let _ = stream.write_all(&head(body));
        then()
    })
}

fn with_length(body: &[u8], extra: &str) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n{extra}\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

fn echoed(server: &Server) -> Load {
    Load::to(server.address)
        .users(3)
        .count(30)
        .post(BODY)
        .operation(
            "check",
            json!({"status": 200, "body_contains": "that comes"}),
        )
}

#[test]
fn a_body_with_a_length_is_read_on_one_connection_per_user() {
    let server = echo(|body| with_length(body, ""), || Then::Keep);
    let ended = echoed(&server).run();
    ended.assert_outcomes(&[("ok", 30)]);
    assert_eq!(server.requests(), 30);
    let connections = &ended.summary()["connections"];
    for (key, count) in [
        ("requested", 3),
        ("opened", 3),
        ("failed", 0),
        ("closed_by_server", 0),
        ("full_handshakes", 0),
    ] {
        assert_eq!(connections[key], count, "{key}");
    }
    assert_eq!(connections["connect"]["ok"]["count"], 3);
    assert_eq!(connections["tls"]["ok"], Value::Null);
    assert_eq!(ended.summary()["spoken"]["http"], "1.1");
    assert_eq!(ended.summary()["stop"]["reason"], "count");
}

#[test]
fn a_chunked_body_with_trailers_is_read() {
    let server = echo(
        |body| {
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
            let (first, rest) = body.split_at(body.len() / 2);
            let chunk = |piece: &[u8]| {
                [format!("{:x}\r\n", piece.len()).as_bytes(), piece, b"\r\n"].concat()
            };
            [
                head.as_bytes(),
                &chunk(first),
                &chunk(rest),
                b"0\r\nTrailer: x\r\n\r\n",
            ]
            .concat()
        },
        || Then::Keep,
    );
    echoed(&server).run().assert_outcomes(&[("ok", 30)]);
}

#[test]
fn a_body_until_close_is_read_and_the_next_request_opens_a_connection() {
    let server = echo(
        |body| [b"HTTP/1.1 200 OK\r\n\r\n", body].concat(),
        || Then::Close,
    );
    let ended = echoed(&server).run();
    ended.assert_outcomes(&[("ok", 30)]);
    assert_eq!(ended.summary()["connections"]["opened"], 30);
    assert_eq!(ended.summary()["connections"]["closed_by_server"], 30);
}

#[test]
fn connection_close_per_response_is_followed() {
    let server = echo(
        |body| with_length(body, "Connection: close\r\n"),
        || Then::Close,
    );
    let ended = echoed(&server).run();
    ended.assert_outcomes(&[("ok", 30)]);
    assert_eq!(ended.summary()["connections"]["opened"], 30);
}

#[test]
fn a_response_that_comes_byte_by_byte_is_read() {
    let server = Server::start(|stream, body| {
        let _ = stream.set_nodelay(true);
        for byte in with_length(body, "") {
            let _ = stream.write_all(&[byte]);
        }
        Then::Keep
    });
    echoed(&server).run().assert_outcomes(&[("ok", 30)]);
}

#[test]
fn interim_responses_do_not_end_a_request() {
    let server = echo(
        |body| {
            [
                b"HTTP/1.1 103 Early Hints\r\n\r\n".as_slice(),
                &with_length(body, ""),
            ]
            .concat()
        },
        || Then::Keep,
    );
    echoed(&server).run().assert_outcomes(&[("ok", 30)]);
}

#[test]
fn responses_without_a_body_are_complete_at_their_head() {
    let head = Server::answering(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", || {
        Then::Keep
    });
    let load = Load::to(head.address)
        .count(10)
        .operation("method", json!("HEAD"));
    load.run().assert_outcomes(&[("ok", 10)]);
    let empty = Server::answering(b"HTTP/1.1 204 No Content\r\n\r\n", || Then::Keep);
    Load::to(empty.address)
        .count(10)
        .run()
        .assert_outcomes(&[("ok", 10)]);
}

#[test]
fn large_bodies_go_both_ways() {
    let server = echo(|body| with_length(body, ""), || Then::Keep);
    let body = "0123456789abcdef".repeat(1 << 16);
    let ended = echoed(&server)
        .count(6)
        .post(&format!("{body} that comes"))
        .run();
    ended.assert_outcomes(&[("ok", 6)]);
    assert!(ended.operation()["bytes_received"].as_u64() > Some(6 << 20));
}

#[test]
fn a_connection_that_the_server_closes_while_idle_is_opened_again_without_a_failure() {
    let server = echo(|body| with_length(body, ""), || Then::Close);
    // The server has a quarter of a second to close before the next request comes.
    let ended = echoed(&server).rate(4.0, 1).count(4).run();
    ended.assert_outcomes(&[("ok", 4)]);
    assert_eq!(ended.summary()["connections"]["opened"], 4);
}

#[test]
fn workers_on_several_cpus_share_users_and_count() {
    let server = echo(|body| with_length(body, ""), || Then::Keep);
    let cpus = common::load::cpus(4);
    let ended = echoed(&server).set("cpus", json!(cpus)).users(8).run();
    ended.assert_outcomes(&[("ok", 30)]);
    let workers = ended.summary()["engine"]["workers"]
        .as_array()
        .expect("is a list");
    let used: Vec<_> = workers.iter().map(|worker| worker["cpu"].clone()).collect();
    assert_eq!(json!(used), json!(cpus));
}
