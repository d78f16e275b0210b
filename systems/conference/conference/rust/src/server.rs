//! Sockets of callers: accepts connections, and ends without cutting an answer off.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::Duration;

use axum::serve::ListenerExt as _;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::time::sleep;

use crate::conferences::Conferences;
use crate::config::Config;
use crate::countries::Countries;
use crate::log::Log;
use crate::pool::Pool;
use crate::routes::router;
use crate::rows::Rows;

/// How long requests in flight may still take after the stop was asked for.
const GRACE: Duration = Duration::from_secs(5);

/// Serves until `stop` is ready, then lets requests in flight end within [`GRACE`].
///
/// # Errors
/// The port is taken.
pub async fn serve(
    config: Config,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let listener = TcpListener::bind((config.host, config.port)).await?;
    writeln!(io::stdout(), "listening on {}", listener.local_addr()?)?;
    // Small answers must not wait for an acknowledgement. Where the option cannot be set, the connection
    // is already gone.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    let log = Log(config.log_level);
    let conferences = Conferences {
        rows: Rows(Pool::open(&config.database, log)),
        countries: Countries::new(&config.country),
        log,
    };
    let stopping = Arc::new(Notify::new());
    let stopped = Arc::clone(&stopping);
    let serving =
        axum::serve(listener, router(Arc::new(conferences))).with_graceful_shutdown(async move {
            stop.await;
            stopped.notify_one();
        });
    tokio::select! {
        served = serving => served,
        // What is still open then is cut off with the runtime.
        () = async { stopping.notified().await; sleep(GRACE).await } => Ok(()),
    }
}
