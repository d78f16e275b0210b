//! The environment, read once into typed values.

use std::net::Ipv4Addr;
use std::str::FromStr;
use std::time::Duration;

use hyper::Uri;
use hyper::http::uri::{Authority, Scheme};
use thiserror::Error;

use crate::log::Level;

const LONGEST_MS: u64 = 60_000;

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
    #[error("DATABASE_URL must be like mysql://user:password@127.0.0.1:3306/conferencedb")]
    DatabaseUrl,
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
    /// The database on it that has the table.
    pub name: String,
    /// How many connections there are.
    pub pool_size: usize,
    /// Bounds each wait: for a connection of the pool, for one to be made, for the next bytes.
    pub timeout: Duration,
}

/// In which way countries are looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// One after the other.
    Sequential,
    /// Some of them at the same time.
    Concurrent,
    /// Many with one request.
    Batched,
}

/// How the other service is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountryConfig {
    /// Host and port.
    pub authority: Authority,
    /// Bounds one attempt.
    pub timeout: Duration,
    /// How many connections there are at most.
    pub connections: usize,
    /// The way.
    pub strategy: Strategy,
    /// How many look-ups of a request are in flight, if concurrent.
    pub width: usize,
    /// How many names a batch has, if batched.
    pub batch_size: usize,
    /// How many further attempts a look-up has.
    pub retries: u32,
    /// The pause before each of them.
    pub retry_interval: Duration,
    /// Whether nothing is sent for a while after many failures.
    pub has_breaker: bool,
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
    /// The other service.
    pub country: CountryConfig,
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
        let country = environment.country()?;
        environment.one_of("CLIENT_PROTOCOL", &[("h1c", ())])?;
        environment.one_of("LOOKUP_PROTOCOL", &[("h1c", ())])?;
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
            country,
            log_level: environment.one_of("LOG_LEVEL", &levels)?,
        })
    }
}

struct Environment<F>(F);

impl<F: Fn(&str) -> Option<String>> Environment<F> {
    fn database(&self) -> Result<DatabaseConfig, WrongVariable> {
        let pool_size = self.number("POOL_SIZE", 1, 1000, Some(10))?;
        let timeout = self.milliseconds("DB_TIMEOUT_MS", 1, 1000)?;
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
            timeout,
        })
    }

    fn country(&self) -> Result<CountryConfig, WrongVariable> {
        let url = (self.0)("COUNTRY_URL").unwrap_or_default();
        let authority = authority(&url)
            .ok_or_else(|| self.wrong("COUNTRY_URL", "like http://127.0.0.1:9000"))?;
        let strategies = [
            ("sequential", Strategy::Sequential),
            ("concurrent", Strategy::Concurrent),
            ("batched", Strategy::Batched),
        ];
        Ok(CountryConfig {
            authority,
            timeout: self.milliseconds("COUNTRY_TIMEOUT_MS", 1, 2000)?,
            connections: self.number("COUNTRY_CONNECTIONS", 1, 1000, Some(64))?,
            strategy: self.one_of("STRATEGY", &strategies)?,
            width: self.number("WIDTH", 1, 1000, Some(8))?,
            batch_size: self.number("BATCH_SIZE", 1, 1000, Some(100))?,
            retries: self.number("RETRIES", 0, 10, Some(0))?,
            retry_interval: self.milliseconds("RETRY_INTERVAL_MS", 0, 100)?,
            has_breaker: self.one_of("BREAKER", &[("off", false), ("on", true)])?,
        })
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

    fn milliseconds(
        &self,
        name: &'static str,
        least: u64,
        default: u64,
    ) -> Result<Duration, WrongVariable> {
        self.number(name, least, LONGEST_MS, Some(default))
            .map(Duration::from_millis)
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
pub fn whole_number<N: FromStr>(text: &str) -> Option<N> {
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_digits)
}

/// User, password, host, port and database of a URL without escapes.
fn database_parts(url: &str) -> Option<(&str, &str, &str, u16, &str)> {
    let (log_in, place) = url.strip_prefix("mysql://")?.split_once('@')?;
    let (user, password) = log_in.split_once(':')?;
    let (address, name) = place.split_once('/')?;
    let (host, port) = address.split_once(':')?;
    let port = whole_number(port).filter(|&port: &u16| port != 0)?;
    let is_plain =
        !url.contains('%') && !log_in.contains('/') && !name.contains(['/', '?', '#', '@']);
    let is_whole = is_plain && ![user, host, name].contains(&"");
    is_whole.then_some((user, password, host, port, name))
}

/// The authority of a URL that is a scheme and an authority, and nothing that would be lost.
fn authority(url: &str) -> Option<Authority> {
    let parts = url.parse::<Uri>().ok()?.into_parts();
    let is_origin = parts.scheme == Some(Scheme::HTTP)
        && parts.path_and_query.is_none_or(|path| path.as_str() == "/");
    let authority = parts.authority.filter(|_| is_origin)?;
    (!authority.host().is_empty() && !authority.as_str().contains('@')).then_some(authority)
}

#[cfg(test)]
mod tests;
