//! A connection to the database, and the statements that run on it.

use std::collections::HashMap;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error, Row, Statement};

use crate::failure::Failure;
use crate::problems::{Kind, Problem};

/// Bounds the wait for an answer. The server's own limit is as long, and does not help where it is frozen.
const ANSWER_LIMIT: Duration = Duration::from_secs(2);

/// A value that stands for a parameter of a statement.
pub type Parameter<'a> = &'a (dyn ToSql + Sync);

/// What a row is read into.
pub trait FromRow: Sized {
    /// Reads its columns in their order.
    ///
    /// # Errors
    /// One of them is of another type.
    fn from_row(row: &Row) -> Result<Self, Error>;
}

/// A connection with the statements that the server has prepared for it.
pub struct Session {
    client: Client,
    /// By their text. There are as many as the operations have.
    prepared: HashMap<&'static str, Statement>,
    /// Tells whoever drives the connection that nobody has it any more.
    _held: oneshot::Sender<()>,
}

/// Resolves when a session is given up, and its connection is to be closed.
pub type GivenUp = oneshot::Receiver<()>;

impl Session {
    /// Has prepared nothing yet.
    pub fn new(client: Client) -> (Self, GivenUp) {
        let (held, given_up) = oneshot::channel();
        let session = Self {
            client,
            prepared: HashMap::new(),
            _held: held,
        };
        (session, given_up)
    }

    /// Whether its connection has ended, as far as this side knows.
    pub fn is_ended(&self) -> bool {
        self.client.is_closed()
    }

    /// All rows of a statement, each as what it is read into.
    pub async fn rows<R: FromRow>(
        &mut self,
        text: &'static str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<R>, Failure> {
        let answer = async {
            let statement = self.prepared(text).await?;
            self.client.query(&statement, parameters).await
        };
        let rows = timeout(ANSWER_LIMIT, answer).await.map_err(late)??;
        let read = rows.iter().map(R::from_row).collect::<Result<_, _>>();
        // The whole answer was read, so the connection is as good as before.
        read.map_err(|error| Problem::internal(error.to_string()).into())
    }

    /// The row of a statement that has one at most.
    pub async fn row<R: FromRow>(
        &mut self,
        text: &'static str,
        parameters: &[Parameter<'_>],
    ) -> Result<Option<R>, Failure> {
        Ok(self.rows(text, parameters).await?.into_iter().next())
    }

    /// Changes rows by a statement that gives none, and tells how many.
    pub async fn changed(
        &mut self,
        text: &'static str,
        parameters: &[Parameter<'_>],
    ) -> Result<u64, Failure> {
        let answer = async {
            let statement = self.prepared(text).await?;
            self.client.execute(&statement, parameters).await
        };
        Ok(timeout(ANSWER_LIMIT, answer).await.map_err(late)??)
    }

    /// Changes one row at least: else what it is for is not there.
    pub async fn change(
        &mut self,
        text: &'static str,
        parameters: &[Parameter<'_>],
    ) -> Result<(), Failure> {
        match self.changed(text, parameters).await? {
            0 => Err(Kind::NotFound.into()),
            _ => Ok(()),
        }
    }

    /// Begins or ends a transaction.
    pub async fn bound(&mut self, command: &str) -> Result<(), Failure> {
        let answer = timeout(ANSWER_LIMIT, self.client.batch_execute(command)).await;
        answer.map_err(late)?.map_err(Failure::Uncertain)
    }

    async fn prepared(&mut self, text: &'static str) -> Result<Statement, Error> {
        if let Some(statement) = self.prepared.get(text) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(text).await?;
        self.prepared.insert(text, statement.clone());
        Ok(statement)
    }
}

fn late(_: tokio::time::error::Elapsed) -> Failure {
    Failure::Late
}
