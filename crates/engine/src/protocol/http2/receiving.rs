//! Cuts what the peer sends into frames: read where they lie in the input, and kept only if they
//! are split between two reads. DATA is never kept.

use std::mem;

use super::StreamSink;
use super::codec::Http2Codec;
use super::error::Http2Error;
use super::frame::{self, FrameHeader, HEADER_BYTES, MAX_PAYLOAD_BYTES, flag, kind};

/// What a server says first that takes the preface for a request of HTTP/1.
const HTTP_1: &[u8] = b"HTTP/1.";

/// What the next byte is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Next {
    /// A frame's header.
    #[default]
    Header,
    /// The payload of a frame other than DATA.
    Payload(FrameHeader),
    /// The length of a DATA frame's padding.
    PaddingLength(FrameHeader),
    /// A DATA frame's data, then its padding.
    Data(DataFrame),
    /// What nobody wants.
    Skip(usize),
}

/// What is left of a DATA frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataFrame {
    /// Its stream.
    pub stream: u32,
    /// Bytes of data.
    pub data: usize,
    /// Bytes of padding after it.
    pub padding: usize,
    /// Whether it ends the stream.
    pub ends: bool,
}

/// Where the reading stands between two reads.
#[derive(Clone, Debug, Default)]
pub struct Receiving {
    next: Next,
    header: [u8; HEADER_BYTES],
    header_length: usize,
    payload: Vec<u8>,
    /// Bytes of the frame that were read, and belong to its stream, and were not told to the sink.
    untold: usize,
    pub(super) block: HeaderBlock,
}

/// A header block that needs CONTINUATION.
#[derive(Clone, Debug, Default)]
pub struct HeaderBlock {
    /// Its stream; 0 if there is none.
    pub stream: u32,
    /// Whether it ends the stream.
    pub ends: bool,
    /// What came of it.
    pub bytes: Vec<u8>,
}

impl Http2Codec {
    /// Reads what came from the peer, in pieces of any size, and appends what it asks for. An
    /// empty `out` says that all of it was written so far; a peer that lets too much pile up is left.
    ///
    /// # Errors
    /// If the peer breaks the protocol such that the connection cannot go on; a GOAWAY that says
    /// so was appended. Streams that were open are still open, and nothing more is read of them.
    pub fn feed(
        &mut self,
        bytes: &[u8],
        sink: &mut impl StreamSink,
        out: &mut Vec<u8>,
    ) -> Result<(), Http2Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if out.is_empty() {
            self.flood.written();
        }
        self.read(bytes, sink, out).inspect_err(|&error| {
            self.failed = Some(error);
            self.is_closing = true;
            self.unsent.clear();
            frame::append_goaway(error.code(), out);
        })
    }

    fn read(
        &mut self,
        mut input: &[u8],
        sink: &mut impl StreamSink,
        out: &mut Vec<u8>,
    ) -> Result<(), Http2Error> {
        loop {
            match self.receiving.next {
                Next::Header => {
                    let Some(bytes) = self.receiving.take_header(&mut input) else {
                        return Ok(());
                    };
                    self.begin_frame(bytes, sink, out)?;
                }
                Next::Payload(header) => {
                    if !self.read_payload(header, &mut input, sink, out)? {
                        return Ok(());
                    }
                }
                Next::PaddingLength(header) => {
                    let Some(padding) = input.split_off_first() else {
                        return Ok(());
                    };
                    self.receiving.untold += 1;
                    let padding = usize::from(*padding);
                    let data = (header.length - 1)
                        .checked_sub(padding)
                        .ok_or(Http2Error::Padding)?;
                    self.read_data_next(header, data, padding, sink, out)?;
                }
                Next::Data(frame) => {
                    if !self.read_data(frame, &mut input, sink, out) {
                        return Ok(());
                    }
                }
                Next::Skip(left) => {
                    let skipped = left.min(input.len());
                    input = &input[skipped..];
                    if skipped < left {
                        self.receiving.next = Next::Skip(left - skipped);
                        return Ok(());
                    }
                    self.receiving.next = Next::Header;
                }
            }
        }
    }

    fn begin_frame(
        &mut self,
        bytes: [u8; HEADER_BYTES],
        sink: &mut impl StreamSink,
        out: &mut Vec<u8>,
    ) -> Result<(), Http2Error> {
        let header = FrameHeader::read(&bytes);
        if !self.is_ready {
            if bytes.starts_with(HTTP_1) {
                return Err(Http2Error::SpeaksHttp1);
            }
            if header.kind != kind::SETTINGS || header.has(flag::ACK) {
                return Err(Http2Error::NoSettings);
            }
        }
        if header.length > MAX_PAYLOAD_BYTES {
            return Err(Http2Error::FrameSize);
        }
        let continued = self.receiving.block.stream;
        let is_continuation = header.kind == kind::CONTINUATION;
        if is_continuation != (continued != 0) || (is_continuation && header.stream != continued) {
            return Err(Http2Error::Continuation);
        }
        self.receiving.untold = HEADER_BYTES;
        match header.kind {
            kind::DATA => {
                self.check_data(header, out)?;
                if !header.has(flag::PADDED) {
                    return self.read_data_next(header, header.length, 0, sink, out);
                }
                if header.length == 0 {
                    return Err(Http2Error::FrameSize);
                }
                self.receiving.next = Next::PaddingLength(header);
            }
            kind::PUSH_PROMISE => return Err(Http2Error::Push),
            kind::HEADERS..=kind::CONTINUATION => self.receiving.next = Next::Payload(header),
            _ => {
                self.flood.idle_frame()?;
                self.receiving.next = Next::Skip(header.length);
            }
        }
        Ok(())
    }

    /// Reads on in the payload of a frame other than DATA; false if more has to come.
    fn read_payload(
        &mut self,
        header: FrameHeader,
        input: &mut &[u8],
        sink: &mut impl StreamSink,
        out: &mut Vec<u8>,
    ) -> Result<bool, Http2Error> {
        let missing = header.length - self.receiving.payload.len();
        let (piece, rest) = input.split_at(missing.min(input.len()));
        *input = rest;
        if matches!(
            header.kind,
            kind::HEADERS | kind::CONTINUATION | kind::RST_STREAM
        ) {
            self.tell_bytes(header.stream, piece.len(), sink);
        }
        if piece.len() == header.length {
            self.receiving.next = Next::Header;
            self.on_frame(header, piece, sink, out)?;
            return Ok(true);
        }
        self.receiving.payload.extend_from_slice(piece);
        if piece.len() < missing {
            return Ok(false);
        }
        self.receiving.next = Next::Header;
        let mut payload = mem::take(&mut self.receiving.payload);
        self.on_frame(header, &payload, sink, out)?;
        payload.clear();
        self.receiving.payload = payload;
        Ok(true)
    }

    fn read_data_next(
        &mut self,
        header: FrameHeader,
        data: usize,
        padding: usize,
        sink: &mut impl StreamSink,
        out: &mut Vec<u8>,
    ) -> Result<(), Http2Error> {
        let frame = DataFrame {
            stream: header.stream,
            data,
            padding,
            ends: header.has(flag::END_STREAM),
        };
        self.receiving.next = if self.begin_data(frame, sink, out)? {
            Next::Data(frame)
        } else {
            Next::Skip(data + padding)
        };
        Ok(())
    }

    /// Reads on in a DATA frame; false if more has to come. The stream is looked up anew, since it
    /// may have been given up in between.
    fn read_data(
        &mut self,
        mut frame: DataFrame,
        input: &mut &[u8],
        sink: &mut impl StreamSink,
        out: &mut Vec<u8>,
    ) -> bool {
        let (piece, rest) = input.split_at(frame.data.min(input.len()));
        let padding = frame.padding.min(rest.len());
        *input = &rest[padding..];
        frame.data -= piece.len();
        frame.padding -= padding;
        let is_whole = frame.data == 0 && frame.padding == 0;
        self.receiving.next = if is_whole {
            Next::Header
        } else {
            Next::Data(frame)
        };
        if let Some(tag) = self.tell_bytes(frame.stream, piece.len() + padding, sink) {
            if !piece.is_empty() {
                sink.body(tag, piece);
            }
            if is_whole && frame.ends {
                self.complete(tag, sink, out);
            }
        }
        is_whole
    }

    /// Bytes of the input that are kept until more of it comes.
    #[cfg(test)]
    #[must_use]
    pub fn kept_bytes(&self) -> usize {
        self.receiving.payload.len() + self.receiving.block.bytes.len()
    }

    /// Tells the sink of bytes of a stream that is open, and returns its tag.
    fn tell_bytes(&mut self, stream: u32, count: usize, sink: &mut impl StreamSink) -> Option<u32> {
        let tag = self.open_tag(stream)?;
        let count = count + mem::take(&mut self.receiving.untold);
        if count > 0 {
            sink.bytes(tag, count);
        }
        Some(tag)
    }
}

impl Receiving {
    /// Takes a frame's header, or keeps its beginning until the rest comes.
    fn take_header(&mut self, input: &mut &[u8]) -> Option<[u8; HEADER_BYTES]> {
        if self.header_length == 0
            && let Some((header, rest)) = input.split_first_chunk()
        {
            *input = rest;
            return Some(*header);
        }
        let missing = HEADER_BYTES - self.header_length;
        let (piece, rest) = input.split_at(missing.min(input.len()));
        *input = rest;
        let end = self.header_length + piece.len();
        self.header[self.header_length..end].copy_from_slice(piece);
        self.header_length = end % HEADER_BYTES;
        (end == HEADER_BYTES).then_some(self.header)
    }
}
