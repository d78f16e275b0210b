//! The environment, read once into typed values.

use std::net::Ipv4Addr;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use crate::log::Level;

const LONGEST_WAIT_MS: u64 = 60_000;
const LONGEST_TTL_S: u64 = 86_400;
const SECRET_CHARACTERS: std::ops::RangeInclusive<usize> = 32..=256;

/// A variable that cannot be served with.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum WrongVariable {
    /// It means nothing.
    #[error("{variable} must be {expected}, not {found:?}")]
    Shown {
        /// Its name.
        variable: &'static str,
        /// What it may be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// It means nothing, and may hold a password.
    #[error("DATABASE_URL must be like postgres://user:password@127.0.0.1:5432/database")]
    DatabaseUrl,
    /// It cannot be signed with.
    #[error("JWT_SECRET must be 32 to 256 characters of visible ASCII")]
    JwtSecret,
}

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
    pub ttl_s: u64,
}

/// Everything the service is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Where it listens.
    pub host: Ipv4Addr,
    /// There; 0 lets the kernel choose.
    pub port: u16,
    /// The database.
    pub database: DatabaseConfig,
    /// The tokens.
    pub tokens: TokenConfig,
    /// The cost of a new hash, the logarithm of its rounds.
    pub password_cost: u32,
    /// What is logged.
    pub log_level: Level,
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
        let database = environment.database()?;
        let tokens = environment.tokens()?;
        environment.one_of("CLIENT_PROTOCOL", &[("h1c", ())])?;
        let levels = [
            ("warn", Level::Warn),
            ("error", Level::Error),
            ("info", Level::Info),
            ("debug", Level::Debug),
        ];
        Ok(Self {
            host,
            port,
            database,
            tokens,
            password_cost: environment.number("PASSWORD_COST", 4, 14, Some(10))?,
            log_level: environment.one_of("LOG_LEVEL", &levels)?,
        })
    }
}

struct Environment<F>(F);

impl<F: Fn(&str) -> Option<String>> Environment<F> {
    fn database(&self) -> Result<DatabaseConfig, WrongVariable> {
        let pool_size = self.number("POOL_SIZE", 1, 1000, Some(10))?;
        let pool_wait_ms = self.number("POOL_WAIT_MS", 1, LONGEST_WAIT_MS, Some(1000))?;
        let url = (self.0)("DATABASE_URL").unwrap_or_default();
        let parts = database_parts(&url).ok_or(WrongVariable::DatabaseUrl)?;
        let (user, password, host, port, name) = parts;
        Ok(DatabaseConfig {
            user: user.to_owned(),
            password: password.to_owned(),
            host: host.to_owned(),
            port,
            name: name.to_owned(),
            pool_size,
            pool_wait: Duration::from_millis(pool_wait_ms),
        })
    }

    fn tokens(&self) -> Result<TokenConfig, WrongVariable> {
        let ttl_s = self.number("JWT_TTL", 1, LONGEST_TTL_S, Some(3600))?;
        let secret = (self.0)("JWT_SECRET").unwrap_or_default();
        let is_visible = secret.bytes().all(|byte| byte.is_ascii_graphic());
        if is_visible && SECRET_CHARACTERS.contains(&secret.len()) {
            Ok(TokenConfig { secret, ttl_s })
        } else {
            Err(WrongVariable::JwtSecret)
        }
    }

    fn address(&self, name: &'static str, default: Ipv4Addr) -> Result<Ipv4Addr, WrongVariable> {
        let Some(text) = (self.0)(name) else {
            return Ok(default);
        };
        text.parse()
            .map_err(|_| self.wrong(name, "an IPv4 address"))
    }

    fn number<N>(
        &self,
        name: &'static str,
        least: N,
        most: N,
        default: Option<N>,
    ) -> Result<N, WrongVariable>
    where
        N: FromStr + Copy + PartialOrd + std::fmt::Display,
    {
        match ((self.0)(name), default) {
            (None, Some(default)) => Ok(default),
            (value, _) => value
                .and_then(|text| whole_number(&text))
                .filter(|number| (least..=most).contains(number))
                .ok_or_else(|| self.wrong(name, format!("a number from {least} to {most}"))),
        }
    }

    /// Reads a word; the first one is the default.
    fn one_of<T: Copy>(&self, name: &'static str, words: &[(&str, T)]) -> Result<T, WrongVariable> {
        let Some(value) = (self.0)(name) else {
            return Ok(words[0].1);
        };
        let meant = words.iter().find(|(word, _)| *word == value);
        meant.map(|(_, meaning)| *meaning).ok_or_else(|| {
            let words: Vec<_> = words.iter().map(|(word, _)| *word).collect();
            self.wrong(name, words.join(" or "))
        })
    }

    fn wrong(&self, variable: &'static str, expected: impl Into<String>) -> WrongVariable {
        WrongVariable::Shown {
            variable,
            expected: expected.into(),
            found: (self.0)(variable).unwrap_or_default(),
        }
    }
}

/// A number in digits alone: the parser of the language would take a sign.
fn whole_number<N: FromStr>(text: &str) -> Option<N> {
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_digits)
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
