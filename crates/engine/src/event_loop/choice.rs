//! Chooses the event loop, once at the start of a worker; the choice is recorded.

use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::net::SocketAddr;
use std::sync::Arc;

use crate::event_loop::epoll::EpollLoop;
use crate::event_loop::io_uring::{Unavailable, UringLoop};
use crate::event_loop::{Connecting, Ends, EventLoop, Received, SocketEvent};
use crate::host::load_clock::LoadClock;
use crate::plan::EventLoopChoice;

/// Why there is no event loop.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub enum OpenError {
    /// The plan insists on `io_uring`.
    #[error("{0}; let event_loop be \"auto\" or \"epoll\"")]
    Uring(#[from] Unavailable),
    /// The kernel gives no descriptor.
    #[error("cannot open epoll: {0}")]
    Epoll(#[from] Errno),
}

/// Whichever loop was chosen: a worker does not know, and pays one predictable branch per call.
pub enum ChosenLoop {
    /// Over `io_uring`.
    Uring(Box<UringLoop>),
    /// Over `epoll`.
    Epoll(Box<EpollLoop>),
}

/// Opens the loop of a choice, on the thread that will use it: for `slots` sockets, all to
/// `address`; a write to `waker` ends a wait.
///
/// # Errors
/// If the plan insists on a loop that the kernel refuses.
pub fn open_chosen(
    choice: EventLoopChoice,
    address: SocketAddr,
    slots: usize,
    clock: LoadClock,
    waker: Arc<OwnedFd>,
) -> Result<ChosenLoop, OpenError> {
    if choice != EventLoopChoice::Epoll {
        match UringLoop::new(address, slots, clock, Arc::clone(&waker)) {
            Ok(events) => return Ok(ChosenLoop::Uring(Box::new(events))),
            Err(unavailable) if choice == EventLoopChoice::IoUring => {
                return Err(unavailable.into());
            }
            Err(_) => {}
        }
    }
    let events = EpollLoop::new(address, slots, clock, waker)?;
    Ok(ChosenLoop::Epoll(Box::new(events)))
}

macro_rules! on_either {
    ($any:expr, $events:ident => $call:expr) => {
        match $any {
            ChosenLoop::Uring($events) => $call,
            ChosenLoop::Epoll($events) => $call,
        }
    };
}

impl ChosenLoop {
    /// From now on times are by this clock.
    pub fn begin(&mut self, clock: LoadClock) {
        on_either!(self, events => events.begin(clock));
    }
}

impl EventLoop for ChosenLoop {
    fn name(&self) -> &'static str {
        on_either!(self, events => events.name())
    }

    fn now_ns(&self) -> u64 {
        on_either!(self, events => events.now_ns())
    }

    fn wait(&mut self, deadline_ns: u64) -> Result<(), Errno> {
        on_either!(self, events => events.wait(deadline_ns))
    }

    fn next_event(&mut self) -> Option<SocketEvent> {
        on_either!(self, events => events.next_event())
    }

    fn connect(&mut self, slot: usize) -> Result<Connecting, Errno> {
        on_either!(self, events => events.connect(slot))
    }

    fn connected(&mut self, slot: usize) -> Result<(), Errno> {
        on_either!(self, events => events.connected(slot))
    }

    fn send(&mut self, slot: usize, bytes: &[u8]) -> Result<usize, Errno> {
        on_either!(self, events => events.send(slot, bytes))
    }

    fn has_unsent(&self, slot: usize) -> bool {
        on_either!(self, events => events.has_unsent(slot))
    }

    fn receive(&mut self, slot: usize) -> Result<Received<'_>, Errno> {
        on_either!(self, events => events.receive(slot))
    }

    fn ends(&self, slot: usize) -> Option<Ends> {
        on_either!(self, events => events.ends(slot))
    }

    fn close(&mut self, slot: usize) {
        on_either!(self, events => events.close(slot));
    }
}

#[cfg(test)]
mod tests;
