//! What a plan must be to be carried out: each refusal names the key and what to do.
//!
//! Two things are never negotiable here: load goes only to loopback or to listed addresses, and
//! no request can be written that a server could read as two.

use std::net::{IpAddr, SocketAddr};

use rustix::thread::CpuSet;
use thiserror::Error;

use crate::plan::{Arrivals, Operation, PLAN_VERSION, Plan, highest};

/// Why a plan is not carried out.
#[derive(Debug, Error)]
pub enum PlanError {
    /// Not JSON, or not of the schema.
    #[error("plan: {0}")]
    Syntax(#[from] serde_json::Error),
    /// Another version of the format.
    #[error("plan_version: this engine reads version {PLAN_VERSION}, the plan is version {0}")]
    Version(u32),
    /// A value that cannot be carried out.
    #[error("{key}: {message}")]
    Value {
        /// Where in the plan.
        key: String,
        /// What is wrong, and what to do.
        message: String,
    },
    /// Neither loopback nor allowed.
    #[error(
        "target.address: {0} is refused, since it is neither loopback nor in allowed_addresses; \
         add it there only if the server is yours to load"
    )]
    TargetRefused(SocketAddr),
}

fn wrong(key: impl Into<String>, message: impl Into<String>) -> PlanError {
    PlanError::Value {
        key: key.into(),
        message: message.into(),
    }
}

/// Reads and checks a plan.
///
/// # Errors
/// Names the first key that is wrong.
pub fn read(text: &str) -> Result<(Plan, SocketAddr), PlanError> {
    let plan: Plan = serde_json::from_str(text)?;
    if plan.plan_version != PLAN_VERSION {
        return Err(PlanError::Version(plan.plan_version));
    }
    let address = check_target(&plan)?;
    check_cpus(&plan.cpus)?;
    check_times(&plan)?;
    let [group] = plan.groups.as_slice() else {
        let count = plan.groups.len();
        return Err(wrong(
            "groups",
            format!("exactly one group can be loaded, the plan has {count}"),
        ));
    };
    check_arrivals(&group.arrivals)?;
    if group.session.is_empty() {
        return Err(wrong(
            "groups[0].session",
            "a session needs at least one operation",
        ));
    }
    for (index, operation) in group.session.iter().enumerate() {
        let key = format!("groups[0].session[{index}]");
        check_operation(&key, operation)?;
        if group.session[..index]
            .iter()
            .any(|other| other.operation == operation.operation)
        {
            return Err(wrong(
                key + ".operation",
                "the name is used twice in the session",
            ));
        }
    }
    Ok((plan, address))
}

fn check_target(plan: &Plan) -> Result<SocketAddr, PlanError> {
    let address: SocketAddr = plan.target.address.parse().map_err(|_| {
        wrong(
            "target.address",
            "must be an IP address and a port, such as 127.0.0.1:9090",
        )
    })?;
    if address.port() == 0 {
        return Err(wrong("target.address", "port 0 cannot be connected to"));
    }
    let is_host_byte = |byte: u8| byte.is_ascii_graphic() && !b"/@\\?#,".contains(&byte);
    if plan.target.host.is_empty() || !plan.target.host.bytes().all(is_host_byte) {
        return Err(wrong(
            "target.host",
            "must be a host name or address, with or without port",
        ));
    }
    let target_ip = address.ip().to_canonical();
    let mut allowed = target_ip.is_loopback();
    for (index, text) in plan.allowed_addresses.iter().enumerate() {
        if let Ok(ip) = text.parse::<IpAddr>() {
            allowed |= ip.to_canonical() == target_ip;
        } else if let Ok(socket) = text.parse::<SocketAddr>() {
            allowed |= socket.ip().to_canonical() == target_ip && socket.port() == address.port();
        } else {
            let key = format!("allowed_addresses[{index}]");
            return Err(wrong(
                key,
                format!("{text:?} is not an IP address, with or without port"),
            ));
        }
    }
    if allowed {
        Ok(address)
    } else {
        Err(PlanError::TargetRefused(address))
    }
}

fn check_cpus(cpus: &[usize]) -> Result<(), PlanError> {
    for (index, cpu) in cpus.iter().enumerate() {
        if *cpu >= CpuSet::MAX_CPU || cpus[..index].contains(cpu) {
            let key = format!("cpus[{index}]");
            return Err(wrong(
                key,
                format!("CPU {cpu} is out of range or named twice"),
            ));
        }
    }
    Ok(())
}

fn check_times(plan: &Plan) -> Result<(), PlanError> {
    // A year: far beyond any load, and small enough that sums of times cannot overflow.
    const LONGEST_NS: u64 = 365 * 86_400 * 1_000_000_000;
    for (key, value_ns, least_ns) in [
        ("duration_ns", plan.duration_ns, 1),
        ("connect_timeout_ns", plan.connect_timeout_ns, 1),
        ("timeout_ns", plan.timeout_ns, 1),
        ("grace_ns", plan.grace_ns, 0),
    ] {
        if !(least_ns..=LONGEST_NS).contains(&value_ns) {
            return Err(wrong(
                key,
                format!("must be between {least_ns} and {LONGEST_NS}"),
            ));
        }
    }
    if plan.count == Some(0) {
        return Err(wrong("count", "must be at least 1, or null for no limit"));
    }
    Ok(())
}

fn check_arrivals(arrivals: &Arrivals) -> Result<(), PlanError> {
    // Slots are numbered by 32 bits; a process cannot hold nearly as many sockets.
    const MOST_CONNECTIONS: u64 = 1_000_000;
    // Beyond it one worker could not even count the arrivals that it sheds as fast as they come.
    const HIGHEST_RATE: f64 = 1e7;
    let (key, connections) = match arrivals {
        Arrivals::Users(users) => ("users.stages", highest(&users.stages) as u64),
        Arrivals::Rate(rate) => {
            let per_second = highest(&rate.stages);
            if !(per_second > 0.0 && per_second <= HIGHEST_RATE) {
                let message = format!("must be above 0 and at most {HIGHEST_RATE}");
                return Err(wrong("groups[0].arrivals.rate.stages", message));
            }
            ("rate.connections", rate.connections)
        }
    };
    if !(1..=MOST_CONNECTIONS).contains(&connections) {
        let message = format!("must be between 1 and {MOST_CONNECTIONS}");
        return Err(wrong(format!("groups[0].arrivals.{key}"), message));
    }
    Ok(())
}

/// A byte of a token as RFC 9110 section 5.6.2 defines it.
#[must_use]
pub fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(is_token_byte)
}

fn check_operation(key: &str, operation: &Operation) -> Result<(), PlanError> {
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
        check_header(&format!("{key}.headers[{index}]"), name, value)?;
    }
    match operation.check.status {
        Some(status) if !(200..=599).contains(&status) => Err(wrong(
            format!("{key}.check.status"),
            "must be between 200 and 599",
        )),
        _ => Ok(()),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn plan() -> Value {
        json!({
            "plan_version": 2, "target": {"address": "127.0.0.1:9090", "host": "127.0.0.1:9090"},
            "protocol": "h1c", "seed": 1, "duration_ns": 1, "connect_timeout_ns": 1,
            "timeout_ns": 1, "grace_ns": 0,
            "groups": [{"group": "callers", "arrivals": {"users": {"stages": [{"from": 1.0, "to": 1.0, "duration_ns": 1}]}},
                "session": [{"operation": "get", "method": "GET", "path": "/", "headers": []}]}],
        })
    }

    fn refusal(pointer: &str, value: Value) -> String {
        let mut plan = plan();
        match plan.pointer_mut(pointer) {
            Some(place) => *place = value,
            None => plan[pointer] = value,
        }
        read(&plan.to_string())
            .expect_err("must be refused")
            .to_string()
    }

    #[test]
    fn a_minimal_plan_is_taken() {
        let (plan, address) = read(&plan().to_string()).expect("is valid");
        assert_eq!(address.port(), 9090);
        assert_eq!(plan.samples.body_bytes, 65_536);
    }

    #[test]
    fn a_wrong_value_is_refused_by_its_key() {
        for (pointer, value, expected) in [
            ("/plan_version", json!(1), "plan_version: "),
            ("surprise", json!(1), "unknown field `surprise`"),
            ("/duration_ns", json!(0), "duration_ns: "),
            ("/duration_ns", json!(-1), "invalid value"),
            ("/timeout_ns", json!(u64::MAX), "timeout_ns: "),
            ("count", json!(0), "count: "),
            ("/groups", json!([]), "groups: exactly one group"),
            (
                "/groups/0/arrivals",
                json!({"users": {"stages": []}}),
                "users.stages: ",
            ),
            (
                "/groups/0/arrivals",
                json!({"rate": {"stages": [], "connections": 1}}),
                "rate.stages: ",
            ),
            ("/groups/0/session", json!([]), "session: "),
            ("/groups/0/session/0/operation", json!("a,b"), "operation: "),
            ("/target/host", json!("a\r\nb"), "target.host: "),
            ("/target/address", json!("localhost:80"), "target.address: "),
            (
                "allowed_addresses",
                json!(["example"]),
                "allowed_addresses[0]: ",
            ),
        ] {
            let message = refusal(pointer, value);
            assert!(message.contains(expected), "{pointer}: {message}");
        }
    }

    #[test]
    fn two_groups_are_refused() {
        let group = plan()["groups"][0].clone();
        let message = refusal("/groups", json!([group, group]));
        assert!(message.contains("the plan has 2"), "{message}");
    }

    #[test]
    fn a_request_that_could_be_read_as_two_is_refused() {
        let operation = "/groups/0/session/0";
        for (field, value) in [
            ("method", json!("GET / HTTP/1.1\r\nX: y")),
            ("method", json!("")),
            ("path", json!("/ HTTP/1.1")),
            ("path", json!("/\r\nX: y")),
            ("path", json!("http://elsewhere/")),
            ("headers", json!([["x", "a\r\nb: c"]])),
            ("headers", json!([["x", "a\u{0}b"]])),
            ("headers", json!([["x: y\r\nz", "a"]])),
            ("headers", json!([["Host", "elsewhere"]])),
            ("headers", json!([["Content-length", "3"]])),
            ("headers", json!([["transfer-Encoding", "chunked"]])),
            ("headers", json!([["connection", "upgrade"]])),
        ] {
            let message = refusal(&format!("{operation}/{field}"), value.clone());
            assert!(message.contains(field), "{field} {value}: {message}");
        }
    }

    #[test]
    fn an_address_beyond_loopback_needs_to_be_allowed() {
        let target = json!({"address": "192.0.2.1:80", "host": "x"});
        assert!(refusal("/target", target.clone()).contains("192.0.2.1:80 is refused"));
        for (allowed, taken) in [
            ("192.0.2.1", true),
            ("192.0.2.1:80", true),
            ("192.0.2.1:81", false),
            ("192.0.2.2", false),
        ] {
            let mut plan = plan();
            plan["target"] = target.clone();
            plan["allowed_addresses"] = json!([allowed]);
            assert_eq!(read(&plan.to_string()).is_ok(), taken, "{allowed}");
        }
    }

    #[test]
    fn disguised_addresses_are_seen_through() {
        for address in ["0.0.0.0:80", "[::]:80", "[::ffff:192.0.2.1]:80"] {
            assert!(
                refusal("/target/address", json!(address)).contains("is refused"),
                "{address}"
            );
        }
        let mut plan = plan();
        plan["target"]["address"] = json!("[::ffff:127.0.0.1]:80");
        assert!(read(&plan.to_string()).is_ok());
    }
}
