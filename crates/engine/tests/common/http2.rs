//! An HTTP/2 server at the level of frames, so that it can break any rule.
//!
//! It reads no header blocks: whatever is asked is one request. What it answers is written out by
//! the test, and only `send_data` keeps to the client's flow control.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;

use super::server::{Server, Then, reset};

const PREFACE_BYTES: usize = 24;
const FRAME_HEADER_BYTES: usize = 9;
/// RFC 9113, section 6.9.2.
const DEFAULT_WINDOW: i64 = 65_535;

pub const DATA: u8 = 0x0;
pub const HEADERS: u8 = 0x1;
pub const PRIORITY: u8 = 0x2;
pub const RST_STREAM: u8 = 0x3;
pub const SETTINGS: u8 = 0x4;
pub const PUSH_PROMISE: u8 = 0x5;
pub const PING: u8 = 0x6;
pub const GOAWAY: u8 = 0x7;
pub const WINDOW_UPDATE: u8 = 0x8;
pub const CONTINUATION: u8 = 0x9;

pub const ACK: u8 = 0x1;
pub const END_STREAM: u8 = 0x1;
pub const END_HEADERS: u8 = 0x4;
pub const PADDED: u8 = 0x8;
pub const HAS_PRIORITY: u8 = 0x20;

pub const HEADER_TABLE_SIZE: u16 = 0x1;
pub const MAX_CONCURRENT_STREAMS: u16 = 0x3;
pub const INITIAL_WINDOW_SIZE: u16 = 0x4;
pub const MAX_FRAME_SIZE: u16 = 0x5;

/// `:status: 200`, by its index in the static table (RFC 7541, appendix A).
pub const STATUS_200: &[u8] = &[0x88];

/// A frame as it came.
pub struct Frame {
    pub kind: u8,
    pub flags: u8,
    pub stream: u32,
    pub payload: Vec<u8>,
}

/// One frame as bytes.
pub fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("a short payload");
    let mut bytes = length.to_be_bytes()[1..].to_vec();
    bytes.extend([kind, flags]);
    bytes.extend(stream.to_be_bytes());
    bytes.extend(payload);
    bytes
}

/// The SETTINGS frame of these settings.
pub fn settings(values: &[(u16, u32)]) -> Vec<u8> {
    let bytes = |&(name, value): &(u16, u32)| {
        let (name, value) = (name.to_be_bytes(), value.to_be_bytes());
        [name.as_slice(), value.as_slice()].concat()
    };
    let payload: Vec<u8> = values.iter().flat_map(bytes).collect();
    frame(SETTINGS, 0, 0, &payload)
}

/// A header that enters no table (RFC 7541, section 6.2.2); name and value up to 126 bytes.
pub fn literal(name: &str, value: &str) -> Vec<u8> {
    let length = |text: &str| u8::try_from(text.len()).expect("a short text");
    let mut bytes = vec![0x00, length(name)];
    bytes.extend(name.as_bytes());
    bytes.push(length(value));
    bytes.extend(value.as_bytes());
    bytes
}

/// A whole response: 200 with this body, in one frame each.
pub fn response(stream: u32, body: &[u8]) -> Vec<u8> {
    let head = frame(HEADERS, END_HEADERS, stream, STATUS_200);
    [head, frame(DATA, END_STREAM, stream, body)].concat()
}

/// One connection, seen from the server.
pub struct Peer {
    stream: TcpStream,
    /// The body of the request that was read last.
    pub body: Vec<u8>,
    /// Payloads of acknowledged PINGs.
    pub pongs: Vec<Vec<u8>>,
    /// Bytes of DATA that the client allows on the connection, and on the stream begun last.
    connection_window: i64,
    stream_window: i64,
    initial_window: i64,
    /// Streams that were begun and not read to their end.
    pub begun: Vec<u32>,
}

impl Peer {
    /// Writes these bytes; false: the client has gone.
    pub fn write(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).is_ok()
    }

    /// Writes each byte in a packet of its own.
    pub fn trickle(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write(&[*byte]);
        }
    }

    /// The next frame; none: the client has gone.
    pub fn read(&mut self) -> Option<Frame> {
        let mut header = [0; FRAME_HEADER_BYTES];
        self.stream.read_exact(&mut header).ok()?;
        let length = u32::from_be_bytes([0, header[0], header[1], header[2]]);
        let mut payload = vec![0; length as usize];
        self.stream.read_exact(&mut payload).ok()?;
        let stream = u32::from_be_bytes([header[5], header[6], header[7], header[8]]);
        Some(Frame {
            kind: header[3],
            flags: header[4],
            stream,
            payload,
        })
    }

    /// Reads up to the end of a request, and gives its stream; its body is in `body`.
    pub fn next_request(&mut self) -> Option<u32> {
        self.body.clear();
        loop {
            let frame = self.obey()?;
            if matches!(frame.kind, HEADERS | DATA) && frame.flags & END_STREAM != 0 {
                self.begun.retain(|stream| *stream != frame.stream);
                return Some(frame.stream);
            }
        }
    }

    /// Reads one frame and does what every server does about it.
    pub fn obey(&mut self) -> Option<Frame> {
        let frame = self.read()?;
        match frame.kind {
            HEADERS => {
                self.begun.push(frame.stream);
                self.stream_window = self.initial_window;
            }
            DATA => self.body.extend(&frame.payload),
            SETTINGS if frame.flags & ACK == 0 => {
                for setting in frame.payload.chunks_exact(6) {
                    if setting[..2] == INITIAL_WINDOW_SIZE.to_be_bytes() {
                        self.initial_window = number(&setting[2..]);
                    }
                }
                self.write(&self::frame(SETTINGS, ACK, 0, &[]));
            }
            WINDOW_UPDATE if frame.stream == 0 => self.connection_window += number(&frame.payload),
            WINDOW_UPDATE => self.stream_window += number(&frame.payload),
            PING if frame.flags & ACK != 0 => self.pongs.push(frame.payload.clone()),
            _ => {}
        }
        Some(frame)
    }

    /// Writes one DATA frame once the client's windows allow it; false: the client has gone.
    pub fn send_data(&mut self, stream: u32, piece: &[u8]) -> bool {
        let length = i64::try_from(piece.len()).expect("a short piece");
        while self.connection_window < length || self.stream_window < length {
            if self.obey().is_none() {
                return false;
            }
        }
        self.connection_window -= length;
        self.stream_window -= length;
        self.write(&frame(DATA, 0, stream, piece))
    }

    /// Reads until the client has gone.
    pub fn drain(&mut self) {
        while self.read().is_some() {}
    }
}

/// A server that greets with these settings and calls `handler` with each complete request.
pub fn serving(
    greeting: &[(u16, u32)],
    handler: impl Fn(&mut Peer, u32) -> Then + Send + Sync + Clone + 'static,
) -> Server {
    let greeting = settings(greeting);
    talking(move |peer| {
        peer.write(&greeting);
        while let Some(stream) = peer.next_request() {
            match handler(peer, stream) {
                Then::Keep => {}
                Then::Close => return,
                Then::Reset => return reset(&peer.stream),
                Then::Hang => return peer.drain(),
            }
        }
    })
}

/// A server that calls `conversation` once the client's preface was read.
pub fn talking(conversation: impl Fn(&mut Peer) + Send + Sync + Clone + 'static) -> Server {
    Server::accepting(std::sync::Arc::default(), move |mut stream| {
        let conversation = conversation.clone();
        thread::spawn(move || {
            // Each write is a packet of its own: a response waits for no acknowledgement.
            stream.set_nodelay(true).expect("an option of TCP");
            if stream.read_exact(&mut [0; PREFACE_BYTES]).is_ok() {
                conversation(&mut Peer {
                    stream,
                    body: Vec::new(),
                    pongs: Vec::new(),
                    connection_window: DEFAULT_WINDOW,
                    stream_window: DEFAULT_WINDOW,
                    initial_window: DEFAULT_WINDOW,
                    begun: Vec::new(),
                });
            }
        });
    })
}

fn number(bytes: &[u8]) -> i64 {
    i64::from(u32::from_be_bytes(bytes.try_into().expect("four bytes")))
}
