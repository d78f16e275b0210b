//! Answers every POST /passthrough with its own body, by hyper and nothing else: what an answer costs in
//! Rust where no gateway is.

use std::env;
use std::io;

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::signal::unix::{SignalKind, signal};

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let port = env::var("PORT").unwrap_or_default();
    let host = env::var("HOST").unwrap_or("127.0.0.1".to_owned());
    let listener = TcpListener::bind(format!("{host}:{port}")).await?;
    println!("listening on {}", listener.local_addr()?);
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                tokio::spawn(serve(accepted?.0));
            }
            _ = terminate.recv() => return Ok(()),
            _ = interrupt.recv() => return Ok(()),
        }
    }
}

/// A connection that breaks is the caller's affair.
async fn serve(stream: TcpStream) {
    let _ = stream.set_nodelay(true);
    let _ = http1::Builder::new()
        .serve_connection(TokioIo::new(stream), service_fn(echo))
        .await;
}

async fn echo(request: Request<Incoming>) -> hyper::Result<Response<Full<Bytes>>> {
    let mut response = Response::new(Full::default());
    if request.uri().path() == "/passthrough" && request.method() == Method::POST {
        *response.body_mut() = Full::new(request.into_body().collect().await?.to_bytes());
    } else {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    Ok(response)
}
