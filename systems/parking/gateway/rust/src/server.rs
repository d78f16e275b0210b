//! Sockets of callers: accepts connections, speaks on them, and ends without cutting an answer off.

use std::future::pending;
use std::io::{self, Write as _};
use std::net::IpAddr;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

use crate::gateway::Gateway;
use crate::protocol::Protocol;
use crate::tls::HTTP2;

/// How long requests in flight may still take after the stop was asked for.
const GRACE: Duration = Duration::from_secs(5);

/// A caller that opens a connection and does not speak TLS must not hold it for ever.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(10);

/// How long a connection is kept that nothing is on; a minute is asked for. It runs from the connection on,
/// and between two requests, until the head of a request is there.
const IDLE_LIMIT: Duration = Duration::from_secs(75);

/// The pause after a failed accept: with every descriptor in use, an immediate retry would spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(10);

/// A head of so many bytes that is not complete is too large. Complete ones are measured by the gateway.
const HEAD_BUFFER_BYTES: usize = 20 << 10;
const MOST_FIELDS: usize = 512;
/// Of HTTP/2, which counts 32 bytes for each field besides.
const HEAD_LIST_BYTES: u32 = 64 << 10;

const CONCURRENT_STREAMS: u32 = 250;

/// What a caller may send on a stream before users takes it.
const STREAM_WINDOW_BYTES: u32 = 256 << 10;

/// Holds the window of every stream, so that one whose body is not taken holds up no other.
const CONNECTION_WINDOW_BYTES: u32 = CONCURRENT_STREAMS * STREAM_WINDOW_BYTES;

/// What every connection is served with.
#[derive(Clone)]
struct Server {
    speaks: Protocol,
    tls: Option<TlsAcceptor>,
    gateway: Arc<Gateway>,
    stopped: watch::Receiver<bool>,
}

/// Serves until `stop` is ready, then lets requests in flight end within [`GRACE`].
pub async fn serve(
    listener: TcpListener,
    speaks: Protocol,
    tls: Option<TlsAcceptor>,
    gateway: Gateway,
    stop: impl Future<Output = ()>,
) {
    let (stopping, stopped) = watch::channel(false);
    let server = Server {
        speaks,
        tls,
        gateway: Arc::new(gateway),
        stopped,
    };
    let connections = GracefulShutdown::new();
    tokio::select! {
        () = server.accept(&listener, &connections) => {}
        () = stop => {}
    }
    drop(listener);
    stopping.send_replace(true);
    // What is still open behind the grace is cut off with the runtime.
    let _ = timeout(GRACE, connections.shutdown()).await;
}

/// Listens on a port of this machine alone.
///
/// # Errors
/// The port is taken.
pub async fn listen(host: Ipv4Addr, port: u16) -> io::Result<(TcpListener, u16)> {
    let listener = TcpListener::bind((host, port)).await?;
    let address = listener.local_addr()?;
    writeln!(io::stdout(), "listening on {address}")?;
    Ok((listener, address.port()))
}

async fn stop_of(mut stopped: watch::Receiver<bool>) {
    if stopped.wait_for(|is_stopped| *is_stopped).await.is_err() {
        // Whoever would say so is gone, and with it the process.
        pending::<()>().await;
    }
}

impl Server {
    async fn accept(&self, listener: &TcpListener, connections: &GracefulShutdown) {
        loop {
            match listener.accept().await {
                Ok((stream, caller)) => {
                    let watcher = connections.watcher();
                    tokio::spawn(self.clone().meet(stream, caller.ip(), watcher));
                }
                Err(_) => sleep(ACCEPT_PAUSE).await,
            }
        }
    }

    /// A connection that breaks is the caller's affair: it ends, and nothing else does.
    async fn meet(self, stream: TcpStream, caller: IpAddr, watcher: Watcher) {
        // Small answers must not wait for an acknowledgement. Where the option cannot be set, the
        // connection is already gone.
        let _ = stream.set_nodelay(true);
        let Some(acceptor) = &self.tls else {
            let is_http2 = self.speaks.is_http2();
            let _ = self.converse(stream, is_http2, caller, watcher).await;
            return;
        };
        let handshake = timeout(HANDSHAKE_LIMIT, acceptor.accept(stream));
        let met = tokio::select! {
            met = handshake => met,
            () = stop_of(self.stopped.clone()) => return,
        };
        if let Ok(Ok(stream)) = met {
            let is_http2 = stream.get_ref().1.alpn_protocol() == Some(HTTP2);
            let _ = self.converse(stream, is_http2, caller, watcher).await;
        }
    }

    async fn converse<S>(
        &self,
        stream: S,
        is_http2: bool,
        caller: IpAddr,
        watcher: Watcher,
    ) -> hyper::Result<()>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let stream = TokioIo::new(stream);
        let gateway = Arc::clone(&self.gateway);
        let service = service_fn(move |request| {
            let gateway = Arc::clone(&gateway);
            async move { gateway.answer(request, caller).await }
        });
        if is_http2 {
            let mut builder = http2::Builder::new(TokioExecutor::new());
            let connection = builder
                .timer(TokioTimer::new())
                .max_concurrent_streams(CONCURRENT_STREAMS)
                .max_header_list_size(HEAD_LIST_BYTES)
                .initial_stream_window_size(STREAM_WINDOW_BYTES)
                .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
                .serve_connection(stream, service);
            watcher.watch(connection).await
        } else {
            let mut builder = http1::Builder::new();
            let connection = builder
                .timer(TokioTimer::new())
                .header_read_timeout(IDLE_LIMIT)
                .max_headers(MOST_FIELDS)
                .max_buf_size(HEAD_BUFFER_BYTES)
                .serve_connection(stream, service);
            watcher.watch(connection).await
        }
    }
}
