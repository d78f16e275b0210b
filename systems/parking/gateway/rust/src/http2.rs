//! Connections to an instance on HTTP/2, each with as many requests as the instance allows.
//!
//! The client of hyper does not say how many that are, nor why a stream was ended.

mod stream;

use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use h2::client::{Builder, SendRequest};
use h2::{Ping, Reason};
use hyper::Response;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::answer::AnswerBody;
use crate::attempt::{Failed, Outgoing};
use crate::connect::Connector;

pub use stream::Received;

/// How many streams an instance is taken to allow until it says so (RFC 9113, 6.5.2, recommends no fewer).
const STREAMS_AT_FIRST: usize = 100;

/// How long a new connection waits for the instance to say so.
const SETTINGS_WAIT: Duration = Duration::from_millis(100);

/// What an answer may have sent before its caller reads.
const STREAM_WINDOW_BYTES: u32 = 256 << 10;

/// All streams of a connection share its window. It holds that of 250 streams, so that callers who do not
/// read hold up no other.
const CONNECTION_WINDOW_BYTES: u32 = 250 * STREAM_WINDOW_BYTES;

/// Connections to one instance.
pub struct Pool {
    connector: Connector,
    scheme: hyper::http::uri::Scheme,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    connections: Vec<Arc<Connection>>,
    /// The attempt to make another one, which all wait for that find no place.
    dial: Option<Dial>,
}

/// Has the outcome of an attempt to make a connection, once there is one.
type Dial = watch::Receiver<Option<Result<(), String>>>;

struct Connection {
    sender: SendRequest<Bytes>,
    in_flight: AtomicUsize,
    is_used: AtomicBool,
    /// Whether no further request can be sent on it.
    is_ended: AtomicBool,
    /// When its last request ended.
    idle_since: Mutex<Instant>,
}

/// A place for one request on a connection.
pub struct Place(Arc<Connection>);

impl Pool {
    /// Opens no connection yet.
    pub fn new(connector: Connector) -> Self {
        let is_tls = connector.tls.is_some();
        Self {
            connector,
            scheme: if is_tls {
                hyper::http::uri::Scheme::HTTPS
            } else {
                hyper::http::uri::Scheme::HTTP
            },
            state: Mutex::default(),
        }
    }

    /// Sends a request, and waits for the head of its answer.
    ///
    /// # Errors
    /// There is none.
    pub async fn send(
        self: &Arc<Self>,
        outgoing: &Outgoing,
    ) -> Result<Response<AnswerBody>, Failed> {
        loop {
            let place = self.take().await?;
            let mut sender = place.0.sender.clone();
            if poll_fn(|context| sender.poll_ready(context)).await.is_err() {
                // It takes no further request, and has got none of this one.
                place.0.is_ended.store(true, Ordering::Release);
                continue;
            }
            let is_used = place.0.is_used.swap(true, Ordering::AcqRel);
            let head = self.head(outgoing);
            let connection = Arc::clone(&place.0);
            let exchange = stream::exchange(sender, head, &outgoing.upload, place);
            return tokio::select! {
                answered = exchange => answered.map_err(|error| {
                    let failed = failed(&error, is_used);
                    if failed.is_stale() {
                        // What is sent again must not meet it before its driver has seen its end.
                        connection.is_ended.store(true, Ordering::Release);
                    }
                    failed
                }),
                () = outgoing.late() => Err(Failed::Late),
            };
        }
    }

    /// Closes connections that nothing has been on for so long.
    pub fn close_idle(&self, limit: Duration) {
        self.state().connections.retain(|connection| {
            let idle_since = *connection.idle_since();
            connection.in_flight.load(Ordering::Acquire) > 0 || idle_since.elapsed() < limit
        });
    }

    fn head(&self, outgoing: &Outgoing) -> hyper::Request<()> {
        let mut head = outgoing.head.clone();
        let mut parts = head.uri().clone().into_parts();
        parts.scheme = Some(self.scheme.clone());
        parts.authority = Some(self.connector.authority.clone());
        *head.uri_mut() = hyper::Uri::from_parts(parts).expect("a scheme, an authority and a path");
        *head.version_mut() = hyper::Version::HTTP_2;
        head
    }

    /// A place on a connection that has one, or else on one that is made.
    async fn take(self: &Arc<Self>) -> Result<Place, Failed> {
        loop {
            let mut dial = {
                let mut state = self.state();
                if let Some(place) = state.place() {
                    return Ok(place);
                }
                let dial = state.dial.get_or_insert_with(|| self.dial());
                dial.clone()
            };
            let outcome = match dial.wait_for(Option::is_some).await {
                Ok(outcome) => outcome.clone(),
                Err(_) => Some(Err("the attempt was given up".to_owned())),
            };
            if let Some(Err(cause)) = outcome {
                return Err(Failed::NotConnected(cause));
            }
        }
    }

    /// Makes a connection, also where nobody waits for it any more: others may.
    fn dial(self: &Arc<Self>) -> Dial {
        let (tell, dial) = watch::channel(None);
        let pool = Arc::clone(self);
        tokio::spawn(async move {
            let connected = connect(&pool.connector).await;
            let outcome = {
                let mut state = pool.state();
                state.dial = None;
                connected.map(|connection| state.connections.push(connection))
            };
            tell.send_replace(Some(outcome));
        });
        dial
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn place(&mut self) -> Option<Place> {
        self.connections
            .retain(|connection| !connection.is_ended.load(Ordering::Acquire));
        let found = self.connections.iter().find(|connection| {
            let allowed = connection.sender.current_max_send_streams();
            connection.in_flight.load(Ordering::Acquire) < allowed
        })?;
        found.in_flight.fetch_add(1, Ordering::AcqRel);
        Some(Place(Arc::clone(found)))
    }
}

impl Connection {
    fn idle_since(&self) -> MutexGuard<'_, Instant> {
        self.idle_since
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        *self.0.idle_since() = Instant::now();
        self.0.in_flight.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Makes a connection, and lets it wait a little for what the instance allows on it.
async fn connect(connector: &Connector) -> Result<Arc<Connection>, String> {
    let stream = connector
        .connect()
        .await
        .map_err(|error| error.to_string())?;
    let shaken = Builder::new()
        .enable_push(false)
        .initial_max_send_streams(STREAMS_AT_FIRST)
        .initial_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .handshake(stream)
        .await;
    let (sender, mut driver) = shaken.map_err(|error| error.to_string())?;
    let pings = driver.ping_pong();
    let connection = Arc::new(Connection {
        sender,
        in_flight: AtomicUsize::new(0),
        is_used: AtomicBool::new(false),
        is_ended: AtomicBool::new(false),
        idle_since: Mutex::new(Instant::now()),
    });
    let told = Arc::downgrade(&connection);
    tokio::spawn(async move {
        let _ = driver.await;
        if let Some(connection) = told.upgrade() {
            connection.is_ended.store(true, Ordering::Release);
        }
    });
    if let Some(mut pings) = pings {
        // What the instance allows comes before the answer to this.
        let _ = timeout(SETTINGS_WAIT, pings.ping(Ping::opaque())).await;
    }
    if connection.sender.current_max_send_streams() == 0 {
        return Err("it allows no streams".to_owned());
    }
    Ok(connection)
}

fn failed(error: &h2::Error, is_used: bool) -> Failed {
    let is_refused = error.is_reset() && error.reason() == Some(Reason::REFUSED_STREAM);
    // Of a stream behind the last one that a GOAWAY names; those before it go on.
    let is_behind = error.is_go_away();
    if error.is_remote() && (is_refused || is_behind) {
        Failed::NotProcessed {
            is_stale: is_used && is_behind,
        }
    } else if error.is_library() {
        Failed::Broken
    } else {
        Failed::Unanswered {
            is_stale: is_used && error.is_io(),
        }
    }
}
