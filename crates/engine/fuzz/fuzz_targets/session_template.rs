//! Templates: whatever a value is, it leaves exactly one request, which a parser of others reads, and
//! which says the value; and JSON and forms give it back. Or it is not sent.
//!
//! Input: the value.

#![no_main]

use httparse::{EMPTY_HEADER, Request, Status};
use libfuzzer_sys::fuzz_target;
use loadstone_engine::fuzzing::{Context, Occasion, Template, Unsendable, Values};
use serde_json::{Value, json};

const OCCASION: Occasion<'static> = Occasion {
    feeds: &[],
    origin: "http://127.0.0.1:80",
    seed: 1,
    run_key: 2,
    group: 0,
    session_number: 3,
    user_number: 4,
    turn: 5,
    draw_turn: 5,
    now_unix_ns: 2_240_719_200_000_000_000,
};

fn render(pieces: Value, values: &Values) -> Result<String, Unsendable> {
    let pieces: Vec<_> = serde_json::from_value(pieces).expect("are pieces");
    let template = Template::new(&pieces).expect("is fine");
    let context = Context {
        values,
        occasion: &OCCASION,
    };
    let mut out = Vec::new();
    template.render(&context, &mut out)?;
    Ok(String::from_utf8(out).expect("is UTF-8"))
}

/// The text without its percent-encoding.
fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((&byte, after)) = rest.split_first() {
        let length = if byte == b'%' { 2 } else { 0 };
        let digits = std::str::from_utf8(&after[..length]).expect("is ASCII");
        bytes.push(u8::from_str_radix(digits, 16).unwrap_or(byte));
        rest = &after[length..];
    }
    String::from_utf8(bytes).expect("is UTF-8")
}

fn target(text: &str, values: &Values, place: &str, before: &str) {
    let value = |place: &str| json!({"expression": {"value": 0}, "as": place});
    let path = render(json!([before, value(place), "?b=", value("query")]), values);
    let header = render(json!(["Bearer ", value("header")]), values);
    let (Ok(path), Ok(header)) = (path, header) else {
        return;
    };
    let head = format!("GET {path} HTTP/1.1\r\nauthorization: {header}\r\n\r\n");
    let mut headers = [EMPTY_HEADER; 4];
    let mut request = Request::new(&mut headers);
    let parsed = request.parse(head.as_bytes());
    assert_eq!(parsed, Ok(Status::Complete(head.len())));
    assert_eq!(request.headers.len(), 1);
    assert_eq!(request.headers[0].value, header.as_bytes());
    assert_eq!(header, format!("Bearer {text}"));
    let (path, query) = request
        .path
        .and_then(|path| path.rsplit_once("?b="))
        .expect("has both");
    assert_eq!(decoded(query), text);
    if place == "segment" {
        let segment = path.strip_prefix(before).expect("stays");
        assert!(!segment.contains('/') && segment != "." && segment != "..");
        assert_eq!(decoded(segment), text);
    } else {
        assert!(path.starts_with('/') && !path.starts_with("//"));
        assert_eq!(path, text.strip_prefix(OCCASION.origin).unwrap_or(text));
    }
}

fuzz_target!(|text: &str| {
    let mut values = Values::new(1);
    if values.set_text(0, text.as_bytes(), false).is_err() {
        return;
    }
    target(text, &values, "segment", "/a/");
    target(text, &values, "location", "");

    let value = |place: &str| json!({"expression": {"value": 0}, "as": place});
    let body = json!([
        "{\"a\":",
        value("json"),
        ",\"b\":\"<",
        value("json_string"),
        ">\"}"
    ]);
    let body = render(body, &values).expect("any text may stand in JSON");
    let read: Value = serde_json::from_str(&body).expect("is JSON");
    assert_eq!(read, json!({"a": text, "b": format!("<{text}>")}));

    let form = render(json!([value("form")]), &values).expect("any text may stand in a form");
    assert_eq!(decoded(&form.replace('+', " ")), text);

    if let Ok(number) = render(json!([value("json_number")]), &values) {
        let read = serde_json::from_str::<f64>(&number);
        assert!(read.is_ok() || read.is_err_and(|error| error.to_string().contains("range")));
    }
});
