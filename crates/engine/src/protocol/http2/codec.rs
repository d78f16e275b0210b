//! One connection of a client: what both directions share.

use std::collections::VecDeque;

use super::StreamSink;
use super::error::{ErrorCode, Http2Error, StreamEnd, StreamFault};
use super::flood::Flood;
use super::flow::{DEFAULT_WINDOW_BYTES, ReceiveWindow, SendWindow};
use super::frame::{self, PREFACE};
use super::header_blocks::HeaderBlockReader;
use super::receiving::Receiving;
use super::settings::{self, CONNECTION_WINDOW_BYTES, PeerSettings};
use super::streams::{Found, Phase, Streams};
use crate::protocol::hpack::encoder::Encoder;

/// The state of one connection. Requests are opened and bodies continued in `sending`, what the
/// peer sends is read in `receiving`.
#[derive(Debug)]
pub struct Http2Codec {
    pub(super) streams: Streams,
    pub(super) max_streams: u32,
    pub(super) peer: PeerSettings,
    pub(super) is_ready: bool,
    pub(super) is_closing: bool,
    pub(super) failed: Option<Http2Error>,
    pub(super) encoder: Encoder,
    pub(super) heads: HeaderBlockReader,
    pub(super) send_window: SendWindow,
    pub(super) receive_window: ReceiveWindow,
    /// Tags of the streams whose request's body is not wholly written, in the order of their turns.
    pub(super) unsent: VecDeque<u32>,
    pub(super) receiving: Receiving,
    pub(super) flood: Flood,
}

impl Http2Codec {
    /// A new connection for tags from 0 up to `max_streams`; appends what a client says first.
    #[must_use]
    pub fn new(max_streams: u32, out: &mut Vec<u8>) -> Self {
        out.extend_from_slice(PREFACE);
        settings::append_own(out);
        let widening = CONNECTION_WINDOW_BYTES - DEFAULT_WINDOW_BYTES;
        frame::append_window_update(0, widening, out);
        Self {
            streams: Streams::new(max_streams),
            max_streams: max_streams.max(1),
            peer: PeerSettings::default(),
            is_ready: false,
            is_closing: false,
            failed: None,
            encoder: Encoder::new(),
            heads: HeaderBlockReader::default(),
            send_window: SendWindow::new(DEFAULT_WINDOW_BYTES),
            receive_window: ReceiveWindow::new(CONNECTION_WINDOW_BYTES),
            unsent: VecDeque::new(),
            receiving: Receiving::default(),
            flood: Flood::default(),
        }
    }

    /// Whether the peer's SETTINGS came: it speaks HTTP/2, and its limits are known.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.is_ready
    }

    /// Whether another stream may be opened now.
    #[must_use]
    pub fn can_open(&self) -> bool {
        self.is_ready && !self.is_closing() && self.open_streams() < self.stream_limit()
    }

    /// How many streams may be open at once: what was asked for, or less if the peer says so.
    #[must_use]
    pub fn stream_limit(&self) -> usize {
        self.max_streams.min(self.peer.max_streams) as usize
    }

    /// Whether no stream will ever be opened again: the connection is to be closed when none is open.
    #[must_use]
    pub fn is_closing(&self) -> bool {
        self.is_closing || !self.streams.has_ids()
    }

    /// How many streams are open.
    #[must_use]
    pub fn open_streams(&self) -> usize {
        self.streams.open_count()
    }

    /// Whether the whole request of this tag's last stream was appended.
    #[must_use]
    pub fn is_sent(&self, tag: u32) -> bool {
        self.streams[tag].is_sent
    }

    /// Gives an open stream up. What still comes of it is ignored, and the sink not told of its end.
    pub fn cancel(&mut self, tag: u32, out: &mut Vec<u8>) {
        if self.streams[tag].is_open() {
            frame::append_reset(self.streams[tag].id, ErrorCode::Cancel, out);
            self.close(tag, Phase::Closed);
        }
    }

    /// Says goodbye; no stream can be opened afterwards.
    pub fn goodbye(&mut self, out: &mut Vec<u8>) {
        if self.failed.is_none() {
            frame::append_goaway(ErrorCode::NoError, out);
        }
        self.is_closing = true;
    }

    /// The tag of an open stream.
    pub(super) fn open_tag(&self, id: u32) -> Option<u32> {
        match self.streams.find(id) {
            Found::Open(tag) => Some(tag),
            Found::Ended | Found::Closed | Found::Idle => None,
        }
    }

    pub(super) fn close(&mut self, tag: u32, phase: Phase) {
        if self.streams[tag].unsent.is_some() {
            self.unsent.retain(|&unsent| unsent != tag);
        }
        self.streams.close(tag, phase);
    }

    /// Ends a stream whose response breaks a rule, and tells both sides. `phase` says who ended it.
    pub(super) fn malformed(
        &mut self,
        tag: u32,
        fault: StreamFault,
        phase: Phase,
        sink: &mut impl StreamSink,
        out: &mut Vec<u8>,
    ) {
        let stream = &self.streams[tag];
        if phase != Phase::Ended || !stream.is_sent {
            frame::append_reset(stream.id, fault.code(), out);
        }
        self.close(tag, phase);
        sink.ended(tag, StreamEnd::Malformed(fault));
    }
}
