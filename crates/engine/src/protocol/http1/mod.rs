//! HTTP/1.1 of a client (RFC 9112): requests written in order, responses read in the same order.

mod head;
pub mod parser;
mod session;

pub use session::Http1Session;
