//! Memory of bytes on their way to the kernel, which must stay as it is until they are sent.
//!
//! A chunk is taken for bytes of one socket and freed by their completion, which usually comes with
//! the call that submits them: a few are enough for any number of connections.

use super::pages::Pages;

/// What one chunk holds: many requests. Longer ones are given to the kernel without a copy.
pub const CHUNK_BYTES: usize = 4096;

/// Chunks allocated at a time.
const BLOCK_CHUNKS: usize = 16;

/// What a chunk holds, and of whose.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cargo {
    /// Whose bytes.
    pub slot: usize,
    /// Of which socket of the slot.
    pub generation: u32,
    /// How many.
    pub length: usize,
}

/// All chunks of a loop.
#[derive(Default)]
pub struct Chunks {
    blocks: Vec<Pages>,
    cargo: Vec<Cargo>,
    /// Used last, taken first: its memory is in the cache.
    free: Vec<u32>,
}

impl Chunks {
    /// Takes a chunk for a socket's bytes.
    #[allow(clippy::cast_possible_truncation, reason = "2^32 chunks are 16 TiB")]
    pub fn take(&mut self, slot: usize, generation: u32) -> u32 {
        if self.free.is_empty() {
            let first = self.cargo.len() as u32;
            self.blocks.push(Pages::new(BLOCK_CHUNKS * CHUNK_BYTES));
            self.cargo
                .resize(self.cargo.len() + BLOCK_CHUNKS, Cargo::default());
            self.free.extend((first..self.cargo.len() as u32).rev());
        }
        let chunk = self.free.pop().unwrap_or_default();
        self.cargo[chunk as usize] = Cargo {
            slot,
            generation,
            length: 0,
        };
        chunk
    }

    /// Adds bytes to a chunk that the kernel does not have yet, if there is room for all of them.
    pub fn append(&mut self, chunk: u32, bytes: &[u8]) -> bool {
        let start = self.address(chunk);
        let cargo = &mut self.cargo[chunk as usize];
        if bytes.len() > CHUNK_BYTES - cargo.length {
            return false;
        }
        // SAFETY: the room was checked; nobody else has a reference to the memory.
        let room = unsafe { std::slice::from_raw_parts_mut(start.add(cargo.length), bytes.len()) };
        room.copy_from_slice(bytes);
        cargo.length += bytes.len();
        true
    }

    /// What is in a chunk.
    pub fn cargo(&self, chunk: u32) -> Cargo {
        self.cargo[chunk as usize]
    }

    /// Where a chunk lies.
    pub fn address(&self, chunk: u32) -> *mut u8 {
        let chunk = chunk as usize;
        self.blocks[chunk / BLOCK_CHUNKS].at(chunk % BLOCK_CHUNKS * CHUNK_BYTES)
    }

    /// Gives a chunk back that the kernel is done with.
    pub fn free(&mut self, chunk: u32) {
        self.free.push(chunk);
    }
}
