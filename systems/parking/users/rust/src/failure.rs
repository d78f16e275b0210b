//! Why work on the database gave nothing.

use std::error::Error as _;
use std::io;

use tokio_postgres::Error;
use tokio_postgres::error::{DbError, Severity, SqlState};

use crate::problems::{Kind, Problem};

// SQLSTATE of PostgreSQL, "Error Codes".
const SERIALIZATION_FAILURE: &str = "40001";
const DEADLOCK_DETECTED: &str = "40P01";
const UNIQUE_VIOLATION: &str = "23505";
const CHECK_VIOLATION: &str = "23514";
const NUMBER_OUT_OF_RANGE: &str = "22003";
const TOO_MANY_CONNECTIONS: &str = "53300";
const LOCK_NOT_AVAILABLE: &str = "55P03";
const QUERY_CANCELED: &str = "57014";
const ADMIN_SHUTDOWN: &str = "57P01";
const CRASH_SHUTDOWN: &str = "57P02";
const CANNOT_CONNECT_NOW: &str = "57P03";
const DATABASE_DROPPED: &str = "57P04";
const IDLE_SESSION_TIMEOUT: &str = "57P05";
const CLASS_CONNECTION_EXCEPTION: &str = "08";

/// What ended the work.
#[derive(Debug)]
pub enum Failure {
    /// All connections were in use, or none could be made.
    NoSession,
    /// The server did not answer.
    Late,
    /// The server refused, or the connection broke.
    Database(Error),
    /// A transaction could not be begun or ended, so nobody knows whether one is open.
    Uncertain(Error),
    /// A rule of the service forbids it.
    Refused(Problem),
}

impl Failure {
    /// Whether the connection is in no state to be used again.
    pub fn is_lost(&self) -> bool {
        match self {
            Self::Late | Self::Uncertain(_) => true,
            Self::NoSession | Self::Refused(_) => false,
            Self::Database(error) => error.as_db_error().is_none_or(is_fatal),
        }
    }

    /// Whether the server ended a transaction so that another one could go on.
    pub fn is_rivalry(&self) -> bool {
        let Self::Database(error) = self else {
            return false;
        };
        let code = error.code().map(SqlState::code);
        matches!(code, Some(SERIALIZATION_FAILURE | DEADLOCK_DETECTED))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Database(error)
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Refused(problem)
    }
}

impl From<Kind> for Failure {
    fn from(kind: Kind) -> Self {
        Self::Refused(kind.into())
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(problem) => problem,
            Failure::NoSession => Self::unavailable("no connection in time"),
            Failure::Late => Self::unavailable("no answer in time"),
            Failure::Database(error) | Failure::Uncertain(error) => match error.as_db_error() {
                Some(refusal) => refused(refusal.code().code(), refusal.constraint()),
                None if is_broken(&error) => Self::unavailable("the connection is lost"),
                None => Self::internal(error.to_string()),
            },
        }
    }
}

/// The cause is the state alone: the texts of a refusal may have a part of a row.
fn refused(state: &str, constraint: Option<&str>) -> Problem {
    let cause = format!("SQLSTATE {state}");
    match state {
        _ if is_passing(state) => Problem::unavailable(cause),
        CHECK_VIOLATION | NUMBER_OUT_OF_RANGE => Kind::Coins.into(),
        UNIQUE_VIOLATION => match constraint {
            Some("app_user_email_key") => Kind::DuplicateEmail.into(),
            Some("app_user_nif_key") => Kind::DuplicateNif.into(),
            Some("vehicle_pkey") => Kind::DuplicatePlate.into(),
            Some("coin_event_reference_key") => Kind::IdempotencyMismatch.into(),
            _ => Problem::internal(cause),
        },
        _ => Problem::internal(cause),
    }
}

/// Whether the server has ended the connection.
fn is_fatal(refusal: &DbError) -> bool {
    let severity = refusal.parsed_severity();
    matches!(severity, Some(Severity::Fatal | Severity::Panic))
}

/// Whether the connection broke, and nothing is wrong with what was said on it.
fn is_broken(error: &Error) -> bool {
    let is_io = |source: &(dyn std::error::Error + 'static)| source.is::<io::Error>();
    error.is_closed() || error.source().is_some_and(is_io)
}

/// Whether the same statement may succeed later.
fn is_passing(state: &str) -> bool {
    matches!(
        state,
        SERIALIZATION_FAILURE
            | DEADLOCK_DETECTED
            | TOO_MANY_CONNECTIONS
            | LOCK_NOT_AVAILABLE
            | QUERY_CANCELED
            | ADMIN_SHUTDOWN
            | CRASH_SHUTDOWN
            | CANNOT_CONNECT_NOW
            | DATABASE_DROPPED
            | IDLE_SESSION_TIMEOUT
    ) || state.starts_with(CLASS_CONNECTION_EXCEPTION)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(state: &str, constraint: Option<&str>) -> Kind {
        refused(state, constraint).kind
    }

    #[test]
    fn what_passes_is_no_fault_of_the_service() {
        for state in [
            "40001", "40P01", "53300", "55P03", "57014", "57P01", "57P05", "08006",
        ] {
            assert_eq!(kind(state, None), Kind::Unavailable, "{state}");
        }
        for state in [
            "23503", "22021", "42P01", "57000", "57P06", "53200", "40002",
        ] {
            assert_eq!(kind(state, None), Kind::Internal, "{state}");
        }
    }

    #[test]
    fn a_constraint_tells_what_a_row_was_refused_for() {
        for (constraint, expected) in [
            ("app_user_email_key", Kind::DuplicateEmail),
            ("app_user_nif_key", Kind::DuplicateNif),
            ("vehicle_pkey", Kind::DuplicatePlate),
            ("coin_event_reference_key", Kind::IdempotencyMismatch),
            ("another", Kind::Internal),
        ] {
            assert_eq!(kind("23505", Some(constraint)), expected);
        }
        assert_eq!(kind("23514", Some("app_user_coins_check")), Kind::Coins);
        assert_eq!(kind("22003", None), Kind::Coins);
    }

    #[test]
    fn a_connection_is_lost_when_nobody_knows_its_state() {
        assert!(Failure::Late.is_lost());
        assert!(!Failure::NoSession.is_lost());
        assert!(!Failure::from(Kind::NotFound).is_lost());
    }

    #[test]
    fn a_wait_that_is_over_is_a_database_that_is_not_available() {
        for failure in [Failure::NoSession, Failure::Late] {
            assert_eq!(Problem::from(failure).kind, Kind::Unavailable);
        }
    }
}
