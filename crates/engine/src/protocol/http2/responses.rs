//! HEADERS and DATA: what comes of the responses (RFC 9113 section 8.1).

use std::mem;

use super::codec::Http2Codec;
use super::error::{ErrorCode, Http2Error, StreamEnd, StreamFault};
use super::frame::{self, FrameHeader, flag};
use super::header_rules::{Field, ResponseHead};
use super::receiving::DataFrame;
use super::streams::{Content, Found, Phase};
use super::{StreamSink, WantedHeaders};

/// Most bytes of one header block, compressed: as for HTTP/1.
const MAX_BLOCK_BYTES: usize = 65_536;
/// What a HEADERS frame has of priority, if it has (section 6.2).
const PRIORITY_BYTES: usize = 5;

impl Http2Codec {
    /// Counts the payload of a DATA frame, padding included, against the windows.
    pub(super) fn check_data(
        &mut self,
        header: FrameHeader,
        out: &mut Vec<u8>,
    ) -> Result<(), Http2Error> {
        let found = self.find_response(header.stream)?;
        if !self.receive_window.take(header.length) {
            return Err(Http2Error::FlowControl);
        }
        if let Some(increment) = self.receive_window.update() {
            frame::append_window_update(0, increment, out);
        }
        let Some(tag) = found else {
            return Ok(());
        };
        let window = &mut self.streams[tag].receive_window;
        if !window.take(header.length) {
            return Err(Http2Error::FlowControl);
        }
        if let Some(increment) = window.update()
            && !header.has(flag::END_STREAM)
        {
            frame::append_window_update(header.stream, increment, out);
        }
        Ok(())
    }

    /// Takes up a DATA frame; false if nobody wants its data.
    pub(super) fn begin_data(
        &mut self,
        frame: DataFrame,
        sink: &mut impl StreamSink,
        out: &mut Vec<u8>,
    ) -> Result<bool, Http2Error> {
        if frame.data == 0 && !frame.ends {
            self.flood.idle_frame()?;
        }
        let Some(tag) = self.open_tag(frame.stream) else {
            return Ok(false);
        };
        if frame.data > 0 || frame.ends {
            self.flood.progress();
        }
        let stream = &mut self.streams[tag];
        let length = frame.data as u64;
        let fault = match &mut stream.phase {
            Phase::Body(Content::Exactly(left)) if length <= *left => {
                *left -= length;
                return Ok(true);
            }
            Phase::Body(Content::Exactly(_)) => StreamFault::BodyLength,
            Phase::Body(Content::Forbidden) if length > 0 => StreamFault::UnexpectedBody,
            Phase::Body(Content::Forbidden | Content::Any) => return Ok(true),
            Phase::Head | Phase::Ended | Phase::Closed => StreamFault::DataBeforeHead,
        };
        self.malformed(tag, fault, ended_if(frame.ends), sink, out);
        Ok(false)
    }

    pub(super) fn on_headers(
        &mut self,
        header: FrameHeader,
        payload: &[u8],
        sink: &mut impl StreamSink,
        out: &mut Vec<u8>,
    ) -> Result<(), Http2Error> {
        self.find_response(header.stream)?;
        let mut block = payload;
        if header.has(flag::PADDED) {
            block = frame::without_padding(block).ok_or(Http2Error::Padding)?;
        }
        if header.has(flag::PRIORITY) {
            block = block.get(PRIORITY_BYTES..).ok_or(Http2Error::FrameSize)?;
        }
        let ends = header.has(flag::END_STREAM);
        if header.has(flag::END_HEADERS) {
            return self.on_block(header.stream, ends, block, sink, out);
        }
        let pending = &mut self.receiving.block;
        pending.stream = header.stream;
        pending.ends = ends;
        pending.bytes.extend_from_slice(block);
        Ok(())
    }

    pub(super) fn on_continuation(
        &mut self,
        header: FrameHeader,
        payload: &[u8],
        sink: &mut impl StreamSink,
        out: &mut Vec<u8>,
    ) -> Result<(), Http2Error> {
        let pending = &mut self.receiving.block;
        pending.bytes.extend_from_slice(payload);
        if pending.bytes.len() > MAX_BLOCK_BYTES {
            return Err(Http2Error::TooLong);
        }
        if !header.has(flag::END_HEADERS) {
            return self.flood.idle_frame();
        }
        let block = mem::take(pending);
        self.on_block(block.stream, block.ends, &block.bytes, sink, out)
    }

    fn on_block(
        &mut self,
        id: u32,
        ends: bool,
        block: &[u8],
        sink: &mut impl StreamSink,
        out: &mut Vec<u8>,
    ) -> Result<(), Http2Error> {
        let Some(tag) = self.open_tag(id) else {
            self.heads.skip(block)?;
            return self.flood.idle_frame();
        };
        if self.streams[tag].phase == Phase::Head {
            self.on_head(tag, ends, block, sink, out)
        } else {
            self.on_trailers(tag, ends, block, sink, out)
        }
    }

    fn on_head(
        &mut self,
        tag: u32,
        ends: bool,
        block: &[u8],
        sink: &mut impl StreamSink,
        out: &mut Vec<u8>,
    ) -> Result<(), Http2Error> {
        let wanted = sink.wants_headers(tag);
        let suffices = |head: &ResponseHead| match wanted {
            WantedHeaders::None => true,
            WantedHeaders::Notable => !head.has_notable,
            WantedHeaders::All => false,
        };
        let known = self.heads.recall(block).filter(suffices);
        let head = match known {
            Some(head) => {
                sink.status(tag, head.status);
                head
            }
            None => self.heads.head(block, |field, name, value| match field {
                Field::Status(status) => sink.status(tag, status),
                Field::Header { is_notable } => match wanted {
                    WantedHeaders::Notable if is_notable => sink.header(tag, name, value),
                    WantedHeaders::All => sink.header(tag, name, value),
                    WantedHeaders::None | WantedHeaders::Notable => {}
                },
                Field::Malformed => {}
            })?,
        };
        let stream = &mut self.streams[tag];
        match head.content(stream.is_head, ends) {
            Err(fault) => self.malformed(tag, fault, ended_if(ends), sink, out),
            Ok(_) if head.is_interim() => self.flood.idle_frame()?,
            Ok(content) => {
                stream.phase = Phase::Body(content);
                self.flood.progress();
                if ends {
                    self.complete(tag, sink, out);
                }
            }
        }
        Ok(())
    }

    fn on_trailers(
        &mut self,
        tag: u32,
        ends: bool,
        block: &[u8],
        sink: &mut impl StreamSink,
        out: &mut Vec<u8>,
    ) -> Result<(), Http2Error> {
        let fault = self.heads.trailers(block)?.fault;
        match fault.or((!ends).then_some(StreamFault::Trailers)) {
            Some(fault) => self.malformed(tag, fault, ended_if(ends), sink, out),
            None => self.complete(tag, sink, out),
        }
        Ok(())
    }

    /// The peer ended the stream. If the request's body is not wholly written, the rest is of no
    /// use any more (section 8.1) and the stream is given up.
    pub(super) fn complete(&mut self, tag: u32, sink: &mut impl StreamSink, out: &mut Vec<u8>) {
        let stream = &self.streams[tag];
        if matches!(stream.phase, Phase::Body(Content::Exactly(1..))) {
            self.malformed(tag, StreamFault::BodyLength, Phase::Ended, sink, out);
            return;
        }
        if !stream.is_sent {
            frame::append_reset(stream.id, ErrorCode::Cancel, out);
        }
        self.close(tag, Phase::Ended);
        sink.ended(tag, StreamEnd::Complete);
    }

    /// The tag of the stream on which a response's frame came, if it is open.
    fn find_response(&self, id: u32) -> Result<Option<u32>, Http2Error> {
        match self.streams.find(id) {
            Found::Open(tag) => Ok(Some(tag)),
            Found::Closed => Ok(None),
            Found::Ended => Err(Http2Error::StreamClosed),
            Found::Idle if id == 0 => Err(Http2Error::WrongStream),
            Found::Idle => Err(Http2Error::IdleStream),
        }
    }
}

/// Who ended a stream: the peer with this frame, or this side.
fn ended_if(ends: bool) -> Phase {
    if ends { Phase::Ended } else { Phase::Closed }
}
