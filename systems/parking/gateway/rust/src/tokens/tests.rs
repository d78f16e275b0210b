//! Which tokens count.

use jsonwebtoken::EncodingKey;
use serde_json::json;

use super::*;

const SECRET: &str = "loadstone-park-secret-for-tests-only";
const NOW: f64 = 1_700_000_500.0;

/// Of SPEC, *Tokens*: user 1, SUPERVISOR, valid until 2100.
const VECTOR: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJwYXJrLXVzZXJzIiwic3ViIjoiMSIsInJvbGUiOiJTVVBFUlZJU09SIiwiaWF0IjoxNzAwMDAwMDAwLCJleHAiOjQxMDI0NDQ4MDB9.Xa9f7dbHrzE7YEPmdjIR4ZcCN5kAQKpw0Kc73QwHwqA";

fn signed(header: &Value, claims: &Value) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let text = format!("{}.{}", part(header), part(claims));
    let key = EncodingKey::from_secret(SECRET.as_bytes());
    let signature = crypto::sign(text.as_bytes(), &key, Algorithm::HS256).expect("a signature");
    format!("{text}.{signature}")
}

fn check(token: &str) -> Option<Caller> {
    Tokens::new(SECRET).check(token, NOW)
}

fn with(header: &Value, changed: &[(&str, Value)]) -> Option<Caller> {
    let mut claims = json!({
        "iss": "park-users", "sub": "5", "role": "CUSTOMER", "iat": 1, "exp": 1_700_000_501,
    });
    for (name, value) in changed {
        claims[*name] = value.clone();
    }
    check(&signed(header, &claims))
}

fn by_claims(changed: &[(&str, Value)]) -> Option<Caller> {
    with(&json!({"alg": "HS256"}), changed)
}

#[test]
fn the_vector_is_served() {
    let expected = Caller {
        id: HeaderValue::from_static("1"),
        role: HeaderValue::from_static("SUPERVISOR"),
    };
    assert_eq!(check(VECTOR), Some(expected));
}

#[test]
fn a_changed_or_cut_token_does_not_count() {
    let (signed, signature) = VECTOR.rsplit_once('.').expect("three parts");
    for token in [
        signed,
        &format!("{signed}."),
        &format!("{VECTOR}."),
        &format!("{VECTOR}.{signature}"),
        &format!("{VECTOR}="),
        &VECTOR[..VECTOR.len() - 1],
        &VECTOR.replacen("eyJh", "eyJi", 1),
        "a.b.c",
        "..",
    ] {
        assert_eq!(check(token), None, "{token}");
    }
}

#[test]
fn the_algorithm_is_one_and_nothing_is_critical() {
    for header in [
        json!({"alg": "none"}),
        json!({"alg": "None"}),
        json!({"alg": "hs256"}),
        json!({"alg": "HS512"}),
        json!({"typ": "JWT"}),
        json!({"alg": "HS256", "crit": []}),
    ] {
        assert_eq!(with(&header, &[]), None, "{header}");
    }
    let odd = json!({"alg": "HS256", "kid": 5, "jku": [], "jwk": "none", "x5u": {}, "typ": 1});
    assert!(with(&odd, &[]).is_some());
}

#[test]
fn claims_that_do_not_count_are_refused() {
    assert!(by_claims(&[]).is_some());
    for (name, value) in [
        ("exp", json!(1_700_000_500)),
        ("exp", json!("1700000501")),
        ("exp", Value::Null),
        ("nbf", json!(1_700_000_501)),
        ("nbf", json!("1")),
        ("nbf", Value::Null),
        ("iss", json!("park")),
        ("iss", Value::Null),
        ("sub", json!("0")),
        ("sub", json!("01")),
        ("sub", json!("-1")),
        ("sub", json!("10000000000000000")),
        ("sub", json!("")),
        ("role", json!("supervisor")),
        ("role", Value::Null),
    ] {
        assert_eq!(by_claims(&[(name, value.clone())]), None, "{name}: {value}");
    }
    assert!(by_claims(&[("nbf", json!(1_700_000_500)), ("x", json!({}))]).is_some());
}

#[test]
fn one_field_with_the_scheme_has_a_token() {
    let tokens = Tokens::new(SECRET);
    let authenticate = |values: &[&'static str]| {
        let mut fields = HeaderMap::new();
        for value in values {
            fields.append(AUTHORIZATION, HeaderValue::from_static(value));
        }
        tokens.authenticate(&fields)
    };
    for values in [&[][..], &[""], &["Bearer"], &["Bearer "], &["Basic eA"]] {
        assert_eq!(
            authenticate(values),
            Err(Problem::TokenMissing),
            "{values:?}"
        );
    }
    let whole: &'static str = Box::leak(format!("bEaReR {VECTOR}").into_boxed_str());
    assert!(authenticate(&[whole]).is_ok());
    for values in [&[whole, whole][..], &["Bearer a.b.c"]] {
        assert_eq!(
            authenticate(values),
            Err(Problem::TokenInvalid),
            "{values:?}"
        );
    }
}
