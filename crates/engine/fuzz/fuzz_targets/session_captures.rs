//! Bodies of JSON: any cut is read alike; what another parser reads as JSON is no fault, and has the same
//! values; of equal members the first counts.
//!
//! Input: the first byte is the length of the pieces; up to the line's end stand pointers, with blanks
//! between, the first character of each saying what is asked: `c`apture, `r`andom, `2` for the third, `p`resent,
//! `a`bsent, anything else for a text; the rest is the body.

#![no_main]

use std::fmt;

use libfuzzer_sys::fuzz_target;
use loadstone_engine::fuzzing::{Ask, Choice, JsonFault, JsonQuestions, JsonReader};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A document with all its members.
enum Document {
    Null,
    Boolean(bool),
    Number(f64),
    Text(String),
    Array(Vec<Document>),
    Object(Vec<(String, Document)>),
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DocumentVisitor)
    }
}

struct DocumentVisitor;

impl<'de> Visitor<'de> for DocumentVisitor {
    type Value = Document;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Document, E> {
        Ok(Document::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Document, E> {
        Ok(Document::Boolean(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Document, E> {
        Ok(Document::Number(value as f64))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Document, E> {
        Ok(Document::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Document, E> {
        Ok(Document::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Document, E> {
        Ok(Document::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Document, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = list.next_element()? {
            elements.push(element);
        }
        Ok(Document::Array(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Document, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Document::Object(members))
    }
}

impl Document {
    fn find(&self, tokens: &[String]) -> Vec<&Self> {
        let Some((token, rest)) = tokens.split_first() else {
            return vec![self];
        };
        match self {
            Self::Array(list) if token == "*" => {
                list.iter().flat_map(|one| one.find(rest)).collect()
            }
            Self::Array(list) => {
                let index = token.parse::<usize>().ok();
                let index = index.filter(|index| index.to_string() == *token);
                let element = index.and_then(|index| list.get(index));
                element.map_or(vec![], |one| one.find(rest))
            }
            Self::Object(members) => {
                let mut named = members
                    .iter()
                    .filter(|(name, _)| name == token && token != "*");
                named.next().map_or(vec![], |(_, one)| one.find(rest))
            }
            _ => vec![],
        }
    }

    fn is_scalar(&self) -> bool {
        matches!(self, Self::Boolean(_) | Self::Number(_) | Self::Text(_))
    }

    fn is_captured(&self, (text, is_bare): &(String, bool)) -> bool {
        match self {
            Self::Boolean(value) => *is_bare && *text == value.to_string(),
            Self::Number(value) => *is_bare && text.parse() == Ok(*value),
            Self::Text(value) => !is_bare && text == value,
            _ => false,
        }
    }
}

type Told = (Option<(String, bool)>, bool);

fn read<'a>(
    questions: &JsonQuestions,
    asked: &[(char, Vec<String>)],
    pieces: impl Iterator<Item = &'a [u8]>,
) -> Result<Vec<Told>, JsonFault> {
    let mut reader = JsonReader::default();
    reader.begin(questions);
    for (index, (kind, _)) in asked.iter().enumerate() {
        match kind {
            'r' => reader.choose(index, Choice::Random(7)),
            '2' => reader.choose(index, Choice::Number(2)),
            'c' | 'p' | 'a' => {}
            _ => reader.expect(index, b"x"),
        }
    }
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
    Ok((0..asked.len()).map(told).collect())
}

fn compare(document: &Document, asked: &[(char, Vec<String>)], told: &[Told]) {
    for ((kind, tokens), (captured, holds)) in asked.iter().zip(told) {
        let found = document.find(tokens);
        let has_star = tokens.iter().any(|token| token == "*");
        let scalars: Vec<_> = found.iter().filter(|one| one.is_scalar()).collect();
        match kind {
            'p' => assert_eq!(*holds, !found.is_empty()),
            'a' => assert_eq!(*holds, found.is_empty()),
            'c' | 'r' | '2' => {
                let expected = match kind {
                    '2' if has_star => scalars.get(2),
                    'r' if has_star => {
                        let mut any = scalars.iter();
                        any.find(|one| captured.as_ref().is_some_and(|it| one.is_captured(it)))
                            .or(scalars.first())
                    }
                    _ => scalars.first(),
                };
                assert_eq!(*holds, captured.is_some());
                match (expected, captured) {
                    (Some(expected), Some(captured)) => assert!(expected.is_captured(captured)),
                    (expected, captured) => assert!(expected.is_none() && captured.is_none()),
                }
            }
            _ => {
                let is_it = |one: &&&Document| matches!(one, Document::Text(text) if text == "x");
                assert_eq!(*holds, found.iter().any(|one| is_it(&one)));
            }
        }
    }
}

fuzz_target!(|input: &[u8]| {
    let Some((&length, rest)) = input.split_first() else {
        return;
    };
    let line = rest
        .iter()
        .position(|&byte| byte == b'\n')
        .unwrap_or(rest.len());
    let (Ok(line), body) = (std::str::from_utf8(&rest[..line]), &rest[line..]) else {
        return;
    };
    let asked: Vec<(char, Vec<String>)> = line
        .split(' ')
        .filter_map(|question| {
            let mut pointer = question.chars();
            let kind = pointer.next()?;
            let tokens = pointer.as_str().split('/').skip(1);
            Some((kind, tokens.map(str::to_owned).collect()))
        })
        .collect();
    let asks = asked.iter().map(|(kind, tokens)| {
        let ask = match kind {
            'c' | 'r' | '2' => Ask::Capture,
            'p' => Ask::Present,
            'a' => Ask::Absent,
            _ => Ask::Text,
        };
        (tokens.as_slice(), ask)
    });
    let Ok(questions) = JsonQuestions::new(asks) else {
        return;
    };
    let whole = read(&questions, &asked, [body].into_iter());
    let pieces = body.chunks(usize::from(length) + 1);
    assert_eq!(read(&questions, &asked, pieces), whole);
    match serde_json::from_slice::<Document>(body) {
        Ok(document) => compare(&document, &asked, &whole.expect("another parser reads it")),
        // It may be broken after the last answer, or where nobody asks for anything.
        Err(_) => {}
    }
});
