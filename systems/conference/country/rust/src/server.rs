//! Sockets of callers: accepts connections, and ends without cutting an answer off.

use std::io;
use std::net::Ipv4Addr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

use crate::country::Country;

/// How long requests in flight may still take after the stop was asked for.
const GRACE: Duration = Duration::from_secs(5);

/// The wait for the head of a request. It runs between two requests, too, and so is longer than any
/// pause between two requests of a load.
const HEAD_TIMEOUT: Duration = Duration::from_mins(1);

/// The pause after a failed accept: with every descriptor in use, an immediate retry would spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(10);

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

/// Serves until `stop` is ready, then lets requests in flight end within [`GRACE`].
pub async fn serve(listener: TcpListener, country: Country, stop: impl Future<Output = ()>) {
    let country = Arc::new(country);
    let connections = GracefulShutdown::new();
    let mut stop = pin!(stop);
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    tokio::spawn(meet(stream, Arc::clone(&country), connections.watcher()));
                }
                Err(error) => {
                    eprintln!("country: cannot accept: {error}");
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
async fn meet(stream: TcpStream, country: Arc<Country>, watcher: Watcher) {
    // Small answers must not wait for an acknowledgement. Where the option cannot be set, the
    // connection is already gone.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let country = Arc::clone(&country);
        async move { country.answer(request).await }
    });
    let mut builder = Builder::new();
    let connection = builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .serve_connection(TokioIo::new(stream), service);
    let _ = watcher.watch(connection).await;
}
