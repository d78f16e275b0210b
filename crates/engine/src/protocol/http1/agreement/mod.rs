//! Agreement with the response parser of another maker, case by case of its own tests.
//!
//! The cases are the public ones of `llhttp`, the parser of Node.js, with the events that it reports;
//! they are not part of the project (`foreign_data`). It knows lenient modes, pauses and other
//! protocols than HTTP, so it may well differ: every difference has its reason in `DIFFERENCES`.

mod cases;

use std::fs;

use self::cases::Case;
use super::{Http1Codec, Http1Request};
use crate::protocol::foreign_data;
use crate::protocol::http2::{StreamEnd, StreamSink, WantedHeaders};

const FOLDER: &str = "llhttp-response";
/// How many cases its files hold, so that a part of them does not pass for all.
const CASES: usize = 85;

const NO_LF_ALONE: &str = "RFC 9112, 2.2 lets a recipient take a bare LF for the end of a line";
const NO_LENIENCE: &str = "the other parser was told to be lenient";
const NO_FILLING: &str = "an empty line between two responses is the end of no response";
const NO_BLANKS: &str = "blanks behind a value are no part of it (RFC 9110, 5.5)";
const NO_EXCESS: &str = "bytes behind the only response that is awaited make its framing doubtful, so it is refused, too";
const NO_OTHER: &str = "the engine asks for HTTP/1.0 and 1.1 alone";
const NO_UPGRADE: &str = "nothing that the engine sends asks for another protocol";
const NO_EXTENSION: &str = "extensions of chunks mean nothing to the engine, so they are not read";

/// Where the two differ, by file and title, and why.
const DIFFERENCES: &[(&str, &str, &str)] = &[
    (
        "connection",
        "HTTP/1.1 with keep-alive disabled and 204 status",
        NO_EXCESS,
    ),
    (
        "connection",
        "HTTP/1.1 with keep-alive disabled, content-length (lenient)",
        NO_LENIENCE,
    ),
    (
        "connection",
        "HTTP/1.1 with keep-alive disabled, content-length",
        NO_EXCESS,
    ),
    (
        "connection",
        "HTTP/1.1 with keep-alive disabled and 204 status (lenient)",
        NO_LENIENCE,
    ),
    (
        "connection",
        "HTTP 101 response with Upgrade and Content-Length header",
        NO_UPGRADE,
    ),
    (
        "connection",
        "HTTP 101 response with Upgrade and Transfer-Encoding header",
        NO_UPGRADE,
    ),
    ("connection", "HTTP 304 with Content-Length", NO_FILLING),
    ("connection", "HTTP 100 first, then 400", NO_FILLING),
    (
        "content-length",
        "Tabs in `Content-Length` (surrounding)",
        NO_BLANKS,
    ),
    (
        "invalid",
        "Bare CR after response line (lenient)",
        NO_LENIENCE,
    ),
    (
        "invalid",
        "Invalid space after start line",
        "a line is judged when it has ended, and this one has not",
    ),
    ("invalid", "Only LFs present and no body", NO_LF_ALONE),
    ("invalid", "Only LFs present", NO_LF_ALONE),
    (
        "lenient-version",
        "Invalid HTTP version (lenient)",
        NO_LENIENCE,
    ),
    ("pipelining", "Should parse multiple events", NO_FILLING),
    ("sample", "RTSP response", NO_OTHER),
    ("sample", "ICE response", NO_OTHER),
    ("sample", "Google 301", NO_BLANKS),
    ("sample", "No carriage ret", NO_LF_ALONE),
    ("sample", "HTTP version 0.9", NO_OTHER),
    ("sample", "Response starting with CRLF", NO_FILLING),
    (
        "transfer-encoding",
        "Trailing space on chunked body",
        "old servers pad the size of a chunk with blanks, which can mean nothing else",
    ),
    (
        "transfer-encoding",
        "No extension after semicolon",
        NO_EXTENSION,
    ),
    (
        "transfer-encoding",
        "Unbalanced chunk extensions quoting",
        NO_EXTENSION,
    ),
    (
        "transfer-encoding",
        "Invalid OBS fold after chunked value",
        NO_LENIENCE,
    ),
];

/// What a parser made of the bytes of a connection.
#[derive(Debug, Default, PartialEq, Eq)]
struct Reading {
    messages: Vec<Message>,
    is_refused: bool,
}

/// A response, as far as it was read; an interim one is a message of its own.
#[derive(Debug, Default, PartialEq, Eq)]
struct Message {
    status: Option<u16>,
    headers: Vec<(Vec<u8>, Vec<u8>)>,
    body: Vec<u8>,
    is_complete: bool,
}

impl Message {
    fn is_interim(&self) -> bool {
        matches!(self.status, Some(100 | 102..200))
    }
}

/// Takes down what the codec tells.
#[derive(Default)]
struct Seen {
    reading: Reading,
    /// The request whose response begins with the next byte.
    next: u32,
}

impl Seen {
    fn last(&mut self) -> &mut Message {
        self.reading.messages.last_mut().expect("has begun")
    }
}

impl StreamSink for Seen {
    fn wants_headers(&self, _tag: u32) -> WantedHeaders {
        WantedHeaders::All
    }

    fn bytes(&mut self, tag: u32, _count: usize) {
        if tag == self.next {
            self.reading.messages.push(Message::default());
            self.next += 1;
        }
    }

    fn status(&mut self, _tag: u32, status: u16) {
        if self.last().is_interim() {
            self.last().is_complete = true;
            self.reading.messages.push(Message::default());
        }
        self.last().status = Some(status);
    }

    fn header(&mut self, _tag: u32, name: &[u8], value: &[u8]) {
        self.last().headers.push((name.to_vec(), value.to_vec()));
    }

    fn body(&mut self, _tag: u32, piece: &[u8]) {
        self.last().body.extend_from_slice(piece);
    }

    fn ended(&mut self, _tag: u32, end: StreamEnd) {
        assert_eq!(end, StreamEnd::Complete);
        self.last().is_complete = true;
    }
}

/// What the engine makes of it, with as many requests in flight as the other parser saw answers.
fn engine_reads(case: &Case) -> Reading {
    let messages = case.reading.messages.iter();
    let requests = messages.filter(|message| !message.is_interim()).count();
    let request = Http1Request {
        bytes: b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        is_head: case.is_head,
        closes: false,
    };
    let mut codec = Http1Codec::new(requests);
    for tag in (0_u32..).take(requests) {
        codec.open(tag, &request, &mut Vec::new());
    }
    let mut seen = Seen::default();
    seen.reading.is_refused = codec.feed(&case.input, &mut seen).is_err();
    seen.reading
}

/// Whether both tell the same. A head that did not end counts as not read: the other parser then tells
/// no status, and the engine each line.
fn agree(theirs: &Reading, mut ours: Reading) -> bool {
    for (message, other) in ours.messages.iter_mut().zip(&theirs.messages) {
        if other.status.is_none() && message.body.is_empty() && !message.is_complete {
            message.status = None;
            message.headers.clone_from(&other.headers);
        }
    }
    ours == *theirs
}

#[test]
fn responses_are_read_as_another_parser_reads_them_but_where_a_reason_is_given() {
    let Some(folder) = foreign_data::find(FOLDER) else {
        return;
    };
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect();
    files.sort();
    let (mut count, mut differing) = (0, Vec::new());
    for path in files {
        let file = path.file_stem().expect("a name").to_string_lossy();
        let text = fs::read_to_string(&path).expect("is read");
        for case in cases::read(&text) {
            count += 1;
            let ours = engine_reads(&case);
            if !agree(&case.reading, ours) {
                differing.push((file.clone().into_owned(), case.title));
            }
        }
    }
    let explained: Vec<_> = DIFFERENCES
        .iter()
        .map(|(file, title, _)| ((*file).to_owned(), (*title).to_owned()))
        .collect();
    assert_eq!(differing, explained);
    assert_eq!(count, CASES);
}
