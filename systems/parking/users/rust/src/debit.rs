//! Taking coins for another service, once for a reference.

use axum::extract::State;
use serde::Serialize;
use tokio_postgres::{Error, Row};

use crate::answers::{Answered, shown};
use crate::body::RequestBody;
use crate::caller::Internal;
use crate::failure::Failure;
use crate::members::{Members, visible};
use crate::problems::{Kind, Problem};
use crate::service::Served;
use crate::session::{FromRow, Session};
use crate::work::Work;

const LOCK: &str = "SELECT coins FROM app_user WHERE id = $1 FOR NO KEY UPDATE";
const SELECT: &str = "SELECT user_id, amount FROM coin_event WHERE reference = $1";
const UPDATE: &str = "UPDATE app_user SET coins = coins - $2 WHERE id = $1";
const INSERT: &str = "INSERT INTO coin_event (user_id, amount, reason, reference, at) \
    VALUES ($1, $2, 'debit', $3, now())";

/// What is asked for.
struct Debit {
    user: i64,
    reference: String,
    most: i32,
}

/// How many coins were taken, now or before.
#[derive(Serialize)]
struct Taken {
    coins: i32,
}

/// A balance.
struct Balance(i32);

/// A debit that was made: of whom, and its amount, which is negative or 0.
struct Made {
    user: i64,
    amount: i32,
}

/// `debit`.
pub async fn debit(State(service): Served, _: Internal, body: RequestBody) -> Answered {
    let debit = Debit::read(body.members()?)?;
    Ok(shown(service.pool.transact(debit).await?))
}

impl Debit {
    fn read(mut members: Members) -> Result<Self, Problem> {
        let user = members.integer("/userId", 1..=i64::MAX);
        let reference = members.text("/reference", |text| visible(text, 1..=100));
        let most = members.integer("/maxCoins", 0..=1_000_000);
        members.finish(|| {
            Some(Self {
                user: user?,
                reference: reference?,
                most: most?,
            })
        })
    }
}

impl Work for Debit {
    type Output = Taken;

    async fn run(&self, session: &mut Session) -> Result<Taken, Failure> {
        let Self {
            user,
            reference,
            most,
        } = self;
        let balance: Option<Balance> = session.row(LOCK, &[user]).await?;
        let Balance(has) = balance.ok_or(Kind::NotFound)?;
        if let Some(made) = session.row::<Made>(SELECT, &[reference]).await? {
            return match made {
                Made { user: other, .. } if other != *user => Err(Kind::IdempotencyMismatch.into()),
                Made { amount, .. } => Ok(Taken { coins: -amount }),
            };
        }
        let coins = has.min(*most);
        session.change(UPDATE, &[user, &coins]).await?;
        session.change(INSERT, &[user, &-coins, reference]).await?;
        Ok(Taken { coins })
    }
}

impl FromRow for Balance {
    fn from_row(row: &Row) -> Result<Self, Error> {
        Ok(Self(row.try_get(0)?))
    }
}

impl FromRow for Made {
    fn from_row(row: &Row) -> Result<Self, Error> {
        Ok(Self {
            user: row.try_get(0)?,
            amount: row.try_get(1)?,
        })
    }
}
