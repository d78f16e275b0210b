//! What the engine asks of the kernel for its own process.

use anyhow::{Context, Result, bail};
use rustix::process::{Resource, getrlimit, nice, setrlimit};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Each connection is a file; the usual limit of 1024 is for programs that use `select`.
pub(super) fn allow_many_files() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // If it is refused, connections beyond the limit fail, and are counted and shown as such.
    let _ = setrlimit(Resource::Nofile, limit);
}

/// Workers that share a CPU with this thread go before it: what it does may come a little later, and
/// what they do may not. 10 is a tenth of a worker's share of a busy CPU (sched(7)).
pub(super) fn stand_back() {
    // Without it the load is as it was.
    let _ = nice(10);
}

/// Keeps the whole engine, this thread included, on the CPUs of the plan.
pub(super) fn restrict_to(cpus: &[usize]) -> Result<()> {
    if cpus.is_empty() {
        return Ok(());
    }
    let allowed = sched_getaffinity(None)?;
    let mut wanted = CpuSet::new();
    for &cpu in cpus {
        if !allowed.is_set(cpu) {
            bail!("cpus: CPU {cpu} does not exist or is not allowed for this process");
        }
        wanted.set(cpu);
    }
    sched_setaffinity(None, &wanted).context("cpus: the process cannot be moved there")
}
