//! When sessions are intended to begin: pure functions of count, rate and seed, no clock and no sleep.
//!
//! One plan of arrivals for each group is fixed before the load and dealt round-robin to the workers, so
//! that the offered arrivals do not depend on how many workers there are.
//!
//! With Λ(t), the integral of the rate from 0 to t, arrival `k` of the plan is intended at Λ⁻¹(u).
//! For a constant process u = `k` + `g`/`G`, where the group is number `g` of `G`: groups with equal
//! stages do not arrive at equal moments. For a Poisson process u is the sum of `k` + 1 draws of the
//! exponential distribution with mean 1, each group from a stream of its own (time rescaling: Çinlar,
//! "Introduction to Stochastic Processes", 1975, section 4.7).

use crate::arrivals::random::{Generator, exponential, generator};
use crate::arrivals::stages::ValueOverTime;
use crate::plan::Process;

/// What falls to one worker of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerPart {
    /// How many workers share the plan.
    pub workers: u64,
    /// The number of this one.
    pub index: u64,
}

impl WorkerPart {
    /// All of it, for the only worker.
    #[cfg(test)]
    pub const WHOLE: Self = Self {
        workers: 1,
        index: 0,
    };

    /// How much of `total` falls to this worker: all parts differ by at most one.
    #[must_use]
    pub fn of(self, total: u64) -> u64 {
        total / self.workers + u64::from(self.index < total % self.workers)
    }

    /// The number in the whole plan of what is number `own` here.
    #[must_use]
    pub fn global(self, own: u64) -> u64 {
        own * self.workers + self.index
    }

    /// This worker's part of what comes after `before` others that were dealt in turn.
    #[must_use]
    pub fn after(self, before: u64) -> Self {
        let dealt = before % self.workers;
        Self {
            index: (self.index + self.workers - dealt) % self.workers,
            ..self
        }
    }
}

/// Which of the plan's groups it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupPlace {
    /// Its number.
    pub number: u64,
    /// How many there are.
    pub groups: u64,
}

impl GroupPlace {
    /// The only one.
    #[cfg(test)]
    pub const ONLY: Self = Self {
        number: 0,
        groups: 1,
    };

    /// By how much its users and constant arrivals come later than those of the first group, as a part of
    /// one user or arrival.
    #[must_use]
    pub fn phase(self) -> f64 {
        self.number as f64 / self.groups as f64
    }
}

/// One worker's part of a group's plan: arrivals `index`, `index + workers`, ...
#[derive(Clone, Debug)]
pub struct Schedule {
    line: ValueOverTime,
    /// The piece of the line in which the next arrival lies.
    hint: usize,
    workers: u64,
    /// Of the next arrival, in the group's plan.
    number: u64,
    progress: Progress,
    next_ns: u64,
}

/// How far the plan has come, in expected arrivals.
#[derive(Clone, Debug)]
enum Progress {
    /// To the number of the next arrival, and so much further.
    Constant(f64),
    /// To this sum of draws. Every worker draws all of them, and keeps its own: so all workers see
    /// the same sums, to the last bit.
    Poisson(f64, Box<Generator>),
}

impl Schedule {
    /// The arrivals of a group that fall to one worker.
    #[must_use]
    pub fn new(
        line: ValueOverTime,
        process: Process,
        seed: u64,
        group: GroupPlace,
        part: WorkerPart,
    ) -> Self {
        let progress = match process {
            Process::Constant => Progress::Constant(group.phase()),
            Process::Poisson => {
                let mut draws = generator(seed, group.number);
                Progress::Poisson(exponential(&mut draws), Box::new(draws))
            }
        };
        let mut schedule = Self {
            line,
            hint: 0,
            workers: part.workers,
            number: 0,
            progress,
            next_ns: 0,
        };
        schedule.go_on(part.index);
        schedule
    }

    /// When this worker's next arrival is intended; `u64::MAX`: there is none.
    #[must_use]
    pub fn peek_ns(&self) -> u64 {
        self.next_ns
    }

    /// The number of this worker's next arrival in the group's plan.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Goes on to the arrival after the next one.
    pub fn advance(&mut self) {
        self.go_on(self.workers);
    }

    fn go_on(&mut self, arrivals: u64) {
        self.number += arrivals;
        // A constant process is computed from k each time: errors do not add up, so the rate
        // cannot drift. A double holds the result to below a nanosecond for 104 days.
        let expected = match &mut self.progress {
            Progress::Constant(phase) => self.number as f64 + *phase,
            Progress::Poisson(sum, draws) => {
                for _ in 0..arrivals {
                    *sum += exponential(draws);
                }
                *sum
            }
        };
        let next_ns = self.line.reach(expected, &mut self.hint);
        self.next_ns = next_ns.unwrap_or(u64::MAX);
    }
}

#[cfg(test)]
mod tests;
