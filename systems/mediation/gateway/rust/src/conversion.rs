//! JSON to XML, by the rule of SPEC.md (TR-6 to TR-12). Pure: bytes in, bytes out.
//!
//! `serde_json` stops at 128 levels of nesting, which bounds the recursion here as well.

mod characters;
mod namespaces;

use std::borrow::Cow;

use quick_xml::Writer;
use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};
use serde_json::{Map, Number, Value};
use thiserror::Error;

use characters::is_text;
use namespaces::{Name, Namespaces};

/// Why there is no document.
#[derive(Debug, Error)]
pub enum ConversionError {
    /// It is not one value of JSON.
    #[error("the body is not JSON: {0}")]
    NotJson(#[from] serde_json::Error),
    /// A value without a name, or nothing at all.
    #[error("only an object with members, or an array, makes a document")]
    NothingNamed,
    /// A key is not a name, or its attribute is there twice.
    #[error("a key makes no name in XML")]
    NoName,
    /// Its prefix means nothing here, or cannot be declared so.
    #[error("a prefix is not declared, or wrongly")]
    Prefix,
    /// An object or array where text is wanted.
    #[error("an attribute or #content is an object or an array")]
    NoText,
    /// A character such as U+0000.
    #[error("a text has a character that XML does not have")]
    Character,
}

type Converted<T = ()> = Result<T, ConversionError>;

const ROOT: &str = "root";
const ITEM: &str = "item";
const TEXT_KEY: &str = "#content";

/// Converts a document.
///
/// # Errors
/// It is not JSON, or makes no document.
pub fn convert(json: &[u8]) -> Converted<Vec<u8>> {
    let value: Value = serde_json::from_slice(json)?;
    let mut document = Document {
        // Names stand twice in XML, and payloads of short entries about double.
        writer: Writer::new(Vec::with_capacity(2 * json.len())),
        namespaces: Namespaces::default(),
    };
    match &value {
        Value::Object(members) => match sole_element(members) {
            Some((key, value)) => document.element(key, value)?,
            None if members.is_empty() => return Err(ConversionError::NothingNamed),
            None => document.element(ROOT, &value)?,
        },
        Value::Array(_) => document.element(ROOT, &value)?,
        _ => return Err(ConversionError::NothingNamed),
    }
    Ok(document.writer.into_inner())
}

/// The one member of an object, where it makes exactly one element.
fn sole_element(members: &Map<String, Value>) -> Option<(&String, &Value)> {
    let (key, value) = members.iter().next().filter(|_| members.len() == 1)?;
    (is_element(key) && !value.is_array()).then_some((key, value))
}

fn attribute(key: &str) -> Option<&str> {
    key.strip_prefix('@')
}

fn is_element(key: &str) -> bool {
    attribute(key).is_none() && key != TEXT_KEY
}

/// The text of a value that has no members or entries.
fn text(value: &Value) -> Converted<Cow<'_, str>> {
    match value {
        Value::Null => Ok(Cow::Borrowed("")),
        Value::Bool(true) => Ok(Cow::Borrowed("true")),
        Value::Bool(false) => Ok(Cow::Borrowed("false")),
        Value::Number(number) => Ok(Cow::Owned(digits(number))),
        Value::String(text) if is_text(text) => Ok(Cow::Borrowed(text)),
        Value::String(_) => Err(ConversionError::Character),
        Value::Array(_) | Value::Object(_) => Err(ConversionError::NoText),
    }
}

/// A number without exponent, which `serde_json` would write for small ones.
fn digits(number: &Number) -> String {
    match number.as_f64() {
        Some(fraction) if number.is_f64() => fraction.to_string(),
        _ => number.to_string(),
    }
}

/// What is written so far, and the place in it.
struct Document<'a> {
    writer: Writer<Vec<u8>>,
    namespaces: Namespaces<'a>,
}

impl<'a> Document<'a> {
    fn element(&mut self, key: &'a str, value: &'a Value) -> Converted {
        let written = key.trim_matches(' ');
        let name = Name::parse(written).ok_or(ConversionError::NoName)?;
        let depth = self.namespaces.depth();
        let mut start = BytesStart::new(written);
        if let Value::Object(members) = value {
            self.attributes(&mut start, members)?;
        }
        if !name.prefix.is_empty() && (self.namespaces.find(name.prefix).is_none()) {
            return Err(ConversionError::Prefix);
        }
        self.write(Event::Start(start));
        self.content(value)?;
        self.write(Event::End(BytesEnd::new(written)));
        self.namespaces.leave(depth);
        Ok(())
    }

    fn attributes(&mut self, start: &mut BytesStart, members: &'a Map<String, Value>) -> Converted {
        let mut prefixed = Vec::new();
        for (key, value) in members {
            let Some(key) = attribute(key) else { continue };
            let name = Name::parse(key).ok_or(ConversionError::NoName)?;
            let text = text(value)?;
            start.push_attribute((key, text.as_ref()));
            if let Some(prefix) = name.declared() {
                if !self.namespaces.declare(prefix, text) {
                    return Err(ConversionError::Prefix);
                }
            } else if !name.prefix.is_empty() {
                prefixed.push(name);
            }
        }
        // Two prefixes of one namespace may name one attribute twice.
        let mut seen = Vec::with_capacity(prefixed.len());
        for name in prefixed {
            let namespace = self.namespaces.find(name.prefix);
            let expanded = (namespace.ok_or(ConversionError::Prefix)?, name.local);
            if seen.contains(&expanded) {
                return Err(ConversionError::NoName);
            }
            seen.push(expanded);
        }
        Ok(())
    }

    fn content(&mut self, value: &'a Value) -> Converted {
        match value {
            Value::Object(members) => {
                for (key, value) in members {
                    if attribute(key).is_some() {
                        continue;
                    }
                    match value {
                        _ if key == TEXT_KEY => self.text(value)?,
                        Value::Array(entries) => self.elements(key, entries)?,
                        _ => self.element(key, value)?,
                    }
                }
                Ok(())
            }
            Value::Array(entries) => self.elements(ITEM, entries),
            _ => self.text(value),
        }
    }

    fn elements(&mut self, key: &'a str, entries: &'a [Value]) -> Converted {
        entries
            .iter()
            .try_for_each(|entry| self.element(key, entry))
    }

    fn text(&mut self, value: &Value) -> Converted {
        let text = text(value)?;
        if !text.is_empty() {
            self.write(Event::Text(BytesText::new(&text)));
        }
        Ok(())
    }

    fn write(&mut self, event: Event) {
        self.writer
            .write_event(event)
            .expect("memory takes what is written");
    }
}

#[cfg(test)]
mod tests;
