//! How long the calling thread could have run and had no CPU, as the kernel counts it.

use std::fs::File;
use std::os::unix::fs::FileExt;

use crate::host::run_waits::RunWaits;

/// Times on a CPU and on a run queue of the thread that opens it, nanoseconds
/// (Documentation/scheduler/sched-stats.rst).
const FILE: &str = "/proc/thread-self/schedstat";

/// Between two looks. Each is one call of two microseconds, and what is waited between them is taken
/// for one wait: so they are far apart for the cost and near for the length.
const LOOK_EVERY_NS: u64 = 10_000_000;

/// The waits of the calling thread, in what was not taken yet.
#[derive(Debug)]
pub struct RunQueue {
    /// None where the kernel does not count them.
    file: Option<File>,
    waited_ns: u64,
    next_look_ns: u64,
    /// Not taken yet.
    waits: RunWaits,
    all: RunWaits,
}

impl RunQueue {
    /// From now on.
    #[must_use]
    pub fn watch() -> Self {
        let file = File::open(FILE).ok();
        let waited_ns = file.as_ref().and_then(waited_ns);
        Self {
            file: file.filter(|_| waited_ns.is_some()),
            waited_ns: waited_ns.unwrap_or_default(),
            next_look_ns: 0,
            waits: RunWaits::default(),
            all: RunWaits::default(),
        }
    }

    /// Looks, unless the last look was just now.
    pub fn look(&mut self, now_ns: u64) {
        if now_ns < self.next_look_ns {
            return;
        }
        self.next_look_ns = now_ns + LOOK_EVERY_NS;
        self.count();
    }

    /// What was waited since the last call; none where the kernel does not tell.
    pub fn take(&mut self) -> Option<RunWaits> {
        self.file.as_ref()?;
        self.count();
        self.all.add(&self.waits);
        Some(std::mem::take(&mut self.waits))
    }

    /// What was ever taken; none where the kernel does not tell.
    #[must_use]
    pub fn all(&self) -> Option<RunWaits> {
        self.file.as_ref().map(|_| self.all)
    }

    fn count(&mut self) {
        if let Some(waited_ns) = self.file.as_ref().and_then(waited_ns) {
            self.waits.count(waited_ns.saturating_sub(self.waited_ns));
            self.waited_ns = waited_ns;
        }
    }
}

fn waited_ns(file: &File) -> Option<u64> {
    let mut buffer = [0; 64];
    let length = file.read_at(&mut buffer, 0).ok()?;
    waited_of(std::str::from_utf8(&buffer[..length]).ok()?)
}

/// The second of three numbers.
fn waited_of(text: &str) -> Option<u64> {
    text.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_on_the_run_queue_is_the_second_number() {
        assert_eq!(waited_of("12345 678 9\n"), Some(678));
        assert_eq!(waited_of("0 0\n"), Some(0));
        assert_eq!(waited_of(""), None);
    }

    #[test]
    fn what_was_waited_is_taken_once() {
        let mut queue = RunQueue::watch();
        queue.look(0);
        if let (Some(first), Some(second)) = (queue.take(), queue.take()) {
            assert!(first.long_waited_ns <= first.waited_ns);
            assert!(second.long_waits <= 1);
        } else {
            eprintln!("skipped: this kernel does not count waits");
        }
    }
}
