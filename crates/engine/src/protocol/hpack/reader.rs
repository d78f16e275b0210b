//! Reads a header block from its beginning to its end.

use super::decoder::MAX_LIST_BYTES;
use super::{HpackError, huffman, integer};

/// What is left of a block.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Begins with a block.
    #[must_use]
    pub fn new(block: &'a [u8]) -> Self {
        Self { rest: block }
    }

    /// The next byte, if the block does not end here.
    pub fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    /// The integer whose first byte was read.
    ///
    /// # Errors
    /// If it does not end, or is too large.
    pub fn integer(&mut self, first: u8, prefix_bits: u32) -> Result<usize, HpackError> {
        let (value, rest) = integer::decode(first, prefix_bits, self.rest)?;
        self.rest = rest;
        Ok(value)
    }

    /// The next string literal, RFC 7541 section 5.2; `decoded` is where a Huffman-coded one is
    /// written to, its former content is lost.
    ///
    /// # Errors
    /// If it does not end, is too long, or its coding is malformed.
    pub fn string<'b>(&mut self, decoded: &'b mut Vec<u8>) -> Result<&'b [u8], HpackError>
    where
        'a: 'b,
    {
        let first = self.byte().ok_or(HpackError::Truncated)?;
        let length = self.integer(first, 7)?;
        let (text, rest) = self
            .rest
            .split_at_checked(length)
            .ok_or(HpackError::Truncated)?;
        self.rest = rest;
        if length > MAX_LIST_BYTES {
            return Err(HpackError::ListTooLong);
        }
        if first & 0x80 == 0 {
            return Ok(text);
        }
        decoded.clear();
        huffman::decode(text, decoded)?;
        Ok(decoded)
    }
}
