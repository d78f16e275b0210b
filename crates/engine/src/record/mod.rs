//! What is recorded of requests: by each worker, second by second, and merged over all workers.
//!
//! Values only: what is written to files and to stdout is made of them in `report`.

pub mod clocks;
pub mod intervals;
pub mod merge;
pub mod raw;
pub mod recorder;
pub mod samples;
pub mod worker_totals;
