//! Steps of every kind, in HTTP/1.1 and HTTP/2: after a thousand sessions none allocates anything.

use allocation_counter::measure;
use serde_json::{Value, json};
use std::collections::VecDeque;

use super::*;
use crate::event_loop::{Connecting, Ends, Received, SocketEvent};
use crate::session::rows::Rows;
use crate::worker::simulated::wire::kind;

const SESSIONS: u64 = 1_000;
const FRAME_HEADER_BYTES: usize = 9;
const PREFACE_BYTES: usize = 24;

/// What is answered to every request: a JSON body, a header and a cookie.
const BODY: &str = r#"{"token_type":"Bearer","token":"0123456789abcdef0123456789abcdef","items":[{"id":1},{"id":"two"}]}"#;
/// A literal without indexing each, as RFC 7541, section 6.2.2 has it.
const FIELDS: &[(&str, &str)] = &[
    ("content-type", "application/json"),
    ("x-token", "of a header"),
    ("set-cookie", "sid=1; Path=/"),
];

/// A loop with a server that answers at once, neither of which allocates.
struct Quiet {
    is_http2: bool,
    now_ns: u64,
    sockets: Vec<Socket>,
    ready: VecDeque<usize>,
    /// How many of them this turn is told of; those that it makes ready wait for the next.
    told: usize,
    answer: Vec<u8>,
}

#[derive(Default)]
struct Socket {
    is_open: bool,
    preface_read: usize,
    unread: Vec<u8>,
    /// Streams to be answered; of HTTP/1 0.
    asked: VecDeque<u32>,
    lent: Vec<u8>,
    /// Whether the worker was given them.
    is_taken: bool,
}

impl Quiet {
    fn new(is_http2: bool, slots: usize) -> Self {
        let mut answer = Vec::new();
        if is_http2 {
            answer.push(0x88);
            for (name, value) in FIELDS {
                for part in [
                    &[0][..],
                    &[u8::try_from(name.len()).expect("is short")],
                    name.as_bytes(),
                    &[u8::try_from(value.len()).expect("is short")],
                    value.as_bytes(),
                ] {
                    answer.extend_from_slice(part);
                }
            }
        } else {
            answer.extend_from_slice(b"HTTP/1.1 200 OK\r\n");
            for (name, value) in FIELDS {
                answer.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
            }
            answer.extend_from_slice(
                format!("Content-Length: {}\r\n\r\n{BODY}", BODY.len()).as_bytes(),
            );
        }
        Self {
            is_http2,
            now_ns: 0,
            sockets: (0..slots).map(|_| Socket::default()).collect(),
            ready: VecDeque::with_capacity(100),
            told: 0,
            answer,
        }
    }
}

impl Socket {
    /// Takes up the whole frames that have come.
    fn read_frames(&mut self) {
        let preface = (PREFACE_BYTES - self.preface_read).min(self.unread.len());
        self.unread.drain(..preface);
        self.preface_read += preface;
        while let Some(header) = self.unread.first_chunk::<FRAME_HEADER_BYTES>() {
            let length = u32::from_be_bytes([0, header[0], header[1], header[2]]) as usize;
            let (kind, flags) = (header[3], header[4]);
            let stream = u32::from_be_bytes([header[5], header[6], header[7], header[8]]);
            if self.unread.len() < FRAME_HEADER_BYTES + length {
                return;
            }
            self.unread.drain(..FRAME_HEADER_BYTES + length);
            if matches!(kind, kind::HEADERS | kind::DATA) && flags & 1 == 1 {
                self.asked.push_back(stream);
            }
        }
    }

    fn lend(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
        let length = u32::try_from(payload.len())
            .expect("is short")
            .to_be_bytes();
        self.lent.extend_from_slice(&length[1..]);
        self.lent.extend_from_slice(&[kind, flags]);
        self.lent.extend_from_slice(&stream.to_be_bytes());
        self.lent.extend_from_slice(payload);
    }
}

impl EventLoop for Quiet {
    fn name(&self) -> &'static str {
        "quiet"
    }

    fn now_ns(&self) -> u64 {
        self.now_ns
    }

    fn wait(&mut self, deadline_ns: u64) -> Result<(), Errno> {
        self.now_ns = if self.ready.is_empty() {
            deadline_ns.max(self.now_ns + 1)
        } else {
            self.now_ns + 100
        };
        self.told = self.ready.len();
        Ok(())
    }

    fn next_event(&mut self) -> Option<SocketEvent> {
        self.told = self.told.checked_sub(1)?;
        let slot = self.ready.pop_front()?;
        Some(SocketEvent {
            slot,
            readable: true,
            writable: false,
            hung_up: false,
        })
    }

    fn connect(&mut self, slot: usize) -> Result<Connecting, Errno> {
        self.sockets[slot].is_open = true;
        self.sockets[slot].preface_read = 0;
        if self.is_http2 {
            self.sockets[slot].lend(kind::SETTINGS, 0, 0, &[]);
            self.ready.push_back(slot);
        }
        Ok(Connecting::Done)
    }

    fn connected(&mut self, _slot: usize) -> Result<(), Errno> {
        Ok(())
    }

    fn send(&mut self, slot: usize, bytes: &[u8]) -> Result<usize, Errno> {
        let socket = &mut self.sockets[slot];
        if self.is_http2 {
            socket.unread.extend_from_slice(bytes);
            socket.read_frames();
        } else {
            // Each request is one call.
            socket.asked.push_back(0);
        }
        if !self.ready.contains(&slot) {
            self.ready.push_back(slot);
        }
        Ok(bytes.len())
    }

    fn has_unsent(&self, _slot: usize) -> bool {
        false
    }

    fn receive(&mut self, slot: usize) -> Result<Received<'_>, Errno> {
        let socket = &mut self.sockets[slot];
        if socket.is_taken {
            socket.lent.clear();
            socket.is_taken = false;
        }
        while let Some(stream) = socket.asked.pop_front() {
            if self.is_http2 {
                socket.lend(kind::HEADERS, 4, stream, &self.answer);
                socket.lend(kind::DATA, 1, stream, BODY.as_bytes());
            } else {
                socket.lent.extend_from_slice(&self.answer);
            }
        }
        if socket.lent.is_empty() {
            return Ok(Received::Nothing);
        }
        socket.is_taken = true;
        Ok(Received::Bytes {
            bytes: &socket.lent,
            more: false,
            at_ns: self.now_ns,
        })
    }

    fn ends(&self, _slot: usize) -> Option<Ends> {
        None
    }

    fn close(&mut self, slot: usize) {
        self.sockets[slot] = Socket::default();
    }
}

fn value(index: usize, place: &str) -> Value {
    json!({"expression": {"value": index}, "as": place})
}

fn get(changes: &Value) -> Value {
    let mut operation = json!({"operation": "get", "cell": "get", "method": "GET", "path": ["/"]});
    for (key, value) in changes.as_object().expect("is an object") {
        operation[key] = value.clone();
    }
    operation
}

/// Groups by what is special about their steps.
fn kinds() -> Vec<(&'static str, Value)> {
    let send = json!({"send": {"operation": 0}});
    let of = |changes: Value| json!({"operations": [get(&changes)]});
    let capture = |from: Value| json!({"captures": [{"value": 0, "from": from}]});
    let log_in = |from: Value| {
        let authorization = json!(["authorization", ["Bearer ", value(0, "header")]]);
        json!({
            "operations": [get(&capture(from)), {"operation": "with", "cell": "with", "method": "POST",
                "path": ["/a/", value(0, "query")], "headers": [authorization],
                "body": ["{\"token\":\"", value(0, "json_string"), "\"}"]}],
            "session": [send, {"send": {"operation": 1}}],
        })
    };
    vec![
        ("plain", json!({})),
        (
            "draws",
            of(
                json!({"path": ["/", {"expression": {"uuid": {"draw": 1}}, "as": "segment"},
            "?d=", {"expression": {"now": {"form": "second"}}, "as": "query"}, "&n=",
            {"expression": {"random": {"least": 1, "most": 9, "draw": 2}}, "as": "query"}]}),
            ),
        ),
        ("a token of the body", log_in(json!({"json": ["token"]}))),
        (
            "an element of a list",
            log_in(json!({"json": ["items", "*", "id"]})),
        ),
        ("a header", log_in(json!({"header": "X-Token"}))),
        ("a cookie", log_in(json!({"cookie": "sid"}))),
        (
            "checks",
            of(json!({"check": {"body_contains": ["token"],
            "json": [{"pointer": ["token_type"], "is": {"text": ["Bearer"]}}],
            "header": [{"name": "x-token", "is": "present"}]}})),
        ),
        (
            "a check that fails",
            json!({"operations": [get(&json!({"on_failure": "go_on",
            "check": {"status": [201]}}))]}),
        ),
        ("cookies", json!({"cookies": true})),
        (
            "pauses",
            json!({"session": [{"send": {"operation": 0, "think": {"uniform_ns": [5_000, 90_000]}}}]}),
        ),
        (
            "feeds",
            json!({"feeds": [{"feed": 0, "values": [0]}],
            "let": [{"value": 1, "text": ["x-", value(0, "raw")]}],
            "operations": [get(&json!({"path": ["/", value(0, "segment"), "/", value(1, "segment")]}))]}),
        ),
        (
            "choices and repeats",
            json!({"session": [
            {"repeat": {"times": {"random": {"least": 1, "most": 4, "draw": 1}}, "steps": [
                {"choose": {"draw": 2, "alternatives": [{"weight": 1, "steps": [send]}, {"weight": 1, "steps": []}]}}]}},
            {"send": {"operation": 0, "when": 0}}, send]}),
        ),
        ("once", json!({"once": [send]})),
        (
            "arrivals",
            json!({"arrivals": {"rate": {"stages": [{"from": 90_000, "to": 90_000, "duration_ns": 1}],
            "process": "poisson", "connections": 4}},
            "session": [{"send": {"operation": 0, "think": {"constant_ns": 30_000}}}, send]}),
        ),
        (
            "arrivals with connections of their own",
            json!({"arrivals": {"rate": {
            "stages": [{"from": 90_000, "to": 90_000, "duration_ns": 1}], "connections": 4}},
            "session": [send, send]}),
        ),
    ]
}

fn plan(is_http2: bool, changes: &Value) -> Plan {
    let users = json!({"users": {"stages": [{"from": 4, "to": 4, "duration_ns": 1}]}});
    let mut group = json!({"group": "g", "arrivals": users, "values": ["a", "b"],
        "operations": [get(&json!({}))], "session": [{"send": {"operation": 0}}]});
    for (key, value) in changes.as_object().expect("is an object") {
        group[key] = value.clone();
    }
    let plan = json!({
        "plan_version": 3, "target": {"address": "127.0.0.1:1", "host": "h"},
        "protocol": if is_http2 { "h2c" } else { "h1c" }, "streams": if is_http2 { 3 } else { 1 },
        "seed": 1, "duration_ns": SECOND, "connect_timeout_ns": SECOND, "timeout_ns": SECOND, "grace_ns": SECOND,
        "feeds": [{"name": "f", "file": "f", "rows": 2, "columns": 1, "sha256": "0".repeat(64)}],
        "samples": {"per_second": 0, "body_bytes": 0}, "groups": [group],
    });
    crate::plan::check::read(&plan.to_string())
        .expect("is a plan")
        .0
}

/// How much is allocated by as many sessions after as many before.
fn allocated(is_http2: bool, changes: &Value) -> u64 {
    let plan = plan(is_http2, changes);
    let bytes: Vec<u8> = [&[0_u32, 1, 2].map(u32::to_le_bytes).concat(), &b"xy"[..]].concat();
    let feeds = [Rows::new(bytes.into(), 2, 1).expect("are rows")];
    let offers = Offers::of_plan(&plan, WorkerPart::WHOLE);
    let slots = Worker::<Quiet>::slots_of_loop(&plan, offers.homes());
    let task = Task {
        plan: &plan,
        tls: None,
        feeds: &feeds,
    };
    let events = Quiet::new(is_http2, slots);
    let mut worker = Worker::new(events, task, offers, None).expect("can be carried out");
    let mut perform = |sessions: u64| {
        while worker.intervals.stats().sessions[0].finished < sessions {
            worker.turn().expect("the loop waits");
            assert!(worker.now_ns() < SECOND, "nothing is rotated");
        }
    };
    perform(SESSIONS);
    measure(|| perform(2 * SESSIONS)).count_total
}

#[test]
fn sessions_allocate_nothing_once_there_have_been_a_thousand() {
    for is_http2 in [false, true] {
        for (kind, changes) in kinds() {
            let count = allocated(is_http2, &changes);
            assert_eq!(count, 0, "{kind}, HTTP/2: {is_http2}");
        }
    }
}
