//! What a server of HTTP/2 may send: any cut of the bytes is read alike, every stream ends at most
//! once, and what is written in return stays small.
//!
//! Input: bits of the first byte say whether the sink wants headers (1), SETTINGS come first (2),
//! every third stream is cancelled (4), and ended streams are followed by new ones (8); the second
//! is the length of the pieces; the rest is what the server sends.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use loadstone_engine::fuzzing::{
    Fields, Http2Codec, Http2Error, Http2Request, StreamEnd, StreamSink,
};

const STREAMS: u32 = 8;

#[derive(Debug, PartialEq, Eq)]
enum Event {
    Status(u32, u16),
    Header(u32, Vec<u8>, Vec<u8>),
    Body(u32, Vec<u8>),
    Ended(u32, StreamEnd),
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    wants_headers: bool,
    open: [bool; STREAMS as usize],
    bytes: [usize; STREAMS as usize],
    events: Vec<Event>,
}

impl Seen {
    fn is_open(&mut self, tag: u32) -> &mut bool {
        let is_open = &mut self.open[tag as usize];
        assert!(*is_open, "told of a stream that is not open");
        is_open
    }
}

impl StreamSink for Seen {
    fn wants_headers(&self, _tag: u32) -> bool {
        self.wants_headers
    }

    fn bytes(&mut self, tag: u32, count: usize) {
        self.is_open(tag);
        self.bytes[tag as usize] += count;
    }

    fn status(&mut self, tag: u32, status: u16) {
        assert!((100..1_000).contains(&status));
        self.is_open(tag);
        self.events.push(Event::Status(tag, status));
    }

    fn header(&mut self, tag: u32, name: &[u8], value: &[u8]) {
        assert!(self.wants_headers);
        self.is_open(tag);
        self.events
            .push(Event::Header(tag, name.to_vec(), value.to_vec()));
    }

    fn body(&mut self, tag: u32, piece: &[u8]) {
        self.is_open(tag);
        match self.events.last_mut() {
            Some(Event::Body(last, body)) if *last == tag => body.extend_from_slice(piece),
            _ => self.events.push(Event::Body(tag, piece.to_vec())),
        }
    }

    fn ended(&mut self, tag: u32, end: StreamEnd) {
        *self.is_open(tag) = false;
        self.events.push(Event::Ended(tag, end));
    }
}

struct Requests {
    fields: Fields,
    /// Without a body, with one, and of HEAD.
    requests: [Arc<Http2Request>; 3],
}

impl Requests {
    fn new() -> Self {
        let mut fields = Fields::new();
        let requests = [(&b"GET"[..], 0), (b"POST", 70_000), (b"HEAD", 0)];
        let requests = requests.map(|(method, length)| {
            Arc::new(Http2Request {
                block: [
                    fields.add(b":method", method),
                    fields.add(b":path", b"/a/path"),
                ]
                .into_iter()
                .collect(),
                body: vec![b'x'; length],
                is_head: method == b"HEAD",
            })
        });
        Self { fields, requests }
    }

    fn open(&self, session: &mut Http2Codec, seen: &mut Seen, out: &mut Vec<u8>) {
        for tag in 0..STREAMS {
            if session.can_open() && !seen.open[tag as usize] {
                seen.open[tag as usize] = true;
                let request = &self.requests[tag as usize % self.requests.len()];
                session.open(tag, &self.fields, request, out);
            }
        }
    }
}

fn read<'a>(
    pieces: impl Iterator<Item = &'a [u8]>,
    flags: u8,
) -> (Seen, Result<(), Http2Error>, Vec<u8>) {
    let requests = Requests::new();
    let mut out = Vec::new();
    let mut session = Http2Codec::new(STREAMS, &mut out);
    let mut seen = Seen {
        wants_headers: flags & 1 != 0,
        ..Seen::default()
    };
    if flags & 2 != 0 {
        let settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
        session
            .feed(&settings, &mut seen, &mut out)
            .expect("a server's beginning");
        requests.open(&mut session, &mut seen, &mut out);
    }
    if flags & 4 != 0 {
        for tag in (0..STREAMS).step_by(3) {
            session.cancel(tag, &mut out);
            seen.open[tag as usize] = false;
        }
    }
    let mut result = Ok(());
    for piece in pieces {
        let before = out.len();
        result = session.feed(piece, &mut seen, &mut out);
        // A reset for each stream, a farewell, what began in earlier pieces, and an answer of its
        // own length to each frame.
        assert!(out.len() - before <= piece.len() + 13 * STREAMS as usize + 34);
        assert_eq!(
            session.open_streams(),
            seen.open.iter().filter(|is_open| **is_open).count()
        );
        if result.is_err() {
            break;
        }
        if flags & 8 != 0 {
            requests.open(&mut session, &mut seen, &mut out);
            let (has_more, before) = (session.has_more(), out.len());
            session.write_more(&mut out);
            assert_eq!(out.len() > before, has_more);
        }
    }
    (seen, result, out)
}

fuzz_target!(|input: &[u8]| {
    let [flags, length, bytes @ ..] = input else {
        return;
    };
    let pieces = || bytes.chunks(usize::from(*length) + 1);
    if flags & 8 == 0 {
        assert_eq!(read([bytes].into_iter(), *flags), read(pieces(), *flags));
    } else {
        // New streams are opened between the pieces: another cut is another story.
        let _ = read(pieces(), *flags);
    }
});
