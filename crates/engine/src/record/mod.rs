//! What is recorded of requests: by each worker, second by second, and merged over all workers.
//!
//! Values only: what is written to files and to stdout is made of them in `report`.

pub mod clock_histogram;
pub mod intervals;
pub mod lag_causes;
pub mod merge;
pub mod raw;
pub mod recorder;
pub mod request_clock;
pub mod samples;
pub mod worker_totals;
