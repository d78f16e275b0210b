//! Answers of any kind against what is expected, whatever pieces they come in.

use super::*;
use crate::plan::Plan;
use crate::session::occasion::tests::OCCASION;
use crate::session::values::Value;
use serde_json::json;

const NAMES: [&str; 3] = ["given", "id", "other"];

/// What is expected by the check and the captures of an operation.
fn expected(check: &serde_json::Value, captures: &serde_json::Value) -> ExpectedAnswer {
    let stage = json!({"from": 1, "to": 1, "duration_ns": 1});
    let operation = json!({"operation": "a", "cell": "a", "method": "GET", "path": ["/"],
        "check": check, "captures": captures});
    let plan = json!({
        "plan_version": 3, "target": {"address": "127.0.0.1:1", "host": "h"}, "protocol": "h1c",
        "seed": 1, "duration_ns": 1, "connect_timeout_ns": 1, "timeout_ns": 1, "grace_ns": 1,
        "groups": [{"group": "g", "arrivals": {"users": {"stages": [stage]}}, "values": NAMES,
            "operations": [operation], "session": [{"send": {"operation": 0}}]}],
    });
    let plan: Plan = serde_json::from_value(plan).expect("is a plan");
    let group = &plan.groups[0];
    ExpectedAnswer::new(group, &group.operations[0]).expect("can be looked at")
}

/// An answer: its headers, and its body in pieces.
type Answer<'a> = (&'a [(&'a str, &'a str)], &'a [&'a str]);

/// What is said of an answer, and what is captured of it, in a session whose first value is `Ann`.
fn judged(expected: &ExpectedAnswer, (headers, pieces): Answer<'_>) -> (String, Vec<String>) {
    let (mut reader, mut values) = (AnswerReader::default(), Values::new(NAMES.len()));
    values.set_text(0, b"Ann", false).expect("is short");
    // What was seen of an answer before is of no account.
    for round in 0..2 {
        let context = Context {
            values: &values,
            occasion: &OCCASION,
        };
        expected
            .begin(&context, &mut reader)
            .expect("can be expected");
        if round == 0 {
            expected.feed(&mut reader, b"{\"id\": 1, \"name\": \"before");
            reader.keep_cookie(b"sid=before");
        }
    }
    for (name, value) in headers {
        if *name == "set-cookie" {
            reader.keep_cookie(value.as_bytes());
        } else if let Some(header) = expected.header(name.as_bytes()) {
            reader.keep_header(header, value.as_bytes());
        }
    }
    for piece in pieces {
        expected.feed(&mut reader, piece.as_bytes());
    }
    let context = Context {
        values: &values,
        occasion: &OCCASION,
    };
    let said = match expected.judge(&context, &mut reader) {
        Err(fault) => format!("{:?}: {}", fault.0, fault.1),
        Ok(ends) => {
            expected.take(&reader, &mut values).expect("is short");
            if ends { "ends" } else { "ok" }.to_owned()
        }
    };
    let held = (1..NAMES.len()).map(|index| match values.get(index, &[]) {
        None => String::new(),
        Some(Value::Integer(integer)) => integer.to_string(),
        Some(Value::Text { bytes, .. }) => String::from_utf8_lossy(bytes).into_owned(),
    });
    (said, held.collect())
}

#[test]
fn the_first_that_does_not_hold_is_told() {
    let expected = expected(
        &json!({"body_contains": ["name"], "header": [{"name": "X-A", "is": {"text": ["1"]}}],
            "json": [{"pointer": ["id"], "is": {"value": 7}},
                {"pointer": ["name"], "is": {"text": [{"expression": {"value": 0}, "as": "raw"}]}}]}),
        &json!([{"value": 1, "from": {"json": ["token"]}}]),
    );
    let right = [("X-A", "1")];
    let said = |headers: &[(&str, &str)], pieces: &[&str]| judged(&expected, (headers, pieces)).0;
    let whole = ["{\"id\": 7, \"na", "me\": \"Ann\", \"token\": \"t\"}"];
    assert_eq!(said(&right, &whole), "ok");
    assert_eq!(said(&[], &["<html>"]), "Json: the body is not JSON");
    let other = ["{\"id\": 8, \"name\": \"Ann\", \"token\": \"t\"}"];
    assert_eq!(said(&[], &other), "Json: the body's \"/id\" is not 7");
    let other = ["{\"id\": 7, \"name\": \"Bob\", \"token\": \"t\"}"];
    assert_eq!(
        said(&[], &other),
        "Json: the body's \"/name\" is not the expected text"
    );
    let other = ["{\"id\": 7.0, \"name\": \"Ann\"}"];
    let missing = "Capture: id cannot be captured: the body's \"/token\" is missing";
    assert_eq!(said(&[], &other), missing);
    assert_eq!(
        said(&[], &whole),
        "Header: the header X-A is not the expected text"
    );
}

#[test]
fn a_text_of_the_session_is_looked_for_in_the_body() {
    let text = json!(["by ", {"expression": {"value": 0}, "as": "raw"}]);
    let expected = expected(&json!({"body_contains": text}), &json!([]));
    assert_eq!(judged(&expected, (&[], &["... b", "y A", "nn"])).0, "ok");
    let other = judged(&expected, (&[], &["by Bob"])).0;
    assert_eq!(other, "Text: the body lacks the expected text");
}

#[test]
fn values_are_captured_from_body_headers_and_cookies() {
    let expected = expected(
        &json!({}),
        &json!([{"value": 1, "from": {"header": "Location"}}, {"value": 2, "from": {"cookie": "sid"}}]),
    );
    let headers = [
        ("location", "/x"),
        ("Location", "/second"),
        ("set-cookie", "other=1"),
        ("set-cookie", "sid=a; Path=/"),
        ("set-cookie", "sid=b"),
    ];
    let (said, held) = judged(&expected, (&headers, &[]));
    assert_eq!(
        (said.as_str(), held),
        ("ok", vec!["/x".to_owned(), "b".to_owned()])
    );
    let missing = judged(&expected, (&headers[..1], &[])).0;
    assert_eq!(
        missing,
        "Capture: other cannot be captured: the cookie sid is missing"
    );
}

#[test]
fn what_is_not_there_fails_ends_or_is_replaced() {
    let of = |or: serde_json::Value| {
        let pointer = json!(["items", "*", "id"]);
        let capture = json!({"value": 1, "from": {"json": pointer}, "pick": {"index": {"integer": [1]}}, "or": or});
        expected(&json!({}), &json!([capture]))
    };
    let (one, two) = (
        ["{\"items\": [{\"id\": 1}]}"],
        ["{\"items\": [{\"id\": 1}, {}, {\"id\": 3}]}"],
    );
    for (or, said, held) in [
        (json!({"value": "none"}), "ok", "none"),
        (json!("end"), "ends", ""),
        (
            json!("fail"),
            "Capture: id cannot be captured: the body's \"/items/*/id\" is missing",
            "",
        ),
    ] {
        let expected = of(or);
        let seen = judged(&expected, (&[], &one));
        assert_eq!((seen.0.as_str(), seen.1[0].as_str()), (said, held));
        let seen = judged(&expected, (&[], &two));
        assert_eq!(
            (seen.0.as_str(), seen.1[0].as_str()),
            ("ok", "3"),
            "of those that are there"
        );
    }
}

#[test]
fn headers_may_have_to_be_there_or_not() {
    let of = |is: &str| expected(&json!({"header": [{"name": "x-a", "is": is}]}), &json!([]));
    let (there, absent): (Answer<'_>, Answer<'_>) = ((&[("X-A", "")], &[]), (&[], &[]));
    assert_eq!(judged(&of("present"), there).0, "ok");
    assert_eq!(
        judged(&of("present"), absent).0,
        "Header: the header x-a is missing"
    );
    assert_eq!(judged(&of("absent"), absent).0, "ok");
    assert_eq!(
        judged(&of("absent"), there).0,
        "Header: the header x-a is there"
    );
}

#[test]
fn a_status_is_expected_ends_the_session_or_is_neither() {
    let any = expected(&json!({"or_end": [404]}), &json!([]));
    assert_eq!(any.meaning(204), StatusMeaning::Expected);
    assert_eq!(any.meaning(404), StatusMeaning::Ends);
    assert_eq!(any.meaning(304), StatusMeaning::Other);
    assert!(!any.looks_beyond_status());
    let some = expected(&json!({"status": [201, 409]}), &json!([]));
    assert_eq!(some.meaning(409), StatusMeaning::Expected);
    assert_eq!(some.meaning(200), StatusMeaning::Other);
}

#[test]
fn pointers_are_told_as_they_are_written() {
    let tokens = ["a/b", "c~d", ""].map(str::to_owned);
    assert_eq!(pointer(&tokens), "/a~1b/c~0d/");
}
