//! What the operations of the service are made of.

use std::sync::Arc;

use axum::extract::State;

use crate::complaints::Complaints;
use crate::passwords::Passwords;
use crate::pool::Pool;
use crate::tokens::Tokens;

/// Parts that every request shares.
pub struct Service {
    /// What `X-Instance-Id` says.
    pub name: String,
    /// The database.
    pub pool: Pool,
    /// What is given for a right password.
    pub tokens: Tokens,
    /// Whether it is right.
    pub passwords: Passwords,
    /// What other services send.
    pub internal_key: String,
    /// What is said of a failure.
    pub complaints: Complaints,
}

/// The service, as each request has it.
pub type Shared = Arc<Service>;

/// The service, as a handler takes it.
pub type Served = State<Shared>;
