//! Tokens: who a user is, signed (RFC 7519). It is the gateway that verifies them.

use chrono::Utc;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde::Serialize;

use crate::config::TokenConfig;
use crate::instant::Instant;
use crate::words::Role;

const ISSUER: &str = "park-users";

/// Makes tokens.
pub struct Tokens {
    key: EncodingKey,
    lifetime_s: i64,
}

#[derive(Serialize)]
struct Claims {
    iss: &'static str,
    sub: String,
    role: Role,
    iat: i64,
    exp: i64,
}

impl Tokens {
    /// Makes none yet.
    pub fn new(config: &TokenConfig) -> Self {
        Self {
            key: EncodingKey::from_secret(config.secret.as_bytes()),
            lifetime_s: config.lifetime_s,
        }
    }

    /// A token of a user from now on, and when it expires.
    pub fn issue(&self, id: i64, role: Role) -> (String, Instant) {
        let issued = Utc::now().timestamp();
        let expires = issued + self.lifetime_s;
        let claims = Claims {
            iss: ISSUER,
            sub: id.to_string(),
            role,
            iat: issued,
            exp: expires,
        };
        let token = encode(&Header::new(Algorithm::HS256), &claims, &self.key);
        let expires = Instant::from_timestamp_secs(expires).expect("a time of these years");
        (token.expect("a key of bytes"), expires)
    }
}

#[cfg(test)]
mod tests {
    use jsonwebtoken::{DecodingKey, Validation, decode, decode_header};
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_token_has_its_claims_and_no_others() {
        let config = TokenConfig {
            secret: "loadstone-park-secret-for-tests-only".to_owned(),
            lifetime_s: 600,
        };
        let (token, expires) = Tokens::new(&config).issue(5, Role::Customer);
        let header = decode_header(&token).expect("a header");
        assert_eq!(header.alg, Algorithm::HS256);
        let key = DecodingKey::from_secret(config.secret.as_bytes());
        let read = decode::<Value>(&token, &key, &Validation::new(Algorithm::HS256));
        let claims = read.expect("a right token").claims;
        let expected = serde_json::json!({
            "iss": "park-users", "sub": "5", "role": "CUSTOMER",
            "iat": expires.timestamp() - 600, "exp": expires.timestamp(),
        });
        assert_eq!(claims, expected);
    }
}
