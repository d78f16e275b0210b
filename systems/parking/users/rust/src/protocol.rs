//! What a leg speaks, in the words of the SPEC.

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
}

impl Protocol {
    /// All, by their words; the first one is the default.
    pub const WORDS: [(&'static str, Self); 4] = [
        ("h1c", Self::H1c),
        ("h1", Self::H1),
        ("h2c", Self::H2c),
        ("h2", Self::H2),
    ];

    /// Whether the leg is encrypted.
    pub fn is_tls(self) -> bool {
        matches!(self, Self::H1 | Self::H2)
    }

    /// Whether nothing but HTTP/2 is spoken.
    pub fn is_http2(self) -> bool {
        matches!(self, Self::H2c | Self::H2)
    }
}
