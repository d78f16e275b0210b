//! Whether the process lives, and whether it is of use.

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;

use crate::answers::{Answered, shown};
use crate::service::Served;
use crate::work::Select;

#[derive(Serialize)]
struct Health {
    status: &'static str,
}

/// That the process answers.
pub fn live() -> Response {
    shown(Health { status: "ok" })
}

/// Has the database answer, and touches no table.
pub async fn ready(State(service): Served) -> Answered {
    service.pool.run(Select::of("SELECT 1", vec![])).await?;
    Ok(live())
}
