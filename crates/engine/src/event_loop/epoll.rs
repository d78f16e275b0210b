//! The event loop over `epoll`, edge-triggered: every socket is registered once, for everything.

use rustix::buffer::spare_capacity;
use rustix::event::{Timespec, epoll};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use rustix::net::sockopt::{set_tcp_nodelay, socket_error};
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType};
use rustix::net::{connect, recv, send, socket_with};
use std::net::SocketAddr;
use std::sync::Arc;

use crate::event_loop::{Connecting, Ends, EventLoop, Received, SocketEvent};
use crate::host::load_clock::LoadClock;

/// Events taken per call to the kernel: enough to spread its cost, few enough that arrivals which
/// become due meanwhile are looked at soon.
const EVENTS_PER_WAIT: usize = 64;

/// Larger than any socket buffer returns at once on loopback with usual responses.
const RECEIVE_BUFFER_BYTES: usize = 65_536;

/// The event data of the waker; slots are below 2^32.
const WAKER: u64 = u64::MAX;

#[derive(Debug, Default)]
struct Slot {
    socket: Option<OwnedFd>,
    /// Tells events of this socket from those of an earlier one in the same slot.
    generation: u32,
}

/// `epoll`, the sockets of one worker, and its receive buffer.
pub struct EpollLoop {
    epoll: OwnedFd,
    waker: Arc<OwnedFd>,
    address: SocketAddr,
    clock: LoadClock,
    slots: Vec<Slot>,
    events: Vec<epoll::Event>,
    next: usize,
    buffer: Vec<u8>,
}

impl EpollLoop {
    /// A loop for `slots` sockets, all to `address`; a write to `waker` ends a wait.
    ///
    /// # Errors
    /// If the kernel gives no descriptor.
    pub fn new(
        address: SocketAddr,
        slots: usize,
        clock: LoadClock,
        waker: Arc<OwnedFd>,
    ) -> Result<Self, Errno> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let data = epoll::EventData::new_u64(WAKER);
        epoll::add(
            &epoll,
            &waker,
            data,
            epoll::EventFlags::IN | epoll::EventFlags::ET,
        )?;
        Ok(Self {
            epoll,
            waker,
            address,
            clock,
            slots: (0..slots).map(|_| Slot::default()).collect(),
            events: Vec::with_capacity(EVENTS_PER_WAIT),
            next: 0,
            buffer: vec![0; RECEIVE_BUFFER_BYTES],
        })
    }

    /// From now on times are by this clock.
    pub fn begin(&mut self, clock: LoadClock) {
        self.clock = clock;
    }

    fn socket(&self, slot: usize) -> Result<&OwnedFd, Errno> {
        self.slots[slot].socket.as_ref().ok_or(Errno::BADF)
    }

    fn open(&self, slot: usize, generation: u32) -> Result<(OwnedFd, Connecting), Errno> {
        let family = if self.address.is_ipv4() {
            AddressFamily::INET
        } else {
            AddressFamily::INET6
        };
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let socket = socket_with(family, SocketType::STREAM, flags, None)?;
        set_tcp_nodelay(&socket, true)?;
        let connecting = match connect(&socket, &self.address) {
            Ok(()) => Connecting::Done,
            Err(Errno::INPROGRESS) => Connecting::Pending,
            Err(errno) => return Err(errno),
        };
        let data = epoll::EventData::new_u64(u64::from(generation) << 32 | slot as u64);
        let interest = epoll::EventFlags::IN
            | epoll::EventFlags::OUT
            | epoll::EventFlags::RDHUP
            | epoll::EventFlags::ET;
        epoll::add(&self.epoll, socket.as_fd(), data, interest)?;
        Ok((socket, connecting))
    }
}

impl EventLoop for EpollLoop {
    fn name(&self) -> &'static str {
        "epoll"
    }

    fn now_ns(&self) -> u64 {
        self.clock.now_ns()
    }

    fn wait(&mut self, deadline_ns: u64) -> Result<(), Errno> {
        let timeout_ns = deadline_ns.saturating_sub(self.now_ns());
        let timeout = Timespec {
            tv_sec: i64::try_from(timeout_ns / 1_000_000_000).unwrap_or(i64::MAX),
            tv_nsec: i64::try_from(timeout_ns % 1_000_000_000).unwrap_or_default(),
        };
        self.events.clear();
        self.next = 0;
        match epoll::wait(
            &self.epoll,
            spare_capacity(&mut self.events),
            Some(&timeout),
        ) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(errno) => Err(errno),
        }
    }

    #[allow(
        clippy::cast_possible_truncation,
        reason = "slot and generation are 32 bits each"
    )]
    fn next_event(&mut self) -> Option<SocketEvent> {
        while let Some(event) = self.events.get(self.next).copied() {
            self.next += 1;
            let data = event.data.u64();
            if data == WAKER {
                let _ = rustix::io::read(&self.waker, &mut [0; 8]);
                continue;
            }
            let (slot, generation) = (data as u32 as usize, (data >> 32) as u32);
            let current = &self.slots[slot];
            if current.socket.is_none() || current.generation != generation {
                continue;
            }
            let seen = event.flags;
            let has = |flags: epoll::EventFlags| seen.intersects(flags);
            let broken = epoll::EventFlags::HUP | epoll::EventFlags::ERR;
            return Some(SocketEvent {
                slot,
                readable: has(epoll::EventFlags::IN | epoll::EventFlags::RDHUP | broken),
                writable: has(epoll::EventFlags::OUT | broken),
                hung_up: has(epoll::EventFlags::RDHUP | broken),
            });
        }
        None
    }

    fn connect(&mut self, slot: usize) -> Result<Connecting, Errno> {
        let generation = self.slots[slot].generation.wrapping_add(1);
        let (socket, connecting) = self.open(slot, generation)?;
        self.slots[slot] = Slot {
            socket: Some(socket),
            generation,
        };
        Ok(connecting)
    }

    fn connected(&mut self, slot: usize) -> Result<(), Errno> {
        socket_error(self.socket(slot)?)?
    }

    fn send(&mut self, slot: usize, bytes: &[u8]) -> Result<usize, Errno> {
        match send(self.socket(slot)?, bytes, SendFlags::NOSIGNAL) {
            Ok(count) => Ok(count),
            Err(Errno::AGAIN) => Ok(0),
            Err(errno) => Err(errno),
        }
    }

    fn has_unsent(&self, _slot: usize) -> bool {
        false
    }

    fn receive(&mut self, slot: usize) -> Result<Received<'_>, Errno> {
        let Self {
            slots,
            buffer,
            clock,
            ..
        } = self;
        let socket = slots[slot].socket.as_ref().ok_or(Errno::BADF)?;
        match recv(socket, buffer.as_mut_slice(), RecvFlags::empty()) {
            Ok((0, _)) => Ok(Received::Closed),
            // A short read has emptied the socket; the next arrival is a new edge.
            Ok((count, _)) => {
                let (at_ns, more) = (clock.now_ns(), count == buffer.len());
                Ok(Received::Bytes {
                    bytes: &buffer[..count],
                    more,
                    at_ns,
                })
            }
            Err(Errno::AGAIN) => Ok(Received::Nothing),
            Err(errno) => Err(errno),
        }
    }

    fn ends(&self, slot: usize) -> Option<Ends> {
        Ends::of(self.slots[slot].socket.as_ref()?)
    }

    fn close(&mut self, slot: usize) {
        // Closing the only descriptor of a socket takes it out of epoll.
        self.slots[slot].socket = None;
    }
}
