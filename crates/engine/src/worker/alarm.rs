//! Ends waits a little early, so that the thread runs when something is due, and not a wake-up later.
//!
//! An idle CPU takes tens of microseconds to run a thread whose timer has fired, more so in a virtual
//! machine. So the wait ends earlier by what that usually takes, and the rest is spent awake.

/// Waits end at most this much earlier: what takes longer is not a wake-up but other work.
const MOST_EARLY_NS: u64 = 100_000;

/// Waits end earlier by at most an eighth, which bounds the CPU time spent awake for nothing.
const LEAST_WAITS: u64 = 8;

/// The steps of the estimate after a wake-up that came too late, or soon enough. Where they balance,
/// three of four come soon enough (stochastic approximation of a quantile: Robbins and Monro, "A
/// Stochastic Approximation Method", 1951).
const STEP_UP_NS: u64 = 1_500;
const STEP_DOWN_NS: u64 = 500;

/// How long waking up takes, learned from the wake-ups so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alarm {
    early_ns: u64,
    /// The thread stays awake until this time: its last wait ended early for what is due then.
    awake_until_ns: u64,
}

impl Alarm {
    /// When a wait that begins now should end, so that the thread is awake when something is due.
    /// It is not after now while the thread should stay awake.
    #[must_use]
    pub fn set(&self, now_ns: u64, due_ns: u64) -> u64 {
        if due_ns <= self.awake_until_ns {
            return due_ns.min(now_ns);
        }
        let wait_ns = due_ns.saturating_sub(now_ns);
        due_ns - self.early_ns.min(wait_ns / LEAST_WAITS)
    }

    /// Learns from a wait for what is due at `due_ns`, which was to end at `set_ns`, and did at
    /// `woken_ns`.
    pub fn woke(&mut self, due_ns: u64, set_ns: u64, woken_ns: u64) {
        if woken_ns >= set_ns {
            self.awake_until_ns = due_ns;
        }
        if woken_ns > set_ns + self.early_ns {
            self.early_ns = MOST_EARLY_NS.min(self.early_ns + STEP_UP_NS);
        } else if woken_ns >= set_ns {
            self.early_ns = self.early_ns.saturating_sub(STEP_DOWN_NS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_of_four_wake_ups_come_in_time() {
        let (mut alarm, mut in_time) = (Alarm::default(), 0);
        for round in 0..20_000 {
            let due_ns = 10_000_000 * (round + 1);
            let set_ns = alarm.set(due_ns - 10_000_000, due_ns);
            let woken_ns = set_ns + 20_000 + round * 7_919 % 40_000;
            in_time += u64::from(woken_ns <= due_ns);
            alarm.woke(due_ns, set_ns, woken_ns);
        }
        assert!((14_500..15_500).contains(&in_time), "{in_time}");
    }

    #[test]
    fn no_more_than_an_eighth_of_a_wait_is_spent_awake() {
        let mut alarm = Alarm::default();
        (0..1_000).for_each(|_| alarm.woke(0, 0, 1_000_000_000));
        assert_eq!(alarm.set(0, 8_000), 7_000);
        assert_eq!(alarm.set(0, 8_000_000), 7_900_000, "nor more than 100 us");
        assert_eq!(alarm.set(0, u64::MAX), u64::MAX - 100_000);
    }

    #[test]
    fn an_early_event_says_nothing_about_waking_up() {
        let mut alarm = Alarm::default();
        alarm.woke(0, 0, 50_000);
        let before_ns = alarm.early_ns;
        alarm.woke(1_100_000, 1_000_000, 900_000);
        assert_eq!(alarm.early_ns, before_ns);
        assert!(alarm.set(900_000, 1_100_000) > 900_000, "it sleeps on");
    }

    #[test]
    fn the_thread_stays_awake_until_what_the_alarm_was_for() {
        let mut alarm = Alarm::default();
        alarm.woke(100_000, 60_000, 70_000);
        assert_eq!(alarm.set(70_000, 100_000), 70_000);
        assert_eq!(
            alarm.set(71_000, 90_000),
            71_000,
            "also for what has come up before"
        );
        assert_eq!(
            alarm.set(101_000, 100_000),
            100_000,
            "what is overdue is due"
        );
        assert!(alarm.set(101_000, 200_000) > 101_000);
    }
}
