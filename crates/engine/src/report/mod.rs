//! What a load leaves: lines on stdout, and files.
//!
//! Each line is an `engine_event`. The last has the `summary`, which `load_facts_builder` fills in with
//! what `load_sums` added up. Of requests there are `request_facts` and, of their bodies, `answer_facts`; of
//! sessions `group_facts`, and `user_facts` of each user. `arrival_facts` say what was planned, `stop_facts`
//! why it ended, `window_facts` are of a load with a warm-up, `scheduling_facts` of one in real time, and
//! `wait_facts` of the engine's own threads. `record_files` has all files, of which `histogram_log` and
//! `timeline` say what stands in theirs.

pub mod answer_facts;
pub mod arrival_facts;
pub mod engine_event;
pub mod group_facts;
pub mod histogram_log;
pub mod load_facts_builder;
pub mod load_sums;
pub mod progress;
pub mod record_files;
pub mod request_facts;
pub mod scheduling_facts;
pub mod stop_facts;
pub mod summary;
pub mod timeline;
pub mod user_facts;
pub mod wait_facts;
pub mod window_facts;
