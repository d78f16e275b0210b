//! Tokens: who a caller is, signed (RFC 7519). The role is the token's, and no look into the database is
//! needed to believe it.

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};

use crate::caller::Caller;
use crate::config::TokenConfig;
use crate::ids;
use crate::role::Role;

/// Both who makes the tokens and whom they are for.
const SERVICE: &str = "booking";

/// Makes tokens, and reads them.
pub struct Tokens {
    signing: EncodingKey,
    checking: DecodingKey,
    validation: Validation,
    /// How long one is valid, in seconds.
    pub ttl_s: u64,
}

#[derive(Serialize)]
struct Claims {
    iss: &'static str,
    aud: &'static str,
    sub: String,
    role: Role,
    iat: u64,
    exp: u64,
}

/// Those that are looked at here; the library looks at the issuer and the audience.
#[derive(Clone, Deserialize)]
struct Checked {
    sub: String,
    role: Role,
    exp: u64,
}

impl Tokens {
    /// Makes none yet.
    pub fn new(config: &TokenConfig) -> Self {
        let secret = config.secret.as_bytes();
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_issuer(&[SERVICE]);
        validation.set_audience(&[SERVICE]);
        validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
        // The library still takes a token in the second in which it expires.
        validation.validate_exp = false;
        Self {
            signing: EncodingKey::from_secret(secret),
            checking: DecodingKey::from_secret(secret),
            validation,
            ttl_s: config.ttl_s,
        }
    }

    /// A token of an account; `now` is in seconds since 1970.
    pub fn issue(&self, account: Caller, now: u64) -> String {
        let claims = Claims {
            iss: SERVICE,
            aud: SERVICE,
            sub: account.id.to_string(),
            role: account.role,
            iat: now,
            exp: now + self.ttl_s,
        };
        encode(&Header::new(Algorithm::HS256), &claims, &self.signing).expect("a key of bytes")
    }

    /// Whose token it is, if it counts.
    pub fn read(&self, token: &str, now: u64) -> Option<Caller> {
        let decoded = decode::<Checked>(token, &self.checking, &self.validation).ok()?;
        let Checked { sub, role, exp } = decoded.claims;
        let id = ids::read(&sub).filter(|_| now < exp)?;
        Some(Caller { id, role })
    }
}

#[cfg(test)]
mod tests;
