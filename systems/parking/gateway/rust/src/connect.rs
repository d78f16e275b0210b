//! Connections to instances, with TLS where it is spoken.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::http::uri::Authority;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::ServerName;

use crate::tls::HTTP2;

/// How long a connection may take to be made.
const CONNECT_LIMIT: Duration = Duration::from_secs(1);

/// Makes connections to one instance.
#[derive(Clone)]
pub struct Connector {
    /// Host and port of the instance.
    pub authority: Authority,
    /// None in cleartext.
    pub tls: Option<TlsConnector>,
    /// Whether the instance has to agree to HTTP/2.
    pub is_http2: bool,
}

/// A connection that was made.
pub enum Stream {
    /// In cleartext.
    Plain(TcpStream),
    /// Encrypted.
    Tls(Box<TlsStream<TcpStream>>),
}

/// A connection whose bytes are counted as they are read.
pub struct Counted {
    stream: Stream,
    read_bytes: Arc<AtomicU64>,
}

impl Connector {
    /// Makes one, TLS and its verification included.
    ///
    /// # Errors
    /// It was not made in time.
    pub async fn connect(&self) -> io::Result<Stream> {
        let connecting = timeout(CONNECT_LIMIT, self.connect_once());
        connecting
            .await
            .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }

    async fn connect_once(&self) -> io::Result<Stream> {
        let host = self.authority.host().trim_matches(['[', ']']);
        let default = if self.tls.is_some() { 443 } else { 80 };
        let port = self.authority.port_u16().unwrap_or(default);
        let stream = TcpStream::connect((host, port)).await?;
        // Small requests must not wait for an acknowledgement.
        stream.set_nodelay(true)?;
        let Some(tls) = &self.tls else {
            return Ok(Stream::Plain(stream));
        };
        let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
        let stream = tls.connect(name, stream).await?;
        if self.is_http2 && stream.get_ref().1.alpn_protocol() != Some(HTTP2) {
            return Err(io::Error::other("it does not agree to HTTP/2"));
        }
        Ok(Stream::Tls(Box::new(stream)))
    }
}

impl Counted {
    /// Counts from 0, and shares the count.
    pub fn new(stream: Stream) -> (Self, Arc<AtomicU64>) {
        let read_bytes = Arc::<AtomicU64>::default();
        let counted = Self {
            stream,
            read_bytes: Arc::clone(&read_bytes),
        };
        (counted, read_bytes)
    }
}

/// Does with the stream that it is what is asked of both.
macro_rules! either {
    ($stream:expr, $inner:ident => $does:expr) => {
        match $stream {
            Stream::Plain($inner) => {
                let $inner = Pin::new($inner);
                $does
            }
            Stream::Tls($inner) => {
                let $inner = Pin::new($inner);
                $does
            }
        }
    };
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        to: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        either!(self.get_mut(), inner => inner.poll_read(context, to))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        from: &[u8],
    ) -> Poll<io::Result<usize>> {
        either!(self.get_mut(), inner => inner.poll_write(context, from))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        from: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        either!(self.get_mut(), inner => inner.poll_write_vectored(context, from))
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Self::Plain(stream) => stream.is_write_vectored(),
            Self::Tls(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        either!(self.get_mut(), inner => inner.poll_flush(context))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        either!(self.get_mut(), inner => inner.poll_shutdown(context))
    }
}

impl AsyncRead for Counted {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        to: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = to.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(context, to);
        let count = to.filled().len() - before;
        this.read_bytes.fetch_add(count as u64, Ordering::AcqRel);
        read
    }
}

impl AsyncWrite for Counted {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        from: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(context, from)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        from: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write_vectored(context, from)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}
