//! Sockets of callers: accepts connections, speaks on them, and ends without cutting an answer off.

use std::future::pending;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

use crate::complaints::Complaints;
use crate::config::Config;
use crate::passwords::Passwords;
use crate::pool::Pool;
use crate::protocol::Protocol;
use crate::registrar::{Registrar, Registration};
use crate::routes::router;
use crate::service::Service;
use crate::tokens::Tokens;

/// How long requests in flight may still take after the stop was asked for.
const GRACE: Duration = Duration::from_secs(5);

/// How long the end may wait for the registry, whose lease ends by itself else.
const REGISTRY_GRACE: Duration = Duration::from_secs(1);

/// A caller that opens a connection and does not speak TLS must not hold it for ever.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(10);

/// How long a connection is kept that nothing is on; a minute is asked for. It runs from the connection on,
/// and between two requests, until the head of a request is there.
const IDLE_LIMIT: Duration = Duration::from_secs(75);

/// The pause after a failed accept: with every descriptor in use, an immediate retry would spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(10);

const CONCURRENT_STREAMS: u32 = 250;

/// Of a head, as HTTP/2 counts it: more than a gateway passes on.
const LONGEST_HEAD_BYTES: u32 = 128 << 10;

/// What every connection is served with.
#[derive(Clone)]
struct Server {
    speaks: Protocol,
    tls: Option<TlsAcceptor>,
    service: TowerToHyperService<Router>,
    stopped: watch::Receiver<bool>,
}

/// Serves until `stop` is ready, then lets requests in flight end within [`GRACE`].
///
/// # Errors
/// The port is taken.
pub async fn serve(
    config: &Config,
    tls: Option<TlsAcceptor>,
    cpus: usize,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let listener = TcpListener::bind((config.host, config.port)).await?;
    let address = listener.local_addr()?;
    writeln!(io::stdout(), "listening on {address}")?;
    let complaints = Complaints::default();
    let (stopping, stopped) = watch::channel(false);
    let name = format!("users-{}", address.port());
    let registration = Registration {
        id: name.clone(),
        address,
        speaks: config.speaks,
    };
    let registered = register(config, &registration, &complaints, stopped.clone());
    let service = Service {
        name,
        pool: Pool::open(&config.database, complaints.clone()),
        tokens: Tokens::new(&config.tokens),
        passwords: Passwords::new(cpus),
        internal_key: config.internal_key.clone(),
        complaints,
    };
    let server = Server {
        speaks: config.speaks,
        tls,
        service: TowerToHyperService::new(router(Arc::new(service))),
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
    let _ = timeout(GRACE, async {
        let _ = tokio::join!(connections.shutdown(), timeout(REGISTRY_GRACE, registered));
    })
    .await;
    Ok(())
}

/// Registers where there is a registry, until the stop.
fn register(
    config: &Config,
    of: &Registration,
    complaints: &Complaints,
    stopped: watch::Receiver<bool>,
) -> JoinHandle<()> {
    let registry = config.registry.as_ref();
    let registrar = registry.map(|registry| Registrar::new(registry, of, complaints.clone()));
    tokio::spawn(async move {
        if let Some(registrar) = registrar {
            registrar.run(stop_of(stopped)).await;
        }
    })
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
                Ok((stream, _)) => {
                    tokio::spawn(self.clone().meet(stream, connections.watcher()));
                }
                Err(_) => sleep(ACCEPT_PAUSE).await,
            }
        }
    }

    /// A connection that breaks is the caller's affair: it ends, and nothing else does.
    async fn meet(self, stream: TcpStream, watcher: Watcher) {
        // Small answers must not wait for an acknowledgement. Where the option cannot be set, the
        // connection is already gone.
        let _ = stream.set_nodelay(true);
        let _ = match &self.tls {
            None => self.converse(stream, watcher).await,
            Some(acceptor) => {
                let handshake = timeout(HANDSHAKE_LIMIT, acceptor.accept(stream));
                tokio::select! {
                    met = handshake => match met {
                        Ok(Ok(stream)) => self.converse(stream, watcher).await,
                        Ok(Err(_)) | Err(_) => Ok(()),
                    },
                    () = stop_of(self.stopped.clone()) => Ok(()),
                }
            }
        };
    }

    async fn converse<S>(&self, stream: S, watcher: Watcher) -> hyper::Result<()>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let stream = TokioIo::new(stream);
        let service = self.service.clone();
        if self.speaks.is_http2() {
            let mut builder = http2::Builder::new(TokioExecutor::new());
            let connection = builder
                .timer(TokioTimer::new())
                .max_concurrent_streams(CONCURRENT_STREAMS)
                .max_header_list_size(LONGEST_HEAD_BYTES)
                .serve_connection(stream, service);
            watcher.watch(connection).await
        } else {
            let mut builder = http1::Builder::new();
            let connection = builder
                .timer(TokioTimer::new())
                .header_read_timeout(IDLE_LIMIT)
                .serve_connection(stream, service);
            watcher.watch(connection).await
        }
    }
}
