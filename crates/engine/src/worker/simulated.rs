//! A server and a clock that exist only in memory: the fake of the event loop.
//!
//! Time passes only while the worker waits, so every test is exact and takes no time.

use rustix::io::Errno;
use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};

use crate::event_loop::{Connecting, Ends, EventLoop, Received, SocketEvent};

/// How the simulated server treats each request.
#[derive(Clone, Debug)]
pub enum Behaviour {
    /// Answers after so many nanoseconds.
    Answers(u64, &'static [u8]),
    /// Answers after so many nanoseconds and closes.
    AnswersAndCloses(u64, &'static [u8]),
    /// Accepts and never answers.
    Silent,
    /// Refuses connections.
    Refuses,
}

#[derive(Debug, Default)]
struct Socket {
    open: bool,
    inbox: VecDeque<&'static [u8]>,
    closed: bool,
}

#[derive(Clone, Copy, Debug)]
enum Happening {
    Bytes(&'static [u8]),
    Close,
}

/// The simulated loop. `stalls`: at a time, the engine itself sleeps for so long.
#[derive(Debug)]
pub struct SimulatedLoop {
    behaviour: Behaviour,
    now_ns: Cell<u64>,
    sockets: Vec<Socket>,
    future: BTreeMap<(u64, u64), (usize, Happening)>,
    sequence: u64,
    ready: VecDeque<SocketEvent>,
    stall: Option<(u64, u64)>,
    /// When the last wait took no time.
    looked_at_ns: Option<u64>,
}

impl SimulatedLoop {
    /// A server for `slots` connections.
    pub fn new(behaviour: Behaviour, slots: usize) -> Self {
        Self {
            behaviour,
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

    fn schedule(&mut self, after_ns: u64, slot: usize, happening: Happening) {
        self.sequence += 1;
        let key = (self.now_ns.get() + after_ns, self.sequence);
        self.future.insert(key, (slot, happening));
    }
}

impl EventLoop for SimulatedLoop {
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
            let socket = &mut self.sockets[slot];
            match happening {
                Happening::Bytes(bytes) => socket.inbox.push_back(bytes),
                Happening::Close => socket.closed = true,
            }
            // As with epoll, what happens to a socket between two waits is one event.
            let hung_up = socket.closed;
            self.ready.retain(|event| event.slot != slot);
            self.ready.push_back(SocketEvent {
                slot,
                readable: true,
                writable: false,
                hung_up,
            });
        }
        Ok(())
    }

    fn next_event(&mut self) -> Option<SocketEvent> {
        while let Some(event) = self.ready.pop_front() {
            if self.sockets[event.slot].open {
                return Some(event);
            }
        }
        None
    }

    fn connect(&mut self, slot: usize) -> Result<Connecting, Errno> {
        if matches!(self.behaviour, Behaviour::Refuses) {
            return Err(Errno::CONNREFUSED);
        }
        self.sockets[slot] = Socket {
            open: true,
            ..Socket::default()
        };
        Ok(Connecting::Done)
    }

    fn connected(&mut self, _slot: usize) -> Result<(), Errno> {
        Ok(())
    }

    fn send(&mut self, slot: usize, bytes: &[u8]) -> Result<usize, Errno> {
        match self.behaviour {
            Behaviour::Answers(after_ns, answer) => {
                self.schedule(after_ns, slot, Happening::Bytes(answer));
            }
            Behaviour::AnswersAndCloses(after_ns, answer) => {
                self.schedule(after_ns, slot, Happening::Bytes(answer));
                self.schedule(after_ns, slot, Happening::Close);
            }
            Behaviour::Silent | Behaviour::Refuses => {}
        }
        Ok(bytes.len())
    }

    fn has_unsent(&self, _slot: usize) -> bool {
        false
    }

    fn receive(&mut self, slot: usize) -> Result<Received<'_>, Errno> {
        let at_ns = self.now_ns.get();
        let socket = &mut self.sockets[slot];
        Ok(match socket.inbox.pop_front() {
            Some(bytes) => Received::Bytes {
                bytes,
                more: !socket.inbox.is_empty(),
                at_ns,
            },
            None if socket.closed => Received::Closed,
            None => Received::Nothing,
        })
    }

    fn ends(&self, _slot: usize) -> Option<Ends> {
        None
    }

    fn close(&mut self, slot: usize) {
        self.sockets[slot] = Socket::default();
        self.future.retain(|_, (of, _)| *of != slot);
    }
}
