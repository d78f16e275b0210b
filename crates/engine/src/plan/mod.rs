//! The plan: what the engine is told to do, and which plans it refuses.
//!
//! `format` has the types and their schema, those of sessions are in `session_format` and those of TLS in
//! `tls`; `check` says what a plan must be to be carried out; `stage_values` reads off its stages how far
//! they go, and whether they are level.

pub mod check;
mod format;
#[allow(dead_code, reason = "plans do not hold sessions of this form yet")]
pub mod session_format;
mod stage_values;
mod tls;

pub use format::*;
pub use stage_values::{highest, is_same, most_users};
pub use tls::*;
