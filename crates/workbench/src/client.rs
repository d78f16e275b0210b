//! Keep-alive connections of a bare generator, and where responses end on them.
//!
//! All responses must have the length of the first one: then a response has ended when that many
//! bytes have come, and nothing else is parsed.

use std::net::{SocketAddr, TcpStream};

use anyhow::{Context as _, bail, ensure};
use rustix::buffer::spare_capacity;
use rustix::event::{Timespec, epoll};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, recv, send};

const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
const EVENTS_PER_WAIT: usize = 64;
const RECEIVE_BUFFER_BYTES: usize = 16_384;

/// Connections by index, all on one edge-triggered epoll.
pub struct Client {
    epoll: OwnedFd,
    sockets: Vec<TcpStream>,
    received: Vec<usize>,
    /// 0 until the first response came.
    response_bytes: usize,
    events: Vec<epoll::Event>,
    buffer: Vec<u8>,
}

impl Client {
    /// Opens all connections.
    ///
    /// # Errors
    /// If the target is not loopback, or a connection is refused.
    pub fn connect(target: SocketAddr, connections: usize) -> anyhow::Result<Self> {
        ensure!(
            target.ip().is_loopback(),
            "{target} is not loopback; nothing was sent"
        );
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let mut sockets = Vec::with_capacity(connections);
        for index in 0..connections {
            let socket = TcpStream::connect(target)
                .with_context(|| format!("connection {index} to {target}"))?;
            socket.set_nodelay(true)?;
            socket.set_nonblocking(true)?;
            let data = epoll::EventData::new_u64(index as u64);
            let interest = epoll::EventFlags::IN | epoll::EventFlags::ET;
            epoll::add(&epoll, &socket, data, interest)?;
            sockets.push(socket);
        }
        Ok(Self {
            epoll,
            received: vec![0; connections],
            sockets,
            response_bytes: 0,
            events: Vec::with_capacity(EVENTS_PER_WAIT),
            buffer: vec![0; RECEIVE_BUFFER_BYTES],
        })
    }

    /// Sends one request.
    ///
    /// # Errors
    /// If the kernel does not take it whole: a bare loop has no way to go on.
    pub fn send(&self, index: usize) -> anyhow::Result<()> {
        let sent = send(&self.sockets[index], REQUEST, SendFlags::NOSIGNAL)?;
        ensure!(sent == REQUEST.len(), "the kernel took only {sent} bytes");
        Ok(())
    }

    /// Waits, and calls `on_response` with the connection of every response that has ended.
    ///
    /// # Errors
    /// If a connection ended, if a response is not as the first, or if `on_response` failed.
    #[allow(clippy::cast_possible_truncation, reason = "data are indices")]
    pub fn wait(
        &mut self,
        timeout: &Timespec,
        mut on_response: impl FnMut(&Self, usize) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.events.clear();
        match epoll::wait(&self.epoll, spare_capacity(&mut self.events), Some(timeout)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
        for position in 0..self.events.len() {
            let index = self.events[position].data.u64() as usize;
            if self.receive(index)? {
                on_response(self, index)?;
            }
        }
        Ok(())
    }

    /// Takes what came; whether the response is complete.
    fn receive(&mut self, index: usize) -> anyhow::Result<bool> {
        let count = match recv(
            &self.sockets[index],
            self.buffer.as_mut_slice(),
            RecvFlags::empty(),
        ) {
            Ok((0, _)) => bail!("the server closed connection {index}"),
            Ok((count, _)) => count,
            Err(Errno::AGAIN | Errno::INTR) => return Ok(false),
            Err(errno) => return Err(errno.into()),
        };
        if self.response_bytes == 0 {
            self.response_bytes = response_bytes(&self.buffer[..count])?;
        }
        self.received[index] += count;
        if self.received[index] < self.response_bytes {
            return Ok(false);
        }
        ensure!(
            self.received[index] == self.response_bytes,
            "a response is longer than the first one was"
        );
        self.received[index] = 0;
        Ok(true)
    }
}

/// The length of a response, head included. Its head must have come at once, as it does on loopback.
fn response_bytes(bytes: &[u8]) -> anyhow::Result<usize> {
    let head_end = memchr::memmem::find(bytes, b"\r\n\r\n").context("no whole response head")?;
    let head = String::from_utf8_lossy(&bytes[..head_end]).to_ascii_lowercase();
    ensure!(
        head.starts_with("http/1.1 200 "),
        "the server does not answer with HTTP/1.1 and status 200"
    );
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"))
        .context("the response has no Content-Length")?;
    let body: usize = length.trim().parse().context("Content-Length")?;
    Ok(head_end + 4 + body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::RESPONSE;

    #[test]
    fn the_length_of_a_response_is_its_head_and_its_body() {
        assert_eq!(response_bytes(RESPONSE).ok(), Some(RESPONSE.len()));
        assert!(response_bytes(&RESPONSE[..30]).is_err());
    }

    #[test]
    fn a_response_of_unknown_length_or_another_status_is_refused() {
        assert!(response_bytes(b"HTTP/1.1 200 OK\r\nServer: a\r\n\r\n").is_err());
        assert!(response_bytes(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n").is_err());
    }
}
