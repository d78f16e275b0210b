//! Integers that are computed: reverse Polish notation over 64 bits with a sign. Nothing wraps: an
//! overflow or a division by zero is no integer.

use thiserror::Error;

use crate::plan::session_format::{Term, Word};
use crate::session::occasion::Context;
use crate::session::values::Value;

/// How many numbers wait for an operator at most: brackets in brackets, far beyond what is written by
/// hand.
pub const MOST_WAITING: usize = 32;

/// Why terms are no integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IntegerError {
    /// An operator lacks numbers, or numbers lack operators.
    #[error("an integer's terms must come to one number")]
    Terms,
    /// Too many numbers wait for an operator.
    #[error("more than {MOST_WAITING} numbers of an integer wait for an operator")]
    Deep,
}

/// A computation, checked once.
#[derive(Clone, Debug)]
pub struct Integer {
    steps: Box<[Step]>,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Number(i64),
    Value(usize),
    SessionNumber,
    UserNumber,
    Turn,
    Operator(Operator),
}

#[derive(Clone, Copy, Debug)]
enum Operator {
    Plus,
    Minus,
    Times,
    DividedBy,
    Modulo,
}

impl From<&Term> for Step {
    fn from(term: &Term) -> Self {
        let word = match term {
            Term::Number(number) => return Self::Number(*number),
            Term::Value(term) => return Self::Value(term.value),
            Term::Word(word) => word,
        };
        match word {
            Word::SessionNumber => Self::SessionNumber,
            Word::UserNumber => Self::UserNumber,
            Word::Turn => Self::Turn,
            Word::Plus => Self::Operator(Operator::Plus),
            Word::Minus => Self::Operator(Operator::Minus),
            Word::Times => Self::Operator(Operator::Times),
            Word::DividedBy => Self::Operator(Operator::DividedBy),
            Word::Modulo => Self::Operator(Operator::Modulo),
        }
    }
}

impl Operator {
    fn apply(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Self::Plus => left.checked_add(right),
            Self::Minus => left.checked_sub(right),
            Self::Times => left.checked_mul(right),
            Self::DividedBy => left.checked_div(right),
            Self::Modulo => left.checked_rem(right),
        }
    }
}

impl Integer {
    /// Checks the terms.
    ///
    /// # Errors
    /// If they do not come to one number.
    pub fn new(terms: &[Term]) -> Result<Self, IntegerError> {
        let steps: Box<[Step]> = terms.iter().map(Step::from).collect();
        let mut waiting = 0;
        for step in &steps {
            match step {
                Step::Operator(_) if waiting < 2 => return Err(IntegerError::Terms),
                Step::Operator(_) => waiting -= 1,
                _ if waiting == MOST_WAITING => return Err(IntegerError::Deep),
                _ => waiting += 1,
            }
        }
        if waiting != 1 {
            return Err(IntegerError::Terms);
        }
        Ok(Self { steps })
    }

    /// What it comes to; none where a value is missing or no integer, the result is beyond 64 bits, or
    /// something is divided by zero.
    #[must_use]
    pub fn evaluate(&self, context: &Context) -> Option<i64> {
        let occasion = context.occasion;
        let mut stack = [0; MOST_WAITING];
        let mut waiting = 0;
        for step in &self.steps {
            let number = match *step {
                Step::Number(number) => number,
                Step::Value(index) => context.value(index).and_then(Value::integer)?,
                Step::SessionNumber => i64::try_from(occasion.session_number).ok()?,
                Step::UserNumber => i64::try_from(occasion.user_number).ok()?,
                Step::Turn => i64::try_from(occasion.turn).ok()?,
                Step::Operator(operator) => {
                    waiting -= 2;
                    operator.apply(stack[waiting], stack[waiting + 1])?
                }
            };
            stack[waiting] = number;
            waiting += 1;
        }
        Some(stack[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::occasion::tests::OCCASION;
    use crate::session::values::Values;
    use proptest::prelude::*;
    use serde_json::{Value as Json, json};

    fn prepare(terms: &Json) -> Result<Integer, IntegerError> {
        let terms: Vec<Term> = serde_json::from_value(terms.clone()).expect("are terms");
        Integer::new(&terms)
    }

    /// In session 41 of user 3 at turn 2, where value 0 is -7, value 1 a text of digits, value 2 another
    /// text, and value 3 missing.
    fn evaluate(terms: &Json) -> Option<i64> {
        let mut values = Values::new(4);
        values.set_integer(0, -7);
        values.set_text(1, b"1200", false).expect("fits");
        values.set_text(2, b"12.5", true).expect("fits");
        let context = Context {
            values: &values,
            occasion: &OCCASION,
        };
        prepare(terms).expect("is an integer").evaluate(&context)
    }

    #[test]
    fn terms_come_to_a_number() {
        for (terms, expected) in [
            (json!([5]), 5),
            (json!([1, "session_number", 6, "%", "+"]), 6),
            (json!(["user_number", "turn", "*"]), 6),
            (json!([{"value": 1}, {"value": 0}, "-"]), 1207),
            (json!([{"value": 0}, 2, "/"]), -3),
            (json!([{"value": 0}, 4, "%"]), -3),
            (json!([48_271, {"value": 1}, "*", 960_000, "%"]), 325_200),
        ] {
            assert_eq!(evaluate(&terms), Some(expected), "{terms}");
        }
    }

    #[test]
    fn what_is_no_integer_is_none() {
        for terms in [
            json!([{"value": 2}]),
            json!([{"value": 3}]),
            json!([{"value": 4}]),
            json!([1, 0, "/"]),
            json!([1, 0, "%"]),
            json!([i64::MIN, -1, "/"]),
            json!([i64::MAX, 1, "+"]),
            json!([i64::MIN, 1, "-"]),
            json!([i64::MAX, 2, "*"]),
        ] {
            assert_eq!(evaluate(&terms), None, "{terms}");
        }
    }

    #[test]
    fn terms_that_do_not_come_to_one_number_are_refused() {
        for terms in [
            json!([]),
            json!([1, 2]),
            json!([1, "+"]),
            json!(["+", 1, 2]),
        ] {
            let refused = prepare(&terms).expect_err("is refused");
            assert_eq!(refused, IntegerError::Terms, "{terms}");
        }
        let deep = |waiting: usize| {
            let numbers = vec![json!(1); waiting];
            let operators = vec![json!("+"); waiting - 1];
            prepare(&json!([numbers, operators].concat()))
        };
        assert!(deep(MOST_WAITING).is_ok());
        assert_eq!(deep(MOST_WAITING + 1).expect_err("is"), IntegerError::Deep);
    }

    /// An expression as a tree, evaluated in 128 bits.
    #[derive(Clone, Debug)]
    enum Tree {
        Number(i64),
        Node(Box<Tree>, &'static str, Box<Tree>),
    }

    impl Tree {
        fn terms(&self, terms: &mut Vec<Json>) {
            match self {
                Self::Number(number) => terms.push(json!(number)),
                Self::Node(left, operator, right) => {
                    left.terms(terms);
                    right.terms(terms);
                    terms.push(json!(operator));
                }
            }
        }

        fn evaluate(&self) -> Option<i128> {
            let result = match self {
                Self::Number(number) => i128::from(*number),
                Self::Node(left, operator, right) => {
                    let (left, right) = (left.evaluate()?, right.evaluate()?);
                    match *operator {
                        "+" => left + right,
                        "-" => left - right,
                        "*" => left * right,
                        "/" => left.checked_div(right)?,
                        // As the processor has it: no quotient, no remainder.
                        _ if i64::try_from(left.checked_div(right)?).is_err() => return None,
                        _ => left % right,
                    }
                }
            };
            i64::try_from(result).is_ok().then_some(result)
        }
    }

    fn tree() -> impl Strategy<Value = Tree> {
        let number = prop_oneof![-9..10_i64, Just(i64::MIN), Just(i64::MAX), any::<i64>()];
        number
            .prop_map(Tree::Number)
            .prop_recursive(5, 32, 2, |inner| {
                let operator = prop::sample::select(vec!["+", "-", "*", "/", "%"]);
                (inner.clone(), operator, inner).prop_map(|(left, operator, right)| {
                    Tree::Node(Box::new(left), operator, Box::new(right))
                })
            })
    }

    proptest! {
        #[test]
        fn nothing_wraps(tree in tree()) {
            let mut terms = Vec::new();
            tree.terms(&mut terms);
            prop_assert_eq!(evaluate(&json!(terms)).map(i128::from), tree.evaluate());
        }
    }
}
