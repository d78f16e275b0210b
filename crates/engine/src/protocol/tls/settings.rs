//! How TLS is spoken to the target: roots, versions, ALPN, and the share of resumed handshakes.

use rustls::client::Resumption;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::aws_lc_rs::{default_provider, kx_group};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    ClientConfig, ClientConnection, DigitallySignedStruct, RootCertStore, SignatureScheme,
    SupportedProtocolVersion, version,
};
use std::sync::Arc;
use thiserror::Error;

use crate::plan::{CipherSuite, Plan, Protocol, TlsVersion};
use crate::protocol::tls::Tls;
use crate::protocol::tls::tickets::{Tickets, TicketsKept};

/// Why TLS cannot be spoken, or failed.
#[derive(Debug, Error)]
pub enum TlsError {
    /// What the library says about the peer, its certificate or the settings.
    #[error("{0}")]
    Rustls(#[from] rustls::Error),
    /// The peer sent more than a record may hold.
    #[error("a TLS record is too large")]
    Buffer,
    /// The roots are no PEM certificates.
    #[error("tls.roots_pem holds no certificate that can be read: give PEM text")]
    Roots,
    /// The name cannot be one of a server.
    #[error("target.server_name: {0:?} is neither a host name nor an IP address")]
    ServerName(String),
}

/// What holds for every connection of the load.
#[derive(Clone, Debug)]
pub struct TlsSettings {
    config: ClientConfig,
    server_name: ServerName<'static>,
    resumed_share: f64,
}

impl TlsSettings {
    /// The settings of a plan whose protocol runs over TLS; none for cleartext.
    ///
    /// # Errors
    /// If roots or name cannot be used; names the key.
    pub fn of(plan: &Plan) -> Result<Option<Self>, TlsError> {
        if !plan.protocol.is_tls() {
            return Ok(None);
        }
        let provider = Arc::new(provider(plan.tls.cipher_suite));
        let versions: &[&SupportedProtocolVersion] = match (plan.tls.version, plan.tls.cipher_suite)
        {
            (Some(TlsVersion::V1_3), _) | (None, Some(_)) => &[&version::TLS13],
            (Some(TlsVersion::V1_2), _) => &[&version::TLS12],
            (None, None) => &[&version::TLS13, &version::TLS12],
        };
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(versions)?;
        let mut config = if plan.tls.verify {
            let roots = roots(plan.tls.roots_pem.as_deref())?;
            builder.with_root_certificates(roots).with_no_client_auth()
        } else {
            let trusting = Arc::new(Trusting(provider));
            let dangerous = builder.dangerous();
            let builder = dangerous.with_custom_certificate_verifier(trusting);
            builder.with_no_client_auth()
        };
        let offered: &[&[u8]] = match plan.protocol {
            Protocol::H2 => &[b"h2"],
            Protocol::H2Downgrade => &[b"h2", b"http/1.1"],
            _ => &[b"http/1.1"],
        };
        config.alpn_protocols = offered.iter().map(|name| name.to_vec()).collect();
        let name = plan.target.server_name.clone();
        let name = name.unwrap_or_else(|| host_without_port(&plan.target.host).to_owned());
        let server_name =
            ServerName::try_from(name.clone()).map_err(|_| TlsError::ServerName(name))?;
        Ok(Some(Self {
            config,
            server_name,
            resumed_share: plan.tls.resumed_share,
        }))
    }

    /// One worker's client: tickets are never shared between workers.
    #[must_use]
    pub fn client(&self) -> TlsClient {
        let tickets = Arc::new(Tickets::default());
        let with = |gives: bool| {
            let mut config = self.config.clone();
            let store = TicketsKept::new(Arc::clone(&tickets), gives);
            config.resumption = Resumption::store(Arc::new(store));
            Arc::new(config)
        };
        TlsClient {
            fresh: with(false),
            resuming: with(true),
            server_name: self.server_name.clone(),
            resumed_share: self.resumed_share,
            due: 0.0,
        }
    }
}

/// Makes the TLS states of one worker's connections.
#[derive(Debug)]
pub struct TlsClient {
    fresh: Arc<ClientConfig>,
    resuming: Arc<ClientConfig>,
    server_name: ServerName<'static>,
    resumed_share: f64,
    due: f64,
}

impl TlsClient {
    /// The state of a new connection. Of every hundred in a row, `resumed_share` ask to resume,
    /// evenly spread; one that finds no ticket does a full handshake.
    ///
    /// # Errors
    /// If the library refuses the settings.
    pub fn connect(&mut self) -> Result<Tls, TlsError> {
        self.due += self.resumed_share;
        let resumes = self.due >= 1.0;
        if resumes {
            self.due -= 1.0;
        }
        let config = if resumes { &self.resuming } else { &self.fresh };
        let mut connection = ClientConnection::new(Arc::clone(config), self.server_name.clone())?;
        connection.set_buffer_limit(None);
        let mut tls = Tls::new(connection);
        tls.collect();
        Ok(tls)
    }
}

/// All that the library has, the post-quantum key exchange first, as browsers and Go offer it. A plan that
/// leaves one cipher suite is to make servers encrypt alike, and so one key exchange is left, too: the
/// one that practically all have.
fn provider(only: Option<CipherSuite>) -> CryptoProvider {
    let mut provider = default_provider();
    if let Some(only) = only {
        let only = match only {
            CipherSuite::Aes128 => rustls::CipherSuite::TLS13_AES_128_GCM_SHA256,
            CipherSuite::Aes256 => rustls::CipherSuite::TLS13_AES_256_GCM_SHA384,
            CipherSuite::ChaCha20 => rustls::CipherSuite::TLS13_CHACHA20_POLY1305_SHA256,
        };
        provider.cipher_suites.retain(|each| each.suite() == only);
        provider.kx_groups = vec![kx_group::X25519];
    }
    provider
}

fn roots(pem: Option<&str>) -> Result<RootCertStore, TlsError> {
    let mut roots = RootCertStore::empty();
    let Some(pem) = pem else {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
        return Ok(roots);
    };
    for certificate in CertificateDer::pem_slice_iter(pem.as_bytes()) {
        roots.add(certificate.map_err(|_| TlsError::Roots)?)?;
    }
    if roots.is_empty() {
        return Err(TlsError::Roots);
    }
    Ok(roots)
}

fn host_without_port(host: &str) -> &str {
    if let Some(rest) = host.strip_prefix('[') {
        return rest.split(']').next().unwrap_or(rest);
    }
    host.split(':').next().unwrap_or(host)
}

/// Takes any certificate, since the plan says so; signatures of the handshake are still verified.
#[derive(Debug)]
struct Trusting(Arc<CryptoProvider>);

impl ServerCertVerifier for Trusting {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls::NamedGroup;

    #[test]
    fn the_name_to_verify_is_the_host_without_its_port() {
        for (host, name) in [
            ("example.test", "example.test"),
            ("example.test:8443", "example.test"),
            ("127.0.0.1:1", "127.0.0.1"),
            ("[::1]:8443", "::1"),
        ] {
            assert_eq!(host_without_port(host), name);
        }
    }

    #[test]
    fn a_plan_may_leave_one_cipher_suite() {
        for (only, name) in [
            (CipherSuite::Aes128, "TLS13_AES_128_GCM_SHA256"),
            (CipherSuite::Aes256, "TLS13_AES_256_GCM_SHA384"),
            (CipherSuite::ChaCha20, "TLS13_CHACHA20_POLY1305_SHA256"),
        ] {
            let left = provider(Some(only)).cipher_suites;
            let names: Vec<_> = left
                .iter()
                .map(|each| format!("{:?}", each.suite()))
                .collect();
            assert_eq!(names, [name]);
        }
        assert!(provider(None).cipher_suites.len() > 3);
    }

    #[test]
    fn with_one_cipher_suite_one_key_exchange_is_left_and_else_the_post_quantum_one_is_first() {
        let names = |only| -> Vec<_> {
            let groups = provider(only).kx_groups;
            groups.iter().map(|group| group.name()).collect()
        };
        assert_eq!(names(Some(CipherSuite::Aes128)), [NamedGroup::X25519]);
        assert_eq!(names(None)[0], NamedGroup::X25519MLKEM768);
        assert!(names(None).contains(&NamedGroup::X25519));
    }

    #[test]
    fn roots_that_are_no_certificates_are_refused() {
        assert!(matches!(roots(Some("nothing")), Err(TlsError::Roots)));
        assert!(!roots(None).expect("Mozilla's").is_empty());
    }
}
