//! One request and its response: made ready once, in flight in a lane of a connection, and judged.
//!
//! `request` makes an operation ready: its `request_template` is put together once, or for each session;
//! `expected_answer` says what its answers must be and what is taken out of them (`expected_text`).
//! `connection` is what is spoken and what waits to be written, in a `phase`; `lane` keeps what came back so
//! far, put in by the `lane_sink` and read by an `answer_reader`; `redirect` says where it leads. No socket and
//! no clock.

pub mod answer_reader;
pub mod connection;
pub mod expected_answer;
pub mod expected_text;
pub mod lane;
pub mod lane_sink;
pub mod phase;
pub mod redirect;
pub mod request;
pub mod request_template;
