//! Who loads, as it stands in the plan's JSON: groups, when their sessions begin, and the operations of
//! which these are made.
//!
//! Types and their schema only. What is put into requests and taken out of answers is in
//! `session_format`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::plan::StopRules;
use crate::plan::session_format::{Capture, Check, Let, Node, Pieces};

/// Who loads: arrivals, and the session that each of them performs.
#[allow(
    clippy::struct_field_names,
    reason = "a group is named as in the workload"
)]
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The group's name, of letters, digits, `_`, `-` and `.`.
    pub group: String,
    /// When sessions begin.
    pub arrivals: Arrivals,
    /// When the stages begin, since the load began.
    #[serde(default)]
    pub start_ns: u64,
    /// How users leave when there are to be fewer.
    #[serde(default)]
    pub leave: Leave,
    /// The least time between the beginnings of a place's sessions; null: the next begins after the last.
    /// Users alone.
    #[serde(default)]
    pub pace_ns: Option<u64>,
    /// Whether a session keeps the cookies that answers set.
    #[serde(default)]
    pub cookies: bool,
    /// Names of the values of a session; a value is meant by its index.
    #[serde(default)]
    pub values: Vec<String>,
    /// The feeds from which sessions take rows.
    #[serde(default)]
    pub feeds: Vec<GroupFeed>,
    /// Values that are made when a session begins, in their order.
    #[serde(default, rename = "let")]
    pub lets: Vec<Let>,
    /// The requests that its steps send.
    pub operations: Vec<Operation>,
    /// What a user does before its first session.
    #[serde(default)]
    pub once: Vec<Node>,
    /// What a session does.
    pub session: Vec<Node>,
    /// What stops the whole load, over this group alone.
    #[serde(default)]
    pub stop: StopRules,
}

/// How users leave when there are to be fewer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Leave {
    /// At the end of their session.
    #[default]
    AfterSession,
    /// At the end of the request that is in flight, or in their pause.
    AfterRequest,
}

/// When sessions begin.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Arrivals {
    /// Closed: users, each with its own connection, each next session after the last.
    Users(Users),
    /// Open: sessions begin at planned times, over a shared pool of connections.
    Rate(Rate),
}

/// Closed users.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Users {
    /// How many there are, stage after stage; after the last, its end stays.
    pub stages: Vec<Stage>,
}

/// An arrival rate.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// Sessions begun a second, stage after stage; after the last, its end stays.
    pub stages: Vec<Stage>,
    /// How arrivals are spread at that rate.
    #[serde(default)]
    pub process: Process,
    /// At most so many connections are open; they are opened when first needed.
    pub connections: u64,
    /// So many sessions at most at once; an arrival beyond them is not sent.
    #[serde(default = "most_sessions")]
    pub sessions: u64,
    /// Whether each session has a connection of its own; else requests share them.
    #[serde(default)]
    pub own_connections: bool,
}

fn most_sessions() -> u64 {
    100_000
}

/// A stretch of time in which users or rate go from one value to another in a straight line.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// At its beginning.
    pub from: f64,
    /// At its end.
    pub to: f64,
    /// How long it takes.
    pub duration_ns: u64,
}

/// How arrivals are spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Process {
    /// Evenly.
    #[default]
    Constant,
    /// Independently of each other, drawn from the seed.
    Poisson,
}

/// How long a user pauses.
#[allow(clippy::enum_variant_names, reason = "the unit is part of each key")]
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Think {
    /// Always so long.
    ConstantNs(u64),
    /// Evenly distributed between two limits.
    UniformNs(u64, u64),
    /// Exponentially distributed with this mean.
    ExponentialNs(u64),
}

/// What a group takes of a feed.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupFeed {
    /// The index of the feed.
    pub feed: usize,
    /// Which row is taken.
    #[serde(default)]
    pub take: Take,
    /// By which number: the session's or the user's.
    #[serde(default)]
    pub per: Per,
    /// The index of the value that each column becomes.
    pub values: Vec<usize>,
    /// The number of the draw, for a random row.
    #[serde(default)]
    pub draw: u32,
}

/// Which row of a feed is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Take {
    /// That of the number, modulo the rows.
    #[default]
    InTurn,
    /// That of the number; where there is none, the load stops.
    Once,
    /// Any, drawn.
    Random,
}

/// By which number a row is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Per {
    /// The session's, in its group.
    #[default]
    Session,
    /// The user's, in its group.
    User,
}

/// One named request.
#[allow(
    clippy::struct_field_names,
    reason = "an operation is named as in the workload"
)]
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// The name, of letters, digits, `_`, `-` and `.`; unique in the group.
    pub operation: String,
    /// The name in records, of the same characters; unique in the plan. What ends with a further status has
    /// this name, a point and the status.
    pub cell: String,
    /// The method, such as `GET`.
    pub method: String,
    /// Path and query.
    pub path: Pieces,
    /// Names and values, without Host and Content-Length, which the engine writes.
    #[serde(default)]
    pub headers: Vec<(String, Pieces)>,
    /// UTF-8 text; empty is no body.
    #[serde(default)]
    pub body: Pieces,
    /// What the response must be for the request to be ok.
    #[serde(default)]
    pub check: Check,
    /// What is taken out of the response.
    #[serde(default)]
    pub captures: Vec<Capture>,
    /// What a failed request does to its session.
    #[serde(default)]
    pub on_failure: OnFailure,
    /// Whether it is counted how many ok answers had which body.
    #[serde(default)]
    pub compare_answers: bool,
    /// The indexes of the headers that hold secrets.
    #[serde(default)]
    pub secret_headers: Vec<usize>,
}

/// What a failed request does to its session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnFailure {
    /// It aborts it.
    #[default]
    End,
    /// The session goes on, without what would have been captured.
    GoOn,
}
