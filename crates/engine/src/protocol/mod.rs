//! What is spoken on a connection: bytes in and bytes out, without a socket or a clock.
//!
//! HTTP/1.1 and HTTP/2 tell what they read to the same `StreamSink`, so that nobody above them
//! needs to know which of the two it is.

pub mod content_coding;
#[cfg(test)]
mod foreign_data;
pub mod hpack;
pub mod http1;
pub mod http2;
pub mod spoken;
pub mod tls;
