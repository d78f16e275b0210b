//! What is recorded of requests: by each worker, second by second, and merged over all workers.
//!
//! A request has several clocks (`request_clock`). The values of each go into a `clock_histogram`, and
//! all that ended in a second into the `interval_stats` of its worker. A worker cuts its load into
//! `worker_interval`s, and the coordinator puts those together to `merged_interval`s, with the `run_waits`
//! of its thread. Over the whole load it keeps `user_stats` by connection and `answer_kinds` by operation.
//! Beside them are kept `request_rows` and `samples` of responses, if the plan asks for them; the
//! `row_backlog` bounds the rows that wait for the disk.
//!
//! Values only: files and lines on stdout are made of them in `report`.

pub mod answer_kinds;
pub mod clock_histogram;
pub mod interval_stats;
pub mod lag_causes;
pub mod merged_interval;
pub mod request_clock;
pub mod request_rows;
pub mod row_backlog;
pub mod samples;
pub mod user_stats;
pub mod worker_interval;
pub mod worker_totals;
