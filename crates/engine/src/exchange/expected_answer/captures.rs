//! Values that are taken out of answers.

use std::sync::Arc;

use super::{ExpectedError, header_number, pointer};
use crate::exchange::answer_reader::AnswerReader;
use crate::plan::Group;
use crate::plan::session_format::{Capture, CaptureFrom, Otherwise, Pick};
use crate::session::cookies::name_and_value;
use crate::session::draws::Purpose;
use crate::session::json_capture::Choice;
use crate::session::occasion::Context;
use crate::session::source::Source as Computed;
use crate::session::template::Unsendable;

/// One value, and where it is taken from.
#[derive(Clone, Debug)]
pub(super) struct CapturePart {
    pub(super) value: usize,
    from: Source,
    pick: PickPart,
    draw: u32,
    pub(super) otherwise: Otherwise,
    /// What is told where it is missing.
    pub(super) told: Arc<str>,
}

#[derive(Clone, Debug)]
enum Source {
    Json(usize),
    Header(usize),
    Cookie(Box<[u8]>),
}

#[derive(Clone, Debug)]
enum PickPart {
    First,
    Random,
    Index(Computed),
}

impl CapturePart {
    /// Says which of several values of a JSON body is taken.
    pub(super) fn choose(
        &self,
        context: &Context<'_>,
        reader: &mut AnswerReader,
    ) -> Result<(), Unsendable> {
        let Source::Json(question) = self.from else {
            return Ok(());
        };
        let choice = match &self.pick {
            PickPart::First => Choice::First,
            PickPart::Random => Choice::Random(context.occasion.draw(Purpose::Pick, self.draw)),
            PickPart::Index(source) => {
                let number = source.integer(context).map(u64::try_from);
                Choice::Number(number.and_then(Result::ok).ok_or(Unsendable::Integer)?)
            }
        };
        reader.json.choose(question, choice);
        Ok(())
    }

    pub(super) fn is_of_cookie(&self) -> bool {
        matches!(self.from, Source::Cookie(_))
    }

    pub(super) fn is_found(&self, reader: &AnswerReader) -> bool {
        self.find(reader).is_some()
    }

    /// What is captured, and whether it is a number or boolean; only text can be.
    pub(super) fn find<'a>(&self, reader: &'a AnswerReader) -> Option<(&'a [u8], bool)> {
        let text = match &self.from {
            Source::Json(question) => return reader.json.captured(*question),
            Source::Header(header) => reader.header(*header)?,
            Source::Cookie(name) => {
                let cookies = reader.cookies().filter_map(name_and_value);
                let mut of_name = cookies.filter(|(other, _)| *other == &**name);
                of_name.next_back()?.1
            }
        };
        str::from_utf8(text).is_ok().then_some((text, false))
    }

    /// Prepares a capture: `headers` are those that are looked at so far, `question` the number of the next
    /// one that is asked of the body's JSON.
    pub(super) fn new(
        group: &Group,
        capture: &Capture,
        headers: &mut Vec<Box<[u8]>>,
        question: &mut usize,
    ) -> Result<Self, ExpectedError> {
        let value = &group.values[capture.value];
        let (from, place) = match &capture.from {
            CaptureFrom::Json(tokens) => {
                *question += 1;
                let place = format!("the body's {:?}", pointer(tokens));
                (Source::Json(*question - 1), place)
            }
            CaptureFrom::Header(name) => {
                let place = format!("the header {name}");
                (Source::Header(header_number(name, headers)), place)
            }
            CaptureFrom::Cookie(name) => (
                Source::Cookie(name.as_bytes().into()),
                format!("the cookie {name}"),
            ),
        };
        Ok(Self {
            value: capture.value,
            from,
            pick: match &capture.pick {
                Pick::First => PickPart::First,
                Pick::Random => PickPart::Random,
                Pick::Index(expression) => PickPart::Index(Computed::new(expression)?),
            },
            draw: capture.draw,
            otherwise: capture.or.clone(),
            told: format!("{value} cannot be captured: {place} is missing").into(),
        })
    }
}
