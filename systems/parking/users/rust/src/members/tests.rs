//! Members of bodies.

use super::*;
use crate::words::VehicleType;

fn members(body: &str) -> Members {
    Members::parse(body.as_bytes()).expect("an object")
}

fn faults(problem: Problem) -> Vec<(&'static str, Code)> {
    assert_eq!(problem.kind, Kind::Invalid);
    let faults = problem.faults.into_iter();
    faults.map(|fault| (fault.pointer, fault.code)).collect()
}

fn whole<T>(members: Members, read: Option<T>) -> Result<T, Problem> {
    members.finish(|| read)
}

#[test]
fn a_body_is_one_object_in_utf_8() {
    for body in [
        &b""[..],
        b"{",
        b"[]",
        b"5",
        b"null",
        b"{} {}",
        b"{\"a\":1e400}",
        b"{\"a\":\"\xBF'\"}",
        b"{\"a\":\"\xC0\xAF\"}",
        br#"{"a":"\ud800"}"#,
        "[".repeat(7000).as_bytes(),
    ] {
        let refused = Members::parse(body).expect_err("malformed");
        assert_eq!(refused.kind, Kind::Malformed, "{body:?}");
    }
}

#[test]
fn a_member_that_was_not_read_is_unknown() {
    let mut members = members(r#"{"a":1,"b":2}"#);
    let read: Option<i64> = members.integer("/a", 5..=9);
    let refused = whole(members, read).expect_err("refused");
    assert_eq!(refused.kind, Kind::UnknownMember);
}

#[test]
fn nothing_is_coerced() {
    for value in [r#""5""#, "5.5", "true", "[5]", "{}", "5e0"] {
        let mut members = members(&format!(r#"{{"a":{value}}}"#));
        let read: Option<i32> = members.integer("/a", 1..=9);
        let refused = whole(members, read).expect_err("refused");
        assert_eq!(refused.kind, Kind::Malformed, "{value}");
    }
    for value in ["[null]", "[1.5]", "[\"1\"]", "1", "{}"] {
        let mut members = members(&format!(r#"{{"a":{value}}}"#));
        let read = members.integers("/a", |_| None);
        let refused = whole(members, read).expect_err("refused");
        assert_eq!(refused.kind, Kind::Malformed, "{value}");
    }
}

#[test]
fn the_first_fault_of_each_is_said_in_the_order_of_reading() {
    let mut members = members(r#"{"word":"x","number":10,"text":"","large":9223372036854775808}"#);
    let text = members.text("/text", |text| characters(text, 1..=2));
    let number: Option<i64> = members.integer("/number", 1..=9);
    let large: Option<i64> = members.integer("/large", 1..=i64::MAX);
    let word = members.word::<VehicleType>("/word");
    let missing = members.text("/missing", |_| None);
    let read = text.zip(number).zip(large).zip(word).zip(missing);
    let expected = [
        ("/text", "too-short"),
        ("/number", "range"),
        ("/large", "range"),
        ("/word", "unknown-value"),
        ("/missing", "required"),
    ];
    assert_eq!(faults(whole(members, read).expect_err("refused")), expected);
}

#[test]
fn null_is_as_if_it_were_missing() {
    let mut members = members(r#"{"a":null}"#);
    let read = members.text("/a", |_| None);
    assert_eq!(
        faults(whole(members, read).expect_err("refused")),
        [("/a", "required")]
    );
}

#[test]
fn texts_are_counted_in_code_points() {
    assert_eq!(characters(&"𝄞".repeat(60), 1..=60), None);
    assert_eq!(characters(&"𝄞".repeat(61), 1..=60), Some("too-long"));
    assert_eq!(characters("", 1..=60), Some("too-short"));
    for control in ['\0', '\u{1F}', '\u{7F}', '\u{9F}'] {
        assert_eq!(characters(&control.to_string(), 1..=60), Some("characters"));
    }
    assert_eq!(characters("\u{A0}\u{2028}", 1..=60), None);
    assert_eq!(visible("!~", 2..=2), None);
    for text in ["a b", "aé", "a\u{7F}"] {
        assert_eq!(visible(text, 1..=9), Some("characters"));
    }
}
