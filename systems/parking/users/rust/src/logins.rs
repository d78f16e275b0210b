//! The operation that gives tokens. No connection is held while a password is hashed.

use axum::extract::State;
use serde::Serialize;
use tokio_postgres::{Error, Row};

use crate::answers::{Answered, shown};
use crate::body::RequestBody;
use crate::failure::Failure;
use crate::instant::{self, Instant};
use crate::problems::Kind;
use crate::service::Served;
use crate::session::{FromRow, Session};
use crate::user::{email_fault, full_name};
use crate::words::{Role, UserStatus};
use crate::work::Work;

const SELECT: &str = "SELECT id, first_name, last_name, password_hash, role, status FROM app_user \
    WHERE lower(email) = lower($1)";

/// The account of an e-mail address.
struct Find {
    email: String,
}

/// What a log-in is held against.
struct Account {
    id: i64,
    name: String,
    hash: String,
    role: Role,
    status: UserStatus,
}

/// What a right password gives.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Login {
    token: String,
    name: String,
    #[serde(serialize_with = "instant::serialize")]
    expires_at: Instant,
}

/// `login`. Unknown addresses and wrong passwords take as long, and are told alike.
pub async fn login(State(service): Served, body: RequestBody) -> Answered {
    let mut members = body.members()?;
    let email = members.text("/email", |_| None);
    let password = members.text("/password", |_| None);
    let (email, password) = members.finish(|| email.zip(password))?;
    // Nothing is asked for an address that no user can have.
    let account = match email_fault(&email) {
        None => service.pool.run(Find { email }).await?,
        Some(_) => None,
    };
    let hash = account.as_ref().map(|account| account.hash.clone());
    let is_right = service.passwords.verify(password, hash).await;
    let account = account.filter(|_| is_right).ok_or(Kind::Credentials)?;
    if account.status != UserStatus::Enabled {
        return Err(Kind::AccountBlocked.into());
    }
    let (token, expires_at) = service.tokens.issue(account.id, account.role);
    Ok(shown(Login {
        token,
        name: account.name,
        expires_at,
    }))
}

impl Work for Find {
    type Output = Option<Account>;

    async fn run(&self, session: &mut Session) -> Result<Option<Account>, Failure> {
        session.row(SELECT, &[&self.email]).await
    }
}

impl FromRow for Account {
    fn from_row(row: &Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.try_get(0)?,
            name: full_name(row.try_get(1)?, row.try_get(2)?),
            hash: row.try_get(3)?,
            role: row.try_get(4)?,
            status: row.try_get(5)?,
        })
    }
}
