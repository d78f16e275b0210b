//! Whether the service is of use.

use axum::extract::State;
use serde::Serialize;
use tokio_postgres::{Error, Row};

use crate::answers::{Answered, shown};
use crate::failure::Failure;
use crate::service::Served;
use crate::session::{FromRow, Session};
use crate::work::Work;

#[derive(Serialize)]
struct Health {
    status: &'static str,
}

struct Look;

struct Seen;

/// Has the database answer, and touches no table.
pub async fn get(State(service): Served) -> Answered {
    service.pool.run(Look).await?;
    Ok(shown(Health { status: "up" }))
}

impl Work for Look {
    type Output = ();

    async fn run(&self, session: &mut Session) -> Result<(), Failure> {
        session.rows::<Seen>("SELECT 1", &[]).await?;
        Ok(())
    }
}

impl FromRow for Seen {
    fn from_row(_: &Row) -> Result<Self, Error> {
        Ok(Self)
    }
}
