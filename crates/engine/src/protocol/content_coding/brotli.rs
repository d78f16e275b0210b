//! Decodes br: RFC 7932.

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use std::fmt;

use super::{CodingError, PIECE_BYTES};

/// The decoder of one body.
pub struct Brotli {
    state: BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>,
    place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Beginning,
    Inside,
    End,
}

impl Default for Brotli {
    fn default() -> Self {
        let alloc = StandardAlloc::default;
        Self {
            // Strict: no window beyond the RFC's 16 MiB, which the body alone would choose.
            state: BrotliState::new_strict(alloc(), alloc(), alloc()),
            place: Place::Beginning,
        }
    }
}

impl fmt::Debug for Brotli {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter
            .debug_struct("Brotli")
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}

impl Brotli {
    /// Decodes the next piece.
    ///
    /// # Errors
    /// If it is malformed or goes on after the end, or by `emit`.
    pub fn feed(
        &mut self,
        piece: &[u8],
        emit: &mut impl FnMut(&[u8]) -> Result<(), CodingError>,
    ) -> Result<(), CodingError> {
        if self.place == Place::End {
            return Err(CodingError::TrailingBytes);
        }
        self.place = Place::Inside;
        let mut buffer = [0; PIECE_BYTES];
        let (mut taken, mut left, mut total) = (0, piece.len(), 0);
        loop {
            let (mut written, mut free) = (0, PIECE_BYTES);
            let result = BrotliDecompressStream(
                &mut left,
                &mut taken,
                piece,
                &mut free,
                &mut written,
                &mut buffer,
                &mut total,
                &mut self.state,
            );
            emit(&buffer[..written])?;
            match result {
                BrotliResult::NeedsMoreOutput => {}
                BrotliResult::NeedsMoreInput => return Ok(()),
                BrotliResult::ResultFailure => return Err(CodingError::Malformed),
                BrotliResult::ResultSuccess => {
                    self.place = Place::End;
                    let is_all = left == 0;
                    return is_all.then_some(()).ok_or(CodingError::TrailingBytes);
                }
            }
        }
    }

    /// Whether a body may end here.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.place != Place::Inside
    }
}
