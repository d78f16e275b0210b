//! How long the engine's threads were kept from a CPU, in the summary and in each interval.

use schemars::JsonSchema;
use serde::Serialize;

use crate::host::own_quota::Throttled;
use crate::host::run_waits::RunWaits;

/// Waits for a CPU of a thread that could have run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WaitFacts {
    /// All together, nanoseconds.
    pub waited_ns: u64,
    /// Waits of 1 ms or more.
    pub long_waits: u64,
    /// Those together, nanoseconds.
    pub long_waited_ns: u64,
}

impl From<RunWaits> for WaitFacts {
    fn from(waits: RunWaits) -> Self {
        Self {
            waited_ns: waits.waited_ns,
            long_waits: waits.long_waits,
            long_waited_ns: waits.long_waited_ns,
        }
    }
}

/// What the CPU quota of the engine's own control group, or of one above it, kept from running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ThrottledFacts {
    /// Periods in which it was used up.
    pub periods: u64,
    /// For how long the group, or one of its CPUs, then stood still, nanoseconds.
    pub throttled_ns: u64,
}

impl From<Throttled> for ThrottledFacts {
    fn from(throttled: Throttled) -> Self {
        Self {
            periods: throttled.periods,
            throttled_ns: throttled.throttled_ns,
        }
    }
}

/// The waits of several threads together; none where the kernel tells none.
#[must_use]
pub fn together(waits: impl Iterator<Item = Option<RunWaits>>) -> Option<RunWaits> {
    waits.flatten().reduce(|mut sum, each| {
        sum.add(&each);
        sum
    })
}
