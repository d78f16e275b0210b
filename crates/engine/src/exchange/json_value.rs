//! A value that a JSON body must have at a place, which a JSON pointer names (RFC 6901).

use serde_json::Value;
use std::sync::Arc;

use crate::plan::JsonCheck;

/// One expected value, prepared once per operation.
#[derive(Clone, Debug)]
pub struct ExpectedValue {
    pointer: String,
    value: Value,
    /// What is told where it is not so.
    pub text: Arc<str>,
}

impl ExpectedValue {
    /// Prepares the check.
    #[must_use]
    pub fn new(check: &JsonCheck) -> Self {
        Self {
            pointer: check.pointer.clone(),
            value: check.value.clone(),
            text: format!("the body's {:?} is not {}", check.pointer, check.value).into(),
        }
    }

    /// Whether the document has the value there.
    #[must_use]
    pub fn is_in(&self, document: &Value) -> bool {
        let found = document.pointer(&self.pointer);
        found.is_some_and(|found| is_equal(found, &self.value))
    }
}

/// Numbers are equal by what they come to, however they are written: 1 is 1.0.
fn is_equal(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.as_f64() == other.as_f64()
        }
        (Value::Array(some), Value::Array(others)) => {
            some.len() == others.len()
                && some
                    .iter()
                    .zip(others)
                    .all(|(one, other)| is_equal(one, other))
        }
        (Value::Object(some), Value::Object(others)) => {
            some.len() == others.len()
                && some
                    .iter()
                    .all(|(name, one)| others.get(name).is_some_and(|other| is_equal(one, other)))
        }
        _ => found == expected,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn is_in(pointer: &str, value: Value, document: &Value) -> bool {
        let pointer = pointer.to_owned();
        ExpectedValue::new(&JsonCheck { pointer, value }).is_in(document)
    }

    #[test]
    fn a_pointer_finds_names_with_its_own_characters_and_places_in_lists() {
        let document = json!({"a/b": {"c~d": [10, {"e": "f"}]}, "": 1});
        assert!(is_in("/a~1b/c~0d/0", json!(10), &document));
        assert!(is_in("/a~1b/c~0d/1/e", json!("f"), &document));
        assert!(is_in("/", json!(1), &document));
        assert!(is_in("", document.clone(), &document));
        assert!(!is_in("/a~1b/c~0d/2", json!(null), &document));
        assert!(!is_in("/a~1b/c~0d/00", json!(10), &document));
    }

    #[test]
    fn numbers_are_equal_by_what_they_come_to_and_nothing_else_is() {
        let document = json!({"n": [1.0, 2], "text": "1"});
        assert!(is_in("/n", json!([1, 2.0]), &document));
        assert!(!is_in("/n", json!([1]), &document));
        assert!(!is_in("/text", json!(1), &document));
        assert!(is_in("", json!({"text": "1", "n": [1, 2]}), &document));
    }
}
