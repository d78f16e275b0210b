//! What values of a body's JSON and headers must be.

use std::sync::Arc;

use super::{ExpectedError, header_number, pointer};
use crate::exchange::answer_reader::AnswerReader;
use crate::plan::session_format::{Check, HeaderIs, JsonIs};
use crate::session::json_capture::Ask;
use crate::session::occasion::Context;
use crate::session::template::Template;

#[derive(Clone, Debug)]
pub(super) struct JsonPart {
    pub(super) question: usize,
    /// Of an expected text.
    pub(super) text: Option<Template>,
    /// What is told where it is not so.
    pub(super) told: Arc<str>,
}

#[derive(Clone, Debug)]
pub(super) struct HeaderPart {
    header: usize,
    is: HeaderMust,
    pub(super) told: Arc<str>,
}

#[derive(Clone, Debug)]
enum HeaderMust {
    BeThere,
    BeAbsent,
    Be(Template),
}

impl HeaderPart {
    /// Whether an answer is so.
    pub(super) fn holds(&self, context: &Context<'_>, reader: &mut AnswerReader) -> bool {
        let found = reader.header(self.header);
        match &self.is {
            HeaderMust::BeThere => found.is_some(),
            HeaderMust::BeAbsent => found.is_none(),
            HeaderMust::Be(text) => {
                let mut expected = std::mem::take(&mut reader.scratch);
                expected.clear();
                let rendered = text.render(context, &mut expected);
                let holds = rendered.is_ok() && reader.header(self.header) == Some(&expected);
                reader.scratch = expected;
                holds
            }
        }
    }
}

/// The questions that a check asks, by their pointers.
type Asked<'a> = Vec<(&'a [String], Ask)>;

/// What is asked of the body's JSON.
pub(super) fn json_checks(check: &Check) -> Result<(Vec<JsonPart>, Asked<'_>), ExpectedError> {
    let (mut parts, mut asked) = (Vec::new(), Vec::new());
    for (question, one) in check.json.iter().enumerate() {
        let pointer = pointer(&one.pointer);
        let text = match &one.is {
            JsonIs::Text(text) => Some(Template::new(text)?),
            JsonIs::Present | JsonIs::Absent | JsonIs::Value(_) => None,
        };
        let told = match &one.is {
            JsonIs::Present => format!("the body's {pointer:?} is missing"),
            JsonIs::Absent => format!("the body's {pointer:?} is there"),
            JsonIs::Value(value) => format!("the body's {pointer:?} is not {value}"),
            JsonIs::Text(_) => format!("the body's {pointer:?} is not the expected text"),
        };
        parts.push(JsonPart {
            question,
            text,
            told: told.into(),
        });
        asked.push((one.pointer.as_slice(), Ask::from(&one.is)));
    }
    Ok((parts, asked))
}

/// What its headers must be; `headers` are those that are looked at so far.
pub(super) fn header_checks(
    check: &Check,
    headers: &mut Vec<Box<[u8]>>,
) -> Result<Vec<HeaderPart>, ExpectedError> {
    let parts = check.header.iter().map(|one| {
        let name = &one.name;
        let (is, told) = match &one.is {
            HeaderIs::Present => (HeaderMust::BeThere, format!("the header {name} is missing")),
            HeaderIs::Absent => (HeaderMust::BeAbsent, format!("the header {name} is there")),
            HeaderIs::Text(text) => (
                HeaderMust::Be(Template::new(text)?),
                format!("the header {name} is not the expected text"),
            ),
        };
        Ok(HeaderPart {
            header: header_number(name, headers),
            is,
            told: told.into(),
        })
    });
    parts.collect()
}
