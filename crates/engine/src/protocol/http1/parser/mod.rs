//! Reads HTTP/1.x responses from bytes as they come: pure, incremental, bounded.
//!
//! Framing follows RFC 9112 section 6.3. Headers are looked at only as far as framing needs, and
//! handed to the sink; nothing is stored but a line that is split between two reads. Left out:
//! decoding of content; what follows a response is the caller's to feed to the next.

use crate::protocol::http1::framing::{Framing, FramingHeaders};

pub use crate::protocol::http1::framing::ParseError;

/// Most bytes of status lines and headers of one response, interim responses included; of its
/// trailers; and of one chunk-size line. Servers and proxies commonly stop at 8 to 64 KiB.
pub const HEAD_LIMIT_BYTES: usize = 65_536;

/// What a response consists of, in the order in which it comes.
pub trait ResponseSink {
    /// A status line; an interim response (1xx) is followed by the status line of the next.
    fn status(&mut self, status: u16);
    /// One header, the value without surrounding white space; trailers are left out.
    fn header(&mut self, name: &[u8], value: &[u8]);
    /// A piece of the body, without its framing.
    fn body(&mut self, piece: &[u8]);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    StatusLine,
    Headers,
    Length(u64),
    ChunkSize,
    Chunk(u64),
    ChunkEnd,
    Trailers,
    UntilClose,
    Complete,
}

/// The parser of one connection; `begin` makes it ready for the next response.
#[derive(Clone, Debug)]
pub struct ResponseParser {
    state: State,
    head: FramingHeaders,
    line: Vec<u8>,
    line_bytes: usize,
    is_head_request: bool,
}

impl Default for ResponseParser {
    fn default() -> Self {
        Self {
            state: State::StatusLine,
            head: FramingHeaders::default(),
            line: Vec::new(),
            line_bytes: 0,
            is_head_request: false,
        }
    }
}

impl ResponseParser {
    /// Makes ready for a new response.
    pub fn begin(&mut self, is_head_request: bool) {
        self.state = State::StatusLine;
        self.head = FramingHeaders::default();
        self.line.clear();
        self.line_bytes = 0;
        self.is_head_request = is_head_request;
    }

    /// Whether the last byte of the response was read.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.state == State::Complete
    }

    /// Whether the connection may carry another request after this response.
    #[must_use]
    pub fn keeps_alive(&self) -> bool {
        self.is_complete() && self.head.keeps_alive()
    }

    /// Whether the last status line said HTTP/1.0.
    #[must_use]
    pub fn is_http_1_0(&self) -> bool {
        self.head.is_http_1_0()
    }

    /// Whether the end of the stream, here, completes the response.
    pub fn end_of_stream(&mut self) -> bool {
        if self.state == State::UntilClose {
            self.state = State::Complete;
        }
        self.is_complete()
    }

    /// Reads on and returns how many bytes belong to this response: all of them, unless it is
    /// complete.
    ///
    /// # Errors
    /// If this is not HTTP/1.x, or goes beyond a limit; the parser is of no use then.
    pub fn feed(
        &mut self,
        input: &[u8],
        sink: &mut impl ResponseSink,
    ) -> Result<usize, ParseError> {
        let mut used = 0;
        while used < input.len() && self.state != State::Complete {
            let rest = &input[used..];
            used += match self.state {
                State::UntilClose => {
                    sink.body(rest);
                    rest.len()
                }
                State::Length(left) | State::Chunk(left) => self.body(left, rest, sink),
                _ => self.line(rest, sink)?,
            };
        }
        Ok(used)
    }

    fn body(&mut self, left: u64, rest: &[u8], sink: &mut impl ResponseSink) -> usize {
        let length = usize::try_from(left).map_or(rest.len(), |left| left.min(rest.len()));
        sink.body(&rest[..length]);
        let left = left - length as u64;
        self.state = match (self.state, left) {
            (State::Chunk(_), 0) => State::ChunkEnd,
            (State::Chunk(_), _) => State::Chunk(left),
            (_, 0) => State::Complete,
            (_, _) => State::Length(left),
        };
        length
    }

    /// Takes one line, or keeps its beginning until the rest comes.
    fn line(&mut self, rest: &[u8], sink: &mut impl ResponseSink) -> Result<usize, ParseError> {
        let end = memchr::memchr(b'\n', rest);
        let length = end.map_or(rest.len(), |end| end + 1);
        if self.state == State::StatusLine {
            FramingHeaders::check_beginning(self.line.len(), &rest[..length])?;
        }
        self.line_bytes += length;
        if self.line_bytes > HEAD_LIMIT_BYTES {
            return Err(ParseError::TooLong);
        }
        if self.line.is_empty() && end.is_some() {
            self.on_line(trim_line_end(&rest[..length]), sink)?;
            return Ok(length);
        }
        self.line.extend_from_slice(&rest[..length]);
        if end.is_some() {
            let mut line = std::mem::take(&mut self.line);
            self.on_line(trim_line_end(&line), sink)?;
            line.clear();
            self.line = line;
        }
        Ok(length)
    }

    fn on_line(&mut self, line: &[u8], sink: &mut impl ResponseSink) -> Result<(), ParseError> {
        match self.state {
            State::StatusLine => {
                sink.status(self.head.status_line(line)?);
                self.state = State::Headers;
            }
            State::Headers if !line.is_empty() => {
                let (name, value) = self.head.header_line(line)?;
                sink.header(name, value);
            }
            State::Headers => self.on_head_end()?,
            State::ChunkSize => {
                self.line_bytes = 0;
                self.state = match chunk_size(line)? {
                    0 => State::Trailers,
                    size => State::Chunk(size),
                };
            }
            State::ChunkEnd if line.is_empty() => {
                self.line_bytes = 0;
                self.state = State::ChunkSize;
            }
            State::ChunkEnd => return Err(ParseError::Chunk),
            State::Trailers if line.is_empty() => self.state = State::Complete,
            // Trailers change nothing about the response; `line_bytes` bounds them. The other
            // states read no lines.
            State::Trailers
            | State::Length(_)
            | State::Chunk(_)
            | State::UntilClose
            | State::Complete => {}
        }
        Ok(())
    }

    fn on_head_end(&mut self) -> Result<(), ParseError> {
        let framing = self.head.framing(self.is_head_request)?;
        self.state = match framing {
            Framing::Interim => {
                self.head = FramingHeaders::default();
                State::StatusLine
            }
            Framing::Length(0) => State::Complete,
            Framing::Length(length) => State::Length(length),
            Framing::Chunked => {
                self.line_bytes = 0;
                State::ChunkSize
            }
            Framing::UntilClose => State::UntilClose,
        };
        Ok(())
    }
}

/// Drops LF and an optional CR before it: RFC 9112 section 2.2 lets a recipient take a bare LF.
fn trim_line_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn chunk_size(line: &[u8]) -> Result<u64, ParseError> {
    let digits = line
        .split(|&byte| byte == b';')
        .next()
        .unwrap_or_default()
        .trim_ascii_end();
    // 15 hexadecimal digits are an exabyte, and cannot overflow.
    if digits.is_empty() || digits.len() > 15 {
        return Err(ParseError::Chunk);
    }
    digits.iter().try_fold(0_u64, |size, &digit| {
        let value = char::from(digit).to_digit(16).ok_or(ParseError::Chunk)?;
        Ok(size * 16 + u64::from(value))
    })
}

#[cfg(test)]
mod tests;
