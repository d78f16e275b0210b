//! What is requested: nothing that a server could read as two requests.

use super::group::{NAME_RULE, is_name};
use super::{PlanError, response, template, wrong};
use crate::plan::session_format::{Piece, Place};
use crate::plan::{Group, Operation, Protocol};

/// A byte of a token as RFC 9110 section 5.6.2 defines it.
#[must_use]
pub fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(is_token_byte)
}

/// Checks what the sessions of a group request.
///
/// # Errors
/// Names the first key that is wrong.
pub(super) fn check_all(key: &str, protocol: Protocol, group: &Group) -> Result<(), PlanError> {
    for (index, operation) in group.operations.iter().enumerate() {
        let key = format!("{key}.operations[{index}]");
        check_operation(&key, protocol, group, operation)?;
        let mut before = group.operations[..index].iter();
        if before.any(|other| other.operation == operation.operation) {
            let message = "the name is used twice in the group";
            return Err(wrong(key + ".operation", message));
        }
    }
    Ok(())
}

fn check_operation(
    key: &str,
    protocol: Protocol,
    group: &Group,
    operation: &Operation,
) -> Result<(), PlanError> {
    for (name, text) in [
        ("operation", &operation.operation),
        ("cell", &operation.cell),
    ] {
        if !is_name(text) {
            return Err(wrong(format!("{key}.{name}"), NAME_RULE));
        }
    }
    if !is_token(&operation.method) || operation.method == "CONNECT" {
        return Err(wrong(
            format!("{key}.method"),
            "must be an HTTP method other than CONNECT",
        ));
    }
    check_path(&format!("{key}.path"), group, &operation.path)?;
    for (index, (name, value)) in operation.headers.iter().enumerate() {
        let key = format!("{key}.headers[{index}]");
        template::check_pieces(&format!("{key}[1]"), group, value, template::IN_HEADER)?;
        check_header(&key, name, value)?;
        if protocol.is_http2() {
            check_http2_header(&key, name, value)?;
        }
    }
    for (index, header) in operation.secret_headers.iter().enumerate() {
        if *header >= operation.headers.len() {
            let message = format!("there is no header {header}");
            return Err(wrong(format!("{key}.secret_headers[{index}]"), message));
        }
    }
    let body = format!("{key}.body");
    template::check_pieces(&body, group, &operation.body, template::IN_BODY)?;
    response::check(key, group, operation)
}

/// A path begins with `/`, by a literal or by a location that is sent only if it does.
fn check_path(key: &str, group: &Group, path: &[Piece]) -> Result<(), PlanError> {
    template::check_pieces(key, group, path, template::IN_PATH)?;
    let is_path_byte = |byte: u8| byte.is_ascii_graphic() && byte != b'#';
    let begins = match path.first() {
        Some(Piece::Literal(text)) => text.starts_with('/'),
        Some(Piece::Placed(placed)) => placed.place == Place::Location,
        None => false,
    };
    let is_path = |(_, text): (usize, &str)| text.bytes().all(is_path_byte);
    if begins && template::literals(path).all(is_path) {
        return Ok(());
    }
    let message = "must begin with `/` and hold no space, control or non-ASCII character, \
                   nor a fragment; encode them with %";
    Err(wrong(key, message))
}

fn check_header(key: &str, name: &str, value: &[Piece]) -> Result<(), PlanError> {
    if !is_token(name) {
        return Err(wrong(key, format!("{name:?} is not a header name")));
    }
    let mut bytes = template::literals(value).flat_map(|(_, text)| text.bytes());
    if bytes.any(|byte| byte.is_ascii_control() && byte != b'\t') {
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
    let is_known = |value: String| {
        let mut tokens = ["close", "keep-alive"].iter();
        tokens.any(|token| value.trim().eq_ignore_ascii_case(token))
    };
    if is("connection") && !template::constant(value).is_some_and(is_known) {
        return Err(wrong(key, "Connection can only be `close` or `keep-alive`"));
    }
    Ok(())
}

/// Header fields of a connection make an HTTP/2 request malformed (RFC 9113 section 8.2.2).
fn check_http2_header(key: &str, name: &str, value: &[Piece]) -> Result<(), PlanError> {
    let is = |other: &str| name.eq_ignore_ascii_case(other);
    let is_trailers = |value: String| value.trim().eq_ignore_ascii_case("trailers");
    let is_other_te = is("te") && !template::constant(value).is_some_and(is_trailers);
    if is("connection") || is("keep-alive") || is("proxy-connection") || is_other_te {
        let message = format!("{name} is of HTTP/1.1 connections, and must not be sent by HTTP/2");
        return Err(wrong(key, message));
    }
    Ok(())
}
