//! What the engine reads of the machine that it runs on: its clocks, its CPU time, its memory.

pub mod clock;
