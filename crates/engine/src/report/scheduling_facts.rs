//! How the workers were really scheduled, where the plan asked for real time.

use schemars::JsonSchema;
use serde::Serialize;

/// A policy of the kernel's scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SchedulingPolicy {
    /// Real time: before all normal threads of its CPU.
    Fifo,
    /// Like any other thread.
    Other,
}

/// How one worker was scheduled that was to be so in real time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerScheduling {
    /// Why it was not, or not to the end; none: it was.
    pub reason: Option<String>,
    /// When it gave real time up.
    pub given_up_at_ns: Option<u64>,
}

/// How the workers were scheduled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SchedulingFacts {
    /// What the plan asked for.
    pub wanted: SchedulingPolicy,
    /// What all workers had for the whole load; `other` if one of them had not.
    pub workers: SchedulingPolicy,
    /// Why it was not as wanted, of one worker; null: it was.
    pub reason: Option<String>,
    /// How many workers gave real time up during the load.
    pub given_up: u64,
    /// When the first of them did, since the load began; null: none did.
    pub given_up_at_ns: Option<u64>,
}

impl SchedulingFacts {
    /// Of all workers; none if the plan did not ask.
    #[must_use]
    pub fn of(workers: &[WorkerScheduling]) -> Option<Self> {
        if workers.is_empty() {
            return None;
        }
        let reason = workers.iter().find_map(|worker| worker.reason.clone());
        let given_up = workers.iter().filter_map(|worker| worker.given_up_at_ns);
        Some(Self {
            wanted: SchedulingPolicy::Fifo,
            workers: if reason.is_none() {
                SchedulingPolicy::Fifo
            } else {
                SchedulingPolicy::Other
            },
            reason,
            given_up: given_up.clone().count() as u64,
            given_up_at_ns: given_up.min(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worker(reason: Option<&str>, given_up_at_ns: Option<u64>) -> WorkerScheduling {
        WorkerScheduling {
            reason: reason.map(str::to_owned),
            given_up_at_ns,
        }
    }

    #[test]
    fn it_is_real_time_only_if_it_was_for_all_and_to_the_end() {
        assert_eq!(SchedulingFacts::of(&[]), None);
        let whole = SchedulingFacts::of(&[worker(None, None), worker(None, None)]);
        assert_eq!(
            whole.map(|facts| facts.workers),
            Some(SchedulingPolicy::Fifo)
        );
        let given_up = [
            worker(None, None),
            worker(Some("used"), Some(9)),
            worker(Some("used"), Some(7)),
        ];
        let expected = SchedulingFacts {
            wanted: SchedulingPolicy::Fifo,
            workers: SchedulingPolicy::Other,
            reason: Some("used".to_owned()),
            given_up: 2,
            given_up_at_ns: Some(7),
        };
        assert_eq!(SchedulingFacts::of(&given_up), Some(expected));
    }
}
