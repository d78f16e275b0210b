//! Granting coins. A key does it once, however often it is asked for.

use std::fmt::Write as _;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use sha2::{Digest as _, Sha256};
use tokio_postgres::{Error, Row};

use crate::answers::Answered;
use crate::body::RequestBody;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::members::{Code, Members, characters, length};
use crate::problems::{Kind, Problem};
use crate::service::Served;
use crate::session::{FromRow, Parameter, Session};
use crate::words::Role;
use crate::work::Work;

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

const MOST_AMOUNT: i64 = 1_000_000;

/// Waits for a rival that makes the same row, and makes none where the key is there.
const INSERT_KEY: &str = "INSERT INTO idempotency (key, operation, digest, status, body, at) \
    VALUES ($1, 'grant-coins', $2, 201, $3, now()) ON CONFLICT DO NOTHING";
const SELECT_KEY: &str = "SELECT digest, status, body FROM idempotency \
    WHERE key = $1 AND operation = 'grant-coins'";
const LOCK: &str =
    "SELECT id, coins FROM app_user WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE";
const UPDATE: &str = "UPDATE app_user SET coins = coins + $2 WHERE id = ANY($1)";
const INSERT_EVENTS: &str = "INSERT INTO coin_event (user_id, amount, reason, manager_id, at) \
    SELECT id, $2::integer, $3::text, $4::bigint, now() \
    FROM unnest($1::bigint[]) AS id ORDER BY id";

/// What a manager asks for.
#[derive(Debug)]
struct Grant {
    users: Vec<i64>,
    amount: i32,
    reason: String,
}

/// Grants for a key, unless it was used before.
struct GrantOnce {
    key: String,
    manager: i64,
    grant: Grant,
}

/// What is answered, and kept for the key.
struct Granted {
    status: StatusCode,
    body: String,
    is_replayed: bool,
}

/// What a key got, and what it was for.
struct Kept {
    digest: Vec<u8>,
    status: i16,
    body: String,
}

/// How many coins a user has.
struct Balance(i32);

/// `grant-coins`.
pub async fn grant(
    State(service): Served,
    caller: Caller,
    headers: HeaderMap,
    body: RequestBody,
) -> Answered {
    caller.when(caller.has(&[Role::CustomerManager]))?;
    let json = body.json()?;
    let key = key_in(&headers)?;
    let grant = Grant::read(Members::parse(json)?)?;
    let once = GrantOnce {
        key,
        manager: caller.id,
        grant,
    };
    Ok(answer(service.pool.transact(once).await?))
}

impl Work for GrantOnce {
    type Output = Granted;

    /// The key is gone with the transaction where nobody gets any.
    async fn run(&self, session: &mut Session) -> Result<Granted, Failure> {
        let digest = self.grant.digest();
        let body = format!(r#"{{"granted":{}}}"#, self.grant.users.len());
        let parameters: [Parameter<'_>; 3] = [&self.key, &digest, &body];
        if session.changed(INSERT_KEY, &parameters).await? == 0 {
            return self.replayed(session, &digest).await;
        }
        self.grant.give(session, self.manager).await?;
        Ok(Granted {
            status: StatusCode::CREATED,
            body,
            is_replayed: false,
        })
    }
}

impl GrantOnce {
    async fn replayed(&self, session: &mut Session, digest: &[u8]) -> Result<Granted, Failure> {
        let kept: Option<Kept> = session.row(SELECT_KEY, &[&self.key]).await?;
        let kept = kept.ok_or_else(|| Problem::internal("a key is gone"))?;
        if kept.digest != digest {
            return Err(Kind::IdempotencyMismatch.into());
        }
        let status = u16::try_from(kept.status).ok();
        let status = status.and_then(|status| StatusCode::from_u16(status).ok());
        Ok(Granted {
            status: status.ok_or_else(|| Problem::internal("a key has no status"))?,
            body: kept.body,
            is_replayed: true,
        })
    }
}

impl Grant {
    fn read(mut members: Members) -> Result<Self, Problem> {
        let users = members.integers("/userIds", users_fault);
        let amount = members.integer("/amount", -MOST_AMOUNT..=MOST_AMOUNT);
        if amount == Some(0) {
            members.note("/amount", "range");
        }
        let reason = members.text("/reason", |text| characters(text, 1..=200));
        members.finish(|| {
            Some(Self {
                users: users?,
                amount: amount?,
                reason: reason?,
            })
        })
    }

    /// Tells one request from another.
    fn digest(&self) -> Vec<u8> {
        let mut text = format!("{}|", self.amount);
        for (place, user) in self.users.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            write!(text, "{comma}{user}").expect("memory is there");
        }
        write!(text, "|{}", self.reason).expect("memory is there");
        Sha256::digest(text).to_vec()
    }

    async fn give(&self, session: &mut Session, manager: i64) -> Result<(), Failure> {
        let Self {
            users,
            amount,
            reason,
        } = self;
        let balances: Vec<Balance> = session.rows(LOCK, &[users]).await?;
        if balances.len() < users.len() {
            return Err(Kind::NotFound.into());
        }
        let is_in_range = |Balance(coins): &Balance| {
            let sum = coins.checked_add(*amount);
            sum.is_some_and(|sum| sum >= 0)
        };
        if !balances.iter().all(is_in_range) {
            return Err(Kind::Coins.into());
        }
        session.change(UPDATE, &[users, amount]).await?;
        session
            .change(INSERT_EVENTS, &[users, amount, reason, &manager])
            .await
    }
}

impl FromRow for Balance {
    fn from_row(row: &Row) -> Result<Self, Error> {
        Ok(Self(row.try_get(1)?))
    }
}

impl FromRow for Kept {
    fn from_row(row: &Row) -> Result<Self, Error> {
        Ok(Self {
            digest: row.try_get(0)?,
            status: row.try_get(1)?,
            body: row.try_get(2)?,
        })
    }
}

fn users_fault(users: &[i64]) -> Option<Code> {
    let is_twice = || {
        let mut sorted = users.to_vec();
        sorted.sort_unstable();
        sorted.windows(2).any(|pair| pair[0] == pair[1])
    };
    length(users.len(), 1..=100)
        .or_else(|| users.iter().any(|user| *user < 1).then_some("range"))
        .or_else(|| is_twice().then_some("duplicate"))
}

/// The one key of a request: 16 to 64 of `[A-Za-z0-9-]`.
fn key_in(headers: &HeaderMap) -> Result<String, Kind> {
    let mut values = headers.get_all(KEY).into_iter();
    let first = values.next().filter(|_| values.next().is_none());
    let is_key = |text: &&str| {
        let is_of_key = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        (16..=64).contains(&text.len()) && text.bytes().all(is_of_key)
    };
    let key = first.and_then(|value| value.to_str().ok()).filter(is_key);
    key.map(str::to_owned).ok_or(Kind::Malformed)
}

fn answer(granted: Granted) -> Response {
    let mut response = Response::new(Body::from(granted.body));
    *response.status_mut() = granted.status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if granted.is_replayed {
        headers.insert(REPLAYED, HeaderValue::from_static("true"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(values: &[&'static str]) -> Result<String, Kind> {
        let values = values.iter().map(|value| HeaderValue::from_static(value));
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(KEY, value);
        }
        key_in(&headers)
    }

    #[test]
    fn a_key_has_16_to_64_letters_digits_and_hyphens() {
        const LONGEST: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789--";
        for text in ["0123456789abcdef", LONGEST] {
            assert_eq!(key(&[text]), Ok(text.to_owned()));
        }
        for text in [
            "",
            "0123456789abcde",
            "0123456789abcde_",
            "0123456789abcde ",
        ] {
            assert_eq!(key(&[text]), Err(Kind::Malformed), "{text}");
        }
        assert_eq!(
            key(&["0123456789abcdef", "0123456789abcdef"]),
            Err(Kind::Malformed)
        );
        assert_eq!(key(&[]), Err(Kind::Malformed));
    }

    #[test]
    fn users_are_1_to_100_each_once() {
        let hundred: Vec<i64> = (1..=100).collect();
        assert_eq!(users_fault(&hundred), None);
        assert_eq!(users_fault(&[i64::MAX]), None);
        let more: Vec<i64> = (1..=101).collect();
        for (users, code) in [
            (&[][..], "too-short"),
            (&more, "too-long"),
            (&[0], "range"),
            (&[1, 1, 0], "range"),
            (&[5, 4, 5], "duplicate"),
        ] {
            assert_eq!(users_fault(users), Some(code), "{users:?}");
        }
    }

    #[test]
    fn a_digest_is_that_of_amount_ids_and_reason() {
        let grant = Grant {
            users: vec![6, 4],
            amount: -30,
            reason: "grüße|1".to_owned(),
        };
        assert_eq!(grant.digest(), Sha256::digest("-30|6,4|grüße|1").to_vec());
    }
}
