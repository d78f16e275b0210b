//! Servers and a clock that exist only in memory: the fake of the event loop.
//!
//! Time passes only while the worker waits, so every test is exact and takes no time. What a server
//! does is said by a `Server`: `canned` answers alike each time, `scripted` does whatever a list of
//! bytes says, in HTTP/1 or HTTP/2. `load` runs a whole worker against the latter and holds what must
//! be true of it after every turn; tests and the fuzz target share it.

#[cfg(test)]
pub mod canned;
pub mod load;
pub mod script;
pub mod scripted;
pub mod wire;

use rustix::io::Errno;
use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::net::{Ipv4Addr, SocketAddr};

use crate::event_loop::{Connecting, Ends, EventLoop, Received, SocketEvent};

/// What happens to a socket.
#[derive(Clone, Debug)]
pub enum Happening {
    /// A pending connection stands.
    Connected,
    /// A pending connection does not come about.
    Refused(Errno),
    /// Bytes arrive.
    Bytes(Vec<u8>),
    /// The server closes.
    Closed,
    /// The connection breaks.
    Broken(Errno),
    /// The kernel takes bytes again.
    Writable,
}

/// What will happen to one socket, each after so many nanoseconds.
pub type Happenings = Vec<(u64, Happening)>;

/// How an attempt to connect begins.
#[derive(Clone, Copy, Debug)]
pub enum Accepting {
    /// The connection stands.
    AtOnce,
    /// What happens tells.
    Later,
    /// It is refused.
    Not(Errno),
    /// It stands, and both ends are the same.
    ToItself,
}

/// What is at the other end of all sockets.
pub trait Server {
    /// A connection is asked for.
    fn connect(&mut self, slot: usize, then: &mut Happenings) -> Accepting;

    /// Bytes came; how many of them are taken. If not all are, `then` has to tell when more will be.
    fn receive(&mut self, slot: usize, bytes: &[u8], then: &mut Happenings) -> usize;
}

#[derive(Debug, Default)]
struct Socket {
    is_open: bool,
    is_to_itself: bool,
    connected: Option<Errno>,
    inbox: VecDeque<Vec<u8>>,
    lent: Vec<u8>,
    is_closed: bool,
    broken: Option<Errno>,
}

/// The simulated loop.
#[derive(Debug)]
pub struct SimulatedLoop<S> {
    pub(super) server: S,
    now_ns: Cell<u64>,
    sockets: Vec<Socket>,
    future: BTreeMap<(u64, u64), (usize, Happening)>,
    sequence: u64,
    ready: VecDeque<SocketEvent>,
    /// At a time, the engine itself sleeps for so long.
    stall: Option<(u64, u64)>,
    /// When the last wait took no time.
    looked_at_ns: Option<u64>,
}

impl<S: Server> SimulatedLoop<S> {
    /// A server for so many slots.
    pub fn new(server: S, slots: usize) -> Self {
        Self {
            server,
            now_ns: Cell::new(0),
            sockets: (0..slots).map(|_| Socket::default()).collect(),
            future: BTreeMap::new(),
            sequence: 0,
            ready: VecDeque::new(),
            stall: None,
            looked_at_ns: None,
        }
    }

    /// Makes the engine oversleep the first wait after `at_ns` by `for_ns`.
    pub fn stalling(mut self, at_ns: u64, for_ns: u64) -> Self {
        self.stall = Some((at_ns, for_ns));
        self
    }

    fn schedule(&mut self, slot: usize, then: Happenings) {
        for (after_ns, happening) in then {
            self.sequence += 1;
            let key = (self.now_ns.get() + after_ns, self.sequence);
            self.future.insert(key, (slot, happening));
        }
    }

    fn happen(&mut self, slot: usize, happening: Happening) {
        let socket = &mut self.sockets[slot];
        let mut event = SocketEvent {
            slot,
            readable: true,
            writable: false,
            hung_up: false,
        };
        match happening {
            Happening::Bytes(bytes) => socket.inbox.push_back(bytes),
            Happening::Closed => socket.is_closed = true,
            Happening::Broken(errno) => socket.broken = Some(errno),
            Happening::Connected | Happening::Writable => {
                event.readable = false;
                event.writable = true;
            }
            Happening::Refused(errno) => {
                socket.connected = Some(errno);
                event.writable = true;
            }
        }
        event.hung_up = socket.is_closed || socket.broken.is_some() || socket.connected.is_some();
        // As with epoll, what happens to a socket between two waits is one event.
        if let Some(place) = self.ready.iter().position(|other| other.slot == slot) {
            let Some(earlier) = self.ready.remove(place) else {
                return;
            };
            event.readable |= earlier.readable;
            event.writable |= earlier.writable;
        }
        self.ready.push_back(event);
    }
}

impl<S: Server> EventLoop for SimulatedLoop<S> {
    fn name(&self) -> &'static str {
        "simulated"
    }

    fn now_ns(&self) -> u64 {
        self.now_ns.get()
    }

    fn wait(&mut self, deadline_ns: u64) -> Result<(), Errno> {
        let next_ns = self.future.keys().next().map_or(u64::MAX, |key| key.0);
        let before_ns = self.now_ns.get();
        let mut now_ns = deadline_ns.min(next_ns).max(before_ns);
        if self.looked_at_ns == Some(now_ns) {
            // Who looks twice at the same moment waits for time to pass.
            now_ns += 1;
        }
        self.looked_at_ns = (now_ns == before_ns).then_some(now_ns);
        if let Some((at_ns, for_ns)) = self.stall
            && now_ns >= at_ns
        {
            now_ns += for_ns;
            self.stall = None;
        }
        self.now_ns.set(now_ns);
        while let Some(entry) = self.future.first_entry()
            && entry.key().0 <= now_ns
        {
            let (slot, happening) = entry.remove();
            self.happen(slot, happening);
        }
        Ok(())
    }

    fn next_event(&mut self) -> Option<SocketEvent> {
        while let Some(event) = self.ready.pop_front() {
            if self.sockets[event.slot].is_open {
                return Some(event);
            }
        }
        None
    }

    fn connect(&mut self, slot: usize) -> Result<Connecting, Errno> {
        assert!(!self.sockets[slot].is_open, "the slot has a socket");
        let mut then = Happenings::new();
        let accepting = self.server.connect(slot, &mut then);
        if let Accepting::Not(errno) = accepting {
            return Err(errno);
        }
        self.sockets[slot] = Socket {
            is_open: true,
            is_to_itself: matches!(accepting, Accepting::ToItself),
            ..Socket::default()
        };
        self.schedule(slot, then);
        Ok(match accepting {
            Accepting::Later => Connecting::Pending,
            _ => Connecting::Done,
        })
    }

    fn connected(&mut self, slot: usize) -> Result<(), Errno> {
        self.sockets[slot].connected.map_or(Ok(()), Err)
    }

    fn send(&mut self, slot: usize, bytes: &[u8]) -> Result<usize, Errno> {
        assert!(self.sockets[slot].is_open, "the slot has no socket");
        if let Some(errno) = self.sockets[slot].broken {
            return Err(errno);
        }
        let mut then = Happenings::new();
        let taken = self.server.receive(slot, bytes, &mut then);
        self.schedule(slot, then);
        Ok(taken)
    }

    fn has_unsent(&self, _slot: usize) -> bool {
        false
    }

    fn receive(&mut self, slot: usize) -> Result<Received<'_>, Errno> {
        let at_ns = self.now_ns.get();
        let socket = &mut self.sockets[slot];
        assert!(socket.is_open, "the slot has no socket");
        if let Some(bytes) = socket.inbox.pop_front() {
            socket.lent = bytes;
            return Ok(Received::Bytes {
                bytes: &socket.lent,
                more: !socket.inbox.is_empty(),
                at_ns,
            });
        }
        match socket.broken {
            Some(errno) => Err(errno),
            None if socket.is_closed => Ok(Received::Closed),
            None => Ok(Received::Nothing),
        }
    }

    fn ends(&self, slot: usize) -> Option<Ends> {
        let here = SocketAddr::from((Ipv4Addr::LOCALHOST, 1));
        self.sockets[slot].is_to_itself.then_some(Ends {
            caller: here,
            server: here,
        })
    }

    fn close(&mut self, slot: usize) {
        self.sockets[slot] = Socket::default();
        self.ready.retain(|event| event.slot != slot);
        self.future.retain(|_, (of, _)| *of != slot);
    }
}
