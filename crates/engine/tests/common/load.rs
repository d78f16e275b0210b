//! Plans by a builder, and the binary run on them. Every run is held to conservation.

use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
use rustix::thread::{CpuSet, sched_getaffinity};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tempfile::TempDir;

pub const MS: u64 = 1_000_000;

/// The binary.
pub const ENGINE: &str = env!("CARGO_BIN_EXE_loadstone-engine");

/// A plan in the making; by default one group of one user with one GET, and a stop by count within a minute.
pub struct Load {
    pub plan: Value,
}

/// A group of one user, with these operations one after the other; of each is given what differs from a
/// GET of `/`, with constant texts as such.
pub fn group(name: &str, operations: &[Value]) -> Value {
    let sends = (0..operations.len()).map(|index| json!({"send": {"operation": index}}));
    let operations = operations.iter().map(|one| {
        let mut operation = json!({"method": "GET", "path": ["/"], "cell": one["operation"]});
        for (key, value) in one.as_object().expect("is an object") {
            operation[key] = pieces(key, value);
        }
        operation
    });
    json!({"group": name, "arrivals": users(1), "operations": operations.collect::<Vec<_>>(),
        "session": sends.collect::<Vec<_>>()})
}

/// A value of an operation's key, where a text may stand for pieces and a status for a list of it.
fn pieces(key: &str, value: &Value) -> Value {
    match (key, value) {
        ("path" | "body" | "body_contains", Value::String(text)) => json!([text]),
        ("status", Value::Number(status)) => json!([status]),
        ("headers", Value::Array(headers)) => headers
            .iter()
            .map(|header| json!([header[0], pieces("body", &header[1])]))
            .collect(),
        ("check", Value::Object(check)) => check
            .iter()
            .map(|(key, value)| (key.clone(), pieces(key, value)))
            .collect(),
        _ => value.clone(),
    }
}

/// A load that runs.
pub struct Running {
    pub child: Child,
    /// Only if it is controlled: closing it stops the load.
    pub stdin: Option<ChildStdin>,
    pub stdout: BufReader<ChildStdout>,
    pub folder: TempDir,
    lines: Vec<Value>,
}

/// A load that has ended.
pub struct Ended {
    pub exit_code: Option<i32>,
    pub events: Vec<Value>,
    pub folder: TempDir,
}

fn users(count: u64) -> Value {
    json!({"users": {"stages": [{"from": count, "to": count, "duration_ns": 1}]}})
}

impl Load {
    pub fn to(address: SocketAddr) -> Self {
        let plan = json!({
            "plan_version": 3,
            "target": {"address": address.to_string(), "host": address.to_string()},
            "protocol": "h1c", "seed": 1, "duration_ns": 60_000 * MS,
            "connect_timeout_ns": 10_000 * MS, "timeout_ns": 10_000 * MS, "grace_ns": 10_000 * MS,
            "groups": [group("callers", &[json!({"operation": "call"})])],
        });
        Self { plan }
    }

    pub fn set(mut self, key: &str, value: Value) -> Self {
        self.plan[key] = value;
        self
    }

    pub fn users(mut self, count: u64) -> Self {
        self.plan["groups"][0]["arrivals"] = users(count);
        self
    }

    pub fn rate(mut self, per_second: f64, connections: u64) -> Self {
        let stage = json!({"from": per_second, "to": per_second, "duration_ns": 1});
        let rate = json!({"stages": [stage], "connections": connections});
        self.plan["groups"][0]["arrivals"] = json!({"rate": rate});
        self
    }

    #[allow(
        clippy::needless_pass_by_value,
        reason = "calls are made with what `json!` makes"
    )]
    pub fn operation(mut self, key: &str, value: Value) -> Self {
        self.plan["groups"][0]["operations"][0][key] = pieces(key, &value);
        self
    }

    /// In place of the only operation these, one after the other.
    pub fn steps(mut self, operations: &[Value]) -> Self {
        let of_group = group("callers", operations);
        for key in ["operations", "session"] {
            self.plan["groups"][0][key] = of_group[key].clone();
        }
        self
    }

    pub fn post(self, body: &str) -> Self {
        self.operation("method", json!("POST"))
            .operation("body", json!(body))
    }

    pub fn count(self, count: u64) -> Self {
        self.set("count", json!(count))
    }

    pub fn milliseconds(self, duration: u64) -> Self {
        self.set("duration_ns", json!(duration * MS))
    }

    pub fn start(self) -> Running {
        self.start_as(engine(&["run", "--plan", "-"]))
    }

    /// Starts with the plan as the first line of standard input, which stays open.
    pub fn start_controlled(self) -> Running {
        self.start_with(engine(&["run", "--control"]))
    }

    /// Starts by a command that reads the plan to the end of standard input.
    pub fn start_as(self, command: Command) -> Running {
        let mut running = self.start_with(command);
        running.stdin = None;
        running
    }

    fn start_with(self, mut command: Command) -> Running {
        let folder = TempDir::new().expect("a temporary folder");
        let mut child = command
            .arg("--out")
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let mut stdin = child.stdin.take().expect("is piped");
        writeln!(stdin, "{}", self.plan).expect("the engine reads");
        let stdout = BufReader::new(child.stdout.take().expect("is piped"));
        Running {
            child,
            stdin: Some(stdin),
            stdout,
            folder,
            lines: Vec::new(),
        }
    }

    /// Runs to the end and checks that nothing was lost on the way to any of the files.
    pub fn run(self) -> Ended {
        let ended = self.start().wait();
        assert_eq!(ended.exit_code, Some(0), "{:?}", ended.events.last());
        ended.assert_conserved();
        ended
    }
}

/// At most so many CPUs that the engine may use.
pub fn cpus(most: usize) -> Vec<usize> {
    let allowed = sched_getaffinity(None).expect("the kernel tells");
    let cpus = (0..CpuSet::MAX_CPU).filter(|&cpu| allowed.is_set(cpu));
    cpus.take(most).collect()
}

pub fn engine(arguments: &[&str]) -> Command {
    let mut command = Command::new(ENGINE);
    command.args(arguments);
    command
}

impl Running {
    /// Reads stdout up to the next event of this kind.
    pub fn until(&mut self, event: &str) {
        loop {
            let mut line = String::new();
            let length = self.stdout.read_line(&mut line).expect("stdout is text");
            assert!(length > 0, "no {event} event came");
            self.lines
                .push(serde_json::from_str(&line).expect("each line is JSON"));
            if self.lines.last().is_some_and(|line| line["event"] == event) {
                return;
            }
        }
    }

    pub fn wait(mut self) -> Ended {
        let rest = self.stdout.lines();
        let parse = |line: &str| serde_json::from_str(line).expect("each line is JSON");
        self.lines
            .extend(rest.map(|line| parse(&line.expect("stdout is text"))));
        let exit_code = self.child.wait().expect("the engine ends").code();
        Ended {
            exit_code,
            events: self.lines,
            folder: self.folder,
        }
    }
}

impl Ended {
    pub fn summary(&self) -> &Value {
        let last = self.events.last().expect("there is output");
        assert_eq!(last["event"], "finished", "{last}");
        &last["summary"]
    }

    /// Outcomes that are not zero.
    pub fn outcomes(&self) -> BTreeMap<String, u64> {
        nonzero(&self.summary()["outcomes"])
    }

    pub fn assert_outcomes(&self, expected: &[(&str, u64)]) {
        let expected = expected
            .iter()
            .map(|&(name, count)| (name.to_owned(), count))
            .collect();
        assert_eq!(
            self.outcomes(),
            expected,
            "{}",
            self.summary()["error_samples"]
        );
    }

    pub fn operation(&self) -> &Value {
        &self.summary()["operations"]["call"]
    }

    pub fn clock(&self, clock: &str, split: &str) -> &Value {
        &self.operation()["clocks"][clock][split]
    }

    pub fn ndjson(&self, name: &str) -> Vec<Value> {
        ndjson(&self.folder.path().join(name))
    }

    /// When each request was intended, if all were recorded.
    pub fn intended_ns(&self) -> Vec<u64> {
        let bytes = fs::read(self.folder.path().join("requests.bin")).expect("is written");
        let header = bytes.split(|&byte| byte == b'\n').next().expect("a line");
        let rows = bytes[header.len() + 1..].chunks_exact(80);
        rows.map(|row| u64::from_le_bytes(row[8..16].try_into().expect("eight bytes")))
            .collect()
    }

    pub fn assert_conserved(&self) {
        let outcomes = self.outcomes();
        let operations = self.summary()["operations"]
            .as_object()
            .expect("is an object");
        let mut by_operation = BTreeMap::new();
        for operation in operations.values() {
            add(&mut by_operation, &operation["outcomes"]);
            let causes: u64 = nonzero(&operation["not_sent"]).values().sum();
            assert_eq!(operation["outcomes"]["not_sent"], causes);
        }
        assert_eq!(by_operation, outcomes, "the operations add up to the whole");
        self.assert_sessions_conserved();
        let (mut by_interval, mut end_ns) = (BTreeMap::new(), 0);
        for line in self.ndjson("timeline.ndjson") {
            assert_eq!(line["start_ns"], end_ns, "intervals join");
            end_ns = line["end_ns"].as_u64().expect("is a number");
            for operation in line["operations"]
                .as_object()
                .expect("is an object")
                .values()
            {
                add(&mut by_interval, &operation["outcomes"]);
            }
        }
        assert_eq!(by_interval, outcomes, "the timeline adds up to the whole");
        for (tag, histogram) in histograms(self.folder.path()) {
            let parts: Vec<&str> = tag.split('/').collect();
            let count = match parts[..] {
                [name, "session_duration", split] => {
                    &self.summary()["groups"][name]["duration"][split]["count"]
                }
                [name, clock, split] => &operations[name]["clocks"][clock][split]["count"],
                [clock, split] => &self.summary()["connections"][clock][split]["count"],
                _ => panic!("{tag}"),
            };
            assert_eq!(
                *count,
                histogram.len(),
                "{tag}: the histograms hold every request"
            );
        }
    }
}

impl Ended {
    /// Every session has ended in some way, and the groups add up to the whole.
    fn assert_sessions_conserved(&self) {
        let groups = self.summary()["groups"].as_object().expect("is an object");
        let mut by_group = BTreeMap::new();
        for (name, group) in groups {
            add(&mut by_group, &group["outcomes"]);
            let sessions = &group["sessions"];
            let of = |key: &str| sessions[key].as_u64().expect("is a count");
            let aborted: u64 = nonzero(&sessions["aborted"]).values().sum();
            assert_eq!(of("begun"), of("finished") + aborted + of("cut"), "{name}");
            let aborted_at: u64 = nonzero(&group["aborted_at"]).values().sum();
            assert_eq!(aborted, aborted_at, "{name}");
            let mut by_second = BTreeMap::new();
            for line in self.ndjson("timeline.ndjson") {
                let mut counts = line["groups"][name]["sessions"].clone();
                counts["open"] = json!(0);
                add(&mut by_second, &counts);
            }
            let mut total = sessions.clone();
            total["aborted"] = json!(aborted);
            total["most_at_once"] = json!(0);
            assert_eq!(by_second, nonzero(&total), "{name}: the timeline adds up");
        }
        assert_eq!(by_group, self.outcomes(), "the groups add up to the whole");
    }
}

/// The histograms of a log, merged by tag.
pub fn histograms(folder: &Path) -> BTreeMap<String, Histogram<u64>> {
    let log = fs::read(folder.join("histograms.hlog")).expect("is written");
    let mut by_tag: BTreeMap<String, Histogram<u64>> = BTreeMap::new();
    for entry in IntervalLogIterator::new(&log) {
        let LogEntry::Interval(interval) = entry.expect("is a histogram log") else {
            continue;
        };
        let payload = base64::Engine::decode(
            &base64::engine::general_purpose::STANDARD,
            interval.encoded_histogram(),
        );
        let histogram: Histogram<u64> = Deserializer::new()
            .deserialize(&mut payload.expect("is base64").as_slice())
            .expect("is a V2 histogram");
        let tag = interval.tag().expect("is tagged").as_str().to_owned();
        let merged = by_tag
            .entry(tag)
            .or_insert_with(|| Histogram::new_from(&histogram));
        merged.add(&histogram).expect("all share one range");
    }
    by_tag
}

pub fn ndjson(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("is written");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect()
}

fn nonzero(counts: &Value) -> BTreeMap<String, u64> {
    let counts = counts.as_object().expect("is an object").iter();
    let counts = counts.map(|(name, count)| (name.clone(), count.as_u64().expect("is a count")));
    counts.filter(|entry| entry.1 > 0).collect()
}

fn add(sums: &mut BTreeMap<String, u64>, counts: &Value) {
    for (name, count) in nonzero(counts) {
        *sums.entry(name).or_default() += count;
    }
}
