//! Turns header blocks into heads. A server's responses to the same request mostly have the same
//! block, byte for byte, so the last head is remembered, and an equal block is not decoded again.

use super::header_rules::{Field, ResponseHead};
use super::settings::HEADER_TABLE_BYTES;
use crate::protocol::hpack::HpackError;
use crate::protocol::hpack::decoder::Decoder;

/// Longer blocks are not remembered: the memory is per connection.
const REMEMBERED_BYTES: usize = 1_024;

/// The reading side of one connection's header compression.
#[derive(Debug)]
pub struct HeaderBlockReader {
    decoder: Decoder,
    last: Remembered,
}

/// A block that broke no rule and did not change the decoder's table: it means the same until the
/// table changes.
#[derive(Debug, Default)]
struct Remembered {
    block: Vec<u8>,
    head: ResponseHead,
    changes: u64,
}

impl Default for HeaderBlockReader {
    fn default() -> Self {
        Self {
            decoder: Decoder::new(HEADER_TABLE_BYTES as usize),
            last: Remembered::default(),
        }
    }
}

impl HeaderBlockReader {
    /// The head of a block, if it is the last one again.
    #[must_use]
    pub fn recall(&self, block: &[u8]) -> Option<ResponseHead> {
        let is_same = !block.is_empty()
            && self.last.changes == self.decoder.changes()
            && self.last.block == block;
        is_same.then_some(self.last.head)
    }

    /// Reads a response's head and hands every field on, with what it is.
    ///
    /// # Errors
    /// If the block cannot be decoded; the connection cannot go on.
    pub fn head(
        &mut self,
        block: &[u8],
        mut on_field: impl FnMut(Field, &[u8], &[u8]),
    ) -> Result<ResponseHead, HpackError> {
        let mut head = ResponseHead::default();
        let changes = self.decoder.changes();
        self.decoder.decode(block, |name, value| {
            on_field(head.field(name, value), name, value);
        })?;
        let is_right = head.fault.is_none() && head.status != 0;
        if is_right && changes == self.decoder.changes() && block.len() <= REMEMBERED_BYTES {
            self.last.block.clear();
            self.last.block.extend_from_slice(block);
            self.last.head = head;
            self.last.changes = changes;
        }
        Ok(head)
    }

    /// Reads trailers, which only have to obey the rules.
    ///
    /// # Errors
    /// As `head`.
    pub fn trailers(&mut self, block: &[u8]) -> Result<ResponseHead, HpackError> {
        let mut trailers = ResponseHead::trailers();
        self.decoder.decode(block, |name, value| {
            trailers.field(name, value);
        })?;
        Ok(trailers)
    }

    /// Reads what nobody waits for, so that the table stays right.
    ///
    /// # Errors
    /// As `head`.
    pub fn skip(&mut self, block: &[u8]) -> Result<(), HpackError> {
        self.decoder.decode(block, |_, _| {})
    }
}
