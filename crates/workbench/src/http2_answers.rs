//! What the minimal server answers over HTTP/2 (RFC 9113) by prior knowledge: the same small
//! response to every request.
//!
//! Header blocks are not decoded, since the answer does not depend on them. Left out: request
//! bodies, and flow control: a client must open its windows wide at once, as load generators do.

use crate::answers::Answers;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const FRAME_HEADER_BYTES: usize = 9;

const DATA: u8 = 0x0;
const HEADERS: u8 = 0x1;
const SETTINGS: u8 = 0x4;
const PING: u8 = 0x6;
const CONTINUATION: u8 = 0x9;

/// Of SETTINGS and PING.
const ACK: u8 = 0x1;
const END_STREAM: u8 = 0x1;
const END_HEADERS: u8 = 0x4;

/// `:status: 200` is entry 8 of the static table; `content-type` (31) and `content-length` (28) are
/// literals without indexing (RFC 7541, section 6.2.2 and appendix A), so no table changes.
const HEADER_BLOCK: &[u8] = b"\x88\x0f\x10\x0atext/plain\x0f\x0d\x0213";
const BODY: &[u8] = b"Hello, world!";

/// One HTTP/2 connection.
#[derive(Debug, Default)]
pub struct Http2Answers {
    preface_seen: usize,
    header: [u8; FRAME_HEADER_BYTES],
    header_seen: usize,
    payload_left: usize,
    /// Of a PING, whose answer repeats it.
    payload: Vec<u8>,
}

impl Answers for Http2Answers {
    fn take(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> usize {
        let mut rest = bytes;
        let mut ended = 0;
        while !rest.is_empty() {
            let taken = if self.preface_seen < PREFACE.len() {
                self.take_preface(rest, out)
            } else if self.header_seen < FRAME_HEADER_BYTES {
                self.take_header(rest)
            } else {
                self.take_payload(rest)
            };
            rest = &rest[taken..];
            if self.header_seen == FRAME_HEADER_BYTES && self.payload_left == 0 {
                ended += usize::from(self.answer(out));
                self.header_seen = 0;
                self.payload.clear();
            }
        }
        ended
    }
}

impl Http2Answers {
    fn take_preface(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> usize {
        let taken = bytes.len().min(PREFACE.len() - self.preface_seen);
        self.preface_seen += taken;
        if self.preface_seen == PREFACE.len() {
            frame(out, SETTINGS, 0, [0; 4], &[]);
        }
        taken
    }

    fn take_header(&mut self, bytes: &[u8]) -> usize {
        let taken = bytes.len().min(FRAME_HEADER_BYTES - self.header_seen);
        self.header[self.header_seen..][..taken].copy_from_slice(&bytes[..taken]);
        self.header_seen += taken;
        if self.header_seen == FRAME_HEADER_BYTES {
            let [high, middle, low, ..] = self.header;
            self.payload_left = u32::from_be_bytes([0, high, middle, low]) as usize;
        }
        taken
    }

    fn take_payload(&mut self, bytes: &[u8]) -> usize {
        let taken = bytes.len().min(self.payload_left);
        if self.header[3] == PING {
            self.payload.extend_from_slice(&bytes[..taken]);
        }
        self.payload_left -= taken;
        taken
    }

    /// Answers the frame that is complete; whether it ended a request.
    fn answer(&self, out: &mut Vec<u8>) -> bool {
        let [_, _, _, kind, flags, stream @ ..] = self.header;
        match kind {
            HEADERS | CONTINUATION if flags & END_HEADERS != 0 => {
                frame(out, HEADERS, END_HEADERS, stream, HEADER_BLOCK);
                frame(out, DATA, END_STREAM, stream, BODY);
                return true;
            }
            SETTINGS if flags & ACK == 0 => frame(out, SETTINGS, ACK, [0; 4], &[]),
            PING if flags & ACK == 0 => frame(out, PING, ACK, [0; 4], &self.payload),
            _ => {}
        }
        false
    }
}

/// Appends one frame; payloads here are below 256 bytes.
fn frame(out: &mut Vec<u8>, kind: u8, flags: u8, stream: [u8; 4], payload: &[u8]) {
    let length = u8::try_from(payload.len()).unwrap_or_default();
    out.extend_from_slice(&[0, 0, length, kind, flags]);
    out.extend_from_slice(&stream);
    out.extend_from_slice(payload);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn request(stream: u8) -> Vec<u8> {
        let mut bytes = Vec::new();
        let flags = END_HEADERS | END_STREAM;
        let block = [0x82, 0x84, 0x86];
        frame(&mut bytes, HEADERS, flags, [0, 0, 0, stream], &block);
        bytes
    }

    fn conversation() -> Vec<u8> {
        let mut bytes = PREFACE.to_vec();
        frame(&mut bytes, SETTINGS, 0, [0; 4], &[0, 3, 0, 0, 0, 100]);
        bytes.extend(request(1));
        frame(&mut bytes, PING, 0, [0; 4], b"12345678");
        frame(&mut bytes, SETTINGS, ACK, [0; 4], &[]);
        bytes.extend(request(3));
        bytes
    }

    fn answer_to(pieces: &[&[u8]]) -> (usize, Vec<u8>) {
        let (mut answers, mut out) = (Http2Answers::default(), Vec::new());
        let ended = pieces.iter().map(|piece| answers.take(piece, &mut out));
        (ended.sum(), out)
    }

    #[test]
    fn settings_and_pings_are_acknowledged_and_each_request_is_answered_on_its_stream() {
        let response = |stream| {
            let mut bytes = Vec::new();
            let stream = [0, 0, 0, stream];
            frame(&mut bytes, HEADERS, END_HEADERS, stream, HEADER_BLOCK);
            frame(&mut bytes, DATA, END_STREAM, stream, BODY);
            bytes
        };
        let mut expected = vec![0, 0, 0, 4, 0, 0, 0, 0, 0];
        expected.extend([0, 0, 0, 4, 1, 0, 0, 0, 0]);
        expected.extend(response(1));
        expected.extend(b"\0\0\x08\x06\x01\0\0\0\x0012345678");
        expected.extend(response(3));
        assert_eq!(answer_to(&[&conversation()]), (2, expected));
    }

    #[test]
    fn a_block_that_is_continued_is_answered_once_at_its_end() {
        let mut bytes = PREFACE.to_vec();
        frame(&mut bytes, HEADERS, END_STREAM, [0, 0, 0, 1], &[0x82]);
        frame(&mut bytes, CONTINUATION, END_HEADERS, [0, 0, 0, 1], &[0x84]);
        assert_eq!(answer_to(&[&bytes]).0, 1);
    }

    proptest! {
        #[test]
        fn pieces_do_not_change_the_answer(cut in 0_usize..120, next in 0_usize..120) {
            let bytes = conversation();
            let first = cut.min(bytes.len());
            let second = (first + next).min(bytes.len());
            let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
            prop_assert_eq!(answer_to(&pieces), answer_to(&[&bytes]));
        }
    }
}
