//! The client of the upstream leg: its pool of connections, its versions, its waits.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{Either, Full};
use hyper::body::Incoming;
use hyper::http::uri::{Authority, PathAndQuery, Scheme};
use hyper::{Request, Response, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::client::legacy::connect::{Connection as _, HttpConnector};
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use thiserror::Error;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::rustls::ClientConfig;
use tower_service::Service;

use crate::config::{Protocol, UpstreamLeg};

const PATH: &str = "/service/EchoService";

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The wait for the head of an answer, as long as the published gateways waited.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// As long as for connections of callers.
const IDLE_TIMEOUT: Duration = Duration::from_mins(1);

/// What an answer may have sent before its caller reads.
const STREAM_WINDOW_BYTES: u32 = 256 << 10;

/// All streams of a connection share its window. It holds that of 250 streams, so that callers who
/// do not read hold up no other.
const CONNECTION_WINDOW_BYTES: u32 = 250 * STREAM_WINDOW_BYTES;

/// A caller's body as it comes, or one that was made here.
pub type RequestBody = Either<Incoming, Full<Bytes>>;

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum NoAnswer {
    /// It is gone, or sent a broken body: no failure of the upstream.
    #[error("the caller broke off")]
    Caller,
    /// It could not be reached, or broke the connection.
    #[error("{}", chain(.0))]
    Upstream(Error),
    /// It was reached, and sent nothing.
    #[error("no answer within {} s", ANSWER_TIMEOUT.as_secs())]
    Late,
}

/// The service that requests are passed on to.
pub struct Upstream {
    client: Client<Connector, RequestBody>,
    scheme: Scheme,
    authority: Authority,
}

impl Upstream {
    /// Opens no connection yet.
    pub fn new(leg: &UpstreamLeg, trust: ClientConfig) -> Self {
        // A request that was never written because its connection had ended is given another one.
        // What was written, even in part, is not sent again.
        let client = Client::builder(TokioExecutor::new())
            .http2_only(leg.protocol.is_http2())
            .http2_initial_stream_window_size(STREAM_WINDOW_BYTES)
            .http2_initial_connection_window_size(CONNECTION_WINDOW_BYTES)
            .timer(TokioTimer::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_TIMEOUT)
            .build(Connector::new(leg.protocol, trust));
        Self {
            client,
            scheme: if leg.protocol.is_tls() {
                Scheme::HTTPS
            } else {
                Scheme::HTTP
            },
            authority: leg.authority.clone(),
        }
    }

    /// The address of the service, with a query as it came.
    pub fn uri(&self, query: Option<&str>) -> Uri {
        let path = match query {
            None => PathAndQuery::from_static(PATH),
            Some(query) => PathAndQuery::try_from(format!("{PATH}?{query}"))
                .expect("a query that was one already"),
        };
        Uri::builder()
            .scheme(self.scheme.clone())
            .authority(self.authority.clone())
            .path_and_query(path)
            .build()
            .expect("scheme, authority and path")
    }

    /// Sends a request, and waits for the head of its answer.
    ///
    /// # Errors
    /// There is none.
    pub async fn ask(&self, request: Request<RequestBody>) -> Result<Response<Incoming>, NoAnswer> {
        match timeout(ANSWER_TIMEOUT, self.client.request(request)).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) if is_callers(&error) => Err(NoAnswer::Caller),
            Ok(Err(error)) => Err(NoAnswer::Upstream(error)),
            Err(_) => Err(NoAnswer::Late),
        }
    }
}

/// Whether the body could not be read, rather than not be sent.
fn is_callers(error: &Error) -> bool {
    std::error::Error::source(error)
        .and_then(|source| source.downcast_ref::<hyper::Error>())
        .is_some_and(hyper::Error::is_user)
}

/// An error and its causes, in one line.
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Connects within [`CONNECT_TIMEOUT`], the handshake included, and holds the upstream to HTTP/2
/// where nothing else is spoken.
#[derive(Clone)]
struct Connector {
    https: HttpsConnector<HttpConnector>,
    needs_agreement: bool,
}

impl Connector {
    fn new(protocol: Protocol, trust: ClientConfig) -> Self {
        let mut http = HttpConnector::new();
        http.set_nodelay(true);
        http.enforce_http(false);
        let builder = HttpsConnectorBuilder::new()
            .with_tls_config(trust)
            .https_or_http();
        let https = match protocol {
            Protocol::H1c | Protocol::H1 => builder.enable_http1().wrap_connector(http),
            Protocol::H2c | Protocol::H2 => builder.enable_http2().wrap_connector(http),
            Protocol::H2Downgrade => builder.enable_all_versions().wrap_connector(http),
        };
        Self {
            https,
            needs_agreement: protocol == Protocol::H2,
        }
    }
}

impl Service<Uri> for Connector {
    type Response = MaybeHttpsStream<TokioIo<TcpStream>>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.https.poll_ready(context)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connecting = self.https.call(uri);
        let needs_agreement = self.needs_agreement;
        Box::pin(async move {
            let stream = timeout(CONNECT_TIMEOUT, connecting)
                .await
                .map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
            if needs_agreement && !stream.connected().is_negotiated_h2() {
                return Err(io::Error::other("it does not agree to HTTP/2").into());
            }
            Ok(stream)
        })
    }
}
