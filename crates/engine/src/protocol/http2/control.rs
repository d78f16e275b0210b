//! The frames that carry no response: settings, pings, windows, resets and farewells.

use super::StreamSink;
use super::codec::Http2Codec;
use super::error::{ErrorCode, Http2Error, StreamEnd, StreamFault};
use super::frame::{self, FrameHeader, flag, kind};
use super::streams::{Found, Phase};

const PING_BYTES: usize = 8;
const PRIORITY_BYTES: usize = 5;
/// Of `RST_STREAM` and `WINDOW_UPDATE`.
const NUMBER_BYTES: usize = 4;
/// Last stream and error code; text may follow.
const GOAWAY_BYTES: usize = 8;

impl Http2Codec {
    /// Does what one whole frame asks for; DATA does not come here.
    pub(super) fn on_frame(
        &mut self,
        header: FrameHeader,
        payload: &[u8],
        sink: &mut impl StreamSink,
        out: &mut Vec<u8>,
    ) -> Result<(), Http2Error> {
        match header.kind {
            kind::HEADERS => return self.on_headers(header, payload, sink, out),
            kind::CONTINUATION => return self.on_continuation(header, payload, sink, out),
            _ => self.flood.idle_frame()?,
        }
        match header.kind {
            kind::PRIORITY => self.on_priority(header, sink, out),
            kind::RST_STREAM => self.on_reset(header, payload, sink),
            kind::SETTINGS => self.on_settings(header, payload, out),
            kind::PING => self.on_ping(header, payload, out),
            kind::GOAWAY => self.on_goaway(header, payload, sink),
            kind::WINDOW_UPDATE if header.length != NUMBER_BYTES => Err(Http2Error::FrameSize),
            kind::WINDOW_UPDATE if header.stream == 0 => self.on_connection_window(payload),
            kind::WINDOW_UPDATE => self.on_stream_window(header, payload, sink, out),
            _ => Ok(()),
        }
    }

    fn on_settings(
        &mut self,
        header: FrameHeader,
        payload: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Http2Error> {
        check_connection(header)?;
        if header.has(flag::ACK) {
            return if payload.is_empty() {
                Ok(())
            } else {
                Err(Http2Error::FrameSize)
            };
        }
        let before = self.peer.stream_window_bytes;
        self.peer
            .follow(payload, |bytes| self.encoder.set_capacity(bytes))?;
        let after = self.peer.stream_window_bytes;
        if before != after {
            for tag in self.streams.tags() {
                let stream = &mut self.streams[tag];
                if stream.is_open() {
                    stream.send_window = stream
                        .send_window
                        .resize(before, after)
                        .ok_or(Http2Error::WindowOverflow)?;
                }
            }
        }
        self.is_ready = true;
        self.flood.reply()?;
        frame::append(kind::SETTINGS, flag::ACK, 0, &[], out);
        Ok(())
    }

    fn on_ping(
        &mut self,
        header: FrameHeader,
        payload: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Http2Error> {
        check_connection(header)?;
        if payload.len() != PING_BYTES {
            return Err(Http2Error::FrameSize);
        }
        if !header.has(flag::ACK) {
            self.flood.reply()?;
            frame::append(kind::PING, flag::ACK, 0, payload, out);
        }
        Ok(())
    }

    /// Streams that the peer will not answer are refused, the others go on (section 6.8).
    fn on_goaway(
        &mut self,
        header: FrameHeader,
        payload: &[u8],
        sink: &mut impl StreamSink,
    ) -> Result<(), Http2Error> {
        check_connection(header)?;
        if payload.len() < GOAWAY_BYTES {
            return Err(Http2Error::FrameSize);
        }
        self.is_closing = true;
        let last = frame::read_31_bits(payload);
        for tag in self.streams.tags() {
            if self.streams[tag].is_open() && self.streams[tag].id > last {
                self.close(tag, Phase::Closed);
                sink.ended(tag, StreamEnd::Refused);
            }
        }
        Ok(())
    }

    fn on_reset(
        &mut self,
        header: FrameHeader,
        payload: &[u8],
        sink: &mut impl StreamSink,
    ) -> Result<(), Http2Error> {
        let found = self.find_stream(header.stream)?;
        if payload.len() != NUMBER_BYTES {
            return Err(Http2Error::FrameSize);
        }
        if let Some(tag) = found {
            self.flood.progress();
            self.close(tag, Phase::Ended);
            let code = frame::read_32_bits(payload);
            let is_refused = code == ErrorCode::RefusedStream as u32;
            let end = if is_refused {
                StreamEnd::Refused
            } else {
                StreamEnd::Reset(code)
            };
            sink.ended(tag, end);
        }
        Ok(())
    }

    fn on_connection_window(&mut self, payload: &[u8]) -> Result<(), Http2Error> {
        let increment = frame::read_31_bits(payload);
        if increment == 0 {
            return Err(Http2Error::WindowIncrement);
        }
        self.send_window = self
            .send_window
            .widen(increment)
            .ok_or(Http2Error::WindowOverflow)?;
        Ok(())
    }

    fn on_stream_window(
        &mut self,
        header: FrameHeader,
        payload: &[u8],
        sink: &mut impl StreamSink,
        out: &mut Vec<u8>,
    ) -> Result<(), Http2Error> {
        if let Some(tag) = self.find_stream(header.stream)? {
            let increment = frame::read_31_bits(payload);
            let stream = &mut self.streams[tag];
            let fault = match stream.send_window.widen(increment) {
                _ if increment == 0 => StreamFault::WindowIncrement,
                None => StreamFault::WindowOverflow,
                Some(window) => {
                    stream.send_window = window;
                    return Ok(());
                }
            };
            self.malformed(tag, fault, Phase::Closed, sink, out);
        }
        Ok(())
    }

    /// Nothing is made of priorities, but their length is a matter of the stream (section 6.3).
    fn on_priority(
        &mut self,
        header: FrameHeader,
        sink: &mut impl StreamSink,
        out: &mut Vec<u8>,
    ) -> Result<(), Http2Error> {
        if header.stream == 0 {
            return Err(Http2Error::WrongStream);
        }
        if header.length != PRIORITY_BYTES
            && let Some(tag) = self.open_tag(header.stream)
        {
            self.malformed(tag, StreamFault::Priority, Phase::Closed, sink, out);
        }
        Ok(())
    }

    /// The tag of the stream on which a reset or an update came, if it is open; these may still
    /// come after its end (section 5.1).
    fn find_stream(&self, id: u32) -> Result<Option<u32>, Http2Error> {
        match self.streams.find(id) {
            Found::Open(tag) => Ok(Some(tag)),
            Found::Closed | Found::Ended => Ok(None),
            Found::Idle if id == 0 => Err(Http2Error::WrongStream),
            Found::Idle => Err(Http2Error::IdleStream),
        }
    }
}

fn check_connection(header: FrameHeader) -> Result<(), Http2Error> {
    if header.stream == 0 {
        Ok(())
    } else {
        Err(Http2Error::WrongStream)
    }
}
