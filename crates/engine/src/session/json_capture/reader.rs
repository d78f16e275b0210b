//! The automaton that reads one body.

use super::answers::{Answers, Choice};
use super::questions::{Ask, JsonQuestions, MOST_SEGMENTS, Questions};
use super::recording::Recording;
use super::scan::blanks;
use super::unescape::Unescaper;
use super::{JsonFault, KEPT_BYTES, MOST_DEPTH};
use crate::session::json_number::NumberState;

/// Where the automaton is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    /// Before a value.
    Value,
    /// After `{`.
    FirstKey,
    /// After a comma in an object.
    NextKey,
    /// After the quote of a key.
    KeyBegins,
    /// In a key of several pieces, or with an escape.
    Key,
    /// After a key.
    Colon,
    /// After `[`.
    FirstElement,
    /// After a value.
    After,
    /// After the quote of a string that is asked for.
    TextBegins,
    /// In such a string of several pieces, or with an escape.
    Text,
    /// In a string that nobody asks for.
    SkippedText,
    Number,
    Literal,
    /// In an array or object in which nobody asks for anything more.
    Skipped,
    /// In a string there.
    SkippedWithin,
    /// There is nothing more to read.
    #[default]
    Done,
}

/// The value of one depth on the way to where the automaton is.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// Whose pointer leads here, or on through here.
    asking: Questions,
    /// Who had a member or an element in this container.
    had: Questions,
    /// The number of the element in this array.
    number: u64,
}

/// Reads one body after the other.
#[derive(Clone, Debug, Default)]
pub struct JsonReader {
    pub(super) state: State,
    fault: Option<JsonFault>,
    pub(super) answers: Answers,
    /// How many containers the automaton is in.
    pub(super) depth: usize,
    /// Which of them are arrays, the innermost in the lowest bit.
    arrays: u128,
    /// What is skipped ends at this depth.
    pub(super) until: usize,
    path: [Place; MOST_SEGMENTS + 1],
    /// Who wants the text of the value that is read.
    pub(super) wanted: Questions,
    pub(super) text: Vec<u8>,
    pub(super) unescaper: Unescaper,
    pub(super) is_escaped: bool,
    pub(super) number: NumberState,
    pub(super) literal: &'static [u8],
    /// How many bytes of it were read.
    pub(super) matched: usize,
    recording: Recording,
}

impl JsonReader {
    /// Begins with a new body: no question has an answer, and of several values the first is captured.
    pub fn begin(&mut self, questions: &JsonQuestions) {
        self.answers.begin(questions);
        self.recording.reset();
        self.text.clear();
        self.text.shrink_to(KEPT_BYTES);
        self.fault = None;
        self.depth = 0;
        self.is_escaped = false;
        self.path[0].asking = self.answers.open;
        self.state = if self.answers.open == 0 {
            State::Done
        } else {
            State::Value
        };
    }

    /// Says which value a question captures, before the first piece.
    pub fn choose(&mut self, question: usize, choice: Choice) {
        self.answers.choose(question, choice);
    }

    /// Says which text a question expects, before the first piece.
    pub fn expect(&mut self, question: usize, text: &[u8]) {
        self.answers.expect(question, text);
    }

    /// Reads the next piece; whether anything more is needed.
    pub fn feed(&mut self, questions: &JsonQuestions, piece: &[u8]) -> bool {
        let mut at = 0;
        let read = self.read(questions, piece, &mut at);
        // Of a broken piece nothing is kept: the recording may be ahead of `at` then.
        let kept = read.and_then(|()| self.recording.piece_ended(piece, at));
        if let Err(fault) = kept {
            self.fail(fault);
        }
        self.state != State::Done
    }

    /// The body is at its end. Only where it is as it should be are there answers.
    ///
    /// # Errors
    /// What is wrong with the body.
    pub fn finish(&mut self, questions: &JsonQuestions) -> Result<(), JsonFault> {
        // Of all values, a number alone has no end of its own.
        if self.state == State::Number && self.depth == 0 && self.number.is_complete() {
            self.end_number(questions, &[]);
        }
        if self.state != State::Done {
            self.fail(JsonFault::Cut);
        }
        self.fault.map_or(Ok(()), Err)
    }

    /// What a question captured, and whether it is a number or boolean; none: nothing was there.
    #[must_use]
    pub fn captured(&self, question: usize) -> Option<(&[u8], bool)> {
        self.answers.captured(question)
    }

    /// Whether it is as a question asks.
    #[must_use]
    pub fn holds(&self, questions: &JsonQuestions, question: usize) -> bool {
        let is_absent = matches!(questions.get(question).ask, Ask::Absent);
        self.answers.is_found(question) != is_absent
    }

    fn fail(&mut self, fault: JsonFault) {
        self.fault = Some(fault);
        self.state = State::Done;
        self.recording.reset();
    }

    /// Reads from `at` on, which stays at the beginning of what is wrong.
    fn read(
        &mut self,
        questions: &JsonQuestions,
        piece: &[u8],
        at: &mut usize,
    ) -> Result<(), JsonFault> {
        while *at < piece.len() && self.state != State::Done {
            let rest = &piece[*at..];
            let taken = match self.state {
                State::TextBegins | State::Text => self.text(questions, rest)?,
                State::KeyBegins | State::Key => self.key(questions, rest)?,
                State::SkippedText => match self.skip_text(rest) {
                    Some(taken) => {
                        self.value_ended(questions);
                        taken
                    }
                    None => rest.len(),
                },
                State::Skipped | State::SkippedWithin => self.skip(questions, piece, *at)?,
                State::Number => self.number(questions, rest)?,
                State::Literal => self.literal(questions, rest)?,
                _ => {
                    *at += blanks(rest);
                    match piece.get(*at) {
                        Some(&byte) => self.token(questions, byte, piece, *at)?,
                        None => 0,
                    }
                }
            };
            *at += taken;
        }
        Ok(())
    }

    /// Takes what begins with this byte; how many bytes that is at once.
    fn token(
        &mut self,
        questions: &JsonQuestions,
        byte: u8,
        piece: &[u8],
        at: usize,
    ) -> Result<usize, JsonFault> {
        match (self.state, byte) {
            (State::Value, _) => return self.value(questions, byte, at),
            (State::FirstKey | State::NextKey, b'"') => self.state = State::KeyBegins,
            (State::Colon, b':') => self.state = State::Value,
            (State::FirstKey | State::After, b'}') | (State::FirstElement | State::After, b']') => {
                self.close(byte)?;
                self.container_ended(questions, piece, at + 1)?;
            }
            (State::FirstElement, _) => {
                self.element(questions);
                return Ok(0);
            }
            (State::After, b',') if self.is_in_array() => {
                self.path[self.depth - 1].number += 1;
                self.element(questions);
            }
            (State::After, b',') => self.state = State::NextKey,
            _ => return Err(JsonFault::Syntax),
        }
        Ok(1)
    }

    fn value(
        &mut self,
        questions: &JsonQuestions,
        byte: u8,
        at: usize,
    ) -> Result<usize, JsonFault> {
        let asking = self.path[self.depth].asking & self.answers.open;
        let here = asking & questions.at(self.depth).here;
        match byte {
            b'"' => {
                self.wanted = self.answers.begin_scalar(questions, here);
                self.state = if self.wanted == 0 {
                    State::SkippedText
                } else {
                    State::TextBegins
                };
            }
            b'{' | b'[' => {
                let wanted = self.answers.begin_composite(questions, here);
                if wanted != 0 {
                    self.recording.begin(wanted, self.depth, at);
                }
                self.open(byte)?;
                let place = &mut self.path[self.depth - 1];
                (place.had, place.number) = (0, 0);
                if self.asking_within(questions) == 0 {
                    self.skip_container();
                } else if byte == b'[' {
                    self.state = State::FirstElement;
                } else {
                    self.state = State::FirstKey;
                }
            }
            b'-' | b'0'..=b'9' => {
                self.wanted = self.answers.begin_scalar(questions, here);
                self.number = NumberState::default();
                self.text.clear();
                self.state = State::Number;
                return Ok(0);
            }
            b't' | b'f' | b'n' => {
                self.wanted = here;
                self.literal = match byte {
                    b't' => b"true",
                    b'f' => b"false",
                    _ => b"null",
                };
                self.matched = 1;
                self.state = State::Literal;
            }
            _ => return Err(JsonFault::Syntax),
        }
        Ok(1)
    }

    /// A member of this name follows; of equal ones the first counts.
    pub(super) fn member(&mut self, questions: &JsonQuestions, name: &[u8]) {
        let depth = self.depth - 1;
        let asking = self.asking_within(questions);
        // A name that was too long to be kept is none that is asked for.
        let named = if self.state == State::Key && self.unescaper.is_over() {
            0
        } else {
            questions.named(asking, depth, name)
        };
        self.path[depth].had |= named;
        self.path[depth + 1].asking = named;
        self.state = State::Colon;
    }

    /// The next element of the array follows.
    fn element(&mut self, questions: &JsonQuestions) {
        let depth = self.depth - 1;
        let asking = self.asking_within(questions);
        let numbered = questions.numbered(asking, depth, self.path[depth].number);
        self.path[depth].had |= numbered;
        self.path[depth + 1].asking = numbered | asking & questions.at(depth).any;
        self.state = State::Value;
    }

    pub(super) fn open(&mut self, bracket: u8) -> Result<(), JsonFault> {
        if self.depth == MOST_DEPTH {
            return Err(JsonFault::TooDeep);
        }
        self.depth += 1;
        self.arrays = self.arrays << 1 | u128::from(bracket == b'[');
        Ok(())
    }

    pub(super) fn close(&mut self, bracket: u8) -> Result<(), JsonFault> {
        if self.depth == 0 || self.is_in_array() != (bracket == b']') {
            return Err(JsonFault::Syntax);
        }
        self.depth -= 1;
        self.arrays >>= 1;
        Ok(())
    }

    fn is_in_array(&self) -> bool {
        self.arrays & 1 == 1
    }

    pub(super) fn container_ended(
        &mut self,
        questions: &JsonQuestions,
        piece: &[u8],
        at: usize,
    ) -> Result<(), JsonFault> {
        if self.recording.is_at(self.depth) {
            let (wanted, found) = self.recording.end(piece, at)?;
            self.answers.end_composite(questions, wanted, &found);
        }
        self.value_ended(questions);
        Ok(())
    }

    /// A value has ended: who asked for it alone, and not for any of its like, has an answer.
    pub(super) fn value_ended(&mut self, questions: &JsonQuestions) {
        let asked = self.path[self.depth].asking & !questions.at(self.depth).after_any;
        self.answers.open &= !asked;
        if self.depth == 0 || self.answers.open == 0 {
            self.state = State::Done;
        } else if self.asking_within(questions) == 0 {
            self.skip_container();
        } else {
            self.state = State::After;
        }
    }

    /// Who still asks for something in the container in which the automaton is.
    fn asking_within(&self, questions: &JsonQuestions) -> Questions {
        let (place, at) = (&self.path[self.depth - 1], questions.at(self.depth - 1));
        let asking = place.asking & self.answers.open & at.within & !place.had;
        if self.is_in_array() {
            asking & (at.any | at.numbered)
        } else {
            asking & !at.any
        }
    }
}
