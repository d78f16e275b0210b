//! The raw record: every request as a row, the same requests for the same plan and seed.

mod common;

use common::load::{Ended, Load};
use common::server::{Server, Then};
use serde_json::{Value, json};
use std::fs;

const ROW_BYTES: usize = 80;
const NEVER: u64 = u64::MAX;

fn server() -> Server {
    Server::answering(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", || {
        Then::Keep
    })
}

#[derive(Debug)]
struct Row {
    sequence: u64,
    intended_ns: u64,
    written_ns: u64,
    first_byte_ns: u64,
    done_ns: u64,
    bytes_received: u64,
    operation: u16,
    status: u16,
    outcome: u8,
    session: u64,
    group: u16,
    step: u16,
}

fn rows(ended: &Ended) -> (Value, Vec<Row>) {
    let bytes = fs::read(ended.folder.path().join("requests.bin")).expect("is written");
    let end = bytes
        .iter()
        .position(|&byte| byte == b'\n')
        .expect("a header");
    let header = serde_json::from_slice(&bytes[..end]).expect("is JSON");
    let rows = &bytes[end + 1..];
    assert_eq!(rows.len() % ROW_BYTES, 0);
    let number = |row: &[u8], place: usize| {
        u64::from_le_bytes(row[place * 8..place * 8 + 8].try_into().expect("8 bytes"))
    };
    let short = |row: &[u8], at: usize| u16::from_le_bytes([row[at], row[at + 1]]);
    let row = |row: &[u8]| Row {
        sequence: number(row, 0),
        intended_ns: number(row, 1),
        written_ns: number(row, 2),
        first_byte_ns: number(row, 3),
        done_ns: number(row, 4),
        bytes_received: number(row, 5),
        operation: short(row, 58),
        status: short(row, 60),
        outcome: row[62],
        session: number(row, 8),
        group: short(row, 72),
        step: short(row, 74),
    };
    let mut rows: Vec<Row> = rows.chunks_exact(ROW_BYTES).map(row).collect();
    rows.sort_by_key(|row| row.sequence);
    (header, rows)
}

#[test]
fn every_request_is_a_row_with_its_times_in_order() {
    let server = server();
    let load = Load::to(server.address).users(3).count(3_000);
    let ended = load.set("record_requests", json!(true)).run();
    let (header, rows) = rows(&ended);
    assert_eq!(header["row_bytes"], ROW_BYTES);
    assert_eq!(header["outcomes"][0], "ok");
    assert_eq!(header["version"], 2);
    assert_eq!(header["operations"], json!(["call"]));
    assert_eq!(header["groups"], json!(["callers"]));
    assert_eq!(rows.len(), 3_000);
    for (sequence, row) in (0..).zip(&rows) {
        assert_eq!(row.sequence, sequence);
        assert!(row.intended_ns <= row.written_ns && row.written_ns <= row.first_byte_ns);
        assert!(row.first_byte_ns <= row.done_ns && row.done_ns != NEVER);
        assert_eq!((row.status, row.outcome, row.bytes_received), (200, 0, 40));
    }
    let mut sessions: Vec<u64> = rows.iter().map(|row| row.session).collect();
    sessions.sort_unstable();
    sessions.dedup();
    assert_eq!(
        sessions.len(),
        3_000,
        "each session has a number of its own"
    );
    assert!(rows.iter().all(|row| (row.group, row.step) == (0, 0)));
    let sum: u64 = rows.iter().map(|row| row.done_ns - row.intended_ns).sum();
    let mean_ns = ended.clock("response_time", "ok")["mean_ns"].as_f64();
    assert!((mean_ns.expect("is there") - sum as f64 / 3_000.0).abs() < 1.0);
}

#[test]
fn the_same_plan_and_seed_give_the_same_requests_in_the_same_order() {
    let server = server();
    let planned = |seed: u64| {
        let mut load = Load::to(server.address).rate(2_000.0, 8).count(500);
        load.plan["groups"][0]["arrivals"]["rate"]["process"] = json!("poisson");
        let ended = load
            .set("seed", json!(seed))
            .set("record_requests", json!(true))
            .run();
        let rows = rows(&ended).1;
        let key = |row: &Row| (row.sequence, row.operation, row.intended_ns);
        rows.iter().map(key).collect::<Vec<_>>()
    };
    let first = planned(7);
    assert_eq!(first.len(), 500);
    assert_eq!(first, planned(7));
    assert_ne!(first, planned(8));
}

#[test]
fn without_being_asked_for_there_is_no_such_file() {
    let ended = Load::to(server().address).count(2).run();
    assert!(!ended.folder.path().join("requests.bin").exists());
}
