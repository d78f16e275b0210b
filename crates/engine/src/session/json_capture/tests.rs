//! Known bodies, hostile bodies, and any body at every cut against a plain model.

use super::questions::{MOST_POINTERS, QuestionError};
use super::*;
use serde_json::json;

mod model;

/// What is told of one question: its capture as text and type, and whether it holds.
type Told = (Option<(String, bool)>, bool);

fn questions(asked: &[(&str, Ask)]) -> JsonQuestions {
    let pointers: Vec<Vec<String>> = asked.iter().map(|(pointer, _)| tokens(pointer)).collect();
    let asks = asked.iter().map(|(_, ask)| ask.clone());
    let asked = pointers.iter().map(Vec::as_slice).zip(asks);
    JsonQuestions::new(asked).expect("can be asked")
}

/// The tokens of a pointer without escapes.
fn tokens(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(str::to_owned).collect()
}

fn read<'a>(
    questions: &JsonQuestions,
    prepare: impl Fn(&mut JsonReader),
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> Result<Vec<Told>, JsonFault> {
    let mut reader = JsonReader::default();
    // What an earlier body left is of no account.
    reader.begin(questions);
    reader.feed(questions, b"{\"a\": [\"x\\");
    reader.begin(questions);
    prepare(&mut reader);
    for piece in pieces {
        reader.feed(questions, piece);
    }
    reader.finish(questions)?;
    let told = |index| {
        let captured = reader.captured(index).map(|(text, is_bare)| {
            let text = String::from_utf8(text.to_vec()).expect("is UTF-8");
            (text, is_bare)
        });
        (captured, reader.holds(questions, index))
    };
    Ok((0..questions.count()).map(told).collect())
}

/// What is captured there, a string in quotes; at every cut of the body.
fn capture(pointer: &str, body: &str) -> Result<String, JsonFault> {
    capture_bytes(pointer, body.as_bytes())
}

fn capture_bytes(pointer: &str, body: &[u8]) -> Result<String, JsonFault> {
    let questions = questions(&[(pointer, Ask::Capture)]);
    let whole = read(&questions, |_| (), [body]);
    for cut in 0..=body.len() {
        let (one, other) = body.split_at(cut);
        let found = read(&questions, |_| (), [one, other]);
        assert_eq!(found, whole, "cut at {cut}");
    }
    assert_eq!(read(&questions, |_| (), body.chunks(1)), whole);
    whole.map(|told| match &told[0].0 {
        Some((text, true)) => text.clone(),
        Some((text, false)) => format!("'{text}'"),
        None => "nothing".to_owned(),
    })
}

#[test]
fn values_are_captured_as_text_with_their_type() {
    let body = r#"{"token_type":"Bearer","token":"a.b-c","expires_in":3600,"ok":true,"not":false,
        "none":null,"list":[10,"x",{"id":-1.50e3}],"of":{"token":"deep"},"":"empty","~":1,"0":"zero"}"#;
    for (pointer, expected) in [
        ("/token", "'a.b-c'"),
        ("/token_type", "'Bearer'"),
        ("/expires_in", "3600"),
        ("/ok", "true"),
        ("/not", "false"),
        ("/none", "nothing"),
        ("/list", "nothing"),
        ("/list/0", "10"),
        ("/list/1", "'x'"),
        ("/list/2/id", "-1.50e3"),
        ("/list/3", "nothing"),
        ("/list/00", "nothing"),
        ("/list/x", "nothing"),
        ("/of", "nothing"),
        ("/of/token", "'deep'"),
        ("/of/token/more", "nothing"),
        ("/", "'empty'"),
        ("/~", "1"),
        ("/0", "'zero'"),
        ("/toke", "nothing"),
        ("/*", "nothing"),
        ("/list/*", "10"),
        ("/list/*/id", "-1.50e3"),
        ("", "nothing"),
    ] {
        assert_eq!(capture(pointer, body).as_deref(), Ok(expected), "{pointer}");
    }
    for body in ["5", " 5 ", "5\n"] {
        assert_eq!(capture("", body).as_deref(), Ok("5"));
    }
    assert_eq!(capture("", "\"x\"").as_deref(), Ok("'x'"));
}

#[test]
fn keys_and_strings_are_compared_without_their_escapes() {
    let body = "{\"to\\u006ben\\/\":\"\\u00e9\\ud834\\udd1e\\n\\\"\\\\é𝄞\",\"tok\\\"\":1}";
    assert_eq!(capture("/tok\"", body).as_deref(), Ok("1"));
    let slash = vec!["token/".to_owned()];
    let questions = JsonQuestions::new([(slash.as_slice(), Ask::Capture)]).expect("can be asked");
    for cut in 0..body.len() {
        let (one, other) = body.as_bytes().split_at(cut);
        let told = read(&questions, |_| (), [one, other]).expect("is JSON");
        assert_eq!(told[0].0, Some(("é𝄞\n\"\\é𝄞".to_owned(), false)));
    }
    let long = format!("{{\"{}\":1,\"token\":2}}", "token".repeat(1_000));
    assert_eq!(
        read(&questions_of("/token"), |_| (), [long.as_bytes()]),
        Ok(told_bare("2"))
    );
    let (one, other) = long.as_bytes().split_at(2_000);
    assert_eq!(
        read(&questions_of("/token"), |_| (), [one, other]),
        Ok(told_bare("2"))
    );
}

fn questions_of(pointer: &str) -> JsonQuestions {
    questions(&[(pointer, Ask::Capture)])
}

fn told_bare(text: &str) -> Vec<Told> {
    vec![(Some((text.to_owned(), true)), true)]
}

#[test]
fn of_equal_members_the_first_counts() {
    assert_eq!(capture("/a", r#"{"a":1,"a":2}"#).as_deref(), Ok("1"));
    assert_eq!(
        capture("/a", r#"{"a":null,"a":2}"#).as_deref(),
        Ok("nothing")
    );
    assert_eq!(
        capture("/a/b", r#"{"a":{},"a":{"b":2}}"#).as_deref(),
        Ok("nothing")
    );
    assert_eq!(
        capture("/*/a", r#"[{"a":[],"a":2},{"a":3,"a":4}]"#).as_deref(),
        Ok("3")
    );
}

#[test]
fn one_of_several_is_chosen() {
    let questions = questions_of("/items/*/id");
    let body = br#"{"items":[{"id":5},{},{"id":null},[],{"id":"x"},{"id":true},{"id":7}]}"#;
    let chosen = |choice| {
        let told = read(&questions, |reader| reader.choose(0, choice), [&body[..]]);
        told.expect("is JSON")[0].0.clone().map(|(text, _)| text)
    };
    assert_eq!(chosen(Choice::First).as_deref(), Some("5"));
    for (number, expected) in ["5", "x", "true", "7"].into_iter().enumerate() {
        assert_eq!(
            chosen(Choice::Number(number as u64)).as_deref(),
            Some(expected)
        );
    }
    assert_eq!(chosen(Choice::Number(4)), None);
    let mut counts = [0_u32; 4];
    for bits in 0..40_000 {
        let text = chosen(Choice::Random(crate::arrivals::random::mix(bits)));
        let known = ["5", "x", "true", "7"];
        let index = known
            .iter()
            .position(|known| text.as_deref() == Some(known));
        counts[index.expect("is one of them")] += 1;
    }
    // Chi squared of 3 degrees of freedom: above 16.3 once in a thousand.
    let chi: f64 = counts
        .iter()
        .map(|&count| (f64::from(count) - 1e4).powi(2) / 1e4)
        .sum();
    assert!(chi < 16.3, "{counts:?}");
}

#[test]
fn checks_hold_or_do_not() {
    let value = |value| Ask::from(&crate::plan::session_format::JsonIs::Value(value));
    let asked = [
        ("/a", Ask::Present, true),
        ("/none", Ask::Present, true),
        ("/list", Ask::Present, true),
        ("/x", Ask::Present, false),
        ("/x", Ask::Absent, true),
        ("/none", Ask::Absent, false),
        ("/list/*/id", Ask::Present, true),
        ("/list/*/no", Ask::Absent, true),
        ("/a", value(json!(1.0)), true),
        ("/a", value(json!("1")), false),
        ("/list/*/id", value(json!(2)), true),
        ("/none", value(json!(null)), true),
        (
            "/list",
            value(json!([{"id": 1.0}, {"id": 2, "no": null}])),
            false,
        ),
        ("/list", value(json!([{"id": 1.0}, {"id": 2}])), true),
        ("/list/1", value(json!({"id": 2})), true),
        ("/t", value(json!(true)), true),
    ];
    let body = br#"{"a": 1e0, "none": null, "list": [{"id": 1}, {"id" : 20e-1}], "t": true}"#;
    let questions = questions(&asked.clone().map(|(pointer, ask, _)| (pointer, ask)));
    for length in 1..body.len() {
        let told = read(&questions, |_| (), body.chunks(length)).expect("is JSON");
        for (told, (pointer, ask, expected)) in told.iter().zip(&asked) {
            assert_eq!(told.1, *expected, "{pointer} {ask:?} at {length}");
        }
    }
}

#[test]
fn numbers_are_compared_to_their_last_bit() {
    // A fast parser of numbers is off by one.
    let expected = serde_json::from_str("7e33").expect("is JSON");
    let ask = Ask::from(&crate::plan::session_format::JsonIs::Value(expected));
    let questions = questions(&[("/a", ask)]);
    for (body, holds) in [
        ("{\"a\": 7e33}", true),
        ("{\"a\": 7.000000000000001e33}", false),
    ] {
        let told = read(&questions, |_| (), [body.as_bytes()]).expect("is JSON");
        assert_eq!(told[0].1, holds, "{body}");
    }
}

#[test]
fn a_text_is_expected_of_any_scalar() {
    let asked = ["/a", "/b", "/c", "/d", "/d/*"].map(|pointer| (pointer, Ask::Text));
    let questions = questions(&asked);
    let holds = |expected: &str, body: &str| -> Vec<bool> {
        let expect = |reader: &mut JsonReader| {
            (0..5).for_each(|question| reader.expect(question, expected.as_bytes()));
        };
        let told = read(&questions, expect, [body.as_bytes()]).expect("is JSON");
        told.into_iter().map(|told| told.1).collect()
    };
    let body = r#"{"a":"7","b":7,"c":7.0,"d":[null,7]}"#;
    assert_eq!(holds("7", body), [true, true, false, false, true]);
    assert_eq!(
        holds("", r#"{"a":"","b":null}"#),
        [true, false, false, false, false]
    );
}

#[test]
fn what_is_broken_is_told() {
    for (body, fault) in [
        ("", JsonFault::Cut),
        ("  ", JsonFault::Cut),
        ("{\"a\":", JsonFault::Cut),
        ("{\"b\":\"a", JsonFault::Cut),
        ("[[1]", JsonFault::Cut),
        ("tru", JsonFault::Cut),
        ("<html>", JsonFault::Syntax),
        ("{a:1}", JsonFault::Syntax),
        ("{\"b\":1,}", JsonFault::Syntax),
        ("{\"b\" 1}", JsonFault::Syntax),
        ("{\"b\":1 \"a\":1}", JsonFault::Syntax),
        ("{\"b\":tru,\"a\":1}", JsonFault::Syntax),
        ("{\"b\":01,\"a\":1}", JsonFault::Syntax),
        ("{\"b\":1.,\"a\":1}", JsonFault::Syntax),
        ("{\"b\":[},\"a\":1}", JsonFault::Syntax),
        ("{\"b\":[}]", JsonFault::Syntax),
        ("{\"b]\":1]", JsonFault::Syntax),
        ("}", JsonFault::Syntax),
        ("{\"a\":\"\u{1}\"}", JsonFault::Syntax),
        ("{\"a\u{1}\":1}", JsonFault::Syntax),
        ("{\"a\":\"\\x\"}", JsonFault::Syntax),
        ("{\"a\":\"\\u00g0\"}", JsonFault::Syntax),
        ("{\"a\":\"\\ud834\"}", JsonFault::Surrogate),
        ("{\"a\":\"\\ud834x\"}", JsonFault::Surrogate),
        ("{\"a\":\"\\ud834\\n\"}", JsonFault::Surrogate),
        ("{\"a\":\"\\ud834\\ud834\"}", JsonFault::Surrogate),
        ("{\"a\":\"\\udd1e\"}", JsonFault::Surrogate),
        ("{\"\\udd1e\":1}", JsonFault::Surrogate),
    ] {
        assert_eq!(capture("/a", body), Err(fault), "{body}");
    }
    let broken = [&b"{\"a\":\"\xc3"[..], b"\"}"].concat();
    assert_eq!(capture_bytes("/a", &broken), Err(JsonFault::NotText));
    let broken = [&b"{\"a\":\"\xc3"[..], b"\\u00e9\"}"].concat();
    assert_eq!(capture_bytes("/a", &broken), Err(JsonFault::NotText));
}

#[test]
fn what_comes_after_the_last_answer_is_not_looked_at() {
    for body in ["{\"a\":1,!", "{\"a\":1]", "{\"b\":2,\"a\":1,\"c\":\u{1}"] {
        assert_eq!(capture("/a", body).as_deref(), Ok("1"), "{body}");
    }
    let questions = questions_of("/a");
    let mut reader = JsonReader::default();
    reader.begin(&questions);
    assert!(reader.feed(&questions, b"{\"a\""));
    assert!(!reader.feed(&questions, b":1,"));
    assert!(!reader.feed(&questions, b"anything"));
    assert_eq!(reader.finish(&questions), Ok(()));
}

#[test]
fn values_have_bounds() {
    let string = |length: usize| format!("{{\"b\":1,\"a\":\"{}\"}}", "x".repeat(length));
    let read = |pointer: &str, body: &str, length: usize| {
        read(
            &questions_of(pointer),
            |_| (),
            body.as_bytes().chunks(length),
        )
    };
    let most = "x".repeat(MOST_VALUE_BYTES);
    for length in [usize::MAX, 1_000, 1] {
        let told = read("/a", &string(MOST_VALUE_BYTES), length).expect("fits");
        assert_eq!(told[0].0.as_ref().map(|told| &told.0), Some(&most));
        let longer = string(MOST_VALUE_BYTES + 1);
        assert_eq!(read("/a", &longer, length), Err(JsonFault::TooLong));
        assert_eq!(read("/b", &longer, length), Ok(told_bare("1")));
        assert_eq!(read("/c", &longer, length).expect("is JSON")[0].0, None);
        let digits = format!("[{}]", "1".repeat(MOST_VALUE_BYTES + 1));
        assert_eq!(read("/0", &digits, length), Err(JsonFault::TooLong));
        assert_eq!(read("/1", &digits, length).expect("is JSON")[0].0, None);
        let digits = "7".repeat(400);
        assert_eq!(
            read("/0", &format!("[{digits}.5e-9]"), length),
            Ok(told_bare(&format!("{digits}.5e-9")))
        );
    }
    let composite = Ask::from(&crate::plan::session_format::JsonIs::Value(json!([1])));
    let whole = questions(&[("", composite)]);
    for length in [usize::MAX, 1_000] {
        let list = format!("[1{}]", " ".repeat(MOST_VALUE_BYTES));
        let told = self::read(&whole, |_| (), list.as_bytes().chunks(length));
        assert_eq!(told, Err(JsonFault::TooLong));
    }
}

#[test]
fn what_is_broken_within_two_compared_values_is_told() {
    let is_empty = Ask::from(&crate::plan::session_format::JsonIs::Value(json!([])));
    // The reader skips the inner list as a whole, and only then sees that it is no JSON.
    let body = b"{\"a\": [1, [nul, true]]}";
    let questions = questions(&[("/a", is_empty.clone()), ("/a/1", is_empty)]);
    for length in 1..=body.len() {
        let told = read(&questions, |_| (), body.chunks(length));
        assert_eq!(told, Err(JsonFault::Syntax), "pieces of {length}");
    }
}

#[test]
fn depth_has_a_bound() {
    for bracket in ["[", "{\"a\":"] {
        let deep = bracket.repeat(1_000_000);
        for pointer in ["/b", "/0/0/0", "/a/a/a/a/a/a/a/a"] {
            let told = read(&questions_of(pointer), |_| (), [deep.as_bytes()]);
            assert_eq!(told, Err(JsonFault::TooDeep));
        }
    }
    let nested = format!("{}1{}", "[".repeat(MOST_DEPTH), "]".repeat(MOST_DEPTH));
    assert_eq!(
        capture("/0/0/0/0/0/0/0/0", &nested).as_deref(),
        Ok("nothing")
    );
    assert_eq!(capture("", &format!("[{nested}]")), Err(JsonFault::TooDeep));
}

#[test]
fn a_document_without_end_takes_no_memory() {
    let questions = questions_of("/a/*/b");
    for piece in [
        &b"{\"b\":[1,{\"x\":\"y\"}],\"c\":\"\\u00e9\"},"[..],
        b"[1,2,3],",
        b"\"x\\\"\",",
        b"12345678901234567890.0e5,",
        b"      ",
        b"null,true,",
    ] {
        let mut reader = JsonReader::default();
        reader.begin(&questions);
        reader.choose(0, Choice::Random(1));
        assert!(reader.feed(&questions, b"{\"a\":["));
        for _ in 0..20_000 {
            assert!(reader.feed(&questions, piece));
        }
        assert!(reader.text.capacity() <= 64);
        assert_eq!(reader.finish(&questions), Err(JsonFault::Cut));
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let refusal = |pointers: &[&str]| {
        let tokens: Vec<_> = pointers.iter().map(|pointer| tokens(pointer)).collect();
        let asked = tokens
            .iter()
            .map(|tokens| (tokens.as_slice(), Ask::Capture));
        JsonQuestions::new(asked).expect_err("is refused")
    };
    assert_eq!(refusal(&["/1/2/3/4/5/6/7/8/9"]), QuestionError::Segments);
    assert_eq!(refusal(&["/*/a/*"]), QuestionError::Stars);
    assert_eq!(refusal(&["/a"; MOST_POINTERS + 1]), QuestionError::Pointers);
    let all = questions(&["/a"; MOST_POINTERS].map(|pointer| (pointer, Ask::Capture)));
    let told = read(&all, |_| (), [&b"{\"a\":1}"[..]]).expect("is JSON");
    assert!(
        told.iter()
            .all(|told| told.0.as_ref().is_some_and(|told| told.0 == "1"))
    );
    let none = questions(&[]);
    assert_eq!(read(&none, |_| (), [&b"<html>"[..]]), Ok(vec![]));
}
