//! What the engine reads of the machine that it runs on: the time, and what it uses itself.

pub mod load_clock;
pub mod resource_use;
