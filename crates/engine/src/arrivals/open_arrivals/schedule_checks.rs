//! When a waiting arrival was taken up: at its intended time, or when the engine checked too late.
//!
//! An arrival is taken up when the engine checks the schedule and finds it due. While others wait
//! already, no lane is free, and nothing could be done for one more. So the engine need not check at
//! each intended time: it is to blame for the wait only where it did not check for long.

use std::collections::VecDeque;

/// While arrivals wait, the schedule is checked this often at least, and with every response.
pub const CHECK_EVERY_NS: u64 = 5_000_000;

/// A stretch of time in which the engine should have checked, and its end, when it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LateCheck {
    after_ns: u64,
    checked_ns: u64,
}

/// The late checks since the first waiting arrival was intended, in order.
///
/// A check is late if it comes more than `CHECK_EVERY_NS` after the one before, or if it is the first
/// that finds no free lane. None is kept while nobody waits, and nobody waits longer than a timeout.
#[derive(Clone, Debug, Default)]
pub struct ScheduleChecks {
    last_ns: u64,
    late_checks: VecDeque<LateCheck>,
}

impl ScheduleChecks {
    /// Adds a check: whether arrivals waited before it, and whether any do after it.
    pub fn add(&mut self, now_ns: u64, waited: bool, wait: bool) {
        if !wait {
            self.late_checks.clear();
        } else if !waited || now_ns > self.last_ns + CHECK_EVERY_NS {
            self.late_checks.push_back(LateCheck {
                after_ns: self.last_ns,
                checked_ns: now_ns,
            });
        }
        self.last_ns = now_ns;
    }

    /// When the schedule was last checked.
    #[must_use]
    pub fn last_ns(&self) -> u64 {
        self.last_ns
    }

    /// When an arrival was taken up.
    ///
    /// Earlier checks are forgotten: arrivals are asked for in their order.
    pub fn taken_up_ns(&mut self, intended_ns: u64) -> u64 {
        while let Some(&late_check) = self.late_checks.front() {
            if late_check.checked_ns >= intended_ns {
                let is_inside = intended_ns > late_check.after_ns;
                return if is_inside {
                    late_check.checked_ns
                } else {
                    intended_ns
                };
            }
            self.late_checks.pop_front();
        }
        intended_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_to_wait_were_taken_up_at_the_check_that_found_no_lane() {
        let mut checks = ScheduleChecks::default();
        checks.add(100, false, false);
        checks.add(200, false, true);
        checks.add(300, true, true);
        let taken_up = [150, 200, 201, 300].map(|intended_ns| checks.taken_up_ns(intended_ns));
        assert_eq!(taken_up, [200, 200, 201, 300]);
    }

    #[test]
    fn an_engine_that_did_not_check_for_long_is_to_blame() {
        let mut checks = ScheduleChecks::default();
        checks.add(200, false, true);
        let late_ns = 201 + CHECK_EVERY_NS;
        checks.add(late_ns, true, true);
        let taken_up = [150, 199, 200, 300].map(|intended_ns| checks.taken_up_ns(intended_ns));
        assert_eq!(taken_up, [200, 200, 200, late_ns], "200 was seen at 200");
    }

    #[test]
    fn checks_in_time_take_no_memory() {
        let mut checks = ScheduleChecks::default();
        checks.add(1, false, true);
        (2..1_000_000).for_each(|now_ns| checks.add(now_ns, true, true));
        assert_eq!(checks.late_checks.len(), 1);
    }

    #[test]
    fn checks_for_which_nobody_waits_take_no_memory_however_far_apart() {
        let mut checks = ScheduleChecks::default();
        checks.add(1, false, true);
        (1..1_000).for_each(|check| checks.add(check * 2 * CHECK_EVERY_NS, false, false));
        assert_eq!(checks.late_checks.len(), 0);
    }
}
