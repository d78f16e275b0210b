//! The same answers over TLS and HTTP/2, through the binary and real sockets.

mod common;

use std::fs;
use std::io::Read as _;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Arc;

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::client::conn::{http1, http2};
use hyper::{Request, Response, Version};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::aws_lc_rs::{self, kx_group};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{CipherSuite, ClientConfig, NamedGroup, RootCertStore};

use crate::common::Echo;

/// A certificate for `localhost`, made for one test.
struct Identity {
    folder: TempDir,
    certificate: CertificateDer<'static>,
}

impl Identity {
    fn new() -> Self {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a key");
        let folder = TempDir::new().expect("a temporary folder");
        let write = |name: &str, text: String| {
            fs::write(folder.path().join(name), text).expect("is written");
        };
        write("server.pem", made.cert.pem());
        write("server.key", made.signing_key.serialize_pem());
        let certificate = made.cert.der().clone();
        Self {
            folder,
            certificate,
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn arguments(&self, protocol: &str) -> Vec<String> {
        let path = |name| self.file(name).display().to_string();
        ["--protocol", protocol, "--tls-certificate"]
            .map(str::to_owned)
            .into_iter()
            .chain([
                path("server.pem"),
                "--tls-key".to_owned(),
                path("server.key"),
            ])
            .collect()
    }

    fn start(&self, protocol: &str) -> Echo {
        self.start_with(protocol, &[])
    }

    fn start_with(&self, protocol: &str, more: &[&str]) -> Echo {
        let arguments = match protocol {
            "h1c" | "h2c" => ["--protocol", protocol].map(str::to_owned).to_vec(),
            _ => self.arguments(protocol),
        };
        let mut words: Vec<_> = arguments.iter().map(String::as_str).collect();
        words.extend_from_slice(more);
        Echo::start(&words)
    }

    async fn connect(&self, echo: &Echo, alpn: &[&str]) -> std::io::Result<TlsStream<TcpStream>> {
        let mut roots = RootCertStore::empty();
        roots.add(self.certificate.clone()).expect("a root");
        let mut provider = aws_lc_rs::default_provider();
        // As browsers prefer it.
        provider.kx_groups.insert(0, kx_group::X25519MLKEM768);
        let mut config = ClientConfig::builder_with_provider(Arc::new(provider))
            .with_safe_default_protocol_versions()
            .expect("versions that the library has")
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = alpn.iter().map(|name| name.as_bytes().to_vec()).collect();
        let stream = TcpStream::connect(&echo.address).await.expect("it accepts");
        let name = ServerName::try_from("localhost").expect("a name");
        TlsConnector::from(Arc::new(config))
            .connect(name, stream)
            .await
    }
}

fn request(body: &'static str) -> Request<Full<Bytes>> {
    Request::post("https://localhost/any")
        .header("host", "localhost")
        .header("content-type", "text/x")
        .body(Full::from(body))
        .expect("a valid request")
}

async fn assert_echoed<B>(response: Response<B>, version: Version, body: &str)
where
    B: hyper::body::Body,
    B::Error: std::fmt::Debug,
{
    assert_eq!(response.version(), version);
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "text/x");
    let collected = response.into_body().collect().await.expect("a whole body");
    assert_eq!(collected.to_bytes(), body);
}

async fn converse_http2<S>(stream: S)
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send + 'static,
{
    let (mut sender, connection) = http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
        .await
        .expect("HTTP/2 is spoken");
    let connection = tokio::spawn(connection);
    let mut second = sender.clone();
    let (one, two) = tokio::join!(
        sender.send_request(request("one")),
        second.send_request(request("two"))
    );
    assert_echoed(one.expect("an answer"), Version::HTTP_2, "one").await;
    assert_echoed(two.expect("an answer"), Version::HTTP_2, "two").await;
    drop((sender, second));
    connection.await.expect("no panic").expect("a clean end");
}

#[tokio::test]
async fn http_2_by_prior_knowledge_echoes_streams_side_by_side_on_ipv6() {
    let echo = Echo::start(&["--protocol", "h2c", "--listen", "[::1]:0"]);
    assert!(echo.address.starts_with("[::1]:"), "{}", echo.address);
    let stream = TcpStream::connect(&echo.address).await.expect("it accepts");
    converse_http2(stream).await;
}

#[tokio::test]
async fn http_2_over_tls_is_agreed_by_alpn() {
    let identity = Identity::new();
    let echo = identity.start("h2");
    let stream = identity.connect(&echo, &["h2", "http/1.1"]).await;
    let stream = stream.expect("TLS is spoken");
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    converse_http2(stream).await;
}

#[tokio::test]
async fn http_1_1_over_tls_is_chosen_from_what_the_client_offers() {
    let identity = Identity::new();
    let echo = identity.start("h1");
    let stream = identity.connect(&echo, &["h2", "http/1.1"]).await;
    let stream = stream.expect("TLS is spoken");
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]));
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream))
        .await
        .expect("HTTP/1.1 is spoken");
    tokio::spawn(connection);
    let response = sender.send_request(request("hello")).await;
    assert_echoed(response.expect("an answer"), Version::HTTP_11, "hello").await;
}

/// Sends one request over what the backend speaks, and returns status and body.
async fn ask(identity: &Identity, echo: &Echo, protocol: &str, body: &'static str) -> (u16, Bytes) {
    let version = if protocol.starts_with("h2") {
        "h2"
    } else {
        "http/1.1"
    };
    if protocol.ends_with('c') {
        let stream = TcpStream::connect(&echo.address).await.expect("it accepts");
        ask_on(TokioIo::new(stream), version, body).await
    } else {
        let stream = identity.connect(echo, &[version]).await;
        ask_on(TokioIo::new(stream.expect("TLS is spoken")), version, body).await
    }
}

async fn ask_on<S>(stream: S, version: &str, body: &'static str) -> (u16, Bytes)
where
    S: hyper::rt::Read + hyper::rt::Write + Unpin + Send + 'static,
{
    let response = if version == "h2" {
        let handshake = http2::handshake(TokioExecutor::new(), stream).await;
        let (mut sender, connection) = handshake.expect("HTTP/2 is spoken");
        tokio::spawn(connection);
        sender.send_request(request(body)).await
    } else {
        let handshake = http1::handshake(stream).await;
        let (mut sender, connection) = handshake.expect("HTTP/1.1 is spoken");
        tokio::spawn(connection);
        sender.send_request(request(body)).await
    };
    let response = response.expect("an answer");
    let status = response.status().as_u16();
    let collected = response.into_body().collect().await.expect("a whole body");
    (status, collected.to_bytes())
}

#[tokio::test]
async fn the_delay_is_kept_on_every_protocol() {
    let identity = Identity::new();
    for protocol in ["h1c", "h1", "h2c", "h2"] {
        let echo = identity.start_with(protocol, &["--delay", "30ms"]);
        let begin = std::time::Instant::now();
        let answer = ask(&identity, &echo, protocol, "late").await;
        // Never sooner; how much later is the machine's affair.
        assert!(begin.elapsed().as_millis() >= 30, "{protocol}");
        assert_eq!(answer, (200, Bytes::from("late")), "{protocol}");
    }
}

#[tokio::test]
async fn a_body_above_the_limit_is_refused_on_every_protocol() {
    let identity = Identity::new();
    for protocol in ["h1c", "h1", "h2c", "h2"] {
        let echo = identity.start_with(protocol, &["--max-body-bytes", "4"]);
        let (status, _) = ask(&identity, &echo, protocol, "12345").await;
        assert_eq!(status, 413, "{protocol}");
        let answer = ask(&identity, &echo, protocol, "1234").await;
        assert_eq!(answer, (200, Bytes::from("1234")), "{protocol}");
    }
}

#[tokio::test]
async fn the_one_suite_and_key_exchange_are_agreed_on_whatever_the_client_prefers() {
    let identity = Identity::new();
    let echo = identity.start("h1");
    let stream = identity.connect(&echo, &["http/1.1"]).await;
    let stream = stream.expect("TLS is spoken");
    let connection = stream.get_ref().1;
    let suite = connection.negotiated_cipher_suite().expect("a suite");
    let group = connection.negotiated_key_exchange_group().expect("a group");
    // The client prefers others.
    assert_eq!(suite.suite(), CipherSuite::TLS13_AES_128_GCM_SHA256);
    assert_eq!(group.name(), NamedGroup::X25519);
}

#[tokio::test]
async fn a_client_that_only_offers_the_other_version_is_refused_in_the_handshake() {
    let identity = Identity::new();
    for (protocol, offered) in [("h2", "http/1.1"), ("h1", "h2")] {
        let echo = identity.start(protocol);
        let refused = identity.connect(&echo, &[offered]).await;
        let error = refused.expect_err("a refusal").to_string();
        assert!(error.contains("NoApplicationProtocol"), "{error}");
    }
}

#[test]
fn cleartext_to_a_tls_port_is_cut_off_and_the_next_client_is_served() {
    let identity = Identity::new();
    let echo = identity.start("h1");
    let mut connection = echo.connect();
    std::io::Write::write_all(connection.get_mut(), b"GET / HTTP/1.1\r\n\r\n").expect("written");
    let mut answer = Vec::new();
    // An alert may come first; what matters is the end, and that it is not an HTTP answer.
    let _ = connection.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP/"));
    echo.connect();
}

fn refused(arguments: &[String]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_loadstone-echo"))
        .args(arguments)
        .output()
        .expect("the binary starts");
    assert_eq!(output.status.code(), Some(2));
    output
}

fn assert_refused(arguments: &[String], text: &str) {
    let stderr = String::from_utf8(refused(arguments).stderr).expect("is text");
    assert!(stderr.contains(text), "{stderr}");
}

#[test]
fn tls_without_its_files_and_files_without_tls_end_with_2() {
    let identity = Identity::new();
    let owned = |words: [&str; 2]| words.map(str::to_owned);
    assert_refused(&owned(["--protocol", "h1"]), "--tls-certificate");
    assert_refused(&owned(["--protocol", "h2"]), "--tls-certificate");
    assert_refused(&identity.arguments("h2c"), "cleartext");
    let mut swapped = identity.arguments("h1");
    swapped.swap(3, 5);
    assert_refused(&swapped, "cannot read a certificate from");
    let other = Identity::new();
    let mut mixed = identity.arguments("h1");
    mixed[5] = other.file("server.key").display().to_string();
    assert_refused(&mixed, "cannot serve with this certificate and key");
}
