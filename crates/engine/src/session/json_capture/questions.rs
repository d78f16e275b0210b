//! What is asked of a JSON body: pointers, and what is wanted of the values there, prepared once for an
//! operation.

use serde_json::Value;
use thiserror::Error;

use crate::plan::session_format::JsonIs;

/// How many pointers an operation has at most.
pub const MOST_POINTERS: usize = 16;

/// How many segments a pointer has at most.
pub const MOST_SEGMENTS: usize = 8;

/// A set of questions, by their index.
pub type Questions = u16;

/// Why something cannot be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum QuestionError {
    /// Too many pointers.
    #[error("an operation has more than {MOST_POINTERS} pointers")]
    Pointers,
    /// Too many segments.
    #[error("a pointer has more than {MOST_SEGMENTS} segments")]
    Segments,
    /// Several stars.
    #[error("a pointer has more than one *")]
    Stars,
}

/// What is wanted of the value at a place.
#[derive(Clone, Debug)]
pub enum Ask {
    /// Its text, of a string, number or boolean.
    Capture,
    /// That there is one.
    Present,
    /// That there is none.
    Absent,
    /// That it is this one.
    Value(ExpectedValue),
    /// That its text is one that is told when a body begins.
    Text,
}

impl From<&JsonIs> for Ask {
    fn from(is: &JsonIs) -> Self {
        match is {
            JsonIs::Present => Self::Present,
            JsonIs::Absent => Self::Absent,
            JsonIs::Value(value) => Self::Value(ExpectedValue::new(value)),
            JsonIs::Text(_) => Self::Text,
        }
    }
}

/// An expected value.
#[derive(Clone, Debug)]
pub enum ExpectedValue {
    /// `null`.
    Null,
    /// A boolean, as it is written.
    Boolean(&'static [u8]),
    /// A number, by what it comes to.
    Number(f64),
    /// A string.
    Text(Box<[u8]>),
    /// An array or object.
    Composite(Value),
}

impl ExpectedValue {
    fn new(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(true) => Self::Boolean(b"true"),
            Value::Bool(false) => Self::Boolean(b"false"),
            Value::Number(number) => Self::Number(number.as_f64().unwrap_or(f64::NAN)),
            Value::String(text) => Self::Text(text.as_bytes().into()),
            Value::Array(_) | Value::Object(_) => Self::Composite(value.clone()),
        }
    }
}

/// Whether a found array or object is the expected one: numbers are equal by what they come to, however they
/// are written.
#[must_use]
pub fn is_equal(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(some), Value::Array(others)) => {
            let mut pairs = some.iter().zip(others);
            some.len() == others.len() && pairs.all(|(one, other)| is_equal(one, other))
        }
        (Value::Object(some), Value::Object(others)) => {
            let is_in = |(name, one)| others.get(name).is_some_and(|other| is_equal(one, other));
            some.len() == others.len() && some.iter().all(is_in)
        }
        _ => found == expected,
    }
}

/// One question.
#[derive(Clone, Debug)]
pub struct Question {
    pointer: Box<[Segment]>,
    /// What is wanted.
    pub ask: Ask,
    /// Whether it is asked of every element of an array.
    pub has_star: bool,
}

#[derive(Clone, Debug)]
struct Segment {
    name: Box<[u8]>,
    /// RFC 6901, section 4: digits without a leading zero.
    index: Option<u64>,
}

/// The questions at a depth: of the values there, and of what is in them.
#[derive(Clone, Copy, Debug, Default)]
pub struct AtDepth {
    /// Whose pointer leads here.
    pub here: Questions,
    /// Whose pointer leads on to a member or an element.
    pub within: Questions,
    /// Whose pointer leads on to any element.
    pub any: Questions,
    /// Whose pointer leads on to an element of a number, which may be a member's name as well.
    pub numbered: Questions,
    /// Whose pointer had its star before.
    pub after_any: Questions,
}

/// The questions of an operation.
#[derive(Clone, Debug)]
pub struct JsonQuestions {
    questions: Box<[Question]>,
    depths: [AtDepth; MOST_SEGMENTS + 1],
    longest_name: usize,
}

impl JsonQuestions {
    /// Prepares questions: the tokens of each one's pointer, unescaped, and what is wanted there.
    ///
    /// # Errors
    /// If there are too many, or one is of another form.
    pub fn new<'a>(
        asked: impl IntoIterator<Item = (&'a [String], Ask)>,
    ) -> Result<Self, QuestionError> {
        let mut depths = [AtDepth::default(); MOST_SEGMENTS + 1];
        let (mut questions, mut longest_name) = (Vec::new(), 0);
        for (tokens, ask) in asked {
            if questions.len() == MOST_POINTERS {
                return Err(QuestionError::Pointers);
            }
            if tokens.len() > MOST_SEGMENTS {
                return Err(QuestionError::Segments);
            }
            let this = 1 << questions.len();
            let mut has_star = false;
            let mut pointer = Vec::new();
            for (depth, token) in tokens.iter().enumerate() {
                let segment = Segment::new(token);
                depths[depth].within |= this;
                if segment.index.is_some() {
                    depths[depth].numbered |= this;
                }
                if token == "*" {
                    if has_star {
                        return Err(QuestionError::Stars);
                    }
                    has_star = true;
                    depths[depth].any |= this;
                    for later in &mut depths[depth + 1..] {
                        later.after_any |= this;
                    }
                }
                longest_name = longest_name.max(token.len());
                pointer.push(segment);
            }
            depths[tokens.len()].here |= this;
            questions.push(Question {
                pointer: pointer.into(),
                ask,
                has_star,
            });
        }
        Ok(Self {
            questions: questions.into(),
            depths,
            longest_name,
        })
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.questions.len()
    }

    /// All of them.
    #[must_use]
    pub(super) fn all(&self) -> Questions {
        Questions::try_from((1_u32 << self.questions.len()) - 1).unwrap_or(Questions::MAX)
    }

    /// One of them.
    #[must_use]
    pub(super) fn get(&self, index: usize) -> &Question {
        &self.questions[index]
    }

    #[must_use]
    pub(super) fn at(&self, depth: usize) -> &AtDepth {
        &self.depths[depth]
    }

    /// As long as a name may be that is asked for.
    #[must_use]
    pub(super) fn longest_name(&self) -> usize {
        self.longest_name
    }

    /// Those that ask for a member of this name.
    #[must_use]
    pub(super) fn named(&self, asking: Questions, depth: usize, name: &[u8]) -> Questions {
        let is_named = |&index: &usize| *self.questions[index].pointer[depth].name == *name;
        let named = indices(asking).filter(is_named);
        named.fold(0, |named, index| named | 1 << index)
    }

    /// Those that ask for the element of this number.
    #[must_use]
    pub(super) fn numbered(&self, asking: Questions, depth: usize, number: u64) -> Questions {
        let is_it = |&index: &usize| self.questions[index].pointer[depth].index == Some(number);
        let numbered = indices(asking & self.depths[depth].numbered).filter(is_it);
        numbered.fold(0, |numbered, index| numbered | 1 << index)
    }
}

impl Segment {
    fn new(token: &str) -> Self {
        let is_index = token == "0"
            || (token.bytes().all(|byte| byte.is_ascii_digit()) && !token.starts_with('0'));
        Self {
            name: token.as_bytes().into(),
            index: if is_index { token.parse().ok() } else { None },
        }
    }
}

/// The indices of a set.
pub(super) fn indices(mut questions: Questions) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let index = questions.trailing_zeros() as usize;
        (questions != 0).then(|| {
            questions &= questions - 1;
            index
        })
    })
}
