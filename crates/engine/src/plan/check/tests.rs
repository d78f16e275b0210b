//! Plans that are refused, and by which key.

use super::*;
use serde_json::{Value, json};

mod sessions;

fn plan() -> Value {
    json!({
        "plan_version": 3, "target": {"address": "127.0.0.1:9090", "host": "127.0.0.1:9090"},
        "protocol": "h1c", "seed": 1, "duration_ns": 1, "connect_timeout_ns": 1,
        "timeout_ns": 1, "grace_ns": 0,
        "groups": [{"group": "callers", "arrivals": {"users": {"stages": [{"from": 1.0, "to": 1.0, "duration_ns": 1}]}},
            "operations": [{"operation": "get", "cell": "get", "method": "GET", "path": ["/"], "headers": []}],
            "session": [{"send": {"operation": 0}}]}],
    })
}

/// Of the plan with other keys in its group.
fn refusal_in_group(changes: &Value) -> String {
    let mut plan = plan();
    for (key, value) in changes.as_object().expect("is an object") {
        plan["groups"][0][key] = value.clone();
    }
    read(&plan.to_string())
        .expect_err("must be refused")
        .to_string()
}

fn operation(changes: &Value) -> Value {
    let mut operation = plan()["groups"][0]["operations"][0].clone();
    for (key, value) in changes.as_object().expect("is an object") {
        operation[key] = value.clone();
    }
    json!([operation])
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
        (
            "/plan_version",
            json!(2),
            "plan_version: this engine reads version 3 alone",
        ),
        ("surprise", json!(1), "unknown field `surprise`"),
        ("/duration_ns", json!(0), "duration_ns: "),
        ("/duration_ns", json!(-1), "invalid value"),
        ("/timeout_ns", json!(u64::MAX), "timeout_ns: "),
        ("count", json!(0), "count: "),
        ("/groups", json!([]), "groups: must be between 1 and 32"),
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
        (
            "/groups/0/operations/0/operation",
            json!("a,b"),
            "groups[0].operations[0].operation: ",
        ),
        (
            "/groups/0/operations/0/cell",
            json!("a/b"),
            "groups[0].operations[0].cell: ",
        ),
        ("/groups/0/group", json!(""), "groups[0].group: "),
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
fn a_plan_of_another_version_is_refused_as_such_whatever_else_it_has() {
    let old = json!({"plan_version": 2, "groups": [{"session": [{"path": "/"}]}]});
    let message = read(&old.to_string()).expect_err("is old").to_string();
    assert!(
        message.contains("alone, the plan is version 2; let"),
        "{message}"
    );
}

#[test]
fn addresses_to_connect_from_are_for_loopback() {
    let mut plan = plan();
    plan["source_addresses"] = json!(["127.0.0.2", "127.0.0.3"]);
    assert!(read(&plan.to_string()).is_ok());
    let message = refusal("source_addresses", json!(["127.0.0.2", "192.0.2.1"]));
    assert!(
        message.starts_with("source_addresses[1]: 192.0.2.1"),
        "{message}"
    );
    let message = refusal("source_addresses", json!(["::1"]));
    assert!(message.starts_with("source_addresses[0]: "), "{message}");
    plan["target"] = json!({"address": "192.0.2.1:80", "host": "x"});
    plan["allowed_addresses"] = json!(["192.0.2.1"]);
    let refused = read(&plan.to_string()).expect_err("must be refused");
    assert!(
        refused.to_string().contains("for a loopback target alone"),
        "{refused}"
    );
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

fn users(stages: &Value) -> Value {
    json!({"users": {"stages": stages}})
}

fn rate(stages: &Value, connections: u64) -> Value {
    json!({"rate": {"stages": stages, "connections": connections}})
}

fn stage(from: f64, to: f64, duration_ns: u64) -> Value {
    json!([{"from": from, "to": to, "duration_ns": duration_ns}])
}

#[test]
fn arrivals_that_cannot_be_carried_out_are_refused() {
    let year_ns = 365 * 86_400 * 1_000_000_000_u64;
    for (arrivals, expected) in [
        (users(&stage(0.0, 0.0, 1)), "users.stages: needs a stage"),
        (users(&stage(-1.0, 2.0, 1)), "users.stages[0].from: must"),
        (users(&stage(1.0, 1e7, 1)), "users.stages[0].to: must"),
        (
            users(&stage(1.0, 1.0, year_ns + 1)),
            "stages[0].duration_ns: ",
        ),
        (rate(&stage(0.0, 1e8, 1), 1), "rate.stages[0].to: must"),
        (rate(&stage(1.0, 1.0, 1), 0), "rate.connections: must"),
        (
            rate(&stage(1.0, 1.0, 1), 1_000_001),
            "rate.connections: must",
        ),
    ] {
        let message = refusal("/groups/0/arrivals", arrivals);
        assert!(message.contains(expected), "{expected}: {message}");
    }
    let two_years = json!([
        {"from": 1.0, "to": 1.0, "duration_ns": year_ns},
        {"from": 1.0, "to": 1.0, "duration_ns": year_ns},
    ]);
    let message = refusal("/groups/0/arrivals", users(&two_years));
    assert!(message.contains("stages[1].duration_ns: "), "{message}");
}

#[test]
fn stages_may_be_steps_and_ramps_from_and_to_nothing() {
    let mut plan = plan();
    plan["groups"][0]["arrivals"] = users(&json!([
        {"from": 0.0, "to": 10.5, "duration_ns": 1},
        {"from": 20.0, "to": 0.0, "duration_ns": 0},
    ]));
    assert!(read(&plan.to_string()).is_ok());
}

#[test]
fn no_more_than_a_million_requests_can_be_in_flight() {
    let mut plan = plan();
    plan["streams"] = json!(100);
    plan["groups"][0]["arrivals"] = rate(&stage(1.0, 1.0, 1), 10_000);
    assert!(read(&plan.to_string()).is_ok());
    plan["groups"][0]["arrivals"]["rate"]["connections"] = json!(10_001);
    let message = read(&plan.to_string())
        .expect_err("is too much")
        .to_string();
    assert!(
        message.contains("rate.connections: must be between 1 and 10000"),
        "{message}"
    );
}

#[test]
fn a_think_time_or_stop_rule_that_makes_no_sense_is_refused() {
    let second_ns = 1_000_000_000_u64;
    for (think, expected) in [
        (json!({"uniform_ns": [2, 1]}), "send.think.uniform_ns: "),
        (
            json!({"uniform_ns": [1, u64::MAX]}),
            "send.think.uniform_ns: ",
        ),
        (json!({"constant_ns": u64::MAX}), "send.think.constant_ns: "),
        (
            json!({"exponential_ns": u64::MAX}),
            "send.think.exponential_ns: ",
        ),
    ] {
        let session = json!([{"send": {"operation": 0, "think": think}}]);
        let message = refusal_in_group(&json!({"session": session}));
        assert!(message.contains(expected), "{expected}: {message}");
    }
    for (rules, expected) in [
        (
            json!({"mean_response_time": {"above_ns": 0, "for_ns": second_ns}}),
            "above_ns: ",
        ),
        (
            json!({"mean_response_time": {"above_ns": 1, "for_ns": 0}}),
            "mean_response_time.for_ns: ",
        ),
        (
            json!({"mean_response_time": {"above_ns": 1, "for_ns": second_ns + 1}}),
            "whole seconds",
        ),
        (
            json!({"failures": {"above_share": 1.0, "for_ns": second_ns}}),
            "above_share: ",
        ),
        (
            json!({"failures": {"above_share": -0.1, "for_ns": second_ns}}),
            "above_share: ",
        ),
        (
            json!({"failures": {"above_share": 0.5, "for_ns": 1}}),
            "failures.for_ns: ",
        ),
        (
            json!({"p99": {"above_ns": 1, "for_ns": 1}}),
            "p99.for_ns: must be",
        ),
    ] {
        let message = refusal("stop", rules.clone());
        assert!(message.contains(expected), "{expected}: {message}");
        let message = refusal_in_group(&json!({"stop": rules}));
        assert!(message.starts_with("groups[0].stop."), "{message}");
    }
}

#[test]
fn settings_that_would_have_no_effect_are_refused() {
    for (key, value) in [
        ("verify", json!(false)),
        ("roots_pem", json!("x")),
        ("version", json!("1.3")),
        ("cipher_suite", json!("TLS_AES_128_GCM_SHA256")),
        ("resumed_share", json!(0.5)),
    ] {
        for protocol in ["h1c", "h2c"] {
            let mut plan = plan();
            plan["protocol"] = json!(protocol);
            plan["tls"] = json!({key: value});
            let message = read(&plan.to_string())
                .expect_err("must be refused")
                .to_string();
            assert!(
                message.starts_with(&format!("tls.{key}: is of no use")),
                "{message}"
            );
        }
        for protocol in ["h1", "h2", "h2-downgrade"] {
            let mut plan = plan();
            plan["protocol"] = json!(protocol);
            plan["tls"] = json!({key: value});
            assert!(read(&plan.to_string()).is_ok(), "{protocol} {key}");
        }
    }
    let mut plan = plan();
    plan["target"]["server_name"] = json!("localhost");
    let message = read(&plan.to_string())
        .expect_err("must be refused")
        .to_string();
    assert!(
        message.starts_with("target.server_name: is of no use"),
        "{message}"
    );
}

#[test]
fn connections_streams_and_redirects_have_limits() {
    for (changes, expected) in [
        (json!({"streams": 0}), "streams: must be between 1 and 1000"),
        (
            json!({"streams": 1001}),
            "streams: must be between 1 and 1000",
        ),
        (
            json!({"streams": 2, "connections": "per_request"}),
            "streams: must be 1",
        ),
        (json!({"redirects": 21}), "redirects: must be at most 20"),
        (
            json!({"protocol": "h2", "tls": {"resumed_share": 1.5}}),
            "tls.resumed_share: ",
        ),
        (
            json!({"protocol": "h2", "tls": {"resumed_share": -0.5}}),
            "tls.resumed_share: ",
        ),
        (
            json!({"protocol": "h2", "tls": {"verify": false, "roots_pem": "x"}}),
            "tls.roots_pem: ",
        ),
        (
            json!({"protocol": "h2", "tls": {"version": "1.2", "cipher_suite": "TLS_AES_128_GCM_SHA256"}}),
            "tls.cipher_suite: ",
        ),
    ] {
        let mut plan = plan();
        for (key, value) in changes.as_object().expect("is an object") {
            plan[key] = value.clone();
        }
        let message = read(&plan.to_string())
            .expect_err("must be refused")
            .to_string();
        assert!(message.contains(expected), "{expected}: {message}");
    }
}

#[test]
fn fields_of_a_connection_are_for_http_1_only() {
    for (header, taken_by_http2) in [
        (json!(["Connection", "close"]), false),
        (json!(["Keep-Alive", "timeout=5"]), false),
        (json!(["proxy-connection", "close"]), false),
        (json!(["TE", "gzip"]), false),
        (json!(["te", "trailers"]), true),
    ] {
        for (protocol, taken) in [
            ("h1c", true),
            ("h2-downgrade", true),
            ("h2c", taken_by_http2),
        ] {
            let mut plan = plan();
            plan["protocol"] = json!(protocol);
            plan["groups"][0]["operations"][0]["headers"] = json!([[header[0], [header[1]]]]);
            assert_eq!(
                read(&plan.to_string()).is_ok(),
                taken,
                "{protocol} {header}"
            );
        }
    }
}
