//! Answers, judged as the plan's JSON says it, by `serde_json` on whole bodies.

use serde_json::Value;

use super::server::{Answer, Coding};
use super::texts::{Held, Scene};
use crate::arrivals::random::mix;
use crate::outcome::FailedCheck;
use crate::session::draws::{Purpose, below};

/// What an answer means for its session.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// What it does not hold.
    pub failed: Option<FailedCheck>,
    /// Whether the session has ended, though the answer is ok.
    pub ends: bool,
    /// What is captured, by the index of the value.
    pub captured: Vec<(usize, Option<Held>)>,
}

impl Verdict {
    fn failed(check: FailedCheck) -> Self {
        Self {
            failed: Some(check),
            ends: false,
            captured: Vec::new(),
        }
    }
}

/// The values of an answer's headers of this name.
fn headers<'a>(answer: &'a Answer, name: &'a str) -> impl DoubleEndedIterator<Item = &'a str> {
    let named = answer
        .headers
        .iter()
        .filter(|header| header.0.eq_ignore_ascii_case(name));
    named.map(|header| header.1.as_str())
}

/// All that a pointer leads to.
fn find<'a>(value: &'a Value, tokens: &[Value]) -> Vec<&'a Value> {
    let Some((token, rest)) = tokens.split_first() else {
        return vec![value];
    };
    let token = token.as_str().expect("a text");
    match value {
        Value::Array(list) if token == "*" => list.iter().flat_map(|one| find(one, rest)).collect(),
        Value::Array(list) => {
            let element = token.parse().ok().and_then(|index: usize| list.get(index));
            element.map_or(vec![], |one| find(one, rest))
        }
        Value::Object(members) => members.get(token).map_or(vec![], |one| find(one, rest)),
        _ => vec![],
    }
}

/// The text of a string, number or boolean.
fn scalar(value: &Value) -> Option<Held> {
    match value {
        Value::String(text) => Some(Held::Text(text.clone(), false)),
        Value::Number(_) | Value::Bool(_) => Some(Held::Text(value.to_string(), true)),
        _ => None,
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Judges an answer to an operation.
pub fn judge(operation: &Value, answer: &Answer, scene: &Scene) -> Verdict {
    let check = &operation["check"];
    let is_in = |statuses: &Value| list(statuses).contains(&answer.status.into());
    let any_is_fine = list(&check["status"]).is_empty() && (200..300).contains(&answer.status);
    if !any_is_fine && !is_in(&check["status"]) {
        if !is_in(&check["or_end"]) {
            return Verdict::failed(FailedCheck::Status);
        }
        return Verdict {
            failed: None,
            ends: true,
            captured: Vec::new(),
        };
    }
    let captures = list(&operation["captures"]);
    let asks_json = !list(&check["json"]).is_empty();
    let captures_json = captures.iter().any(|one| one["from"]["json"].is_array());
    let looks_into_body = asks_json || captures_json || !check["body_contains"].is_null();
    if looks_into_body && answer.coding == Some(Coding::Broken) {
        return Verdict::failed(FailedCheck::Coding);
    }
    let parsed: Option<Value> = serde_json::from_slice(&answer.body).ok();
    if (asks_json || captures_json) && parsed.is_none() {
        let failed = if asks_json {
            FailedCheck::Json
        } else {
            FailedCheck::Capture
        };
        return Verdict::failed(failed);
    }
    let body = parsed.unwrap_or_default();
    if !list(&check["json"])
        .iter()
        .all(|one| holds(one, &body, scene))
    {
        return Verdict::failed(FailedCheck::Json);
    }
    let Some((taken, ends)) = capture(captures, answer, &body, scene) else {
        return Verdict::failed(FailedCheck::Capture);
    };
    for one in list(&check["header"]) {
        let value = headers(answer, one["name"].as_str().expect("a name")).next();
        let holds = match one["is"].as_str() {
            Some("present") => value.is_some(),
            Some(_) => value.is_none(),
            None => scene.text(&one["is"]["text"]).ok().as_deref() == value && value.is_some(),
        };
        if !holds {
            return Verdict::failed(FailedCheck::Header);
        }
    }
    if check["body_contains"].is_array() {
        let text = scene
            .text(&check["body_contains"])
            .expect("was put together");
        let is_in = memchr::memmem::find(&answer.body, text.as_bytes()).is_some();
        if !is_in {
            return Verdict::failed(FailedCheck::Text);
        }
    }
    Verdict {
        failed: None,
        ends,
        captured: taken,
    }
}

fn holds(check: &Value, body: &Value, scene: &Scene) -> bool {
    let found = find(body, list(&check["pointer"]));
    if let Some(word) = check["is"].as_str() {
        return (word == "present") != found.is_empty();
    }
    let is = &check["is"];
    if let Some(value) = is.get("value") {
        return found.contains(&value);
    }
    let text = scene.text(&is["text"]).expect("was put together");
    let is_text = |one: &&Value| matches!(scalar(one), Some(Held::Text(other, _)) if other == text);
    found.iter().any(is_text)
}

type Captured = (Vec<(usize, Option<Held>)>, bool);

fn capture(captures: &[Value], answer: &Answer, body: &Value, scene: &Scene) -> Option<Captured> {
    let (mut taken, mut ends) = (Vec::new(), false);
    for one in captures {
        let index = usize::try_from(one["value"].as_u64().expect("an index")).expect("small");
        let from = &one["from"];
        let found = if from["json"].is_array() {
            let found = find(body, list(&from["json"]));
            let mut found: Vec<Held> = found.into_iter().filter_map(scalar).collect();
            let place = match one["pick"].as_str() {
                Some("random") => {
                    // The n-th takes the place of the one before with a chance of 1 in n.
                    let bits = scene.draw(Purpose::Pick, &one["draw"]);
                    let is_next = |number: &u64| below(mix(bits ^ number), number + 1) == 0;
                    (0..found.len() as u64).rfind(is_next).unwrap_or(0)
                }
                Some(_) => 0,
                None => scene
                    .integer(&one["pick"]["index"])
                    .expect("was computed")
                    .cast_unsigned(),
            };
            let place = usize::try_from(place).expect("small");
            (place < found.len()).then(|| found.swap_remove(place))
        } else if let Some(name) = from["header"].as_str() {
            headers(answer, name)
                .next()
                .map(|text| Held::Text(text.to_owned(), false))
        } else {
            let name = from["cookie"].as_str().expect("a name");
            let pairs = headers(answer, "set-cookie").filter_map(|line| {
                let pair = line.split(';').next()?;
                pair.split_once('=')
            });
            let mut of_name = pairs.filter(|pair| pair.0 == name);
            of_name
                .next_back()
                .map(|pair| Held::Text(pair.1.to_owned(), false))
        };
        let held = match (found, one["or"].as_str()) {
            (Some(held), _) => Some(held),
            (None, Some("fail")) => return None,
            (None, Some(_)) => {
                ends = true;
                None
            }
            (None, None) => Some(Held::Text("instead".to_owned(), false)),
        };
        taken.push((index, held));
    }
    Some((taken, ends))
}
