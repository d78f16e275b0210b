//! What the environment means.

use super::*;

const LEAST: [(&str, &str); 3] = [
    ("PORT", "0"),
    (
        "DATABASE_URL",
        "postgres://user:secret@127.0.0.1:5432/bookings",
    ),
    ("JWT_SECRET", "0123456789abcdef0123456789abcdef"),
];

/// Reads the least that is needed, and what is set beside it.
fn read(set: &[(&str, &str)]) -> Result<Config, WrongVariable> {
    Config::read(|name| {
        let mut variables = set.iter().chain(&LEAST);
        let found = variables.find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    })
}

#[test]
fn what_is_not_set_has_its_default() {
    let expected = Config {
        host: Ipv4Addr::LOCALHOST,
        port: 0,
        database: DatabaseConfig {
            user: "user".to_owned(),
            password: "secret".to_owned(),
            host: "127.0.0.1".to_owned(),
            port: 5432,
            name: "bookings".to_owned(),
            pool_size: 10,
            pool_wait: Duration::from_secs(1),
        },
        tokens: TokenConfig {
            secret: LEAST[2].1.to_owned(),
            ttl_s: 3600,
        },
        password_cost: 10,
        log_level: Level::Warn,
    };
    assert_eq!(read(&[]), Ok(expected));
}

#[test]
fn every_variable_is_read() {
    let secret = "~".repeat(256);
    let config = read(&[
        ("PORT", "9090"),
        ("POOL_SIZE", "1000"),
        ("POOL_WAIT_MS", "60000"),
        ("JWT_SECRET", &secret),
        ("JWT_TTL", "1"),
        ("PASSWORD_COST", "4"),
        ("CLIENT_PROTOCOL", "h1c"),
        ("LOG_LEVEL", "debug"),
    ])
    .expect("a config");
    assert_eq!(config.port, 9090);
    assert_eq!(config.database.pool_size, 1000);
    assert_eq!(config.database.pool_wait, Duration::from_mins(1));
    assert_eq!(config.tokens, TokenConfig { secret, ttl_s: 1 });
    assert_eq!(config.password_cost, 4);
    assert_eq!(config.log_level, Level::Debug);
}

#[test]
fn a_wrong_variable_is_named_with_its_value() {
    for (variable, value) in [
        ("PORT", ""),
        ("PORT", "+1"),
        ("PORT", "65536"),
        ("POOL_SIZE", "0"),
        ("POOL_SIZE", " 5"),
        ("POOL_SIZE", "99999999999999999999"),
        ("POOL_WAIT_MS", "60001"),
        ("JWT_TTL", "86401"),
        ("JWT_TTL", "-1"),
        ("PASSWORD_COST", "3"),
        ("PASSWORD_COST", "15"),
        ("CLIENT_PROTOCOL", "h2"),
        ("LOG_LEVEL", "WARN"),
        ("LOG_LEVEL", ""),
    ] {
        let message = read(&[(variable, value)]).expect_err("refused").to_string();
        assert!(message.starts_with(&format!("{variable} must be ")));
        assert!(message.ends_with(&format!("not {value:?}")), "{message}");
    }
}

#[test]
fn the_database_is_refused_without_its_password() {
    for value in [
        "",
        "secret",
        "postgresql://user:secret@127.0.0.1:5432/bookings",
        "postgres://user@127.0.0.1:5432/bookings",
        "postgres://user:secret@127.0.0.1/bookings",
        "postgres://user:secret@127.0.0.1:70000/bookings",
        "postgres://user:secret@127.0.0.1:5432/",
        "postgres://user:secret@127.0.0.1:5432/bookings?tls",
        "postgres://user:%73ecret@127.0.0.1:5432/bookings",
    ] {
        let wrong = read(&[("DATABASE_URL", value)]);
        assert_eq!(wrong, Err(WrongVariable::DatabaseUrl), "{value}");
    }
    assert!(!WrongVariable::DatabaseUrl.to_string().contains("secret"));
}

#[test]
fn a_secret_has_32_to_256_visible_characters() {
    for value in [
        "",
        &"s".repeat(31),
        &"s".repeat(257),
        &" ".repeat(32),
        &"é".repeat(32),
    ] {
        let wrong = read(&[("JWT_SECRET", value)]);
        assert_eq!(wrong, Err(WrongVariable::JwtSecret), "{value}");
    }
}
