//! The event loop over `io_uring`: one call to the kernel submits and completes many operations.
//!
//! Bytes are received into shared buffers as they arrive, without asking for each; small writes are
//! gathered and submitted a few at a time. Long ones, in either direction, go by plain calls, where
//! copying costs more than the call. That is in order, since with deferred task work the kernel
//! receives only while this thread is inside `submit` or `wait`, and all that came by them is taken
//! up before the next plain call.
//!
//! Needs Linux 6.1. Left out, since they gained nothing measurable on loopback: registered files and
//! ring descriptors, zero-copy sending, polling threads.
#![allow(
    unsafe_code,
    reason = "the rings are memory shared with the kernel; it is reached only through `ring`, `buffers`, `chunks` and `pages`"
)]

mod buffers;
mod chunks;
mod pages;
mod probe;
mod ring;
mod slot;
mod tag;
mod unavailable;

use rustix::fd::{AsRawFd, OwnedFd};
use rustix::io::Errno;
use rustix::net::sockopt::{set_tcp_nodelay, socket_error};
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType};
use rustix::net::{recv, send, socket_with};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Arc;

use crate::clock::Clock;
use crate::event_loop::{Connecting, Event, EventLoop, Received};
use buffers::{BUFFER_BYTES, Filled};
use chunks::{CHUNK_BYTES, Cargo};
use ring::{Completion, Ring};
use slot::{End, Outgoing, Slot};
use tag::{Operation, Tag};
pub use unavailable::Unavailable;

/// Writes gathered before they are submitted. More save little, and each makes the first ones wait,
/// by about 2 µs on loopback, after they were stamped as written.
const GATHERED: usize = 4;

/// Larger than any socket buffer returns at once on loopback with usual responses.
const RECEIVE_BUFFER_BYTES: usize = 65_536;

/// `io_uring`, and the sockets of one worker. Belongs to the thread that made it.
pub struct UringLoop {
    ring: Ring,
    waker: Arc<OwnedFd>,
    address: SocketAddr,
    clock: Clock,
    slots: Vec<Slot>,
    /// Slots that have something to tell.
    signalled: VecDeque<usize>,
    /// Chunks that are still to be given to the kernel.
    gathered: Vec<u32>,
    lent: Option<Filled>,
    buffer: Vec<u8>,
}

impl UringLoop {
    /// A loop for `slots` sockets, all to `address`; a write to `waker` ends a wait.
    ///
    /// # Errors
    /// If the kernel gives no `io_uring`, or one that lacks what the loop needs.
    pub fn new(
        address: SocketAddr,
        slots: usize,
        clock: Clock,
        waker: Arc<OwnedFd>,
    ) -> Result<Self, Unavailable> {
        let mut ring = Ring::new(address, slots)?;
        probe::receives(&mut ring)?;
        ring.watch_waker(waker.as_raw_fd());
        Ok(Self {
            ring,
            waker,
            address,
            clock,
            slots: (0..slots).map(|_| Slot::default()).collect(),
            signalled: VecDeque::new(),
            gathered: Vec::with_capacity(GATHERED),
            lent: None,
            buffer: vec![0; RECEIVE_BUFFER_BYTES],
        })
    }

    fn signal(&mut self, slot: usize) {
        let signals = &mut self.slots[slot].signals;
        if !signals.queued {
            signals.queued = true;
            self.signalled.push_back(slot);
        }
    }

    /// Takes up what has completed. Bytes are stamped once, by the first: they were there then.
    fn take_up(&mut self) {
        let mut at_ns = None;
        while let Some(completion) = self.ring.next_completion() {
            let Tag { which, slot, .. } = completion.tag;
            match completion.tag.operation {
                Operation::Wake => self.on_wake(completion.more),
                Operation::Send => self.on_sent(which, completion.result),
                Operation::Receive => {
                    let at_ns = *at_ns.get_or_insert_with(|| self.clock.now_ns());
                    self.on_received(&completion, at_ns);
                }
                Operation::Connect if self.slots[slot].is_current(which) => {
                    self.on_connected(slot, completion.result);
                }
                Operation::Writable if self.slots[slot].is_current(which) => {
                    self.slots[slot].pending.writable = false;
                    self.slots[slot].signals.writable = true;
                    self.signal(slot);
                }
                Operation::Unattended | Operation::Connect | Operation::Writable => {}
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
        state.pending.connect = false;
        state.connected = result.err();
        state.signals.writable = true;
        self.signal(slot);
        if result.is_ok() {
            self.receive_on(slot);
        }
    }

    fn receive_on(&mut self, slot: usize) {
        let state = &mut self.slots[slot];
        let tag = state.tag(slot, Operation::Receive);
        if let Some(socket) = &state.socket {
            state.pending.receive = true;
            self.ring.receive(socket.as_raw_fd(), tag);
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
            // A full buffer may not have been all.
            Ok(length) => {
                state.has_more = length == BUFFER_BYTES;
                state.has_sent = false;
            }
            Err(Errno::NOBUFS) => state.has_more = true,
            Err(errno) => state.end = Some(End::Failed(errno)),
        }
        state.signals.readable = true;
        let goes_on = completion.more;
        state.pending.receive = goes_on;
        if !goes_on && state.end.is_none() {
            self.receive_on(slot);
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

    /// Hands gathered bytes to the submission ring.
    fn submit_gathered(&mut self) {
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
        let tag = state.tag(slot, Operation::Writable);
        let socket = state.socket.as_ref().ok_or(Errno::BADF)?;
        let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
        match send(socket, bytes, flags) {
            Err(Errno::AGAIN) => {
                if !state.pending.writable {
                    state.pending.writable = true;
                    self.ring.watch_writable(socket.as_raw_fd(), tag);
                }
                Ok(0)
            }
            result => result,
        }
    }

    fn give_back_lent(&mut self) {
        if let Some(buffer) = self.lent.take() {
            self.ring.buffers().give_back(buffer);
        }
    }

    fn open(&self) -> Result<OwnedFd, Errno> {
        let family = if self.address.is_ipv4() {
            AddressFamily::INET
        } else {
            AddressFamily::INET6
        };
        let socket = socket_with(family, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
        set_tcp_nodelay(&socket, true)?;
        Ok(socket)
    }
}

/// Why a socket failed.
fn failure(socket: &OwnedFd) -> Errno {
    match socket_error(socket) {
        Ok(Err(errno)) | Err(errno) => errno,
        Ok(Ok(())) => Errno::PIPE,
    }
}

impl EventLoop for UringLoop {
    fn name(&self) -> &'static str {
        "io_uring"
    }

    fn now_ns(&self) -> u64 {
        self.clock.now_ns()
    }

    fn wait(&mut self, deadline_ns: u64) -> Result<(), Errno> {
        self.give_back_lent();
        self.submit_gathered();
        let timeout_ns = if self.signalled.is_empty() {
            deadline_ns.saturating_sub(self.now_ns())
        } else {
            0
        };
        self.ring.wait(timeout_ns)?;
        self.take_up();
        Ok(())
    }

    fn next_event(&mut self) -> Option<Event> {
        while let Some(slot) = self.signalled.pop_front() {
            let state = &mut self.slots[slot];
            let signals = std::mem::take(&mut state.signals);
            if signals.readable || signals.writable {
                return Some(Event {
                    slot,
                    readable: signals.readable,
                    writable: signals.writable,
                    hung_up: state.is_hung_up(),
                });
            }
        }
        None
    }

    fn connect(&mut self, slot: usize) -> Result<Connecting, Errno> {
        let socket = self.open()?;
        let number = socket.as_raw_fd();
        let state = &mut self.slots[slot];
        state.reset(Some(socket));
        state.pending.connect = true;
        let tag = state.tag(slot, Operation::Connect);
        self.ring.connect(number, tag);
        Ok(Connecting::Pending)
    }

    fn connected(&mut self, slot: usize) -> Result<(), Errno> {
        self.slots[slot].connected.map_or(Ok(()), Err)
    }

    fn send(&mut self, slot: usize, bytes: &[u8]) -> Result<usize, Errno> {
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

    fn has_unsent(&self, slot: usize) -> bool {
        self.slots[slot].outgoing != Outgoing::Nothing
    }

    fn receive(&mut self, slot: usize) -> Result<Received<'_>, Errno> {
        self.give_back_lent();
        let state = &mut self.slots[slot];
        let socket = state.socket.as_ref().ok_or(Errno::BADF)?;
        if let Some(buffer) = self.ring.buffers().take(&mut state.received) {
            let more = state.has_more || !state.received.is_empty();
            let has_sent = state.has_sent;
            let buffer = self.lent.insert(buffer);
            let (bytes, at_ns) = self.ring.buffers().bytes(buffer);
            // What arrived before a write must not seem to answer it in no time.
            let at_ns = if has_sent { self.clock.now_ns() } else { at_ns };
            return Ok(Received::Bytes { bytes, more, at_ns });
        }
        if let Outgoing::Refused(errno) = state.outgoing {
            return Err(errno);
        }
        match state.end {
            Some(End::Closed) => return Ok(Received::Closed),
            Some(End::Failed(errno)) => return Err(errno),
            None => {}
        }
        if !std::mem::take(&mut state.has_more) || self.ring.is_overflown() {
            return Ok(Received::Nothing);
        }
        match recv(socket, self.buffer.as_mut_slice(), RecvFlags::DONTWAIT) {
            Ok((0, _)) => {
                state.end = Some(End::Closed);
                Ok(Received::Closed)
            }
            Ok((count, _)) => {
                state.has_more = count == self.buffer.len();
                Ok(Received::Bytes {
                    bytes: &self.buffer[..count],
                    more: state.has_more,
                    at_ns: self.clock.now_ns(),
                })
            }
            Err(Errno::AGAIN) => Ok(Received::Nothing),
            Err(errno) => {
                state.end = Some(End::Failed(errno));
                Err(errno)
            }
        }
    }

    fn close(&mut self, slot: usize) {
        if matches!(self.slots[slot].outgoing, Outgoing::Gathered(_)) {
            self.submit_gathered();
        }
        let state = &mut self.slots[slot];
        let Some(socket) = state.socket.take() else {
            return;
        };
        while let Some(buffer) = self.ring.buffers().take(&mut state.received) {
            self.ring.buffers().give_back(buffer);
        }
        if let Outgoing::Submitted { chunk, .. } = state.outgoing {
            self.ring.cancel(Tag {
                operation: Operation::Send,
                which: chunk,
                slot,
            });
        }
        let pending = [
            (state.pending.connect, Operation::Connect),
            (state.pending.receive, Operation::Receive),
            (state.pending.writable, Operation::Writable),
        ];
        for (_, operation) in pending.into_iter().filter(|&(is_pending, _)| is_pending) {
            self.ring.cancel(state.tag(slot, operation));
        }
        self.ring.close(socket);
        state.reset(None);
    }
}

impl Drop for UringLoop {
    fn drop(&mut self) {
        for slot in 0..self.slots.len() {
            self.close(slot);
        }
    }
}
