//! Responses of HTTP/1, one after the other: any cut of the bytes is read alike.
//!
//! Input: bit 0 of the first byte says that HEAD was asked for; the second is the length of the
//! pieces; the rest is what the server sends.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loadstone_engine::fuzzing::{ResponseParser, ResponseSink};

#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    statuses: Vec<u16>,
    headers: Vec<(Vec<u8>, Vec<u8>)>,
    body: Vec<u8>,
    ends: Vec<String>,
}

impl ResponseSink for Seen {
    fn status(&mut self, status: u16) {
        self.statuses.push(status);
    }

    fn header(&mut self, name: &[u8], value: &[u8]) {
        self.headers.push((name.to_vec(), value.to_vec()));
    }

    fn body(&mut self, piece: &[u8]) {
        self.body.extend_from_slice(piece);
    }
}

fn read<'a>(pieces: impl Iterator<Item = &'a [u8]>, is_head_request: bool) -> Seen {
    let (mut parser, mut seen) = (ResponseParser::default(), Seen::default());
    parser.begin(is_head_request);
    for mut piece in pieces {
        while !piece.is_empty() {
            match parser.feed(piece, &mut seen) {
                Ok(used) => {
                    assert!(used <= piece.len());
                    assert!(used == piece.len() || parser.is_complete());
                    piece = &piece[used..];
                }
                Err(error) => {
                    seen.ends.push(error.to_string());
                    return seen;
                }
            }
            if parser.is_complete() {
                seen.ends.push(parser.keeps_alive().to_string());
                parser.begin(is_head_request);
            }
        }
    }
    seen.ends.push(parser.end_of_stream().to_string());
    seen
}

fuzz_target!(|input: &[u8]| {
    let [flags, length, bytes @ ..] = input else {
        return;
    };
    let is_head_request = flags & 1 == 1;
    let whole = read([bytes].into_iter(), is_head_request);
    let pieces = bytes.chunks(usize::from(*length) + 1);
    assert_eq!(read(pieces, is_head_request), whole);
});
