//! What was seen of one answer, as far as it is asked for: kept from answer to answer for its memory.

use std::ops::Range;

use crate::exchange::expected_text::BodySearch;
use crate::session::json_capture::{JsonQuestions, JsonReader};
use crate::session::occasion::Context;
use crate::session::template::{Template, Unsendable};

/// What an answer leaves of its headers' memory to the next at most.
const KEPT_BYTES: usize = 4 << 10;

/// What was seen of one answer.
#[derive(Debug, Default)]
pub struct AnswerReader {
    /// The values of its JSON.
    pub(super) json: JsonReader,
    /// The text that is looked for in its body.
    pub(super) search: BodySearch,
    /// That text, where it is of this request.
    pub(super) needle: Vec<u8>,
    /// For texts that are put together to be compared.
    pub(super) scratch: Vec<u8>,
    /// The first value of each header that is looked at.
    headers: Vec<Option<Range<usize>>>,
    /// The values of all Set-Cookie headers.
    cookies: Vec<Range<usize>>,
    /// All these values.
    bytes: Vec<u8>,
}

impl AnswerReader {
    /// Begins with a new answer, of which so many headers are looked at.
    pub(super) fn begin(&mut self, questions: &JsonQuestions, headers: usize) {
        if questions.count() > 0 {
            self.json.begin(questions);
        }
        self.search.reset();
        self.headers.resize(headers, None);
        self.begin_head();
    }

    /// A new status line: what an interim answer said is dropped.
    pub fn begin_head(&mut self) {
        self.headers.fill(None);
        self.cookies.clear();
        self.bytes.clear();
        self.bytes.shrink_to(KEPT_BYTES);
    }

    /// Says which text is expected.
    pub(super) fn expect(
        &mut self,
        question: usize,
        text: &Template,
        context: &Context<'_>,
    ) -> Result<(), Unsendable> {
        self.scratch.clear();
        text.render(context, &mut self.scratch)?;
        self.json.expect(question, &self.scratch);
        Ok(())
    }

    /// Keeps the value of a header that is looked at, unless there was one before.
    pub fn keep_header(&mut self, header: usize, value: &[u8]) {
        if self.headers[header].is_none() {
            self.headers[header] = Some(self.append(value));
        }
    }

    /// Keeps the value of a Set-Cookie header.
    pub fn keep_cookie(&mut self, value: &[u8]) {
        let range = self.append(value);
        self.cookies.push(range);
    }

    /// The first value of a header that is looked at.
    pub(super) fn header(&self, header: usize) -> Option<&[u8]> {
        let range = self.headers[header].clone()?;
        Some(&self.bytes[range])
    }

    /// The values of all Set-Cookie headers, in their order.
    pub fn cookies(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.cookies.iter().map(|range| &self.bytes[range.clone()])
    }

    fn append(&mut self, value: &[u8]) -> Range<usize> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(value);
        start..self.bytes.len()
    }
}
