//! What is a conference, and what is said of what is none.

use super::*;

const ASTRAL: &str = "𝒳";

fn refusal(read: Result<Conference, Problem>) -> String {
    let problem = read.expect_err("refused");
    format!("{} {:?}", problem.status.as_u16(), problem.faults)
}

fn faults(expected: &[(&'static str, &'static str)]) -> String {
    let faults: Vec<_> = expected
        .iter()
        .map(|&(pointer, code)| Fault { pointer, code })
        .collect();
    format!("422 {faults:?}")
}

#[test]
fn a_conference_is_read() {
    for (id, name) in [
        ("a", "QCon"),
        (&"a".repeat(64), &ASTRAL.repeat(191)),
        ("0.A_z~-", " name "),
    ] {
        let row = Conference {
            id: id.to_owned(),
            name: name.to_owned(),
        };
        let body = serde_json::to_string(&row).expect("JSON");
        assert_eq!(Conference::read(&body).expect("a conference"), row);
    }
    let body = r#"{"more":[{"id":1}],"name":"\ud83d\ude00","ID":1,"id":"a"}"#;
    assert_eq!(Conference::read(body).expect("a conference").name, "😀");
}

#[test]
fn a_body_is_one_value_of_json() {
    for body in [
        "",
        "{",
        "{} {}",
        r#"{"id":"a","name":"b",}"#,
        r#"{"id":"a","name":"\ud800"}"#,
        r#"{"id":"a","name":"\udc00x"}"#,
        "[1",
    ] {
        assert_eq!(refusal(Conference::read(body)), "400 []", "{body}");
    }
    assert_eq!(refusal(Conference::read(&"[".repeat(10_000))), "400 []");
}

#[test]
fn the_first_fault_of_each_member_is_said() {
    let long = format!(
        r#"{{"id":"{}","name":"{}"}}"#,
        "é".repeat(65),
        ASTRAL.repeat(192)
    );
    for (body, expected) in [
        (r#"["a","b"]"#, [("", "type")].as_slice()),
        ("null", &[("", "type")]),
        ("{}", &[("/id", "required"), ("/name", "required")]),
        (
            r#"{"Id":"a","NAME":""}"#,
            &[("/id", "required"), ("/name", "required")],
        ),
        (
            r#"{"id":null,"name":-1.5}"#,
            &[("/id", "type"), ("/name", "type")],
        ),
        (
            r#"{"id":[1,[2]],"name":{"a":true}}"#,
            &[("/id", "type"), ("/name", "type")],
        ),
        (
            r#"{"id":"","name":""}"#,
            &[("/id", "too-short"), ("/name", "too-short")],
        ),
        (
            r#"{"id":"a/b","name":"\u0000"}"#,
            &[("/id", "pattern"), ("/name", "characters")],
        ),
        (
            r#"{"id":"-a","name":"\u007f"}"#,
            &[("/id", "pattern"), ("/name", "characters")],
        ),
        (&long, &[("/id", "too-long"), ("/name", "too-long")]),
    ] {
        assert_eq!(refusal(Conference::read(body)), faults(expected), "{body}");
    }
}

#[test]
fn the_id_of_a_replacement_is_no_other() {
    for body in [r#"{"name":"n"}"#, r#"{"id":"a","name":"n"}"#] {
        let read = Conference::read_replacement(body, "a").expect("a conference");
        assert_eq!((read.id.as_str(), read.name.as_str()), ("a", "n"));
    }
    for (body, expected) in [
        (r#"{"id":"A","name":"n"}"#, [("/id", "mismatch")].as_slice()),
        (
            r#"{"id":"","name":""}"#,
            &[("/id", "mismatch"), ("/name", "too-short")],
        ),
        (r#"{"id":null}"#, &[("/id", "type"), ("/name", "required")]),
    ] {
        let read = Conference::read_replacement(body, "a");
        assert_eq!(refusal(read), faults(expected), "{body}");
    }
}
