//! The session server over HTTP/1.1: one thread, sockets by readiness, answers as soon as a request is
//! whole.

use std::io::Write;
use std::mem;
use std::net::SocketAddr;

use super::http1_requests::{Next, next};
use super::service::Service;
use crate::sockets::{Happening, Sockets, Stamps};

/// A connection: what came and is not yet a request, and whether it is of no more use.
#[derive(Debug, Default)]
struct Connection {
    pending: Vec<u8>,
    is_over: bool,
}

/// Serves until standard input is closed, then writes the counts.
///
/// # Errors
/// If the address is taken, or the kernel refuses to wait.
pub fn serve(listen: SocketAddr, output: &mut dyn Write) -> anyhow::Result<()> {
    let mut sockets = Sockets::listen(listen, Stamps::None, output)?;
    let mut service = Service::default();
    let mut connections: Vec<Connection> = Vec::new();
    let (mut out, mut body) = (Vec::new(), Vec::new());
    loop {
        sockets.wait(None)?;
        while let Some(happening) = sockets.next()? {
            match happening {
                Happening::Opened(slot) if slot == connections.len() => {
                    connections.push(Connection::default());
                }
                Happening::Opened(slot) => connections[slot] = Connection::default(),
                Happening::Readable(slot) => loop {
                    let bytes = sockets.receive(slot).bytes;
                    let count = bytes.len();
                    out.clear();
                    connections[slot].take(bytes, &mut service, &mut out, &mut body);
                    if !out.is_empty() {
                        sockets.send(slot, &out);
                    }
                    if !Sockets::may_have_more(count) {
                        break;
                    }
                },
                Happening::Finish => {
                    writeln!(output, "{}", serde_json::to_string(&service.counts)?)?;
                    return Ok(());
                }
            }
        }
    }
}

impl Connection {
    /// Answers all whole requests; mostly exactly one came, and nothing is copied.
    fn take(&mut self, bytes: &[u8], service: &mut Service, out: &mut Vec<u8>, body: &mut Vec<u8>) {
        if self.is_over {
            return;
        }
        if self.pending.is_empty() {
            let used = self.answer(bytes, service, out, body);
            self.pending.extend_from_slice(&bytes[used..]);
            return;
        }
        self.pending.extend_from_slice(bytes);
        let mut pending = mem::take(&mut self.pending);
        let used = self.answer(&pending, service, out, body);
        pending.drain(..used);
        self.pending = pending;
    }

    /// Returns how many bytes were requests, or are to be forgotten.
    fn answer(
        &mut self,
        bytes: &[u8],
        service: &mut Service,
        out: &mut Vec<u8>,
        body: &mut Vec<u8>,
    ) -> usize {
        let mut used = 0;
        while used < bytes.len() {
            body.clear();
            let status = match next(&bytes[used..]) {
                Next::Part => return used,
                Next::Whole(request, length) => {
                    used += length;
                    service.answer(request, body)
                }
                Next::Malformed => {
                    used = bytes.len();
                    self.is_over = true;
                    service.refuse(body)
                }
            };
            append(status, body, self.is_over, out);
        }
        used
    }
}

fn append(status: u16, body: &[u8], is_last: bool, out: &mut Vec<u8>) {
    let reason = match status {
        200 => "OK",
        201 => "Created",
        400 => "Bad Request",
        401 => "Unauthorized",
        _ => "Not Found",
    };
    let close = if is_last { "Connection: close\r\n" } else { "" };
    let length = body.len();
    // Writing to memory cannot fail.
    let _ = write!(
        out,
        "HTTP/1.1 {status} {reason}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n{close}\r\n"
    );
    out.extend_from_slice(body);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(pieces: &[&[u8]]) -> (String, Service) {
        let (mut connection, mut service) = (Connection::default(), Service::default());
        let (mut out, mut body) = (Vec::new(), Vec::new());
        for piece in pieces {
            connection.take(piece, &mut service, &mut out, &mut body);
        }
        (String::from_utf8(out).expect("is text"), service)
    }

    const LOGIN: &[u8] = b"POST /login HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}";

    #[test]
    fn requests_are_answered_in_order_however_they_are_cut() {
        let all = [LOGIN, LOGIN, b"GET /items HTTP/1.1\r\n\r\n"].concat();
        let whole = answers(&[&all]).0;
        assert_eq!(whole.matches("HTTP/1.1 200 OK").count(), 2);
        assert_eq!(whole.matches("HTTP/1.1 401 Unauthorized").count(), 1);
        for cut in 0..all.len() {
            assert_eq!(answers(&[&all[..cut], &all[cut..]]).0, whole);
        }
        let singly: Vec<&[u8]> = all.chunks(1).collect();
        assert_eq!(answers(&singly).0, whole);
    }

    #[test]
    fn behind_a_length_that_lies_nothing_is_answered_any_more() {
        let short = b"POST /login HTTP/1.1\r\nContent-Length: 1\r\n\r\n{}";
        let (text, service) = answers(&[short, LOGIN]);
        assert_eq!(text.matches("HTTP/1.1 400 Bad Request").count(), 2);
        assert!(text.contains("Connection: close"));
        assert_eq!((service.counts.malformed, service.counts.logins), (2, 0));
    }
}
