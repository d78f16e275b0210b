//! What the environment means.

use super::*;

const LEAST: [(&str, &str); 3] = [
    ("PORT", "0"),
    ("STATIC_INSTANCES", "users=http://127.0.0.1:8090"),
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

fn refusal(set: &[(&str, &str)]) -> String {
    read(set).expect_err("refused").to_string()
}

#[test]
fn what_is_not_set_has_its_default() {
    let expected = Config {
        host: Ipv4Addr::LOCALHOST,
        port: 0,
        client: ClientLeg {
            speaks: Protocol::H1c,
            certificate: None,
        },
        upstream: UpstreamLeg {
            speaks: Protocol::H1c,
            trust: None,
            answer_limit: Duration::from_secs(5),
        },
        finding: Finding::Static(vec![Authority::from_static("127.0.0.1:8090")]),
        secret: LEAST[2].1.to_owned(),
        origin: None,
    };
    assert_eq!(read(&[]), Ok(expected));
}

#[test]
fn every_variable_is_read() {
    let config = read(&[
        ("PORT", "9090"),
        ("CLIENT_PROTOCOL", "h2"),
        ("UPSTREAM_PROTOCOL", "h1"),
        ("DISCOVERY_PROTOCOL", "h1c"),
        ("TLS_CERT", "chain.pem"),
        ("TLS_KEY", "key.pem"),
        ("TLS_CA", "authority.pem"),
        ("UPSTREAM_TIMEOUT_MS", "60000"),
        ("REGISTRY", "eureka"),
        ("REGISTRY_URL", "http://127.0.0.1:8761"),
        ("ALLOWED_ORIGIN", "https://park.example"),
    ])
    .expect("a config");
    let files = CertificateFiles {
        chain: "chain.pem".into(),
        key: "key.pem".into(),
    };
    assert_eq!(config.port, 9090);
    assert_eq!(
        (config.client.speaks, config.client.certificate),
        (Protocol::H2, Some(files))
    );
    assert_eq!(config.upstream.speaks, Protocol::H1);
    assert_eq!(config.upstream.trust, Some("authority.pem".into()));
    assert_eq!(config.upstream.answer_limit, Duration::from_mins(1));
    let registry = Authority::from_static("127.0.0.1:8761");
    assert_eq!(config.finding, Finding::Eureka(registry));
    assert_eq!(
        config.origin,
        Some(HeaderValue::from_static("https://park.example"))
    );
}

#[test]
fn a_wrong_variable_is_named_with_its_value() {
    for (name, value) in [
        ("PORT", ""),
        ("PORT", "+1"),
        ("PORT", "65536"),
        ("CLIENT_PROTOCOL", "http"),
        ("UPSTREAM_PROTOCOL", ""),
        ("DISCOVERY_PROTOCOL", "h2"),
        ("UPSTREAM_TIMEOUT_MS", "0"),
        ("UPSTREAM_TIMEOUT_MS", "60001"),
        ("UPSTREAM_TIMEOUT_MS", "1s"),
        ("REGISTRY", "consul"),
        ("REGISTRY_URL", ""),
        ("TLS_CA", ""),
        ("ALLOWED_ORIGIN", ""),
        ("ALLOWED_ORIGIN", "park.example"),
        ("ALLOWED_ORIGIN", "https://park.example/"),
        ("ALLOWED_ORIGIN", "https://"),
        ("STATIC_INSTANCES", ""),
        ("STATIC_INSTANCES", "users="),
        ("STATIC_INSTANCES", "parks=http://127.0.0.1:1"),
        ("STATIC_INSTANCES", "users=http://127.0.0.1:1,"),
        ("STATIC_INSTANCES", "users=https://127.0.0.1:1"),
        ("STATIC_INSTANCES", "users=http://127.0.0.1:1/path"),
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
fn there_are_16_instances_at_most() {
    let many = |count: u16| {
        let urls: Vec<_> = (1..=count)
            .map(|port| format!("http://127.0.0.1:{port}"))
            .collect();
        format!("users={}", urls.join(","))
    };
    let config = read(&[("STATIC_INSTANCES", &many(16))]).expect("a config");
    assert!(matches!(config.finding, Finding::Static(found) if found.len() == 16));
    let refusal = refusal(&[("STATIC_INSTANCES", &many(17))]);
    assert!(
        refusal.starts_with("STATIC_INSTANCES must be "),
        "{refusal}"
    );
}

#[test]
fn a_secret_is_refused_without_its_value() {
    let long = "secret--".repeat(33);
    for value in [
        "",
        "secret-of-31-visible-characters",
        "secret with blanks in 33 characters",
        &long,
    ] {
        let refusal = refusal(&[("JWT_SECRET", value)]);
        assert!(refusal.starts_with("JWT_SECRET must be "), "{refusal}");
        assert!(!refusal.contains("secret"), "{refusal}");
    }
}
