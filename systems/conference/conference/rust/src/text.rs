//! JSON that was sent: objects, and their members that must be texts.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A member of an object that should be a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub enum Member {
    /// There is none.
    #[default]
    Missing,
    /// It is anything else.
    NoText,
    /// It is one.
    Text(String),
}

/// Whether one value of JSON is an object. The derived readers of structs also take arrays.
pub fn is_object(value: &str) -> bool {
    value
        .trim_start_matches([' ', '\t', '\r', '\n'])
        .starts_with('{')
}

/// Whether it is one value of JSON.
pub fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

impl<'de> Deserialize<'de> for Member {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MemberVisitor)
    }
}

struct MemberVisitor;

impl<'de> Visitor<'de> for MemberVisitor {
    type Value = Member;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_str<E>(self, text: &str) -> Result<Member, E> {
        Ok(Member::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Member, E> {
        Ok(Member::Text(text))
    }

    fn visit_unit<E>(self) -> Result<Member, E> {
        Ok(Member::NoText)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Member, E> {
        Ok(Member::NoText)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Member, E> {
        Ok(Member::NoText)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Member, E> {
        Ok(Member::NoText)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Member, E> {
        Ok(Member::NoText)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Member, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Member::NoText)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Member, A::Error> {
        while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Member::NoText)
    }
}
