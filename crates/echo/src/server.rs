//! Sockets: accepts connections, answers on them, and ends without cutting an answer off.

use std::pin::pin;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};

use crate::echo::{Settings, echo};

/// How long answers in flight may still take after the stop was asked for.
const GRACE: Duration = Duration::from_secs(2);

/// The pause after a failed accept: with every descriptor in use, an immediate retry would spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(10);

/// Serves connections until `stop` is ready, then lets requests in flight end within [`GRACE`].
pub async fn serve(listener: TcpListener, settings: Settings, stop: impl Future<Output = ()>) {
    let connections = GracefulShutdown::new();
    let mut stop = pin!(stop);
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => answer(stream, settings, &connections),
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

fn answer(stream: TcpStream, settings: Settings, connections: &GracefulShutdown) {
    // Small answers must not wait for an acknowledgement. Where the option cannot be set, the
    // connection is already gone, and serving it ends at once.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        // The Date header and its clock are work that no gateway needs from its upstream.
        .auto_date_header(false)
        .serve_connection(
            TokioIo::new(stream),
            service_fn(move |request| echo(request, settings)),
        );
    let connection = connections.watch(connection);
    tokio::spawn(async move {
        // A connection that breaks is the client's affair: it ends here, and nothing else does.
        let _ = connection.await;
    });
}
