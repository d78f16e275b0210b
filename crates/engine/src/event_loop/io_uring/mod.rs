//! The event loop over `io_uring`: one call to the kernel submits and completes many operations.
//!
//! Bytes are received into shared buffers as they arrive, without asking for each; small writes are
//! gathered and submitted a few at a time. Long ones, in either direction, go by plain calls, where
//! copying costs more than the call. That is in order, since with deferred task work the kernel
//! receives only while this thread is inside `submit` or `wait`, and all that came by them is taken
//! up before the next plain call.
//!
//! Needs Linux 6.1. Left out: registered files and ring descriptors, which gained nothing measurable;
//! zero-copy sending, since requests are small; polling threads, since they would need a CPU more.
#![allow(
    unsafe_code,
    reason = "the rings are memory shared with the kernel; it is reached only through `ring`, `buffers`, `chunks` and `pages`"
)]

mod buffers;
mod chunks;
mod completions;
mod operation_tag;
mod pages;
mod probe;
mod ring;
mod slot;
mod unavailable;
mod writing;

use rustix::fd::{AsRawFd, OwnedFd};
use rustix::io::Errno;
use rustix::net::sockopt::set_tcp_nodelay;
use rustix::net::{AddressFamily, RecvFlags, SocketFlags, SocketType, recv, socket_with};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Arc;

use crate::event_loop::{Connecting, Ends, EventLoop, Received, SocketEvent};
use crate::host::load_clock::LoadClock;
use buffers::Filled;
use operation_tag::{KernelOperation, OperationTag};
use ring::Ring;
use slot::{End, Outgoing, Slot};
pub use unavailable::Unavailable;
use writing::GATHERED;

/// Larger than any socket buffer returns at once on loopback with usual responses.
const RECEIVE_BUFFER_BYTES: usize = 65_536;

/// How long the kernel may take to cancel an operation before it is asked in another way.
const LAST_WAIT_NS: u64 = 100_000_000;

/// `io_uring`, and the sockets of one worker. Belongs to the thread that made it.
pub struct UringLoop {
    ring: Ring,
    waker: Arc<OwnedFd>,
    address: SocketAddr,
    clock: LoadClock,
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
        clock: LoadClock,
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

    /// From now on times are by this clock.
    pub fn begin(&mut self, clock: LoadClock) {
        self.clock = clock;
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
        let now_ns = self.now_ns();
        let until_ns = if self.signalled.is_empty() {
            deadline_ns
        } else {
            now_ns
        };
        self.ring.wait_until(now_ns, until_ns)?;
        self.take_up();
        Ok(())
    }

    fn next_event(&mut self) -> Option<SocketEvent> {
        while let Some(slot) = self.signalled.pop_front() {
            let state = &mut self.slots[slot];
            let signals = std::mem::take(&mut state.signals);
            if signals.readable || signals.writable {
                return Some(SocketEvent {
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
        state.pending = Some(KernelOperation::Connect);
        let tag = state.tag(slot, KernelOperation::Connect);
        self.ring.connect(number, tag);
        Ok(Connecting::Pending)
    }

    fn connected(&mut self, slot: usize) -> Result<(), Errno> {
        self.slots[slot].connected.map_or(Ok(()), Err)
    }

    fn send(&mut self, slot: usize, bytes: &[u8]) -> Result<usize, Errno> {
        self.write(slot, bytes)
    }

    fn has_unsent(&self, slot: usize) -> bool {
        self.slots[slot].outgoing != Outgoing::Nothing
    }

    fn receive(&mut self, slot: usize) -> Result<Received<'_>, Errno> {
        self.give_back_lent();
        let state = &mut self.slots[slot];
        let socket = state.socket.as_ref().ok_or(Errno::BADF)?;
        if let Some(buffer) = self.ring.buffers().take(&mut state.received) {
            let more = state.may_have_more() || !state.received.is_empty();
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
        if !state.may_have_more() || self.ring.is_overflown() {
            return Ok(Received::Nothing);
        }
        match recv(socket, self.buffer.as_mut_slice(), RecvFlags::DONTWAIT) {
            Ok((0, _)) => {
                state.end = Some(End::Closed);
                Ok(Received::Closed)
            }
            Ok((count, _)) => {
                // A short read has emptied the socket; the next arrival is told.
                state.has_more = count == self.buffer.len();
                Ok(Received::Bytes {
                    bytes: &self.buffer[..count],
                    more: state.may_have_more(),
                    at_ns: self.clock.now_ns(),
                })
            }
            Err(Errno::AGAIN) => {
                state.has_more = false;
                Ok(Received::Nothing)
            }
            Err(errno) => {
                state.end = Some(End::Failed(errno));
                Err(errno)
            }
        }
    }

    fn ends(&self, slot: usize) -> Option<Ends> {
        Ends::of(self.slots[slot].socket.as_ref()?)
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
            self.ring.cancel(OperationTag {
                operation: KernelOperation::Send,
                which: chunk,
                slot,
            });
        }
        let writable = state.awaits_writable.then_some(KernelOperation::Writable);
        for operation in state.pending.into_iter().chain(writable) {
            self.ring.cancel(state.tag(slot, operation));
        }
        self.ring.close(socket);
        state.reset(None);
    }
}

impl Drop for UringLoop {
    /// Closes all sockets and waits until the kernel has let go of them, which it does at once.
    fn drop(&mut self) {
        for slot in 0..self.slots.len() {
            self.close(slot);
        }
        self.ring.cancel(OperationTag::of(KernelOperation::Wake));
        while self.ring.active() > 0 {
            if self.ring.wait(LAST_WAIT_NS).is_err() || self.ring.next_completion().is_none() {
                return;
            }
            while self.ring.next_completion().is_some() {}
        }
    }
}
