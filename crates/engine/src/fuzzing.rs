//! The parsers and a simulated load, for the fuzz targets in `fuzz/`, which are a package of their own: names only,
//! nothing is done here, and nobody else is to use it.

pub use crate::exchange::request::{RequestMaker, Written};
pub use crate::plan::check::read as read_plan;
pub use crate::plan::session_format::Piece;
pub use crate::plan::{Operation, Plan};
pub use crate::protocol::content_coding::{Coding, CodingError, Decoder as ContentDecoder};
pub use crate::protocol::hpack::decoder::Decoder as HpackDecoder;
pub use crate::protocol::hpack::encoder::{Block as HpackBlock, Encoder as HpackEncoder, Fields};
pub use crate::protocol::http1::parser::{ResponseParser, ResponseSink};
pub use crate::protocol::http2::{
    Http2Codec, Http2Error, Http2Request, StreamEnd, StreamSink, WantedHeaders,
};
#[cfg(fuzzing)]
pub use crate::worker::simulated::load::run as run_simulated_load;
