//! What a load leaves: the lines on stdout, the summary among them, and the files of the records.

pub mod engine_event;
pub mod histogram_log;
pub mod load_facts_builder;
pub mod load_sums;
pub mod progress;
pub mod record_files;
pub mod summary;
pub mod timeline;
