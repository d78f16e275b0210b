//! Decodes gzip: RFC 1952, members one after the other. The checksum of a header is not checked.

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::{CodingError, PIECE_BYTES};

const FIXED_HEADER_BYTES: usize = 10;
const MAGIC_AND_METHOD: [u8; 3] = [0x1f, 0x8b, 8];
const HAS_HEADER_CHECKSUM: u8 = 0x02;
const HAS_EXTRA: u8 = 0x04;
const HAS_NAME: u8 = 0x08;
const HAS_COMMENT: u8 = 0x10;
/// Must be 0, section 2.3.1.2.
const RESERVED: u8 = 0xe0;
const TRAILER_BYTES: usize = 8;

/// The decoder of one body at a time.
#[derive(Debug)]
pub struct Gzip {
    place: Place,
    /// Flags of the parts of this member's header that were not yet read.
    flags: u8,
    /// The beginning of a part of fixed length that came in pieces.
    held: [u8; FIXED_HEADER_BYTES],
    held_length: usize,
    inflate: Decompress,
    checksum: Crc,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Before the first byte.
    Beginning,
    FixedHeader,
    ExtraLength,
    /// So many bytes of the extra field, or of the header's checksum, are to be skipped.
    Skip(usize),
    /// In the name or the comment, which end with a 0.
    Text,
    Data,
    Trailer,
    /// After a member; another one may follow.
    End,
}

impl Default for Gzip {
    fn default() -> Self {
        Self {
            place: Place::Beginning,
            flags: 0,
            held: [0; FIXED_HEADER_BYTES],
            held_length: 0,
            inflate: Decompress::new(false),
            checksum: Crc::new(),
        }
    }
}

impl Gzip {
    /// Begins with a new body.
    pub fn reset(&mut self) {
        self.place = Place::Beginning;
        self.held_length = 0;
    }

    /// Decodes the next piece.
    ///
    /// # Errors
    /// If it is malformed, or by `emit`.
    pub fn feed(
        &mut self,
        mut piece: &[u8],
        emit: &mut impl FnMut(&[u8]) -> Result<(), CodingError>,
    ) -> Result<(), CodingError> {
        while !piece.is_empty() {
            match self.place {
                Place::Beginning | Place::End => self.place = Place::FixedHeader,
                Place::FixedHeader => self.fixed_header(&mut piece)?,
                Place::ExtraLength => {
                    if let Some([low, high]) = self.gather(&mut piece) {
                        self.place = Place::Skip(usize::from(u16::from_le_bytes([low, high])));
                    }
                }
                Place::Skip(left) => {
                    let skipped = left.min(piece.len());
                    piece = &piece[skipped..];
                    if skipped == left {
                        self.next_header_part();
                    } else {
                        self.place = Place::Skip(left - skipped);
                    }
                }
                Place::Text => match memchr::memchr(0, piece) {
                    Some(end) => {
                        piece = &piece[end + 1..];
                        self.next_header_part();
                    }
                    None => return Ok(()),
                },
                Place::Data => self.data(&mut piece, emit)?,
                Place::Trailer => self.trailer(&mut piece)?,
            }
        }
        Ok(())
    }

    /// Whether a body may end here.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        matches!(self.place, Place::Beginning | Place::End)
    }

    fn fixed_header(&mut self, piece: &mut &[u8]) -> Result<(), CodingError> {
        let Some(header) = self.gather::<FIXED_HEADER_BYTES>(piece) else {
            return Ok(());
        };
        self.flags = header[3];
        if header[..3] != MAGIC_AND_METHOD || self.flags & RESERVED != 0 {
            return Err(CodingError::Malformed);
        }
        self.next_header_part();
        Ok(())
    }

    /// Goes to the next part that the flags tell of: section 2.3 has their order.
    fn next_header_part(&mut self) {
        let mut has = |flag: u8| {
            let is_set = self.flags & flag != 0;
            self.flags &= !flag;
            is_set
        };
        self.place = if has(HAS_EXTRA) {
            Place::ExtraLength
        } else if has(HAS_NAME) || has(HAS_COMMENT) {
            Place::Text
        } else if has(HAS_HEADER_CHECKSUM) {
            Place::Skip(2)
        } else {
            self.inflate.reset(false);
            self.checksum.reset();
            Place::Data
        };
    }

    fn data(
        &mut self,
        piece: &mut &[u8],
        emit: &mut impl FnMut(&[u8]) -> Result<(), CodingError>,
    ) -> Result<(), CodingError> {
        let mut buffer = [0; PIECE_BYTES];
        loop {
            let before = (self.inflate.total_in(), self.inflate.total_out());
            let status = self
                .inflate
                .decompress(piece, &mut buffer, FlushDecompress::None)
                .map_err(|_| CodingError::Malformed)?;
            let taken = difference(before.0, self.inflate.total_in());
            let written = difference(before.1, self.inflate.total_out());
            *piece = &piece[taken..];
            self.checksum.update(&buffer[..written]);
            emit(&buffer[..written])?;
            if status == Status::StreamEnd {
                self.place = Place::Trailer;
                return Ok(());
            }
            // A full buffer may have left something behind.
            if written < PIECE_BYTES {
                if piece.is_empty() {
                    return Ok(());
                }
                if taken == 0 && written == 0 {
                    return Err(CodingError::Malformed);
                }
            }
        }
    }

    fn trailer(&mut self, piece: &mut &[u8]) -> Result<(), CodingError> {
        let Some(trailer) = self.gather::<TRAILER_BYTES>(piece) else {
            return Ok(());
        };
        // Checksum and length modulo 2^32, both with the lowest byte first.
        let expected = u64::from(self.checksum.amount()) << 32 | u64::from(self.checksum.sum());
        if u64::from_le_bytes(trailer) != expected {
            return Err(CodingError::Checksum);
        }
        self.place = Place::End;
        Ok(())
    }

    /// The next bytes, once all of them came.
    fn gather<const LENGTH: usize>(&mut self, piece: &mut &[u8]) -> Option<[u8; LENGTH]> {
        let taken = (LENGTH - self.held_length).min(piece.len());
        let (now, later) = piece.split_at(taken);
        self.held[self.held_length..self.held_length + taken].copy_from_slice(now);
        self.held_length += taken;
        *piece = later;
        if self.held_length < LENGTH {
            return None;
        }
        self.held_length = 0;
        self.held.first_chunk().copied()
    }
}

/// Of two totals, between which no more than a piece lies.
fn difference(before: u64, after: u64) -> usize {
    usize::try_from(after - before).unwrap_or_default()
}
