//! The codec against a peer that writes any frame it likes.

mod bodies;
mod connection;
mod planned_server;
mod properties;
mod real_server;
mod responses;

use std::sync::Arc;

use super::frame::{self, FrameHeader, flag, kind};
use super::{Http2Codec, Http2Error, Http2Request, StreamEnd, StreamSink};
use crate::protocol::hpack::encoder::Fields;

/// `:status` 200 and 204, as entries of the static table.
const STATUS_200: &[u8] = &[0x88];
const STATUS_204: &[u8] = &[0x89];

#[derive(Clone, Debug, PartialEq, Eq)]
enum Event {
    Status(u32, u16),
    Header(u32, String, String),
    /// Pieces that follow one another are one.
    Body(u32, Vec<u8>),
    Ended(u32, StreamEnd),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Seen {
    events: Vec<Event>,
    /// Bytes by tag.
    bytes: Vec<usize>,
    wants_headers: bool,
}

impl Seen {
    fn ends(&self) -> Vec<(u32, StreamEnd)> {
        let ends = self.events.iter().filter_map(|event| match event {
            Event::Ended(tag, end) => Some((*tag, *end)),
            _ => None,
        });
        ends.collect()
    }
}

impl StreamSink for Seen {
    fn wants_headers(&self, _tag: u32) -> bool {
        self.wants_headers
    }

    fn bytes(&mut self, tag: u32, count: usize) {
        let tag = tag as usize;
        if self.bytes.len() <= tag {
            self.bytes.resize(tag + 1, 0);
        }
        self.bytes[tag] += count;
    }

    fn status(&mut self, tag: u32, status: u16) {
        self.events.push(Event::Status(tag, status));
    }

    fn header(&mut self, tag: u32, name: &[u8], value: &[u8]) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        self.events
            .push(Event::Header(tag, text(name), text(value)));
    }

    fn body(&mut self, tag: u32, piece: &[u8]) {
        match self.events.last_mut() {
            Some(Event::Body(last, body)) if *last == tag => body.extend_from_slice(piece),
            _ => self.events.push(Event::Body(tag, piece.to_vec())),
        }
    }

    fn ended(&mut self, tag: u32, end: StreamEnd) {
        self.events.push(Event::Ended(tag, end));
    }
}

/// A client and what it saw and wrote.
struct Client {
    codec: Http2Codec,
    seen: Seen,
    out: Vec<u8>,
    fields: Fields,
    get: Arc<Http2Request>,
    head: Arc<Http2Request>,
}

impl Client {
    /// Before the peer's SETTINGS.
    fn new(max_streams: u32) -> Self {
        let mut fields = Fields::new();
        let mut request = |method: &[u8]| {
            let block = [
                (&b":method"[..], method),
                (b":scheme", b"http"),
                (b":authority", b"localhost"),
                (b":path", b"/"),
            ];
            Arc::new(Http2Request {
                block: block
                    .map(|(name, value)| fields.add(name, value))
                    .into_iter()
                    .collect(),
                body: Vec::new(),
                is_head: method == b"HEAD",
            })
        };
        let (get, head) = (request(b"GET"), request(b"HEAD"));
        let mut out = Vec::new();
        Self {
            codec: Http2Codec::new(max_streams, &mut out),
            seen: Seen::default(),
            out,
            fields,
            get,
            head,
        }
    }

    /// After the peer's SETTINGS, nothing left to be written.
    fn ready(max_streams: u32) -> Self {
        let mut client = Self::new(max_streams);
        client.feed(&settings(&[])).expect("right");
        client.out.clear();
        client
    }

    /// Ready, and with open streams of the tags 0, 1, ...: numbers 1, 3, ...
    fn with_open(streams: u32) -> Self {
        let mut client = Self::ready(streams);
        for tag in 0..streams {
            client.get(tag);
        }
        client.out.clear();
        client
    }

    fn get(&mut self, tag: u32) {
        self.open(tag, &Arc::clone(&self.get));
    }

    fn head(&mut self, tag: u32) {
        self.open(tag, &Arc::clone(&self.head));
    }

    fn post(&mut self, tag: u32, body: Vec<u8>) {
        let request = Http2Request {
            body,
            ..(*self.get).clone()
        };
        self.open(tag, &Arc::new(request));
    }

    fn open(&mut self, tag: u32, request: &Arc<Http2Request>) {
        self.codec.open(tag, &self.fields, request, &mut self.out);
    }

    fn feed(&mut self, bytes: &[u8]) -> Result<(), Http2Error> {
        self.codec.feed(bytes, &mut self.seen, &mut self.out)
    }

    /// The frames that were written since the last call.
    fn written(&mut self) -> Vec<(FrameHeader, Vec<u8>)> {
        read_frames(&std::mem::take(&mut self.out))
    }
}

fn read_frames(mut bytes: &[u8]) -> Vec<(FrameHeader, Vec<u8>)> {
    let mut frames = Vec::new();
    while let Some((header, rest)) = bytes.split_first_chunk() {
        let header = FrameHeader::read(header);
        let (payload, rest) = rest.split_at(header.length);
        frames.push((header, payload.to_vec()));
        bytes = rest;
    }
    assert!(bytes.is_empty(), "half a frame");
    frames
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    frame::append(kind, flags, stream, payload, &mut out);
    out
}

fn settings(entries: &[(u16, u32)]) -> Vec<u8> {
    let payload: Vec<u8> = entries
        .iter()
        .flat_map(|(id, value)| [&id.to_be_bytes()[..], &value.to_be_bytes()[..]].concat())
        .collect();
    frame(kind::SETTINGS, 0, 0, &payload)
}

/// A head in one frame; `ends` the stream or not.
fn headers(stream: u32, block: &[u8], ends: bool) -> Vec<u8> {
    let ends = if ends { flag::END_STREAM } else { 0 };
    frame(kind::HEADERS, flag::END_HEADERS | ends, stream, block)
}

fn data(stream: u32, payload: &[u8], ends: bool) -> Vec<u8> {
    let ends = if ends { flag::END_STREAM } else { 0 };
    frame(kind::DATA, ends, stream, payload)
}

fn reset(stream: u32, code: u32) -> Vec<u8> {
    frame(kind::RST_STREAM, 0, stream, &code.to_be_bytes())
}

fn window_update(stream: u32, increment: u32) -> Vec<u8> {
    frame(kind::WINDOW_UPDATE, 0, stream, &increment.to_be_bytes())
}

fn goaway(last_stream: u32, code: u32) -> Vec<u8> {
    let payload = [last_stream.to_be_bytes(), code.to_be_bytes()].concat();
    frame(kind::GOAWAY, 0, 0, &payload)
}

/// A field that is not put into the table, spelled out.
fn literal(name: &str, value: &str) -> Vec<u8> {
    let mut field = vec![0];
    for text in [name, value] {
        field.push(u8::try_from(text.len()).expect("a short text"));
        field.extend_from_slice(text.as_bytes());
    }
    field
}
