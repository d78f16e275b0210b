//! What a member may be, and what is said of one that is not.

use super::*;

fn members(body: &str) -> Members {
    Members::parse(body.as_bytes()).expect("JSON")
}

/// The code of the fault that reading a member finds in each body.
fn codes<T>(bodies: &[(&str, &str)], read: impl Fn(&mut Members) -> Option<T>) {
    for (body, code) in bodies {
        let mut members = members(body);
        assert!(read(&mut members).is_none(), "{body}");
        assert_eq!(members.faults[0].code, *code, "{body}");
    }
}

#[test]
fn a_body_is_one_value_of_json() {
    let refused = |body: &[u8]| Members::parse(body).expect_err("refused");
    let deep = "[".repeat(7000);
    for body in [
        "",
        "{",
        "{} {}",
        "{'a':1}",
        r#"{"a":1,}"#,
        r#"{"a":"\ud800"}"#,
        r#"{"a":1e400}"#,
        &deep,
    ] {
        assert_eq!(refused(body.as_bytes()).kind, Kind::Malformed, "{body}");
    }
    for body in [b"{\"a\":\"\xbf\x27\"}".as_slice(), b"{\"a\":\"\xc0\xaf\"}"] {
        assert_eq!(refused(body).kind, Kind::Malformed);
    }
    for body in ["null", "[1]", "\"a\"", "1"] {
        let mut members = members(body);
        assert_eq!(members.text("/name", 1..=100), None);
        let problem = members.finish(|| None::<()>).expect_err("refused");
        assert_eq!(problem.faults, [NO_OBJECT], "{body}");
    }
}

#[test]
fn a_text_has_its_length_in_code_points() {
    let astral = format!(r#"{{"name":"{}"}}"#, "𝒳".repeat(100));
    assert!(members(&astral).text("/name", 1..=100).is_some());
    let long = format!(r#"{{"name":"{}"}}"#, "𝒳".repeat(101));
    codes(
        &[
            ("{}", "required"),
            (r#"{"name":null}"#, "required"),
            (r#"{"Name":"a"}"#, "required"),
            (r#"{"name":1}"#, "type"),
            (r#"{"name":["a"]}"#, "type"),
            (r#"{"name":"\u0000"}"#, "format"),
            (r#"{"name":""}"#, "too-short"),
            (&long, "too-long"),
        ],
        |members| members.text("/name", 1..=100),
    );
}

#[test]
fn a_default_stands_for_what_is_missing_or_null() {
    for body in ["{}", r#"{"comment":null,"slots":null}"#] {
        let mut members = members(body);
        assert_eq!(members.text_or_empty("/comment", 5).as_deref(), Some(""));
        assert_eq!(members.integer_or("/slots", 1_i32, 1..=4), Some(1));
        assert!(members.faults.is_empty());
    }
}

#[test]
fn an_integer_is_not_made_of_anything_else() {
    let read = |members: &mut Members| members.integer::<i64>("/n", 1..=i64::MAX);
    let mut most = members(r#"{"n":9223372036854775807}"#);
    assert_eq!(read(&mut most), Some(i64::MAX));
    codes(
        &[
            (r#"{"n":"5"}"#, "type"),
            (r#"{"n":5.5}"#, "type"),
            (r#"{"n":true}"#, "type"),
            (r#"{"n":9223372036854775808}"#, "type"),
            (r#"{"n":-9223372036854775809}"#, "type"),
            (r#"{"n":0}"#, "range"),
            (r#"{"n":-1}"#, "range"),
        ],
        read,
    );
}

#[test]
fn a_list_tells_what_is_unknown() {
    codes(
        &[
            (r#"{"n":45}"#, "unknown-value"),
            (r#"{"n":-30}"#, "unknown-value"),
            (r#"{"n":"30"}"#, "type"),
        ],
        |members| members.listed_integer::<i16>("/n", &[30, 60, 90]),
    );
    codes(
        &[
            (r#"{"w":"A"}"#, "unknown-value"),
            (r#"{"w":1}"#, "type"),
            (r#"{"w":"a\u0000"}"#, "format"),
        ],
        |members| members.word("/w", None, &[("a", 1), ("b", 2)]),
    );
    let mut members = members(r#"{"w":"b"}"#);
    assert_eq!(members.word("/w", Some(1), &[("a", 1), ("b", 2)]), Some(2));
}

#[test]
fn a_start_lies_in_the_future() {
    let now = instant::read("2040-03-01T06:00:00Z").expect("an instant");
    let read = |members: &mut Members| members.future("/at", now);
    let mut next = members(r#"{"at":"2040-03-01T06:00:01Z"}"#);
    assert!(read(&mut next).is_some());
    codes(
        &[
            (r#"{"at":"tomorrow"}"#, "format"),
            (r#"{"at":2208988800}"#, "type"),
            (r#"{"at":"2019-12-31T23:59:59Z"}"#, "range"),
            (r#"{"at":"2099-12-31T23:59:59-01:00"}"#, "range"),
            (r#"{"at":"2040-03-01T06:00:00Z"}"#, "in-past"),
            (r#"{"at":"2020-01-01T00:00:00Z"}"#, "in-past"),
        ],
        read,
    );
}

#[test]
fn faults_are_in_the_order_in_which_members_are_read() {
    let mut members = members(r#"{"b":1}"#);
    let read = (members.text("/a", 1..=2), members.text("/b", 1..=2));
    let problem = members
        .finish(|| Some((read.0?, read.1?)))
        .expect_err("refused");
    let found: Vec<_> = problem
        .faults
        .iter()
        .map(|fault| (fault.pointer, fault.code))
        .collect();
    assert_eq!(found, [("/a", "required"), ("/b", "type")]);
}
