//! What an answer must be, and what is taken out of it.

use super::group::check_value;
use super::operation::is_token_byte;
use super::template::{self, ANYWHERE};
use super::{PlanError, wrong};
use crate::plan::session_format::{CaptureFrom, HeaderIs, JsonIs, Pick};
use crate::plan::{Group, Operation};

/// Pointers of an operation, and tokens of each: they are looked for side by side.
const MOST_POINTERS: usize = 16;
const MOST_TOKENS: usize = 8;

/// Any element of an array.
const ANY: &str = "*";

/// Checks what is said of the answers to an operation.
///
/// # Errors
/// Names the first key that is wrong.
pub(super) fn check(key: &str, group: &Group, operation: &Operation) -> Result<(), PlanError> {
    check_statuses(key, operation)?;
    let check = &operation.check;
    if let Some(text) = &check.body_contains {
        let key = format!("{key}.check.body_contains");
        template::check_pieces(&key, group, text, ANYWHERE)?;
    }
    for (index, one) in check.json.iter().enumerate() {
        let key = format!("{key}.check.json[{index}]");
        check_pointer(&format!("{key}.pointer"), &one.pointer)?;
        if let JsonIs::Text(text) = &one.is {
            template::check_pieces(&format!("{key}.is.text"), group, text, ANYWHERE)?;
        }
    }
    for (index, one) in check.header.iter().enumerate() {
        let key = format!("{key}.check.header[{index}]");
        check_name(&format!("{key}.name"), &one.name)?;
        if let HeaderIs::Text(text) = &one.is {
            template::check_pieces(&format!("{key}.is.text"), group, text, ANYWHERE)?;
        }
    }
    let mut pointers = check.json.len();
    for (index, capture) in operation.captures.iter().enumerate() {
        let key = format!("{key}.captures[{index}]");
        check_value(&format!("{key}.value"), group, capture.value)?;
        let has_any = match &capture.from {
            CaptureFrom::Json(tokens) => {
                pointers += 1;
                check_pointer(&format!("{key}.from.json"), tokens)?;
                tokens.iter().any(|token| token == ANY)
            }
            CaptureFrom::Header(name) => {
                check_name(&format!("{key}.from.header"), name)?;
                false
            }
            CaptureFrom::Cookie(name) => {
                check_name(&format!("{key}.from.cookie"), name)?;
                false
            }
        };
        if capture.pick != Pick::First && !has_any {
            return Err(wrong(format!("{key}.pick"), "the pointer has no *"));
        }
        if let Pick::Index(expression) = &capture.pick {
            template::check_expression(&format!("{key}.pick.index"), group, expression)?;
        }
    }
    if pointers > MOST_POINTERS {
        let message =
            format!("has {pointers} pointers in checks and captures, {MOST_POINTERS} at most");
        return Err(wrong(key, message));
    }
    Ok(())
}

fn check_statuses(key: &str, operation: &Operation) -> Result<(), PlanError> {
    let check = &operation.check;
    let mut known: Vec<u16> = Vec::new();
    for (name, statuses) in [("status", &check.status), ("or_end", &check.or_end)] {
        for (index, status) in statuses.iter().enumerate() {
            let key = format!("{key}.check.{name}[{index}]");
            if !(200..=599).contains(status) {
                return Err(wrong(key, "must be between 200 and 599"));
            }
            let is_any = check.status.is_empty() && (200..300).contains(status);
            if known.contains(status) || is_any {
                return Err(wrong(key, format!("{status} is expected already")));
            }
            known.push(*status);
        }
    }
    Ok(())
}

fn check_pointer(key: &str, tokens: &[String]) -> Result<(), PlanError> {
    if tokens.len() > MOST_TOKENS {
        let message = format!("has {} tokens, {MOST_TOKENS} at most", tokens.len());
        return Err(wrong(key, message));
    }
    if tokens.iter().filter(|token| *token == ANY).count() > 1 {
        return Err(wrong(key, "has more than one *"));
    }
    Ok(())
}

/// A field name; of a cookie it is a token as well (RFC 6265 section 4.1.1).
fn check_name(key: &str, name: &str) -> Result<(), PlanError> {
    if !name.is_empty() && name.bytes().all(is_token_byte) {
        return Ok(());
    }
    Err(wrong(key, format!("{name:?} is no name")))
}
