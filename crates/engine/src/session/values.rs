//! What one session has: texts of feeds, integers, and texts that were captured or put together.
//!
//! Texts of feeds stay where they are. Others are copied into one piece of memory, an arena: it begins with
//! 512 bytes, and what is no longer used in it is closed up before it grows.

use thiserror::Error;

use crate::session::decimal;
use crate::session::rows::{Cell, Rows};

/// As long as one value may be that is not of a feed.
pub const MOST_VALUE_BYTES: usize = 16 << 10;

/// As much as a session may have of them.
pub const MOST_SESSION_BYTES: usize = 64 << 10;

/// What the first of them takes at once.
const FIRST_BYTES: usize = 512;

/// What a session leaves to the next at most.
const KEPT_BYTES: usize = 4 << 10;

/// Why a value is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ValueError {
    /// It is too long.
    #[error("a value of {0} bytes is longer than {MOST_VALUE_BYTES}")]
    TooLong(usize),
    /// The session has too much already.
    #[error("the values of a session are longer than {MOST_SESSION_BYTES} bytes")]
    Full,
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// An integer.
    Integer(i64),
    /// A text, UTF-8.
    Text {
        /// Its bytes.
        bytes: &'a [u8],
        /// Whether it is a number or boolean of JSON, and stands there without quotes.
        is_bare: bool,
    },
}

impl Value<'_> {
    /// The integer that it is.
    #[must_use]
    pub fn integer(self) -> Option<i64> {
        match self {
            Self::Integer(integer) => Some(integer),
            Self::Text { bytes, .. } => decimal::parse(bytes),
        }
    }

    /// Whether it is an empty text.
    #[must_use]
    pub fn is_empty(self) -> bool {
        matches!(self, Self::Text { bytes: [], .. })
    }
}

/// Where a value is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Slot {
    #[default]
    Missing,
    Integer(i64),
    Cell {
        feed: u16,
        cell: Cell,
    },
    /// In the arena.
    Text {
        start: u32,
        length: u32,
        is_bare: bool,
    },
}

/// The values of one session, by index.
#[derive(Clone, Debug, Default)]
pub struct Values {
    slots: Vec<Slot>,
    arena: Vec<u8>,
    /// Bytes of the arena above the mark that are used.
    used: usize,
    /// Bytes of the arena that every session has: the mark.
    common: usize,
    /// The values that every session has; empty: none.
    common_slots: Vec<Slot>,
}

impl Values {
    /// So many values, all of them missing.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self {
            slots: vec![Slot::Missing; count],
            ..Self::default()
        }
    }

    /// A value; none if the session does not have it.
    #[must_use]
    pub fn get<'a>(&'a self, index: usize, feeds: &'a [Rows]) -> Option<Value<'a>> {
        match *self.slots.get(index)? {
            Slot::Missing => None,
            Slot::Integer(integer) => Some(Value::Integer(integer)),
            Slot::Cell { feed, cell } => Some(Value::Text {
                bytes: feeds.get(usize::from(feed))?.text(cell),
                is_bare: false,
            }),
            Slot::Text {
                start,
                length,
                is_bare,
            } => {
                let start = start as usize;
                let bytes = self.arena.get(start..start + length as usize)?;
                Some(Value::Text { bytes, is_bare })
            }
        }
    }

    /// Sets a value to an integer.
    pub fn set_integer(&mut self, index: usize, integer: i64) {
        self.put(index, Slot::Integer(integer));
    }

    /// Sets values to the cells of a row, one after the other; false if the feed has no such row.
    pub fn set_row(&mut self, indices: &[usize], feed: u16, rows: &Rows, row: u64) -> bool {
        for (&index, cell) in indices.iter().zip(rows.row(row)) {
            self.put(index, Slot::Cell { feed, cell });
        }
        row < rows.count()
    }

    /// Sets a value to a text, which must be UTF-8. One that is not taken is missing then.
    ///
    /// # Errors
    /// If it is too long, or the session has too much already.
    pub fn set_text(&mut self, index: usize, text: &[u8], is_bare: bool) -> Result<(), ValueError> {
        debug_assert!(str::from_utf8(text).is_ok(), "values are UTF-8");
        let before = self.slots[index];
        self.forget(index);
        if text.len() > MOST_VALUE_BYTES {
            return Err(ValueError::TooLong(text.len()));
        }
        if self.common + self.used + text.len() > MOST_SESSION_BYTES {
            return Err(ValueError::Full);
        }
        let start = match before {
            _ if text.is_empty() => 0,
            // In place of the last one, as when a step is repeated.
            Slot::Text { start, length, .. }
                if start as usize >= self.common && length as usize >= text.len() =>
            {
                let start = start as usize;
                self.arena[start..start + text.len()].copy_from_slice(text);
                start
            }
            _ => self.append(text),
        };
        self.used += text.len();
        self.slots[index] = Slot::Text {
            start: offset(start),
            length: offset(text.len()),
            is_bare,
        };
        Ok(())
    }

    /// The value is missing from now on.
    pub fn forget(&mut self, index: usize) {
        self.put(index, Slot::Missing);
    }

    /// What is there now, every further session has from its beginning.
    pub fn keep(&mut self) {
        self.close_up();
        self.common = self.arena.len();
        self.used = 0;
        self.common_slots.clone_from(&self.slots);
    }

    /// Begins with a new session: there is what was kept, and nothing else.
    pub fn begin(&mut self) {
        self.arena.truncate(self.common);
        self.arena.shrink_to(KEPT_BYTES);
        self.used = 0;
        if self.common_slots.is_empty() {
            self.slots.fill(Slot::Missing);
        } else {
            self.slots.copy_from_slice(&self.common_slots);
        }
    }

    /// Begins anew: nothing is there.
    pub fn reset(&mut self) {
        self.common = 0;
        self.common_slots.clear();
        self.begin();
    }

    fn put(&mut self, index: usize, new: Slot) {
        if let Slot::Text { start, length, .. } = self.slots[index]
            && start as usize >= self.common
        {
            self.used -= length as usize;
        }
        self.slots[index] = new;
    }

    fn append(&mut self, text: &[u8]) -> usize {
        if self.arena.len() + text.len() > self.arena.capacity() {
            self.close_up();
        }
        let needed = self.arena.len() + text.len();
        if needed > self.arena.capacity() {
            let doubled = (2 * self.arena.capacity()).max(FIRST_BYTES);
            let capacity = doubled.min(MOST_SESSION_BYTES).max(needed);
            self.arena.reserve_exact(capacity - self.arena.len());
        }
        let start = self.arena.len();
        self.arena.extend_from_slice(text);
        start
    }

    /// Closes up what is no longer used above the mark.
    fn close_up(&mut self) {
        if self.common + self.used == self.arena.len() {
            return;
        }
        let (mut from, mut to) = (self.common, self.common);
        while let Some((start, length)) = self.next_text(from, to) {
            self.arena.copy_within(start..start + length, to);
            from = start + length;
            to += length;
        }
        self.arena.truncate(to);
    }

    /// The first text from there on, which is moved to `to`.
    fn next_text(&mut self, from: usize, to: usize) -> Option<(usize, usize)> {
        let texts = self.slots.iter_mut().filter_map(|slot| match slot {
            Slot::Text { start, length, .. } if *length > 0 && *start as usize >= from => {
                Some((start, *length as usize))
            }
            _ => None,
        });
        let (start, length) = texts.min_by_key(|(start, _)| **start)?;
        let before = *start as usize;
        *start = offset(to);
        Some((before, length))
    }
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "an arena has 64 KiB at most"
)]
fn offset(offset: usize) -> u32 {
    offset as u32
}

#[cfg(test)]
mod tests;
