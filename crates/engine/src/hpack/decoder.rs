//! Decodes header blocks: RFC 7541, sections 3 and 6.

use super::dynamic_table::DynamicTable;
use super::reader::Reader;
use super::{DEFAULT_CAPACITY, ENTRY_OVERHEAD, HpackError, static_table};

/// The most that the fields of one block may come to, counted as `SETTINGS_MAX_HEADER_LIST_SIZE`
/// counts them (RFC 9113 section 6.5.2): as much as a head of HTTP/1.1 may.
pub const MAX_LIST_BYTES: usize = 65_536;

/// What each of three buffers may keep from block to block: longer blocks are not remembered, and
/// longer strings are given back.
const KEPT_BYTES: usize = 1_024;

/// The decoding side of one connection. Between two blocks it holds at most 2.5 times the capacity
/// (the bytes of the dynamic table, and 24 bytes for each of its entries), and 3 KiB.
#[derive(Debug)]
pub struct Decoder {
    table: DynamicTable,
    /// What was announced to the peer: no size update may go beyond it.
    capacity: usize,
    /// Name and value of the literal that is being read, if they do not lie in the block as such.
    name: Vec<u8>,
    value: Vec<u8>,
    last: Remembered,
}

/// A block that changed no table, and its status: the same block means the same until a table
/// changes.
#[derive(Debug, Default)]
struct Remembered {
    block: Vec<u8>,
    status: Option<u16>,
    changes: u64,
}

impl Decoder {
    /// `capacity` in bytes, as announced in `SETTINGS_HEADER_TABLE_SIZE`.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self {
            table: DynamicTable::new(capacity.min(DEFAULT_CAPACITY as usize)),
            capacity,
            name: Vec::new(),
            value: Vec::new(),
            last: Remembered::default(),
        }
    }

    /// Hands every field of a complete block to `on_field`, name and value.
    ///
    /// # Errors
    /// If the block is malformed, or its fields exceed `MAX_LIST_BYTES`; the decoder is of no
    /// further use then. Fields before the fault were handed on.
    pub fn decode(
        &mut self,
        block: &[u8],
        on_field: impl FnMut(&[u8], &[u8]),
    ) -> Result<(), HpackError> {
        let result = self.decode_fields(block, on_field);
        for buffer in [&mut self.name, &mut self.value] {
            buffer.clear();
            buffer.shrink_to(KEPT_BYTES);
        }
        result
    }

    /// Decodes a complete block for the sake of the dynamic table and returns its status. `None`:
    /// the first field is no `:status` of three digits, or there is another one; right for
    /// trailers, malformed for a response (RFC 9113 section 8.3).
    ///
    /// # Errors
    /// As `decode`.
    pub fn decode_status(&mut self, block: &[u8]) -> Result<Option<u16>, HpackError> {
        if self.last.changes == self.table.changes() && self.last.block == block {
            return Ok(self.last.status);
        }
        let changes = self.table.changes();
        let mut status = None;
        let mut fields = 0_usize;
        self.decode(block, |name, value| {
            fields += 1;
            if name == b":status" {
                status = if fields == 1 {
                    three_digits(value)
                } else {
                    None
                };
            }
        })?;
        if changes == self.table.changes() && block.len() <= KEPT_BYTES {
            self.last.block.clear();
            self.last.block.reserve_exact(block.len());
            self.last.block.extend_from_slice(block);
            self.last.status = status;
            self.last.changes = changes;
        }
        Ok(status)
    }

    /// How often the dynamic table changed: between equal counts, equal blocks mean the same.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.table.changes()
    }

    fn decode_fields(
        &mut self,
        block: &[u8],
        mut on_field: impl FnMut(&[u8], &[u8]),
    ) -> Result<(), HpackError> {
        let mut reader = Reader::new(block);
        let mut budget = MAX_LIST_BYTES;
        let mut is_beginning = true;
        while let Some(first) = reader.byte() {
            if first & 0xe0 == 0x20 {
                let size = reader.integer(first, 5)?;
                if !is_beginning || size > self.capacity {
                    return Err(HpackError::SizeUpdate);
                }
                self.table.resize(size);
                continue;
            }
            is_beginning = false;
            if first & 0x80 != 0 {
                let index = reader.integer(first, 7)?;
                let (name, value) = entry(&self.table, index)?;
                spend(&mut budget, name, value)?;
                on_field(name, value);
                continue;
            }
            let is_inserted = first & 0x40 != 0;
            let index = reader.integer(first, if is_inserted { 6 } else { 4 })?;
            let name = if index == 0 {
                reader.string(&mut self.name)?
            } else {
                // A copy, since inserting may evict the entry.
                self.name.clear();
                self.name.extend_from_slice(entry(&self.table, index)?.0);
                &self.name
            };
            let value = reader.string(&mut self.value)?;
            spend(&mut budget, name, value)?;
            on_field(name, value);
            if is_inserted {
                self.table.insert(name, value);
            }
        }
        Ok(())
    }

    /// Bytes that the decoder holds on the heap.
    #[cfg(test)]
    pub fn memory(&self) -> usize {
        self.table.memory()
            + self.name.capacity()
            + self.value.capacity()
            + self.last.block.capacity()
    }
}

/// The entry of an index over both tables, RFC 7541 section 2.3.3.
fn entry(table: &DynamicTable, index: usize) -> Result<(&[u8], &[u8]), HpackError> {
    match index.checked_sub(static_table::LENGTH + 1) {
        None => static_table::entry(index),
        Some(age) => table.get(age),
    }
    .ok_or(HpackError::Index)
}

fn spend(budget: &mut usize, name: &[u8], value: &[u8]) -> Result<(), HpackError> {
    *budget = budget
        .checked_sub(name.len() + value.len() + ENTRY_OVERHEAD)
        .ok_or(HpackError::ListTooLong)?;
    Ok(())
}

fn three_digits(value: &[u8]) -> Option<u16> {
    match *value {
        [a @ b'1'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9'] => {
            Some(u16::from(a - b'0') * 100 + u16::from(b - b'0') * 10 + u16::from(c - b'0'))
        }
        _ => None,
    }
}
