//! The operations on how a user pays.

use axum::extract::State;
use serde::Serialize;
use tokio_postgres::{Error, Row};

use crate::answers::{Answered, shown};
use crate::body::RequestBody;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::ids::PathId;
use crate::problems::Kind;
use crate::service::Served;
use crate::session::{FromRow, Session};
use crate::words::PaymentMethod;
use crate::work::Work;

const SELECT: &str = "SELECT payment_method FROM app_user WHERE id = $1";
const UPDATE: &str = "UPDATE app_user SET payment_method = $2 WHERE id = $1";

/// How a user pays.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Payment {
    payment_method: PaymentMethod,
}

/// Reads it.
struct Find {
    user: i64,
}

/// Changes it.
struct Update {
    user: i64,
    method: PaymentMethod,
}

/// `payment-method`.
pub async fn get(State(service): Served, PathId(user): PathId, caller: Caller) -> Answered {
    caller.when(caller.id == user)?;
    Ok(shown(service.pool.run(Find { user }).await?))
}

/// `set-payment-method`.
pub async fn set(
    State(service): Served,
    PathId(user): PathId,
    caller: Caller,
    body: RequestBody,
) -> Answered {
    caller.when(caller.id == user)?;
    let mut members = body.members()?;
    let method = members.word("/paymentMethod");
    if method == Some(PaymentMethod::NotDefined) {
        members.note("/paymentMethod", "unknown-value");
    }
    let method = members.finish(|| method)?;
    service.pool.run(Update { user, method }).await?;
    Ok(shown(Payment {
        payment_method: method,
    }))
}

impl Work for Find {
    type Output = Payment;

    async fn run(&self, session: &mut Session) -> Result<Payment, Failure> {
        let found = session.row(SELECT, &[&self.user]).await?;
        Ok(found.ok_or(Kind::NotFound)?)
    }
}

impl Work for Update {
    type Output = ();

    async fn run(&self, session: &mut Session) -> Result<(), Failure> {
        session.change(UPDATE, &[&self.user, &self.method]).await
    }
}

impl FromRow for Payment {
    fn from_row(row: &Row) -> Result<Self, Error> {
        Ok(Self {
            payment_method: row.try_get(0)?,
        })
    }
}
