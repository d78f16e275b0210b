//! What is read, and what is refused.

use super::*;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt::Debug;

/// What is read is written again as it stood.
fn read<T: DeserializeOwned + Serialize + Debug>(value: &Value) -> T {
    let read: T = serde_json::from_value(value.clone()).expect("is of the format");
    assert_eq!(serde_json::to_value(&read).expect("is JSON"), *value);
    read
}

fn refusal<T: DeserializeOwned + Debug>(value: Value) -> String {
    let refused = serde_json::from_value::<T>(value);
    refused.expect_err("is not of the format").to_string()
}

#[test]
fn pieces_are_texts_and_placed_expressions() {
    let pieces: Pieces = read(&json!([
        "/clubs/",
        {"expression": {"value": 3}, "as": "segment"},
        {"expression": "session_number", "as": "query"},
        {"expression": {"integer": [1, {"value": 4}, "turn", "%", "+"]}, "as": "json"},
        {"expression": {"random": {"least": 1, "most": 6, "draw": 2}}, "as": "json_string"},
        {"expression": {"uuid": {"draw": 3}}, "as": "form"},
        {"expression": {"now": {"form": "second"}}, "as": "header"},
        {"expression": "epoch_ms", "as": "json_number"},
        {"expression": {"date": {"base_s": null, "offset_s": [60], "form": "day"}}, "as": "raw"},
        {"expression": {"base64": ["a:", {"expression": {"value": 0}, "as": "raw"}]}, "as": "header"},
        {"expression": {"value": 0}, "as": "location"},
    ]));
    assert_eq!(pieces.len(), 11);
    let Piece::Placed(placed) = &pieces[3] else {
        panic!("is an expression");
    };
    let Expression::Integer(terms) = &placed.expression else {
        panic!("is an integer");
    };
    assert_eq!(terms[4], Term::Word(Word::Plus));
}

#[test]
fn nodes_stand_in_each_other() {
    let nodes: Vec<Node> = read(&json!([
        {"send": {"operation": 0, "think": {"constant_ns": 5}, "when": null}},
        {"choose": {"draw": 1, "alternatives": [{"weight": 80, "steps": [
            {"repeat": {"times": {"integer": [5]}, "steps": [
                {"send": {"operation": 1, "think": null, "when": 2}}]}}]}]}},
    ]));
    assert_eq!(nodes.len(), 2);
    let short: Node = serde_json::from_value(json!({"send": {"operation": 0}})).expect("is one");
    let Node::Send(send) = short else {
        panic!("is a request");
    };
    assert_eq!((send.think, send.when), (None, None));
}

#[test]
fn lets_captures_and_checks_are_read() {
    let lets: Vec<Let> = read(&json!([
        {"value": 5, "text": ["a"]},
        {"value": 6, "integer": ["session_number", 2, "*"]},
    ]));
    assert!(matches!(
        &lets[1],
        Let::Integer(LetInteger { value: 6, .. })
    ));
    let capture: Capture = serde_json::from_value(json!({
        "value": 1, "from": {"json": ["items", "*", "id"]}}))
    .expect("is a capture");
    assert_eq!((capture.pick, capture.or), (Pick::First, Otherwise::Fail));
    read::<Capture>(&json!({
        "value": 1, "from": {"cookie": "sid"}, "pick": {"index": {"integer": ["session_number"]}},
        "or": {"value": "none"}, "draw": 3, "secret": true}));
    let check: Check = read(&json!({
        "status": [201, 409], "or_end": [], "body_contains": ["ok"],
        "json": [{"pointer": ["0", "id"], "is": "present"},
                 {"pointer": [], "is": {"value": {"a": [1.5, null]}}}],
        "header": [{"name": "x", "is": {"text": ["a"]}}, {"name": "y", "is": "absent"}]}));
    assert_eq!(check.json[0].is, JsonIs::Present);
    assert_eq!(
        serde_json::from_str::<Check>("{}").expect("is one"),
        Check::default()
    );
}

#[test]
fn what_is_not_of_the_format_is_refused() {
    let text = refusal::<Piece>(json!({"expression": {"value": 1}, "as": "elsewhere"}));
    assert!(text.contains("a piece must be a text"), "{text}");
    assert!(refusal::<Term>(json!("**")).contains("a term must be an integer"));
    assert!(refusal::<Let>(json!({"value": 5})).contains("`text` or `integer`"));
    let text = refusal::<Node>(json!({"send": {"operation": 1, "thinks": null}}));
    assert!(text.contains("unknown field `thinks`"), "{text}");
    refusal::<Expression>(json!({"random": {"least": 1, "most": 2, "draw": 0, "x": 1}}));
    refusal::<Capture>(json!({"value": 1, "from": {"json": [], "header": "x"}}));
}
