//! The members of a body, each read by what it must be. The first fault of each is noted, in the order in
//! which they are read: that of the SPEC.

use std::ops::RangeInclusive;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::http::request::Parts;
use serde_json::{Map, Value};

use crate::body::Received;
use crate::instant::{self, Instant};
use crate::problems::{Fault, Kind, Problem};

/// A body of JSON, which should be an object.
#[derive(Debug)]
pub struct Members {
    /// There are none of another value. It has the one fault, and is told after what is not well formed.
    found: Option<Map<String, Value>>,
    faults: Vec<Fault>,
}

const NO_OBJECT: Fault = Fault {
    pointer: "",
    code: "type",
};

/// What is wrong with a member.
pub type Code = &'static str;

impl<S: Send + Sync> FromRequestParts<S> for Members {
    type Rejection = Problem;

    /// Faults are found in the order of the SPEC: size, type, JSON.
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let received = parts.extensions.get::<Received>();
        if matches!(received, Some(Received::TooLarge)) {
            return Err(Kind::TooLarge.into());
        }
        if !is_json_type(&parts.headers) {
            return Err(Kind::UnsupportedMediaType.into());
        }
        match received {
            Some(Received::Whole(body)) => Self::parse(body),
            _ => Err(Kind::Malformed.into()),
        }
    }
}

impl Members {
    /// Reads one value of JSON. The parser takes UTF-8 alone, and a depth that its stack bears.
    ///
    /// # Errors
    /// It is no JSON.
    pub fn parse(body: &[u8]) -> Result<Self, Problem> {
        match serde_json::from_slice(body) {
            Ok(Value::Object(found)) => Ok(Self {
                found: Some(found),
                faults: Vec::new(),
            }),
            Ok(_) => Ok(Self {
                found: None,
                faults: vec![NO_OBJECT],
            }),
            Err(_) => Err(Kind::Malformed.into()),
        }
    }

    /// A text of so many characters.
    pub fn text(
        &mut self,
        pointer: &'static str,
        lengths: RangeInclusive<usize>,
    ) -> Option<String> {
        self.member(pointer, None, |value| text_of(value, &lengths))
    }

    /// A text of at most so many characters, empty where there is none.
    pub fn text_or_empty(&mut self, pointer: &'static str, most: usize) -> Option<String> {
        self.member(pointer, Some(String::new()), |value| {
            text_of(value, &(0..=most))
        })
    }

    /// A text that a caller must know; whether it is right is not told here.
    pub fn any_text(&mut self, pointer: &'static str) -> Option<String> {
        self.text(pointer, 0..=usize::MAX)
    }

    /// What a text of a shape of its own means.
    pub fn shaped<T>(
        &mut self,
        pointer: &'static str,
        read: impl FnOnce(&str) -> Result<T, Code>,
    ) -> Option<T> {
        self.member(pointer, None, |value| read(&plain(value)?))
    }

    /// A whole number.
    pub fn integer<N: TryFrom<i64>>(
        &mut self,
        pointer: &'static str,
        range: RangeInclusive<i64>,
    ) -> Option<N> {
        self.member(pointer, None, |value| integer_of(&value, &range))
    }

    /// A whole number, with a default.
    pub fn integer_or<N: TryFrom<i64>>(
        &mut self,
        pointer: &'static str,
        default: N,
        range: RangeInclusive<i64>,
    ) -> Option<N> {
        self.member(pointer, Some(default), |value| integer_of(&value, &range))
    }

    /// A whole number out of a list.
    pub fn listed_integer<N: TryFrom<i64>>(
        &mut self,
        pointer: &'static str,
        list: &[i64],
    ) -> Option<N> {
        self.member(pointer, None, |value| {
            let number = value.as_i64().ok_or("type")?;
            let is_listed = list.contains(&number);
            let number = N::try_from(number).ok().filter(|_| is_listed);
            number.ok_or("unknown-value")
        })
    }

    /// A word out of a list, by what it means.
    pub fn word<T: Copy>(
        &mut self,
        pointer: &'static str,
        default: Option<T>,
        words: &[(&str, T)],
    ) -> Option<T> {
        self.member(pointer, default, |value| {
            let text = plain(value)?;
            let meant = words.iter().find(|(word, _)| *word == text);
            meant.map(|(_, meaning)| *meaning).ok_or("unknown-value")
        })
    }

    /// An instant that is behind `now`, in the years that the service knows.
    pub fn future(&mut self, pointer: &'static str, now: Instant) -> Option<Instant> {
        self.shaped(pointer, |text| {
            let instant = instant::read(text).ok_or("format")?;
            if !instant::is_in_range(&instant) {
                Err("range")
            } else if instant <= now {
                Err("in-past")
            } else {
                Ok(instant)
            }
        })
    }

    /// Notes a fault that a member has beside others.
    pub fn note(&mut self, pointer: &'static str, code: Code) {
        self.faults.push(Fault { pointer, code });
    }

    /// What was made of the members.
    ///
    /// # Errors
    /// One of them has a fault.
    pub fn finish<T>(self, make: impl FnOnce() -> Option<T>) -> Result<T, Problem> {
        let whole = make().filter(|_| self.faults.is_empty());
        whole.ok_or_else(|| Problem::invalid(self.faults))
    }

    /// Null is as if it were missing.
    fn member<T>(
        &mut self,
        pointer: &'static str,
        default: Option<T>,
        read: impl FnOnce(Value) -> Result<T, Code>,
    ) -> Option<T> {
        let found = self.found.as_mut()?.remove(&pointer[1..]);
        let read = match (found.filter(|value| !value.is_null()), default) {
            (Some(value), _) => read(value),
            (None, Some(default)) => Ok(default),
            (None, None) => Err("required"),
        };
        read.map_err(|code| self.note(pointer, code)).ok()
    }
}

/// A text that the database can keep.
fn plain(value: Value) -> Result<String, Code> {
    match value {
        Value::String(text) if text.contains('\0') => Err("format"),
        Value::String(text) => Ok(text),
        _ => Err("type"),
    }
}

fn text_of(value: Value, lengths: &RangeInclusive<usize>) -> Result<String, Code> {
    let text = plain(value)?;
    let length = text.chars().count();
    if length < *lengths.start() {
        Err("too-short")
    } else if length > *lengths.end() {
        Err("too-long")
    } else {
        Ok(text)
    }
}

fn integer_of<N: TryFrom<i64>>(value: &Value, range: &RangeInclusive<i64>) -> Result<N, Code> {
    let number = value.as_i64().ok_or("type")?;
    let is_in_range = range.contains(&number);
    let number = N::try_from(number).ok().filter(|_| is_in_range);
    number.ok_or("range")
}

/// Ignores parameters.
fn is_json_type(headers: &HeaderMap) -> bool {
    let value = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    let media_type = value.and_then(|value| value.split(|byte| *byte == b';').next());
    media_type.is_some_and(|media_type| {
        let media_type = media_type.trim_ascii();
        media_type.eq_ignore_ascii_case(b"application/json")
    })
}

#[cfg(test)]
mod tests;
