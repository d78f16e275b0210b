//! Which bodies the answers of an operation had, in the summary.

use schemars::JsonSchema;
use serde::Serialize;

use crate::record::answer_kinds::AnswerKinds;

/// The bodies of one operation's ok answers, as they came over the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AnswerFacts {
    /// Answers that were looked at.
    pub compared: u64,
    /// Answers with the body that most of them had.
    pub usual: u64,
    /// Bytes of that body.
    pub usual_bytes: u64,
    /// Answers with another body of that length.
    pub others_as_long: u64,
    /// Bytes of all bodies together.
    pub all_bytes: u64,
    /// Different bodies, of which 16 are told apart.
    pub kinds: u64,
}

impl AnswerFacts {
    /// None where no answer was looked at.
    #[must_use]
    pub fn of(answers: &AnswerKinds) -> Option<Self> {
        let (digest, usual) = answers.usual()?;
        Some(Self {
            compared: answers.answers(),
            usual,
            usual_bytes: digest.bytes,
            others_as_long: answers.others_as_long(),
            all_bytes: answers.bytes(),
            kinds: answers.kinds(),
        })
    }
}
