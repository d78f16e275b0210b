//! What a response's status line and headers say about its framing and its connection.

use thiserror::Error;

use crate::plan::check::is_token_byte;

/// Why bytes are not a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// The first bytes are not `HTTP/1.`.
    #[error("the response does not begin with HTTP/1.")]
    NotHttp,
    /// A status line of another form.
    #[error("the status line is malformed")]
    StatusLine,
    /// A header line of another form.
    #[error("a header line is malformed")]
    Header,
    /// Content-Length is no number, or two differ.
    #[error("Content-Length is malformed or contradicts itself")]
    ContentLength,
    /// A chunk's size is no number, or its data does not end where it says.
    #[error("a chunk is malformed")]
    Chunk,
    /// Head, trailers or a chunk-size line beyond the limit.
    #[error("head, trailers or a chunk-size line exceed 64 KiB")]
    TooLong,
    /// 101 without having been asked for.
    #[error("the server switched protocols unasked")]
    Upgrade,
}

/// Where the body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// A 1xx response: the real one follows.
    Interim,
    /// After so many bytes.
    Length(u64),
    /// After the chunk of size 0.
    Chunked,
    /// With the connection.
    UntilClose,
}

/// What was read so far of one head.
#[derive(Clone, Copy, Debug, Default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent things that headers say"
)]
pub struct FramingHeaders {
    status: u16,
    is_http_1_0: bool,
    content_length: Option<u64>,
    has_transfer_encoding: bool,
    is_chunked: bool,
    says_close: bool,
    says_keep_alive: bool,
    ends_with_connection: bool,
}

const VERSION: &[u8] = b"HTTP/1.";

impl FramingHeaders {
    /// Refuses what cannot become a status line, before its end has come: `piece` follows after
    /// `known` bytes that were taken already.
    ///
    /// # Errors
    /// If the line does not begin with `HTTP/1.`.
    pub fn check_beginning(known: usize, piece: &[u8]) -> Result<(), ParseError> {
        let expected = &VERSION[known.min(VERSION.len())..];
        let length = expected.len().min(piece.len());
        if piece[..length] == expected[..length] {
            Ok(())
        } else {
            Err(ParseError::NotHttp)
        }
    }

    /// Reads the status line and returns the status.
    ///
    /// # Errors
    /// If it is of another form than `HTTP/1.x NNN`, with or without a reason, or has a CR or NUL in it;
    /// that it begins with `HTTP/1.` is known from `check_beginning`.
    pub fn status_line(&mut self, line: &[u8]) -> Result<u16, ParseError> {
        let digit = |place: usize| match line.get(place) {
            Some(byte @ b'0'..=b'9') => Ok(u16::from(byte - b'0')),
            _ => Err(ParseError::StatusLine),
        };
        let is_space = |place: usize| line.get(place).is_none_or(|&byte| byte == b' ');
        self.is_http_1_0 = digit(7)? == 0;
        self.status = digit(9)? * 100 + digit(10)? * 10 + digit(11)?;
        if !is_space(8) || !is_space(12) || self.status < 100 || has_forbidden_byte(line) {
            return Err(ParseError::StatusLine);
        }
        Ok(self.status)
    }

    /// Reads one header line and returns name and value.
    ///
    /// # Errors
    /// If the name is no token (a folded line has none), there is a CR or NUL in it, or
    /// Content-Length is no number.
    pub fn header_line<'a>(&mut self, line: &'a [u8]) -> Result<(&'a [u8], &'a [u8]), ParseError> {
        let colon = memchr::memchr(b':', line).ok_or(ParseError::Header)?;
        let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
        let is_token = !name.is_empty() && name.iter().all(|&byte| is_token_byte(byte));
        if !is_token || has_forbidden_byte(line) {
            return Err(ParseError::Header);
        }
        // The length tells most headers apart without comparing names.
        match name.len() {
            10 if name.eq_ignore_ascii_case(b"connection") => {
                for token in value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii) {
                    self.says_close |= token.eq_ignore_ascii_case(b"close");
                    self.says_keep_alive |= token.eq_ignore_ascii_case(b"keep-alive");
                }
            }
            14 if name.eq_ignore_ascii_case(b"content-length") => self.content_length(value)?,
            17 if name.eq_ignore_ascii_case(b"transfer-encoding") => {
                let last = value
                    .rsplit(|&byte| byte == b',')
                    .next()
                    .unwrap_or_default();
                self.has_transfer_encoding = true;
                self.is_chunked = last.trim_ascii().eq_ignore_ascii_case(b"chunked");
            }
            _ => {}
        }
        Ok((name, value))
    }

    /// RFC 9110 section 8.6: a list of equal values counts as one, anything else is an error.
    fn content_length(&mut self, value: &[u8]) -> Result<(), ParseError> {
        for part in value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii) {
            // 18 digits cannot overflow 64 bits.
            if part.is_empty() || part.len() > 18 || !part.iter().all(u8::is_ascii_digit) {
                return Err(ParseError::ContentLength);
            }
            let length = part
                .iter()
                .fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
            if self.content_length.is_some_and(|known| known != length) {
                return Err(ParseError::ContentLength);
            }
            self.content_length = Some(length);
        }
        Ok(())
    }

    /// Whether the status line said HTTP/1.0.
    #[must_use]
    pub fn is_http_1_0(&self) -> bool {
        self.is_http_1_0
    }

    /// Where the body ends, once the head is complete: RFC 9112 section 6.3.
    ///
    /// # Errors
    /// If the server switches protocols, which no request of the engine asks for.
    pub fn framing(&mut self, is_head_request: bool) -> Result<Framing, ParseError> {
        Ok(match self.status {
            101 => return Err(ParseError::Upgrade),
            100..=199 => Framing::Interim,
            204 | 304 => Framing::Length(0),
            _ if is_head_request => Framing::Length(0),
            _ if self.is_chunked => Framing::Chunked,
            _ => match self.content_length {
                Some(length) if !self.has_transfer_encoding => Framing::Length(length),
                _ => {
                    self.ends_with_connection = true;
                    Framing::UntilClose
                }
            },
        })
    }

    /// Whether the connection outlives the response. HTTP/1.0 with a transfer coding, and a
    /// coding together with a length, may hide a second response: RFC 9112 section 6.1 asks to
    /// close.
    #[must_use]
    pub fn keeps_alive(&self) -> bool {
        let is_doubtful =
            self.has_transfer_encoding && (self.is_http_1_0 || self.content_length.is_some());
        let says_so = if self.is_http_1_0 {
            self.says_keep_alive
        } else {
            true
        };
        says_so && !self.says_close && !self.ends_with_connection && !is_doubtful
    }
}

/// A CR that ends no line, or a NUL: others may read on behind it, so it is refused (RFC 9112, 2.2, and
/// RFC 9110, 5.5).
fn has_forbidden_byte(text: &[u8]) -> bool {
    memchr::memchr2(b'\r', 0, text).is_some()
}
