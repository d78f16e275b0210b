//! The bytes that scripted servers read and write, as far as they need to understand them.

/// Frames of HTTP/2 by their kind (RFC 9113, section 6).
pub mod kind {
    pub const DATA: u8 = 0;
    pub const HEADERS: u8 = 1;
    pub const RST_STREAM: u8 = 3;
    pub const SETTINGS: u8 = 4;
    pub const PING: u8 = 6;
    pub const GOAWAY: u8 = 7;
    pub const WINDOW_UPDATE: u8 = 8;
}

pub const MAX_CONCURRENT_STREAMS: u16 = 3;
pub const INITIAL_WINDOW_SIZE: u16 = 4;

const PREFACE_BYTES: usize = 24;
const FRAME_HEADER_BYTES: usize = 9;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

/// `:status: 200`, by its index in the static table (RFC 7541, appendix A).
pub const STATUS_200: &[u8] = &[0x88];
/// `:status: 500`.
pub const STATUS_500: &[u8] = &[0x8e];
/// `:status: 302` and a `location` of `/next`, as literals that enter no table.
pub const REDIRECT: &[u8] = b"\x08\x03302\x0f\x1f\x05/next";

/// What a client asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A whole request, on this stream; of HTTP/1 on stream 0.
    Request(u32),
    /// It is not wanted any more.
    Cancelled(u32),
}

/// What a client wrote and is not a whole frame or request yet.
#[derive(Debug, Default)]
pub struct Unread {
    bytes: Vec<u8>,
    preface_read: usize,
}

impl Unread {
    /// What is asked by these bytes and those before.
    pub fn read(&mut self, bytes: &[u8], is_http2: bool) -> Vec<Asked> {
        self.bytes.extend_from_slice(bytes);
        if is_http2 {
            self.frames()
        } else {
            self.requests()
        }
    }

    fn frames(&mut self) -> Vec<Asked> {
        let preface = (PREFACE_BYTES - self.preface_read).min(self.bytes.len());
        self.bytes.drain(..preface);
        self.preface_read += preface;
        let mut asked = Vec::new();
        while let Some(header) = self.bytes.first_chunk::<FRAME_HEADER_BYTES>() {
            let length = u32::from_be_bytes([0, header[0], header[1], header[2]]) as usize;
            let (kind, flags) = (header[3], header[4]);
            let stream = u32::from_be_bytes([header[5], header[6], header[7], header[8]]);
            let end = FRAME_HEADER_BYTES + length;
            if self.bytes.len() < end {
                break;
            }
            self.bytes.drain(..end);
            match kind {
                kind::HEADERS | kind::DATA if flags & END_STREAM != 0 => {
                    asked.push(Asked::Request(stream));
                }
                kind::RST_STREAM => asked.push(Asked::Cancelled(stream)),
                _ => {}
            }
        }
        asked
    }

    fn requests(&mut self) -> Vec<Asked> {
        let mut asked = Vec::new();
        while let Some(head) = memchr::memmem::find(&self.bytes, b"\r\n\r\n") {
            let text = String::from_utf8_lossy(&self.bytes[..head]).into_owned();
            let length = text
                .lines()
                .find_map(|line| line.strip_prefix("Content-Length: "));
            let length: usize = length.and_then(|text| text.parse().ok()).unwrap_or(0);
            let end = head + 4 + length;
            if self.bytes.len() < end {
                break;
            }
            self.bytes.drain(..end);
            asked.push(Asked::Request(0));
        }
        asked
    }
}

/// One frame.
pub fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap_or(0).to_be_bytes();
    let mut bytes = length[1..].to_vec();
    bytes.extend([kind, flags]);
    bytes.extend(stream.to_be_bytes());
    bytes.extend(payload);
    bytes
}

/// SETTINGS with one value.
pub fn setting(name: u16, value: u32) -> Vec<u8> {
    let payload = [&name.to_be_bytes()[..], &value.to_be_bytes()].concat();
    frame(kind::SETTINGS, 0, 0, &payload)
}

/// GOAWAY with the last stream that is answered.
pub fn goaway(last: u32) -> Vec<u8> {
    let payload = [last.to_be_bytes(), [0; 4]].concat();
    frame(kind::GOAWAY, 0, 0, &payload)
}

/// `RST_STREAM` with this code.
pub fn reset(stream: u32, code: u32) -> Vec<u8> {
    frame(kind::RST_STREAM, 0, stream, &code.to_be_bytes())
}

/// A head, and the body `ok` or as much of it as is wanted.
pub fn answer(stream: u32, block: &[u8], body_bytes: usize) -> Vec<u8> {
    let head = frame(kind::HEADERS, END_HEADERS, stream, block);
    let body = &b"ok"[..body_bytes];
    let flags = if body_bytes == 2 { END_STREAM } else { 0 };
    [head, frame(kind::DATA, flags, stream, body)].concat()
}
