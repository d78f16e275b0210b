//! A TLS server with a certificate of the test, whose bytes can be held back or broken.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread;

use rustls::crypto::aws_lc_rs;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::version::{TLS12, TLS13};
use rustls::{
    RootCertStore, ServerConfig, ServerConnection, StreamOwned, SupportedProtocolVersion,
};

use super::server::Server;

/// A certificate for 127.0.0.1 that signs itself.
pub struct Identity {
    pub pem: String,
    certificate: CertificateDer<'static>,
    key: Vec<u8>,
}

impl Identity {
    pub fn new() -> Self {
        let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).expect("a key");
        Self {
            pem: made.cert.pem(),
            certificate: made.cert.der().clone(),
            key: made.signing_key.serialize_der(),
        }
    }

    /// What a server is configured by; ALPN is what it chooses from, in its order.
    pub fn config(&self, version: &str, alpn: &[&str], asks_for_certificate: bool) -> ServerConfig {
        let versions: &[&'static SupportedProtocolVersion] = match version {
            "1.2" => &[&TLS12],
            _ => &[&TLS13],
        };
        let provider = Arc::new(aws_lc_rs::default_provider());
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(versions)
            .expect("a version that the library has");
        let builder = if asks_for_certificate {
            let mut roots = RootCertStore::empty();
            roots.add(self.certificate.clone()).expect("a root");
            let verifier =
                WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
            builder.with_client_cert_verifier(verifier.expect("a verifier"))
        } else {
            builder.with_no_client_auth()
        };
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(self.key.clone()));
        let mut config = builder
            .with_single_cert(vec![self.certificate.clone()], key)
            .expect("its own key");
        config.alpn_protocols = alpn.iter().map(|name| name.as_bytes().to_vec()).collect();
        config
    }
}

/// A socket whose bytes go out one by one.
pub struct Trickle(TcpStream);

impl Read for Trickle {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for Trickle {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(&bytes[..bytes.len().min(1)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

pub type Secured = StreamOwned<ServerConnection, Trickle>;

impl Identity {
    /// A server that calls `conversation` on each connection; the handshake is part of the first
    /// read. Each byte goes out in a packet of its own.
    pub fn serving(
        config: ServerConfig,
        conversation: impl Fn(&mut Secured) + Send + Sync + Clone + 'static,
    ) -> Server {
        let config = Arc::new(config);
        Server::accepting(Arc::default(), move |stream| {
            let (config, conversation) = (Arc::clone(&config), conversation.clone());
            thread::spawn(move || {
                stream.set_nodelay(true).expect("an option of TCP");
                let connection = ServerConnection::new(config).expect("a configuration");
                conversation(&mut StreamOwned::new(connection, Trickle(stream)));
            });
        })
    }
}

/// Reads one request without a body; false: the client has gone, or broke the handshake off.
pub fn read_request(stream: &mut impl Read) -> bool {
    let mut request = Vec::new();
    let mut byte = [0];
    while !request.ends_with(b"\r\n\r\n") {
        if stream.read_exact(&mut byte).is_err() {
            return false;
        }
        request.push(byte[0]);
    }
    true
}

/// The socket itself, for bytes that TLS knows nothing of.
pub fn socket(stream: &mut Secured) -> &mut TcpStream {
    &mut stream.sock.0
}
