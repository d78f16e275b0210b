//! What the minimal server answers over HTTP/1.1: the same small response to every request.

use crate::request_ends::RequestEnds;

/// The response; its body is that of the HTTP/2 answer and of nginx in the benchmark.
pub const RESPONSE: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n\r\nHello, world!";

/// One connection's part of a protocol: bytes in, bytes out.
pub trait Answers: Default {
    /// Takes bytes that came and appends what is to be sent to `out`; returns how many requests
    /// ended.
    fn take(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> usize;
}

/// HTTP/1.1, for requests without a body.
#[derive(Debug, Default)]
pub struct Http1Answers {
    ends: RequestEnds,
}

impl Answers for Http1Answers {
    fn take(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> usize {
        let ended = self.ends.count(bytes);
        for _ in 0..ended {
            out.extend_from_slice(RESPONSE);
        }
        ended
    }
}
