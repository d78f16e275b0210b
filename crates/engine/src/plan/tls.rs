//! How TLS is spoken, as it stands in JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How TLS is spoken.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tls {
    /// Whether the server's certificate is verified.
    #[serde(default = "yes")]
    pub verify: bool,
    /// Roots to verify by, as PEM text; null: those of Mozilla.
    #[serde(default)]
    pub roots_pem: Option<String>,
    /// The only version that is offered; null: 1.2 and 1.3.
    #[serde(default)]
    pub version: Option<TlsVersion>,
    /// The only cipher suite that is offered, one of TLS 1.3; null: all that the library has.
    #[serde(default)]
    pub cipher_suite: Option<CipherSuite>,
    /// Share of connections that ask to resume an earlier session, from 0 to 1.
    #[serde(default)]
    pub resumed_share: f64,
}

impl Default for Tls {
    fn default() -> Self {
        Self {
            verify: true,
            roots_pem: None,
            version: None,
            cipher_suite: None,
            resumed_share: 0.0,
        }
    }
}

fn yes() -> bool {
    true
}

/// A version of TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub enum TlsVersion {
    /// RFC 5246.
    #[serde(rename = "1.2")]
    V1_2,
    /// RFC 8446.
    #[serde(rename = "1.3")]
    V1_3,
}

/// A cipher suite of TLS 1.3 (RFC 8446, B.4), by its registered name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub enum CipherSuite {
    /// The one that every implementation must have.
    #[serde(rename = "TLS_AES_128_GCM_SHA256")]
    Aes128,
    /// AES with longer keys.
    #[serde(rename = "TLS_AES_256_GCM_SHA384")]
    Aes256,
    /// For machines without instructions for AES.
    #[serde(rename = "TLS_CHACHA20_POLY1305_SHA256")]
    ChaCha20,
}
