//! Decodes response bodies by their content coding, piece by piece: gzip and br (RFC 9110 section
//! 8.4.1, RFC 7932). Only bodies that a check looks into are decoded.
//!
//! Nothing is kept but what the coding refers back to: 32 KiB for gzip, up to 16 MiB for br, whose
//! larger windows are refused. What a small body can do by decoding to a huge one is to cost CPU
//! time, up to `MAX_DECODED_BYTES`.
//!
//! Left out: deflate and compress, which servers hardly use; several codings one over the other;
//! and asking for a coding, which is the plan's business.

mod brotli;
mod gzip;
#[cfg(test)]
mod tests;

use thiserror::Error;

use brotli::Brotli;
use gzip::Gzip;

/// The most that one body may decode to.
pub const MAX_DECODED_BYTES: u64 = 1 << 30;

/// The most that is handed on at once.
const PIECE_BYTES: usize = 16_384;

/// Why a body cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CodingError {
    /// Another coding than gzip and br, or more than one.
    #[error("the body's content coding is neither gzip nor br")]
    Unsupported,
    /// The bytes are not of the coding that the response declares.
    #[error("the body is not of the content coding that its headers declare")]
    Malformed,
    /// The length or checksum at the end of gzip does not fit what was decoded.
    #[error("the decoded body does not have the checksum or the length that it declares")]
    Checksum,
    /// The body ended before its coding.
    #[error("the body ends before its content coding does")]
    Truncated,
    /// The body goes on after its coding ended.
    #[error("the body goes on after its content coding ended")]
    TrailingBytes,
    /// More than `MAX_DECODED_BYTES`.
    #[error("the body decodes to more than 1 GiB")]
    TooLong,
}

/// What a response's Content-Encoding headers declare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coding {
    /// None.
    #[default]
    Identity,
    /// `gzip`, also as `x-gzip`.
    Gzip,
    /// `br`.
    Brotli,
    /// Anything else, or one coding over another.
    Unknown,
}

impl Coding {
    /// Takes the next Content-Encoding header of the response into account.
    #[must_use]
    pub fn with_header(self, value: &[u8]) -> Self {
        value
            .split(|&byte| byte == b',')
            .map(<[u8]>::trim_ascii)
            .fold(self, |before, token| {
                let is = |name: &[u8]| token.eq_ignore_ascii_case(name);
                if token.is_empty() || is(b"identity") {
                    before
                } else if before != Self::Identity {
                    Self::Unknown
                } else if is(b"gzip") || is(b"x-gzip") {
                    Self::Gzip
                } else if is(b"br") {
                    Self::Brotli
                } else {
                    Self::Unknown
                }
            })
    }
}

/// The decoder of one body at a time.
#[derive(Debug)]
pub struct Decoder {
    state: State,
    decoded_bytes: u64,
}

#[derive(Debug)]
enum State {
    Identity,
    Gzip(Box<Gzip>),
    Brotli(Box<Brotli>),
    Unknown,
}

impl Default for Decoder {
    fn default() -> Self {
        Self {
            state: State::Identity,
            decoded_bytes: 0,
        }
    }
}

impl Decoder {
    /// Begins with a new body; memory of gzip is used again for gzip.
    pub fn begin(&mut self, coding: Coding) {
        self.decoded_bytes = 0;
        match (&mut self.state, coding) {
            (State::Gzip(gzip), Coding::Gzip) => gzip.reset(),
            (state, Coding::Identity) => *state = State::Identity,
            (state, Coding::Gzip) => *state = State::Gzip(Box::default()),
            (state, Coding::Brotli) => *state = State::Brotli(Box::default()),
            (state, Coding::Unknown) => *state = State::Unknown,
        }
    }

    /// Decodes the next piece of the body and hands what comes out to `on_decoded`, in pieces of
    /// at most 16 KiB where there is a coding.
    ///
    /// # Errors
    /// If the piece cannot belong to a body of this coding; no more of this body can be decoded.
    pub fn feed(
        &mut self,
        piece: &[u8],
        mut on_decoded: impl FnMut(&[u8]),
    ) -> Result<(), CodingError> {
        if piece.is_empty() {
            return Ok(());
        }
        let decoded_bytes = &mut self.decoded_bytes;
        let mut emit = |decoded: &[u8]| {
            *decoded_bytes += decoded.len() as u64;
            if *decoded_bytes > MAX_DECODED_BYTES {
                return Err(CodingError::TooLong);
            }
            if !decoded.is_empty() {
                on_decoded(decoded);
            }
            Ok(())
        };
        match &mut self.state {
            State::Identity => on_decoded(piece),
            State::Gzip(gzip) => gzip.feed(piece, &mut emit)?,
            State::Brotli(brotli) => brotli.feed(piece, &mut emit)?,
            State::Unknown => return Err(CodingError::Unsupported),
        }
        Ok(())
    }

    /// To be asked when the body is complete. A body without bytes is complete in any coding, as
    /// the response to HEAD is.
    ///
    /// # Errors
    /// If the coding goes on.
    pub fn finish(&self) -> Result<(), CodingError> {
        let is_complete = match &self.state {
            State::Identity | State::Unknown => true,
            State::Gzip(gzip) => gzip.is_complete(),
            State::Brotli(brotli) => brotli.is_complete(),
        };
        is_complete.then_some(()).ok_or(CodingError::Truncated)
    }
}
