//! Both sides of TLS: files in, settings of rustls out. Knows nothing of sockets.
//!
//! Only TLS 1.3 is spoken.

use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::version::TLS13;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, ServerConfig, SupportedProtocolVersion};

use crate::config::{ClientLeg, Protocol, UpstreamLeg, WrongVariable};

const VERSIONS: &[&SupportedProtocolVersion] = &[&TLS13];
const PROVIDER: &str = "ring speaks TLS 1.3";

/// How callers are met; none: in cleartext.
///
/// # Errors
/// A file is unreadable, or the key is not that of the certificate.
pub fn acceptor(leg: &ClientLeg) -> Result<Option<TlsAcceptor>, WrongVariable> {
    let Some(files) = &leg.certificate else {
        return Ok(None);
    };
    let chain = certificates(&files.chain).map_err(|error| {
        wrong(
            "TLS_CERT",
            "a chain of certificates in PEM",
            &files.chain,
            error,
        )
    })?;
    let key = PrivateKeyDer::from_pem_file(&files.key)
        .map_err(|error| wrong("TLS_KEY", "a private key in PEM", &files.key, error))?;
    let mut config = ServerConfig::builder_with_provider(provider())
        .with_protocol_versions(VERSIONS)
        .expect(PROVIDER)
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(|error| wrong("TLS_KEY", "the key of TLS_CERT", &files.key, error))?;
    config.alpn_protocols = match leg.protocol {
        Protocol::H2 => vec![b"h2".to_vec()],
        Protocol::H2Downgrade => vec![b"h2".to_vec(), b"http/1.1".to_vec()],
        _ => vec![b"http/1.1".to_vec()],
    };
    Ok(Some(TlsAcceptor::from(Arc::new(config))))
}

/// Whom the upstream is believed: the authority of `TLS_CA`, or in cleartext nobody.
///
/// What is offered by ALPN is left to the connector.
///
/// # Errors
/// The file is unreadable, or holds no certificate.
pub fn trust(leg: &UpstreamLeg) -> Result<ClientConfig, WrongVariable> {
    let mut roots = RootCertStore::empty();
    if let Some(file) = &leg.trust {
        let refused = |error: &dyn Display| wrong("TLS_CA", "an authority in PEM", file, error);
        for certificate in certificates(file).map_err(|error| refused(&error))? {
            roots.add(certificate).map_err(|error| refused(&error))?;
        }
    }
    Ok(ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(VERSIONS)
        .expect(PROVIDER)
        .with_root_certificates(roots)
        .with_no_client_auth())
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, pem::Error> {
    let found = CertificateDer::pem_file_iter(file)?.collect::<Result<Vec<_>, _>>()?;
    if found.is_empty() {
        return Err(pem::Error::NoItemsFound);
    }
    Ok(found)
}

fn wrong(
    variable: &'static str,
    expected: &'static str,
    file: &Path,
    error: impl Display,
) -> WrongVariable {
    WrongVariable::new(
        variable,
        expected,
        format_args!("{:?} ({error})", file.display().to_string()),
    )
}
