//! Requests of sessions: what HTTP/1.1 and HTTP/2 write of the same values, as others read it.

use super::*;
use crate::plan::Plan;
use crate::protocol::hpack::decoder::Decoder;
use crate::protocol::hpack::encoder::Encoder;
use crate::session::occasion::tests::OCCASION;
use crate::session::values::Values;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A request with a value in a path, a query, headers and a body, of a session that keeps cookies.
fn plan(protocol: &str) -> Plan {
    let placed = |place: &str| json!({"expression": {"value": 0}, "as": place});
    let operation = json!({
        "operation": "a", "cell": "a", "method": "POST",
        "path": ["/a/", placed("segment"), "/b?c=", placed("query")],
        "headers": [["Authorization", ["Bearer ", {"expression": {"value": 1}, "as": "header"}]],
            ["cookie", ["own=1"]], ["X-Same", ["same"]]],
        "body": ["{\"v\":\"", placed("json_string"), "\"}"],
    });
    let stage = json!({"from": 1, "to": 1, "duration_ns": 1});
    let plan = json!({
        "plan_version": 3, "target": {"address": "127.0.0.1:1", "host": "h.test:1"}, "protocol": protocol,
        "seed": 1, "duration_ns": 1, "connect_timeout_ns": 1, "timeout_ns": 1, "grace_ns": 1,
        "groups": [{"group": "g", "arrivals": {"users": {"stages": [stage]}}, "values": ["v", "token"],
            "cookies": true, "operations": [operation], "session": [{"send": {"operation": 0}}]}],
    });
    serde_json::from_value(plan).expect("is a plan")
}

/// What is written for these values.
fn written(
    protocol: &str,
    value: &str,
    token: &str,
) -> (RequestMaker, Result<Written, Unsendable>) {
    let plan = plan(protocol);
    let mut maker = RequestMaker::new(&plan);
    let operation = &plan.groups[0].operations[0];
    let template = RequestTemplate::new(&mut maker, operation, true).expect("is made");
    let (mut values, mut jar) = (Values::new(2), Jar::default());
    for (index, text) in [value, token].into_iter().enumerate() {
        values
            .set_text(index, text.as_bytes(), false)
            .expect("is short");
    }
    jar.set(b"sid=7; Path=/", &maker.asked(b"/", 0));
    let asking = Asking {
        context: Context {
            values: &values,
            occasion: &OCCASION,
        },
        jar: Some(&jar),
        redirected: None,
    };
    let (mut scratch, mut written) = (Scratch::default(), Written::default());
    // Memory of a request before is of no account.
    scratch.body.extend_from_slice(b"before");
    written.http1.bytes.extend_from_slice(b"before");
    let made = template.write(&maker, &asking, &mut scratch, &mut written);
    (maker, made.map(|()| written))
}

fn percent(text: &str) -> String {
    let bytes = text.bytes().map(|byte| format!("%{byte:02X}"));
    bytes.collect()
}

/// What escapes may differ in: unreserved bytes as they are.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        if *first == b'%' {
            let digits = str::from_utf8(&after[..2]).expect("two digits");
            bytes.push(u8::from_str_radix(digits, 16).expect("two digits"));
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).expect("is text")
}

proptest! {
    #[test]
    fn any_value_makes_one_request_as_others_read_it(value in "\\PC{1,20}|[\\x00-\\x1f\"\\\\%/?#. ]{1,8}") {
        prop_assume!(value != "." && value != "..");
        let bytes = written("h1c", &value, "t").1.expect("can be sent").http1.bytes;
        let mut headers = [httparse::EMPTY_HEADER; 8];
        let mut parsed = httparse::Request::new(&mut headers);
        let head = parsed.parse(&bytes).expect("is a request").unwrap();
        let path = parsed.path.expect("has a path");
        let (segment, query) = path.strip_prefix("/a/").and_then(|path| path.split_once("/b?c="))
            .expect("as the plan says");
        prop_assert_eq!((decoded(segment), decoded(query)), (value.clone(), value.clone()));
        prop_assert!(percent(&value).len() >= segment.len());
        let header = |name: &str| {
            let of_name = parsed.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
            of_name.map(|header| String::from_utf8_lossy(header.value).into_owned()).collect::<Vec<_>>()
        };
        prop_assert_eq!(header("cookie"), ["own=1; sid=7"]);
        let body = &bytes[head..];
        prop_assert_eq!(header("content-length"), [body.len().to_string()]);
        let json: Value = serde_json::from_slice(body).expect("is JSON");
        prop_assert_eq!(&json["v"], &json!(value));
    }

    #[test]
    fn http_2_says_the_same_in_fields(value in "\\PC{1,20}", token in "[!-~]{1,40}") {
        prop_assume!(value != "." && value != "..");
        let text = written("h1c", &value, &token).1.expect("can be sent").http1.bytes;
        let (maker, made) = written("h2c", &value, &token);
        let request = made.expect("can be sent").http2;
        let (mut block, mut fields) = (Vec::new(), Vec::new());
        Encoder::new().encode(&maker.fields, &request.block, &mut block);
        Decoder::new(4_096).decode(&block, |name, value| {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            fields.push((text(name), text(value)));
        }).expect("is a block");
        let field = |name: &str| {
            let of_name = fields.iter().filter(|field| field.0 == name);
            of_name.map(|field| field.1.as_str()).collect::<Vec<_>>()
        };
        let text = String::from_utf8_lossy(&text);
        let path = text.split(' ').nth(1).expect("a path");
        prop_assert_eq!((field(":method"), field(":path")), (vec!["POST"], vec![path]));
        prop_assert_eq!((field(":scheme"), field(":authority")), (vec!["http"], vec!["h.test:1"]));
        prop_assert_eq!(field("authorization"), [format!("Bearer {token}")]);
        prop_assert_eq!(field("cookie"), ["own=1", "sid=7"]);
        prop_assert_eq!(field("x-same"), ["same"]);
        prop_assert_eq!(field("content-length"), [request.body.len().to_string()]);
        prop_assert!(text.ends_with(str::from_utf8(&request.body).expect("is text")));
    }
}

#[test]
fn what_may_not_stand_somewhere_is_not_sent() {
    let error = |value, token| {
        [
            written("h1c", value, token).1.err(),
            written("h2c", value, token).1.err(),
        ]
    };
    assert_eq!(error("x", "a\r\nb: c"), [Some(Unsendable::Header); 2]);
    assert_eq!(error("x", "end "), [Some(Unsendable::Blank); 2]);
    assert_eq!(error("..", "t"), [Some(Unsendable::DotSegment); 2]);
    assert_eq!(error("x", "t"), [None, None]);
}

#[test]
fn a_host_is_without_its_port() {
    assert_eq!(without_port("h.test:80"), "h.test");
    assert_eq!(without_port("[::1]:80"), "[::1]");
    assert_eq!(without_port("h.test"), "h.test");
}

#[test]
fn lengths_are_written_in_digits() {
    for length in [0, 9, 10, 1_234_567_890] {
        let mut text = Vec::new();
        push_decimal(length, &mut text);
        assert_eq!(text, length.to_string().into_bytes());
    }
}
