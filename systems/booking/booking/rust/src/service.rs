//! What the operations of the service are made of.

use std::sync::Arc;

use axum::extract::State;

use crate::passwords::Passwords;
use crate::pool::Pool;
use crate::tokens::Tokens;

/// Parts that every request shares.
pub struct Service {
    /// The database.
    pub pool: Pool,
    /// Who may do what.
    pub tokens: Tokens,
    /// Who it is.
    pub passwords: Passwords,
}

/// The service, as each request has it.
pub type Shared = Arc<Service>;

/// The service, as a handler takes it.
pub type Served = State<Shared>;
