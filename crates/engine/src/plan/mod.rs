//! The plan: what the engine is told to do, and which plans it refuses.
//!
//! `format` has the types and their schema; `check` says what a plan must be to be carried out;
//! `most` reads off its stages how far they go.

pub mod check;
mod format;
mod most;

pub use format::*;
pub use most::{highest, most_users};
