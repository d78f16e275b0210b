//! What the engine itself uses of the machine: CPU time and memory.

use rustix::time::ClockId;
use std::fs;

use crate::host::load_clock::read;

/// User and system time of the whole process.
#[must_use]
pub fn process_cpu_ns() -> u64 {
    read(ClockId::ProcessCPUTime)
}

/// User and system time of the calling thread.
#[must_use]
pub fn thread_cpu_ns() -> u64 {
    read(ClockId::ThreadCPUTime)
}

/// The highest resident memory of the process so far; 0 where the kernel does not tell.
#[must_use]
pub fn peak_rss_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes =
        line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kibibytes.unwrap_or_default() * 1024
}
