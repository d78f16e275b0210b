//! The rows of the table, each operation by one statement.

use sqlx::Arguments as _;
use sqlx::mysql::MySqlArguments;

use crate::conference::Conference;
use crate::pages::Page;
use crate::pool::Pool;
use crate::problems::Problem;
use crate::session::{CONNECTION_KILLED, Collect, Execute, Failure, SERVER_SHUTDOWN, Select};

// Errors of the server, by its own numbers (MariaDB, "Error Codes").
const TOO_MANY_CONNECTIONS: u16 = 1040;
const DUPLICATE_ENTRY: u16 = 1062;
const LOCK_WAIT_TIMEOUT: u16 = 1205;
const DEADLOCK: u16 = 1213;
const QUERY_INTERRUPTED: u16 = 1317;
const STATEMENT_TIMEOUT: u16 = 1969;

/// The table. Each of its errors is what is answered for it.
pub struct Rows(pub Pool);

/// Takes the one row that an id has.
#[derive(Default)]
struct One(Option<Conference>);

impl Collect for One {
    fn row(&mut self, id: &str, name: &str) {
        self.0 = Some(Conference {
            id: id.to_owned(),
            name: name.to_owned(),
        });
    }
}

impl Rows {
    /// Gives every row by id, or those of a page and one more, where there is one.
    pub async fn list<C: Collect>(&self, page: Option<&Page>, collect: C) -> Result<C, Problem> {
        let select = match page {
            None => Select {
                text: "SELECT id, name FROM conferences ORDER BY id",
                arguments: MySqlArguments::default(),
                collect,
            },
            Some(page) => {
                let mut arguments = texts([&page.after]);
                let limit = page.limit + 1;
                arguments.add(limit).expect("a number can be bound");
                Select {
                    text: "SELECT id, name FROM conferences WHERE id > ? ORDER BY id LIMIT ?",
                    arguments,
                    collect,
                }
            }
        };
        Ok(self.0.run(select).await?)
    }

    /// Gives one row; that there is none is an error.
    pub async fn get(&self, id: &str) -> Result<Conference, Problem> {
        let select = Select {
            text: "SELECT id, name FROM conferences WHERE id = ?",
            arguments: texts([id]),
            collect: One::default(),
        };
        let One(found) = self.0.run(select).await?;
        found.ok_or(Problem::not_found())
    }

    /// Adds a row; that its id exists is an error.
    pub async fn insert(&self, row: &Conference) -> Result<(), Problem> {
        let text = "INSERT INTO conferences (id, name) VALUES (?, ?)";
        self.execute(text, texts([&row.id, &row.name])).await?;
        Ok(())
    }

    /// Gives a row another name; that there is none of its id is an error.
    pub async fn replace(&self, row: &Conference) -> Result<(), Problem> {
        let text = "UPDATE conferences SET name = ? WHERE id = ?";
        self.execute_on_one(text, texts([&row.name, &row.id])).await
    }

    /// Takes a row away; that there is none of its id is an error.
    pub async fn remove(&self, id: &str) -> Result<(), Problem> {
        let text = "DELETE FROM conferences WHERE id = ?";
        self.execute_on_one(text, texts([id])).await
    }

    /// Has the database answer, and touches no table.
    pub async fn ask(&self) -> Result<(), Problem> {
        self.execute("SELECT 1", MySqlArguments::default()).await?;
        Ok(())
    }

    async fn execute_on_one(
        &self,
        text: &'static str,
        arguments: MySqlArguments,
    ) -> Result<(), Problem> {
        match self.execute(text, arguments).await? {
            0 => Err(Problem::not_found()),
            _ => Ok(()),
        }
    }

    async fn execute(&self, text: &'static str, arguments: MySqlArguments) -> Result<u64, Problem> {
        Ok(self.0.run(Execute { text, arguments }).await?)
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        match failure.number() {
            Some(DUPLICATE_ENTRY) => Self::duplicate_id(),
            Some(
                TOO_MANY_CONNECTIONS | SERVER_SHUTDOWN | LOCK_WAIT_TIMEOUT | DEADLOCK
                | QUERY_INTERRUPTED | CONNECTION_KILLED | STATEMENT_TIMEOUT,
            )
            // A connection that was lost, or a wait that is over.
            | None => Self::unavailable(failure.to_string()),
            Some(_) => Self::internal(failure.to_string()),
        }
    }
}

fn texts<const N: usize>(values: [&str; N]) -> MySqlArguments {
    let mut arguments = MySqlArguments::default();
    for value in values {
        arguments.add(value).expect("a text can be bound");
    }
    arguments
}
