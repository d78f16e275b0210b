//! What the engine does when the disk takes no more: it names the file, and ends at once.

mod common;

use common::load::{Load, Running, engine, ndjson};
use common::server::{Server, Then};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;

fn server() -> Server {
    Server::start(|stream, _| {
        std::thread::sleep(std::time::Duration::from_millis(1));
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        Then::Keep
    })
}

fn assert_unwritable(last: &Value, name: &str, reason: &str) {
    assert_eq!(
        (&last["event"], &last["cause"]),
        (&json!("failed"), &json!("records"))
    );
    let error = last["error"].as_str().expect("is text");
    assert!(error.starts_with("cannot write "), "{error}");
    assert!(error.contains(&format!("{name}: {reason}")), "{error}");
}

#[test]
fn a_full_disk_ends_the_load_with_the_name_of_the_file() {
    for name in [
        "histograms.hlog",
        "timeline.ndjson",
        "samples.ndjson",
        "requests.bin",
    ] {
        let server = server();
        let folder = tempfile::tempdir().expect("a temporary folder");
        symlink("/dev/full", folder.path().join(name)).expect("is linked");
        let plan = folder.path().join("plan.json");
        let load = Load::to(server.address)
            .users(2)
            .set("record_requests", json!(true))
            .set("samples", json!({"per_second": 1, "body_bytes": 4}));
        fs::write(&plan, load.plan.to_string()).expect("is written");

        let output = engine(&["run", "--plan"])
            .arg(&plan)
            .arg("--out")
            .arg(folder.path())
            .output()
            .expect("the engine runs");

        assert_eq!(output.status.code(), Some(2));
        let events: Vec<Value> = String::from_utf8_lossy(&output.stdout)
            .lines()
            .map(|line| serde_json::from_str(line).expect("each line is JSON"))
            .collect();
        assert_unwritable(
            events.last().expect("there is output"),
            name,
            "No space left",
        );
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.starts_with("error: cannot write "), "{error}");
    }
}

fn forbid_growth(running: &Running) {
    let limit = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    prlimit(
        Some(Pid::from_child(&running.child)),
        Resource::Fsize,
        limit,
    )
    .expect("is limited");
}

#[test]
fn a_limit_on_file_sizes_ends_the_load_as_a_full_disk_does_and_kills_nothing() {
    let server = server();
    let mut running = Load::to(server.address).users(2).start();
    running.until("started");
    forbid_growth(&running);

    let ended = running.wait();

    assert_eq!(ended.exit_code, Some(2));
    assert_unwritable(
        ended.events.last().expect("there is output"),
        "histograms.hlog",
        "File too large",
    );
}

#[test]
fn intervals_that_were_written_before_the_disk_was_full_stay_readable() {
    let server = server();
    let mut running = Load::to(server.address).users(2).start();
    running.until("progress");
    forbid_growth(&running);
    let ended = running.wait();
    assert_eq!(ended.exit_code, Some(2));
    assert!(!ndjson(&ended.folder.path().join("timeline.ndjson")).is_empty());
}
