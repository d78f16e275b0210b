//! What is recorded of requests: by each worker, second by second, and merged over all workers.
//!
//! Values only: what is written to files and to stdout is made of them in `report`.

pub mod clock_histogram;
pub mod interval_stats;
pub mod lag_causes;
pub mod merged_interval;
pub mod request_clock;
pub mod request_rows;
pub mod samples;
pub mod worker_interval;
pub mod worker_totals;
