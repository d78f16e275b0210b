//! Reading clocks, and waiting exactly.

use std::num::NonZeroU64;

use rustix::io::Errno;
use rustix::thread::set_current_timer_slack;
use rustix::time::{ClockId, Timespec, clock_gettime};

pub const NANOSECONDS_PER_SECOND: u64 = 1_000_000_000;

/// The monotonic clock that all processes of a machine share.
pub fn monotonic_ns() -> u64 {
    read(ClockId::Monotonic)
}

/// What to add to a time of the real-time clock to get that of the monotonic clock.
pub fn monotonic_minus_realtime_ns() -> i64 {
    let (monotonic, realtime) = (read(ClockId::Monotonic), read(ClockId::Realtime));
    i64::try_from(monotonic).unwrap_or_default() - i64::try_from(realtime).unwrap_or_default()
}

/// User and system time of this process.
pub fn process_cpu_ns() -> u64 {
    read(ClockId::ProcessCPUTime)
}

/// Lets timers of this thread fire when they are due; by default the kernel may add 50 us.
///
/// # Errors
/// If the kernel refuses.
pub fn no_timer_slack() -> Result<(), Errno> {
    set_current_timer_slack(NonZeroU64::new(1))
}

/// What is left until a moment of the monotonic clock.
pub fn until(deadline_ns: u64) -> Timespec {
    let left_ns = deadline_ns.saturating_sub(monotonic_ns());
    Timespec {
        tv_sec: i64::try_from(left_ns / NANOSECONDS_PER_SECOND).unwrap_or(i64::MAX),
        tv_nsec: i64::try_from(left_ns % NANOSECONDS_PER_SECOND).unwrap_or_default(),
    }
}

fn read(clock: ClockId) -> u64 {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(clock);
    u64::try_from(tv_sec).unwrap_or_default() * NANOSECONDS_PER_SECOND
        + u64::try_from(tv_nsec).unwrap_or_default()
}
