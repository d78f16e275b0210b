//! The plan: what the engine is told to do, and which plans it refuses.
//!
//! `format`, `group_format`, `session_format` and `tls` have the types and their schema; `check` says what a
//! plan must be to be carried out; `stage_values` reads off its stages how far they go; `cells` names what
//! requests are counted by; `share` says into how many parts a load can be divided.

pub mod cells;
pub mod check;
mod format;
mod group_format;
pub mod session_format;
mod share;
mod stage_values;
mod tls;

pub use format::*;
pub use group_format::*;
pub use share::{Share, most_parts};
pub use stage_values::{highest, is_same, most_users};
pub use tls::*;
