//! Sessions as they stand in the plan's JSON: what is put into requests, what an answer must be, what
//! is taken out of it, and the order of all that.
//!
//! Types and their schema only. Names are numbers here: a value is its index among the group's values,
//! a draw is its number in the group.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::plan::Think;

/// A text that is put together for each request: its pieces, one after the other.
pub type Pieces = Vec<Piece>;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "a piece must be a text, or an object of `expression` and `as`"
)]
pub enum Piece {
    /// Always the same, and already written as its place demands.
    Literal(String),
    /// Computed for each request.
    Placed(Placed),
}

/// An expression and the place where it stands.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Placed {
    /// What is computed.
    pub expression: Expression,
    /// Where it stands, which says how it is written.
    #[serde(rename = "as")]
    pub place: Place,
}

/// Where an expression stands: how it is written there, and what may not stand there at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// In a segment of a path: percent-encoded; a segment `.` or `..` is not sent.
    Segment,
    /// In a query: percent-encoded.
    Query,
    /// A whole path, with its query: a location that an answer told, without the target's origin.
    Location,
    /// In a header: visible ASCII with inner blanks, else it is not sent.
    Header,
    /// Inside a JSON string: escaped.
    JsonString,
    /// A whole JSON value: numbers and booleans bare, anything else as a string.
    Json,
    /// A number of JSON, bare; else it is not sent.
    JsonNumber,
    /// In a form: percent-encoded, with `+` for a blank.
    Form,
    /// As it is.
    Raw,
}

/// What is computed.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Expression {
    /// A value of the session, by its index.
    Value(usize),
    /// The number of the session in its group, from 0.
    SessionNumber,
    /// The number of the user in its group, from 0.
    UserNumber,
    /// How often the innermost `repeat` has begun again; 0 outside of all.
    Turn,
    /// An integer.
    Integer(Vec<Term>),
    /// An integer that is drawn, each from `least` to `most` equally likely.
    Random {
        /// The least.
        least: i64,
        /// The most.
        most: i64,
        /// The number of the draw.
        draw: u32,
    },
    /// A random UUID (RFC 9562, version 4), drawn.
    Uuid {
        /// The number of the draw.
        draw: u32,
    },
    /// The time at which it is computed.
    Now {
        /// How it is written.
        form: DateForm,
    },
    /// The time at which it is computed, in milliseconds since 1970.
    EpochMs,
    /// A time that is computed.
    Date {
        /// Where it is counted from, in seconds since 1970; null: now.
        #[serde(default)]
        base_s: Option<i64>,
        /// Seconds that are added.
        offset_s: Vec<Term>,
        /// How it is written.
        form: DateForm,
    },
    /// A text in base64 (RFC 4648, section 4).
    Base64(Pieces),
}

/// How a time is written, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DateForm {
    /// Date and time to the second: `2041-01-01T06:00:00Z`.
    Second,
    /// The date: `2041-01-01`.
    Day,
}

/// A term of an integer in reverse Polish notation: of 64 bits with its sign, checked.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "a term must be an integer, a `value`, the name of a number, or an operator"
)]
pub enum Term {
    /// A number.
    Number(i64),
    /// A value of the session.
    Value(ValueTerm),
    /// A number of the session, or what is done with the two numbers before.
    Word(Word),
}

/// A value of the session that is an integer.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ValueTerm {
    /// Its index.
    pub value: usize,
}

/// A term with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// The number of the session in its group.
    SessionNumber,
    /// The number of the user in its group.
    UserNumber,
    /// The turn of the innermost `repeat`.
    Turn,
    /// The sum.
    #[serde(rename = "+")]
    Plus,
    /// The difference.
    #[serde(rename = "-")]
    Minus,
    /// The product.
    #[serde(rename = "*")]
    Times,
    /// The quotient, towards zero.
    #[serde(rename = "/")]
    DividedBy,
    /// What that division leaves over, with the sign of the first.
    #[serde(rename = "%")]
    Modulo,
}

/// A value that is fixed when a session begins.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "must be an object of `value`, and of `text` or `integer`"
)]
pub enum Let {
    /// A text.
    Text(LetText),
    /// An integer.
    Integer(LetInteger),
}

/// A value that is a text.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LetText {
    /// The index of the value.
    pub value: usize,
    /// What it is made of.
    pub text: Pieces,
}

/// A value that is an integer.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LetInteger {
    /// The index of the value.
    pub value: usize,
    /// How it is computed.
    pub integer: Vec<Term>,
}

/// A step of a session, or several.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Node {
    /// One request.
    Send(SendNode),
    /// One of several alternatives, drawn.
    Choose(ChooseNode),
    /// The same steps several times.
    Repeat(RepeatNode),
}

/// One request of a session.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SendNode {
    /// The index of its operation among those of the group.
    pub operation: usize,
    /// The pause after it; null: none.
    #[serde(default)]
    pub think: Option<Think>,
    /// The index of a value: without it, or where it is empty, nothing is sent; null: always.
    #[serde(default)]
    pub when: Option<usize>,
}

/// Steps of which one alternative is performed.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChooseNode {
    /// The number of the draw.
    pub draw: u32,
    /// What there is to choose from.
    pub alternatives: Vec<Alternative>,
}

/// Steps that may be chosen.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Alternative {
    /// How likely it is, as a part of the sum of all.
    pub weight: u32,
    /// Its steps; none: nothing is done.
    pub steps: Vec<Node>,
}

/// Steps that are performed several times.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RepeatNode {
    /// How often, up to 1,000.
    pub times: Expression,
    /// The steps.
    pub steps: Vec<Node>,
}

/// What is taken out of an answer.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Capture {
    /// The index of the value that it becomes.
    pub value: usize,
    /// Where it stands in the answer.
    pub from: CaptureFrom,
    /// Which one, of a pointer with `*`.
    #[serde(default)]
    pub pick: Pick,
    /// What is done if it is not there.
    #[serde(default)]
    pub or: Otherwise,
    /// The number of the draw, for a random one.
    #[serde(default)]
    pub draw: u32,
    /// Whether it is put where secrets stand, and is masked in what is kept.
    #[serde(default)]
    pub secret: bool,
}

/// Where a captured value stands in an answer.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum CaptureFrom {
    /// In its JSON: the tokens of a pointer (RFC 6901), unescaped; `*` is any element of an array.
    Json(Vec<String>),
    /// In a header of this name.
    Header(String),
    /// In a cookie of this name.
    Cookie(String),
}

/// Which of several values is taken, of those that are there.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Pick {
    /// The first.
    #[default]
    First,
    /// Any, each equally likely.
    Random,
    /// The one of this number, from 0.
    Index(Expression),
}

/// What is done where nothing can be captured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Otherwise {
    /// The request fails by its check.
    #[default]
    Fail,
    /// The request is ok, and the session has ended.
    End,
    /// This text is taken instead.
    Value(String),
}

/// What an answer must be.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The statuses of which it must have one; empty: any 2xx.
    #[serde(default)]
    pub status: Vec<u16>,
    /// Further statuses, with which it is ok and the session has ended.
    #[serde(default)]
    pub or_end: Vec<u16>,
    /// A text that the body must contain; null: any body.
    #[serde(default)]
    pub body_contains: Option<Pieces>,
    /// What the body, which is JSON then, must have.
    #[serde(default)]
    pub json: Vec<JsonCheck>,
    /// What the headers must have.
    #[serde(default)]
    pub header: Vec<HeaderCheck>,
}

/// What a JSON body must have at a place.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JsonCheck {
    /// The tokens of a pointer (RFC 6901), unescaped; `*` is any element of an array, of which one is
    /// enough. None: the whole body.
    pub pointer: Vec<String>,
    /// What must be there.
    pub is: JsonIs,
}

/// What must be at a place of a JSON body.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum JsonIs {
    /// Any value, null too.
    Present,
    /// None.
    Absent,
    /// This value; numbers by what they come to.
    Value(serde_json::Value),
    /// A string of this text, or a number or boolean that is written so.
    Text(Pieces),
}

/// What an answer's headers must have.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeaderCheck {
    /// The name, in any case.
    pub name: String,
    /// What must be there.
    pub is: HeaderIs,
}

/// What a header must be.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum HeaderIs {
    /// There.
    Present,
    /// Not there.
    Absent,
    /// Of this value.
    Text(Pieces),
}

#[cfg(test)]
mod tests;
