//! The parsers, for the fuzz targets in `fuzz/`, which are a package of their own: names only,
//! nothing is done here, and nobody else is to use it.

pub use crate::content_coding::{Coding, CodingError, Decoder as ContentDecoder};
pub use crate::hpack::decoder::Decoder as HpackDecoder;
pub use crate::hpack::encoder::{Encoder as HpackEncoder, Fields};
pub use crate::http2::{Http2Error, Http2Request, Session, StreamEnd, StreamSink};
pub use crate::parser::{ResponseParser, ResponseSink};
pub use crate::plan::check::read as read_plan;
pub use crate::request::RequestMaker;
