//! What the environment means.

use super::*;

const LEAST: [(&str, &str); 3] = [
    ("PORT", "0"),
    (
        "DATABASE_URL",
        "mysql://user:secret@127.0.0.1:3306/conferencedb",
    ),
    ("COUNTRY_URL", "http://127.0.0.1:9000/"),
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
            port: 3306,
            name: "conferencedb".to_owned(),
            pool_size: 10,
            timeout: Duration::from_secs(1),
        },
        country: CountryConfig {
            authority: Authority::from_static("127.0.0.1:9000"),
            timeout: Duration::from_secs(2),
            connections: 64,
            strategy: Strategy::Sequential,
            width: 8,
            batch_size: 100,
            retries: 0,
            retry_interval: Duration::from_millis(100),
            has_breaker: false,
        },
        log_level: Level::Warn,
    };
    assert_eq!(read(&[]), Ok(expected));
}

#[test]
fn every_variable_is_read() {
    let config = read(&[
        ("PORT", "9090"),
        ("POOL_SIZE", "1000"),
        ("DB_TIMEOUT_MS", "300"),
        ("COUNTRY_TIMEOUT_MS", "1"),
        ("COUNTRY_CONNECTIONS", "5"),
        ("STRATEGY", "batched"),
        ("WIDTH", "2"),
        ("BATCH_SIZE", "7"),
        ("RETRIES", "3"),
        ("RETRY_INTERVAL_MS", "0"),
        ("BREAKER", "on"),
        ("LOG_LEVEL", "debug"),
    ])
    .expect("a config");
    let country = CountryConfig {
        authority: Authority::from_static("127.0.0.1:9000"),
        timeout: Duration::from_millis(1),
        connections: 5,
        strategy: Strategy::Batched,
        width: 2,
        batch_size: 7,
        retries: 3,
        retry_interval: Duration::ZERO,
        has_breaker: true,
    };
    assert_eq!(config.country, country);
    assert_eq!(config.port, 9090);
    assert_eq!(config.database.pool_size, 1000);
    assert_eq!(config.database.timeout, Duration::from_millis(300));
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
        ("DB_TIMEOUT_MS", "60001"),
        ("RETRIES", "11"),
        ("WIDTH", ""),
        ("COUNTRY_URL", "127.0.0.1:9000"),
        ("COUNTRY_URL", "https://127.0.0.1:9000"),
        ("COUNTRY_URL", "http://127.0.0.1:9000/path"),
        ("COUNTRY_URL", "http://user@127.0.0.1:9000"),
        ("STRATEGY", "parallel"),
        ("BREAKER", ""),
        ("CLIENT_PROTOCOL", "h2"),
        ("LOG_LEVEL", "WARN"),
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
        "http://user:secret@127.0.0.1:3306/conferencedb",
        "mysql://user@127.0.0.1:3306/conferencedb",
        "mysql://user:secret@127.0.0.1/conferencedb",
        "mysql://user:secret@127.0.0.1:70000/conferencedb",
        "mysql://user:secret@127.0.0.1:3306/",
        "mysql://user:secret@127.0.0.1:3306/conferencedb?tls",
        "mysql://user:%73ecret@127.0.0.1:3306/conferencedb",
    ] {
        let wrong = read(&[("DATABASE_URL", value)]);
        assert_eq!(wrong, Err(WrongVariable::DatabaseUrl), "{value}");
    }
    assert!(!WrongVariable::DatabaseUrl.to_string().contains("secret"));
}
