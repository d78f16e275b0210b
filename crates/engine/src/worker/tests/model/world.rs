//! Drawn plans: groups, operations and nested steps of all kinds, in the JSON in which a plan is written.

use serde_json::{Value, json};

use crate::worker::simulated::script::Script;

/// As long as a load lasts, in milliseconds.
const DURATION_MS: u64 = 150;

const MS: u64 = 1_000_000;

/// Texts that need escapes, or may not stand everywhere.
const TEXTS: [&str; 12] = [
    "plain",
    "7",
    "-3",
    "a b",
    "é𝄞",
    "q\"uo\\te",
    "..",
    "",
    "/p/1?x=1",
    "two\nlines",
    "100%",
    " blank",
];

/// The values of each group: of feeds, made at the beginning, and captured.
pub const VALUES: [&str; 7] = ["f0", "f1", "number", "text", "integer", "first", "second"];

const CAPTURED: [usize; 2] = [5, 6];

/// A plan and what belongs to it.
#[derive(Clone, Debug)]
pub struct World {
    /// As it is written.
    pub plan: Value,
    /// Rows of texts, by feed.
    pub feeds: Vec<Vec<Vec<String>>>,
    /// What the server does is drawn from this; 0: it answers well.
    pub mood: u64,
}

impl World {
    /// The world that a script describes. An empty one is plain.
    pub fn draw(script: &mut Script) -> Self {
        let mood = u64::from(script.choice(255));
        let rows = 1 + usize::from(script.choice(4));
        let text = |script: &mut Script| TEXTS[usize::from(script.choice(12))].to_owned();
        let texts = (0..rows)
            .map(|_| vec![text(script), text(script)])
            .collect();
        let numbers = (0..40)
            .map(|number: u32| vec![number.to_string()])
            .collect();
        let feeds: Vec<Vec<Vec<String>>> = vec![texts, numbers];
        let groups: Vec<Value> = (0..=usize::from(script.choice(2)))
            .map(|number| Drawing { script, number }.group())
            .collect();
        let of_feed = |(index, rows): (usize, &Vec<Vec<String>>)| {
            json!({"name": format!("{index}.csv"), "file": "none", "rows": rows.len(),
                "columns": rows[0].len(), "sha256": "0".repeat(64)})
        };
        let plan = json!({
            "plan_version": 3, "target": {"address": "127.0.0.1:1", "host": "h:1"}, "protocol": "h1c",
            "seed": script.choice(4), "run_id": "model", "record_requests": true,
            "duration_ns": DURATION_MS * MS, "connect_timeout_ns": 100 * MS, "timeout_ns": 30 * MS,
            "grace_ns": 20 * MS, "groups": groups,
            "feeds": feeds.iter().enumerate().map(of_feed).collect::<Vec<_>>(),
        });
        Self { plan, feeds, mood }
    }
}

/// Draws one group.
struct Drawing<'a> {
    script: &'a mut Script,
    number: usize,
}

impl Drawing<'_> {
    fn choice(&mut self, choices: u8) -> u8 {
        self.script.choice(choices)
    }

    #[allow(
        clippy::needless_pass_by_value,
        reason = "calls are made with lists of their own"
    )]
    fn one_of<T: Clone, const N: usize>(&mut self, all: [T; N]) -> T {
        all[usize::from(self.choice(u8::try_from(N).unwrap_or(u8::MAX)))].clone()
    }

    fn group(&mut self) -> Value {
        let is_rate = self.choice(2) == 1;
        let operations = 1 + self.choice(3);
        let (arrivals, leave, pace_ns) = if is_rate {
            (self.rate(), "after_session", None)
        } else {
            let leave = self.one_of(["after_session", "after_request"]);
            let pace_ns = self.one_of([None, Some(7 * MS)]);
            (self.users(), leave, pace_ns)
        };
        let once = if is_rate || self.choice(2) == 0 {
            json!([])
        } else {
            json!([{"send": {"operation": 0}}, self.node(operations, 2)])
        };
        let mut session: Vec<Value> = (0..self.choice(4))
            .map(|_| self.node(operations, 0))
            .collect();
        // Each session has something to do.
        let place = usize::from(self.choice(4)).min(session.len());
        session.insert(
            place,
            json!({"send": {"operation": 0, "think": self.think()}}),
        );
        json!({
            "group": format!("g{}", self.number), "arrivals": arrivals, "leave": leave, "pace_ns": pace_ns,
            "start_ns": u64::from(self.choice(2)) * 5 * MS, "cookies": self.choice(2) == 1,
            "values": VALUES, "feeds": self.feeds(is_rate), "let": self.lets(),
            "operations": (0..operations).map(|index| self.operation(index)).collect::<Vec<_>>(),
            "once": once, "session": session,
        })
    }

    fn rate(&mut self) -> Value {
        let per_second = 50 * (1 + u64::from(self.choice(8)));
        let connections = 1 + u64::from(self.choice(3));
        json!({"rate": {
            "stages": [{"from": per_second, "to": per_second, "duration_ns": 1}],
            "process": self.one_of(["constant", "poisson"]),
            "connections": connections, "sessions": connections + 3 * u64::from(self.choice(4)),
            "own_connections": self.choice(3) == 1,
        }})
    }

    fn users(&mut self) -> Value {
        let count = 1 + u64::from(self.choice(3));
        let stages = match self.choice(3) {
            0 => json!([{"from": count, "to": count, "duration_ns": 1}]),
            1 => json!([{"from": 1, "to": count + 1, "duration_ns": 60 * MS}]),
            _ => json!([{"from": count, "to": 0, "duration_ns": 50 * MS},
                {"from": 0, "to": count, "duration_ns": 50 * MS}]),
        };
        json!({"users": {"stages": stages}})
    }

    fn feeds(&mut self, is_rate: bool) -> Value {
        let per = |choice: u8| {
            if is_rate || choice == 0 {
                "session"
            } else {
                "user"
            }
        };
        let mut feeds = Vec::new();
        let taken = self.choice(5);
        if taken > 0 {
            let take = ["in_turn", "random"][usize::from(taken % 2)];
            let per = per(self.choice(2));
            feeds.push(json!({"feed": 0, "take": take, "per": per, "values": [0, 1], "draw": 1}));
        }
        let taken = self.choice(8);
        if taken > 0 {
            let take = ["in_turn", "once"][usize::from(taken / 7)];
            let per = per(self.choice(2));
            feeds.push(json!({"feed": 1, "take": take, "per": per, "values": [2]}));
        }
        json!(feeds)
    }

    fn lets(&mut self) -> Value {
        let mut lets = Vec::new();
        if self.choice(4) > 0 {
            lets.push(json!({"value": 3, "text": self.pieces(&["raw", "json_string", "query"])}));
        }
        if self.choice(4) > 0 {
            lets.push(json!({"value": 4, "integer": self.terms()}));
        }
        json!(lets)
    }

    fn operation(&mut self, index: u8) -> Value {
        let place = self.one_of(["segment", "segment", "segment", "location"]);
        let mut path = self.pieces(&["segment", place]);
        path.insert(0, json!(format!("/o{index}/")));
        if self.choice(2) == 1 {
            path.push(json!("/end?q="));
            path.extend(self.pieces(&["query"]));
        }
        let mut headers = vec![json!(["x-session", [format!("{}-", self.number),
            {"expression": "session_number", "as": "header"}]])];
        match self.choice(4) {
            1 => headers.push(json!(["X-Value", self.pieces(&["header"])])),
            2 => headers.push(json!(["cookie", ["own=1"]])),
            3 => headers.push(json!(["authorization", ["Bearer ",
                {"expression": {"value": CAPTURED[0]}, "as": "header"}]])),
            _ => {}
        }
        let (method, body) = match self.choice(5) {
            0 => ("GET", vec![]),
            1 => ("POST", vec![]),
            2 => (
                "PUT",
                vec![
                    json!("{\"a\":\""),
                    self.placed("json_string"),
                    json!("\",\"b\":"),
                    self.placed("json"),
                    json!("}"),
                ],
            ),
            3 => (
                "POST",
                vec![json!("{\"n\":"), self.placed("json_number"), json!("}")],
            ),
            _ => ("POST", self.pieces(&["form", "raw"])),
        };
        let captures: Vec<Value> = (0..self.choice(3))
            .map(|which| self.capture(which))
            .collect();
        json!({
            "operation": format!("o{index}"), "cell": format!("g{}.o{index}", self.number),
            "method": method, "path": path, "headers": headers, "body": body, "check": self.check(),
            "captures": captures, "on_failure": self.one_of(["end", "go_on"]),
        })
    }

    fn check(&mut self) -> Value {
        let status = self.one_of([json!([]), json!([200]), json!([200, 201, 404])]);
        let or_end = self.one_of([json!([]), json!([409, 503])]);
        let contains = match self.choice(8) {
            1 => json!(["token"]),
            2 => json!([self.placed("raw")]),
            _ => Value::Null,
        };
        let checks = self.one_of([0, 0, 0, 1, 2]);
        let json: Vec<Value> = (0..checks).map(|_| self.json_check()).collect();
        let header = match self.choice(8) {
            1 => json!([{"name": "X-Tok", "is": "present"}]),
            2 => json!([{"name": "x-tok", "is": "absent"}]),
            3 => json!([{"name": "x-tok", "is": {"text": self.pieces(&["raw"])}}]),
            _ => json!([]),
        };
        json!({"status": status, "or_end": or_end, "body_contains": contains, "json": json, "header": header})
    }

    fn pointer(&mut self) -> Value {
        self.one_of([
            json!(["token"]),
            json!(["items", "*", "id"]),
            json!(["items", "0", "id"]),
            json!(["items", "*", "name"]),
            json!(["n"]),
            json!(["nested", "a"]),
            json!(["missing"]),
        ])
    }

    fn json_check(&mut self) -> Value {
        let is = match self.choice(5) {
            0 => json!("present"),
            1 => json!("absent"),
            2 => {
                json!({"value": self.one_of([json!(1), json!("plain"), Value::Null])})
            }
            3 => json!({"text": self.pieces(&["raw"])}),
            _ => json!({"text": ["plain"]}),
        };
        json!({"pointer": self.pointer(), "is": is})
    }

    fn capture(&mut self, which: u8) -> Value {
        let from = match self.choice(4) {
            0 | 1 => json!({"json": self.pointer()}),
            2 => json!({"header": self.one_of(["x-tok", "Location"])}),
            _ => json!({"cookie": "sid"}),
        };
        let has_star = from["json"]
            .as_array()
            .is_some_and(|tokens| tokens.contains(&json!("*")));
        let pick = match self.choice(3) {
            1 if has_star => json!("random"),
            2 if has_star => json!({"index": {"random": {"least": 0, "most": 2, "draw": 8}}}),
            _ => json!("first"),
        };
        let or = match self.choice(3) {
            0 => json!("fail"),
            1 => json!("end"),
            _ => json!({"value": "instead"}),
        };
        json!({"value": CAPTURED[usize::from(which)], "from": from, "pick": pick, "or": or,
            "draw": u32::from(which), "secret": which == 1})
    }

    fn pieces(&mut self, places: &[&str]) -> Vec<Value> {
        let mut pieces = vec![json!("p")];
        for _ in 0..self.choice(3) {
            let place = places[usize::from(self.choice(2)).min(places.len() - 1)];
            let one = self.placed(place);
            match self.choice(3) {
                0 => pieces.push(json!("-")),
                1 => pieces.clear(),
                _ => {}
            }
            pieces.push(one);
        }
        pieces
    }

    fn placed(&mut self, place: &str) -> Value {
        json!({"expression": self.expression(), "as": place})
    }

    fn expression(&mut self) -> Value {
        match self.choice(12) {
            0 => json!("session_number"),
            1 => json!("user_number"),
            2 => json!("turn"),
            3 => json!({"integer": self.terms()}),
            4 => json!({"random": {"least": -2, "most": 900, "draw": self.choice(3)}}),
            5 => json!({"uuid": {"draw": self.choice(3)}}),
            6 => json!({"base64": ["b:", {"expression": {"value": self.choice(7)}, "as": "raw"}]}),
            7 => {
                json!({"date": {"base_s": 2_240_719_200_u64, "offset_s": self.terms(), "form": "day"}})
            }
            8 => json!({"value": self.choice(7)}),
            _ => json!({"value": self.choice(5)}),
        }
    }

    fn terms(&mut self) -> Value {
        match self.choice(5) {
            0 => json!([3, "session_number", "+"]),
            1 => json!([{"value": 2}, 48_271, "*", 960, "%"]),
            2 => json!([7, {"value": 2}, "/", "turn", "-", i64::MAX, "user_number", "*", "+"]),
            3 => json!(["session_number", 7, "%", 2, "/"]),
            _ => json!(["turn", "user_number", "+", 2, "*"]),
        }
    }

    fn think(&mut self) -> Value {
        match self.choice(4) {
            1 => json!({"constant_ns": 3 * MS}),
            2 => json!({"uniform_ns": [MS, 9 * MS]}),
            _ => Value::Null,
        }
    }

    /// Steps that stand in others at a depth.
    fn node(&mut self, operations: u8, depth: usize) -> Value {
        let choice = self.choice(6);
        if depth == 3 || choice < 4 {
            let when = (choice == 3).then(|| self.choice(7));
            let operation = self.choice(operations);
            return json!({"send": {"operation": operation, "think": self.think(), "when": when}});
        }
        let nodes = |drawing: &mut Self| -> Vec<Value> {
            (0..drawing.choice(3))
                .map(|_| drawing.node(operations, depth + 1))
                .collect()
        };
        if choice == 4 {
            let alternatives = json!([
                {"weight": 3, "steps": nodes(self)}, {"weight": 1, "steps": nodes(self)},
                {"weight": 0, "steps": nodes(self)},
            ]);
            return json!({"choose": {"draw": self.choice(3), "alternatives": alternatives}});
        }
        let times = match self.choice(4) {
            0 => json!({"integer": [2]}),
            1 => json!({"random": {"least": 0, "most": 3, "draw": 7}}),
            2 => json!({"value": 2}),
            _ => json!({"integer": ["session_number", 3, "%"]}),
        };
        json!({"repeat": {"times": times, "steps": nodes(self)}})
    }
}
