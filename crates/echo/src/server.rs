//! Sockets: accepts connections, answers on them, and ends without cutting an answer off.

use std::pin::pin;
use std::time::Duration;

use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use crate::echo::{Settings, echo};

/// How long answers in flight may still take after the stop was asked for.
const GRACE: Duration = Duration::from_secs(2);

/// The pause after a failed accept: with every descriptor in use, an immediate retry would spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(10);

/// What every connection is served with.
#[derive(Clone)]
pub struct Service {
    /// What every request is answered with.
    pub settings: Settings,
    /// Whether HTTP/2 is spoken, at once and without an upgrade, or else HTTP/1.1.
    pub is_http2: bool,
    /// How TLS is accepted; none: cleartext.
    pub tls: Option<TlsAcceptor>,
}

/// Serves connections until `stop` is ready, then lets requests in flight end within [`GRACE`].
pub async fn serve(listener: TcpListener, service: Service, stop: impl Future<Output = ()>) {
    let connections = GracefulShutdown::new();
    let mut stop = pin!(stop);
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    tokio::spawn(answer(stream, service.clone(), connections.watcher()));
                }
                Err(error) => {
                    eprintln!("loadstone-echo: cannot accept: {error}");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
            () = &mut stop => break,
        }
    }
    drop(listener);
    // A client that holds its request back is cut off: the stop must end.
    let _ = tokio::time::timeout(GRACE, connections.shutdown()).await;
}

async fn answer(stream: TcpStream, service: Service, watcher: Watcher) {
    // Small answers must not wait for an acknowledgement. Where the option cannot be set, the
    // connection is already gone, and serving it ends at once.
    let _ = stream.set_nodelay(true);
    let Service {
        settings,
        is_http2,
        tls,
    } = service;
    match tls {
        None => converse(stream, settings, is_http2, watcher).await,
        // A handshake that fails is the client's affair, like a connection that breaks.
        Some(acceptor) => {
            if let Ok(stream) = acceptor.accept(stream).await {
                converse(stream, settings, is_http2, watcher).await;
            }
        }
    }
}

async fn converse<S>(stream: S, settings: Settings, is_http2: bool, watcher: Watcher)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let stream = TokioIo::new(stream);
    let service = service_fn(move |request| echo(request, settings));
    // A connection that breaks is the client's affair: it ends here, and nothing else does. Answers
    // carry a Date, so that no gateway has to make one where others pass none on.
    if is_http2 {
        let builder = http2::Builder::new(TokioExecutor::new());
        let _ = watcher
            .watch(builder.serve_connection(stream, service))
            .await;
    } else {
        let builder = http1::Builder::new();
        let _ = watcher
            .watch(builder.serve_connection(stream, service))
            .await;
    }
}
