//! The rows of a feed: texts in a table, in one piece of memory that all workers share.
//!
//! A rows file is little-endian: an offset of 32 bits for each text and one for the end of the last, and
//! then the texts, row by row, without anything between them.

use std::ops::Range;
use std::sync::Arc;
use thiserror::Error;

/// As much as a feed may hold: it is in memory as a whole, and what is more should be generated.
pub const MOST_BYTES: usize = 256 << 20;

/// What takes an offset.
const OFFSET_BYTES: usize = size_of::<u32>();

/// Why a file holds no rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RowsError {
    /// Without a row or a column there is nothing to take.
    #[error("it has no rows or no columns")]
    Empty,
    /// More than a feed may hold.
    #[error("it is {0} bytes long, {MOST_BYTES} at most are possible")]
    TooLong(usize),
    /// Shorter than its own offsets.
    #[error("it is {length} bytes long, too short for {rows} rows of {columns} columns")]
    TooShort {
        /// How long it is.
        length: usize,
        /// How many rows it should have.
        rows: u64,
        /// How many columns.
        columns: u64,
    },
    /// The first text begins elsewhere, a text ends before it begins, or the last ends elsewhere.
    #[error("its text {0} does not stand where the one before ends")]
    Offset(u64),
    /// Not UTF-8, or a text begins within a character.
    #[error("its text {0} is not UTF-8")]
    NotText(u64),
}

/// The rows of one feed. A copy shares their memory.
#[derive(Clone, Debug)]
pub struct Rows {
    bytes: Arc<[u8]>,
    count: u64,
    columns: usize,
    /// Where the texts begin.
    texts_at: usize,
}

/// Where a text stands among the texts of its feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its first byte.
    pub start: u32,
    /// Its length in bytes.
    pub length: u32,
}

impl Rows {
    /// The rows in the bytes of a file.
    ///
    /// # Errors
    /// Says which text is wrong.
    pub fn new(bytes: Arc<[u8]>, rows: u64, columns: u64) -> Result<Self, RowsError> {
        let length = bytes.len();
        if length > MOST_BYTES {
            return Err(RowsError::TooLong(length));
        }
        if rows == 0 || columns == 0 {
            return Err(RowsError::Empty);
        }
        let too_short = RowsError::TooShort {
            length,
            rows,
            columns,
        };
        let cells = rows.checked_mul(columns).ok_or(too_short)?;
        let texts_at = usize::try_from(cells)
            .ok()
            .and_then(|cells| cells.checked_add(1)?.checked_mul(OFFSET_BYTES))
            .filter(|&texts_at| texts_at <= length)
            .ok_or(too_short)?;
        let columns = usize::try_from(columns).map_err(|_| too_short)?;
        check(&bytes[..texts_at], &bytes[texts_at..])?;
        Ok(Self {
            bytes,
            count: rows,
            columns,
            texts_at,
        })
    }

    /// How many rows there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How many columns each has.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The cells of a row, column by column; none beyond the last row.
    pub fn row(&self, row: u64) -> impl Iterator<Item = Cell> {
        let columns = if row < self.count { self.columns } else { 0 };
        let first = usize::try_from(row).unwrap_or_default() * columns;
        (first..first + columns).map(|cell| {
            let start = offset(&self.bytes, cell);
            let length = offset(&self.bytes, cell + 1) - start;
            Cell { start, length }
        })
    }

    /// The text of a cell of these rows, UTF-8.
    #[must_use]
    pub fn text(&self, cell: Cell) -> &[u8] {
        let start = self.texts_at + cell.start as usize;
        let range: Range<usize> = start..start + cell.length as usize;
        self.bytes.get(range).unwrap_or_default()
    }
}

fn offset(bytes: &[u8], index: usize) -> u32 {
    let at = index * OFFSET_BYTES;
    let mut offset = [0; OFFSET_BYTES];
    offset.copy_from_slice(&bytes[at..at + OFFSET_BYTES]);
    u32::from_le_bytes(offset)
}

fn check(offsets: &[u8], texts: &[u8]) -> Result<(), RowsError> {
    let valid = match str::from_utf8(texts) {
        Ok(text) => text,
        Err(error) => str::from_utf8(&texts[..error.valid_up_to()]).unwrap_or_default(),
    };
    let count = offsets.len() / OFFSET_BYTES;
    let mut before = 0;
    for index in 0..count {
        let start = offset(offsets, index) as usize;
        let is_last = index + 1 == count;
        let is_wrong = start < before || start > texts.len() || (index == 0 && start != 0);
        if is_wrong || (is_last && start != texts.len()) {
            return Err(RowsError::Offset(index as u64));
        }
        // The end of a text is the beginning of the next: what is wrong is the one before.
        if !valid.is_char_boundary(start) {
            return Err(RowsError::NotText(index.saturating_sub(1) as u64));
        }
        before = start;
    }
    Ok(())
}

/// A rows file of these texts, for tests.
#[cfg(test)]
pub fn rows_file(texts: &[&str]) -> Arc<[u8]> {
    let ends = texts.iter().scan(0, |end: &mut u32, text| {
        *end += u32::try_from(text.len()).expect("is short");
        Some(*end)
    });
    let offsets = [0].into_iter().chain(ends).flat_map(u32::to_le_bytes);
    offsets.chain(texts.concat().into_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(rows: &Rows, row: u64) -> Vec<&str> {
        let cells = rows.row(row);
        cells
            .map(|cell| str::from_utf8(rows.text(cell)).expect("is UTF-8"))
            .collect()
    }

    fn refusal(bytes: &[u8], rows: u64, columns: u64) -> RowsError {
        Rows::new(bytes.into(), rows, columns).expect_err("is refused")
    }

    fn file(offsets: &[u32], texts: &[u8]) -> Vec<u8> {
        let offsets = offsets.iter().flat_map(|offset| offset.to_le_bytes());
        offsets.chain(texts.iter().copied()).collect()
    }

    #[test]
    fn rows_are_read_by_their_number() {
        let bytes = rows_file(&["a@x", "1", "", "é€", "last", ""]);
        let rows = Rows::new(bytes, 3, 2).expect("are rows");
        assert_eq!((rows.count(), rows.columns()), (3, 2));
        assert_eq!(texts(&rows, 0), ["a@x", "1"]);
        assert_eq!(texts(&rows, 1), ["", "é€"]);
        assert_eq!(texts(&rows, 2), ["last", ""]);
        assert_eq!(rows.row(3).count(), 0);
        assert_eq!(rows.row(u64::MAX).count(), 0);
    }

    #[test]
    fn a_file_that_lies_is_refused() {
        let fine = file(&[0, 1, 3], "aé".as_bytes());
        assert!(Rows::new(fine.clone().into(), 2, 1).is_ok());
        assert!(matches!(refusal(&fine, 8, 1), RowsError::TooShort { .. }));
        assert!(matches!(
            refusal(&fine, u64::MAX, 2),
            RowsError::TooShort { .. }
        ));
        assert!(matches!(
            refusal(&fine, 1 << 61, 1),
            RowsError::TooShort { .. }
        ));
        assert!(matches!(refusal(&[], 1, 1), RowsError::TooShort { .. }));
        assert_eq!(refusal(&fine, 0, 1), RowsError::Empty);
        assert_eq!(refusal(&fine, 1, 0), RowsError::Empty);
        let of = |offsets: &[u32], texts: &[u8]| {
            refusal(&file(offsets, texts), offsets.len() as u64 - 1, 1)
        };
        assert_eq!(of(&[1, 1, 3], b"abc"), RowsError::Offset(0));
        assert_eq!(of(&[0, 2, 1, 3], b"abc"), RowsError::Offset(2));
        assert_eq!(of(&[0, 4, 3], b"abc"), RowsError::Offset(1));
        assert_eq!(of(&[0, u32::MAX, 3], b"abc"), RowsError::Offset(1));
        assert_eq!(of(&[0, 1, 2], b"abc"), RowsError::Offset(2));
        assert_eq!(of(&[0, 1, 3], b"a\xff\xff"), RowsError::NotText(1));
        assert_eq!(of(&[0, 1, 2], "é".as_bytes()), RowsError::NotText(0));
    }

    proptest! {
        #[test]
        fn any_bytes_are_refused_or_read(bytes in prop::collection::vec(0..4_u8, 0..64),
            rows in 0..6_u64, columns in 0..4_u64) {
            if let Ok(read) = Rows::new(bytes.as_slice().into(), rows, columns) {
                let texts: Vec<&str> = (0..rows).flat_map(|row| texts(&read, row)).collect();
                prop_assert_eq!(&*rows_file(&texts), &bytes[..]);
            }
        }
    }
}
