//! Connections to an instance on HTTP/1.1, each with one request at a time, kept for the next ones.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::{HOST, HeaderValue};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;

use crate::answer::AnswerBody;
use crate::attempt::{Failed, Outgoing};
use crate::connect::{Connector, Counted};
use crate::fields::join_cookies;
use crate::upload::Sent;

/// Connections to one instance.
pub struct Pool {
    connector: Connector,
    host: HeaderValue,
    /// Those that nothing is on; the one that was used last is last.
    idle: Mutex<Vec<Idle>>,
}

struct Idle {
    connection: Connection,
    since: Instant,
}

struct Connection {
    sender: SendRequest<Sent>,
    /// How many bytes have come on it.
    read_bytes: Arc<AtomicU64>,
    is_used: bool,
}

impl Pool {
    /// Opens no connection yet.
    pub fn new(connector: Connector) -> Self {
        let host = HeaderValue::from_str(connector.authority.as_str());
        Self {
            connector,
            host: host.expect("an authority is of visible characters"),
            idle: Mutex::default(),
        }
    }

    /// Sends a request, and waits for the head of its answer; on a new connection where `is_fresh` says so.
    ///
    /// # Errors
    /// There is none.
    pub async fn send(
        self: &Arc<Self>,
        outgoing: &Outgoing,
        is_fresh: bool,
    ) -> Result<Response<AnswerBody>, Failed> {
        let mut request = self.request(outgoing);
        loop {
            let mut connection = self.take(is_fresh).await?;
            let before = connection.read_bytes.load(Ordering::Acquire);
            let answer = connection.sender.try_send_request(request);
            let answered = tokio::select! {
                answered = answer => answered,
                () = outgoing.late() => return Err(Failed::Late),
            };
            let mut error = match answered {
                Ok(answer) => {
                    self.keep(connection);
                    return Ok(answer.map(AnswerBody::Http1));
                }
                Err(error) => error,
            };
            match error.take_message() {
                // It had ended before anything was written on it; the next one may have, too.
                Some(unsent) if connection.is_used => request = unsent,
                Some(_) => return Err(Failed::NotConnected(error.error().to_string())),
                None if connection.read_bytes.load(Ordering::Acquire) != before => {
                    return Err(Failed::Broken);
                }
                None => {
                    let is_stale = connection.is_used;
                    return Err(Failed::Unanswered { is_stale });
                }
            }
        }
    }

    /// Closes connections that nothing has been on for so long.
    pub fn close_idle(&self, limit: Duration) {
        self.idle().retain(|idle| idle.since.elapsed() < limit);
    }

    fn request(&self, outgoing: &Outgoing) -> Request<Sent> {
        let mut head = outgoing.head.clone();
        head.headers_mut().insert(HOST, self.host.clone());
        join_cookies(head.headers_mut());
        head.map(|()| outgoing.upload.sent())
    }

    async fn take(&self, is_fresh: bool) -> Result<Connection, Failed> {
        if !is_fresh && let Some(connection) = self.kept() {
            return Ok(connection);
        }
        let not_connected = |cause: String| Failed::NotConnected(cause);
        let stream = self.connector.connect().await;
        let stream = stream.map_err(|error| not_connected(error.to_string()))?;
        let (stream, read_bytes) = Counted::new(stream);
        let shaken = http1::handshake(TokioIo::new(stream)).await;
        let (sender, driver) = shaken.map_err(|error| not_connected(error.to_string()))?;
        tokio::spawn(driver);
        Ok(Connection {
            sender,
            read_bytes,
            is_used: false,
        })
    }

    /// One that nothing is on, and that has not ended.
    fn kept(&self) -> Option<Connection> {
        loop {
            let Idle { connection, .. } = self.idle().pop()?;
            if connection.sender.is_ready() {
                return Some(connection);
            }
        }
    }

    /// Keeps a connection, once the answer on it was read to its end.
    fn keep(self: &Arc<Self>, mut connection: Connection) {
        let pool = Arc::downgrade(self);
        connection.is_used = true;
        tokio::spawn(async move {
            let is_ready = connection.sender.ready().await.is_ok();
            if let Some(pool) = pool.upgrade().filter(|_| is_ready) {
                let since = Instant::now();
                pool.idle().push(Idle { connection, since });
            }
        });
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Idle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
