//! HTTP/1.1 of a client (RFC 9112): requests written in order, responses read in the same order.

#[cfg(test)]
mod agreement;
mod codec;
mod framing;
pub mod parser;

pub use codec::{Http1Codec, Http1Error};

/// A request, prepared once and written many times.
#[derive(Clone, Debug)]
pub struct Http1Request {
    /// Head and body as they are written.
    pub bytes: Vec<u8>,
    /// Whether the method is HEAD, whose responses have no body.
    pub is_head: bool,
    /// Whether the connection ends with it.
    pub closes: bool,
}
