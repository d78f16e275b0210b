//! The environment, read once into typed values. Opens no file.

use std::fmt::Display;
use std::net::Ipv4Addr;
use std::path::PathBuf;

use hyper::http::uri::Authority;
use hyper::{Uri, http::uri::Scheme};
use thiserror::Error;

/// A variable that cannot be served with.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{variable} must be {expected}, not {found}")]
pub struct WrongVariable {
    variable: &'static str,
    expected: &'static str,
    found: String,
}

impl WrongVariable {
    /// Names the variable, what it should be, and what it is.
    pub fn new(variable: &'static str, expected: &'static str, found: impl Display) -> Self {
        Self {
            variable,
            expected,
            found: found.to_string(),
        }
    }
}

/// What one leg speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// HTTP/1.1 in cleartext.
    H1c,
    /// HTTP/1.1 over TLS.
    H1,
    /// HTTP/2 in cleartext, by prior knowledge.
    H2c,
    /// HTTP/2 over TLS.
    H2,
    /// Both are offered over TLS; the other side is expected to have only HTTP/1.1.
    H2Downgrade,
}

impl Protocol {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "" | "h1c" => Self::H1c,
            "h1" => Self::H1,
            "h2c" => Self::H2c,
            "h2" => Self::H2,
            "h2-downgrade" => Self::H2Downgrade,
            _ => return None,
        })
    }

    /// Whether the leg is encrypted.
    pub fn is_tls(self) -> bool {
        matches!(self, Self::H1 | Self::H2 | Self::H2Downgrade)
    }

    /// Whether nothing but HTTP/2 is spoken.
    pub fn is_http2(self) -> bool {
        matches!(self, Self::H2c | Self::H2)
    }
}

/// Where the certificate that callers are shown is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateFiles {
    /// `TLS_CERT`: the chain.
    pub chain: PathBuf,
    /// `TLS_KEY`: its key.
    pub key: PathBuf,
}

/// How callers come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientLeg {
    /// What they speak.
    pub protocol: Protocol,
    /// There is one where they come over TLS.
    pub certificate: Option<CertificateFiles>,
}

/// How the upstream is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpstreamLeg {
    /// What it speaks.
    pub protocol: Protocol,
    /// Host and port.
    pub authority: Authority,
    /// `TLS_CA`, where the leg is over TLS: who may vouch for it.
    pub trust: Option<PathBuf>,
}

/// Everything a gateway is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Where it listens.
    pub host: Ipv4Addr,
    /// There; 0 lets the kernel choose.
    pub port: u16,
    /// The hop to the gateway.
    pub client: ClientLeg,
    /// The hop from it.
    pub upstream: UpstreamLeg,
}

impl Config {
    /// Reads the variables that every stack takes.
    ///
    /// # Errors
    /// A variable is missing where it is needed, or means nothing.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, WrongVariable> {
        let text = |name| variable(name).unwrap_or_default();
        let protocol = |name| {
            Protocol::named(&text(name)).ok_or_else(|| {
                WrongVariable::new(
                    name,
                    "h1c, h1, h2c, h2 or h2-downgrade",
                    format_args!("{:?}", text(name)),
                )
            })
        };
        let file = |name| match variable(name) {
            Some(path) if !path.is_empty() => Ok(PathBuf::from(path)),
            _ => Err(WrongVariable::new(name, "a PEM file", "\"\"")),
        };
        let host = variable("HOST").map_or(Ok(Ipv4Addr::LOCALHOST), |host| {
            host.parse().map_err(|_| {
                WrongVariable::new("HOST", "an IPv4 address", format_args!("{host:?}"))
            })
        })?;
        let port = text("PORT");
        let port = port.parse().map_err(|_| {
            WrongVariable::new("PORT", "a number from 0 to 65535", format_args!("{port:?}"))
        })?;
        let client = protocol("CLIENT_PROTOCOL")?;
        let upstream = protocol("UPSTREAM_PROTOCOL")?;
        let url = text("UPSTREAM_URL");
        let authority = authority(&url, upstream).ok_or_else(|| {
            let expected = if upstream.is_tls() {
                "like https://127.0.0.1:8688"
            } else {
                "like http://127.0.0.1:8688"
            };
            WrongVariable::new("UPSTREAM_URL", expected, format_args!("{url:?}"))
        })?;
        let certificate = if client.is_tls() {
            Some(CertificateFiles {
                chain: file("TLS_CERT")?,
                key: file("TLS_KEY")?,
            })
        } else {
            None
        };
        let trust = upstream.is_tls().then(|| file("TLS_CA")).transpose()?;
        Ok(Self {
            host,
            port,
            client: ClientLeg {
                protocol: client,
                certificate,
            },
            upstream: UpstreamLeg {
                protocol: upstream,
                authority,
                trust,
            },
        })
    }
}

/// The authority of a URL that is a scheme and an authority, and nothing that would be lost.
fn authority(url: &str, protocol: Protocol) -> Option<Authority> {
    let parts = url.parse::<Uri>().ok()?.into_parts();
    let scheme = if protocol.is_tls() {
        Scheme::HTTPS
    } else {
        Scheme::HTTP
    };
    let is_origin = parts.scheme == Some(scheme)
        && parts.path_and_query.is_none_or(|path| path.as_str() == "/");
    let authority = parts.authority.filter(|_| is_origin)?;
    (!authority.host().is_empty() && !authority.as_str().contains('@')).then_some(authority)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Config, WrongVariable> {
        Config::read(|name| {
            variables
                .iter()
                .rev()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value).to_owned())
        })
    }

    const LEAST: [(&str, &str); 2] = [("PORT", "0"), ("UPSTREAM_URL", "http://127.0.0.1:1")];

    #[test]
    fn both_legs_are_cleartext_http_1_unless_said() {
        let config = read(&LEAST).expect("a config");
        assert_eq!(config.client.protocol, Protocol::H1c);
        assert_eq!(config.client.certificate, None);
        assert_eq!(config.upstream.protocol, Protocol::H1c);
        assert_eq!(config.upstream.authority, "127.0.0.1:1");
    }

    #[test]
    fn a_leg_over_tls_has_its_files() {
        let config = read(&[
            ("PORT", "9090"),
            ("UPSTREAM_URL", "https://localhost:8688/"),
            ("CLIENT_PROTOCOL", "h2-downgrade"),
            ("UPSTREAM_PROTOCOL", "h2"),
            ("TLS_CERT", "chain.pem"),
            ("TLS_KEY", "key.pem"),
            ("TLS_CA", "authority.pem"),
        ])
        .expect("a config");
        let certificate = config.client.certificate.expect("a certificate");
        assert_eq!(certificate.chain, PathBuf::from("chain.pem"));
        assert_eq!(certificate.key, PathBuf::from("key.pem"));
        assert_eq!(config.upstream.trust, Some(PathBuf::from("authority.pem")));
    }

    #[test]
    fn a_wrong_variable_is_named_with_its_value() {
        for (variable, value) in [
            ("PORT", ""),
            ("PORT", "65536"),
            ("UPSTREAM_URL", ""),
            ("UPSTREAM_URL", "127.0.0.1:1"),
            ("UPSTREAM_URL", "https://127.0.0.1:1"),
            ("UPSTREAM_URL", "http://127.0.0.1:1/path"),
            ("UPSTREAM_URL", "http://127.0.0.1:1/?query"),
            ("UPSTREAM_URL", "http://user@127.0.0.1:1"),
            ("CLIENT_PROTOCOL", "H1"),
            ("UPSTREAM_PROTOCOL", "h3"),
        ] {
            let mut variables = LEAST.to_vec();
            variables.push((variable, value));
            let message = read(&variables).expect_err("refused").to_string();
            assert!(message.starts_with(&format!("{variable} must be ")));
            assert!(message.ends_with(&format!("not {value:?}")), "{message}");
        }
    }

    #[test]
    fn a_file_that_is_needed_and_not_named_is_refused() {
        for (protocol, missing) in [
            ("CLIENT_PROTOCOL", "TLS_CERT"),
            ("UPSTREAM_PROTOCOL", "TLS_CA"),
        ] {
            let url = if missing == "TLS_CA" {
                "https://[::1]:1"
            } else {
                "http://[::1]:1"
            };
            let variables = [("PORT", "0"), ("UPSTREAM_URL", url), (protocol, "h1")];
            let message = read(&variables).expect_err("refused").to_string();
            assert_eq!(message, format!("{missing} must be a PEM file, not \"\""));
        }
    }
}
