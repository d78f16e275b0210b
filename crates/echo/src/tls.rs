//! The server's side of TLS: files in, an acceptor out. Knows nothing of sockets.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::CryptoProvider;
use tokio_rustls::rustls::crypto::aws_lc_rs::{cipher_suite, default_provider, kx_group};
use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig, version};

/// Why TLS cannot be spoken.
#[derive(Debug, Error)]
pub enum TlsError {
    /// A file cannot be read, or holds nothing of the kind.
    #[error("cannot read {what} from {}: {source}", file.display())]
    File {
        /// What was looked for.
        what: &'static str,
        /// Where.
        file: PathBuf,
        /// Why not.
        source: pem::Error,
    },
    /// Certificate and key were read, and are refused.
    #[error("cannot serve with this certificate and key: {0}")]
    Refused(#[from] rustls::Error),
}

/// Accepts TLS 1.3 with one cipher suite, the one that every client must have (RFC 8446, 9.1), and one key
/// exchange, and agrees by ALPN on `alpn` alone: whatever is in front of the backend then encrypts alike.
///
/// # Errors
/// A file is unreadable, or the key is not that of the certificate.
pub fn acceptor(certificate: &Path, key: &Path, alpn: &[u8]) -> Result<TlsAcceptor, TlsError> {
    let failed = |what, file: &Path| {
        let file = file.to_owned();
        move |source| TlsError::File { what, file, source }
    };
    let chain = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(failed("a certificate", certificate))?;
    if chain.is_empty() {
        return Err(failed("a certificate", certificate)(
            pem::Error::NoItemsFound,
        ));
    }
    let private_key = PrivateKeyDer::from_pem_file(key).map_err(failed("a private key", key))?;
    let provider = CryptoProvider {
        cipher_suites: vec![cipher_suite::TLS13_AES_128_GCM_SHA256],
        kx_groups: vec![kx_group::X25519],
        ..default_provider()
    };
    let mut config = ServerConfig::builder_with_provider(Arc::new(provider))
        .with_protocol_versions(&[&version::TLS13])?
        .with_no_client_auth()
        .with_single_cert(chain, private_key)?;
    config.alpn_protocols = vec![alpn.to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
