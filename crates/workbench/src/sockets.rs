//! The sockets of a server: a listener and its connections on one edge-triggered epoll, one thread.
//!
//! Where arrivals are to be timed, they are stamped by the kernel, when the packet is delivered to
//! the socket: the wake-up of the server is no part of it, so a busy CPU does not blur it.
//!
//! A server ends when its standard input is closed, so none outlives the harness that started it.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::os::fd::AsRawFd as _;

use anyhow::Context as _;
use nix::sys::socket::setsockopt;
use nix::sys::socket::sockopt::ReceiveTimestampns;
use rustix::buffer::spare_capacity;
use rustix::event::{Timespec, epoll};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::sockopt::{set_socket_reuseaddr, set_tcp_nodelay};
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, accept_with, bind, getsockname,
    listen, recv, send, socket_with,
};

use crate::clock::{monotonic_minus_realtime_ns, monotonic_ns};
use crate::receive_stamped::{control_space, receive_stamped};

const LISTENER: u64 = u64::MAX;
const STANDARD_INPUT: u64 = u64::MAX - 1;

/// Of connections that no `accept` has taken yet; the kernel caps it at `net.core.somaxconn`.
const BACKLOG: i32 = 4_096;
const EVENTS_PER_WAIT: usize = 64;
const RECEIVE_BUFFER_BYTES: usize = 65_536;

/// What the kernel reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A connection was accepted into this slot.
    Opened(usize),
    /// Bytes came in this slot, or its end.
    Readable(usize),
    /// Standard input was closed.
    Finish,
}

/// Whether arrivals are timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamps {
    /// They are not.
    None,
    /// By the kernel.
    Kernel,
}

/// What came.
#[derive(Clone, Copy, Debug)]
pub struct Received<'a> {
    /// Empty when there is nothing (any more).
    pub bytes: &'a [u8],
    /// When its last packet arrived, on the monotonic clock; 0 where arrivals are not timed.
    pub arrived_ns: u64,
}

const NOTHING: Received<'static> = Received {
    bytes: &[],
    arrived_ns: 0,
};

struct Connection {
    socket: OwnedFd,
    unsent: Vec<u8>,
}

/// A listener and its connections, in slots that are used again.
pub struct Sockets {
    epoll: OwnedFd,
    listener: OwnedFd,
    connections: Vec<Option<Connection>>,
    free: Vec<usize>,
    events: Vec<epoll::Event>,
    next: usize,
    buffer: Vec<u8>,
    control: Vec<u8>,
    stamps: Stamps,
    clock_offset_ns: i64,
}

impl Sockets {
    /// Listens, and says where on `output`.
    ///
    /// # Errors
    /// If the address is taken, or standard input is not a pipe or a terminal.
    pub fn listen(
        address: SocketAddr,
        stamps: Stamps,
        output: &mut dyn Write,
    ) -> anyhow::Result<Self> {
        let family = if address.is_ipv4() {
            AddressFamily::INET
        } else {
            AddressFamily::INET6
        };
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let listener = socket_with(family, SocketType::STREAM, flags, None)?;
        set_socket_reuseaddr(&listener, true)?;
        bind(&listener, &address).with_context(|| format!("cannot listen on {address}"))?;
        if stamps == Stamps::Kernel {
            // Accepted sockets inherit it, so that already their first bytes are stamped.
            setsockopt(&listener, ReceiveTimestampns, &true)?;
        }
        listen(&listener, BACKLOG)?;
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let watch = |socket, data| {
            let data = epoll::EventData::new_u64(data);
            epoll::add(&epoll, socket, data, epoll::EventFlags::IN)
        };
        watch(rustix::fd::AsFd::as_fd(&listener), LISTENER)?;
        watch(rustix::stdio::stdin(), STANDARD_INPUT)
            .context("standard input must be a pipe: closing it ends the server")?;
        let bound = SocketAddr::try_from(getsockname(&listener)?)?;
        writeln!(output, "listening on {bound}")?;
        output.flush()?;
        Ok(Self {
            epoll,
            listener,
            connections: Vec::new(),
            free: Vec::new(),
            events: Vec::with_capacity(EVENTS_PER_WAIT),
            next: 0,
            buffer: vec![0; RECEIVE_BUFFER_BYTES],
            control: control_space(),
            stamps,
            clock_offset_ns: monotonic_minus_realtime_ns(),
        })
    }

    /// Waits until something happens or the time is over; none: as long as it takes.
    ///
    /// # Errors
    /// If the kernel refuses to wait.
    pub fn wait(&mut self, timeout: Option<&Timespec>) -> io::Result<()> {
        self.events.clear();
        self.next = 0;
        match epoll::wait(&self.epoll, spare_capacity(&mut self.events), timeout) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(errno) => Err(errno.into()),
        }
    }

    /// The next happening of the last wait.
    ///
    /// # Errors
    /// If no further connection can be accepted.
    #[allow(clippy::cast_possible_truncation, reason = "slots are indices")]
    pub fn next(&mut self) -> io::Result<Option<Happening>> {
        while let Some(event) = self.events.get(self.next).copied() {
            let happening = match event.data.u64() {
                LISTENER => {
                    if let Some(slot) = self.accept()? {
                        // The listener stays current until it has no more.
                        return Ok(Some(Happening::Opened(slot)));
                    }
                    None
                }
                STANDARD_INPUT => standard_input_ended().then_some(Happening::Finish),
                slot => self.ready(slot as usize, event.flags),
            };
            self.next += 1;
            if happening.is_some() {
                return Ok(happening);
            }
        }
        Ok(None)
    }

    fn accept(&mut self) -> io::Result<Option<usize>> {
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let socket = match accept_with(&self.listener, flags) {
            Ok(socket) => socket,
            Err(Errno::AGAIN | Errno::INTR | Errno::CONNABORTED) => return Ok(None),
            Err(errno) => return Err(errno.into()),
        };
        set_tcp_nodelay(&socket, true)?;
        let slot = self.free.pop().unwrap_or_else(|| {
            self.connections.push(None);
            self.connections.len() - 1
        });
        let interest = epoll::EventFlags::IN | epoll::EventFlags::OUT | epoll::EventFlags::ET;
        let data = epoll::EventData::new_u64(slot as u64);
        epoll::add(&self.epoll, &socket, data, interest)?;
        self.connections[slot] = Some(Connection {
            socket,
            unsent: Vec::new(),
        });
        Ok(Some(slot))
    }

    fn ready(&mut self, slot: usize, flags: epoll::EventFlags) -> Option<Happening> {
        let connection = self.connections[slot].as_ref()?;
        if flags.contains(epoll::EventFlags::OUT) && !connection.unsent.is_empty() {
            self.send(slot, &[]);
        }
        flags
            .intersects(epoll::EventFlags::IN | epoll::EventFlags::HUP | epoll::EventFlags::ERR)
            .then_some(Happening::Readable(slot))
    }

    /// The bytes that came. A connection that has ended is closed.
    pub fn receive(&mut self, slot: usize) -> Received<'_> {
        let Some(connection) = &self.connections[slot] else {
            return NOTHING;
        };
        let (count, arrived_ns) = match self.stamps {
            Stamps::None => {
                let socket = &connection.socket;
                let received = recv(socket, self.buffer.as_mut_slice(), RecvFlags::empty());
                (received.map(|(count, _)| count), 0)
            }
            Stamps::Kernel => {
                let socket = connection.socket.as_raw_fd();
                let received = receive_stamped(socket, &mut self.buffer, &mut self.control);
                let stamp = received.map_or(None, |(_, stamp)| stamp);
                let arrived_ns = stamp.map_or_else(monotonic_ns, |realtime_ns| {
                    realtime_ns.saturating_add_signed(self.clock_offset_ns)
                });
                (received.map(|(count, _)| count), arrived_ns)
            }
        };
        match count {
            Ok(count) if count > 0 => Received {
                bytes: &self.buffer[..count],
                arrived_ns,
            },
            Err(Errno::AGAIN | Errno::INTR) => NOTHING,
            Ok(_) | Err(_) => {
                self.close(slot);
                NOTHING
            }
        }
    }

    /// Whether a receive of so many bytes may have left some behind.
    pub fn may_have_more(count: usize) -> bool {
        count == RECEIVE_BUFFER_BYTES
    }

    /// Whether the connection of this slot has not ended.
    pub fn is_open(&self, slot: usize) -> bool {
        self.connections[slot].is_some()
    }

    /// Sends the bytes, now or when the kernel takes them.
    pub fn send(&mut self, slot: usize, bytes: &[u8]) {
        let Some(connection) = &mut self.connections[slot] else {
            return;
        };
        if !connection.unsent.is_empty() {
            connection.unsent.extend_from_slice(bytes);
        }
        let waited = !connection.unsent.is_empty();
        let all = if waited { &connection.unsent } else { bytes };
        match send(&connection.socket, all, SendFlags::NOSIGNAL) {
            Ok(sent) if waited => {
                connection.unsent.drain(..sent);
            }
            Ok(sent) => connection.unsent.extend_from_slice(&bytes[sent..]),
            Err(Errno::AGAIN | Errno::INTR) if waited => {}
            Err(Errno::AGAIN | Errno::INTR) => connection.unsent.extend_from_slice(bytes),
            Err(_) => self.close(slot),
        }
    }

    fn close(&mut self, slot: usize) {
        self.connections[slot] = None;
        self.free.push(slot);
    }
}

fn standard_input_ended() -> bool {
    !matches!(rustix::io::read(rustix::stdio::stdin(), &mut [0; 64]), Ok(count) if count > 0)
}
