//! Arrays and objects that are compared as a whole: their text is kept until they end.
//!
//! That is the one question which allocates for each answer. It is rare, and its values are short.

use serde_json::Value;

use super::questions::Questions;
use super::{JsonFault, KEPT_BYTES};
use crate::session::values::MOST_VALUE_BYTES;

/// The texts of arrays and objects that have begun, one in the other.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    text: Vec<u8>,
    /// Where the text goes on in the piece that is read.
    from: usize,
    begun: Vec<Begun>,
}

#[derive(Clone, Copy, Debug)]
struct Begun {
    depth: usize,
    start: usize,
    asking: Questions,
}

impl Recording {
    /// Begins with a new body.
    pub fn reset(&mut self) {
        self.text.clear();
        self.text.shrink_to(KEPT_BYTES);
        self.begun.clear();
    }

    /// A value begins there in the piece that is read.
    pub fn begin(&mut self, asking: Questions, depth: usize, at: usize) {
        if self.begun.is_empty() {
            self.text.clear();
            self.from = at;
        }
        self.begun.push(Begun {
            depth,
            start: self.text.len() + at - self.from,
            asking,
        });
    }

    /// Whether a value of this depth is being kept.
    #[must_use]
    pub fn is_at(&self, depth: usize) -> bool {
        self.begun.last().is_some_and(|begun| begun.depth == depth)
    }

    /// The last value ends there in the piece: who asked for it, and what it is.
    ///
    /// # Errors
    /// If it is too long, or no JSON.
    pub fn end(&mut self, piece: &[u8], at: usize) -> Result<(Questions, Value), JsonFault> {
        self.keep(piece, at)?;
        let begun = self.begun.pop().ok_or(JsonFault::Syntax)?;
        let value = serde_json::from_slice(&self.text[begun.start..]);
        let value = value.map_err(|_| JsonFault::Syntax)?;
        Ok((begun.asking, value))
    }

    /// The piece has been read up to there.
    ///
    /// # Errors
    /// If what is kept becomes too long.
    pub fn piece_ended(&mut self, piece: &[u8], at: usize) -> Result<(), JsonFault> {
        if !self.begun.is_empty() {
            self.keep(piece, at)?;
        }
        self.from = 0;
        Ok(())
    }

    fn keep(&mut self, piece: &[u8], at: usize) -> Result<(), JsonFault> {
        if self.text.len() + at - self.from > MOST_VALUE_BYTES {
            return Err(JsonFault::TooLong);
        }
        self.text.extend_from_slice(&piece[self.from..at]);
        self.from = at;
        Ok(())
    }
}
