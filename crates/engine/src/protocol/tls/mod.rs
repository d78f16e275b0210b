//! TLS over one connection: ciphertext in, plaintext out, and the other way, without a socket.
//!
//! rustls does the cryptography and the protocol. Left out: client certificates, early data,
//! and key updates that the engine would begin itself.

mod settings;
mod tickets;

pub use settings::{TlsClient, TlsError, TlsSettings};

use rustls::{CipherSuite, ClientConnection, HandshakeKind, ProtocolVersion};
use std::io::{BufRead, Write};

/// Plaintext is handed to TLS in pieces of a few records, so that little is held twice.
const RECORDS_PER_WRITE_BYTES: usize = 65_536;

/// What was agreed in a handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreed {
    /// `1.2` or `1.3`.
    pub version: Option<&'static str>,
    /// By its registered name, such as `TLS_AES_256_GCM_SHA384`.
    pub cipher_suite: Option<&'static str>,
    /// What ALPN chose.
    pub alpn: Option<Alpn>,
    /// Whether an earlier session was resumed.
    pub resumed: bool,
}

/// The name in IANA's registry; the library has one of its own for those of TLS 1.3.
fn registered_name(suite: CipherSuite) -> Option<&'static str> {
    match suite {
        CipherSuite::TLS13_AES_128_GCM_SHA256 => Some("TLS_AES_128_GCM_SHA256"),
        CipherSuite::TLS13_AES_256_GCM_SHA384 => Some("TLS_AES_256_GCM_SHA384"),
        CipherSuite::TLS13_CHACHA20_POLY1305_SHA256 => Some("TLS_CHACHA20_POLY1305_SHA256"),
        suite => suite.as_str(),
    }
}

/// What ALPN chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alpn {
    /// `http/1.1`.
    Http1,
    /// `h2`.
    Http2,
    /// Something that was not offered.
    Other,
}

impl Alpn {
    /// As the protocol is registered.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http1 => "http/1.1",
            Self::Http2 => "h2",
            Self::Other => "another protocol",
        }
    }
}

/// The TLS state of one connection, with the ciphertext that the kernel has not taken yet.
#[derive(Debug)]
pub struct Tls {
    connection: ClientConnection,
    ciphertext: Vec<u8>,
    taken: usize,
    closed_cleanly: bool,
}

impl Tls {
    fn new(connection: ClientConnection) -> Self {
        Self {
            connection,
            ciphertext: Vec::new(),
            taken: 0,
            closed_cleanly: false,
        }
    }

    /// Whether the handshake goes on.
    #[must_use]
    pub fn is_handshaking(&self) -> bool {
        self.connection.is_handshaking()
    }

    /// Whether the peer said that it sends no more, so that the end of the stream is no truncation.
    #[must_use]
    pub fn is_closed_cleanly(&self) -> bool {
        self.closed_cleanly
    }

    /// What was agreed; of use after the handshake.
    #[must_use]
    pub fn agreed(&self) -> Agreed {
        let version = match self.connection.protocol_version() {
            Some(ProtocolVersion::TLSv1_2) => Some("1.2"),
            Some(ProtocolVersion::TLSv1_3) => Some("1.3"),
            _ => None,
        };
        let suite = self.connection.negotiated_cipher_suite();
        Agreed {
            version,
            cipher_suite: suite.and_then(|suite| registered_name(suite.suite())),
            alpn: self.connection.alpn_protocol().map(|name| match name {
                b"http/1.1" => Alpn::Http1,
                b"h2" => Alpn::Http2,
                _ => Alpn::Other,
            }),
            resumed: self.connection.handshake_kind() == Some(HandshakeKind::Resumed),
        }
    }

    /// Reads ciphertext that came, all of it, and hands over the plaintext that it makes.
    ///
    /// `on_plaintext` returns whether it wants more; the rest is dropped if it does not. What TLS
    /// answers by itself (handshake, alerts) waits in `pending`.
    ///
    /// # Errors
    /// If the peer breaks TLS, alerts, or shows a certificate that is not accepted.
    pub fn read(
        &mut self,
        mut bytes: &[u8],
        mut on_plaintext: impl FnMut(&[u8]) -> bool,
    ) -> Result<(), TlsError> {
        // After its farewell nothing is read: the library would take no byte more, without end.
        while !bytes.is_empty() && !self.closed_cleanly {
            let state = self
                .connection
                .read_tls(&mut bytes)
                .map_err(|_| TlsError::Buffer)
                .and_then(|_| Ok(self.connection.process_new_packets()?));
            // Also after an error: the alert that tells the peer waits there.
            self.collect();
            let state = state?;
            self.closed_cleanly |= state.peer_has_closed();
            let mut left = state.plaintext_bytes_to_read();
            while left > 0 {
                let mut reader = self.connection.reader();
                let Ok(chunk) = reader.fill_buf() else {
                    break;
                };
                let length = chunk.len();
                if length == 0 || !on_plaintext(chunk) {
                    return Ok(());
                }
                reader.consume(length);
                left = left.saturating_sub(length);
            }
        }
        Ok(())
    }

    /// Encrypts plaintext and returns how much it took, at most a few records.
    pub fn write(&mut self, plaintext: &[u8]) -> usize {
        let piece = &plaintext[..plaintext.len().min(RECORDS_PER_WRITE_BYTES)];
        // Writing to memory cannot fail; the buffer's limit is lifted where the connection is made.
        let taken = self.connection.writer().write(piece).unwrap_or_default();
        self.collect();
        taken
    }

    /// Ciphertext that the kernel has not taken.
    #[must_use]
    pub fn pending(&self) -> &[u8] {
        &self.ciphertext[self.taken..]
    }

    /// The kernel took so much of `pending`.
    pub fn took(&mut self, count: usize) {
        self.taken += count;
        if self.taken == self.ciphertext.len() {
            self.ciphertext.clear();
            self.taken = 0;
        }
    }

    /// Says that no more is sent.
    pub fn close(&mut self) {
        self.connection.send_close_notify();
        self.collect();
    }

    fn collect(&mut self) {
        while self.connection.wants_write() {
            // Writing to memory cannot fail.
            if self.connection.write_tls(&mut self.ciphertext).is_err() {
                return;
            }
        }
    }
}
