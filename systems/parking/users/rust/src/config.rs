//! The environment, read once into typed values. Opens no file.

use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::time::Duration;

use axum::http::uri::Authority;

use crate::environment::{Environment, WrongVariable, whole_number};
use crate::protocol::Protocol;

const POOL_WAIT: Duration = Duration::from_secs(1);

/// How the database is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseConfig {
    /// Who logs in.
    pub user: String,
    /// By what.
    pub password: String,
    /// The name or address of its machine.
    pub host: String,
    /// Its port there.
    pub port: u16,
    /// The database on it that has the tables.
    pub name: String,
    /// How many connections there are.
    pub pool_size: usize,
    /// Bounds the wait for one of them.
    pub pool_wait: Duration,
}

/// How tokens are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenConfig {
    /// The key of the signatures.
    pub secret: String,
    /// How long one is valid, in seconds.
    pub lifetime_s: i64,
}

/// Where the certificate that callers are shown is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateFiles {
    /// `TLS_CERT`: the chain.
    pub chain: PathBuf,
    /// `TLS_KEY`: its key.
    pub key: PathBuf,
}

/// Everything the service is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Where it listens.
    pub host: Ipv4Addr,
    /// There; 0 lets the kernel choose.
    pub port: u16,
    /// What callers speak.
    pub speaks: Protocol,
    /// There is one where they come over TLS.
    pub certificate: Option<CertificateFiles>,
    /// The database.
    pub database: DatabaseConfig,
    /// The tokens.
    pub tokens: TokenConfig,
    /// What other services send.
    pub internal_key: String,
    /// The registry to register at, where there is one.
    pub registry: Option<Authority>,
}

impl Config {
    /// Reads the variables that every stack takes.
    ///
    /// # Errors
    /// One is missing where it is needed, or means nothing.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, WrongVariable> {
        let environment = Environment(variable);
        let host = environment.address("HOST", Ipv4Addr::LOCALHOST)?;
        let port = environment.number("PORT", 0, 65_535, None)?;
        let speaks = environment.one_of("UPSTREAM_PROTOCOL", &Protocol::WORDS)?;
        let database = database(&environment)?;
        let tokens = TokenConfig {
            lifetime_s: environment.number("TOKEN_SECONDS", 1, 86_400, Some(600))?,
            secret: environment.secret("JWT_SECRET", 32, 256)?,
        };
        let internal_key = environment.secret("INTERNAL_KEY", 16, 256)?;
        let is_registered =
            environment.one_of("REGISTRY", &[("static", false), ("eureka", true)])?;
        let registry = is_registered.then(|| environment.http_authority("REGISTRY_URL"));
        environment.one_of("DISCOVERY_PROTOCOL", &[("h1c", ())])?;
        let files = || {
            Ok(CertificateFiles {
                chain: environment.file("TLS_CERT")?,
                key: environment.file("TLS_KEY")?,
            })
        };
        let certificate = speaks.is_tls().then(files).transpose()?;
        environment.refuse_empty(&["TLS_CERT", "TLS_KEY", "REGISTRY_URL"])?;
        Ok(Self {
            host,
            port,
            speaks,
            certificate,
            database,
            tokens,
            internal_key,
            registry: registry.transpose()?,
        })
    }
}

fn database(
    environment: &Environment<impl Fn(&str) -> Option<String>>,
) -> Result<DatabaseConfig, WrongVariable> {
    let pool_size = environment.number("POOL_SIZE", 1, 1000, Some(10))?;
    let url = environment.text("DATABASE_URL");
    let (user, password, host, port, name) =
        database_parts(&url).ok_or_else(|| WrongVariable::Hidden {
            variable: "DATABASE_URL",
            expected: "like postgres://user:password@127.0.0.1:5432/park".to_owned(),
        })?;
    Ok(DatabaseConfig {
        user: user.to_owned(),
        password: password.to_owned(),
        host: host.to_owned(),
        port,
        name: name.to_owned(),
        pool_size,
        pool_wait: POOL_WAIT,
    })
}

/// User, password, host, port and database of a URL without escapes.
fn database_parts(url: &str) -> Option<(&str, &str, &str, u16, &str)> {
    let (log_in, place) = url.strip_prefix("postgres://")?.split_once('@')?;
    let (user, password) = log_in.split_once(':')?;
    let (address, name) = place.split_once('/')?;
    let (host, port) = address.split_once(':')?;
    let port = whole_number(port).filter(|&port: &u16| port != 0)?;
    let is_plain =
        !url.contains('%') && !log_in.contains('/') && !name.contains(['/', '?', '#', '@']);
    let is_whole = is_plain && ![user, host, name].contains(&"");
    is_whole.then_some((user, password, host, port, name))
}

#[cfg(test)]
mod tests;
