//! How callers are met over TLS: files in, settings of rustls out. Knows nothing of sockets.

use std::path::Path;
use std::sync::Arc;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::config::CertificateFiles;
use crate::environment::WrongVariable;
use crate::protocol::Protocol;

/// How callers of a protocol are shown a certificate, by TLS 1.2 and 1.3.
///
/// # Errors
/// A file is unreadable, or the key is not that of the certificate.
pub fn acceptor(files: &CertificateFiles, speaks: Protocol) -> Result<TlsAcceptor, WrongVariable> {
    let chain = certificates(&files.chain)
        .map_err(|error| WrongVariable::file("TLS_CERT", "a chain in PEM", error))?;
    let key = PrivateKeyDer::from_pem_file(&files.key)
        .map_err(|error| WrongVariable::file("TLS_KEY", "a key in PEM", error))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring speaks both versions")
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(|error| WrongVariable::file("TLS_KEY", "the key of TLS_CERT", error))?;
    config.alpn_protocols = match speaks {
        Protocol::H2 => vec![b"h2".to_vec()],
        _ => vec![b"http/1.1".to_vec()],
    };
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, pem::Error> {
    let found = CertificateDer::pem_file_iter(file)?.collect::<Result<Vec<_>, _>>()?;
    if found.is_empty() {
        return Err(pem::Error::NoItemsFound);
    }
    Ok(found)
}
