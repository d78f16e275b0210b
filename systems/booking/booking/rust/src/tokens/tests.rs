//! Which tokens count.

use serde_json::{Value, json};

use super::*;

const NOW: u64 = 2_000_000_000;
const SECRET: &str = "0123456789abcdef0123456789abcdef";

const OWNER: Caller = Caller {
    id: 7,
    role: Role::Owner,
};

fn tokens() -> Tokens {
    Tokens::new(&TokenConfig {
        secret: SECRET.to_owned(),
        ttl_s: 60,
    })
}

fn good() -> Value {
    json!({"iss": "booking", "aud": "booking", "sub": "7", "role": "owner", "iat": NOW, "exp": NOW + 60})
}

fn signed(algorithm: Algorithm, claims: &Value, secret: &str) -> String {
    let key = EncodingKey::from_secret(secret.as_bytes());
    encode(&Header::new(algorithm), claims, &key).expect("a token")
}

#[test]
fn a_token_is_read_back_until_it_expires() {
    let token = tokens().issue(OWNER, NOW);
    assert_eq!(tokens().read(&token, NOW + 59), Some(OWNER));
    assert_eq!(tokens().read(&token, NOW + 60), None);
}

#[test]
fn a_token_has_the_six_claims() {
    let token = tokens().issue(OWNER, NOW);
    let mut validation = Validation::new(Algorithm::HS256);
    validation.set_audience(&["booking"]);
    let key = DecodingKey::from_secret(SECRET.as_bytes());
    let claims = decode::<Value>(&token, &key, &validation).expect("a token");
    assert_eq!(claims.claims, good());
}

#[test]
fn another_key_or_algorithm_does_not_count() {
    let tokens = tokens();
    assert!(
        tokens
            .read(&signed(Algorithm::HS256, &good(), SECRET), NOW)
            .is_some()
    );
    for (algorithm, secret) in [
        (Algorithm::HS384, SECRET),
        (Algorithm::HS512, SECRET),
        (Algorithm::HS256, "another-secret-of-32-characters!"),
    ] {
        assert_eq!(tokens.read(&signed(algorithm, &good(), secret), NOW), None);
    }
    let unsigned = "eyJhbGciOiJub25lIn0.eyJzdWIiOiI3In0.";
    for token in ["", "a.b.c", unsigned] {
        assert_eq!(tokens.read(token, NOW), None, "{token}");
    }
}

#[test]
fn claims_that_are_missing_or_wrong_do_not_count() {
    for (claim, values) in [
        ("iss", vec![json!("other"), json!(1)]),
        ("aud", vec![json!("other")]),
        (
            "sub",
            vec![json!("0"), json!("x"), json!(7), json!("12345678901234567")],
        ),
        ("role", vec![json!("admin"), json!(1)]),
        ("exp", vec![json!(NOW), json!(0), json!("never"), json!(-1)]),
    ] {
        for value in values.into_iter().chain([Value::Null]) {
            let mut claims = good();
            claims[claim] = value;
            let token = signed(Algorithm::HS256, &claims, SECRET);
            assert_eq!(tokens().read(&token, NOW), None, "{claims}");
        }
        let mut claims = good();
        claims.as_object_mut().expect("an object").remove(claim);
        let token = signed(Algorithm::HS256, &claims, SECRET);
        assert_eq!(tokens().read(&token, NOW), None, "without {claim}");
    }
}
