//! Sockets of callers: accepts connections, speaks on them, and ends without cutting an answer off.

use std::io;
use std::net::Ipv4Addr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

use crate::config::Protocol;
use crate::gateway::answer;
use crate::upstream::Upstream;

/// How long requests in flight may still take after the stop was asked for.
const GRACE: Duration = Duration::from_secs(5);

/// A caller that opens a connection and does not speak TLS must not hold it for ever.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// The wait for the head of a request. It runs between two requests, too, and so is longer than any
/// pause between two requests of a load.
const HEAD_TIMEOUT: Duration = Duration::from_mins(1);

/// The pause after a failed accept: with every descriptor in use, an immediate retry would spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(10);

const CONCURRENT_STREAMS: u32 = 250;

/// What a caller may send on a stream before the upstream takes it.
const STREAM_WINDOW_BYTES: u32 = 256 << 10;

/// Holds the window of every stream, so that one whose body is not taken holds up no other.
const CONNECTION_WINDOW_BYTES: u32 = CONCURRENT_STREAMS * STREAM_WINDOW_BYTES;

/// What every connection is served with.
#[derive(Clone)]
pub struct Server {
    protocol: Protocol,
    tls: Option<TlsAcceptor>,
    upstream: Arc<Upstream>,
}

impl Server {
    /// Speaks `protocol` with callers; `tls` is how they are met where it is over TLS.
    pub fn new(protocol: Protocol, tls: Option<TlsAcceptor>, upstream: Upstream) -> Self {
        Self {
            protocol,
            tls,
            upstream: Arc::new(upstream),
        }
    }

    /// Serves until `stop` is ready, then lets requests in flight end within [`GRACE`].
    pub async fn serve(self, listener: TcpListener, stop: impl Future<Output = ()>) {
        let connections = GracefulShutdown::new();
        let mut stop = pin!(stop);
        loop {
            tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        tokio::spawn(self.clone().meet(stream, connections.watcher()));
                    }
                    Err(error) => {
                        eprintln!("gateway: cannot accept: {error}");
                        sleep(ACCEPT_PAUSE).await;
                    }
                },
                () = &mut stop => break,
            }
        }
        drop(listener);
        let _ = timeout(GRACE, connections.shutdown()).await;
    }

    /// A connection that breaks is the caller's affair: it ends, and nothing else does.
    async fn meet(self, stream: TcpStream, watcher: Watcher) {
        // Small answers must not wait for an acknowledgement. Where the option cannot be set, the
        // connection is already gone.
        let _ = stream.set_nodelay(true);
        let _ = match &self.tls {
            None => {
                let is_http2 = self.protocol.is_http2();
                self.converse(stream, is_http2, watcher).await
            }
            Some(acceptor) => match timeout(HANDSHAKE_TIMEOUT, acceptor.accept(stream)).await {
                Ok(Ok(stream)) => {
                    let agreed = stream.get_ref().1.alpn_protocol();
                    let is_http2 = self.protocol.is_http2() || agreed == Some(b"h2");
                    self.converse(stream, is_http2, watcher).await
                }
                Ok(Err(_)) | Err(_) => Ok(()),
            },
        };
    }

    async fn converse<S>(&self, stream: S, is_http2: bool, watcher: Watcher) -> hyper::Result<()>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let stream = TokioIo::new(stream);
        let upstream = Arc::clone(&self.upstream);
        let service = service_fn(move |request| {
            let upstream = Arc::clone(&upstream);
            async move { answer(request, &upstream).await }
        });
        if is_http2 {
            let mut builder = http2::Builder::new(TokioExecutor::new());
            let connection = builder
                .timer(TokioTimer::new())
                .max_concurrent_streams(CONCURRENT_STREAMS)
                .initial_stream_window_size(STREAM_WINDOW_BYTES)
                .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
                .serve_connection(stream, service);
            watcher.watch(connection).await
        } else {
            let mut builder = http1::Builder::new();
            let connection = builder
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIMEOUT)
                .serve_connection(stream, service);
            watcher.watch(connection).await
        }
    }
}

/// Listens on a port of this machine alone, and says so.
///
/// # Errors
/// The port is taken.
pub async fn listen(host: Ipv4Addr, port: u16) -> io::Result<TcpListener> {
    use std::io::Write as _;

    let listener = TcpListener::bind((host, port)).await?;
    writeln!(io::stdout(), "listening on {}", listener.local_addr()?)?;
    Ok(listener)
}
