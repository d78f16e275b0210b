//! Why and when the load stopped, in the summary.

use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

use crate::interval_rules::stop_rules::StopRule;

/// Why the load stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The planned duration was over.
    Duration,
    /// The planned count was offered.
    Count,
    /// SIGINT or SIGTERM.
    Signal,
    /// The mean response time stayed above the plan's limit.
    MeanResponseTime,
    /// The share of failures stayed above the plan's limit.
    Failures,
    /// A request timed out.
    FirstTimeout,
    /// A response had another status or body than expected.
    FirstFailedCheck,
    /// A request did not end ok.
    FirstFailure,
    /// The 99th percentile of the response time was above the plan's limit.
    P99,
    /// A feed whose rows are taken once had none left.
    FeedExhausted,
    /// Standard input ended: who drove the engine is gone.
    InputEnded,
}

impl From<StopRule> for StopReason {
    fn from(rule: StopRule) -> Self {
        match rule {
            StopRule::MeanResponseTime => Self::MeanResponseTime,
            StopRule::Failures => Self::Failures,
            StopRule::P99 => Self::P99,
        }
    }
}

/// Why and when the load stopped.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StopFacts {
    /// Why.
    pub reason: StopReason,
    /// The group whose own rule it was, or whose feed; null: it was of the whole load.
    pub rule_group: Option<String>,
    /// Nanoseconds since the load began.
    pub at_ns: u64,
    /// Users that were active; null for a rate.
    pub users: Option<u64>,
    /// The same, of each group that has users.
    pub users_by_group: BTreeMap<String, u64>,
}

/// What stopped the load, and of which group it was; none: of the whole load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Why.
    pub reason: StopReason,
    /// The group's number.
    pub group: Option<usize>,
}

impl From<StopReason> for Stopped {
    fn from(reason: StopReason) -> Self {
        Self {
            reason,
            group: None,
        }
    }
}
