//! A loop under test, driven one step at a time. Waits have a far deadline that only a failure
//! reaches.

use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use crate::event_loop::choice::{ChosenLoop, OpenError, open_chosen};
use crate::event_loop::route::{Route, Sources};
use crate::event_loop::{Connecting, EventLoop, Received, SocketEvent};
use crate::host::load_clock::LoadClock;
use crate::plan::EventLoopChoice;

/// How long a test waits for what must happen.
pub const FAR_NS: u64 = 10_000_000_000;

/// A loop and the listener of its peers.
pub struct Bench {
    pub events: ChosenLoop,
    pub listener: TcpListener,
    pub waker: Arc<OwnedFd>,
}

impl Bench {
    /// Opens the loop, unless the kernel does not allow it.
    pub fn new(choice: EventLoopChoice, listener: TcpListener, slots: usize) -> Option<Self> {
        Self::from(choice, listener, slots, Sources::default())
    }

    /// The same, of connections that come from these addresses.
    pub fn from(
        choice: EventLoopChoice,
        listener: TcpListener,
        slots: usize,
        sources: Sources,
    ) -> Option<Self> {
        let waker = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).expect("a waker");
        let waker = Arc::new(waker);
        let target = listener.local_addr().expect("is bound");
        let clock = LoadClock::starting_in(0);
        let route = Route { target, sources };
        match open_chosen(choice, route, slots, clock, Arc::clone(&waker)) {
            Ok(events) => Some(Self {
                events,
                listener,
                waker,
            }),
            Err(OpenError::Uring(unavailable)) => {
                eprintln!("not tested: {unavailable}");
                None
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// The next event; fails if there is none for long.
    pub fn event(&mut self) -> SocketEvent {
        let deadline_ns = self.events.now_ns() + FAR_NS;
        loop {
            if let Some(event) = self.events.next_event() {
                return event;
            }
            assert!(self.events.now_ns() < deadline_ns, "nothing happened");
            self.events.wait(deadline_ns).expect("waits");
        }
    }

    /// Connects and waits until it has ended.
    pub fn connect(&mut self, slot: usize) -> Result<(), Errno> {
        if self.events.connect(slot)? == Connecting::Pending {
            let event = self.event();
            assert_eq!((event.slot, event.writable), (slot, true));
        }
        self.events.connected(slot)
    }

    /// A connection and its other end.
    pub fn pair(&mut self, slot: usize) -> TcpStream {
        self.connect(slot).expect("is listened to");
        self.listener.accept().expect("was connected").0
    }

    /// Sends all, waiting where the kernel takes no more.
    pub fn send(&mut self, slot: usize, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            match self.events.send(slot, bytes).expect("is open") {
                0 => while !self.event().writable {},
                sent => bytes = &bytes[sent..],
            }
        }
    }

    /// Takes what has arrived into `into`; whether it was the end.
    pub fn take(&mut self, slot: usize, hung_up: bool, into: &mut Vec<u8>) -> Result<bool, Errno> {
        loop {
            match self.events.receive(slot)? {
                Received::Bytes { bytes, more, .. } => {
                    into.extend_from_slice(bytes);
                    if !more && !hung_up {
                        return Ok(false);
                    }
                }
                Received::Nothing => return Ok(false),
                Received::Closed => return Ok(true),
            }
        }
    }

    /// Receives exactly so much on a slot while nothing happens on others.
    pub fn receive(&mut self, slot: usize, count: usize) -> Vec<u8> {
        let mut received = Vec::new();
        while received.len() < count {
            let event = self.event();
            if event.readable {
                assert_eq!(event.slot, slot);
                let ended = self.take(slot, event.hung_up, &mut received);
                assert_eq!((ended, received.len() <= count), (Ok(false), true));
            }
        }
        received
    }

    /// Waits for the end of a connection: `None` is an orderly one.
    pub fn end(&mut self, slot: usize, received: &mut Vec<u8>) -> Option<Errno> {
        loop {
            let event = self.event();
            assert_eq!(event.slot, slot);
            match self.take(slot, event.hung_up, received) {
                Ok(false) => {}
                Ok(true) => return None,
                Err(errno) => return Some(errno),
            }
        }
    }
}

/// Runs on both loops, over IPv4 and IPv6 where there is any; each on a thread of its own, since the
/// kernel interrupts the thread of a ring once more when it is gone.
pub fn on_each(slots: usize, test: impl Fn(&mut Bench) + Sync) {
    let v4 = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let v6 = TcpListener::bind((Ipv6Addr::LOCALHOST, 0));
    for listener in [Some(v4), v6.ok()].into_iter().flatten() {
        for choice in [EventLoopChoice::Epoll, EventLoopChoice::IoUring] {
            let listener = listener.try_clone().expect("a descriptor");
            let run = || Bench::new(choice, listener, slots).map(|mut bench| test(&mut bench));
            thread::scope(|scope| scope.spawn(run).join()).expect("the test holds");
        }
    }
}
