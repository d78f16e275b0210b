//! The log: lines on stderr, those that are worth it.

use std::fmt::Display;
use std::io::Write as _;

/// How much a line matters. Those of a level are written where that level, or one behind it, is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What must not be.
    Error,
    /// What went wrong, and was answered.
    Warn,
    /// What is good to know.
    Info,
    /// What helps to find a fault.
    Debug,
}

/// Writes what is of its level.
#[derive(Debug, Clone, Copy)]
pub struct Log(pub Level);

impl Log {
    /// Says what failed, and why.
    pub fn say(self, level: Level, what: &str, cause: impl Display) {
        if level <= self.0 {
            // A log that nobody reads any more is no reason to end.
            let _ = writeln!(std::io::stderr(), "booking: {what}: {cause}");
        }
    }
}
