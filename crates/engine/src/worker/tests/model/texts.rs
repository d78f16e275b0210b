//! Texts put together as the plan's JSON says it, piece by piece, by other means than the engine's.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Number, Value};

use crate::session::draws::{Drawer, Purpose, between, run_key, uuid};

/// Why a text cannot be put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsendable;

/// A value of a session.
#[derive(Clone, Debug, PartialEq)]
pub enum Held {
    /// An integer.
    Integer(i64),
    /// A text; bare as JSON, if it was a number or boolean there.
    Text(String, bool),
}

impl Held {
    pub fn integer(&self) -> Option<i64> {
        match self {
            Self::Integer(integer) => Some(*integer),
            Self::Text(text, _) => text.parse().ok(),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Integer(integer) => integer.to_string(),
            Self::Text(text, _) => text.clone(),
        }
    }
}

/// All that a text depends on.
#[derive(Clone, Debug)]
pub struct Scene {
    pub values: Vec<Option<Held>>,
    pub seed: u64,
    pub group: u64,
    pub session: u64,
    pub user: u64,
    /// Of all repeats, the innermost last.
    pub turns: Vec<u64>,
}

/// What an expression comes to.
enum Come {
    Held(Held),
    /// Of visible ASCII.
    Computed(String),
}

impl Scene {
    pub fn draw(&self, purpose: Purpose, number: &Value) -> u64 {
        let drawer = Drawer {
            seed: self.seed,
            group: self.group,
            session: self.session,
            turn: self
                .turns
                .iter()
                .fold(0, |outer, turn| outer * 1_000 + turn),
        };
        let number = number.as_u64().unwrap_or(0);
        drawer.draw(purpose, u32::try_from(number).expect("a small number"))
    }

    pub fn value(&self, index: &Value) -> Option<&Held> {
        let index = usize::try_from(index.as_u64().expect("an index")).expect("a small one");
        self.values[index].as_ref()
    }

    /// The integer that an expression is.
    pub fn integer(&self, expression: &Value) -> Option<i64> {
        match self.come(expression).ok()? {
            Come::Held(held) => held.integer(),
            Come::Computed(_) => None,
        }
    }

    pub fn terms(&self, terms: &Value) -> Option<i64> {
        let mut stack = Vec::new();
        for term in terms.as_array().expect("a list") {
            let number = match term {
                Value::Number(number) => number.as_i64()?,
                Value::Object(value) => self.value(&value["value"])?.integer()?,
                _ => match term.as_str().expect("a word") {
                    "session_number" => self.session.cast_signed(),
                    "user_number" => self.user.cast_signed(),
                    "turn" => self.turns.last().copied().unwrap_or(0).cast_signed(),
                    operator => {
                        let (right, left): (i64, i64) = (stack.pop()?, stack.pop()?);
                        match operator {
                            "+" => left.checked_add(right)?,
                            "-" => left.checked_sub(right)?,
                            "*" => left.checked_mul(right)?,
                            "/" => left.checked_div(right)?,
                            _ => left.checked_rem(right)?,
                        }
                    }
                },
            };
            stack.push(number);
        }
        stack.pop()
    }

    fn come(&self, expression: &Value) -> Result<Come, Unsendable> {
        let number = |number: u64| Ok(Come::Held(Held::Integer(number.cast_signed())));
        if let Some(word) = expression.as_str() {
            return match word {
                "session_number" => number(self.session),
                "user_number" => number(self.user),
                _ => number(self.turns.last().copied().unwrap_or(0)),
            };
        }
        let (kind, of) = expression
            .as_object()
            .and_then(|one| one.iter().next())
            .expect("an expression");
        Ok(match kind.as_str() {
            "value" => Come::Held(self.value(of).cloned().ok_or(Unsendable)?),
            "integer" => Come::Held(Held::Integer(self.terms(of).ok_or(Unsendable)?)),
            "random" => {
                let least = of["least"].as_i64().expect("a number");
                let most = of["most"].as_i64().expect("a number");
                let bits = self.draw(Purpose::Random, &of["draw"]);
                Come::Held(Held::Integer(between(bits, least, most)))
            }
            "uuid" => {
                let text = uuid(self.draw(Purpose::Uuid, &of["draw"]), run_key("model"));
                Come::Computed(String::from_utf8_lossy(&text).into_owned())
            }
            "date" => {
                let base_s = of["base_s"].as_i64().expect("a number");
                let offset_s = self.terms(&of["offset_s"]).ok_or(Unsendable)?;
                Come::Computed(day(base_s.checked_add(offset_s).ok_or(Unsendable)?)?)
            }
            _ => Come::Computed(STANDARD.encode(self.text(of)?)),
        })
    }

    /// The text of these pieces.
    pub fn text(&self, pieces: &Value) -> Result<String, Unsendable> {
        let (mut text, mut segments, mut is_header) = (String::new(), Vec::new(), false);
        for piece in pieces.as_array().expect("a list") {
            if let Some(literal) = piece.as_str() {
                text += literal;
                continue;
            }
            let place = piece["as"].as_str().expect("a place");
            is_header |= place == "header";
            if place == "segment" {
                segments.push(text.len());
            }
            let put = match self.come(&piece["expression"])? {
                Come::Held(held) => placed(&held, place)?,
                Come::Computed(computed) => match place {
                    "segment" | "query" | "form" => percent(&computed),
                    "json" => format!("\"{computed}\""),
                    "location" | "json_number" => return Err(Unsendable),
                    _ => computed,
                },
            };
            text += &put;
        }
        for at in segments {
            let start = text[..at].rfind('/').map_or(0, |slash| slash + 1);
            let end = text[start..]
                .find(['/', '?'])
                .map_or(text.len(), |length| start + length);
            if matches!(&text[start..end], "." | "..") {
                return Err(Unsendable);
            }
        }
        if is_header && text.trim_matches(' ') != text {
            return Err(Unsendable);
        }
        Ok(text)
    }

    /// The value that a `let` comes to.
    pub fn made(&self, one: &Value) -> Option<Held> {
        if one["integer"].is_array() {
            return self.terms(&one["integer"]).map(Held::Integer);
        }
        let text = self.text(&one["text"]).ok()?;
        let alone = one["text"].as_array().filter(|pieces| pieces.len() == 1);
        let held = alone.and_then(|pieces| self.come(pieces[0].get("expression")?).ok());
        Some(match held {
            Some(Come::Held(Held::Integer(integer))) => Held::Integer(integer),
            Some(Come::Held(Held::Text(_, is_bare))) => Held::Text(text, is_bare),
            _ => Held::Text(text, false),
        })
    }
}

fn placed(held: &Held, place: &str) -> Result<String, Unsendable> {
    let text = held.text();
    let is_integer = matches!(held, Held::Integer(_));
    Ok(match place {
        "segment" | "query" => percent(&text),
        "form" => percent(&text).replace("%20", "+"),
        "location" => {
            let fine = |character: char| {
                character.is_ascii_alphanumeric() || "-._~!$&'()*+,;=:@/?".contains(character)
            };
            let is_path = text.starts_with('/') && !text.starts_with("//");
            if is_integer || !is_path || !text.chars().all(fine) {
                return Err(Unsendable);
            }
            text
        }
        "header" if !text.chars().all(|one| (' '..='~').contains(&one)) => return Err(Unsendable),
        "json_string" => quoted(&text).trim_matches('"').to_owned(),
        "json" => match held {
            Held::Text(_, false) => quoted(&text),
            _ => text,
        },
        "json_number" if serde_json::from_str::<Number>(&text).is_err() => return Err(Unsendable),
        _ => text,
    })
}

fn quoted(text: &str) -> String {
    let inner: String = text
        .chars()
        .map(|one| match one {
            '"' => "\\\"".to_owned(),
            '\\' => "\\\\".to_owned(),
            '\n' => "\\n".to_owned(),
            one => one.to_string(),
        })
        .collect();
    format!("\"{inner}\"")
}

fn percent(text: &str) -> String {
    let bytes = text.bytes().map(|byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    });
    bytes.collect()
}

/// The day of a time since 1970, counted day by day from year to year.
fn day(unix_s: i64) -> Result<String, Unsendable> {
    let (mut days, mut year) = (unix_s.div_euclid(86_400), 1970);
    if !(0..=2_932_896).contains(&days) {
        return Err(Unsendable);
    }
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    while days >= 365 + i64::from(is_leap(year)) {
        days -= 365 + i64::from(is_leap(year));
        year += 1;
    }
    let mut months = [
        31,
        28 + i64::from(is_leap(year)),
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ]
    .into_iter()
    .zip(1..);
    let (_, month) = months
        .find(|(length, _)| {
            let is_in = days < *length;
            days -= if is_in { 0 } else { *length };
            is_in
        })
        .expect("a day of the year");
    Ok(format!("{year:04}-{month:02}-{:02}", days + 1))
}
