//! The environment, read once into typed values.

use std::net::Ipv4Addr;
use std::time::Duration;

use thiserror::Error;

/// Longer than any look-up may take (`COUNTRY_TIMEOUT_MS`), and short enough to be no mistake.
const LONGEST_DELAY_MS: u16 = 60_000;

/// A variable that cannot be served with.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{variable} must be {expected}, not {found:?}")]
pub struct WrongVariable {
    variable: &'static str,
    expected: &'static str,
    found: String,
}

/// Everything the service is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    /// Where it listens.
    pub host: Ipv4Addr,
    /// There; 0 lets the kernel choose.
    pub port: u16,
    /// How long each answer is held back.
    pub delay: Duration,
}

impl Config {
    /// Reads the variables.
    ///
    /// # Errors
    /// One is missing where it is needed, or means nothing.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, WrongVariable> {
        let wrong = |name, expected| WrongVariable {
            variable: name,
            expected,
            found: variable(name).unwrap_or_default(),
        };
        let host = variable("HOST")
            .map_or(Ok(Ipv4Addr::LOCALHOST), |host| host.parse())
            .map_err(|_| wrong("HOST", "an IPv4 address"))?;
        let port = variable("PORT")
            .and_then(|port| whole_number(&port, u16::MAX))
            .ok_or_else(|| wrong("PORT", "a number from 0 to 65535"))?;
        let delay_ms = variable("DELAY_MS")
            .map_or(Some(0), |delay| whole_number(&delay, LONGEST_DELAY_MS))
            .ok_or_else(|| wrong("DELAY_MS", "a number from 0 to 60000"))?;
        if variable("LOOKUP_PROTOCOL").is_some_and(|protocol| protocol != "h1c") {
            return Err(wrong("LOOKUP_PROTOCOL", "h1c"));
        }
        Ok(Self {
            host,
            port,
            delay: Duration::from_millis(delay_ms.into()),
        })
    }
}

/// A number in digits alone: the parser of the language would take a sign.
fn whole_number(text: &str, most: u16) -> Option<u16> {
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok()?;
    (is_digits && number <= most).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Config, WrongVariable> {
        Config::read(|name| {
            variables
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn answers_are_not_delayed_unless_said() {
        let config = read(&[("PORT", "0")]).expect("a config");
        assert_eq!(config.delay, Duration::ZERO);
    }

    #[test]
    fn every_variable_is_read() {
        let variables = [
            ("PORT", "9000"),
            ("DELAY_MS", "50"),
            ("LOOKUP_PROTOCOL", "h1c"),
        ];
        let config = read(&variables).expect("a config");
        assert_eq!(config.port, 9000);
        assert_eq!(config.delay, Duration::from_millis(50));
    }

    #[test]
    fn a_wrong_variable_is_named_with_its_value() {
        for (variable, value) in [
            ("PORT", ""),
            ("PORT", "65536"),
            ("PORT", "+1"),
            ("DELAY_MS", ""),
            ("DELAY_MS", "-1"),
            ("DELAY_MS", "60001"),
            ("DELAY_MS", "5ms"),
            ("LOOKUP_PROTOCOL", ""),
            ("LOOKUP_PROTOCOL", "h2"),
        ] {
            let message = read(&[(variable, value), ("PORT", "0")])
                .expect_err("refused")
                .to_string();
            assert!(message.starts_with(&format!("{variable} must be ")));
            assert!(message.ends_with(&format!("not {value:?}")), "{message}");
        }
    }
}
