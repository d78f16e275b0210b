//! The session server over HTTP/2, by a library: it decodes heads, whose values now matter. It costs more
//! than the minimal server, and so is not one that a generator is measured at full speed against.

use std::convert::Infallible;
use std::io::{Read as _, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;
use bytes::Bytes;
use clap::Args;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::service::{self, Service};

/// The server's identity, where TLS is spoken.
#[derive(Args)]
pub struct TlsFiles {
    /// The certificate and its chain, in PEM; for h2
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_certificate: Option<PathBuf>,
    /// The private key of the certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    tls_key: Option<PathBuf>,
}

impl TlsFiles {
    fn acceptor(&self) -> anyhow::Result<TlsAcceptor> {
        let (Some(certificate), Some(key)) = (&self.tls_certificate, &self.tls_key) else {
            anyhow::bail!("h2 needs --tls-certificate and --tls-key");
        };
        let chain = CertificateDer::pem_file_iter(certificate)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .with_context(|| format!("cannot read {}", certificate.display()))?;
        let key = PrivateKeyDer::from_pem_file(key)
            .with_context(|| format!("cannot read {}", key.display()))?;
        let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(chain, key)?;
        config.alpn_protocols = vec![b"h2".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}

type Shared = Arc<Mutex<Service>>;

/// Serves until standard input is closed, then writes the counts. Without files it is cleartext.
///
/// # Errors
/// If the address is taken, or the files of TLS cannot be used.
pub fn serve(
    listen: SocketAddr,
    tls: Option<&TlsFiles>,
    output: &mut dyn Write,
) -> anyhow::Result<()> {
    let acceptor = tls.map(TlsFiles::acceptor).transpose()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let service = Shared::default();
    let ended = runtime.block_on(async {
        let listener = TcpListener::bind(listen)
            .await
            .with_context(|| format!("cannot listen on {listen}"))?;
        writeln!(output, "listening on {}", listener.local_addr()?)?;
        output.flush()?;
        let finished =
            tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new()));
        tokio::select! {
            ended = accept(&listener, acceptor, &service) => ended,
            _ = finished => Ok(()),
        }
    });
    // Whoever waits for standard input is not waited for.
    runtime.shutdown_background();
    ended?;
    let counts = service
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .counts;
    writeln!(output, "{}", serde_json::to_string(&counts)?)?;
    Ok(())
}

async fn accept(
    listener: &TcpListener,
    acceptor: Option<TlsAcceptor>,
    service: &Shared,
) -> anyhow::Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        tokio::spawn(secure(stream, acceptor.clone(), Arc::clone(service)));
    }
}

async fn secure(stream: TcpStream, acceptor: Option<TlsAcceptor>, service: Shared) {
    match acceptor {
        None => converse(stream, service).await,
        Some(acceptor) => {
            if let Ok(stream) = acceptor.accept(stream).await {
                converse(stream, service).await;
            }
        }
    }
}

async fn converse<S>(stream: S, service: Shared)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let respond = service_fn(move |request| respond(request, Arc::clone(&service)));
    // A connection that breaks is the client's affair.
    let _ = http2::Builder::new(TokioExecutor::new())
        .serve_connection(TokioIo::new(stream), respond)
        .await;
}

async fn respond(
    request: Request<Incoming>,
    service: Shared,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    // Its length is held against what it is said to be by the library.
    let body = body
        .collect()
        .await
        .map(http_body_util::Collected::to_bytes);
    let mut answer = Vec::new();
    let mut service = service.lock().unwrap_or_else(PoisonError::into_inner);
    let status = match &body {
        Err(_) => service.refuse(&mut answer),
        Ok(body) => service.answer(
            service::Request {
                method: head.method.as_str().as_bytes(),
                path: head.uri.path().as_bytes(),
                authorization: head.headers.get(AUTHORIZATION).map(HeaderValue::as_bytes),
                body,
            },
            &mut answer,
        ),
    };
    let mut response = Response::new(Full::from(answer));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    Ok(response)
}
