//! The machine that the engine runs on: the time, what the engine uses itself, and how its threads are
//! scheduled.

pub mod load_clock;
pub mod real_time;
pub mod resource_use;
