//! Real-time scheduling of the calling thread: it runs before all normal threads of its CPU.
//!
//! A generator that shares a CPU with what it loads is run when the scheduler's slice of the other is
//! over, which is milliseconds. `SCHED_FIFO` takes that wait away (sched(7)), and with it all
//! protection against a thread that never waits. So it comes with a bound, `RLIMIT_RTTIME`
//! (setrlimit(2)): the kernel counts the CPU time of each real-time thread since it last waited, sends
//! SIGXCPU at the soft limit and each second from there on, and kills at the hard one. The handler
//! makes the thread a normal one, after which nothing is counted any more, so no load is killed.
//!
//! Kernel threads that work for a thread (`io_uring`'s) inherit its policy like any thread that it
//! starts, but for `SCHED_RESET_ON_FORK`.
#![allow(
    unsafe_code,
    reason = "the policy of a thread and its waits are asked for by plain system calls"
)]

use libc::{SCHED_FIFO, SCHED_OTHER, SCHED_RESET_ON_FORK};
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use signal_hook::consts::SIGXCPU;
use signal_hook::low_level::register;
use std::sync::OnceLock;

/// The least that there is: it need not run before other real-time threads.
const PRIORITY: i32 = 1;

/// CPU time without a wait after which the kernel makes the thread a normal one, in microseconds: well
/// beyond where the thread should have done so itself.
const SOFT_LIMIT_US: u64 = 500_000;

/// Where the kernel kills. The soft limit is told each second, so it has been told three times.
const HARD_LIMIT_US: u64 = 3_000_000;

/// Why a thread is not scheduled in real time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The process has less time than it may use up.
    #[error("RLIMIT_RTTIME is {0} us, and should be {HARD_LIMIT_US} or unlimited")]
    Limit(u64),
    /// The kernel does not take the bound, and without it nothing is asked for.
    #[error("RLIMIT_RTTIME cannot be set: {0}")]
    Unbounded(Errno),
    /// The kernel does not take the policy.
    #[error("SCHED_FIFO: {0}")]
    Policy(Errno),
}

/// Makes the calling thread a real-time one, within the bound.
///
/// # Errors
/// If it has no right to it, or cannot be bounded; it is a normal thread then.
pub fn ask() -> Result<(), Refusal> {
    static BOUND: OnceLock<Result<(), Refusal>> = OnceLock::new();
    (*BOUND.get_or_init(bound))?;
    set_policy(SCHED_FIFO, PRIORITY).map_err(Refusal::Policy)
}

/// Makes the calling thread a normal one again.
pub fn give_up() {
    // It is always allowed, as long as new threads stay normal, too.
    let _ = set_policy(SCHED_OTHER, 0);
}

/// Whether the calling thread is a real-time one.
#[must_use]
pub fn is_held() -> bool {
    // SAFETY: it takes no memory; 0 is the calling thread.
    let policy = unsafe { libc::sched_getscheduler(0) };
    policy & !SCHED_RESET_ON_FORK == SCHED_FIFO
}

/// How often the calling thread has waited so far, instead of going on computing.
#[must_use]
pub fn waits() -> u64 {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the kernel writes one `rusage`, of which all zeros is a valid one.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr());
        usage.assume_init()
    };
    u64::try_from(usage.ru_nvcsw).unwrap_or_default()
}

/// Bounds what any thread of the process may use in real time.
fn bound() -> Result<(), Refusal> {
    let allowed_us = getrlimit(Resource::Rttime).maximum.unwrap_or(u64::MAX);
    if allowed_us < HARD_LIMIT_US {
        return Err(Refusal::Limit(allowed_us));
    }
    // SAFETY: the handler makes one system call, about the thread that it interrupted: the kernel gives
    // the signal to the one that used the time.
    let registered = unsafe { register(SIGXCPU, give_up) };
    registered.map_err(|error| Refusal::Unbounded(errno(&error)))?;
    let limit = Rlimit {
        current: Some(SOFT_LIMIT_US),
        maximum: Some(HARD_LIMIT_US),
    };
    setrlimit(Resource::Rttime, limit).map_err(Refusal::Unbounded)
}

fn set_policy(policy: i32, priority: i32) -> Result<(), Errno> {
    let parameters = libc::sched_param {
        sched_priority: priority,
    };
    let policy = policy | SCHED_RESET_ON_FORK;
    // SAFETY: the kernel reads the parameters during the call; 0 is the calling thread.
    let result = unsafe { libc::sched_setscheduler(0, policy, &raw const parameters) };
    if result == 0 {
        return Ok(());
    }
    Err(errno(&std::io::Error::last_os_error()))
}

fn errno(error: &std::io::Error) -> Errno {
    Errno::from_io_error(error).unwrap_or(Errno::IO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::resource_use::thread_cpu_ns;
    use std::thread;

    #[test]
    fn the_kernel_ends_real_time_of_a_thread_that_never_waits() {
        let spin = || {
            let Ok(()) = ask() else {
                return None;
            };
            let child = thread::spawn(is_held).join();
            let before = (is_held(), child.expect("it only asks"));
            let limit_ns = 2 * SOFT_LIMIT_US * 1_000;
            while is_held() && thread_cpu_ns() < limit_ns {}
            Some((before, is_held()))
        };
        match thread::spawn(spin).join().expect("it only computes") {
            Some(held) => assert_eq!(held, ((true, false), false)),
            None => eprintln!("skipped: this process has no right to SCHED_FIFO"),
        }
    }

    #[test]
    fn waiting_is_counted_and_computing_is_not() {
        let before = waits();
        thread::sleep(std::time::Duration::from_millis(1));
        assert!(waits() > before);
    }
}
