//! How the loop gives bytes to the kernel: gathered, or by a plain call.

use rustix::fd::AsRawFd;
use rustix::io::Errno;
use rustix::net::{SendFlags, send};

use super::UringLoop;
use super::chunks::{CHUNK_BYTES, Cargo};
use super::operation_tag::KernelOperation;
use super::slot::Outgoing;

/// Writes gathered before they are submitted. Of two, four and eight the last cost the least, and
/// each makes the first ones wait, by about 2 µs on loopback, after they were stamped as written.
pub const GATHERED: usize = 8;

impl UringLoop {
    /// Gives bytes to the kernel, or to a chunk that it gets soon, and returns how many.
    pub(super) fn write(&mut self, slot: usize, bytes: &[u8]) -> Result<usize, Errno> {
        if self.slots[slot].socket.is_none() {
            return Err(Errno::BADF);
        }
        self.slots[slot].has_sent = true;
        if let Outgoing::Gathered(chunk) = self.slots[slot].outgoing {
            if self.ring.chunks().append(chunk, bytes) {
                return Ok(bytes.len());
            }
            self.flush()?;
        }
        match &mut self.slots[slot].outgoing {
            Outgoing::Refused(errno) => Err(*errno),
            // One at a time, since a second could overtake the rest of the first.
            Outgoing::Submitted { awaited, .. } => {
                *awaited = true;
                Ok(0)
            }
            Outgoing::Nothing | Outgoing::Gathered(_) if bytes.len() <= CHUNK_BYTES => {
                self.gather(slot, bytes)
            }
            Outgoing::Nothing | Outgoing::Gathered(_) => self.send_at_once(slot, bytes),
        }
    }

    /// Hands gathered bytes to the submission ring.
    pub(super) fn submit_gathered(&mut self) {
        for chunk in self.gathered.drain(..) {
            let Cargo { slot, .. } = self.ring.chunks().cargo(chunk);
            let state = &mut self.slots[slot];
            if let Some(socket) = &state.socket {
                self.ring.send(socket.as_raw_fd(), chunk, slot);
                state.outgoing = Outgoing::Submitted {
                    chunk,
                    awaited: false,
                };
            }
        }
    }

    fn flush(&mut self) -> Result<(), Errno> {
        self.submit_gathered();
        self.ring.submit()?;
        self.take_up();
        Ok(())
    }

    fn gather(&mut self, slot: usize, bytes: &[u8]) -> Result<usize, Errno> {
        let generation = self.slots[slot].generation;
        let chunk = self.ring.chunks().take(slot, generation);
        self.ring.chunks().append(chunk, bytes);
        self.slots[slot].outgoing = Outgoing::Gathered(chunk);
        self.gathered.push(chunk);
        if self.gathered.len() >= GATHERED {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn send_at_once(&mut self, slot: usize, bytes: &[u8]) -> Result<usize, Errno> {
        let state = &mut self.slots[slot];
        let tag = state.tag(slot, KernelOperation::Writable);
        let socket = state.socket.as_ref().ok_or(Errno::BADF)?;
        let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
        match send(socket, bytes, flags) {
            Err(Errno::AGAIN) => {
                if !state.awaits_writable {
                    state.awaits_writable = true;
                    self.ring.watch_writable(socket.as_raw_fd(), tag);
                }
                Ok(0)
            }
            result => result,
        }
    }
}
