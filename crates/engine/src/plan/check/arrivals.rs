//! When requests are offered and when the load stops: values that can be carried out, and times
//! whose sums cannot overflow.

use super::{PlanError, wrong};
use crate::plan::{
    Arrivals, Group, Leave, Plan, Rate, Stage, StopRules, Think, highest, most_users,
};

/// A year: far beyond any load, and small enough that sums of times cannot overflow.
const LONGEST_NS: u64 = 365 * 86_400 * 1_000_000_000;

/// Intervals end at full seconds, and rules are judged at their ends.
const SECOND_NS: u64 = 1_000_000_000;

/// Checks how long things may take, and the rules by which the load stops.
///
/// # Errors
/// Names the first key that is wrong.
pub(super) fn check_times(plan: &Plan) -> Result<(), PlanError> {
    for (key, value_ns, least_ns) in [
        ("duration_ns", plan.duration_ns, 1),
        ("connect_timeout_ns", plan.connect_timeout_ns, 1),
        ("timeout_ns", plan.timeout_ns, 1),
        ("grace_ns", plan.grace_ns, 0),
    ] {
        check_time(key, value_ns, least_ns)?;
    }
    if plan.count == Some(0) {
        return Err(wrong("count", "must be at least 1, or null for no limit"));
    }
    check_stop("stop", &plan.stop)
}

/// Lanes are numbered by 32 bits; a process cannot hold nearly as many sockets.
const MOST_LANES: u64 = 1_000_000;

/// Checks when the sessions of a group begin, and how many requests can be in flight; `before` connections
/// are those of the groups before it. Returns its own.
///
/// # Errors
/// Names the first key that is wrong.
pub(super) fn check(key: &str, plan: &Plan, group: &Group, before: u64) -> Result<u64, PlanError> {
    // Beyond it one worker could not even count the arrivals that it sheds as fast as they come.
    const HIGHEST_RATE: f64 = 1e7;
    check_time(&format!("{key}.start_ns"), group.start_ns, 0)?;
    let (connections_key, connections) = match &group.arrivals {
        Arrivals::Users(users) => {
            let key = format!("{key}.arrivals.users.stages");
            check_stages(&key, &users.stages, MOST_LANES as f64)?;
            (key, most_users(&users.stages))
        }
        Arrivals::Rate(rate) => {
            let stages = format!("{key}.arrivals.rate.stages");
            check_stages(&stages, &rate.stages, HIGHEST_RATE)?;
            (format!("{key}.arrivals.rate.connections"), rate.connections)
        }
    };
    let most = (MOST_LANES / plan.streams).saturating_sub(before);
    if !(1..=most).contains(&connections) {
        let message = format!(
            "must be between 1 and {most}, so that with {} on each connection at most {MOST_LANES} \
             requests are in flight",
            plan.streams
        );
        return Err(wrong(connections_key, message));
    }
    match &group.arrivals {
        Arrivals::Users(_) => {
            if let Some(pace_ns) = group.pace_ns {
                check_time(&format!("{key}.pace_ns"), pace_ns, 0)?;
            }
        }
        Arrivals::Rate(rate) => check_rate(key, group, rate)?,
    }
    check_stop(&format!("{key}.stop"), &group.stop)?;
    Ok(connections)
}

/// Checks what a group says of sessions that arrive.
fn check_rate(key: &str, group: &Group, rate: &Rate) -> Result<(), PlanError> {
    if !(rate.connections..=MOST_LANES).contains(&rate.sessions) {
        let message = format!(
            "must be between connections ({}) and {MOST_LANES}",
            rate.connections
        );
        return Err(wrong(format!("{key}.arrivals.rate.sessions"), message));
    }
    for (name, is_set, message) in [
        (
            "leave",
            group.leave != Leave::AfterSession,
            "nobody leaves a rate; leave it out",
        ),
        (
            "pace_ns",
            group.pace_ns.is_some(),
            "a rate paces its sessions; leave it out",
        ),
        (
            "once",
            !group.once.is_empty(),
            "an arrived session has no past; leave it out",
        ),
    ] {
        if is_set {
            return Err(wrong(format!("{key}.{name}"), message));
        }
    }
    Ok(())
}

fn check_time(key: &str, value_ns: u64, least_ns: u64) -> Result<(), PlanError> {
    if (least_ns..=LONGEST_NS).contains(&value_ns) {
        return Ok(());
    }
    let message = format!("must be between {least_ns} and {LONGEST_NS}");
    Err(wrong(key, message))
}

fn check_stages(key: &str, stages: &[Stage], most: f64) -> Result<(), PlanError> {
    let mut together_ns = 0_u64;
    for (index, stage) in stages.iter().enumerate() {
        for (end, value) in [("from", stage.from), ("to", stage.to)] {
            if !(0.0..=most).contains(&value) {
                let message = format!("must be between 0 and {most}");
                return Err(wrong(format!("{key}[{index}].{end}"), message));
            }
        }
        together_ns = together_ns.saturating_add(stage.duration_ns);
        check_time(&format!("{key}[{index}].duration_ns"), together_ns, 0)?;
    }
    if highest(stages) > 0.0 {
        Ok(())
    } else {
        Err(wrong(key, "needs a stage with a value above 0"))
    }
}

/// Checks a pause.
///
/// # Errors
/// Names the first key that is wrong.
pub(super) fn check_think(key: &str, think: &Think) -> Result<(), PlanError> {
    match *think {
        Think::ConstantNs(pause_ns) => check_time(&format!("{key}.constant_ns"), pause_ns, 0),
        Think::ExponentialNs(mean_ns) => check_time(&format!("{key}.exponential_ns"), mean_ns, 0),
        Think::UniformNs(least_ns, most_ns) => {
            let key = format!("{key}.uniform_ns");
            if least_ns > most_ns {
                return Err(wrong(key, "the first limit must not be above the second"));
            }
            check_time(&key, most_ns, 0)
        }
    }
}

fn check_stop(key: &str, stop: &StopRules) -> Result<(), PlanError> {
    let above = |name: &str| format!("{key}.{name}.above_ns");
    let lasts = |name: &str| format!("{key}.{name}.for_ns");
    if let Some(rule) = &stop.mean_response_time {
        check_time(&above("mean_response_time"), rule.above_ns, 1)?;
        check_whole_seconds(&lasts("mean_response_time"), rule.for_ns)?;
    }
    if let Some(rule) = &stop.p99 {
        check_time(&above("p99"), rule.above_ns, 1)?;
        check_whole_seconds(&lasts("p99"), rule.for_ns)?;
    }
    if let Some(rule) = &stop.failures {
        if !(0.0..1.0).contains(&rule.above_share) {
            let message = "must be at least 0 and below 1: no share is above 1";
            return Err(wrong(format!("{key}.failures.above_share"), message));
        }
        check_whole_seconds(&lasts("failures"), rule.for_ns)?;
    }
    Ok(())
}

pub(super) fn check_whole_seconds(key: &str, value_ns: u64) -> Result<(), PlanError> {
    check_time(key, value_ns, SECOND_NS)?;
    if value_ns.is_multiple_of(SECOND_NS) {
        Ok(())
    } else {
        Err(wrong(
            key,
            "must be whole seconds, as the intervals of the load are",
        ))
    }
}
