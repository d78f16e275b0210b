//! Groups, their sessions, and what those send.

use super::*;

#[test]
fn groups_and_cells_are_told_apart_by_their_names() {
    let group = plan()["groups"][0].clone();
    let message = refusal("/groups", json!([group, group]));
    assert!(
        message.starts_with("groups[1].group: the name is used twice"),
        "{message}"
    );
    let mut other = group.clone();
    other["group"] = json!("others");
    let message = refusal("/groups", json!([group, other]));
    assert!(
        message.starts_with("groups[1].operations[0].cell: get is used twice"),
        "{message}"
    );
    other["operations"][0]["cell"] = json!("get.409");
    let mut further = group;
    further["operations"][0]["check"] = json!({"status": [201], "or_end": [409]});
    let message = refusal("/groups", json!([further, other]));
    assert!(message.contains("get.409 is used twice"), "{message}");
    other["operations"][0]["cell"] = json!("others.get");
    let mut plan = plan();
    plan["groups"] = json!([further, other]);
    assert!(read(&plan.to_string()).is_ok());
}

#[test]
fn what_is_meant_by_a_number_must_be_there() {
    let send = |changes: Value| json!({"session": [{"send": changes}]});
    let captured =
        |capture: Value| json!({"operations": operation(&json!({"captures": [capture]}))});
    let in_path = |expression: Value| {
        let piece = json!({"expression": expression, "as": "segment"});
        json!({"operations": operation(&json!({"path": ["/", piece]}))})
    };
    for (changes, expected) in [
        (
            send(json!({"operation": 1})),
            "session[0].send.operation: there is no operation 1",
        ),
        (
            send(json!({"operation": 0, "when": 0})),
            "session[0].send.when: there is no value 0",
        ),
        (
            json!({"feeds": [{"feed": 0, "values": []}]}),
            "feeds[0].feed: there is no feed 0",
        ),
        (
            json!({"let": [{"value": 1, "text": []}]}),
            "let[0].value: there is no value 1",
        ),
        (
            in_path(json!({"value": 7})),
            "operations[0].path[1].expression.value: there is no value 7",
        ),
        (
            in_path(json!({"integer": [{"value": 7}]})),
            "expression.integer[0].value: there is no value 7",
        ),
        (
            captured(json!({"value": 2, "from": {"json": []}})),
            "captures[0].value: there is no value 2",
        ),
        (
            json!({"operations": operation(&json!({"secret_headers": [0]}))}),
            "secret_headers[0]: there is no header 0",
        ),
    ] {
        let message = refusal_in_group(&changes);
        assert!(message.starts_with("groups[0]."), "{message}");
        assert!(message.contains(expected), "{expected}: {message}");
    }
}

#[test]
fn an_integer_must_come_to_one_number() {
    let of = |terms: Value| {
        refusal_in_group(&json!({"values": ["n"], "let": [{"value": 0, "integer": terms}]}))
    };
    let of_all = of(json!([]));
    assert!(
        of_all.contains("let[0].integer: must come to one number, and comes to 0"),
        "{of_all}"
    );
    assert!(of(json!([1, 2])).contains("comes to 2"));
    assert!(of(json!([1, "+"])).contains("integer[1]: an operator needs two numbers"));
    let many = of(json!(vec![1; 33]));
    assert!(
        many.contains("integer[32]: more than 32 numbers wait"),
        "{many}"
    );
}

#[test]
fn steps_must_come_to_an_end_and_something_must_be_chosen() {
    let send = json!({"send": {"operation": 0}});
    let repeat = |times: Value| json!({"session": [{"repeat": {"times": times, "steps": [send]}}]});
    let choose = |weight: u32| {
        let alternatives = json!([{"weight": weight, "steps": [send]}]);
        json!({"session": [{"choose": {"draw": 0, "alternatives": alternatives}}]})
    };
    let times = json!({"integer": [1]});
    let (mut deep, mut often) = (send.clone(), send.clone());
    for _ in 0..16 {
        let alternatives = json!([{"weight": 1, "steps": [deep]}]);
        deep = json!({"choose": {"draw": 0, "alternatives": alternatives}});
    }
    for _ in 0..5 {
        often = json!({"repeat": {"times": times, "steps": [often]}});
    }
    let capture = json!({"value": 0, "from": {"header": "x"}});
    let mut captured = repeat(json!({"base64": [{"expression": {"value": 0}, "as": "raw"}]}));
    captured["values"] = json!(["v"]);
    captured["operations"] = operation(&json!({"captures": [capture]}));
    for (changes, expected) in [
        (
            repeat(json!({"integer": [1001]})),
            "session[0].repeat.times: must be between 0 and 1000",
        ),
        (
            repeat(json!({"integer": [-1]})),
            "session[0].repeat.times: must be between",
        ),
        (
            choose(0),
            "session[0].choose.alternatives: need one of a weight above 0",
        ),
        (json!({"session": [deep]}), "16 levels deep at most"),
        (
            json!({"session": [often]}),
            "repeat.steps[0].repeat: repeats stand in each other 4 deep at most",
        ),
        (captured, "times: must not depend on what answers say"),
        (
            json!({"session": []}),
            "session: a session needs at least one step",
        ),
    ] {
        let message = refusal_in_group(&changes);
        assert!(message.contains(expected), "{expected}: {message}");
    }
    let mut plan = plan();
    plan["groups"][0]["session"] = json!([
        choose(1)["session"][0],
        repeat(json!({"integer": [1000]}))["session"][0]
    ]);
    assert!(read(&plan.to_string()).is_ok());
}

#[test]
fn what_a_rate_cannot_have_is_refused() {
    let rate = |sessions: u64| {
        let stage = json!([{"from": 1.0, "to": 1.0, "duration_ns": 1}]);
        json!({"rate": {"stages": stage, "connections": 5, "sessions": sessions}})
    };
    for (changes, expected) in [
        (
            json!({"arrivals": rate(4)}),
            "rate.sessions: must be between connections (5)",
        ),
        (
            json!({"arrivals": rate(9), "pace_ns": 1}),
            "pace_ns: a rate paces",
        ),
        (
            json!({"arrivals": rate(9), "leave": "after_request"}),
            "leave: nobody leaves",
        ),
        (
            json!({"arrivals": rate(9), "once": [{"send": {"operation": 0}}]}),
            "once: an arrived session",
        ),
    ] {
        let message = refusal_in_group(&changes);
        assert!(message.contains(expected), "{expected}: {message}");
    }
}

#[test]
fn feeds_must_fit_what_is_taken_of_them() {
    let feed =
        json!({"name": "owners", "file": "f", "rows": 2, "columns": 2, "sha256": "0".repeat(64)});
    let mut plan = plan();
    plan["feeds"] = json!([feed]);
    plan["groups"][0]["values"] = json!(["a", "b"]);
    plan["groups"][0]["feeds"] = json!([{"feed": 0, "values": [0, 1]}]);
    assert!(read(&plan.to_string()).is_ok());
    for (pointer, value, expected) in [
        (
            "/groups/0/feeds/0/values",
            json!([0]),
            "groups[0].feeds[0].values: must be 2",
        ),
        (
            "/groups/0/feeds/0/values",
            json!([0, 2]),
            "groups[0].feeds[0].values[1]: there is no value 2",
        ),
        ("/feeds/0/rows", json!(0), "feeds[0].rows: "),
        ("/feeds/0/columns", json!(0), "feeds[0].columns: "),
        ("/feeds/0/sha256", json!("x"), "feeds[0].sha256: "),
    ] {
        let mut plan = plan.clone();
        *plan.pointer_mut(pointer).expect("is there") = value;
        let refused = read(&plan.to_string()).expect_err("must be refused");
        assert!(refused.to_string().starts_with(expected), "{refused}");
    }
}

#[test]
fn statuses_pointers_and_picks_that_make_no_sense_are_refused() {
    let check = |check: Value| json!({"operations": operation(&json!({"check": check}))});
    let captured = |capture: Value| json!({"values": ["v"], "operations": operation(&json!({"captures": [capture]}))});
    let long = json!(["a", "b", "c", "d", "e", "f", "g", "h", "i"]);
    for (changes, expected) in [
        (
            check(json!({"status": [100]})),
            "check.status[0]: must be between 200 and 599",
        ),
        (
            check(json!({"status": [201, 201]})),
            "check.status[1]: 201 is expected already",
        ),
        (
            check(json!({"status": [201], "or_end": [201]})),
            "check.or_end[0]: 201 is expected already",
        ),
        (
            check(json!({"or_end": [204]})),
            "check.or_end[0]: 204 is expected already",
        ),
        (
            check(json!({"json": [{"pointer": long, "is": "present"}]})),
            "pointer: has 9 tokens",
        ),
        (
            check(json!({"json": [{"pointer": ["*", "*"], "is": "present"}]})),
            "pointer: has more than one *",
        ),
        (
            check(json!({"header": [{"name": "a b", "is": "present"}]})),
            "header[0].name: ",
        ),
        (
            captured(json!({"value": 0, "from": {"json": ["a"]}, "pick": "random"})),
            "pick: the pointer has no *",
        ),
        (
            captured(json!({"value": 0, "from": {"header": ""}})),
            "from.header: ",
        ),
    ] {
        let message = refusal_in_group(&changes);
        assert!(message.contains(expected), "{expected}: {message}");
    }
}

#[test]
fn a_request_that_could_be_read_as_two_is_refused() {
    let operation = "/groups/0/operations/0";
    let header = |name: &str, value: Value| json!([[name, [value]]]);
    let placed = |place: &str| json!({"expression": "session_number", "as": place});
    for (field, value) in [
        ("method", json!("GET / HTTP/1.1\r\nX: y")),
        ("method", json!("")),
        ("path", json!(["/ HTTP/1.1"])),
        ("path", json!(["/\r\nX: y"])),
        ("path", json!(["http://elsewhere/"])),
        ("path", json!([])),
        ("path", json!(["/", placed("raw")])),
        ("path", json!([placed("segment")])),
        ("headers", header("x", json!("a\r\nb: c"))),
        ("headers", header("x", json!("a\u{0}b"))),
        ("headers", header("x: y\r\nz", json!("a"))),
        ("headers", header("x", placed("raw"))),
        ("headers", header("Host", json!("elsewhere"))),
        ("headers", header("Content-length", json!("3"))),
        ("headers", header("transfer-Encoding", json!("chunked"))),
        ("headers", header("connection", json!("upgrade"))),
        ("headers", header("connection", placed("header"))),
        ("body", json!([placed("header")])),
    ] {
        let message = refusal(&format!("{operation}/{field}"), value.clone());
        assert!(message.contains(field), "{field} {value}: {message}");
    }
}
