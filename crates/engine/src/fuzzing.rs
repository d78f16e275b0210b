//! The parsers, for the fuzz targets in `fuzz/`, which are a package of their own: names only,
//! nothing is done here, and nobody else is to use it.

pub use crate::exchange::request::RequestMaker;
pub use crate::plan::check::read as read_plan;
pub use crate::protocol::content_coding::{Coding, CodingError, Decoder as ContentDecoder};
pub use crate::protocol::hpack::decoder::Decoder as HpackDecoder;
pub use crate::protocol::hpack::encoder::{Block as HpackBlock, Encoder as HpackEncoder, Fields};
pub use crate::protocol::http1::parser::{ResponseParser, ResponseSink};
pub use crate::protocol::http2::{Http2Codec, Http2Error, Http2Request, StreamEnd, StreamSink};
