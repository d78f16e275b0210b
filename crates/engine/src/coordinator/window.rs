//! When the window after a warm-up begins: pure, over the time since the load began.
//!
//! It begins with a second of the load, so that the intervals of the records need no other cut. It
//! is fixed while that second is still ahead, so that every worker knows the end of the load in time.

use crate::plan::{Plan, WarmUp};
use crate::report::window_facts::{WindowBegin, WindowFacts};

const SECOND_NS: u64 = 1_000_000_000;

/// The window of a load with a warm-up.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    at_most_ns: u64,
    duration_ns: u64,
    fixed: Option<WindowFacts>,
}

impl Window {
    /// That of a checked plan, if it has a warm-up.
    #[must_use]
    pub fn of(plan: &Plan) -> Option<Self> {
        plan.warm_up.map(|WarmUp { at_most_ns }| Self {
            at_most_ns,
            duration_ns: plan.duration_ns,
            fixed: None,
        })
    }

    /// It is to begin: with the next second, not before a time, and not after the latest one. Returns the
    /// begin if it was still open.
    pub fn begin(&mut self, now_ns: u64, not_before_ns: u64) -> Option<WindowFacts> {
        let next_second_ns = (now_ns / SECOND_NS + 1) * SECOND_NS;
        let wanted_ns = not_before_ns.div_ceil(SECOND_NS).saturating_mul(SECOND_NS);
        self.fix(next_second_ns.max(wanted_ns))
    }

    /// The load has come to the end of a second. Returns the begin if it was still open, and is now
    /// fixed: once a command could not move it any more.
    pub fn has_come_to(&mut self, now_ns: u64) -> Option<WindowFacts> {
        let next_second_ns = now_ns + SECOND_NS;
        if next_second_ns < self.at_most_ns {
            return None;
        }
        self.fix(next_second_ns)
    }

    fn fix(&mut self, start_ns: u64) -> Option<WindowFacts> {
        if self.fixed.is_some() {
            return None;
        }
        self.fixed = Some(if start_ns < self.at_most_ns {
            WindowFacts {
                start_ns,
                by: WindowBegin::Command,
            }
        } else {
            WindowFacts {
                start_ns: self.at_most_ns,
                by: WindowBegin::AtMost,
            }
        });
        self.fixed
    }

    /// When it begins, if that is fixed.
    #[must_use]
    pub fn fixed(&self) -> Option<WindowFacts> {
        self.fixed
    }

    /// Whether what begins now is part of it.
    #[must_use]
    pub fn holds(&self, start_ns: u64) -> bool {
        self.fixed.is_some_and(|fixed| fixed.start_ns <= start_ns)
    }

    /// When the load ends, as far as is known.
    #[must_use]
    pub fn end_ns(&self) -> u64 {
        let start_ns = self.fixed.map_or(self.at_most_ns, |fixed| fixed.start_ns);
        start_ns + self.duration_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn window(at_most_seconds: u64) -> Window {
        Window {
            at_most_ns: at_most_seconds * SECOND_NS,
            duration_ns: 5 * SECOND_NS,
            fixed: None,
        }
    }

    fn begun(seconds: u64, by: WindowBegin) -> WindowFacts {
        let start_ns = seconds * SECOND_NS;
        WindowFacts { start_ns, by }
    }

    #[test]
    fn a_command_begins_the_window_at_the_end_of_the_running_second() {
        for (now_ns, seconds) in [
            (0, 1),
            (2 * SECOND_NS, 3),
            (2 * SECOND_NS + 1, 3),
            (3 * SECOND_NS - 1, 3),
        ] {
            let mut window = window(10);
            assert_eq!(window.end_ns(), 15 * SECOND_NS);
            assert_eq!(
                window.begin(now_ns, 0),
                Some(begun(seconds, WindowBegin::Command))
            );
            assert_eq!(window.end_ns(), (seconds + 5) * SECOND_NS);
        }
    }

    #[test]
    fn a_command_may_name_a_later_second_and_no_earlier_one() {
        for (not_before_ns, seconds, by) in [
            (2 * SECOND_NS, 3, WindowBegin::Command),
            (4 * SECOND_NS, 4, WindowBegin::Command),
            (4 * SECOND_NS + 1, 5, WindowBegin::Command),
            (u64::MAX, 10, WindowBegin::AtMost),
        ] {
            let fixed = window(10).begin(2 * SECOND_NS, not_before_ns);
            assert_eq!(fixed, Some(begun(seconds, by)));
        }
    }

    #[test]
    fn a_command_in_the_last_second_or_later_is_the_latest_time() {
        for now_ns in [9 * SECOND_NS, 10 * SECOND_NS - 1, 12 * SECOND_NS] {
            let mut window = window(10);
            assert_eq!(
                window.begin(now_ns, 0),
                Some(begun(10, WindowBegin::AtMost))
            );
            assert_eq!(window.end_ns(), 15 * SECOND_NS);
        }
    }

    #[test]
    fn a_second_command_changes_nothing() {
        let mut window = window(10);
        assert!(window.begin(2 * SECOND_NS, 0).is_some());
        assert_eq!(window.begin(4 * SECOND_NS, 0), None);
        assert_eq!(window.has_come_to(9 * SECOND_NS), None);
        assert_eq!(window.fixed(), Some(begun(3, WindowBegin::Command)));
    }

    #[test]
    fn without_a_command_it_is_fixed_a_second_before_the_latest_time() {
        let mut window = window(10);
        assert_eq!(window.has_come_to(8 * SECOND_NS), None);
        let fixed = window.has_come_to(9 * SECOND_NS);
        assert_eq!(fixed, Some(begun(10, WindowBegin::AtMost)));
        let at = |seconds| window.holds(seconds * SECOND_NS);
        assert_eq!([at(9), at(10), at(11)], [false, true, true]);
    }

    proptest! {
        #[test]
        fn it_begins_with_a_later_second_and_never_after_the_latest_time(
            at_most_seconds in 1_u64..100, now_ns in 0..120 * SECOND_NS,
        ) {
            let mut window = window(at_most_seconds);
            let at_most_ns = window.at_most_ns;
            let window = window.begin(now_ns, 0).expect("is fixed");
            prop_assert_eq!(window.start_ns % SECOND_NS, 0);
            prop_assert!(window.start_ns <= at_most_ns);
            prop_assert!(window.start_ns > now_ns || window.by == WindowBegin::AtMost);
            prop_assert!(window.start_ns <= now_ns + SECOND_NS || now_ns >= at_most_ns);
            prop_assert_eq!(window.by == WindowBegin::AtMost, window.start_ns == at_most_ns);
        }
    }
}
