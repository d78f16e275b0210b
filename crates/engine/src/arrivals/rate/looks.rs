//! When a waiting arrival was taken up: at its intended time, or at the look that came too late for it.
//!
//! While others wait already, no lane is free, and nothing could be done for one more. So the engine
//! need not look at the plan for it, and is to blame only where it did not look for long.

use std::collections::VecDeque;

/// While arrivals wait, the plan is looked at this often at least, and with every response.
pub const LOOK_NS: u64 = 5_000_000;

/// A stretch of time in which the engine should have looked, and its end, when it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lapse {
    after_ns: u64,
    look_ns: u64,
}

/// The lapses since the first waiting arrival was intended, in order.
///
/// A lapse is longer than `LOOK_NS`, or begins a queue; none is kept while nobody waits, and nobody
/// waits longer than a timeout.
#[derive(Clone, Debug, Default)]
pub struct Looks {
    last_ns: u64,
    lapses: VecDeque<Lapse>,
}

impl Looks {
    /// A look at the plan: whether arrivals waited before it, and whether any do after it.
    pub fn add(&mut self, now_ns: u64, waited: bool, wait: bool) {
        if !wait {
            self.lapses.clear();
        } else if !waited || now_ns > self.last_ns + LOOK_NS {
            self.lapses.push_back(Lapse {
                after_ns: self.last_ns,
                look_ns: now_ns,
            });
        }
        self.last_ns = now_ns;
    }

    /// When the plan was last looked at.
    #[must_use]
    pub fn last_ns(&self) -> u64 {
        self.last_ns
    }

    /// When an arrival was taken up.
    ///
    /// Earlier lapses are forgotten: arrivals are asked for in their order.
    pub fn taken_up_ns(&mut self, intended_ns: u64) -> u64 {
        while let Some(&lapse) = self.lapses.front() {
            if lapse.look_ns >= intended_ns {
                let is_inside = intended_ns > lapse.after_ns;
                return if is_inside {
                    lapse.look_ns
                } else {
                    intended_ns
                };
            }
            self.lapses.pop_front();
        }
        intended_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_to_wait_were_taken_up_at_the_look_that_found_no_lane() {
        let mut looks = Looks::default();
        looks.add(100, false, false);
        looks.add(200, false, true);
        looks.add(300, true, true);
        let taken_up = [150, 200, 201, 300].map(|intended_ns| looks.taken_up_ns(intended_ns));
        assert_eq!(taken_up, [200, 200, 201, 300]);
    }

    #[test]
    fn an_engine_that_did_not_look_for_long_is_to_blame() {
        let mut looks = Looks::default();
        looks.add(200, false, true);
        let late_ns = 201 + LOOK_NS;
        looks.add(late_ns, true, true);
        let taken_up = [150, 199, 200, 300].map(|intended_ns| looks.taken_up_ns(intended_ns));
        assert_eq!(taken_up, [200, 200, 200, late_ns], "200 was seen at 200");
    }

    #[test]
    fn looks_in_time_take_no_memory() {
        let mut looks = Looks::default();
        looks.add(1, false, true);
        (2..1_000_000).for_each(|now_ns| looks.add(now_ns, true, true));
        assert_eq!(looks.lapses.len(), 1);
    }

    #[test]
    fn looks_for_which_nobody_waits_take_no_memory_however_far_apart() {
        let mut looks = Looks::default();
        looks.add(1, false, true);
        (1..1_000).for_each(|look| looks.add(look * 2 * LOOK_NS, false, false));
        assert_eq!(looks.lapses.len(), 0);
    }
}
