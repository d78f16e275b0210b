//! Writes requests: heads, and bodies as far as windows and fairness allow.

use std::sync::Arc;

use super::Http2Request;
use super::codec::Http2Codec;
use super::flow::SendWindow;
use super::frame::{self, FrameHeader, HEADER_BYTES, MAX_PAYLOAD_BYTES, flag, kind};
use super::streams::Unsent;
use crate::protocol::hpack::encoder::Fields;

/// Most bytes of bodies that one call appends: `out` stays small, and what is written is soon on
/// its way. As much as the default of the connection's window.
pub const CALL_LIMIT_BYTES: usize = 65_536;

impl Http2Codec {
    /// Appends a request: its head, and as much of its body as may be sent now. Call only if
    /// `can_open`.
    ///
    /// # Panics
    /// If the tag is not below `max_streams`, or its stream is still open.
    pub fn open(
        &mut self,
        tag: u32,
        fields: &Fields,
        request: &Arc<Http2Request>,
        out: &mut Vec<u8>,
    ) {
        debug_assert!(self.can_open(), "no stream may be opened now");
        let window = SendWindow::new(self.peer.stream_window_bytes);
        let id = self.streams.open(tag, request.is_head, window);
        self.flood.progress();
        let has_body = !request.body.is_empty();
        self.append_head(id, fields, request, !has_body, out);
        self.streams[tag].is_sent = !has_body;
        if has_body {
            self.streams[tag].unsent = Some(Unsent {
                request: Arc::clone(request),
                sent: 0,
            });
            let mut budget = CALL_LIMIT_BYTES;
            while self.append_data(tag, &mut budget, out) {}
            if !self.streams[tag].is_sent {
                self.unsent.push_back(tag);
            }
        }
    }

    /// Whether `write_more` would append something.
    #[must_use]
    pub fn has_more(&self) -> bool {
        !self.unsent.is_empty()
            && self.send_window.available() > 0
            && self
                .unsent
                .iter()
                .any(|&tag| self.streams[tag].send_window.available() > 0)
    }

    /// Continues bodies, a frame of each in turn, as far as windows allow and up to 64 KiB.
    pub fn write_more(&mut self, out: &mut Vec<u8>) {
        let mut budget = CALL_LIMIT_BYTES;
        let mut blocked = 0;
        while blocked < self.unsent.len() {
            let Some(tag) = self.unsent.pop_front() else {
                return;
            };
            blocked = if self.append_data(tag, &mut budget, out) {
                0
            } else {
                blocked + 1
            };
            if !self.streams[tag].is_sent {
                self.unsent.push_back(tag);
            }
        }
    }

    /// Appends one DATA frame of this stream; false if nothing is left or may be sent.
    fn append_data(&mut self, tag: u32, budget: &mut usize, out: &mut Vec<u8>) -> bool {
        let stream = &mut self.streams[tag];
        let Some(Unsent { request, sent }) = &mut stream.unsent else {
            return false;
        };
        let rest = &request.body[*sent..];
        let length = [
            rest.len(),
            MAX_PAYLOAD_BYTES,
            *budget,
            self.send_window.available(),
            stream.send_window.available(),
        ]
        .into_iter()
        .min()
        .unwrap_or(0);
        if length == 0 {
            return false;
        }
        let is_last = length == rest.len();
        let flags = if is_last { flag::END_STREAM } else { 0 };
        frame::append(kind::DATA, flags, stream.id, &rest[..length], out);
        *sent += length;
        *budget -= length;
        stream.send_window.take(length);
        self.send_window.take(length);
        self.flood.progress();
        if is_last {
            stream.unsent = None;
            stream.is_sent = true;
        }
        true
    }

    fn append_head(
        &mut self,
        id: u32,
        fields: &Fields,
        request: &Http2Request,
        ends: bool,
        out: &mut Vec<u8>,
    ) {
        let start = out.len();
        out.extend_from_slice(&[0; HEADER_BYTES]);
        self.encoder.encode(fields, &request.block, out);
        let length = out.len() - start - HEADER_BYTES;
        let ends = if ends { flag::END_STREAM } else { 0 };
        let header = |flags| FrameHeader {
            length: length.min(MAX_PAYLOAD_BYTES),
            kind: kind::HEADERS,
            flags: ends | flags,
            stream: id,
        };
        let header = if length <= MAX_PAYLOAD_BYTES {
            header(flag::END_HEADERS)
        } else {
            let rest = out.split_off(start + HEADER_BYTES + MAX_PAYLOAD_BYTES);
            append_continuations(id, &rest, out);
            header(0)
        };
        out[start..start + HEADER_BYTES].copy_from_slice(&header.to_bytes());
    }
}

fn append_continuations(id: u32, block: &[u8], out: &mut Vec<u8>) {
    let mut pieces = block.chunks(MAX_PAYLOAD_BYTES).peekable();
    while let Some(piece) = pieces.next() {
        let flags = match pieces.peek() {
            Some(_) => 0,
            None => flag::END_HEADERS,
        };
        frame::append(kind::CONTINUATION, flags, id, piece, out);
    }
}
