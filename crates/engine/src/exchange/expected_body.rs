//! What a body must be: a text in it, values of its JSON. Bodies arrive in pieces.

use std::sync::Arc;

use crate::exchange::expected_text::{BodySearch, ExpectedText};
use crate::exchange::json_value::ExpectedValue;
use crate::outcome::Detail;
use crate::plan::Check;

/// A body whose values are checked is kept up to here: far beyond what is checked by values, little for
/// each request in flight.
const MOST_KEPT_BYTES: usize = 1 << 20;

/// What a body must be, prepared once per operation.
#[derive(Clone, Debug)]
pub struct ExpectedBody {
    text: Option<ExpectedText>,
    values: Vec<ExpectedValue>,
}

impl ExpectedBody {
    /// Prepares the checks; none where any body will do.
    #[must_use]
    pub fn of(check: &Check) -> Option<Self> {
        let is_checked = check.body_contains.is_some() || !check.body_json.is_empty();
        is_checked.then(|| Self {
            text: check.body_contains.as_deref().map(ExpectedText::new),
            values: check.body_json.iter().map(ExpectedValue::new).collect(),
        })
    }
}

/// What was seen of one body, with its content codings undone.
#[derive(Clone, Debug, Default)]
pub struct SeenBody {
    search: BodySearch,
    kept: Vec<u8>,
    is_too_long: bool,
}

impl SeenBody {
    /// Begins with a new body.
    pub fn reset(&mut self) {
        self.search.reset();
        self.kept.clear();
        self.is_too_long = false;
    }

    /// Looks at the next piece.
    pub fn feed(&mut self, expected: &ExpectedBody, piece: &[u8]) {
        if let Some(text) = &expected.text {
            self.search.feed(text, piece);
        }
        if !expected.values.is_empty() {
            self.is_too_long |= self.kept.len() + piece.len() > MOST_KEPT_BYTES;
            if !self.is_too_long {
                self.kept.extend_from_slice(piece);
            }
        }
    }

    /// What is wrong with the complete body, if anything.
    #[must_use]
    pub fn fault(&self, expected: &ExpectedBody) -> Option<Detail> {
        if let Some(text) = &expected.text
            && !self.search.is_found(text)
        {
            return Some(Detail::BodyLacksText);
        }
        if expected.values.is_empty() {
            return None;
        }
        if self.is_too_long {
            return Some(Detail::BodyTooLong(MOST_KEPT_BYTES));
        }
        let Ok(document) = serde_json::from_slice(&self.kept) else {
            return Some(Detail::NoJson);
        };
        let mut values = expected.values.iter();
        let wrong = values.find(|value| !value.is_in(&document))?;
        Some(Detail::OtherValue(Arc::clone(&wrong.text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fault(check: serde_json::Value, pieces: &[&[u8]]) -> Option<Detail> {
        let check: Check = serde_json::from_value(check).expect("is a check");
        let expected = ExpectedBody::of(&check).expect("checks something");
        let mut seen = SeenBody::default();
        seen.feed(&expected, b"another");
        seen.reset();
        for piece in pieces {
            seen.feed(&expected, piece);
        }
        seen.fault(&expected)
    }

    #[test]
    fn all_that_is_expected_must_be_there() {
        let check = json!({"body_contains": "name", "body_json": [
            {"pointer": "/id", "value": 7}, {"pointer": "/name", "value": "Ann"}]});
        let pieces: &[&[u8]] = &[b"{\"id\": 7, \"na", b"me\": \"Ann\"}"];
        assert_eq!(fault(check.clone(), pieces), None);
        let other = fault(check.clone(), &[b"{\"id\": 8, \"name\": \"Ann\"}"]);
        let text = other.expect("is another's").to_string();
        assert_eq!(text, "the body's \"/id\" is not 7");
        assert_eq!(fault(check.clone(), &[b"{}"]), Some(Detail::BodyLacksText));
        assert_eq!(fault(check, &[b"name"]), Some(Detail::NoJson));
    }

    #[test]
    fn a_body_that_is_too_long_to_be_kept_is_told_so() {
        let check = json!({"body_json": [{"pointer": "", "value": 1}]});
        let long = vec![b' '; MOST_KEPT_BYTES];
        assert_eq!(
            fault(check, &[&long, b"1"]),
            Some(Detail::BodyTooLong(MOST_KEPT_BYTES))
        );
    }
}
