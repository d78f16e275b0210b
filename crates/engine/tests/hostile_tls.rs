//! TLS servers that break the handshake or what follows it: each ends as its own outcome.

mod common;

use common::http2::{INITIAL_WINDOW_SIZE, WINDOW_UPDATE, frame, settings};
use common::load::{Ended, Load, MS};
use common::server::{Server, reset};
use common::tls::{Identity, Secured, read_request, socket};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

const COUNT: u64 = 5;
const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const VERSIONS: [&str; 2] = ["1.2", "1.3"];

fn load(server: &Server) -> Load {
    Load::to(server.address)
        .set("protocol", json!("h1"))
        .set("tls", json!({"verify": false}))
        .set("connect_timeout_ns", json!(500 * MS))
        .set("timeout_ns", json!(500 * MS))
}

/// On either event loop, all requests have this outcome, with this text among its samples.
fn assert_all(load: Load, outcome: &str, text: &str) -> Ended {
    let plan = load.plan.clone();
    assert_loop(load.set("event_loop", json!("epoll")), outcome, text);
    assert_loop(Load { plan }, outcome, text)
}

fn assert_loop(load: Load, outcome: &str, text: &str) -> Ended {
    let ended = load.count(COUNT).run();
    ended.assert_outcomes(&[(outcome, COUNT)]);
    let samples = ended.summary()["error_samples"][outcome].to_string();
    assert!(samples.contains(text), "{samples}");
    ended
}

/// A server below TLS: called with each connection once a first piece of the client's hello came.
fn below_tls(conversation: impl Fn(&mut TcpStream) + Send + Sync + Clone + 'static) -> Server {
    Server::accepting(Arc::default(), move |mut stream| {
        let conversation = conversation.clone();
        thread::spawn(move || {
            if stream.read(&mut [0; 4_096]).is_ok() {
                conversation(&mut stream);
            }
        });
    })
}

/// A server that answers the client's hello by these bytes and waits for its end.
fn replying(bytes: &'static [u8]) -> Server {
    below_tls(move |stream| {
        let _ = stream.write_all(bytes);
        drain(stream);
    })
}

fn drain(stream: &mut impl Read) {
    let mut buffer = [0; 4_096];
    while matches!(stream.read(&mut buffer), Ok(length) if length > 0) {}
}

fn assert_failed_handshake(server: &Server, text: &str) {
    for protocol in ["h1", "h2"] {
        let ended = assert_all(load(server).set("protocol", json!(protocol)), "tls", text);
        let connections = &ended.summary()["connections"];
        assert_eq!(connections["opened"], COUNT, "as far as TCP goes");
        assert_eq!(connections["failed"], COUNT);
        assert_eq!(connections["tls"]["failed"]["count"], COUNT);
    }
}

#[test]
fn an_alert_in_the_handshake_is_tls_and_named() {
    // A record of type alert, fatal: RFC 8446, section 6.
    assert_failed_handshake(&replying(&[21, 3, 3, 0, 2, 2, 40]), "HandshakeFailure");
    assert_failed_handshake(&replying(&[21, 3, 3, 0, 2, 2, 70]), "ProtocolVersion");
    assert_failed_handshake(&replying(&[21, 3, 3, 0, 2, 2, 80]), "InternalError");
    assert_failed_handshake(&replying(&[21, 3, 3, 0, 2, 2, 112]), "UnrecognisedName");
    assert_failed_handshake(
        &replying(&[21, 3, 3, 0, 2, 2, 120]),
        "NoApplicationProtocol",
    );
}

#[test]
fn a_close_or_reset_in_the_handshake_is_tls() {
    assert_failed_handshake(&below_tls(|_| {}), "");
    assert_failed_handshake(&below_tls(|stream| reset(stream)), "");
    let in_a_record = below_tls(|stream| {
        let _ = stream.write_all(&[22, 3, 3, 0, 100, 2, 0]);
    });
    assert_failed_handshake(&in_a_record, "");
}

#[test]
fn what_is_not_tls_is_tls() {
    assert_failed_handshake(&replying(&[0xff; 100]), "");
    assert_failed_handshake(&replying(b"HTTP/1.1 400 Bad Request\r\n\r\n"), "");
    assert_failed_handshake(&replying(b"SSH-2.0-OpenSSH\r\n"), "");
    // A record longer than any may be, and an empty handshake record.
    assert_failed_handshake(&replying(&[22, 3, 3, 0xff, 0xff, 2]), "");
    assert_failed_handshake(&replying(&[22, 3, 3, 0, 0]), "");
    // Application data before any handshake.
    assert_failed_handshake(&replying(&[23, 3, 3, 0, 3, 1, 2, 3]), "");
    // A server's hello of another kind: a certificate comes first.
    assert_failed_handshake(&replying(&[22, 3, 3, 0, 4, 11, 0, 0, 0]), "");
}

#[test]
fn a_handshake_that_never_ends_is_tls_by_the_connect_timeout() {
    assert_failed_handshake(&below_tls(drain), "500ms");
    // Half a record, and half a handshake message: both are waited for.
    assert_failed_handshake(&replying(&[22, 3, 3, 0, 100, 2, 0]), "500ms");
    assert_failed_handshake(&replying(&[22, 3, 3, 0, 6, 2, 0, 1, 0, 3, 3]), "500ms");
}

#[test]
fn an_endless_handshake_message_is_tls() {
    // It says that it is 16 MiB long, and comes in full records.
    let server = below_tls(|stream| {
        let mut record = vec![22, 3, 3, 0x40, 0, 2, 0xff, 0xff, 0xff];
        record.resize(5 + 0x4000, 0);
        while stream.write_all(&record).is_ok() {
            record[5..9].fill(0);
        }
    });
    assert_failed_handshake(&server, "");
}

#[test]
fn warnings_without_end_are_tls() {
    // user_canceled, which is a warning that TLS 1.2 lets pass.
    let server = below_tls(|stream| while stream.write_all(&[21, 3, 3, 0, 2, 1, 90]).is_ok() {});
    assert_failed_handshake(&server, "");
}

#[test]
fn a_certificate_of_nobody_is_tls_unless_it_is_not_verified() {
    let identity = Identity::new();
    for version in VERSIONS {
        let server = Identity::serving(identity.config(version, &[], false), answer);
        let strict = load(&server).set("tls", json!({}));
        assert_all(strict, "tls", "UnknownIssuer");
        let other = json!({"roots_pem": Identity::new().pem});
        assert_all(load(&server).set("tls", other), "tls", "");
        let known = json!({"roots_pem": identity.pem});
        let trusting = load(&server).set("tls", known);
        trusting
            .count(COUNT)
            .run()
            .assert_outcomes(&[("ok", COUNT)]);
        load(&server)
            .count(COUNT)
            .run()
            .assert_outcomes(&[("ok", COUNT)]);
    }
}

fn answer(stream: &mut Secured) {
    while read_request(stream) {
        let _ = stream.write_all(ANSWER);
    }
}

#[test]
fn a_handshake_and_a_response_may_come_byte_by_byte() {
    let identity = Identity::new();
    for version in VERSIONS {
        let config = identity.config(version, &["http/1.1"], false);
        let ended = load(&Identity::serving(config, answer)).count(COUNT).run();
        ended.assert_outcomes(&[("ok", COUNT)]);
        let spoken = &ended.summary()["spoken"];
        assert_eq!(spoken["tls_version"], version);
        assert_eq!(spoken["alpn"], "http/1.1");
    }
}

#[test]
fn a_version_that_the_plan_does_not_offer_is_tls() {
    let identity = Identity::new();
    for (server, client) in [("1.2", "1.3"), ("1.3", "1.2")] {
        let server = Identity::serving(identity.config(server, &[], false), answer);
        let tls = json!({"verify": false, "version": client});
        assert_all(load(&server).set("tls", tls), "tls", "");
    }
}

#[test]
fn another_protocol_than_the_plan_asks_for_is_protocol_or_tls() {
    let identity = Identity::new();
    // Nothing is chosen: not an error of TLS, but HTTP/2 was asked for.
    let server = Identity::serving(identity.config("1.3", &[], false), answer);
    assert_all(
        load(&server).set("protocol", json!("h2")),
        "protocol",
        "ALPN",
    );
    // The server has only HTTP/1.1, and says so by an alert.
    let config = identity.config("1.3", &["http/1.1"], false);
    let server = Identity::serving(config, answer);
    let ended = load(&server)
        .set("protocol", json!("h2"))
        .count(COUNT)
        .run();
    let outcomes = ended.outcomes();
    let named = outcomes.get("tls").or(outcomes.get("protocol"));
    assert_eq!(named, Some(&COUNT), "{outcomes:?}");
}

#[test]
fn a_downgrade_needs_a_server_that_chooses_http_1_1() {
    let identity = Identity::new();
    let down = Identity::serving(identity.config("1.3", &["http/1.1"], false), answer);
    let ended = load(&down).set("protocol", json!("h2-downgrade"));
    ended.count(COUNT).run().assert_outcomes(&[("ok", COUNT)]);
    let up = Identity::serving(identity.config("1.3", &["h2", "http/1.1"], false), answer);
    let load = load(&up).set("protocol", json!("h2-downgrade"));
    assert_all(load, "protocol", "h2");
}

#[test]
fn a_server_that_asks_for_a_certificate_gets_none_and_the_request_fails() {
    let identity = Identity::new();
    let server = Identity::serving(identity.config("1.2", &[], true), answer);
    assert_all(load(&server), "tls", "");
    // In TLS 1.3 the client's handshake has ended when the alert comes.
    let server = Identity::serving(identity.config("1.3", &[], true), answer);
    let ended = load(&server).count(COUNT).run();
    let outcomes = ended.outcomes();
    assert_eq!(outcomes.get("ok"), None, "{outcomes:?}");
    assert!(
        outcomes.keys().all(|it| it == "tls" || it == "read"),
        "{outcomes:?}"
    );
}

/// What the server does after the head and half of a body.
fn assert_after_half(then: fn(&mut Secured), outcome: &str, text: &str) {
    let identity = Identity::new();
    for version in VERSIONS {
        let config = identity.config(version, &[], false);
        let server = Identity::serving(config, move |stream| {
            if read_request(stream) {
                let _ = stream.write_all(&ANSWER[..ANSWER.len() - 3]);
                then(stream);
            }
        });
        assert_all(load(&server), outcome, text);
    }
}

#[test]
fn an_end_in_mid_response_is_read() {
    assert_after_half(|_| {}, "read", "");
    assert_after_half(|stream| reset(socket(stream)), "read", "reset");
    let farewell = |stream: &mut Secured| {
        stream.conn.send_close_notify();
        let _ = stream.flush();
    };
    assert_after_half(farewell, "read", "");
}

#[test]
fn a_response_that_stops_is_timeout() {
    assert_after_half(|stream| drain(socket(stream)), "timeout", "500ms");
}

#[test]
fn bytes_that_tls_does_not_know_in_mid_response_are_tls() {
    let broken = |stream: &mut Secured| {
        // A record of application data that nobody encrypted.
        let _ = socket(stream).write_all(&[23, 3, 3, 0, 32]);
        let _ = socket(stream).write_all(&[0; 32]);
        drain(socket(stream));
    };
    assert_after_half(broken, "tls", "decrypt");
    let garbage = |stream: &mut Secured| {
        let _ = socket(stream).write_all(&[0xff; 100]);
        drain(socket(stream));
    };
    assert_after_half(garbage, "tls", "");
}

#[test]
fn a_body_until_the_end_is_whole_only_with_a_farewell() {
    let identity = Identity::new();
    for version in VERSIONS {
        for (says_farewell, outcome) in [(true, "ok"), (false, "read")] {
            let config = identity.config(version, &[], false);
            let server = Identity::serving(config, move |stream| {
                if read_request(stream) {
                    let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\nas far as it goes");
                    if says_farewell {
                        stream.conn.send_close_notify();
                        let _ = stream.flush();
                    }
                }
            });
            let ended = load(&server).count(COUNT).run();
            ended.assert_outcomes(&[(outcome, COUNT)]);
        }
    }
}

#[test]
fn a_farewell_ends_a_body_although_the_connection_stays_open() {
    let identity = Identity::new();
    for version in VERSIONS {
        let config = identity.config(version, &[], false);
        let server = Identity::serving(config, |stream| {
            if read_request(stream) {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\nas far as it goes");
                stream.conn.send_close_notify();
                let _ = stream.flush();
                drain(socket(stream));
            }
        });
        load(&server)
            .count(COUNT)
            .run()
            .assert_outcomes(&[("ok", COUNT)]);
    }
}

#[test]
fn bytes_after_a_farewell_are_of_no_effect() {
    let after_farewell = |stream: &mut Secured| {
        stream.conn.send_close_notify();
        let _ = stream.flush();
        let many = [0xff; 16_384];
        while socket(stream).write_all(&many).is_ok() {}
    };
    assert_after_half(after_farewell, "read", "");
}

#[test]
fn keys_may_be_changed_in_mid_response() {
    let identity = Identity::new();
    let config = identity.config("1.3", &[], false);
    let server = Identity::serving(config, |stream| {
        while read_request(stream) {
            for byte in ANSWER {
                let _ = stream.conn.refresh_traffic_keys();
                let _ = stream.write_all(&[*byte]);
            }
        }
    });
    load(&server)
        .count(COUNT)
        .run()
        .assert_outcomes(&[("ok", COUNT)]);
}

#[test]
fn cleartext_asked_of_a_tls_port_is_no_success() {
    let identity = Identity::new();
    let server = Identity::serving(identity.config("1.3", &[], false), answer);
    let ended = Load::to(server.address).count(COUNT).run();
    let outcomes = ended.outcomes();
    assert_eq!(outcomes.get("ok"), None, "{outcomes:?}");
    assert!(
        outcomes.keys().all(|it| it == "protocol" || it == "read"),
        "{outcomes:?}"
    );
}

#[test]
fn a_server_that_reads_no_more_lets_every_request_time_out() {
    // What it does not read fills the kernel's buffers, and then those of TLS: 12 MB are more.
    let identity = Identity::new();
    let config = identity.config("1.3", &["h2"], false);
    let server = Identity::serving(config, |stream| {
        const MOST: u32 = (1 << 31) - 1;
        let mut preface = [0; 24];
        if stream.read_exact(&mut preface).is_err() {
            return;
        }
        let wide = settings(&[(INITIAL_WINDOW_SIZE, MOST)]);
        let wider = frame(WINDOW_UPDATE, 0, 0, &(MOST - 65_535).to_be_bytes());
        let _ = stream.write_all(&[wide, wider].concat());
        thread::sleep(Duration::from_secs(10));
    });
    let load = load(&server)
        .set("protocol", json!("h2"))
        .set("streams", json!(2))
        .set("timeout_ns", json!(200 * MS))
        .post(&"x".repeat(6_000_000));
    let ended = load.count(8).run();
    ended.assert_outcomes(&[("timeout", 8)]);
}
