//! What was found so far of what is asked for.

use serde_json::Value;
use std::mem;

use super::KEPT_BYTES;
use super::questions::{Ask, ExpectedValue, JsonQuestions, Questions, indices, is_equal};
use crate::arrivals::random::mix;
use crate::session::draws::below;

/// Which value is captured, of those that a pointer with `*` finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The first.
    #[default]
    First,
    /// The one of this number, from 0.
    Number(u64),
    /// Any, by these random bits.
    Random(u64),
}

/// What a text is written of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A string.
    String,
    /// A number.
    Number,
    /// A boolean.
    Boolean,
}

/// The answers of one body.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// Who has no answer yet.
    pub open: Questions,
    list: Vec<Answer>,
}

#[derive(Clone, Debug, Default)]
struct Answer {
    /// The captured text; or the text that is expected.
    text: Vec<u8>,
    is_found: bool,
    is_bare: bool,
    choice: Choice,
    /// How many values were found to choose from.
    seen: u64,
}

impl Answer {
    /// Whether the next value that is found is the chosen one so far. Of random ones, the n-th takes the place of
    /// the one before with a chance of 1 in n: each is as likely in the end (Knuth, "The Art of Computer
    /// Programming", volume 2, section 3.4.2, algorithm R).
    fn takes_next(&mut self) -> bool {
        let number = self.seen;
        self.seen += 1;
        match self.choice {
            Choice::First => number == 0,
            Choice::Number(chosen) => number == chosen,
            Choice::Random(bits) => below(mix(bits ^ number), number + 1) == 0,
        }
    }
}

impl Answers {
    /// Begins with a new body.
    pub fn begin(&mut self, questions: &JsonQuestions) {
        self.open = questions.all();
        self.list.resize_with(questions.count(), Answer::default);
        for answer in &mut self.list {
            answer.text.clear();
            answer.text.shrink_to(KEPT_BYTES);
            *answer = Answer {
                text: mem::take(&mut answer.text),
                ..Answer::default()
            };
        }
    }

    /// Says which value is captured.
    pub fn choose(&mut self, question: usize, choice: Choice) {
        self.list[question].choice = choice;
    }

    /// Says which text is expected.
    pub fn expect(&mut self, question: usize, text: &[u8]) {
        let answer = &mut self.list[question];
        answer.text.clear();
        answer.text.extend_from_slice(text);
    }

    /// The captured text, and whether it is a number or boolean; none: nothing was there.
    #[must_use]
    pub fn captured(&self, question: usize) -> Option<(&[u8], bool)> {
        let answer = &self.list[question];
        answer.is_found.then_some((&answer.text, answer.is_bare))
    }

    /// Whether something was found that is as it was asked for.
    #[must_use]
    pub fn is_found(&self, question: usize) -> bool {
        self.list[question].is_found
    }

    /// A string, number or boolean begins where these ask: who wants its text.
    pub fn begin_scalar(&mut self, questions: &JsonQuestions, here: Questions) -> Questions {
        let mut wanted = 0;
        for index in indices(here) {
            let question = questions.get(index);
            match question.ask {
                Ask::Capture if question.has_star && !self.list[index].takes_next() => {}
                Ask::Capture | Ask::Value(_) | Ask::Text => wanted |= 1 << index,
                Ask::Present | Ask::Absent => self.find(questions, index),
            }
        }
        wanted
    }

    /// What it is.
    pub fn end_scalar(
        &mut self,
        questions: &JsonQuestions,
        wanted: Questions,
        kind: Kind,
        text: &[u8],
    ) {
        for index in indices(wanted) {
            let answer = &mut self.list[index];
            let is_it = match &questions.get(index).ask {
                Ask::Capture => {
                    answer.text.clear();
                    answer.text.extend_from_slice(text);
                    answer.is_bare = kind != Kind::String;
                    true
                }
                Ask::Text => answer.text == text,
                Ask::Value(expected) => is_scalar(expected, kind, text),
                Ask::Present | Ask::Absent => false,
            };
            if is_it {
                self.find(questions, index);
            }
        }
    }

    /// `null` stands where these ask.
    pub fn null(&mut self, questions: &JsonQuestions, here: Questions) {
        for index in indices(here) {
            if matches!(
                questions.get(index).ask,
                Ask::Present | Ask::Absent | Ask::Value(ExpectedValue::Null)
            ) {
                self.find(questions, index);
            }
        }
    }

    /// An array or object begins where these ask: who wants it as a whole.
    pub fn begin_composite(&mut self, questions: &JsonQuestions, here: Questions) -> Questions {
        let mut wanted = 0;
        for index in indices(here) {
            match questions.get(index).ask {
                Ask::Present | Ask::Absent => self.find(questions, index),
                Ask::Value(ExpectedValue::Composite(_)) => wanted |= 1 << index,
                Ask::Capture | Ask::Value(_) | Ask::Text => {}
            }
        }
        wanted
    }

    /// What it is.
    pub fn end_composite(&mut self, questions: &JsonQuestions, wanted: Questions, found: &Value) {
        for index in indices(wanted) {
            if let Ask::Value(ExpectedValue::Composite(expected)) = &questions.get(index).ask
                && is_equal(found, expected)
            {
                self.find(questions, index);
            }
        }
    }

    /// A question has found what it asks for. Where it asks for any element that is its answer, unless another
    /// may still be drawn; elsewhere it has its answer when the value ends.
    fn find(&mut self, questions: &JsonQuestions, index: usize) {
        let question = questions.get(index);
        let answer = &mut self.list[index];
        answer.is_found = true;
        let is_drawn = matches!(answer.choice, Choice::Random(_));
        if question.has_star && !is_drawn {
            self.open &= !(1 << index);
        }
    }
}

fn is_scalar(expected: &ExpectedValue, kind: Kind, text: &[u8]) -> bool {
    match (expected, kind) {
        (ExpectedValue::Text(expected), Kind::String) => **expected == *text,
        (ExpectedValue::Boolean(expected), Kind::Boolean) => *expected == text,
        (ExpectedValue::Number(expected), Kind::Number) => {
            let found = str::from_utf8(text).ok().and_then(|text| text.parse().ok());
            found == Some(*expected)
        }
        _ => false,
    }
}
