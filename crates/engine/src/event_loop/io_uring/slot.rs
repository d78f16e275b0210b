//! What the loop knows of one slot.

use rustix::fd::OwnedFd;
use rustix::io::Errno;

use super::buffers::Chain;
use super::operation_tag::{KernelOperation, OperationTag, WHICH_MASK};

/// What `next_event` is to tell.
#[derive(Debug, Default)]
pub struct Signals {
    pub readable: bool,
    pub writable: bool,
    /// The slot stands in the queue of those that have something to tell.
    pub queued: bool,
}

/// Bytes that `send` took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outgoing {
    /// All of them are with the kernel.
    #[default]
    Nothing,
    /// In a chunk that is still to be given to the kernel.
    Gathered(u32),
    /// In a chunk that the kernel works on; `awaited`: the worker wants to know when it is done.
    Submitted { chunk: u32, awaited: bool },
    /// The kernel refused some.
    Refused(Errno),
}

/// How bytes come from a socket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Incoming {
    /// By itself, into buffers.
    #[default]
    Buffered,
    /// By plain calls, when the kernel tells; for sockets that bring much at a time. `hung_up`: the
    /// last of it was announced.
    Called { hung_up: bool },
}

/// How a socket's incoming side ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Closed,
    Failed(Errno),
}

/// One slot.
#[derive(Debug, Default)]
pub struct Slot {
    pub socket: Option<OwnedFd>,
    /// Tells completions of this socket from those of an earlier one in the same slot.
    pub generation: u32,
    /// The operation that the kernel works on: connecting, then receiving or watching.
    pub pending: Option<KernelOperation>,
    /// The kernel is to tell when the socket takes more bytes.
    pub awaits_writable: bool,
    pub signals: Signals,
    pub outgoing: Outgoing,
    pub incoming: Incoming,
    /// What became of connecting, once it has ended.
    pub connected: Option<Errno>,
    /// Bytes that were received and not yet handed to the worker.
    pub received: Chain,
    /// The socket may hold bytes beyond those in `received`.
    pub has_more: bool,
    /// Bytes were sent since the last ones arrived.
    pub has_sent: bool,
    pub end: Option<End>,
}

impl Slot {
    /// A new socket in place of whatever was there.
    pub fn reset(&mut self, socket: Option<OwnedFd>) {
        *self = Self {
            socket,
            generation: self.generation.wrapping_add(1) & WHICH_MASK,
            signals: Signals {
                queued: self.signals.queued,
                ..Signals::default()
            },
            ..Self::default()
        };
    }

    /// Whether a completion with this generation is of the socket that is here.
    pub fn is_current(&self, generation: u32) -> bool {
        self.socket.is_some() && self.generation == generation
    }

    /// The name of an operation on this socket.
    pub fn tag(&self, slot: usize, operation: KernelOperation) -> OperationTag {
        OperationTag {
            operation,
            which: self.generation,
            slot,
        }
    }

    /// Whether a plain call to receive may find something.
    pub fn may_have_more(&self) -> bool {
        self.has_more || self.incoming == Incoming::Called { hung_up: true }
    }

    /// Whether the peer ended its side, or the socket failed.
    pub fn is_hung_up(&self) -> bool {
        self.end.is_some()
            || self.incoming == Incoming::Called { hung_up: true }
            || self.connected.is_some()
            || matches!(self.outgoing, Outgoing::Refused(_))
    }
}
