//! What the environment means.

use super::*;

const LEAST: [(&str, &str); 4] = [
    ("PORT", "0"),
    ("DATABASE_URL", "postgres://user:secret@127.0.0.1:5432/park"),
    ("JWT_SECRET", "0123456789abcdef0123456789abcdef"),
    ("INTERNAL_KEY", "0123456789abcdef"),
];

/// Reads the least that is needed, and what is set beside it.
fn read(set: &[(&str, &str)]) -> Result<Config, WrongVariable> {
    Config::read(|name| {
        let mut variables = set.iter().chain(&LEAST);
        let found = variables.find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    })
}

fn refusal(set: &[(&str, &str)]) -> String {
    read(set).expect_err("refused").to_string()
}

#[test]
fn what_is_not_set_has_its_default() {
    let expected = Config {
        host: Ipv4Addr::LOCALHOST,
        port: 0,
        speaks: Protocol::H1c,
        certificate: None,
        database: DatabaseConfig {
            user: "user".to_owned(),
            password: "secret".to_owned(),
            host: "127.0.0.1".to_owned(),
            port: 5432,
            name: "park".to_owned(),
            pool_size: 10,
            pool_wait: Duration::from_secs(1),
        },
        tokens: TokenConfig {
            secret: LEAST[2].1.to_owned(),
            lifetime_s: 600,
        },
        internal_key: LEAST[3].1.to_owned(),
        registry: None,
    };
    assert_eq!(read(&[]), Ok(expected));
}

#[test]
fn every_variable_is_read() {
    let config = read(&[
        ("PORT", "9090"),
        ("UPSTREAM_PROTOCOL", "h2"),
        ("DISCOVERY_PROTOCOL", "h1c"),
        ("TLS_CERT", "chain.pem"),
        ("TLS_KEY", "key.pem"),
        ("POOL_SIZE", "1000"),
        ("TOKEN_SECONDS", "86400"),
        ("REGISTRY", "eureka"),
        ("REGISTRY_URL", "http://127.0.0.1:8761"),
    ])
    .expect("a config");
    let files = CertificateFiles {
        chain: "chain.pem".into(),
        key: "key.pem".into(),
    };
    assert_eq!((config.port, config.speaks), (9090, Protocol::H2));
    assert_eq!(config.certificate, Some(files));
    assert_eq!(
        (config.database.pool_size, config.tokens.lifetime_s),
        (1000, 86_400)
    );
    assert_eq!(
        config.registry,
        Some(Authority::from_static("127.0.0.1:8761"))
    );
}

#[test]
fn a_wrong_variable_is_named_with_its_value() {
    for (name, value) in [
        ("PORT", ""),
        ("PORT", "+1"),
        ("PORT", "65536"),
        ("UPSTREAM_PROTOCOL", ""),
        ("UPSTREAM_PROTOCOL", "h3"),
        ("DISCOVERY_PROTOCOL", "h2c"),
        ("POOL_SIZE", "0"),
        ("POOL_SIZE", " 5"),
        ("POOL_SIZE", "99999999999999999999"),
        ("TOKEN_SECONDS", ""),
        ("TOKEN_SECONDS", "86401"),
        ("REGISTRY", "Eureka"),
        ("REGISTRY_URL", ""),
        ("TLS_KEY", ""),
    ] {
        let refusal = refusal(&[(name, value)]);
        assert!(
            refusal.starts_with(&format!("{name} must be ")),
            "{refusal}"
        );
        assert!(refusal.ends_with(&format!(", not {value:?}")), "{refusal}");
    }
}

#[test]
fn what_another_variable_asks_for_is_needed() {
    for value in [
        "",
        "127.0.0.1:8761",
        "http://127.0.0.1:8761/",
        "http://:1",
        "http://a:0",
    ] {
        let refusal = refusal(&[("REGISTRY", "eureka"), ("REGISTRY_URL", value)]);
        assert!(refusal.starts_with("REGISTRY_URL must be "), "{refusal}");
    }
    for protocol in ["h1", "h2"] {
        let refusal = refusal(&[("UPSTREAM_PROTOCOL", protocol)]);
        assert_eq!(refusal, r#"TLS_CERT must be a file in PEM, not """#);
    }
}

#[test]
fn a_secret_is_refused_without_its_value() {
    let long = "secret--".repeat(33);
    for (name, value) in [
        ("DATABASE_URL", ""),
        ("DATABASE_URL", "http://user:secret@127.0.0.1:5432/park"),
        ("DATABASE_URL", "postgres://user:secret@127.0.0.1/park"),
        (
            "DATABASE_URL",
            "postgres://user:secret@127.0.0.1:70000/park",
        ),
        ("DATABASE_URL", "postgres://user:secret@127.0.0.1:5432/"),
        (
            "DATABASE_URL",
            "postgres://user:%73ecret@127.0.0.1:5432/park",
        ),
        (
            "DATABASE_URL",
            "postgres://user:secret@127.0.0.1:5432/d?sslmode=disable",
        ),
        ("JWT_SECRET", "secret-of-31-visible-characters"),
        ("JWT_SECRET", "secret with blanks in 33 characters"),
        ("JWT_SECRET", long.as_str()),
        ("INTERNAL_KEY", ""),
        ("INTERNAL_KEY", "secret-of-15-ch"),
        ("INTERNAL_KEY", long.as_str()),
    ] {
        let refusal = refusal(&[(name, value)]);
        assert!(
            refusal.starts_with(&format!("{name} must be ")),
            "{refusal}"
        );
        assert!(!refusal.contains("secret"), "{refusal}");
    }
}
