//! The operations that read wallets.

use axum::extract::State;
use serde::Serialize;
use tokio_postgres::{Error, Row};

use crate::answers::{Answered, shown};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::ids::PathId;
use crate::instant::{self, Instant};
use crate::problems::Kind;
use crate::service::Served;
use crate::session::{FromRow, Session};
use crate::user::full_name;
use crate::words::Role;
use crate::work::Work;

const SELECT_TOP: &str = "SELECT first_name, last_name, email, coins FROM app_user \
    WHERE role = 1 ORDER BY coins DESC, id LIMIT 10";
const SELECT_WALLET: &str = "SELECT u.coins, e.id, e.amount, e.reason, e.manager_id, e.at \
    FROM app_user u LEFT JOIN LATERAL (SELECT id, amount, reason, manager_id, at FROM coin_event \
    WHERE user_id = u.id ORDER BY id DESC LIMIT 100) e ON true \
    WHERE u.id = $1 ORDER BY e.id DESC";

/// The customers who have most.
struct Top;

/// The wallet of a user.
struct Find {
    user: i64,
}

/// One of the ten.
#[derive(Serialize)]
struct RichCustomer {
    name: String,
    email: String,
    coins: i32,
}

/// What a user has, and how it came.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Wallet {
    user_id: i64,
    coins: i32,
    events: Vec<Event>,
}

/// One time that coins were given or taken; no manager did it where it is a debit.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    id: i64,
    amount: i32,
    reason: String,
    manager_id: Option<i64>,
    #[serde(serialize_with = "instant::serialize")]
    at: Instant,
}

/// A balance beside one of its events, if it has any.
struct WalletRow {
    coins: i32,
    event: Option<Event>,
}

/// `top-coins`.
pub async fn top(State(service): Served, caller: Caller) -> Answered {
    caller.when(caller.has(&[Role::Supervisor, Role::CustomerManager]))?;
    Ok(shown(service.pool.run(Top).await?))
}

/// `wallet`.
pub async fn wallet(State(service): Served, PathId(user): PathId, caller: Caller) -> Answered {
    caller.when(caller.id == user || caller.has(&[Role::CustomerManager]))?;
    Ok(shown(service.pool.run(Find { user }).await?))
}

impl Work for Top {
    type Output = Vec<RichCustomer>;

    async fn run(&self, session: &mut Session) -> Result<Vec<RichCustomer>, Failure> {
        session.rows(SELECT_TOP, &[]).await
    }
}

impl Work for Find {
    type Output = Wallet;

    async fn run(&self, session: &mut Session) -> Result<Wallet, Failure> {
        let rows: Vec<WalletRow> = session.rows(SELECT_WALLET, &[&self.user]).await?;
        let coins = rows.first().ok_or(Kind::NotFound)?.coins;
        Ok(Wallet {
            user_id: self.user,
            coins,
            events: rows.into_iter().filter_map(|row| row.event).collect(),
        })
    }
}

impl FromRow for RichCustomer {
    fn from_row(row: &Row) -> Result<Self, Error> {
        Ok(Self {
            name: full_name(row.try_get(0)?, row.try_get(1)?),
            email: row.try_get(2)?,
            coins: row.try_get(3)?,
        })
    }
}

impl FromRow for WalletRow {
    fn from_row(row: &Row) -> Result<Self, Error> {
        let coins = row.try_get(0)?;
        let Some(id) = row.try_get(1)? else {
            return Ok(Self { coins, event: None });
        };
        let event = Event {
            id,
            amount: row.try_get(2)?,
            reason: row.try_get(3)?,
            manager_id: row.try_get(4)?,
            at: row.try_get(5)?,
        };
        let event = Some(event);
        Ok(Self { coins, event })
    }
}
