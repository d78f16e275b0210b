//! The plan: what the engine is told to do, and which plans it refuses.
//!
//! `format` has the types and their schema, those of TLS are in `tls`; `check` says what a plan must be to be carried out;
//! `stage_values` reads off its stages how far they go, and whether they are level.

pub mod check;
mod format;
mod stage_values;
mod tls;

pub use format::*;
pub use stage_values::{highest, is_same, most_users};
pub use tls::*;
