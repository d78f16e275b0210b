//! The command line, parsed once into typed values.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use crate::echo::Settings;

/// Answer any HTTP request with its own body
///
/// Example: loadstone-echo --listen 127.0.0.1:8688 --delay 30ms
#[derive(Debug, clap::Parser)]
#[command(version)]
pub struct Arguments {
    /// Address to listen on; port 0 lets the kernel choose, and the line on stdout names it
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    pub listen: SocketAddr,

    /// What is spoken: HTTP/1.1 (h1) or HTTP/2 (h2), over TLS or in cleartext (h1c, h2c)
    #[arg(long, value_name = "PROTOCOL", default_value = "h1c")]
    pub protocol: Protocol,

    /// The server's certificate and its chain, in PEM; for h1 and h2
    #[arg(long, value_name = "FILE", requires = "tls_key", required_if_eq_any([("protocol", "h1"), ("protocol", "h2")]))]
    pub tls_certificate: Option<PathBuf>,

    /// The private key of the certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    pub tls_key: Option<PathBuf>,

    /// Time between the end of a request and its answer: a whole number of ms or s
    #[arg(long, value_name = "DURATION", default_value = "0ms", value_parser = parse_delay)]
    pub delay: Duration,

    /// Largest request body that is echoed, in bytes; a larger one is answered 413
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 20)]
    pub max_body_bytes: usize,
}

/// What one connection speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Protocol {
    /// HTTP/1.1 in cleartext.
    H1c,
    /// HTTP/1.1 over TLS.
    H1,
    /// HTTP/2 in cleartext, by prior knowledge.
    H2c,
    /// HTTP/2 over TLS.
    H2,
}

impl Protocol {
    /// Whether requests are HTTP/2 streams.
    pub fn is_http2(self) -> bool {
        matches!(self, Self::H2c | Self::H2)
    }

    /// Its name in ALPN (RFC 7301); none: it does not run over TLS.
    pub fn alpn(self) -> Option<&'static [u8]> {
        match self {
            Self::H1c | Self::H2c => None,
            Self::H1 => Some(b"http/1.1"),
            Self::H2 => Some(b"h2"),
        }
    }
}

/// A certificate is given to a protocol that has no use for it.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("--tls-certificate needs --protocol h1 or h2: the other protocols are cleartext")]
pub struct CleartextError;

impl Arguments {
    /// What the handler needs of them.
    pub fn settings(&self) -> Settings {
        Settings {
            delay: self.delay,
            max_body_bytes: self.max_body_bytes,
        }
    }
}

#[derive(Debug, Error, PartialEq, Eq)]
#[error("`{0}` is not a delay: give a whole number and its unit, such as 30ms or 1s")]
struct DelayError(String);

fn parse_delay(text: &str) -> Result<Duration, DelayError> {
    // `ms` first, because it ends in `s` too.
    let parsed = if let Some(number) = text.strip_suffix("ms") {
        number.parse().ok().map(Duration::from_millis)
    } else if let Some(number) = text.strip_suffix('s') {
        number.parse().ok().map(Duration::from_secs)
    } else {
        None
    };
    parsed.ok_or_else(|| DelayError(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_delay_without_a_unit_is_refused() {
        for text in ["", "30", "ms", "s", "1.5s", "-1ms", "30 ms", "1m"] {
            assert_eq!(parse_delay(text), Err(DelayError(text.to_owned())));
        }
    }

    proptest! {
        #[test]
        fn any_whole_number_of_either_unit_is_read_back(number in any::<u64>()) {
            prop_assert_eq!(parse_delay(&format!("{number}ms")), Ok(Duration::from_millis(number)));
            prop_assert_eq!(parse_delay(&format!("{number}s")), Ok(Duration::from_secs(number)));
        }

        #[test]
        fn any_text_is_read_or_refused_with_that_text(text in ".*") {
            if let Err(error) = parse_delay(&text) {
                prop_assert!(error.to_string().contains(&text));
            }
        }
    }
}
