//! What an answer must be, and what is taken out of it: prepared once per operation.
//!
//! It is looked at in this order: status, content coding, values of its JSON and what is captured, headers,
//! a text in its body. The first that is not as expected is told. An answer whose status ends the session is
//! looked at no further.

mod captures;
mod checks;

use memchr::memmem::Finder;
use std::sync::Arc;

use crate::exchange::answer_reader::AnswerReader;
use crate::exchange::expected_answer::captures::CapturePart;
use crate::exchange::expected_answer::checks::{HeaderPart, JsonPart, header_checks, json_checks};
use crate::exchange::expected_text::Needle;
use crate::outcome::{Detail, FailedCheck};
use crate::plan::session_format::{CaptureFrom, Otherwise, Pieces};
use crate::plan::{Group, Operation};
use crate::session::integer::IntegerError;
use crate::session::json_capture::{Ask, JsonQuestions, QuestionError};
use crate::session::occasion::Context;
use crate::session::template::{Template, Unsendable};
use crate::session::values::Values;

/// Why an answer cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum ExpectedError {
    /// A text cannot be put together.
    #[error(transparent)]
    Template(#[from] IntegerError),
    /// A pointer cannot be looked for.
    #[error(transparent)]
    Question(#[from] QuestionError),
}

/// What the status of an answer means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusMeaning {
    /// It is expected.
    Expected,
    /// It is ok, and the session has ended.
    Ends,
    /// It is another one.
    Other,
}

/// Why an answer is not as expected.
pub type Fault = (FailedCheck, Detail);

/// What an answer must be, and what is taken out of it.
#[derive(Clone, Debug)]
pub struct ExpectedAnswer {
    statuses: Vec<u16>,
    or_end: Vec<u16>,
    json: JsonQuestions,
    json_checks: Vec<JsonPart>,
    captures: Vec<CapturePart>,
    /// Names of the headers that are looked at, in lower case.
    headers: Vec<Box<[u8]>>,
    header_checks: Vec<HeaderPart>,
    text: Option<TextPart>,
    wants_cookies: bool,
}

#[derive(Clone, Debug)]
enum TextPart {
    Constant(Box<Finder<'static>>),
    Rendered(Template),
}

impl ExpectedAnswer {
    /// Prepares what is said of an operation's answers.
    ///
    /// # Errors
    /// If they cannot be looked at so.
    pub fn new(group: &Group, operation: &Operation) -> Result<Self, ExpectedError> {
        let check = &operation.check;
        let (json_checks, checked) = json_checks(check)?;
        let asked = operation
            .captures
            .iter()
            .filter_map(|capture| match &capture.from {
                CaptureFrom::Json(tokens) => Some((tokens.as_slice(), Ask::Capture)),
                CaptureFrom::Header(_) | CaptureFrom::Cookie(_) => None,
            });
        let mut headers = Vec::new();
        let header_checks = header_checks(check, &mut headers)?;
        let mut question = json_checks.len();
        let captures = operation
            .captures
            .iter()
            .map(|capture| CapturePart::new(group, capture, &mut headers, &mut question));
        let captures = captures.collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            statuses: check.status.clone(),
            or_end: check.or_end.clone(),
            json: JsonQuestions::new(checked.into_iter().chain(asked))?,
            json_checks,
            wants_cookies: captures.iter().any(CapturePart::is_of_cookie),
            captures,
            headers,
            header_checks,
            text: check.body_contains.as_ref().map(text_part).transpose()?,
        })
    }

    /// What a status means.
    #[must_use]
    pub fn meaning(&self, status: u16) -> StatusMeaning {
        let is_expected = if self.statuses.is_empty() {
            (200..300).contains(&status)
        } else {
            self.statuses.contains(&status)
        };
        if is_expected {
            StatusMeaning::Expected
        } else if self.or_end.contains(&status) {
            StatusMeaning::Ends
        } else {
            StatusMeaning::Other
        }
    }

    /// In which of the operation's cells an answer of this status is counted.
    #[must_use]
    pub fn cell(&self, status: u16) -> usize {
        let mut further = self.statuses.iter().skip(1).chain(&self.or_end);
        further
            .position(|expected| *expected == status)
            .map_or(0, |place| place + 1)
    }

    /// Whether the bodies of its answers are looked into.
    #[must_use]
    pub fn looks_into_body(&self) -> bool {
        self.json.count() > 0 || self.text.is_some()
    }

    /// Whether its answers are looked at beyond their status.
    #[must_use]
    pub fn looks_beyond_status(&self) -> bool {
        self.looks_into_body() || self.looks_at_headers() || self.wants_cookies
    }

    /// Whether headers of its answers are looked at, beside cookies.
    #[must_use]
    pub fn looks_at_headers(&self) -> bool {
        !self.headers.is_empty()
    }

    /// Whether cookies are captured that its answers set.
    #[must_use]
    pub fn wants_cookies(&self) -> bool {
        self.wants_cookies
    }

    /// Which of the headers that are looked at this is.
    #[must_use]
    pub fn header(&self, name: &[u8]) -> Option<usize> {
        let mut headers = self.headers.iter();
        headers.position(|header| name.eq_ignore_ascii_case(header))
    }

    /// Makes ready for an answer to one request.
    ///
    /// # Errors
    /// If a text that is expected cannot be put together.
    pub fn begin(
        &self,
        context: &Context<'_>,
        reader: &mut AnswerReader,
    ) -> Result<(), Unsendable> {
        reader.begin(&self.json, self.headers.len());
        for part in &self.json_checks {
            if let Some(text) = &part.text {
                reader.expect(part.question, text, context)?;
            }
        }
        for capture in &self.captures {
            capture.choose(context, reader)?;
        }
        if let Some(TextPart::Rendered(text)) = &self.text {
            reader.needle.clear();
            text.render(context, &mut reader.needle)?;
        }
        Ok(())
    }

    /// Looks at the next piece of the body, without its coding.
    pub fn feed(&self, reader: &mut AnswerReader, piece: &[u8]) {
        if self.json.count() > 0 {
            reader.json.feed(&self.json, piece);
        }
        match &self.text {
            None => {}
            Some(TextPart::Constant(finder)) => {
                reader.search.feed(Needle::Prepared(finder), piece);
            }
            Some(TextPart::Rendered(_)) => {
                reader.search.feed(Needle::Rendered(&reader.needle), piece);
            }
        }
    }

    /// Judges a complete answer of an expected status and of a right coding; whether it ends the session.
    ///
    /// # Errors
    /// What is not as expected.
    pub fn judge(
        &self,
        context: &Context<'_>,
        reader: &mut AnswerReader,
    ) -> Result<bool, Box<Fault>> {
        self.judge_json(reader)?;
        let mut ends = false;
        for capture in &self.captures {
            if !capture.is_found(reader) {
                match capture.otherwise {
                    Otherwise::Fail => {
                        let told = Arc::clone(&capture.told);
                        return fault(FailedCheck::Capture, Detail::Missing(told));
                    }
                    Otherwise::End => ends = true,
                    Otherwise::Value(_) => {}
                }
            }
        }
        for part in &self.header_checks {
            if !part.holds(context, reader) {
                let told = Arc::clone(&part.told);
                return fault(FailedCheck::Header, Detail::OtherValue(told));
            }
        }
        let is_found = match &self.text {
            None => true,
            Some(TextPart::Constant(finder)) => reader.search.is_found(Needle::Prepared(finder)),
            Some(TextPart::Rendered(_)) => reader.search.is_found(Needle::Rendered(&reader.needle)),
        };
        if !is_found {
            return fault(FailedCheck::Text, Detail::BodyLacksText);
        }
        Ok(ends)
    }

    fn judge_json(&self, reader: &mut AnswerReader) -> Result<(), Box<Fault>> {
        if self.json.count() == 0 {
            return Ok(());
        }
        if let Err(error) = reader.json.finish(&self.json) {
            let failed = if self.json_checks.is_empty() {
                FailedCheck::Capture
            } else {
                FailedCheck::Json
            };
            return fault(failed, Detail::Json(error));
        }
        for part in &self.json_checks {
            if !reader.json.holds(&self.json, part.question) {
                let told = Arc::clone(&part.told);
                return fault(FailedCheck::Json, Detail::OtherValue(told));
            }
        }
        Ok(())
    }

    /// Puts what was captured into the session's values.
    ///
    /// # Errors
    /// If they do not take it.
    pub fn take(&self, reader: &AnswerReader, values: &mut Values) -> Result<(), Box<Fault>> {
        for capture in &self.captures {
            let taken = match (capture.find(reader), &capture.otherwise) {
                (Some((text, is_bare)), _) => values.set_text(capture.value, text, is_bare),
                (None, Otherwise::Value(text)) => {
                    values.set_text(capture.value, text.as_bytes(), false)
                }
                (None, Otherwise::Fail | Otherwise::End) => {
                    values.forget(capture.value);
                    Ok(())
                }
            };
            if let Err(error) = taken {
                return fault(FailedCheck::Capture, Detail::Value(error));
            }
        }
        Ok(())
    }
}

fn fault<T>(failed: FailedCheck, detail: Detail) -> Result<T, Box<Fault>> {
    Err(Box::new((failed, detail)))
}

fn text_part(pieces: &Pieces) -> Result<TextPart, ExpectedError> {
    let template = Template::new(pieces)?;
    Ok(match template.constant_bytes() {
        Some(text) => TextPart::Constant(Box::new(Finder::new(text).into_owned())),
        None => TextPart::Rendered(template),
    })
}

fn header_number(name: &str, headers: &mut Vec<Box<[u8]>>) -> usize {
    let name = name.to_ascii_lowercase().into_bytes();
    let known = headers.iter().position(|header| **header == *name);
    known.unwrap_or_else(|| {
        headers.push(name.into());
        headers.len() - 1
    })
}

/// A pointer as RFC 6901 writes it.
fn pointer(tokens: &[String]) -> String {
    let mut text = String::new();
    for token in tokens {
        text.push('/');
        text.push_str(&token.replace('~', "~0").replace('/', "~1"));
    }
    text
}

#[cfg(test)]
mod tests;
