//! Who asks, by the token of the request.

use std::time::{SystemTime, UNIX_EPOCH};

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;

use crate::problems::{Kind, Problem};
use crate::role::Role;
use crate::service::Shared;

/// An account, whatever its role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    /// Its id.
    pub id: i64,
    /// What it may do.
    pub role: Role,
}

/// The id of an account that is a player's.
pub struct Player(pub i64);

/// The id of an account that is an owner's.
pub struct Owner(pub i64);

impl FromRequestParts<Shared> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, service: &Shared) -> Result<Self, Problem> {
        let token = token_in(&parts.headers).ok_or(Kind::Unauthenticated)?;
        let caller = service.tokens.read(token, now_s());
        caller.ok_or(Kind::Unauthenticated.into())
    }
}

impl FromRequestParts<Shared> for Player {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, service: &Shared) -> Result<Self, Problem> {
        Ok(Self(id_of(Role::Player, parts, service).await?))
    }
}

impl FromRequestParts<Shared> for Owner {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, service: &Shared) -> Result<Self, Problem> {
        Ok(Self(id_of(Role::Owner, parts, service).await?))
    }
}

async fn id_of(role: Role, parts: &mut Parts, service: &Shared) -> Result<i64, Problem> {
    let caller = Caller::from_request_parts(parts, service).await?;
    if caller.role == role {
        Ok(caller.id)
    } else {
        Err(Kind::Forbidden.into())
    }
}

/// What is behind the scheme, in any case of letters.
fn token_in(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    let is_bearer = scheme.eq_ignore_ascii_case("Bearer");
    is_bearer.then(|| token.trim_start_matches(' '))
}

/// Seconds since 1970.
pub fn now_s() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs()
}
