//! Texts that are put together for each request: prepared once, rendered as often as needed.
//!
//! A request whose text may not stand in its place is not sent: a place escapes what it can, and what
//! it cannot is `Unsendable`. So no value can make two requests of one.

use memchr::{memchr2, memrchr};
use std::ops::Range;
use thiserror::Error;

use crate::plan::session_format::{Piece, Place};
use crate::session::integer::IntegerError;
use crate::session::json_number::is_number;
use crate::session::occasion::Context;
use crate::session::source::{Source, Text};
use crate::session::values::{Value, ValueError};
use crate::session::{decimal, escape};

/// As long as a text may become.
pub const MOST_RENDERED_BYTES: usize = 1 << 20;

/// Why a request cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unsendable {
    /// The session does not have the value of this index.
    #[error("a value is missing")]
    Missing(usize),
    /// A header may not hold it.
    #[error("a value has bytes that may not stand in a header")]
    Header,
    /// A header begins or ends with a blank.
    #[error("a header begins or ends with a blank")]
    Blank,
    /// A segment of the path is `.` or `..`, which leads elsewhere.
    #[error("a segment of the path is . or ..")]
    DotSegment,
    /// What should be a path of the target is none.
    #[error("a value is no path of the target")]
    Location,
    /// What should be a number of JSON is none.
    #[error("a value is no number")]
    Number,
    /// What should be an integer is none, or is beyond 64 bits.
    #[error("an integer cannot be computed")]
    Integer,
    /// A year has other than four digits.
    #[error("a date is not in the years 0 to 9999")]
    Date,
    /// It became too long.
    #[error("a text becomes longer than {MOST_RENDERED_BYTES} bytes")]
    TooLong,
    /// The session has no room for a value.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// Steps are to be repeated a number of times that is none, or too large.
    #[error("steps cannot be repeated so often")]
    Repeat,
}

/// A text, prepared.
#[derive(Clone, Debug)]
pub struct Template {
    parts: Box<[Part]>,
    literals: Box<[u8]>,
    is_header: bool,
}

#[derive(Clone, Debug)]
enum Part {
    /// Where it stands among the literals.
    Literal(Range<usize>),
    Placed(Source, Place),
}

impl Template {
    /// Prepares a text.
    ///
    /// # Errors
    /// If terms in it are no integer.
    pub fn new(pieces: &[Piece]) -> Result<Self, IntegerError> {
        let (mut parts, mut literals) = (Vec::new(), Vec::new());
        let mut is_header = false;
        for piece in pieces {
            match piece {
                Piece::Literal(text) => {
                    let start = literals.len();
                    literals.extend_from_slice(text.as_bytes());
                    match parts.last_mut() {
                        Some(Part::Literal(last)) => last.end = literals.len(),
                        _ => parts.push(Part::Literal(start..literals.len())),
                    }
                }
                Piece::Placed(placed) => {
                    is_header |= placed.place == Place::Header;
                    parts.push(Part::Placed(Source::new(&placed.expression)?, placed.place));
                }
            }
        }
        Ok(Self {
            parts: parts.into(),
            literals: literals.into(),
            is_header,
        })
    }

    /// The text, if it is always the same.
    #[must_use]
    pub fn constant_bytes(&self) -> Option<&[u8]> {
        match &*self.parts {
            [] | [Part::Literal(_)] => Some(&self.literals),
            _ => None,
        }
    }

    /// Whether it is always the same.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.constant_bytes().is_some()
    }

    /// What it is, if it is one expression and no more.
    #[must_use]
    pub fn only(&self) -> Option<&Source> {
        match &*self.parts {
            [Part::Placed(source, _)] => Some(source),
            _ => None,
        }
    }

    /// Appends the text, or nothing.
    ///
    /// # Errors
    /// If a value is missing, or may not stand where it should.
    pub fn render(&self, context: &Context, out: &mut Vec<u8>) -> Result<(), Unsendable> {
        let start = out.len();
        let rendered = self.append(context, out);
        if rendered.is_err() {
            out.truncate(start);
        }
        rendered
    }

    fn append(&self, context: &Context, out: &mut Vec<u8>) -> Result<(), Unsendable> {
        let start = out.len();
        // Where the segment of a path begins that holds a value and has not ended yet.
        let mut segment = None;
        for part in &self.parts {
            let before = out.len();
            match part {
                Part::Literal(range) => {
                    out.extend_from_slice(&self.literals[range.clone()]);
                    if let Some(begin) = segment
                        && let Some(length) = memchr2(b'/', b'?', &out[before..])
                    {
                        check_segment(&out[begin..before + length])?;
                        segment = None;
                    }
                }
                Part::Placed(source, place) => {
                    if *place == Place::Segment && segment.is_none() {
                        let slash = memrchr(b'/', &out[start..]);
                        segment = Some(slash.map_or(start, |slash| start + slash + 1));
                    }
                    put(source, *place, context, out)?;
                }
            }
            if out.len() - start > MOST_RENDERED_BYTES {
                return Err(Unsendable::TooLong);
            }
        }
        if let Some(begin) = segment {
            check_segment(&out[begin..])?;
        }
        if self.is_header && matches!(&out[start..], [b' ', ..] | [.., b' ']) {
            return Err(Unsendable::Blank);
        }
        Ok(())
    }
}

fn check_segment(segment: &[u8]) -> Result<(), Unsendable> {
    if matches!(segment, b"." | b"..") {
        return Err(Unsendable::DotSegment);
    }
    Ok(())
}

fn put(
    source: &Source,
    place: Place,
    context: &Context,
    out: &mut Vec<u8>,
) -> Result<(), Unsendable> {
    match source {
        Source::Value(index) => match context.value(*index) {
            None => Err(Unsendable::Missing(*index)),
            Some(Value::Integer(integer)) => put_integer(integer, place, out),
            Some(Value::Text { bytes, is_bare }) => put_text(bytes, is_bare, place, context, out),
        },
        Source::Number(number) => {
            let integer = number.get(context).ok_or(Unsendable::Integer)?;
            put_integer(integer, place, out)
        }
        Source::Text(text) => put_computed(text, place, context, out),
    }
}

/// Digits and a sign mean the same everywhere.
fn put_integer(integer: i64, place: Place, out: &mut Vec<u8>) -> Result<(), Unsendable> {
    if place == Place::Location {
        return Err(Unsendable::Location);
    }
    decimal::push(integer, out);
    Ok(())
}

fn put_text(
    text: &[u8],
    is_bare: bool,
    place: Place,
    context: &Context,
    out: &mut Vec<u8>,
) -> Result<(), Unsendable> {
    if text.len() > MOST_RENDERED_BYTES {
        return Err(Unsendable::TooLong);
    }
    match place {
        Place::Segment | Place::Query => escape::percent(text, out),
        Place::Form => escape::form(text, out),
        Place::Location => {
            let origin = context.occasion.origin;
            let path = escape::location(text, origin).ok_or(Unsendable::Location)?;
            out.extend_from_slice(path);
        }
        Place::Header if !escape::is_header(text) => return Err(Unsendable::Header),
        Place::JsonString => escape::json_string(text, out),
        Place::Json if !is_bare => {
            out.push(b'"');
            escape::json_string(text, out);
            out.push(b'"');
        }
        Place::JsonNumber if !is_number(text) => return Err(Unsendable::Number),
        Place::Header | Place::Json | Place::JsonNumber | Place::Raw => {
            out.extend_from_slice(text);
        }
    }
    Ok(())
}

/// Computed texts need no escape but in a path, a query or a form, which is put in where they stand.
fn put_computed(
    text: &Text,
    place: Place,
    context: &Context,
    out: &mut Vec<u8>,
) -> Result<(), Unsendable> {
    match place {
        Place::Segment | Place::Query | Place::Form => {
            let start = out.len();
            text.write(context, out)?;
            escape::percent_in_place(out, start);
        }
        Place::Json => {
            out.push(b'"');
            text.write(context, out)?;
            out.push(b'"');
        }
        Place::Header | Place::JsonString | Place::Raw => text.write(context, out)?,
        Place::Location => return Err(Unsendable::Location),
        Place::JsonNumber => return Err(Unsendable::Number),
    }
    Ok(())
}

#[cfg(test)]
mod tests;
