//! Any document, written in any way, cut anywhere: against a model that looks at the whole of it.

use super::super::questions::{ExpectedValue, is_equal};
use super::*;
use crate::arrivals::random::mix;
use crate::session::draws::below;
use proptest::prelude::*;
use serde_json::{Map, Value};
use std::fmt::Write;

/// A document whose objects may have equal members.
#[derive(Clone, Debug)]
enum Document {
    /// Null, a boolean or a number, as it is written.
    Bare(String),
    Text(String),
    Array(Vec<Document>),
    Object(Vec<(String, Document)>),
}

impl Document {
    fn value(&self) -> Value {
        match self {
            Self::Bare(text) => serde_json::from_str(text).expect("is JSON"),
            Self::Text(text) => Value::String(text.clone()),
            Self::Array(list) => Value::Array(list.iter().map(Self::value).collect()),
            Self::Object(members) => {
                let members = members
                    .iter()
                    .map(|(name, one)| (name.clone(), one.value()));
                Value::Object(members.collect::<Map<_, _>>())
            }
        }
    }

    /// All that a pointer leads to; of equal members to the first.
    fn find(&self, tokens: &[String]) -> Vec<&Self> {
        let Some((token, rest)) = tokens.split_first() else {
            return vec![self];
        };
        match self {
            Self::Bare(_) | Self::Text(_) => vec![],
            Self::Array(list) if token == "*" => {
                list.iter().flat_map(|one| one.find(rest)).collect()
            }
            Self::Array(list) => {
                let index = token.parse::<usize>().ok();
                let is_plain = index.is_some_and(|index| index.to_string() == *token);
                let element = index.filter(|_| is_plain).and_then(|index| list.get(index));
                element.map_or(vec![], |one| one.find(rest))
            }
            Self::Object(members) => {
                let mut named = members
                    .iter()
                    .filter(|(name, _)| name == token && token != "*");
                named.next().map_or(vec![], |(_, one)| one.find(rest))
            }
        }
    }

    /// Its text and whether it is bare, of a string, number or boolean.
    fn scalar(&self) -> Option<(String, bool)> {
        match self {
            Self::Text(text) => Some((text.clone(), false)),
            Self::Bare(text) if text != "null" => Some((text.clone(), true)),
            _ => None,
        }
    }

    fn write(&self, style: &mut Style, out: &mut String) {
        style.blank(out);
        match self {
            Self::Bare(text) => out.push_str(text),
            Self::Text(text) => style.string(text, out),
            Self::Array(list) => {
                out.push('[');
                for (index, one) in list.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    one.write(style, out);
                }
                style.blank(out);
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (index, (name, one)) in members.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    style.blank(out);
                    style.string(name, out);
                    style.blank(out);
                    out.push(':');
                    one.write(style, out);
                }
                style.blank(out);
                out.push('}');
            }
        }
        style.blank(out);
    }
}

/// How blanks and escapes are spread.
struct Style(u64);

impl Style {
    fn draw(&mut self, bound: u64) -> u64 {
        self.0 = mix(self.0);
        below(self.0, bound)
    }

    fn blank(&mut self, out: &mut String) {
        match self.draw(12) {
            0 => out.push(' '),
            1 => out.push_str("\r\n\t"),
            _ => {}
        }
    }

    fn string(&mut self, text: &str, out: &mut String) {
        out.push('"');
        for character in text.chars() {
            let short = match character {
                '"' => "\\\"",
                '\\' => "\\\\",
                '/' => "\\/",
                '\n' => "\\n",
                '\r' => "\\r",
                '\t' => "\\t",
                '\u{8}' => "\\b",
                '\u{c}' => "\\f",
                _ => "",
            };
            let must = character < ' ' || character == '"' || character == '\\';
            let is_escaped = must || self.draw(6) == 0;
            if is_escaped && !short.is_empty() && self.draw(2) == 0 {
                out.push_str(short);
            } else if is_escaped {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}").expect("is a string");
                }
            } else {
                out.push(character);
            }
        }
        out.push('"');
    }
}

const NAMES: [&str; 9] = ["a", "b", "ab", "0", "1", "", "*", "é\"", "to\nken"];

fn document() -> impl Strategy<Value = Document> {
    let bare = [
        "null", "true", "false", "0", "-1.5", "12", "1.50e+3", "1e3", "1000",
    ];
    let text = prop_oneof![
        3 => prop::sample::select(NAMES.to_vec()).prop_map(str::to_owned),
        1 => "[a\"\\\\{}\\[\\]:,é𝄞\n\u{1}]{0,40}",
    ];
    let leaf = prop_oneof![
        prop::sample::select(bare.to_vec()).prop_map(|text| Document::Bare(text.to_owned())),
        text.prop_map(Document::Text),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        let name = prop::sample::select(NAMES.to_vec()).prop_map(str::to_owned);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Document::Array),
            prop::collection::vec((name, inner), 0..5).prop_map(Document::Object),
        ]
    })
}

/// A pointer with at most one star.
fn pointer() -> impl Strategy<Value = Vec<String>> {
    let tokens = [&NAMES[..], &["2", "00", "*", "*"]].concat();
    prop::collection::vec(prop::sample::select(tokens), 0..5).prop_map(|tokens| {
        let mut has_star = false;
        let tokens = tokens.into_iter().map(|token| match token {
            "*" if has_star => "0".to_owned(),
            token => {
                has_star |= token == "*";
                token.to_owned()
            }
        });
        tokens.collect()
    })
}

#[derive(Clone, Debug)]
enum Asked {
    Capture(Choice),
    Present,
    Absent,
    Value(Value),
    Text(String),
}

fn asked() -> impl Strategy<Value = Asked> {
    let choice = prop_oneof![
        Just(Choice::First),
        (0..4_u64).prop_map(Choice::Number),
        any::<u64>().prop_map(Choice::Random),
    ];
    let value = prop::sample::select(vec![
        json!(null),
        json!(true),
        json!(12.0),
        json!(1500),
        json!("a"),
        json!([]),
        json!({}),
        json!([12]),
        json!({"a": "b"}),
        json!({"a": null, "b": 1000}),
    ]);
    let text = prop::sample::select(vec!["a", "true", "null", "12", "1.50e+3", "", "é\""]);
    prop_oneof![
        4 => choice.prop_map(Asked::Capture),
        1 => Just(Asked::Present),
        1 => Just(Asked::Absent),
        1 => value.clone().prop_map(Asked::Value),
        1 => document().prop_map(|document| Asked::Value(document.value())),
        1 => text.prop_map(|text| Asked::Text(text.to_owned())),
    ]
}

impl Asked {
    fn ask(&self) -> Ask {
        match self {
            Self::Capture(_) => Ask::Capture,
            Self::Present => Ask::Present,
            Self::Absent => Ask::Absent,
            Self::Value(value) => {
                let ask = Ask::from(&crate::plan::session_format::JsonIs::Value(value.clone()));
                assert!(
                    !matches!(ask, Ask::Value(ExpectedValue::Number(number)) if number.is_nan())
                );
                ask
            }
            Self::Text(_) => Ask::Text,
        }
    }

    /// What should be told.
    fn model(&self, document: &Document, tokens: &[String]) -> Told {
        let found = document.find(tokens);
        let scalars: Vec<_> = found.iter().filter_map(|one| one.scalar()).collect();
        let has_star = tokens.iter().any(|token| token == "*");
        let captured = match self {
            Self::Capture(_) if !has_star => scalars.first(),
            Self::Capture(Choice::First) => scalars.first(),
            Self::Capture(Choice::Number(number)) => {
                scalars.get(usize::try_from(*number).expect("is small"))
            }
            Self::Capture(Choice::Random(bits)) => {
                let is_taken = |&number: &usize| {
                    let number = number as u64;
                    below(mix(bits ^ number), number + 1) == 0
                };
                let chosen = (0..scalars.len()).rev().find(is_taken);
                chosen.map(|number| &scalars[number])
            }
            _ => None,
        };
        let holds = match self {
            Self::Capture(_) => captured.is_some(),
            Self::Present => !found.is_empty(),
            Self::Absent => found.is_empty(),
            Self::Value(value) => found.iter().any(|one| is_equal(&one.value(), value)),
            Self::Text(text) => scalars.iter().any(|one| one.0 == *text),
        };
        (captured.cloned(), holds)
    }
}

/// What is told where nothing was captured is of no account.
fn told(
    asked: &[(Vec<String>, Asked)],
    questions: &JsonQuestions,
    body: &[u8],
    lengths: impl Fn(usize) -> usize,
) -> Result<Vec<Told>, JsonFault> {
    let prepare = |reader: &mut JsonReader| {
        for (index, (_, asked)) in asked.iter().enumerate() {
            match asked {
                Asked::Capture(choice) => reader.choose(index, *choice),
                Asked::Text(text) => reader.expect(index, text.as_bytes()),
                _ => {}
            }
        }
    };
    let (mut pieces, mut rest) = (Vec::new(), body);
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(lengths(pieces.len()).clamp(1, rest.len()));
        pieces.push(piece);
        rest = after;
    }
    let told = read(questions, prepare, pieces)?;
    let told = told.into_iter().zip(asked);
    let only_captured = |((captured, holds), (_, asked)): (Told, &(_, Asked))| {
        let captured = captured.filter(|_| matches!(asked, Asked::Capture(_)));
        (captured, holds)
    };
    Ok(told.map(only_captured).collect())
}

fn questions_of(asked: &[(Vec<String>, Asked)]) -> JsonQuestions {
    let asked = asked
        .iter()
        .map(|(tokens, asked)| (tokens.as_slice(), asked.ask()));
    JsonQuestions::new(asked).expect("can be asked")
}

/// The text of a document, as another parser reads it, too.
fn written(document: &Document, style: u64) -> String {
    let mut body = String::new();
    document.write(&mut Style(style), &mut body);
    let value: Value = serde_json::from_str(&body).expect("is JSON");
    assert_eq!(value, document.value());
    body
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_document_at_every_cut_is_read_as_a_whole(
        document in document(), style: u64,
        asked in prop::collection::vec((pointer(), asked()), 1..6),
    ) {
        let body = written(&document, style);
        let questions = questions_of(&asked);
        let model = asked.iter().map(|(tokens, asked)| asked.model(&document, tokens));
        let model: Vec<Told> = model.collect();
        let told = |lengths: &dyn Fn(usize) -> usize| {
            told(&asked, &questions, body.as_bytes(), lengths)
        };
        for cut in 1..=body.len() {
            let found = told(&|index| if index == 0 { cut } else { usize::MAX });
            prop_assert_eq!(found, Ok(model.clone()), "cut at {} of {}", cut, body);
        }
        for length in [1, 2, 3, 7] {
            prop_assert_eq!(told(&|_| length), Ok(model.clone()), "pieces of {} of {}", length, body);
        }
    }

    #[test]
    fn a_broken_document_is_broken_at_every_cut(
        document in document(), style: u64, changed in any::<prop::sample::Index>(), byte: u8,
        is_cut: bool, lengths in prop::collection::vec(1..9_usize, 1..9),
        asked in prop::collection::vec((pointer(), asked()), 1..4),
    ) {
        let mut body = written(&document, style).into_bytes();
        let changed = changed.index(body.len());
        if is_cut {
            body.truncate(changed);
        } else {
            body[changed] = byte;
        }
        let questions = questions_of(&asked);
        let whole = told(&asked, &questions, &body, |_| usize::MAX);
        let pieces = told(&asked, &questions, &body, |index| lengths[index % lengths.len()]);
        prop_assert_eq!(&pieces, &whole);
        let is_json = serde_json::from_slice::<Value>(&body).is_ok();
        prop_assert!(whole.is_ok() || !is_json, "{:?} {}", whole, String::from_utf8_lossy(&body));
    }
}
