//! One request and its response: made ready once, in flight in a lane of a connection, and judged.
//!
//! `request` serialises an operation and prepares its checks (`expected_body`: an
//! `expected_text`, `json_value`s); `connection` is what is
//! spoken and what waits to be written, in a `phase`; `lane` keeps what came back so far; `redirect` says
//! where it leads. No socket and no clock.

pub mod connection;
pub mod expected_body;
pub mod expected_text;
pub mod json_value;
pub mod lane;
pub mod phase;
pub mod redirect;
pub mod request;
