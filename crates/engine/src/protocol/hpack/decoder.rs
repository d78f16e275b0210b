//! Decodes header blocks: RFC 7541, sections 3 and 6.

use super::dynamic_table::DynamicTable;
use super::reader::Reader;
use super::{DEFAULT_CAPACITY, ENTRY_OVERHEAD, HpackError, static_table};

/// The most that the fields of one block may come to, counted as `SETTINGS_MAX_HEADER_LIST_SIZE`
/// counts them (RFC 9113 section 6.5.2): as much as a head of HTTP/1.1 may.
pub const MAX_LIST_BYTES: usize = 65_536;

/// What the buffers of a name and of a value may each keep from block to block.
const KEPT_BYTES: usize = 1_024;

/// The decoding side of one connection. Between two blocks it holds at most 2.5 times the capacity
/// (the bytes of the dynamic table, and 24 bytes for each of its entries), and 2 KiB.
#[derive(Debug)]
pub struct Decoder {
    table: DynamicTable,
    /// What was announced to the peer: no size update may go beyond it.
    capacity: usize,
    /// Name and value of the literal that is being read, if they do not lie in the block as such.
    name: Vec<u8>,
    value: Vec<u8>,
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
    #[must_use]
    pub fn memory(&self) -> usize {
        self.table.memory() + self.name.capacity() + self.value.capacity()
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
