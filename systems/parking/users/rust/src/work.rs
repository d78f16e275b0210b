//! What is done on one session: a statement, or several.

use crate::failure::Failure;
use crate::session::Session;

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
