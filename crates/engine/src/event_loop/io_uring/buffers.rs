//! Buffers that the kernel fills by itself as bytes arrive, shared by all sockets of a loop.
//!
//! A buffer is with the kernel, in the chain of a socket, or lent; it goes back to the kernel when
//! its bytes were used. So memory depends on what has arrived and was not looked at yet, not on the
//! number of connections.

use io_uring::types::BufRingEntry;
use std::sync::atomic::{AtomicU16, Ordering};

use super::pages::Pages;

/// How many, a power of two. A turn of the worker takes about 20; when all are taken, bytes are
/// received without them.
pub const BUFFERS: u16 = 128;

/// Larger than usual heads and bodies; what is longer is received in larger pieces without them.
pub const BUFFER_BYTES: usize = 4096;

const NONE: u16 = u16::MAX;

/// A buffer that the kernel has filled. Not `Clone`: whoever holds it owns its bytes.
#[derive(Debug)]
pub struct Filled(u16);

/// Filled buffers of one socket, in the order in which they were filled.
#[derive(Debug)]
pub struct Chain {
    first: u16,
    last: u16,
}

impl Default for Chain {
    fn default() -> Self {
        Self {
            first: NONE,
            last: NONE,
        }
    }
}

impl Chain {
    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.first == NONE
    }
}

#[derive(Clone, Copy)]
struct Content {
    length: usize,
    at_ns: u64,
    next: u16,
}

/// The ring by which buffers are given to the kernel, and the buffers.
pub struct Buffers {
    ring: Pages,
    memory: Pages,
    tail: u16,
    contents: Vec<Content>,
}

impl Buffers {
    /// All of them, ready to be given to the kernel.
    pub fn new() -> Self {
        let count = usize::from(BUFFERS);
        let empty = Content {
            length: 0,
            at_ns: 0,
            next: NONE,
        };
        let mut buffers = Self {
            ring: Pages::new(count * size_of::<BufRingEntry>()),
            memory: Pages::new(count * BUFFER_BYTES),
            tail: 0,
            contents: vec![empty; count],
        };
        for index in 0..BUFFERS {
            buffers.give_back(Filled(index));
        }
        buffers
    }

    /// Where the ring lies, for the kernel.
    pub fn ring_address(&self) -> u64 {
        self.ring.at(0) as u64
    }

    /// The buffer with this number, as a completion names it.
    pub fn filled(&mut self, index: u16, length: usize, at_ns: u64) -> Filled {
        assert!(length <= BUFFER_BYTES, "the kernel knows the buffers' size");
        self.contents[usize::from(index)] = Content {
            length,
            at_ns,
            next: NONE,
        };
        Filled(index)
    }

    /// Puts a buffer at the end of a chain.
    pub fn append(&mut self, chain: &mut Chain, buffer: &Filled) {
        if chain.is_empty() {
            chain.first = buffer.0;
        } else {
            self.contents[usize::from(chain.last)].next = buffer.0;
        }
        chain.last = buffer.0;
    }

    /// Takes the first buffer of a chain.
    pub fn take(&self, chain: &mut Chain) -> Option<Filled> {
        if chain.is_empty() {
            return None;
        }
        let first = chain.first;
        chain.first = self.contents[usize::from(first)].next;
        Some(Filled(first))
    }

    /// What a buffer holds, and when it was known to.
    pub fn bytes(&self, buffer: &Filled) -> (&[u8], u64) {
        let content = self.contents[usize::from(buffer.0)];
        let start = self.memory.at(usize::from(buffer.0) * BUFFER_BYTES);
        // SAFETY: within the memory, initialised at least by zeros; the kernel does not write to a
        // buffer that was filled until it is given back, for which its owner must give up `buffer`.
        let bytes = unsafe { std::slice::from_raw_parts(start, content.length) };
        (bytes, content.at_ns)
    }

    /// Lets the kernel fill a buffer again.
    #[allow(
        clippy::needless_pass_by_value,
        clippy::cast_ptr_alignment,
        clippy::cast_possible_truncation,
        reason = "its owner must not have it any more; the ring begins on a page; a buffer is small"
    )]
    pub fn give_back(&mut self, buffer: Filled) {
        let Filled(index) = buffer;
        let position = usize::from(self.tail & (BUFFERS - 1));
        let address = self.memory.at(usize::from(index) * BUFFER_BYTES) as u64;
        let entries = self.ring.at(0).cast::<BufRingEntry>();
        // SAFETY: the position is within the ring, entries are plain integers, and the kernel does
        // not look at those beyond the tail.
        let entry = unsafe { &mut *entries.add(position) };
        entry.set_addr(address);
        entry.set_len(BUFFER_BYTES as u32);
        entry.set_bid(index);
        self.tail = self.tail.wrapping_add(1);
        // SAFETY: the ring begins with an entry, whose spare field is the ring's tail; it is only
        // read by the kernel, and only written here.
        let tail = unsafe { &*BufRingEntry::tail(entries).cast::<AtomicU16>() };
        tail.store(self.tail, Ordering::Release);
    }
}
