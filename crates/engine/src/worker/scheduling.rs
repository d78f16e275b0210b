//! Whether the thread of a worker is scheduled in real time, and when it has to stop.
//!
//! A worker that does not come to wait starves what it loads on the same CPU. So it looks every few
//! milliseconds how much CPU time it has used since it last waited, and gives real time up when that
//! is too much. The kernel's own bound, further out, is for a worker that does not even come to look.

use rustix::thread::set_current_timer_slack;
use std::num::NonZeroU64;

use crate::host::{real_time, resource_use};
use crate::report::scheduling_facts::WorkerScheduling;

/// Between two looks; each costs two calls to the kernel.
const LOOK_EVERY_NS: u64 = 10_000_000;

/// CPU time without a wait: as long as a stall of the engine may last before it is told as a limit.
const LONGEST_NS: u64 = 100_000_000;

/// How often a thread had waited, and its CPU time then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Usage {
    waits: u64,
    cpu_ns: u64,
}

/// How the calling thread is scheduled.
#[derive(Debug)]
pub struct Scheduling {
    /// Never, unless it is scheduled in real time.
    next_look_ns: u64,
    /// As found by the first look after its last wait.
    waited: Usage,
    told: Option<WorkerScheduling>,
}

impl Scheduling {
    /// Asks for real time if it is wanted. A load goes on without the right to it, and tells so.
    #[must_use]
    pub fn ask(is_wanted: bool) -> Self {
        let told = is_wanted.then(|| WorkerScheduling {
            reason: real_time::ask().err().map(|refusal| refusal.to_string()),
            given_up_at_ns: None,
        });
        let holds = told.as_ref().is_some_and(|told| told.reason.is_none());
        Self {
            next_look_ns: if holds { 0 } else { u64::MAX },
            waited: usage(),
            told,
        }
    }

    /// Gives real time up if the thread has computed for too long.
    pub fn look(&mut self, now_ns: u64) {
        if now_ns < self.next_look_ns {
            return;
        }
        self.next_look_ns = now_ns + LOOK_EVERY_NS;
        if has_overrun(&mut self.waited, usage()) || !real_time::is_held() {
            self.give_up(now_ns);
        }
    }

    /// The load has ended: the thread is a normal one again. What really was, if real time was wanted.
    #[must_use]
    pub fn end(self) -> Option<WorkerScheduling> {
        if self.next_look_ns < u64::MAX {
            real_time::give_up();
        }
        self.told
    }

    fn give_up(&mut self, now_ns: u64) {
        real_time::give_up();
        // The kernel has set it back: to what lets it wake a normal thread 50 µs late.
        let _ = set_current_timer_slack(NonZeroU64::new(1));
        self.next_look_ns = u64::MAX;
        if let Some(told) = &mut self.told {
            let longest_ms = LONGEST_NS / 1_000_000;
            let reason = format!("used its CPU for {longest_ms} ms or more without waiting");
            told.reason = Some(reason);
            told.given_up_at_ns = Some(now_ns);
        }
    }
}

fn usage() -> Usage {
    Usage {
        waits: real_time::waits(),
        cpu_ns: resource_use::thread_cpu_ns(),
    }
}

/// Whether a thread has computed for too long since it last waited.
fn has_overrun(waited: &mut Usage, now: Usage) -> bool {
    if now.waits != waited.waits {
        *waited = now;
    }
    now.cpu_ns - waited.cpu_ns >= LONGEST_NS
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn only_time_on_the_cpu_since_the_last_wait_counts() {
        let usage = |waits, cpu_ns| Usage { waits, cpu_ns };
        let mut waited = usage(1, 0);
        assert!(!has_overrun(&mut waited, usage(1, LONGEST_NS - 1)));
        assert!(!has_overrun(&mut waited, usage(2, 5 * LONGEST_NS)));
        assert!(!has_overrun(&mut waited, usage(2, 6 * LONGEST_NS - 1)));
        assert!(has_overrun(&mut waited, usage(2, 6 * LONGEST_NS)));
    }

    #[test]
    fn a_worker_that_does_not_wait_gives_real_time_up_and_says_when() {
        let spin = || {
            let mut scheduling = Scheduling::ask(true);
            let (mut now_ns, has_right) = (0, real_time::is_held());
            while real_time::is_held() && resource_use::thread_cpu_ns() < 4 * LONGEST_NS {
                now_ns += LOOK_EVERY_NS;
                scheduling.look(now_ns);
            }
            let is_held = real_time::is_held();
            (has_right, is_held, now_ns, scheduling.end())
        };
        let ended = thread::spawn(spin).join().expect("it only computes");
        let (has_right, is_held, now_ns, told) = ended;
        let told = told.expect("it was wanted");
        assert!(!is_held);
        assert!(told.reason.is_some());
        assert_eq!(told.given_up_at_ns, has_right.then_some(now_ns));
    }

    #[test]
    fn nothing_is_asked_for_and_nothing_told_unless_it_is_wanted() {
        let mut scheduling = Scheduling::ask(false);
        scheduling.look(u64::MAX - 1);
        assert!(!real_time::is_held());
        assert_eq!(scheduling.end(), None);
    }
}
