//! The clock of a load: all its times are nanoseconds since its start.

use rustix::time::{ClockId, Timespec, clock_gettime};

/// Nanoseconds since a start that all workers share.
#[derive(Clone, Copy, Debug)]
pub struct LoadClock {
    start_ns: u64,
}

impl LoadClock {
    /// A clock whose zero is `delay_ns` from now.
    #[must_use]
    pub fn starting_in(delay_ns: u64) -> Self {
        Self {
            start_ns: read(ClockId::Monotonic) + delay_ns,
        }
    }

    /// Now; 0 before the start.
    #[must_use]
    pub fn now_ns(self) -> u64 {
        read(ClockId::Monotonic).saturating_sub(self.start_ns)
    }

    /// How long until the start; 0 after it.
    #[must_use]
    pub fn until_start_ns(self) -> u64 {
        self.start_ns.saturating_sub(read(ClockId::Monotonic))
    }

    /// The start as Unix time.
    #[must_use]
    pub fn start_unix_ns(self) -> u64 {
        let since_start_ns = i128::from(read(ClockId::Monotonic)) - i128::from(self.start_ns);
        let start_ns = i128::from(read(ClockId::Realtime)) - since_start_ns;
        u64::try_from(start_ns).unwrap_or_default()
    }
}

/// What a clock of the kernel says, in nanoseconds.
pub(super) fn read(clock: ClockId) -> u64 {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(clock);
    u64::try_from(tv_sec).unwrap_or_default() * 1_000_000_000
        + u64::try_from(tv_nsec).unwrap_or_default()
}
