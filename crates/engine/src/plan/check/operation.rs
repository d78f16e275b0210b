//! What is requested: nothing that a server could read as two requests.

use super::{PlanError, wrong};
use crate::plan::{Operation, Plan, Protocol};

/// A byte of a token as RFC 9110 section 5.6.2 defines it.
#[must_use]
pub fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(is_token_byte)
}

/// Far beyond any session; each costs histograms every second, and rows number them by 16 bits.
const MOST_OPERATIONS: usize = 1_000;

/// Checks what one session requests.
///
/// # Errors
/// Names the first key that is wrong.
pub(super) fn check_session(plan: &Plan, session: &[Operation]) -> Result<(), PlanError> {
    if session.is_empty() {
        let message = "a session needs at least one operation";
        return Err(wrong("groups[0].session", message));
    }
    if session.len() > MOST_OPERATIONS {
        let message = format!("a session has at most {MOST_OPERATIONS} operations");
        return Err(wrong("groups[0].session", message));
    }
    for (index, operation) in session.iter().enumerate() {
        let key = format!("groups[0].session[{index}]");
        check_operation(&key, plan.protocol, operation)?;
        let mut before = session[..index].iter();
        if before.any(|other| other.operation == operation.operation) {
            let message = "the name is used twice in the session";
            return Err(wrong(key + ".operation", message));
        }
    }
    Ok(())
}

fn check_operation(key: &str, protocol: Protocol, operation: &Operation) -> Result<(), PlanError> {
    let is_name_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    if operation.operation.is_empty() || !operation.operation.bytes().all(is_name_byte) {
        let message =
            "must be of letters, digits, `_`, `-` and `.`: it is part of a histogram's tag";
        return Err(wrong(format!("{key}.operation"), message));
    }
    if !is_token(&operation.method) || operation.method == "CONNECT" {
        return Err(wrong(
            format!("{key}.method"),
            "must be an HTTP method other than CONNECT",
        ));
    }
    let is_path_byte = |byte: u8| byte.is_ascii_graphic() && byte != b'#';
    if !operation.path.starts_with('/') || !operation.path.bytes().all(is_path_byte) {
        let message = "must begin with `/` and hold no space, control or non-ASCII character, \
                       nor a fragment; encode them with %";
        return Err(wrong(format!("{key}.path"), message));
    }
    for (index, (name, value)) in operation.headers.iter().enumerate() {
        let key = format!("{key}.headers[{index}]");
        check_header(&key, name, value)?;
        if protocol.is_http2() {
            check_http2_header(&key, name, value)?;
        }
    }
    for (index, check) in operation.check.body_json.iter().enumerate() {
        if !is_pointer(&check.pointer) {
            return Err(wrong(
                format!("{key}.check.body_json[{index}].pointer"),
                "must be a JSON pointer: empty, or each name after a `/`, in which ~0 stands for ~ \
                 and ~1 for /",
            ));
        }
    }
    match operation.check.status {
        Some(status) if !(200..=599).contains(&status) => Err(wrong(
            format!("{key}.check.status"),
            "must be between 200 and 599",
        )),
        _ => Ok(()),
    }
}

/// RFC 6901 section 3.
fn is_pointer(text: &str) -> bool {
    let mut escaped = text.split('~').skip(1);
    (text.is_empty() || text.starts_with('/')) && escaped.all(|rest| rest.starts_with(['0', '1']))
}

fn check_header(key: &str, name: &str, value: &str) -> Result<(), PlanError> {
    if !is_token(name) {
        return Err(wrong(key, format!("{name:?} is not a header name")));
    }
    if value
        .bytes()
        .any(|byte| byte.is_ascii_control() && byte != b'\t')
    {
        return Err(wrong(
            key,
            format!("the value of {name} holds a control character"),
        ));
    }
    let is = |other: &str| name.eq_ignore_ascii_case(other);
    if is("host") {
        return Err(wrong(key, "Host is written by the engine; set target.host"));
    }
    if is("content-length") || is("transfer-encoding") || is("trailer") {
        return Err(wrong(
            key,
            format!("{name} would contradict the framing that the engine writes"),
        ));
    }
    if is("upgrade") || is("expect") {
        return Err(wrong(
            key,
            format!("{name} asks for an exchange that the engine does not speak"),
        ));
    }
    let known = ["close", "keep-alive"]
        .iter()
        .any(|token| value.trim().eq_ignore_ascii_case(token));
    if is("connection") && !known {
        return Err(wrong(key, "Connection can only be `close` or `keep-alive`"));
    }
    Ok(())
}

/// Header fields of a connection make an HTTP/2 request malformed (RFC 9113 section 8.2.2).
fn check_http2_header(key: &str, name: &str, value: &str) -> Result<(), PlanError> {
    let is = |other: &str| name.eq_ignore_ascii_case(other);
    let is_other_te = is("te") && !value.trim().eq_ignore_ascii_case("trailers");
    if is("connection") || is("keep-alive") || is("proxy-connection") || is_other_te {
        let message = format!("{name} is of HTTP/1.1 connections, and must not be sent by HTTP/2");
        return Err(wrong(key, message));
    }
    Ok(())
}
