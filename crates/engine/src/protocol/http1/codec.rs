//! One HTTP/1.1 connection: requests go out in order, responses come back in the same order.
//!
//! With a depth above one, requests are pipelined. No socket and no clock.

use std::collections::VecDeque;
use thiserror::Error;

use super::Http1Request;
use super::parser::{ParseError, ResponseParser, ResponseSink};
use crate::protocol::http2::{StreamEnd, StreamSink};

/// A request beyond this is written in pieces, so that a large body is not held once more for
/// each connection.
const PIECE_BYTES: usize = 65_536;

/// Why what came is no answer to what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Http1Error {
    /// It does not parse.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// Bytes beyond the end of the last response.
    #[error("bytes beyond the end of the response")]
    ExcessBytes,
}

#[derive(Clone, Copy, Debug)]
struct Expected {
    tag: u32,
    is_head: bool,
    closes: bool,
}

/// The state of one connection.
#[derive(Debug)]
pub struct Http1Codec {
    parser: ResponseParser,
    depth: usize,
    expected: VecDeque<Expected>,
    /// The last request and how much of it was written, if it is not yet written whole.
    rest: Option<(u32, usize)>,
    closing: bool,
    over: bool,
}

struct OfTag<'a, S>(u32, &'a mut S);

impl<S: StreamSink> ResponseSink for OfTag<'_, S> {
    fn status(&mut self, status: u16) {
        self.1.status(self.0, status);
    }

    fn header(&mut self, name: &[u8], value: &[u8]) {
        self.1.header(self.0, name, value);
    }

    fn body(&mut self, piece: &[u8]) {
        self.1.body(self.0, piece);
    }
}

impl Http1Codec {
    /// A connection with at most `depth` requests in flight.
    #[must_use]
    pub fn new(depth: usize) -> Self {
        Self {
            parser: ResponseParser::default(),
            depth,
            expected: VecDeque::new(),
            rest: None,
            closing: false,
            over: false,
        }
    }

    /// Whether another request may be written now.
    #[must_use]
    pub fn can_open(&self) -> bool {
        !self.closing && self.rest.is_none() && self.expected.len() < self.depth
    }

    /// How many requests may be in flight.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Whether the connection carries no further request.
    #[must_use]
    pub fn is_closing(&self) -> bool {
        self.closing
    }

    /// Whether the last response was the last of the connection: nothing that comes now counts.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Requests whose responses are to come, in their order.
    pub fn in_flight(&self) -> impl ExactSizeIterator<Item = u32> {
        self.expected.iter().map(|expected| expected.tag)
    }

    /// `1.0` or `1.1`, as the last response said.
    #[must_use]
    pub fn version(&self) -> &'static str {
        if self.parser.is_http_1_0() {
            "1.0"
        } else {
            "1.1"
        }
    }

    /// The peer ended the stream, which completes a response that lasts until then.
    pub fn end_of_stream(&mut self, sink: &mut impl StreamSink) {
        if let Some(&Expected { tag, .. }) = self.expected.front()
            && self.parser.end_of_stream()
        {
            self.expected.pop_front();
            sink.ended(tag, StreamEnd::Complete);
        }
        self.closing = true;
        self.over = true;
    }

    /// Appends a request to `out`: all of it, or its first piece.
    pub fn open(&mut self, tag: u32, request: &Http1Request, out: &mut Vec<u8>) {
        if self.expected.is_empty() {
            self.parser.begin(request.is_head);
        }
        self.expected.push_back(Expected {
            tag,
            is_head: request.is_head,
            closes: request.closes,
        });
        self.closing |= request.closes && self.depth > 1;
        self.write_piece(tag, 0, request, out);
    }

    /// The request that is not yet written whole.
    #[must_use]
    pub fn unwritten(&self) -> Option<u32> {
        self.rest.map(|rest| rest.0)
    }

    /// Appends the next piece of the request that `unwritten` names.
    pub fn write_more(&mut self, request: &Http1Request, out: &mut Vec<u8>) {
        if let Some((tag, written)) = self.rest {
            self.write_piece(tag, written, request, out);
        }
    }

    fn write_piece(&mut self, tag: u32, from: usize, request: &Http1Request, out: &mut Vec<u8>) {
        let to = request.bytes.len().min(from + PIECE_BYTES);
        out.extend_from_slice(&request.bytes[from..to]);
        self.rest = (to < request.bytes.len()).then_some((tag, to));
    }

    /// Reads what came.
    ///
    /// # Errors
    /// If it is no response to the first request in flight, or if no request is in flight.
    pub fn feed(&mut self, mut bytes: &[u8], sink: &mut impl StreamSink) -> Result<(), Http1Error> {
        while !bytes.is_empty() && !self.over {
            let Some(&Expected { tag, closes, .. }) = self.expected.front() else {
                return Err(Http1Error::ExcessBytes);
            };
            sink.bytes(tag, 0);
            let used = self.parser.feed(bytes, &mut OfTag(tag, sink));
            let used = used.map_err(Http1Error::Parse)?;
            sink.bytes(tag, used);
            bytes = &bytes[used..];
            if !self.parser.is_complete() {
                return Ok(());
            }
            // Without another request in flight nothing can follow: its framing is wrong.
            if !bytes.is_empty() && self.expected.len() == 1 {
                return Err(Http1Error::ExcessBytes);
            }
            // A response that came before its whole request leaves the rest unwritten.
            let is_written = self.unwritten() != Some(tag);
            self.over = closes || !self.parser.keeps_alive() || !is_written;
            self.closing |= self.over;
            self.expected.pop_front();
            sink.ended(tag, StreamEnd::Complete);
            if let Some(next) = self.expected.front() {
                self.parser.begin(next.is_head);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Seen {
        ended: Vec<u32>,
        bytes: Vec<(u32, usize)>,
        statuses: Vec<u16>,
    }

    impl StreamSink for Seen {
        fn wants_headers(&self, _tag: u32) -> bool {
            false
        }
        fn bytes(&mut self, tag: u32, count: usize) {
            self.bytes.push((tag, count));
        }
        fn status(&mut self, _tag: u32, status: u16) {
            self.statuses.push(status);
        }
        fn header(&mut self, _tag: u32, _name: &[u8], _value: &[u8]) {}
        fn body(&mut self, _tag: u32, _piece: &[u8]) {}
        fn ended(&mut self, tag: u32, end: StreamEnd) {
            assert_eq!(end, StreamEnd::Complete);
            self.ended.push(tag);
        }
    }

    fn request(method: &str, body: &str) -> Http1Request {
        let length = body.len();
        let text = format!("{method} / HTTP/1.1\r\nContent-Length: {length}\r\n\r\n{body}");
        Http1Request {
            bytes: text.into_bytes(),
            is_head: method == "HEAD",
            closes: false,
        }
    }

    const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    #[test]
    fn pipelined_responses_belong_to_their_requests_in_order() {
        let (mut codec, mut seen, mut out) = (Http1Codec::new(3), Seen::default(), Vec::new());
        codec.open(2, &request("GET", ""), &mut out);
        codec.open(0, &request("HEAD", ""), &mut out);
        codec.open(1, &request("GET", ""), &mut out);
        assert!(!codec.can_open());
        let head = b"HTTP/1.1 404 No\r\nContent-Length: 99\r\n\r\n";
        let all = [OK, head, OK].concat();
        codec.feed(&all[..50], &mut seen).expect("is HTTP");
        codec.feed(&all[50..], &mut seen).expect("is HTTP");
        assert_eq!(seen.ended, [2, 0, 1]);
        assert_eq!(seen.statuses, [200, 404, 200]);
        assert_eq!(
            seen.bytes.iter().map(|entry| entry.1).sum::<usize>(),
            all.len()
        );
        assert!(codec.can_open());
    }

    #[test]
    fn what_nobody_asked_for_is_an_error() {
        let (mut codec, mut seen) = (Http1Codec::new(1), Seen::default());
        assert!(codec.feed(OK, &mut seen).is_err());
        codec.open(0, &request("GET", ""), &mut Vec::new());
        let twice = [OK, OK].concat();
        assert_eq!(codec.feed(&twice, &mut seen), Err(Http1Error::ExcessBytes));
        assert!(seen.ended.is_empty());
    }

    #[test]
    fn a_response_that_says_close_ends_the_pipeline() {
        let (mut codec, mut seen, mut out) = (Http1Codec::new(2), Seen::default(), Vec::new());
        codec.open(0, &request("GET", ""), &mut out);
        codec.open(1, &request("GET", ""), &mut out);
        let last = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
        codec.feed(last, &mut seen).expect("is HTTP");
        assert_eq!(seen.ended, [0]);
        assert!(codec.is_closing() && codec.is_over());
        assert_eq!(codec.in_flight().collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn a_large_request_is_written_in_pieces() {
        let request = request("POST", &"x".repeat(200_000));
        let (mut codec, mut written) = (Http1Codec::new(1), Vec::new());
        codec.open(0, &request, &mut written);
        assert_eq!(written.len(), PIECE_BYTES);
        while codec.unwritten().is_some() {
            codec.write_more(&request, &mut written);
        }
        assert_eq!(written, request.bytes);
    }
}
