//! What a load leaves: lines on stdout, and files.
//!
//! Each line is an `engine_event`. The last has the `summary`, which `load_facts_builder` fills in with
//! what `load_sums` added up; of a load with a warm-up both tell `window_facts`. `record_files` has all files, of which `histogram_log` and `timeline` say
//! what stands in theirs.

pub mod engine_event;
pub mod histogram_log;
pub mod load_facts_builder;
pub mod load_sums;
pub mod progress;
pub mod record_files;
pub mod summary;
pub mod timeline;
pub mod window_facts;
