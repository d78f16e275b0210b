//! When the engine looked at its plan: from it follows when a waiting arrival was taken up.
//!
//! One time per look instead of one per arrival: overload brings many arrivals to each look.

use std::collections::VecDeque;

/// Looks closer together than this part of the timeout count as one: nothing waits longer than a
/// timeout, so there are at most so many (8 MiB), and a taking-up time is late by at most a
/// microsecond for each second of timeout.
const MOST_LOOKS: u64 = 1 << 20;

/// The times of the looks since the first waiting arrival was intended, in order.
#[derive(Clone, Debug)]
pub struct Looks {
    grain_ns: u64,
    /// When the last one below began to stand for several.
    begun_ns: u64,
    /// In nanoseconds.
    times: VecDeque<u64>,
}

impl Looks {
    /// None yet.
    #[must_use]
    pub fn new(timeout_ns: u64) -> Self {
        Self {
            grain_ns: timeout_ns / MOST_LOOKS,
            begun_ns: 0,
            times: VecDeque::new(),
        }
    }

    /// Adds a look at which arrivals were taken up that have to wait.
    pub fn add(&mut self, now_ns: u64) {
        match self.times.back_mut() {
            Some(last_ns) if now_ns - self.begun_ns < self.grain_ns => *last_ns = now_ns,
            _ => {
                self.begun_ns = now_ns;
                self.times.push_back(now_ns);
            }
        }
    }

    /// The first look not before the intended time of an arrival, which was taken up at it.
    ///
    /// Earlier looks are forgotten: arrivals are asked for in their order.
    pub fn first_since(&mut self, intended_ns: u64) -> u64 {
        while let Some(&look_ns) = self.times.front() {
            if look_ns >= intended_ns {
                return look_ns;
            }
            self.times.pop_front();
        }
        intended_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrival_was_taken_up_at_the_first_look_since_it_was_intended() {
        let mut looks = Looks::new(1_000);
        for now_ns in [10, 20, 30] {
            looks.add(now_ns);
        }
        let taken_up = [3, 10, 11, 12, 25].map(|intended_ns| looks.first_since(intended_ns));
        assert_eq!(taken_up, [10, 10, 20, 20, 30]);
    }

    #[test]
    fn looks_within_one_grain_are_kept_as_the_last_of_them() {
        let mut looks = Looks::new(MOST_LOOKS * 100);
        for now_ns in [0, 50, 99, 100, 350] {
            looks.add(now_ns);
        }
        assert_eq!(looks.times, [99, 100, 350]);
    }

    #[test]
    fn a_timeout_full_of_looks_takes_bounded_memory() {
        let timeout_ns = 3_600_000_000_000;
        let mut looks = Looks::new(timeout_ns);
        let step_ns = timeout_ns / (2 * MOST_LOOKS);
        (0..2 * MOST_LOOKS).for_each(|look| looks.add(look * step_ns));
        assert!(looks.times.len() as u64 <= MOST_LOOKS + 1);
    }
}
