//! Making a reservation. A key makes it once, however often it is asked for.

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue, LOCATION};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use chrono::Utc;
use serde::Deserialize;

use crate::answers::Answered;
use crate::caller::Player;
use crate::facilities;
use crate::failure::Failure;
use crate::members::Members;
use crate::problems::{Fault, Kind, Problem};
use crate::reservation::{NewReservation, Reservation};
use crate::service::Served;
use crate::session::{Parameter, Session};
use crate::work::Work;

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const LONGEST_KEY: usize = 64;

const INSERT_KEY: &str = "INSERT INTO idempotency (account_id, key, fingerprint) \
    VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
const SELECT_KEY: &str =
    "SELECT fingerprint, body FROM idempotency WHERE account_id = $1 AND key = $2";
const UPDATE_KEY: &str = "UPDATE idempotency SET body = $3 WHERE account_id = $1 AND key = $2";
const INSERT: &str = "INSERT INTO reservation (facility_id, player_id, starts_at, ends_at, \
    price_cents) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING id, facility_id, \
    player_id, starts_at, ends_at, status, price_cents, created_at, decided_at";

/// Reserves slots for a player, unless the key was used before.
struct Reserve {
    player: i64,
    new: NewReservation,
    key: Option<String>,
}

/// What is answered, and kept for the key.
struct Reserved {
    id: i64,
    body: String,
    is_replayed: bool,
}

/// What a body that was kept is about.
#[derive(Deserialize)]
struct Kept {
    id: i64,
}

/// `reserve`.
pub async fn reserve(
    State(service): Served,
    Player(player): Player,
    headers: HeaderMap,
    members: Members,
) -> Answered {
    let key = key_in(&headers)?;
    let new = NewReservation::read(members, Utc::now())?;
    let reserve = Reserve { player, new, key };
    let reserved = service.pool.transact(reserve).await?;
    Ok(answer(reserved))
}

impl Work for Reserve {
    type Output = Reserved;

    async fn run(&self, session: &mut Session) -> Result<Reserved, Failure> {
        if let Some(key) = &self.key
            && let Some(replayed) = self.replayed(session, key).await?
        {
            return Ok(replayed);
        }
        let reserved = self.reserved(session).await?;
        if let Some(key) = &self.key {
            let parameters: [Parameter<'_>; 3] = [&self.player, key, &reserved.body];
            session.touched(UPDATE_KEY, &parameters).await?;
        }
        Ok(reserved)
    }
}

impl Reserve {
    /// What the key gave before. Where it is new this transaction has it now, and those that come with it
    /// meanwhile wait for the end.
    async fn replayed(
        &self,
        session: &mut Session,
        key: &str,
    ) -> Result<Option<Reserved>, Failure> {
        let fingerprint = self.new.fingerprint();
        let parameters: [Parameter<'_>; 3] = [&self.player, &key, &fingerprint];
        if session.touched(INSERT_KEY, &parameters).await? > 0 {
            return Ok(None);
        }
        let row = session.row(SELECT_KEY, &[&self.player, &key]).await?;
        let row = row.ok_or_else(|| Problem::internal("a key is gone"))?;
        let (kept_fingerprint, body): (&[u8], Option<String>) = (row.get(0), row.get(1));
        if kept_fingerprint != fingerprint {
            return Err(Kind::IdempotencyMismatch.into());
        }
        let body = body.ok_or_else(|| Problem::internal("a key has no body"))?;
        let kept: Kept = serde_json::from_str(&body)
            .map_err(|error| Problem::internal(format!("the body of a key: {error}")))?;
        Ok(Some(Reserved {
            id: kept.id,
            body,
            is_replayed: true,
        }))
    }

    /// The reservation that is made; that its time is taken is told by the constraint of the table.
    async fn reserved(&self, session: &mut Session) -> Result<Reserved, Failure> {
        let NewReservation {
            facility_id,
            starts_at,
            slots,
        } = &self.new;
        let facility = facilities::find(session, *facility_id).await?;
        let ends_at = facility.end_of(*starts_at, *slots).map_err(|code| {
            Problem::invalid(vec![Fault {
                pointer: "/starts_at",
                code,
            }])
        })?;
        if facility.retired {
            return Err(Kind::FacilityRetired.into());
        }
        let price_cents = facility.price_cents * slots;
        let parameters: [Parameter<'_>; 5] =
            [facility_id, &self.player, starts_at, &ends_at, &price_cents];
        let row = session.row(INSERT, &parameters).await?;
        let reservation = Reservation::of(&row.ok_or(Kind::SlotTaken)?);
        Ok(Reserved {
            id: reservation.id,
            body: serde_json::to_string(&reservation).expect("texts and numbers"),
            is_replayed: false,
        })
    }
}

fn answer(reserved: Reserved) -> Response {
    let location = format!("/reservations/{}", reserved.id);
    let json = HeaderValue::from_static("application/json");
    let mut response = (
        StatusCode::CREATED,
        [(LOCATION, location)],
        Body::from(reserved.body),
    )
        .into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, json);
    if reserved.is_replayed {
        headers.insert(REPLAYED, HeaderValue::from_static("true"));
    }
    response
}

/// The key of a request, if it has one.
fn key_in(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let Some(value) = headers.get(KEY) else {
        return Ok(None);
    };
    let key = value.to_str().map_err(|_| Kind::Malformed)?;
    let is_key =
        (1..=LONGEST_KEY).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    if is_key {
        Ok(Some(key.to_owned()))
    } else {
        Err(Kind::Malformed.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(value: &'static str) -> Result<Option<String>, Kind> {
        let headers = HeaderMap::from_iter([(KEY, HeaderValue::from_static(value))]);
        key_in(&headers).map_err(|problem| problem.kind)
    }

    #[test]
    fn a_key_has_1_to_64_visible_characters() {
        const LONGEST: &str = "!~0123456789012345678901234567890123456789012345678901234567890!";
        const LONGER: &str = "!~01234567890123456789012345678901234567890123456789012345678901!";
        assert_eq!(LONGEST.len(), LONGEST_KEY);
        assert_eq!(key(LONGEST), Ok(Some(LONGEST.to_owned())));
        for value in ["", LONGER, "a b", "\t"] {
            assert_eq!(key(value), Err(Kind::Malformed), "{value}");
        }
        assert!(matches!(key_in(&HeaderMap::new()), Ok(None)));
    }
}
