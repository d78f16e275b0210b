//! The machine that the engine runs on: the time, what the engine uses itself, how its threads are
//! scheduled, how long they are kept from running, and what its sockets wait for.

pub mod accept_queue;
pub mod load_clock;
pub mod own_quota;
pub mod real_time;
pub mod resource_use;
pub mod run_queue;
pub mod run_waits;
