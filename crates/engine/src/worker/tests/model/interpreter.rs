//! Sessions performed by following the nested steps of the plan's JSON, one function for each kind. What
//! time decides is taken from the rows that the engine wrote: how far a session came, and which requests
//! were not sent or not answered.

use serde_json::Value;
use std::collections::BTreeMap;

use super::answers::judge;
use super::rows::Row;
use super::server::{Answer, Deed, SessionKey, deed};
use super::steps::{first_send, sends, users};
use super::texts::{Held, Scene};
use super::world::{VALUES, World};
use crate::outcome::{FailedCheck, NotSent, Outcome};
use crate::session::draws::{Drawer, Purpose, below};

/// What is counted, by name.
pub type Counts = BTreeMap<String, u64>;

/// Adds to a count.
pub fn count(counts: &mut Counts, name: impl Into<String>) {
    *counts.entry(name.into()).or_default() += 1;
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Early,
    Aborted,
    Cut,
}

impl End {
    fn name(self) -> &'static str {
        match self {
            Self::Early => "ended",
            Self::Aborted => "aborted",
            Self::Cut => "cut",
        }
    }
}

/// A cookie: its name, its path and its value.
pub type Cookie = (String, String, String);

/// What a user has beyond a session.
#[derive(Clone, Debug, Default)]
pub struct User {
    /// It has begun a session, so that it is not new for certain.
    has_begun: bool,
    needs_once: bool,
    values: Vec<Option<Held>>,
    jar: Vec<Cookie>,
}

/// One session, as it is performed.
pub struct Session<'a> {
    world: &'a World,
    pub group: &'a Value,
    key: SessionKey,
    rows: std::slice::Iter<'a, Row>,
    asked: std::slice::Iter<'a, Vec<u8>>,
    offered: usize,
    sent: usize,
    pub scene: Scene,
    pub jar: Vec<Cookie>,
    step: u16,
    end: Option<End>,
    counts: &'a mut Counts,
}

/// Performs the session of these rows, and counts what comes of it.
pub fn perform(
    world: &World,
    key: SessionKey,
    (rows, asked): (&[Row], &[Vec<u8>]),
    user: &mut User,
    counts: &mut Counts,
) {
    let group = &world.plan["groups"][usize::from(key.0)];
    let once_sends = sends(&group["once"]);
    let does_once = rows[0].step < once_sends;
    let is_closed = group["arrivals"]["users"].is_object();
    if once_sends > 0 && (!user.has_begun || user.needs_once) {
        assert!(does_once, "{key:?} begins with what is done once");
    }
    let is_new = !is_closed || !user.has_begun || does_once;
    if is_new {
        *user = User {
            values: vec![None; VALUES.len()],
            ..User::default()
        };
    }
    user.has_begun = true;
    user.needs_once = does_once;
    let mut session = Session {
        world,
        group,
        key,
        rows: rows.iter(),
        asked: asked.iter(),
        offered: 0,
        sent: 0,
        scene: Scene {
            values: user.values.clone(),
            seed: world.plan["seed"].as_u64().expect("a number"),
            group: key.0.into(),
            session: key.1,
            user: if is_closed { key.1 % users(group) } else { 0 },
            turns: Vec::new(),
        },
        jar: user.jar.clone(),
        step: 0,
        end: None,
        counts,
    };
    session.begin();
    if does_once {
        session.nodes(&group["once"]);
        if session.end.is_none() {
            user.needs_once = false;
            user.values.clone_from(&session.scene.values);
            user.jar.clone_from(&session.jar);
        }
    } else {
        session.step = once_sends;
    }
    session.nodes(&group["session"]);
    session.finish();
}

impl Session<'_> {
    pub fn count(&mut self, name: &str) {
        count(self.counts, format!("g{} {name}", self.key.0));
    }

    fn count_step(&mut self, operation: u64, name: &str) {
        count(self.counts, format!("g{}.o{operation} {name}", self.key.0));
    }

    /// Takes rows of feeds, and makes what is fixed from the beginning.
    fn begin(&mut self) {
        self.count("begun");
        for feed in self.group["feeds"].as_array().expect("a list") {
            let which = usize::try_from(feed["feed"].as_u64().expect("an index")).expect("small");
            let rows = &self.world.feeds[which];
            let number = if feed["per"] == "user" {
                self.scene.user
            } else {
                self.scene.session
            };
            let row = match feed["take"].as_str() {
                Some("random") => {
                    let scene = &self.scene;
                    let drawer = Drawer {
                        seed: scene.seed,
                        group: scene.group,
                        session: number,
                        turn: 0,
                    };
                    below(drawer.draw(Purpose::Feed, 1), rows.len() as u64)
                }
                Some("once") => {
                    assert!(number < rows.len() as u64, "{:?} has no row", self.key);
                    number
                }
                _ => number % rows.len() as u64,
            };
            let row = &rows[usize::try_from(row).expect("small")];
            for (value, text) in feed["values"].as_array().expect("a list").iter().zip(row) {
                let value = usize::try_from(value.as_u64().expect("an index")).expect("small");
                self.scene.values[value] = Some(Held::Text(text.clone(), false));
            }
        }
        for one in self.group["let"].as_array().expect("a list") {
            let value = usize::try_from(one["value"].as_u64().expect("an index")).expect("small");
            self.scene.values[value] = None;
            self.scene.values[value] = self.scene.made(one);
        }
    }

    fn nodes(&mut self, nodes: &Value) {
        for node in nodes.as_array().expect("a list") {
            let before = self.step;
            if node["send"].is_object() {
                self.send(&node["send"]);
                self.step += 1;
            } else if node["choose"].is_object() {
                self.choose(&node["choose"]);
            } else {
                self.repeat(&node["repeat"]);
            }
            self.step = before + sends(&Value::Array(vec![node.clone()]));
        }
    }

    fn choose(&mut self, choose: &Value) {
        let alternatives = choose["alternatives"].as_array().expect("a list");
        let weights = alternatives
            .iter()
            .map(|one| one["weight"].as_u64().expect("a number"));
        let mut roll = below(
            self.scene.draw(Purpose::Choose, &choose["draw"]),
            weights.sum(),
        );
        let mut is_chosen = false;
        for one in alternatives {
            let weight = one["weight"].as_u64().expect("a number");
            if !is_chosen && roll < weight {
                is_chosen = true;
                self.nodes(&one["steps"]);
            } else {
                self.step += sends(&one["steps"]);
            }
            roll = roll.saturating_sub(weight);
        }
    }

    fn repeat(&mut self, repeat: &Value) {
        let first = self.step;
        if sends(&repeat["steps"]) == 0 {
            return;
        }
        let times = self.scene.integer(&repeat["times"]);
        let Some(times) = times.filter(|times| (0..=1_000).contains(times)) else {
            return self.unsendable(first_send(&repeat["steps"]).expect("there is one"));
        };
        for turn in 0..times {
            self.scene.turns.push(turn.cast_unsigned());
            self.step = first;
            self.nodes(&repeat["steps"]);
            self.scene.turns.pop();
        }
    }

    /// The next row, if the session came so far; else it has ended before, or does so here.
    fn next_row(&mut self, operation: u64) -> Option<Row> {
        if self.end.is_none() {
            if let Some(row) = self.rows.next() {
                assert_eq!(row.step, self.step, "{:?}", self.key);
                self.offered += 1;
                return Some(*row);
            }
            self.end = Some(End::Cut);
        }
        let end = self.end.expect("has ended");
        self.count_step(operation, &format!("unreached {}", end.name()));
        None
    }

    /// A request of which it cannot be said how often it comes.
    fn unsendable(&mut self, send: &Value) {
        let operation = send["operation"].as_u64().expect("an index");
        if let Some(row) = self.next_row(operation) {
            let is_sent = row.not_sent != Some(NotSent::Unsendable);
            assert!(
                !is_sent || self.is_not_sent(&row),
                "{:?}: {row:?}",
                self.key
            );
            self.ended(operation, &row, Outcome::NotSent, false);
        }
    }

    /// Whether time had it that a request was not sent.
    fn is_not_sent(&self, row: &Row) -> bool {
        let is_rate = self.group["arrivals"]["rate"].is_object();
        let causes = [Some(NotSent::NoConnection), Some(NotSent::NoPlace)];
        is_rate && causes.contains(&row.not_sent)
    }

    fn send(&mut self, send: &Value) {
        let operation = send["operation"].as_u64().expect("an index");
        if self.end.is_none() && send["when"].is_u64() {
            let held = self.scene.value(&send["when"]);
            let is_there = held.is_some_and(|held| *held != Held::Text(String::new(), false));
            if !is_there {
                return self.count_step(operation, "skipped");
            }
        }
        let Some(row) = self.next_row(operation) else {
            return;
        };
        let group = self.group;
        let of = &group["operations"][usize::try_from(operation).expect("small")];
        if self.is_not_sent(&row) {
            return self.ended(operation, &row, Outcome::NotSent, false);
        }
        let Some(request) = self.request(of) else {
            assert_eq!(row.not_sent, Some(NotSent::Unsendable), "{:?}", self.key);
            return self.ended(operation, &row, Outcome::NotSent, false);
        };
        let asked = self
            .asked
            .next()
            .unwrap_or_else(|| panic!("{:?} asked no more", self.key));
        assert_eq!(
            String::from_utf8_lossy(asked),
            String::from_utf8_lossy(&request),
            "{:?}",
            self.key
        );
        self.sent += 1;
        if row.outcome == Outcome::Unanswered {
            return self.ended(operation, &row, Outcome::Unanswered, false);
        }
        match deed(self.world.mood, self.key, self.sent - 1) {
            Deed::Answers(answer) => self.answered(operation, of, &row, &answer),
            Deed::Closes(_) => self.ended(operation, &row, Outcome::Read, false),
            Deed::Nothing => self.ended(operation, &row, Outcome::Timeout, false),
            Deed::Garbage => self.ended(operation, &row, Outcome::Protocol, false),
        }
    }

    fn answered(&mut self, operation: u64, of: &Value, row: &Row, answer: &Answer) {
        assert_eq!(row.status, answer.status, "{:?}", self.key);
        self.take_cookies(of, answer);
        let verdict = judge(of, answer, &self.scene);
        let cell = Self::cell(of, answer.status);
        let status = answer.status;
        count(self.counts, format!("{cell} status {status}"));
        let outcome = match verdict.failed {
            None => Outcome::Ok,
            Some(FailedCheck::Status) => Outcome::Status,
            Some(_) => Outcome::Check,
        };
        if let Some(failed) = verdict.failed {
            count(self.counts, format!("{cell} failed {failed:?}"));
        }
        for (value, held) in verdict.captured {
            self.scene.values[value] = held;
        }
        count(self.counts, format!("{cell} {outcome:?}"));
        self.ended(operation, row, outcome, verdict.ends);
    }

    /// The cell of a status: the first that is expected, and any other, are those of the operation.
    fn cell(of: &Value, status: u16) -> String {
        let name = of["cell"].as_str().expect("a name");
        let statuses = of["check"]["status"]
            .as_array()
            .expect("a list")
            .iter()
            .skip(1);
        let mut further = statuses.chain(of["check"]["or_end"].as_array().expect("a list"));
        if further.any(|one| one.as_u64() == Some(status.into())) {
            return format!("{name}.{status}");
        }
        name.to_owned()
    }

    /// What follows from the outcome of a request.
    fn ended(&mut self, operation: u64, row: &Row, outcome: Outcome, ends: bool) {
        assert_eq!(row.outcome, outcome, "{:?}: {row:?}", self.key);
        let of = &self.group["operations"][usize::try_from(operation).expect("small")];
        if !outcome.is_response() {
            let cell = of["cell"].as_str().expect("a name");
            count(self.counts, format!("{cell} {outcome:?}"));
        }
        if outcome == Outcome::Ok {
            if ends {
                self.end = Some(End::Early);
            }
            return;
        }
        for one in of["captures"].as_array().expect("a list") {
            let value = usize::try_from(one["value"].as_u64().expect("an index")).expect("small");
            self.scene.values[value] = None;
        }
        // An arrival that is not sent never began, so that it cannot go on.
        let never_began = self.offered == 1 && self.is_not_sent(row);
        let goes_on = of["on_failure"] == "go_on" && !never_began;
        if !goes_on {
            self.end = Some(End::Aborted);
            self.count(&format!("aborted {outcome:?}"));
            self.count_step(operation, "aborted at");
        }
    }

    fn finish(&mut self) {
        assert_eq!(self.rows.len(), 0, "{:?} did more than it should", self.key);
        assert_eq!(
            self.asked.len(),
            0,
            "{:?} asked more than it should",
            self.key
        );
        match self.end {
            None => self.count("finished"),
            Some(End::Early) => {
                self.count("finished");
                self.count("ended early");
            }
            Some(End::Cut) => self.count("cut"),
            Some(End::Aborted) => {}
        }
    }
}
