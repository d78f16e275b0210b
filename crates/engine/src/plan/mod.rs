//! The plan: what the engine is told to do, and which plans it refuses.
//!
//! `format` has the types and their schema; `check` says what a plan must be to be carried out.

pub mod check;
mod format;

pub use format::*;
