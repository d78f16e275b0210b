//! Loads of hostile HTTP/2 servers, and what must hold of each.

use serde_json::json;

use super::load::{Ended, Load, MS};
use super::server::Server;

/// Requests of one load.
pub const COUNT: u64 = 5;
/// Of the engine as a process of the test: what a server can make it keep is bounded.
const MOST_MEMORY_BYTES: u64 = 64 << 20;

/// A load of HTTP/2 in cleartext, with timeouts of half a second.
pub fn load(server: &Server) -> Load {
    Load::to(server.address)
        .set("protocol", json!("h2c"))
        .set("connect_timeout_ns", json!(500 * MS))
        .set("timeout_ns", json!(500 * MS))
}

/// On either event loop, all requests have this outcome, with this text among its samples, and cost
/// little memory.
pub fn assert_all(server: &Server, outcome: &str, text: &str) -> Ended {
    assert_loop(
        load(server).set("event_loop", json!("epoll")),
        outcome,
        text,
    );
    assert_loop(load(server), outcome, text)
}

fn assert_loop(load: Load, outcome: &str, text: &str) -> Ended {
    let ended = load.count(COUNT).run();
    ended.assert_outcomes(&[(outcome, COUNT)]);
    let samples = ended.summary()["error_samples"][outcome].to_string();
    assert!(samples.contains(text), "{samples}");
    let peak_bytes = ended.summary()["engine"]["peak_rss_bytes"].as_u64();
    assert!(peak_bytes < Some(MOST_MEMORY_BYTES), "{peak_bytes:?}");
    ended
}
