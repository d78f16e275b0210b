//! The edge between a worker and the kernel: sockets by slot, and waiting for them.
//!
//! A slot is a small number that the worker hands out, at most one open socket each. A loop that
//! completes operations (`io_uring`) fits behind the same interface as one that reports readiness
//! (`epoll`): `send` then submits, and `receive` lends what has already arrived.

pub mod choice;
mod epoll;
mod io_uring;

use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{getpeername, getsockname};
use std::net::SocketAddr;

/// Something happened to the socket of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SocketEvent {
    /// The slot of the socket.
    pub slot: usize,
    /// It may have bytes, or its end, to receive.
    pub readable: bool,
    /// It may take more bytes; while connecting: the attempt has ended.
    pub writable: bool,
    /// The peer ended its side, or the socket failed: receive until `Closed` or an error.
    pub hung_up: bool,
}

/// What `receive` found.
#[derive(Debug, PartialEq, Eq)]
pub enum Received<'a> {
    /// Bytes, lent until the next call; `more`: there may be more at once.
    Bytes {
        /// The bytes.
        bytes: &'a [u8],
        /// Whether to ask again at once.
        more: bool,
        /// When they were taken from the kernel.
        at_ns: u64,
    },
    /// Nothing more for now.
    Nothing,
    /// The peer ended the stream.
    Closed,
}

/// How connecting stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connecting {
    /// The connection stands.
    Done,
    /// An event will tell.
    Pending,
}

/// The addresses of a TCP connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ends {
    /// Of this process.
    pub caller: SocketAddr,
    /// Of the server.
    pub server: SocketAddr,
}

impl Ends {
    /// Whether the connection came to itself: of two ports on one machine the kernel may choose for the
    /// caller the one that is called, if nobody listens there (RFC 9293, section 3.5, simultaneous open).
    #[must_use]
    pub fn are_the_same(self) -> bool {
        self.caller == self.server
    }

    fn of(socket: &OwnedFd) -> Option<Self> {
        Some(Self {
            caller: getsockname(socket).ok()?.try_into().ok()?,
            server: getpeername(socket).ok()??.try_into().ok()?,
        })
    }
}

/// Sockets by slot, and waiting for them. Times are nanoseconds since the load's start.
pub trait EventLoop {
    /// How it waits for the kernel, as the record names it.
    fn name(&self) -> &'static str;

    /// The load's clock: never goes back.
    fn now_ns(&self) -> u64;

    /// Waits until something happens or until `deadline_ns`, whichever is first.
    ///
    /// # Errors
    /// If the kernel refuses to wait at all; being interrupted is no error.
    fn wait(&mut self, deadline_ns: u64) -> Result<(), Errno>;

    /// The next thing that happened in the last `wait`; nothing about sockets closed since.
    fn next_event(&mut self) -> Option<SocketEvent>;

    /// Begins to connect a slot that has no socket.
    ///
    /// # Errors
    /// If it fails at once; the slot has no socket then.
    fn connect(&mut self, slot: usize) -> Result<Connecting, Errno>;

    /// What became of a pending connection.
    ///
    /// # Errors
    /// If it failed; the slot still has its socket.
    fn connected(&mut self, slot: usize) -> Result<(), Errno>;

    /// Gives bytes to the kernel and returns how many it took, 0 if none for now.
    ///
    /// # Errors
    /// If the connection is of no more use for writing.
    fn send(&mut self, slot: usize, bytes: &[u8]) -> Result<usize, Errno>;

    /// Whether bytes that `send` took were refused by the kernel later. Asked after an error; a loop
    /// whose `send` is the call to the kernel always says no.
    fn has_unsent(&self, slot: usize) -> bool;

    /// Takes what has arrived.
    ///
    /// # Errors
    /// If the connection is of no more use for reading.
    fn receive(&mut self, slot: usize) -> Result<Received<'_>, Errno>;

    /// The two ends of the slot's connection; none without one, or where it is no real one.
    fn ends(&self, slot: usize) -> Option<Ends>;

    /// Closes the slot's socket, if it has one.
    fn close(&mut self, slot: usize);
}
