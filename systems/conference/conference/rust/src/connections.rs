//! Kept connections to the other service. Neither hyper-util's client nor reqwest bounds how many are open.

use std::io;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::http::uri::Authority;
use hyper_util::rt::TokioIo;
use thiserror::Error;
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, SemaphorePermit};

const HTTP_PORT: u16 = 80;

/// Why there is no connection.
#[derive(Debug, Error)]
pub enum NoConnection {
    /// It was refused.
    #[error("cannot connect: {0}")]
    Refused(#[from] io::Error),
    /// It is there, and cannot be spoken on.
    #[error("cannot speak: {0}")]
    Broken(#[from] hyper::Error),
}

/// Lends connections, at most so many at a time.
pub struct Connections {
    authority: Authority,
    permits: Semaphore,
    /// Those that no request is on. Whoever has a permit takes one of them first, so that there are never
    /// more connections than permits.
    idle: Mutex<Vec<SendRequest<Full<Bytes>>>>,
}

/// A connection that is lent.
pub struct Lent<'a> {
    /// What a request is sent by.
    pub sender: SendRequest<Full<Bytes>>,
    _permit: SemaphorePermit<'a>,
}

impl Connections {
    /// Opens none yet.
    pub fn new(authority: Authority, most: usize) -> Self {
        Self {
            authority,
            permits: Semaphore::new(most),
            idle: Mutex::default(),
        }
    }

    /// Waits for a connection, however long it takes.
    pub async fn take(&self) -> Result<Lent<'_>, NoConnection> {
        let permit = self.permits.acquire().await.expect("it is never closed");
        while let Some(mut sender) = self.pop() {
            // It ended meanwhile, or is not yet done with the answer before.
            if sender.ready().await.is_ok() {
                return Ok(Lent {
                    sender,
                    _permit: permit,
                });
            }
        }
        Ok(Lent {
            sender: self.connect().await?,
            _permit: permit,
        })
    }

    /// Takes back a connection whose answer was read to its end. One that is not given back is closed.
    pub fn give_back(&self, lent: Lent) {
        self.idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(lent.sender);
    }

    fn pop(&self) -> Option<SendRequest<Full<Bytes>>> {
        self.idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop()
    }

    async fn connect(&self) -> Result<SendRequest<Full<Bytes>>, NoConnection> {
        let port = self.authority.port_u16().unwrap_or(HTTP_PORT);
        let stream = TcpStream::connect((self.authority.host(), port)).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        // How it ends is told to whoever has a request on it.
        tokio::spawn(connection);
        Ok(sender)
    }
}
