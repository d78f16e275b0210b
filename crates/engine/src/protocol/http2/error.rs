//! What goes wrong on an HTTP/2 connection or one of its streams, as closed sets of kinds.

use thiserror::Error;

use crate::protocol::hpack::HpackError;

/// Error codes of RFC 9113 section 7, as far as a client writes or tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum ErrorCode {
    /// No fault.
    NoError = 0x0,
    /// Against the protocol, and no code says it better.
    ProtocolError = 0x1,
    /// Against flow control.
    FlowControlError = 0x3,
    /// A frame on a stream that was ended.
    StreamClosed = 0x5,
    /// A frame of a length it must not have.
    FrameSizeError = 0x6,
    /// Nothing was done for the stream.
    RefusedStream = 0x7,
    /// The stream is no longer wanted.
    Cancel = 0x8,
    /// Header compression cannot go on.
    CompressionError = 0x9,
    /// More than a well-behaved peer would send.
    EnhanceYourCalm = 0xb,
}

/// Why the connection cannot go on: the peer's fault, each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Http2Error {
    /// The first bytes are a status line.
    #[error("the server speaks HTTP/1, not HTTP/2")]
    SpeaksHttp1,
    /// The first frame is not SETTINGS (section 3.4).
    #[error("the server's first frame is not SETTINGS")]
    NoSettings,
    /// A frame longer than the 16,384 bytes that were allowed, or of a length its kind excludes.
    #[error("a frame is of a length that its kind must not have")]
    FrameSize,
    /// A connection's frame on a stream, or the other way round (section 6).
    #[error("a frame is on a stream where its kind must not be")]
    WrongStream,
    /// A frame on a stream that was not opened yet (section 5.1).
    #[error("a frame is on a stream that was never opened")]
    IdleStream,
    /// Response frames after the stream's end (section 5.1).
    #[error("a response goes on after its end")]
    StreamClosed,
    /// More padding than payload.
    #[error("a frame has more padding than payload")]
    Padding,
    /// A header block is interrupted, or continued without a beginning (section 6.10).
    #[error("a header block is interrupted, or continued without a beginning")]
    Continuation,
    /// `PUSH_PROMISE`, though push was refused (section 6.6).
    #[error("the server pushes though push is refused")]
    Push,
    /// A setting of a value it must not have (section 6.5.2).
    #[error("a setting is of a value that it must not have")]
    Setting,
    /// A window of more than 2^31 - 1 bytes (section 6.9.1).
    #[error("a flow-control window exceeds 2^31 - 1 bytes")]
    WindowOverflow,
    /// A window update of 0 bytes (section 6.9).
    #[error("a window update is of 0 bytes")]
    WindowIncrement,
    /// More data than the window allows.
    #[error("the server sends more than the flow-control window allows")]
    FlowControl,
    /// Header compression.
    #[error("header compression: {0}")]
    Compression(#[from] HpackError),
    /// A header block beyond the limit.
    #[error("a header block exceeds 64 KiB")]
    TooLong,
    /// Frames without end, and none that brings a response on.
    #[error("the server floods the connection with frames that bring no response on")]
    Flood,
}

impl Http2Error {
    /// The code that tells the peer.
    #[must_use]
    pub fn code(self) -> ErrorCode {
        match self {
            Self::FrameSize => ErrorCode::FrameSizeError,
            Self::StreamClosed => ErrorCode::StreamClosed,
            Self::WindowOverflow | Self::FlowControl => ErrorCode::FlowControlError,
            Self::Compression(HpackError::ListTooLong) | Self::TooLong | Self::Flood => {
                ErrorCode::EnhanceYourCalm
            }
            Self::Compression(_) => ErrorCode::CompressionError,
            Self::SpeaksHttp1
            | Self::NoSettings
            | Self::WrongStream
            | Self::IdleStream
            | Self::Padding
            | Self::Continuation
            | Self::Push
            | Self::Setting
            | Self::WindowIncrement => ErrorCode::ProtocolError,
        }
    }
}

/// Why a response is malformed (RFC 9113 section 8.1.1); the connection goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum StreamFault {
    /// `:status` is missing, not first, twice there or no number from 100 to 999.
    #[error("a response without exactly one valid :status at its beginning")]
    Status,
    /// Another pseudo-header, or one after a header or in trailers.
    #[error("a pseudo-header that a response must not have there")]
    PseudoHeader,
    /// A header name with an upper-case letter or a forbidden byte, or a value with one.
    #[error("a header that HTTP/2 forbids")]
    Header,
    /// `connection` and its like (section 8.2.2).
    #[error("a header that speaks of the connection")]
    ConnectionHeader,
    /// Content-Length is no number, or two differ.
    #[error("Content-Length is malformed or contradicts itself")]
    ContentLength,
    /// The body is not as long as Content-Length says.
    #[error("the body is not as long as Content-Length says")]
    BodyLength,
    /// A body where there is none: HEAD, 204, 304.
    #[error("a body in a response that has none")]
    UnexpectedBody,
    /// Data before the head.
    #[error("data before the head")]
    DataBeforeHead,
    /// The stream ends with an interim response.
    #[error("the stream ends with an interim response")]
    InterimEnd,
    /// A second head that does not end the stream.
    #[error("trailers that do not end the stream")]
    Trailers,
    /// 101, which HTTP/2 does not have (section 8.6).
    #[error("the server switched protocols")]
    Upgrade,
    /// A window update of the stream by 0 bytes (section 6.9).
    #[error("a window update of the stream is of 0 bytes")]
    WindowIncrement,
    /// A window of the stream of more than 2^31 - 1 bytes (section 6.9.1).
    #[error("the stream's flow-control window exceeds 2^31 - 1 bytes")]
    WindowOverflow,
    /// PRIORITY of another length than 5 (section 6.3).
    #[error("a PRIORITY frame of a length other than 5")]
    Priority,
}

impl StreamFault {
    /// The code that tells the peer.
    #[must_use]
    pub fn code(self) -> ErrorCode {
        match self {
            Self::WindowOverflow => ErrorCode::FlowControlError,
            Self::Priority => ErrorCode::FrameSizeError,
            _ => ErrorCode::ProtocolError,
        }
    }
}

/// How a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamEnd {
    /// The whole response came.
    Complete,
    /// The server reset the stream with this error code.
    Reset(u32),
    /// The server did nothing for it: reset as refused, or above the last stream of a GOAWAY.
    Refused,
    /// The response breaks a rule.
    Malformed(StreamFault),
}
