//! When the window after a warm-up began, in the event and in the summary.

use schemars::JsonSchema;
use serde::Serialize;

/// What let the window begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WindowBegin {
    /// The command, with the next second.
    Command,
    /// The plan, since no command came in time.
    AtMost,
}

/// The window of a load with a warm-up; it lasts until the load stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WindowFacts {
    /// When it begins, since the load began: always with a second.
    pub start_ns: u64,
    /// What let it begin.
    pub by: WindowBegin,
}
