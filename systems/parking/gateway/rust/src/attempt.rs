//! One try of a request at one instance: what is sent, and why there may be no answer.

use std::time::Duration;

use hyper::{Method, Request};
use tokio::time::sleep;

use crate::upload::Upload;

/// What is sent, to whichever instance.
pub struct Outgoing {
    /// Method, path and query as they were sent, and the fields for users.
    pub head: Request<()>,
    /// The body.
    pub upload: Upload,
    /// Bounds the wait for the head of an answer.
    pub answer_limit: Duration,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Failed {
    /// No connection was made, so nothing was sent.
    NotConnected(String),
    /// The instance says that it has not processed the request.
    NotProcessed {
        /// Whether it ended a connection that had been in use before.
        is_stale: bool,
    },
    /// The connection, or the stream, ended before a byte of an answer.
    Unanswered {
        /// Whether it was a connection that had been in use before, and broke.
        is_stale: bool,
    },
    /// It ended within the head of an answer, or what came is none.
    Broken,
    /// The head of an answer was not there in time.
    Late,
}

impl Outgoing {
    /// Waits until it is too late for the head of an answer: the limit runs once the request was passed on.
    pub async fn late(&self) {
        self.upload.end().await;
        sleep(self.answer_limit).await;
    }

    /// Whether a request whose attempt has failed so may be sent again.
    pub fn may_be_repeated(&self, failed: &Failed) -> bool {
        let is_allowed = match failed {
            Failed::NotConnected(_) | Failed::NotProcessed { .. } => true,
            Failed::Unanswered { .. } => is_repeatable(self.head.method()),
            Failed::Broken | Failed::Late => false,
        };
        is_allowed && !self.upload.has_begun()
    }
}

impl Failed {
    /// Whether the failure may be that of a connection which had ended unseen, and not of the instance.
    pub fn is_stale(&self) -> bool {
        matches!(
            self,
            Self::NotProcessed { is_stale: true } | Self::Unanswered { is_stale: true }
        )
    }

    /// What is said of it.
    pub fn cause(&self) -> &str {
        match self {
            Self::NotConnected(cause) => cause,
            Self::NotProcessed { .. } => "it did not process the request",
            Self::Unanswered { .. } => "it ended before an answer",
            Self::Broken => "its answer is none",
            Self::Late => "it did not answer in time",
        }
    }
}

fn is_repeatable(method: &Method) -> bool {
    matches!(
        *method,
        Method::GET | Method::HEAD | Method::PUT | Method::DELETE
    )
}
