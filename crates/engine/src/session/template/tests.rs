//! What is rendered and what cannot be sent; requests that a foreign parser reads as one.

use super::*;
use crate::plan::session_format::Pieces;
use crate::session::occasion::Occasion;
use crate::session::occasion::tests::OCCASION;
use crate::session::rows::{Rows, rows_file};
use crate::session::values::Values;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

fn template(pieces: &Json) -> Template {
    let pieces: Pieces = serde_json::from_value(pieces.clone()).expect("are pieces");
    Template::new(&pieces).expect("is fine")
}

fn render(pieces: &Json, values: &Values, occasion: &Occasion) -> Result<String, Unsendable> {
    let mut out = b"before ".to_vec();
    let rendered = template(pieces).render(&Context { values, occasion }, &mut out);
    let text = String::from_utf8(out).expect("is UTF-8");
    let text = text.strip_prefix("before ").expect("stays as it was");
    assert!(rendered.is_ok() || text.is_empty());
    rendered.map(|()| text.to_owned())
}

/// The value between `<` and `>`, of this place; value 0 is the text.
fn as_place(place: &str, text: &str, is_bare: bool) -> Result<String, Unsendable> {
    let mut values = Values::new(1);
    let taken = values.set_text(0, text.as_bytes(), is_bare);
    taken.expect("fits");
    let pieces = json!([{"expression": {"value": 0}, "as": place}]);
    render(&pieces, &values, &OCCASION)
}

fn expression(expression: &Json, place: &str) -> Result<String, Unsendable> {
    let values = Values::new(1);
    let pieces = json!([{"expression": expression, "as": place}]);
    render(&pieces, &values, &OCCASION)
}

#[test]
fn a_text_without_expressions_is_constant() {
    let constant = template(&json!(["a", "b", "c"]));
    assert_eq!(constant.constant_bytes(), Some(&b"abc"[..]));
    assert_eq!(template(&json!([])).constant_bytes(), Some(&b""[..]));
    let varying = template(&json!(["a", {"expression": "turn", "as": "raw"}]));
    assert!(!varying.is_constant());
    assert!(varying.only().is_none());
    let values = Values::new(0);
    assert_eq!(
        render(&json!(["a", "b"]), &values, &OCCASION).as_deref(),
        Ok("ab")
    );
}

#[test]
fn each_place_has_its_own_way_to_write_a_text() {
    for (place, text, expected) in [
        ("segment", "a/b c", "a%2Fb%20c"),
        ("query", "a&b=c", "a%26b%3Dc"),
        ("form", "a b&c", "a+b%26c"),
        ("location", "/clubs/7?a=b", "/clubs/7?a=b"),
        ("location", "http://127.0.0.1:9090/clubs/7", "/clubs/7"),
        ("header", "Bearer a b", "Bearer a b"),
        ("json_string", "a\"b\n", "a\\\"b\\n"),
        ("json", "12", "\"12\""),
        ("json_number", "12.5e3", "12.5e3"),
        ("raw", "a\r\n\"é", "a\r\n\"é"),
    ] {
        assert_eq!(
            as_place(place, text, false).as_deref(),
            Ok(expected),
            "{place}"
        );
    }
    assert_eq!(as_place("json", "12", true).as_deref(), Ok("12"));
    assert_eq!(as_place("json_string", "true", true).as_deref(), Ok("true"));
}

#[test]
fn what_may_not_stand_somewhere_is_not_sent() {
    for (place, text, error) in [
        ("segment", ".", Unsendable::DotSegment),
        ("segment", "..", Unsendable::DotSegment),
        ("header", "a\r\nb: c", Unsendable::Header),
        ("header", "é", Unsendable::Header),
        ("header", " a", Unsendable::Blank),
        ("header", "a ", Unsendable::Blank),
        ("location", "//elsewhere/", Unsendable::Location),
        ("location", "/a\r\nb", Unsendable::Location),
        ("json_number", "1, \"a\": 2", Unsendable::Number),
        ("json_number", "", Unsendable::Number),
    ] {
        assert_eq!(as_place(place, text, false), Err(error), "{place} {text}");
    }
    let missing = expression(&json!({"value": 0}), "raw");
    assert_eq!(missing, Err(Unsendable::Missing(0)));
    assert_eq!(
        expression(&json!({"integer": [1, 0, "/"]}), "raw"),
        Err(Unsendable::Integer)
    );
    assert_eq!(
        expression(&json!("turn"), "location"),
        Err(Unsendable::Location)
    );
    let late = json!({"date": {"base_s": i64::MAX, "offset_s": [1], "form": "day"}});
    assert_eq!(expression(&late, "raw"), Err(Unsendable::Date));
}

#[test]
fn a_segment_of_several_pieces_is_seen_as_a_whole() {
    let mut values = Values::new(2);
    let value = |index| json!({"expression": {"value": index}, "as": "segment"});
    for (one, other, pieces, is_fine) in [
        (".", ".", json!(["/a/", value(0), value(1)]), false),
        (".", "", json!(["/a/", value(0), value(1), "/b"]), false),
        (
            ".",
            ".",
            json!(["/a/", value(0), "/", value(1), "x/b"]),
            false,
        ),
        (
            "x",
            ".",
            json!(["/a/", value(0), "/", value(1), "?b=c"]),
            false,
        ),
        (".", "", json!(["/a/.", value(0)]), false),
        (".", "", json!(["/a/.", value(0), "./b"]), true),
        ("..", "x", json!(["/", value(0), value(1), "/b"]), true),
        ("a", ".", json!(["/", value(0), value(1), "?x=/../y"]), true),
        ("a", "b", json!(["/x/../", value(0)]), true),
    ] {
        for (index, text) in [one, other].into_iter().enumerate() {
            values
                .set_text(index, text.as_bytes(), false)
                .expect("fits");
        }
        let rendered = render(&pieces, &values, &OCCASION);
        assert_eq!(rendered.is_ok(), is_fine, "{pieces} {rendered:?}");
    }
}

#[test]
fn expressions_come_to_what_they_say() {
    for (of, place, expected) in [
        (json!("session_number"), "json", "41"),
        (json!("user_number"), "segment", "3"),
        (json!("turn"), "header", "2"),
        (
            json!({"integer": ["session_number", 7, "%", 1, "-"]}),
            "json_number",
            "5",
        ),
        (
            json!({"random": {"least": -5, "most": -5, "draw": 1}}),
            "json_string",
            "-5",
        ),
        (json!("epoch_ms"), "raw", "2240719200123"),
        (
            json!({"now": {"form": "second"}}),
            "json",
            "\"2041-01-02T06:00:00Z\"",
        ),
        (
            json!({"now": {"form": "second"}}),
            "query",
            "2041-01-02T06%3A00%3A00Z",
        ),
        (
            json!({"date": {"base_s": 0, "offset_s": [86_400, 2, "*"], "form": "day"}}),
            "raw",
            "1970-01-03",
        ),
        (
            json!({"date": {"base_s": null, "offset_s": [60], "form": "second"}}),
            "header",
            "2041-01-02T06:01:00Z",
        ),
        (
            json!({"base64": ["user:", {"expression": "turn", "as": "raw"}]}),
            "header",
            "dXNlcjoy",
        ),
        (json!({"base64": ["??>"]}), "form", "Pz8%2B"),
        (
            json!({"base64": [{"expression": {"base64": ["a"]}, "as": "raw"}]}),
            "json",
            "\"WVE9PQ==\"",
        ),
    ] {
        assert_eq!(
            expression(&of, place).as_deref(),
            Ok(expected),
            "{of} {place}"
        );
    }
}

#[test]
fn draws_follow_the_session_and_the_run() {
    let uuid = |occasion: &Occasion| {
        let pieces = json!([{"expression": {"uuid": {"draw": 3}}, "as": "segment"}]);
        render(&pieces, &Values::new(0), occasion).expect("can be sent")
    };
    assert_eq!(uuid(&OCCASION).len(), 36);
    assert_eq!(uuid(&OCCASION), uuid(&OCCASION));
    let other_run = Occasion {
        run_key: 9,
        ..OCCASION
    };
    let other_session = Occasion {
        session_number: 42,
        ..OCCASION
    };
    assert_ne!(uuid(&other_run), uuid(&OCCASION));
    assert_ne!(uuid(&other_session), uuid(&OCCASION));
}

#[test]
fn a_text_that_grows_too_long_is_not_sent() {
    let long = "x".repeat(MOST_RENDERED_BYTES);
    let feeds = [Rows::new(rows_file(&[&long, &(long.clone() + "x")]), 1, 2).expect("are rows")];
    let mut values = Values::new(2);
    values.set_row(&[0, 1], 0, &feeds[0], 0);
    let occasion = Occasion {
        feeds: &feeds,
        ..OCCASION
    };
    let raw = |index| json!({"expression": {"value": index}, "as": "raw"});
    assert_eq!(render(&json!([raw(0)]), &values, &occasion), Ok(long));
    for pieces in [
        json!([raw(1)]),
        json!(["x", raw(0)]),
        json!([raw(0), raw(0)]),
    ] {
        let rendered = render(&pieces, &values, &occasion);
        assert_eq!(rendered, Err(Unsendable::TooLong));
    }
}

/// A text that tempts a parser.
fn tempting() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "\r\n",
        "\n",
        "\r",
        "\0",
        " ",
        "\t",
        ":",
        "/",
        "?",
        "#",
        "&",
        "=",
        "%",
        "%0d%0a",
        ".",
        "..",
        "\"",
        "\\",
        "\\u000a",
        "{",
        "}",
        ",",
        "é",
        "\u{2028}",
        "𝄞",
        "HTTP/1.1",
        "Host: elsewhere",
        "GET",
        "a",
        "7",
    ]);
    let parts = prop::collection::vec(part, 0..6).prop_map(|parts| parts.concat());
    prop_oneof![3 => parts, 1 => any::<String>()]
}

/// What a form or a query says.
fn decoded(text: &str, blank: &str) -> String {
    let mut bytes = Vec::new();
    let text = text.replace(blank, " ");
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte == b'%' {
            let digits = str::from_utf8(&after[..2]).expect("is ASCII");
            bytes.push(u8::from_str_radix(digits, 16).expect("is hexadecimal"));
            rest = &after[2..];
        } else {
            bytes.push(byte);
            rest = after;
        }
    }
    String::from_utf8(bytes).expect("is UTF-8")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_value_leaves_one_request_that_says_it(text in tempting(), is_path: bool) {
        let value = |place: &str| json!({"expression": {"value": 0}, "as": place});
        let path = if is_path { "location" } else { "segment" };
        let head = json!([
            "PUT ", if is_path { "" } else { "/a/" }, value(path), "?b=", value("query"), " HTTP/1.1\r\nh: ",
            value("header"), "x\r\ncontent-length: 0\r\n\r\n",
        ]);
        let mut values = Values::new(1);
        values.set_text(0, text.as_bytes(), false).expect("fits");
        if let Ok(head) = render(&head, &values, &OCCASION) {
            let mut headers = [httparse::EMPTY_HEADER; 8];
            let mut request = httparse::Request::new(&mut headers);
            let parsed = request.parse(head.as_bytes());
            prop_assert_eq!(parsed, Ok(httparse::Status::Complete(head.len())));
            let target = request.path.expect("has one");
            let (before, query) = target.rsplit_once("?b=").expect("has a query");
            prop_assert_eq!(decoded(query, " "), &text[..]);
            if is_path {
                prop_assert_eq!(before, &text);
            } else {
                prop_assert_eq!(decoded(before.strip_prefix("/a/").expect("stays"), " "), &text[..]);
                prop_assert!(!["/a/.", "/a/.."].contains(&before), "{}", before);
            }
            prop_assert_eq!(request.headers.len(), 2);
            let header = str::from_utf8(request.headers[0].value).expect("is ASCII");
            let expected = format!("{text}x");
            prop_assert_eq!(header, expected.trim());
        }
    }

    #[test]
    fn bodies_give_any_value_back(text in tempting()) {
        let value = |place: &str| json!({"expression": {"value": 0}, "as": place});
        let mut values = Values::new(1);
        values.set_text(0, text.as_bytes(), false).expect("fits");
        let body = json!(["{\"a\":", value("json"), ",\"b\":\"<", value("json_string"), ">\"}"]);
        let body = render(&body, &values, &OCCASION).expect("can be sent");
        let expected = json!({"a": text, "b": format!("<{text}>")});
        prop_assert_eq!(serde_json::from_str::<Json>(&body).expect("is JSON"), expected);
        let form = render(&json!(["a=", value("form")]), &values, &OCCASION).expect("can be sent");
        prop_assert_eq!(decoded(form.strip_prefix("a=").expect("stays"), "+"), text);
    }
}
