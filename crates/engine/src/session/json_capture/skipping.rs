//! How the automaton skips what nobody asks for.

use super::JsonFault;
use super::questions::JsonQuestions;
use super::reader::{JsonReader, State};
use super::scan::{structure, text_end};

impl JsonReader {
    /// Skips a string: how many bytes that takes with its quote; none: all, and it goes on.
    pub(super) fn skip_text(&mut self, rest: &[u8]) -> Option<usize> {
        let mut at = 0;
        loop {
            if self.is_escaped {
                self.is_escaped = rest.get(at).is_none();
                at += 1;
            }
            let end = at + text_end(rest.get(at..)?)?;
            at = end + 1;
            if rest[end] == b'"' {
                return Some(at);
            }
            self.is_escaped = true;
        }
    }

    /// Skips the containers that nobody asks into.
    pub(super) fn skip(
        &mut self,
        questions: &JsonQuestions,
        piece: &[u8],
        from: usize,
    ) -> Result<usize, JsonFault> {
        let mut at = from;
        loop {
            if self.state == State::SkippedWithin {
                match self.skip_text(&piece[at..]) {
                    Some(taken) => at += taken,
                    None => return Ok(piece.len() - from),
                }
                self.state = State::Skipped;
            }
            let Some(next) = structure(&piece[at..]) else {
                return Ok(piece.len() - from);
            };
            let byte = piece[at + next];
            at += next + 1;
            match byte {
                b'"' => self.state = State::SkippedWithin,
                b'{' | b'[' => self.open(byte)?,
                _ => {
                    self.close(byte)?;
                    if self.depth == self.until {
                        self.container_ended(questions, piece, at)?;
                        return Ok(at - from);
                    }
                }
            }
        }
    }

    /// Skips the container in which the automaton is.
    pub(super) fn skip_container(&mut self) {
        self.until = self.depth - 1;
        self.state = State::Skipped;
    }
}
