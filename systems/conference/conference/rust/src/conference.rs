//! A conference: its two texts, and what may be in them.

use serde::{Deserialize, Serialize};

use crate::problems::{Fault, Problem};
use crate::text::{Member, is_json, is_object};

const LONGEST_ID: usize = 64;
const LONGEST_NAME: usize = 191;

/// A row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Conference {
    /// Its key.
    pub id: String,
    /// What it is called.
    pub name: String,
}

#[derive(Deserialize)]
struct Members {
    #[serde(default)]
    id: Member,
    #[serde(default)]
    name: Member,
}

impl Conference {
    /// Reads the body of an insert; every member must be there.
    ///
    /// # Errors
    /// It is no JSON, or no conference.
    pub fn read(body: &str) -> Result<Self, Problem> {
        let Members { id, name } = Members::read(body)?;
        let mut faults = Vec::new();
        let id = checked(id, "/id", id_fault, &mut faults);
        let name = checked(name, "/name", name_fault, &mut faults);
        valid(Self { id, name }, faults)
    }

    /// Reads the body of a replace, whose id may be left out but is no other.
    ///
    /// # Errors
    /// It is no JSON, or no conference of that id.
    pub fn read_replacement(body: &str, id: &str) -> Result<Self, Problem> {
        let Members { id: other, name } = Members::read(body)?;
        let mut faults = Vec::new();
        if other != Member::Missing {
            let mismatch = |other: &str| (other != id).then_some("mismatch");
            checked(other, "/id", mismatch, &mut faults);
        }
        let name = checked(name, "/name", name_fault, &mut faults);
        let id = id.to_owned();
        valid(Self { id, name }, faults)
    }
}

impl Members {
    fn read(body: &str) -> Result<Self, Problem> {
        if is_object(body) {
            return serde_json::from_str(body).map_err(|_| Problem::malformed_body());
        }
        if !is_json(body) {
            return Err(Problem::malformed_body());
        }
        Err(Problem::invalid(vec![Fault {
            pointer: "",
            code: "type",
        }]))
    }
}

fn valid(conference: Conference, faults: Vec<Fault>) -> Result<Conference, Problem> {
    if faults.is_empty() {
        Ok(conference)
    } else {
        Err(Problem::invalid(faults))
    }
}

/// The text of a member, whose first fault is added where it has one.
fn checked(
    member: Member,
    pointer: &'static str,
    fault_of: impl Fn(&str) -> Option<&'static str>,
    faults: &mut Vec<Fault>,
) -> String {
    let (text, code) = match member {
        Member::Missing => (String::new(), Some("required")),
        Member::NoText => (String::new(), Some("type")),
        Member::Text(text) => {
            let code = fault_of(&text);
            (text, code)
        }
    };
    faults.extend(code.map(|code| Fault { pointer, code }));
    text
}

fn id_fault(id: &str) -> Option<&'static str> {
    match id.chars().count() {
        0 => Some("too-short"),
        1..=LONGEST_ID => (!is_id(id)).then_some("pattern"),
        _ => Some("too-long"),
    }
}

fn name_fault(name: &str) -> Option<&'static str> {
    match name.chars().count() {
        0 => Some("too-short"),
        1..=LONGEST_NAME => name
            .contains(|c: char| c.is_ascii_control())
            .then_some("characters"),
        _ => Some("too-long"),
    }
}

/// Whether it is `[A-Za-z0-9][A-Za-z0-9._~-]{0,63}`.
pub fn is_id(text: &str) -> bool {
    let first = text.bytes().next();
    first.is_some_and(|byte| byte.is_ascii_alphanumeric())
        && text.len() <= LONGEST_ID
        && text.bytes().all(is_unreserved)
}

/// Whether a byte goes unescaped in a path (RFC 3986, 2.3).
pub fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

#[cfg(test)]
mod tests;
