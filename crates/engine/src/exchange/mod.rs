//! One request and its response: made ready once, in flight in a lane of a connection, and judged.
//!
//! No socket and no clock.

pub mod body_check;
pub mod connection;
pub mod lane;
pub mod redirect;
pub mod request;
