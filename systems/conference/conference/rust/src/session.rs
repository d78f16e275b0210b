//! A connection to the database, and the statements that run on it.

use std::future::Future;
use std::time::Duration;

use futures_util::TryStreamExt as _;
use sqlx::mysql::{MySqlArguments, MySqlConnection, MySqlDatabaseError};
use sqlx::{Error, Row as _};
use thiserror::Error as ThisError;
use tokio::time::timeout;

/// The server is being stopped (`MariaDB`, "Error Codes").
pub const SERVER_SHUTDOWN: u16 = 1053;
/// Somebody has ended the connection.
pub const CONNECTION_KILLED: u16 = 1927;

/// Why a statement gave nothing.
#[derive(Debug, ThisError)]
pub enum Failure {
    /// All connections were in use, or none could be made.
    #[error("no connection in time")]
    NoConnection,
    /// The server did not go on with its answer.
    #[error("no answer in time")]
    Late,
    /// The server refused, or the connection broke.
    #[error(transparent)]
    Refused(#[from] Error),
}

impl Failure {
    /// The server's number of the error, if it is one of the server's.
    pub fn number(&self) -> Option<u16> {
        let Self::Refused(Error::Database(refusal)) = self else {
            return None;
        };
        let refusal = refusal.try_downcast_ref::<MySqlDatabaseError>()?;
        Some(refusal.number())
    }

    /// Whether the server has ended the connection.
    pub fn is_ended(&self) -> bool {
        match self {
            Self::NoConnection | Self::Late => false,
            Self::Refused(Error::Database(_)) => {
                matches!(self.number(), Some(SERVER_SHUTDOWN | CONNECTION_KILLED))
            }
            Self::Refused(_) => true,
        }
    }

    /// Whether the connection is in no state to be used again.
    pub fn is_lost(&self) -> bool {
        matches!(self, Self::Late) || self.is_ended()
    }
}

/// A connection with the statements that the server has prepared for it, which the driver keeps.
pub struct Session {
    connection: MySqlConnection,
    timeout: Duration,
}

/// What is done on one session, to its end.
pub trait Statement: Send + 'static {
    /// What it gives.
    type Output: Send + 'static;

    /// Runs it.
    fn run(
        self,
        session: &mut Session,
    ) -> impl Future<Output = Result<Self::Output, Failure>> + Send;
}

/// What takes the rows of a list.
pub trait Collect: Send + 'static {
    /// Takes one row.
    fn row(&mut self, id: &str, name: &str);
}

/// A statement that gives rows of the table.
pub struct Select<C> {
    /// In SQL.
    pub text: &'static str,
    /// Its parameters.
    pub arguments: MySqlArguments,
    /// What takes the rows.
    pub collect: C,
}

/// A statement that gives none.
pub struct Execute {
    /// In SQL.
    pub text: &'static str,
    /// Its parameters.
    pub arguments: MySqlArguments,
}

impl Session {
    /// Each wait for the next row, or for the whole answer of a statement without rows, is bounded.
    pub fn new(connection: MySqlConnection, timeout: Duration) -> Self {
        Self {
            connection,
            timeout,
        }
    }
}

impl<C: Collect> Statement for Select<C> {
    type Output = C;

    async fn run(mut self, session: &mut Session) -> Result<C, Failure> {
        let query = sqlx::query_with(self.text, self.arguments);
        let mut rows = query.fetch(&mut session.connection);
        loop {
            let next = timeout(session.timeout, rows.try_next()).await;
            let Some(row) = next.map_err(|_| Failure::Late)?? else {
                return Ok(self.collect);
            };
            self.collect.row(row.try_get(0)?, row.try_get(1)?);
        }
    }
}

impl Statement for Execute {
    /// How many rows matched.
    type Output = u64;

    async fn run(self, session: &mut Session) -> Result<u64, Failure> {
        let query = sqlx::query_with(self.text, self.arguments);
        let done = timeout(session.timeout, query.execute(&mut session.connection)).await;
        let done = done.map_err(|_| Failure::Late)??;
        Ok(done.rows_affected())
    }
}
