//! How long the calling thread could have run and had no CPU, as the kernel counts it.

use std::fs::File;
use std::os::unix::fs::FileExt;

use crate::host::run_waits::{LONG_WAIT_NS, RunWaits};

/// Of the thread that opens it: nanoseconds on a CPU and on a run queue, and how often it was given a
/// CPU (Documentation/scheduler/sched-stats.rst).
const FILE: &str = "/proc/thread-self/schedstat";

/// Between two looks of a thread that hardly waits; each costs two microseconds.
const LOOK_EVERY_NS: u64 = 10_000_000;

/// What the kernel has counted so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counted {
    waited_ns: u64,
    /// Times at which the thread was given a CPU.
    slices: u64,
}

impl Counted {
    fn since(self, before: Self) -> Self {
        Self {
            waited_ns: self.waited_ns.saturating_sub(before.waited_ns),
            slices: self.slices.saturating_sub(before.slices),
        }
    }
}

/// The waits of the calling thread.
#[derive(Debug)]
pub struct RunQueue {
    /// None where the kernel does not count them.
    file: Option<File>,
    told: Counted,
    turned_ns: u64,
    next_look_ns: u64,
    judge: WaitJudge,
    /// Not taken yet.
    waits: RunWaits,
    all: RunWaits,
}

impl RunQueue {
    /// From now on.
    #[must_use]
    pub fn watch() -> Self {
        let file = File::open(FILE).ok();
        let told = file.as_ref().and_then(counted);
        Self {
            file: file.filter(|_| told.is_some()),
            told: told.unwrap_or_default(),
            turned_ns: 0,
            next_look_ns: 0,
            judge: WaitJudge::default(),
            waits: RunWaits::default(),
            all: RunWaits::default(),
        }
    }

    /// A turn of the thread is over. Looks if it was so long that a long wait may be in it, and from time
    /// to time.
    pub fn turned(&mut self, now_ns: u64) {
        let turn_ns = now_ns.saturating_sub(self.turned_ns);
        self.turned_ns = now_ns;
        if turn_ns >= LONG_WAIT_NS || now_ns >= self.next_look_ns {
            self.next_look_ns = now_ns + LOOK_EVERY_NS;
            self.look(turn_ns);
        }
    }

    /// What was waited since the last call; none where the kernel does not tell.
    pub fn take(&mut self) -> Option<RunWaits> {
        self.file.as_ref()?;
        self.look(0);
        self.all.add(&self.waits);
        Some(std::mem::take(&mut self.waits))
    }

    /// What was ever taken; none where the kernel does not tell.
    #[must_use]
    pub fn all(&self) -> Option<RunWaits> {
        self.file.as_ref().map(|_| self.all)
    }

    fn look(&mut self, turn_ns: u64) {
        if let Some(now) = self.file.as_ref().and_then(counted) {
            let since = now.since(self.told);
            self.waits
                .count(since.waited_ns, self.judge.longest_ns(since, turn_ns));
            self.told = now;
        }
    }
}

/// Tells how much of what was waited between two looks was one wait.
#[derive(Debug, Default)]
struct WaitJudge {
    /// Between looks without a long turn.
    short: Counted,
}

impl WaitJudge {
    /// The last wait at most, of a last turn of this length. Where no turn is long, no wait is; else each
    /// wait but one is taken for as long as such waits are in the mean.
    fn longest_ns(&mut self, since: Counted, turn_ns: u64) -> u64 {
        if turn_ns < LONG_WAIT_NS {
            self.short.waited_ns += since.waited_ns;
            self.short.slices += since.slices;
            return 0;
        }
        let others = since.slices.saturating_sub(1);
        let others_ns = others * self.short.waited_ns / self.short.slices.max(1);
        since.waited_ns.saturating_sub(others_ns).min(turn_ns)
    }
}

fn counted(file: &File) -> Option<Counted> {
    let mut buffer = [0; 64];
    let length = file.read_at(&mut buffer, 0).ok()?;
    counted_of(std::str::from_utf8(&buffer[..length]).ok()?)
}

fn counted_of(text: &str) -> Option<Counted> {
    let mut numbers = text
        .split_ascii_whitespace()
        .skip(1)
        .map(|number| number.parse().ok());
    Some(Counted {
        waited_ns: numbers.next()??,
        slices: numbers.next()??,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn counted(waited_ns: u64, slices: u64) -> Counted {
        Counted { waited_ns, slices }
    }

    #[test]
    fn the_time_on_the_run_queue_is_the_second_number() {
        assert_eq!(counted_of("12345 678 9\n"), Some(counted(678, 9)));
        assert_eq!(counted_of("0 0 0\n"), Some(counted(0, 0)));
        assert_eq!(counted_of("0 0\n"), None);
        assert_eq!(counted_of(""), None);
    }

    #[test]
    fn many_short_waits_are_no_long_one() {
        let mut judge = WaitJudge::default();
        // Two hundred waits of 20 us each in 10 ms, and no turn that is long.
        assert_eq!(judge.longest_ns(counted(4_000_000, 200), 100_000), 0);
        // The same, before a turn of 3 ms in which the thread only slept.
        assert_eq!(judge.longest_ns(counted(2_000_000, 100), 3_000_000), 20_000);
        // The same, before a turn of 3 ms in which it waited for 2 ms.
        let waited_ns = judge.longest_ns(counted(4_000_000, 101), 3_000_000);
        assert_eq!(waited_ns, 2_000_000);
    }

    #[test]
    fn no_wait_is_longer_than_its_turn() {
        let mut judge = WaitJudge::default();
        assert_eq!(
            judge.longest_ns(counted(9_000_000, 1), 5_000_000),
            5_000_000
        );
    }

    #[test]
    fn what_was_waited_is_taken_once() {
        let mut queue = RunQueue::watch();
        queue.turned(LONG_WAIT_NS);
        if let (Some(first), Some(second)) = (queue.take(), queue.take()) {
            assert!(first.long_waited_ns <= first.waited_ns);
            assert_eq!(second.long_waits, 0);
        } else {
            eprintln!("skipped: this kernel does not count waits");
        }
    }
}
