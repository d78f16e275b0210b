//! The parsers and a simulated load, for the fuzz targets in `fuzz/`, which are a package of their own: names only,
//! nothing is done here, and nobody else is to use it.

pub use crate::exchange::request::{RequestMaker, Written};
pub use crate::plan::check::read as read_plan;
pub use crate::plan::session_format::{JsonIs, Let, Node, Piece};
pub use crate::plan::{Operation, Plan};
pub use crate::protocol::content_coding::{Coding, CodingError, Decoder as ContentDecoder};
pub use crate::protocol::hpack::decoder::Decoder as HpackDecoder;
pub use crate::protocol::hpack::encoder::{Block as HpackBlock, Encoder as HpackEncoder, Fields};
pub use crate::protocol::http1::parser::{ResponseParser, ResponseSink};
pub use crate::protocol::http2::{
    Http2Codec, Http2Error, Http2Request, StreamEnd, StreamSink, WantedHeaders,
};
pub use crate::session::cookies::{Asked, Jar, Taken};
pub use crate::session::json_capture::{Ask, Choice, JsonFault, JsonQuestions, JsonReader};
pub use crate::session::lets::PreparedLet;
pub use crate::session::occasion::{Context, Occasion};
pub use crate::session::program::{Next, Program};
pub use crate::session::rows::Rows;
pub use crate::session::template::{Template, Unsendable};
pub use crate::session::values::{Value, Values};
#[cfg(fuzzing)]
pub use crate::worker::simulated::load::run as run_simulated_load;
