//! How many bytes of rows the workers have handed over and the disk has not taken yet.
//!
//! A worker never waits for the disk, and no row is dropped. So if a disk falls behind for long, the load
//! stops and says so, before the rows take the machine's memory.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Four million rows: at 100,000 requests a second a disk may stand still for 40 s.
pub const MOST_BYTES: u64 = 256 << 20;

/// The rows that wait for the disk, of all workers.
#[derive(Debug)]
pub struct RowBacklog {
    most_bytes: u64,
    bytes: AtomicU64,
    is_exceeded: AtomicBool,
}

impl RowBacklog {
    /// No row waits, and so many bytes of them may.
    #[must_use]
    pub fn new(most_bytes: u64) -> Self {
        Self {
            most_bytes,
            bytes: AtomicU64::new(0),
            is_exceeded: AtomicBool::new(false),
        }
    }

    /// Rows were handed over.
    pub fn add(&self, rows: &[u8]) {
        let length = rows.len() as u64;
        let bytes = self.bytes.fetch_add(length, Ordering::Relaxed) + length;
        if bytes > self.most_bytes {
            self.is_exceeded.store(true, Ordering::Relaxed);
        }
    }

    /// The disk took as many bytes of rows.
    pub fn written(&self, length: usize) {
        self.bytes.fetch_sub(length as u64, Ordering::Relaxed);
    }

    /// Whether more waited at some time than may: the load is to stop.
    #[must_use]
    pub fn is_exceeded(&self) -> bool {
        self.is_exceeded.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_keeps_up_never_exceeds_it_and_one_that_does_not_has_for_good() {
        let backlog = RowBacklog::new(100);
        for _ in 0..1_000 {
            backlog.add(&[0; 100]);
            backlog.written(100);
        }
        assert!(!backlog.is_exceeded());
        backlog.add(&[0; 60]);
        backlog.add(&[0; 60]);
        backlog.written(120);
        assert!(backlog.is_exceeded());
    }
}
