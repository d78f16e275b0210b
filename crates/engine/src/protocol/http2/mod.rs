//! HTTP/2 of a client (RFC 9113): pure, bytes in and bytes out, without socket or clock.
//!
//! ```text
//! open, write_more, cancel ─► sending ─────┐                 ┌─► out
//!                                          codec (streams, flow, settings, flood)
//! feed ─► receiving ─► responses, control ─┘                 └─► StreamSink
//!         (frame)      (header_blocks, header_rules)
//! ```
//!
//! Made to cost as little as it can for many small responses: nothing is allocated for a request,
//! frames are read where they lie in the input, and a head that equals the last one is not decoded.
//!
//! Left out: server push, which is refused; priorities, which RFC 9113 deprecates; padding of what
//! is sent; trailers of requests; CONNECT; and the peer's `MAX_HEADER_LIST_SIZE`, which is advice.

mod codec;
mod control;
mod error;
mod flood;
mod flow;
mod frame;
mod header_blocks;
mod header_rules;
mod receiving;
mod responses;
mod sending;
mod settings;
mod streams;
#[cfg(test)]
mod tests;

use crate::protocol::hpack::encoder::Block;

pub use codec::Http2Codec;
pub use error::{Http2Error, StreamEnd, StreamFault};

/// A request, prepared once and written many times.
#[derive(Clone, Debug, Default)]
pub struct Http2Request {
    /// Its fields: `:method`, `:scheme`, `:authority` and `:path` first.
    pub block: Block,
    /// Its body; empty for none.
    pub body: Vec<u8>,
    /// Whether the method is HEAD, whose responses have no body.
    pub is_head: bool,
}

/// What becomes of the streams, told by the tags that they were opened with.
pub trait StreamSink {
    /// Whether `header` is to be called for this stream.
    fn wants_headers(&self, tag: u32) -> bool;
    /// So many bytes of the stream's response came, frame headers included. The first call marks
    /// the response's first byte.
    fn bytes(&mut self, tag: u32, count: usize);
    /// A status; after an interim one (1xx) the next follows.
    fn status(&mut self, tag: u32, status: u16);
    /// A header; trailers are left out.
    fn header(&mut self, tag: u32, name: &[u8], value: &[u8]);
    /// A piece of the body.
    fn body(&mut self, tag: u32, piece: &[u8]);
    /// The stream is over, and its tag free for the next.
    fn ended(&mut self, tag: u32, end: StreamEnd);
}
