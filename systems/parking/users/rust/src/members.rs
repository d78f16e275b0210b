//! The members of a body, each read by what it must be. The first fault of each is noted, in the order in
//! which they are read: that of the SPEC.

use std::ops::RangeInclusive;

use serde_json::{Map, Number, Value};

use crate::problems::{Fault, Kind, Problem};
use crate::words::Word;

/// The members of a body that were not read yet, and what is wrong with those that were.
#[derive(Debug)]
pub struct Members {
    unread: Map<String, Value>,
    faults: Vec<Fault>,
    /// Whether one is of another type than it must be.
    is_malformed: bool,
}

/// What is wrong with a member.
pub type Code = &'static str;

enum Wrong {
    Type,
    Value(Code),
}

impl Members {
    /// Reads one object of JSON. The parser takes UTF-8 alone, no half of a surrogate, and a depth that its
    /// stack bears.
    ///
    /// # Errors
    /// It is none.
    pub fn parse(body: &[u8]) -> Result<Self, Problem> {
        let unread = serde_json::from_slice(body).map_err(|_| Kind::Malformed)?;
        Ok(Self {
            unread,
            faults: Vec::new(),
            is_malformed: false,
        })
    }

    /// A text; `fault` tells what is wrong with it.
    pub fn text(
        &mut self,
        pointer: &'static str,
        fault: impl FnOnce(&str) -> Option<Code>,
    ) -> Option<String> {
        self.member(pointer, |value| {
            let Value::String(text) = value else {
                return Err(Wrong::Type);
            };
            fault(&text).map_or(Ok(text), |code| Err(Wrong::Value(code)))
        })
    }

    /// A word out of a list.
    pub fn word<W: Word>(&mut self, pointer: &'static str) -> Option<W> {
        self.member(pointer, |value| {
            let text = value.as_str().ok_or(Wrong::Type)?;
            W::of(text).ok_or(Wrong::Value("unknown-value"))
        })
    }

    /// A whole number.
    pub fn integer<N: TryFrom<i64>>(
        &mut self,
        pointer: &'static str,
        range: RangeInclusive<i64>,
    ) -> Option<N> {
        self.member(pointer, |value| {
            let number = integer_of(&value)?.filter(|number| range.contains(number));
            let number = number.and_then(|number| N::try_from(number).ok());
            number.ok_or(Wrong::Value("range"))
        })
    }

    /// An array of whole numbers; `fault` tells what is wrong with it. One that is beyond 64 bits is 0 in it.
    pub fn integers(
        &mut self,
        pointer: &'static str,
        fault: impl FnOnce(&[i64]) -> Option<Code>,
    ) -> Option<Vec<i64>> {
        self.member(pointer, |value| {
            let elements = value.as_array().ok_or(Wrong::Type)?;
            let read = |element| Ok(integer_of(element)?.unwrap_or_default());
            let numbers = elements.iter().map(read).collect::<Result<Vec<_>, _>>()?;
            fault(&numbers).map_or(Ok(numbers), |code| Err(Wrong::Value(code)))
        })
    }

    /// Notes a fault of a member that was read.
    pub fn note(&mut self, pointer: &'static str, code: Code) {
        self.faults.push(Fault { pointer, code });
    }

    /// What was made of the members.
    ///
    /// # Errors
    /// One is of another type, one was not read, or one has a fault.
    pub fn finish<T>(self, make: impl FnOnce() -> Option<T>) -> Result<T, Problem> {
        if self.is_malformed {
            return Err(Kind::Malformed.into());
        }
        if !self.unread.is_empty() {
            return Err(Kind::UnknownMember.into());
        }
        let whole = make().filter(|_| self.faults.is_empty());
        whole.ok_or_else(|| Problem::invalid(self.faults))
    }

    /// Null is as if it were missing.
    fn member<T>(
        &mut self,
        pointer: &'static str,
        read: impl FnOnce(Value) -> Result<T, Wrong>,
    ) -> Option<T> {
        let found = self.unread.remove(&pointer[1..]);
        let Some(value) = found.filter(|value| !value.is_null()) else {
            self.note(pointer, "required");
            return None;
        };
        match read(value) {
            Ok(member) => return Some(member),
            Err(Wrong::Type) => self.is_malformed = true,
            Err(Wrong::Value(code)) => self.note(pointer, code),
        }
        None
    }
}

/// A whole number, if it is known to be in 64 bits.
fn integer_of(value: &Value) -> Result<Option<i64>, Wrong> {
    match value {
        Value::Number(number) if !number.is_f64() => Ok(Number::as_i64(number)),
        _ => Err(Wrong::Type),
    }
}

/// For texts of so many code points, none of which is a control.
pub fn characters(text: &str, lengths: RangeInclusive<usize>) -> Option<Code> {
    length(text.chars().count(), lengths)
        .or_else(|| text.contains(char::is_control).then_some("characters"))
}

/// For texts of so many characters of visible ASCII.
pub fn visible(text: &str, lengths: RangeInclusive<usize>) -> Option<Code> {
    let is_visible = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
    length(text.chars().count(), lengths).or_else(|| (!is_visible(text)).then_some("characters"))
}

/// For what has so many parts.
pub fn length(length: usize, lengths: RangeInclusive<usize>) -> Option<Code> {
    if length < *lengths.start() {
        Some("too-short")
    } else if length > *lengths.end() {
        Some("too-long")
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
