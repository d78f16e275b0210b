//! What a load leaves: the lines on stdout, the summary among them, and the files of the records.

pub mod event;
pub mod finish;
pub mod hlog;
pub mod progress;
pub mod records;
pub mod summary;
pub mod sums;
pub mod timeline;
