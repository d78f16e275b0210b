//! Values that are fixed when a session begins.

use crate::plan::session_format::Let;
use crate::session::integer::{Integer, IntegerError};
use crate::session::occasion::{Context, Occasion};
use crate::session::source::Source;
use crate::session::template::{Template, Unsendable};
use crate::session::values::{Value, Values};

/// A value and what it is made of, prepared.
#[derive(Clone, Debug)]
pub struct PreparedLet {
    value: usize,
    made_of: MadeOf,
}

#[derive(Clone, Debug)]
enum MadeOf {
    Text(Template),
    Integer(Integer),
}

impl PreparedLet {
    /// Prepares it.
    ///
    /// # Errors
    /// If terms in it are no integer.
    pub fn new(fixed: &Let) -> Result<Self, IntegerError> {
        let (value, made_of) = match fixed {
            Let::Text(fixed) => (fixed.value, MadeOf::Text(Template::new(&fixed.text)?)),
            Let::Integer(fixed) => (fixed.value, MadeOf::Integer(Integer::new(&fixed.integer)?)),
        };
        Ok(Self { value, made_of })
    }

    /// Sets the value; where that cannot be, it is missing. A text of one expression alone is what that is: a
    /// number stays one. `scratch` is anything.
    ///
    /// # Errors
    /// Why it cannot be.
    pub fn set(
        &self,
        values: &mut Values,
        occasion: &Occasion,
        scratch: &mut Vec<u8>,
    ) -> Result<(), Unsendable> {
        values.forget(self.value);
        let context = Context { values, occasion };
        let mut is_bare = false;
        let integer = match &self.made_of {
            MadeOf::Integer(integer) => {
                Some(integer.evaluate(&context).ok_or(Unsendable::Integer)?)
            }
            MadeOf::Text(template) => {
                scratch.clear();
                template.render(&context, scratch)?;
                match template.only() {
                    Some(Source::Number(number)) => number.get(&context),
                    Some(Source::Value(index)) => match context.value(*index) {
                        Some(Value::Integer(integer)) => Some(integer),
                        Some(Value::Text { is_bare: bare, .. }) => {
                            is_bare = bare;
                            None
                        }
                        None => None,
                    },
                    Some(Source::Text(_)) | None => None,
                }
            }
        };
        match integer {
            Some(integer) => values.set_integer(self.value, integer),
            None => values.set_text(self.value, scratch, is_bare)?,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::occasion::tests::OCCASION;
    use crate::session::values::ValueError;
    use serde_json::{Value as Json, json};

    fn set(values: &mut Values, fixed: &Json) -> Result<(), Unsendable> {
        let fixed: Let = serde_json::from_value(fixed.clone()).expect("is a let");
        let prepared = PreparedLet::new(&fixed).expect("is fine");
        prepared.set(values, &OCCASION, &mut b"anything".to_vec())
    }

    #[test]
    fn lets_are_made_of_numbers_texts_and_of_each_other() {
        let mut values = Values::new(5);
        values.set_text(4, b"12", true).expect("fits");
        for fixed in [
            json!({"value": 0, "integer": ["session_number", 10, "%"]}),
            json!({"value": 1, "text": ["adders-", {"expression": {"value": 0}, "as": "raw"}]}),
            json!({"value": 2, "text": [{"expression": {"value": 0}, "as": "raw"}]}),
            json!({"value": 3, "text": [{"expression": {"value": 4}, "as": "raw"}]}),
        ] {
            set(&mut values, &fixed).expect("can be set");
        }
        let text = |bytes, is_bare| Some(Value::Text { bytes, is_bare });
        assert_eq!(values.get(0, &[]), Some(Value::Integer(1)));
        assert_eq!(values.get(1, &[]), text(b"adders-1", false));
        assert_eq!(values.get(2, &[]), Some(Value::Integer(1)));
        assert_eq!(values.get(3, &[]), text(b"12", true));
        let random = json!({"random": {"least": 5, "most": 5, "draw": 0}});
        let random = json!({"value": 3, "text": [{"expression": random, "as": "raw"}]});
        set(&mut values, &random).expect("can be set");
        assert_eq!(values.get(3, &[]), Some(Value::Integer(5)));
    }

    #[test]
    fn what_cannot_be_set_is_missing() {
        let mut values = Values::new(2);
        let missing = json!({"value": 0, "text": ["a", {"expression": {"value": 1}, "as": "raw"}]});
        let divided = json!({"value": 0, "integer": [1, 0, "/"]});
        let long = json!({"value": 0, "text": ["x".repeat(17_000)]});
        for (fixed, error) in [
            (missing, Unsendable::Missing(1)),
            (divided, Unsendable::Integer),
            (long, Unsendable::Value(ValueError::TooLong(17_000))),
        ] {
            values.set_integer(0, 1);
            assert_eq!(set(&mut values, &fixed), Err(error));
            assert_eq!(values.get(0, &[]), None);
        }
    }
}
