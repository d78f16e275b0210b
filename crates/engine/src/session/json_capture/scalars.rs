//! How the automaton reads keys, strings, numbers and literals that somebody asks for.

use std::mem;

use super::JsonFault;
use super::answers::Kind;
use super::questions::JsonQuestions;
use super::reader::{JsonReader, State};
use super::scan::{has_control, key_end, text_end};
use super::unescape::{Kept, Unescaper};
use crate::session::values::MOST_VALUE_BYTES;

impl JsonReader {
    pub(super) fn text(
        &mut self,
        questions: &JsonQuestions,
        rest: &[u8],
    ) -> Result<usize, JsonFault> {
        if self.state == State::TextBegins {
            if let Some(end) = text_end(rest)
                && rest[end] == b'"'
            {
                let text = &rest[..end];
                if has_control(&text[..end.min(MOST_VALUE_BYTES)]) {
                    return Err(JsonFault::Syntax);
                }
                if end > MOST_VALUE_BYTES {
                    return Err(JsonFault::TooLong);
                }
                self.end_text(questions, text)?;
                return Ok(end + 1);
            }
            self.text.clear();
            self.unescaper = Unescaper::default();
            self.state = State::Text;
        }
        let mut kept = Kept {
            text: &mut self.text,
            most: MOST_VALUE_BYTES,
            is_bound: true,
        };
        let end = self.unescaper.take(rest, &mut kept)?;
        if end.is_some() {
            let text = mem::take(&mut self.text);
            let ended = self.end_text(questions, &text);
            self.text = text;
            ended?;
        }
        Ok(end.unwrap_or(rest.len()))
    }

    fn end_text(&mut self, questions: &JsonQuestions, text: &[u8]) -> Result<(), JsonFault> {
        if str::from_utf8(text).is_err() {
            return Err(JsonFault::NotText);
        }
        let wanted = self.wanted;
        self.answers
            .end_scalar(questions, wanted, Kind::String, text);
        self.value_ended(questions);
        Ok(())
    }

    pub(super) fn key(
        &mut self,
        questions: &JsonQuestions,
        rest: &[u8],
    ) -> Result<usize, JsonFault> {
        if self.state == State::KeyBegins {
            if let Some(end) = key_end(rest)
                && rest[end] == b'"'
            {
                self.member(questions, &rest[..end]);
                return Ok(end + 1);
            }
            self.text.clear();
            self.unescaper = Unescaper::default();
            self.state = State::Key;
        }
        let mut kept = Kept {
            text: &mut self.text,
            most: questions.longest_name(),
            is_bound: false,
        };
        let end = self.unescaper.take(rest, &mut kept)?;
        if end.is_some() {
            let text = mem::take(&mut self.text);
            self.member(questions, &text);
            self.text = text;
        }
        Ok(end.unwrap_or(rest.len()))
    }

    pub(super) fn number(
        &mut self,
        questions: &JsonQuestions,
        rest: &[u8],
    ) -> Result<usize, JsonFault> {
        let length = self.number.take(rest);
        let text = &rest[..length];
        if self.wanted != 0 && self.text.len() + length > MOST_VALUE_BYTES {
            return Err(JsonFault::TooLong);
        }
        if length == rest.len() {
            if self.wanted != 0 {
                self.text.extend_from_slice(text);
            }
        } else if self.number.is_complete() {
            self.end_number(questions, text);
        } else {
            return Err(JsonFault::Syntax);
        }
        Ok(length)
    }

    pub(super) fn end_number(&mut self, questions: &JsonQuestions, end: &[u8]) {
        let (mut text, wanted) = (mem::take(&mut self.text), self.wanted);
        let whole = if text.is_empty() {
            end
        } else {
            text.extend_from_slice(end);
            &text
        };
        self.answers
            .end_scalar(questions, wanted, Kind::Number, whole);
        self.text = text;
        self.value_ended(questions);
    }

    pub(super) fn literal(
        &mut self,
        questions: &JsonQuestions,
        rest: &[u8],
    ) -> Result<usize, JsonFault> {
        let expected = &self.literal[self.matched..];
        let length = expected.len().min(rest.len());
        if expected[..length] != rest[..length] {
            return Err(JsonFault::Syntax);
        }
        self.matched += length;
        if self.matched == self.literal.len() {
            if self.literal == b"null" {
                self.answers.null(questions, self.wanted);
            } else {
                let wanted = self.answers.begin_scalar(questions, self.wanted);
                let text = self.literal;
                self.answers
                    .end_scalar(questions, wanted, Kind::Boolean, text);
            }
            self.value_ended(questions);
        }
        Ok(length)
    }
}
