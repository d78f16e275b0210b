//! What is done on one session: a statement, or several.

use std::borrow::Cow;
use std::fmt::Write as _;

use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use crate::failure::Failure;
use crate::session::{Parameter, Session};

/// Goes from its first statement to its last on one session. It may be made twice.
pub trait Work: Send + Sync + 'static {
    /// What it gives.
    type Output: Send + 'static;

    /// Does it.
    fn run(
        &self,
        session: &mut Session,
    ) -> impl Future<Output = Result<Self::Output, Failure>> + Send;
}

/// Work in a transaction: all of it counts, or nothing.
pub struct Transaction<W>(pub W);

/// A value that is kept until its statement runs.
type Kept = Box<dyn ToSql + Send + Sync>;

/// One statement that gives rows, alone.
pub struct Select {
    text: Cow<'static, str>,
    parameters: Vec<Kept>,
}

impl<W: Work> Work for Transaction<W> {
    type Output = W::Output;

    async fn run(&self, session: &mut Session) -> Result<W::Output, Failure> {
        session.bound("BEGIN").await?;
        match self.0.run(session).await {
            Ok(output) => {
                session.bound("COMMIT").await?;
                Ok(output)
            }
            Err(failure) => {
                // A connection that is lost is closed, and its transaction ends so.
                if !failure.is_lost() {
                    session.bound("ROLLBACK").await?;
                }
                Err(failure)
            }
        }
    }
}

impl Select {
    /// The beginning of a statement, or all of it.
    pub fn of(text: impl Into<Cow<'static, str>>, parameters: Vec<Kept>) -> Self {
        Self {
            text: text.into(),
            parameters,
        }
    }

    /// Adds what stands behind.
    pub fn and(mut self, text: &str) -> Self {
        self.text.to_mut().push_str(text);
        self
    }

    /// Adds a text that ends with a parameter.
    pub fn with(self, text: &str, value: impl ToSql + Send + Sync + 'static) -> Self {
        let (mut select, place) = self.keep(value);
        write!(select.text.to_mut(), "{text}${place}").expect("memory is there");
        select
    }

    /// Adds the same, where there is a value.
    pub fn with_some(self, text: &str, value: Option<impl ToSql + Send + Sync + 'static>) -> Self {
        match value {
            Some(value) => self.with(text, value),
            None => self,
        }
    }

    /// Adds a parameter, and tells its place for a text that has it several times.
    pub fn keep(mut self, value: impl ToSql + Send + Sync + 'static) -> (Self, usize) {
        self.parameters.push(Box::new(value));
        let place = self.parameters.len();
        (self, place)
    }
}

impl Work for Select {
    type Output = Vec<Row>;

    async fn run(&self, session: &mut Session) -> Result<Vec<Row>, Failure> {
        let parameters: Vec<Parameter<'_>> = self
            .parameters
            .iter()
            .map(|kept| &**kept as Parameter<'_>)
            .collect();
        session.rows(&self.text, &parameters).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_counts_its_parameters() {
        let select = Select::of("SELECT 1 FROM t WHERE a > $1", vec![Box::new(0_i64)])
            .with_some(" AND b = ", None::<i64>)
            .with_some(" AND c = ", Some("c"))
            .and(" ORDER BY a")
            .with(" LIMIT ", 5_i64);
        let expected = "SELECT 1 FROM t WHERE a > $1 AND c = $2 ORDER BY a LIMIT $3";
        assert_eq!((&*select.text, select.parameters.len()), (expected, 3));
    }
}
