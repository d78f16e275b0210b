//! Both sides of TLS, by 1.2 and 1.3: files in, settings of rustls out. Knows nothing of sockets.

use std::path::Path;
use std::sync::Arc;

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio_rustls::{TlsAcceptor, TlsConnector};

use crate::config::{ClientLeg, UpstreamLeg};
use crate::environment::WrongVariable;
use crate::protocol::Protocol;

const PROVIDER: &str = "ring speaks both versions";
const HTTP1: &[u8] = b"http/1.1";

/// What the two sides call HTTP/2 (RFC 9113, 3.1).
pub const HTTP2: &[u8] = b"h2";

/// How callers are met; none: in cleartext.
///
/// # Errors
/// A file is unreadable, or the key is not that of the certificate.
pub fn acceptor(leg: &ClientLeg) -> Result<Option<TlsAcceptor>, WrongVariable> {
    let Some(files) = &leg.certificate else {
        return Ok(None);
    };
    let chain = certificates(&files.chain)
        .map_err(|error| WrongVariable::file("TLS_CERT", "a chain in PEM", error))?;
    let key = PrivateKeyDer::from_pem_file(&files.key)
        .map_err(|error| WrongVariable::file("TLS_KEY", "a key in PEM", error))?;
    let provider = Arc::new(ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect(PROVIDER)
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(|error| WrongVariable::file("TLS_KEY", "the key of TLS_CERT", error))?;
    config.alpn_protocols = match leg.speaks {
        Protocol::H2 => vec![HTTP2.to_vec(), HTTP1.to_vec()],
        _ => vec![HTTP1.to_vec()],
    };
    Ok(Some(TlsAcceptor::from(Arc::new(config))))
}

/// How users is reached, which the authority of `TLS_CA` alone may vouch for; none: in cleartext.
///
/// # Errors
/// The file is unreadable, or holds no certificate.
pub fn connector(leg: &UpstreamLeg) -> Result<Option<TlsConnector>, WrongVariable> {
    let Some(file) = &leg.trust else {
        return Ok(None);
    };
    let wrong = |cause: String| WrongVariable::file("TLS_CA", "an authority in PEM", cause);
    let mut roots = RootCertStore::empty();
    for certificate in certificates(file).map_err(|error| wrong(error.to_string()))? {
        roots
            .add(certificate)
            .map_err(|error| wrong(error.to_string()))?;
    }
    let provider = Arc::new(ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect(PROVIDER)
        .with_root_certificates(roots)
        .with_no_client_auth();
    let spoken = if leg.speaks.is_http2() { HTTP2 } else { HTTP1 };
    config.alpn_protocols = vec![spoken.to_vec()];
    Ok(Some(TlsConnector::from(Arc::new(config))))
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, pem::Error> {
    let found = CertificateDer::pem_file_iter(file)?.collect::<Result<Vec<_>, _>>()?;
    if found.is_empty() {
        return Err(pem::Error::NoItemsFound);
    }
    Ok(found)
}
