//! Operations made ready, and what is written of them.

use super::*;
use crate::exchange::redirect::Redirected;
use crate::plan::cells::cells;
use serde_json::{Value, json};

fn plan(protocol: &str, changes: &Value) -> Plan {
    let mut operation = json!({"operation": "a", "cell": "a", "method": "POST", "path": ["/p?q=1"],
        "headers": [["Accept", ["text/plain"]]]});
    for (key, value) in changes.as_object().expect("is an object") {
        operation[key] = value.clone();
    }
    let stage = json!({"from": 1, "to": 1, "duration_ns": 1});
    let plan = json!({
        "plan_version": 3, "target": {"address": "127.0.0.1:1", "host": "there:1"}, "protocol": protocol,
        "seed": 1, "duration_ns": 1, "connect_timeout_ns": 1, "timeout_ns": 1, "grace_ns": 1,
        "groups": [{"group": "g", "arrivals": {"users": {"stages": [stage]}}, "values": ["v"],
            "operations": [operation], "session": [{"send": {"operation": 0}}]}],
    });
    serde_json::from_value(plan).expect("is a plan")
}

fn ready(plan: &Plan) -> (RequestMaker, Request) {
    let mut maker = RequestMaker::new(plan);
    let group = &plan.groups[0];
    let request = maker.make(group, &group.operations[0], 0).expect("is made");
    (maker, request)
}

fn text(plan: &Plan) -> String {
    let written = ready(plan).1.constant.expect("is always the same");
    String::from_utf8(written.http1.bytes).expect("is text")
}

#[test]
fn a_request_has_host_headers_length_and_body() {
    let expected = "POST /p?q=1 HTTP/1.1\r\nHost: there:1\r\nAccept: text/plain\r\n\
                    Content-Length: 2\r\n\r\né";
    assert_eq!(text(&plan("h1c", &json!({"body": ["é"]}))), expected);
}

#[test]
fn only_methods_that_expect_a_body_announce_an_empty_one() {
    let mut get = plan("h1c", &json!({"method": "GET"}));
    assert!(!text(&get).contains("Content-Length"));
    get.connections = Connections::PerRequest;
    assert!(text(&get).contains("Connection: close\r\n"));
    let put = plan("h1c", &json!({"method": "PUT"}));
    assert!(text(&put).contains("Content-Length: 0\r\n"));
}

#[test]
fn who_says_close_says_it_once() {
    let mut closing = plan("h1c", &json!({"headers": [["Connection", ["Close"]]]}));
    closing.connections = Connections::PerRequest;
    assert_eq!(text(&closing).to_lowercase().matches("close").count(), 1);
    assert!(
        ready(&closing)
            .1
            .constant
            .expect("is constant")
            .http1
            .closes
    );
}

#[test]
fn what_differs_from_session_to_session_is_not_made_beforehand() {
    let placed = |place: &str| json!([{"expression": {"value": 0}, "as": place}]);
    for changes in [
        json!({"path": ["/", placed("segment")[0]]}),
        json!({"headers": [["x", placed("header")]]}),
        json!({"body": placed("raw")}),
    ] {
        assert!(ready(&plan("h1c", &changes)).1.constant.is_none());
    }
    let mut with_cookies = plan("h1c", &json!({}));
    with_cookies.groups[0].cookies = true;
    assert!(ready(&with_cookies).1.constant.is_none());
}

#[test]
fn redirects_to_ever_new_paths_leave_nothing_behind() {
    let plan = plan("h2c", &json!({"body": ["x"]}));
    let (maker, request) = ready(&plan);
    let (kept, mut scratch) = (maker.fields.kept(), Scratch::default());
    let (values, mut written) = (Values::new(1), Written::default());
    let context = Context {
        values: &values,
        occasion: &crate::session::occasion::tests::OCCASION,
    };
    for number in 0..100 {
        for method in ["POST", "GET"] {
            let redirected = Redirected {
                method: method.into(),
                path: format!("/{number}").into_bytes(),
                keeps_body: method == "POST",
            };
            let asking = Asking {
                context,
                jar: None,
                redirected: Some(&redirected),
            };
            let made = request
                .template
                .write(&maker, &asking, &mut scratch, &mut written);
            assert_eq!(made, Ok(()));
            let constant = request.constant.as_ref().expect("is constant");
            assert_ne!(written.http2.block, constant.http2.block);
        }
    }
    assert_eq!(maker.fields.kept(), kept);
}

#[test]
fn a_further_status_has_a_cell_of_its_own_and_any_other_is_in_the_first() {
    let plan = plan(
        "h1c",
        &json!({"check": {"status": [201, 404], "or_end": [409]}}),
    );
    assert_eq!(cells(&plan).len(), 3);
    let request = ready(&plan).1;
    let cell = |outcome, status| request.cell(outcome, status);
    assert_eq!(cell(Outcome::Ok, 201), 0);
    assert_eq!(cell(Outcome::Check, 404), 1);
    assert_eq!(cell(Outcome::Ok, 409), 2);
    assert_eq!(cell(Outcome::Status, 500), 0);
    assert_eq!(cell(Outcome::Read, 404), 0, "it is not whole");
}
