//! Lines on stderr: what failed, and what stays away, of which there is at most one line a second.

use std::fmt::Display;
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_secs(1);

/// Says what should be known of.
#[derive(Clone, Default)]
pub struct Complaints(Arc<Mutex<Option<Instant>>>);

impl Complaints {
    /// Says what failed.
    pub fn failed(what: impl Display) {
        // A log that nobody reads any more is no reason to end.
        let _ = writeln!(std::io::stderr(), "users: {what}");
    }

    /// Says what stays away, unless something was said of that within the last second.
    pub fn away(&self, what: impl Display) {
        let now = Instant::now();
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| now.duration_since(last) >= INTERVAL) {
            *last = Some(now);
            Self::failed(what);
        }
    }
}
