//! What was really spoken, whatever the plan asked for.

use schemars::JsonSchema;
use serde::Serialize;

use crate::protocol::tls::Agreed;

/// Versions as they were seen first; null: not spoken, or nothing came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Spoken {
    /// `1.0`, `1.1` or `2`, as the first response said.
    pub http: Option<&'static str>,
    /// What ALPN chose.
    pub alpn: Option<&'static str>,
    /// `1.2` or `1.3`.
    pub tls_version: Option<&'static str>,
    /// By its registered name, such as `TLS_AES_256_GCM_SHA384`.
    pub cipher_suite: Option<&'static str>,
}

impl Spoken {
    /// A response came in this version.
    pub fn http(&mut self, version: &'static str) {
        self.http.get_or_insert(version);
    }

    /// A handshake agreed on this.
    pub fn tls(&mut self, agreed: &Agreed) {
        if self.tls_version.is_none() {
            self.alpn = agreed.alpn.map(crate::protocol::tls::Alpn::as_str);
            self.tls_version = agreed.version;
            self.cipher_suite = agreed.cipher_suite;
        }
    }

    /// Takes over what another worker saw, where this one saw nothing.
    pub fn or(self, other: &Self) -> Self {
        Self {
            http: self.http.or(other.http),
            alpn: self.alpn.or(other.alpn),
            tls_version: self.tls_version.or(other.tls_version),
            cipher_suite: self.cipher_suite.or(other.cipher_suite),
        }
    }
}
