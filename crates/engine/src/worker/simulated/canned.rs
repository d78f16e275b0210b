//! Servers that treat all requests alike.

use rustix::io::Errno;

use super::{Accepting, Happening, Happenings, Server};

/// How the simulated server treats each request.
#[derive(Clone, Debug)]
pub enum Behaviour {
    /// Answers after so many nanoseconds.
    Answers(u64, &'static [u8]),
    /// Answers after so many nanoseconds and closes.
    AnswersAndCloses(u64, &'static [u8]),
    /// Accepts and never answers.
    Silent,
    /// Refuses connections.
    Refuses,
}

impl Server for Behaviour {
    fn connect(&mut self, _slot: usize, _then: &mut Happenings) -> Accepting {
        match self {
            Self::Refuses => Accepting::Not(Errno::CONNREFUSED),
            _ => Accepting::AtOnce,
        }
    }

    fn receive(&mut self, _slot: usize, bytes: &[u8], then: &mut Happenings) -> usize {
        match self {
            Self::Answers(after_ns, answer) => {
                then.push((*after_ns, Happening::Bytes(answer.to_vec())));
            }
            Self::AnswersAndCloses(after_ns, answer) => {
                then.push((*after_ns, Happening::Bytes(answer.to_vec())));
                then.push((*after_ns, Happening::Closed));
            }
            Self::Silent | Self::Refuses => {}
        }
        bytes.len()
    }
}
