//! Tokens: who a caller is, signed (RFC 7519). No look into a database is needed to believe them.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hyper::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use jsonwebtoken::{Algorithm, DecodingKey, crypto};
use serde_json::{Map, Value};

use crate::problem::Problem;

const ISSUER: &str = "park-users";
const ROLES: [&str; 5] = [
    "SUPERVISOR",
    "CUSTOMER",
    "CUSTOMER_MANAGER",
    "PARK_MANAGER",
    "DEVICE",
];
const MOST_DIGITS: usize = 16;

/// The user that a token names, as the texts that it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The id.
    pub id: HeaderValue,
    /// What the user may do.
    pub role: HeaderValue,
}

/// Checks tokens.
pub struct Tokens(DecodingKey);

impl Tokens {
    /// `secret` is the key of the signatures.
    pub fn new(secret: &str) -> Self {
        Self(DecodingKey::from_secret(secret.as_bytes()))
    }

    /// Whose token is in the fields of a request.
    ///
    /// # Errors
    /// There is none, or it does not count.
    pub fn authenticate(&self, fields: &HeaderMap) -> Result<Caller, Problem> {
        let mut values = fields.get_all(AUTHORIZATION).into_iter();
        let value = values.next().ok_or(Problem::TokenMissing)?;
        if values.next().is_some() {
            return Err(Problem::TokenInvalid);
        }
        let text = value.to_str().map_err(|_| Problem::TokenInvalid)?;
        let (scheme, token) = text.split_once(' ').unwrap_or((text, ""));
        let token = token.trim_matches([' ', '\t']);
        if !scheme.eq_ignore_ascii_case("Bearer") || token.is_empty() {
            return Err(Problem::TokenMissing);
        }
        self.check(token, now_s()).ok_or(Problem::TokenInvalid)
    }

    /// The library reads more of header and claims than counts here, and not `crit`; so it is asked for the
    /// signature alone. `now` is in seconds since 1970.
    fn check(&self, token: &str, now: f64) -> Option<Caller> {
        let (signed, signature) = token.rsplit_once('.')?;
        let (header, claims) = signed.split_once('.')?;
        let header = object(header)?;
        if text(&header, "alg") != Some("HS256") || header.contains_key("crit") {
            return None;
        }
        let is_right = crypto::verify(signature, signed.as_bytes(), &self.0, Algorithm::HS256);
        if !is_right.is_ok_and(|is_right| is_right) {
            return None;
        }
        caller_of(&object(claims)?, now)
    }
}

/// Whom claims name, if they count now.
fn caller_of(claims: &Map<String, Value>, now: f64) -> Option<Caller> {
    let is_begun = match claims.get("nbf") {
        None => true,
        Some(from) => from.as_f64()? <= now,
    };
    let is_valid = is_begun
        && text(claims, "iss") == Some(ISSUER)
        && claims.get("exp").and_then(Value::as_f64)? > now;
    let id = text(claims, "sub").filter(|id| is_valid && is_id(id))?;
    let role = text(claims, "role").filter(|role| ROLES.contains(role))?;
    Some(Caller {
        id: HeaderValue::from_str(id).ok()?,
        role: HeaderValue::from_str(role).ok()?,
    })
}

/// A part of a token: an object of JSON, in base64url without padding.
fn object(part: &str) -> Option<Map<String, Value>> {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).ok()?).ok()
}

fn text<'a>(members: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    members.get(name).and_then(Value::as_str)
}

/// Whether it is `[1-9][0-9]{0,15}`.
fn is_id(text: &str) -> bool {
    (1..=MOST_DIGITS).contains(&text.len())
        && !text.starts_with('0')
        && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn now_s() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs_f64()
}

#[cfg(test)]
mod tests;
