//! Values of a JSON body that arrives in pieces: which are captured, and which are checked.
//!
//! One automaton answers all questions of an operation. It knows for each container in which it is who asks
//! for something in there, and skips the rest: strings by `scan`, and whole arrays and objects by counting
//! their brackets. It stops at the last answer that is needed, and keeps nothing of the body but what is
//! asked for.
//!
//! Of equal members the first counts. Syntax is judged as far as it is read: what is skipped must have its
//! brackets and quotes in order, and what follows the last answer is not looked at.

mod answers;
pub mod questions;
mod reader;
mod recording;
mod scalars;
mod scan;
mod skipping;
mod unescape;

use thiserror::Error;

use crate::session::values::MOST_VALUE_BYTES;

pub use answers::Choice;
pub use questions::{Ask, JsonQuestions, QuestionError};
pub use reader::JsonReader;

/// How deep arrays and objects stand in each other at most.
pub const MOST_DEPTH: usize = 128;

/// What a body leaves of each buffer to the next at most.
const KEPT_BYTES: usize = 4 << 10;

/// Why a body gives no answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum JsonFault {
    /// It breaks the grammar.
    #[error("the body is not JSON")]
    Syntax,
    /// It ends before its value.
    #[error("the body is JSON without its end")]
    Cut,
    /// Too deep.
    #[error("the body's JSON is deeper than {MOST_DEPTH}")]
    TooDeep,
    /// A value that is asked for is too long.
    #[error("a value of the body's JSON is longer than {MOST_VALUE_BYTES} bytes")]
    TooLong,
    /// A value that is asked for is not UTF-8.
    #[error("a value of the body's JSON is not UTF-8")]
    NotText,
    /// A value that is asked for has one half of a character.
    #[error("a value of the body's JSON has a lone surrogate")]
    Surrogate,
}

#[cfg(test)]
mod tests;
