//! What a plan must be to be carried out: each refusal names the key and what to do.
//!
//! Two things are never negotiable here: load goes only to loopback or to listed addresses, and
//! no request can be written that a server could read as two.

mod arrivals;
mod feeds;
mod group;
mod nodes;
mod operation;
mod response;
mod share;
mod target;
mod template;
mod warm_up;

use std::net::SocketAddr;

use rustix::thread::CpuSet;
use serde::Deserialize;
use thiserror::Error;

use crate::plan::{PLAN_VERSION, Plan};

pub use operation::is_token_byte;

/// Why a plan is not carried out.
#[derive(Debug, Error)]
pub enum PlanError {
    /// Not JSON, or not of the schema.
    #[error("plan: {0}")]
    Syntax(#[from] serde_json::Error),
    /// Another version of the format.
    #[error(
        "plan_version: this engine reads version {PLAN_VERSION} alone, the plan is version {0}; let the \
         Loadstone write it that belongs to this engine"
    )]
    Version(u32),
    /// A value that cannot be carried out.
    #[error("{key}: {message}")]
    Value {
        /// Where in the plan.
        key: String,
        /// What is wrong, and what to do.
        message: String,
    },
    /// Neither loopback nor allowed.
    #[error(
        "target.address: {0} is refused, since it is neither loopback nor in allowed_addresses; \
         add it there only if the server is yours to load"
    )]
    TargetRefused(SocketAddr),
}

/// A refusal.
fn wrong(key: impl Into<String>, message: impl Into<String>) -> PlanError {
    PlanError::Value {
        key: key.into(),
        message: message.into(),
    }
}

/// So much of a plan as says whether the rest can be read.
#[derive(Deserialize)]
struct Version {
    plan_version: u32,
}

/// Reads and checks a plan.
///
/// # Errors
/// Names the first key that is wrong.
pub fn read(text: &str) -> Result<(Plan, SocketAddr), PlanError> {
    if let Ok(Version { plan_version }) = serde_json::from_str(text)
        && plan_version != PLAN_VERSION
    {
        return Err(PlanError::Version(plan_version));
    }
    let plan: Plan = serde_json::from_str(text)?;
    let address = target::check(&plan)?;
    check_cpus(&plan.cpus)?;
    arrivals::check_times(&plan)?;
    feeds::check(&plan.feeds)?;
    group::check_all(&plan)?;
    warm_up::check(&plan)?;
    share::check(&plan)?;
    Ok((plan, address))
}

fn check_cpus(cpus: &[usize]) -> Result<(), PlanError> {
    for (index, cpu) in cpus.iter().enumerate() {
        if *cpu >= CpuSet::MAX_CPU || cpus[..index].contains(cpu) {
            let key = format!("cpus[{index}]");
            return Err(wrong(
                key,
                format!("CPU {cpu} is out of range or named twice"),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
