//! What the loop makes of completions.

use rustix::event::PollFlags;
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::io::Errno;
use rustix::net::sockopt::socket_error;

use super::UringLoop;
use super::buffers::BUFFER_BYTES;
use super::chunks::Cargo;
use super::operation_tag::{KernelOperation, OperationTag};
use super::ring::Completion;
use super::slot::{End, Incoming, Outgoing};

impl UringLoop {
    fn signal(&mut self, slot: usize) {
        let signals = &mut self.slots[slot].signals;
        if !signals.queued {
            signals.queued = true;
            self.signalled.push_back(slot);
        }
    }

    /// Takes up what has completed. Bytes are stamped once, by the first: they were there then.
    pub(super) fn take_up(&mut self) {
        let mut at_ns = None;
        while let Some(completion) = self.ring.next_completion() {
            let OperationTag { which, slot, .. } = completion.tag;
            match completion.tag.operation {
                KernelOperation::Wake => self.on_wake(completion.more),
                KernelOperation::Send => self.on_sent(which, completion.result),
                KernelOperation::Receive => {
                    let at_ns = *at_ns.get_or_insert_with(|| self.clock.now_ns());
                    self.on_received(&completion, at_ns);
                }
                KernelOperation::Connect if self.slots[slot].is_current(which) => {
                    self.on_connected(slot, completion.result);
                }
                KernelOperation::Readable if self.slots[slot].is_current(which) => {
                    self.on_readable(&completion);
                }
                KernelOperation::Writable if self.slots[slot].is_current(which) => {
                    self.slots[slot].awaits_writable = false;
                    self.slots[slot].signals.writable = true;
                    self.signal(slot);
                }
                // Of nobody, or of a socket that is closed.
                KernelOperation::Unattended
                | KernelOperation::Connect
                | KernelOperation::Readable
                | KernelOperation::Writable => {}
            }
        }
    }

    fn on_wake(&mut self, goes_on: bool) {
        let _ = rustix::io::read(&self.waker, &mut [0; 8]);
        if !goes_on {
            self.ring.watch_waker(self.waker.as_raw_fd());
        }
    }

    fn on_connected(&mut self, slot: usize, result: Result<usize, Errno>) {
        let state = &mut self.slots[slot];
        state.pending = None;
        state.connected = result.err();
        state.signals.writable = true;
        self.signal(slot);
        if result.is_ok() {
            self.receive_on(slot);
        }
    }

    fn receive_on(&mut self, slot: usize) {
        let state = &mut self.slots[slot];
        let Some(socket) = &state.socket else { return };
        let socket = socket.as_raw_fd();
        if state.incoming == Incoming::Buffered {
            state.pending = Some(KernelOperation::Receive);
            let tag = state.tag(slot, KernelOperation::Receive);
            self.ring.receive(socket, tag);
        } else {
            state.pending = Some(KernelOperation::Readable);
            let tag = state.tag(slot, KernelOperation::Readable);
            self.ring.watch_readable(socket, tag);
        }
    }

    fn on_received(&mut self, completion: &Completion, at_ns: u64) {
        let slot = completion.tag.slot;
        let length = completion.result.unwrap_or_default();
        let buffer = completion
            .buffer
            .map(|index| self.ring.buffers().filled(index, length, at_ns));
        let state = &mut self.slots[slot];
        let is_current = state.is_current(completion.tag.which);
        if let Some(buffer) = buffer {
            if is_current && length > 0 {
                self.ring.buffers().append(&mut state.received, &buffer);
            } else {
                self.ring.buffers().give_back(buffer);
            }
        }
        if !is_current {
            return;
        }
        match completion.result {
            Ok(0) => state.end = Some(End::Closed),
            Ok(length) => {
                state.has_sent = false;
                // A full buffer was not all, and much may follow: copying it to buffers that are
                // not in the cache would cost more than calls do.
                state.has_more = length == BUFFER_BYTES;
                if state.has_more && state.incoming == Incoming::Buffered {
                    state.incoming = Incoming::Called { hung_up: false };
                    if completion.more {
                        self.ring.cancel(state.tag(slot, KernelOperation::Receive));
                    }
                }
            }
            // There was no buffer.
            Err(Errno::NOBUFS) => state.has_more = true,
            // It is watched from now on.
            Err(Errno::CANCELED) => {}
            Err(errno) => state.end = Some(End::Failed(errno)),
        }
        let goes_on = completion.more || state.end.is_some();
        state.signals.readable = true;
        if !completion.more {
            state.pending = None;
        }
        if !goes_on {
            self.receive_on(slot);
        }
        self.signal(slot);
    }

    fn on_readable(&mut self, completion: &Completion) {
        let slot = completion.tag.slot;
        let state = &mut self.slots[slot];
        let last = usize::from((PollFlags::RDHUP | PollFlags::HUP | PollFlags::ERR).bits());
        let hung_up = completion.result.map_or(true, |flags| flags & last != 0);
        state.has_more = true;
        state.incoming = Incoming::Called { hung_up };
        state.signals.readable = true;
        if !completion.more {
            state.pending = None;
            if !hung_up {
                self.receive_on(slot);
            }
        }
        self.signal(slot);
    }

    fn on_sent(&mut self, chunk: u32, result: Result<usize, Errno>) {
        let Cargo {
            slot,
            generation,
            length,
        } = self.ring.chunks().cargo(chunk);
        self.ring.chunks().free(chunk);
        let state = &mut self.slots[slot];
        if !state.is_current(generation) {
            return;
        }
        let Outgoing::Submitted { awaited, .. } = state.outgoing else {
            return;
        };
        let refused = match result {
            Ok(sent) if sent == length => None,
            // Some were sent before the socket failed, and it keeps the reason.
            Ok(_) => Some(state.socket.as_ref().map_or(Errno::BADF, failure)),
            Err(errno) => Some(errno),
        };
        state.outgoing = refused.map_or(Outgoing::Nothing, Outgoing::Refused);
        if awaited || refused.is_some() {
            state.signals.writable = true;
            state.signals.readable |= refused.is_some();
            self.signal(slot);
        }
    }
}

/// Why a socket failed.
fn failure(socket: &OwnedFd) -> Errno {
    match socket_error(socket) {
        Ok(Err(errno)) | Err(errno) => errno,
        Ok(Ok(())) => Errno::PIPE,
    }
}
