//! The echo backend: the upstream that every gateway is measured against.
//!
//! It answers any method on any path with the request's own body, so that what a gateway changed is
//! visible, and costs so little that the gateway stays the limit. It speaks HTTP/1.1 or HTTP/2, in
//! cleartext or over TLS, one of them on its port; it keeps no state, writes no log per request and reads no
//! file but its certificate and key.

mod arguments;
mod echo;
mod server;
mod tls;

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser as _;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::arguments::{Arguments, CleartextError};
use crate::server::{Service, serve};

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("loadstone-echo: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let service = service(arguments)?;
    // One thread: the echo shares its CPU with the engine, and a second thread could only compete.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the event loop")?;
    runtime.block_on(async {
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let listener = TcpListener::bind(arguments.listen)
            .await
            .with_context(|| format!("cannot listen on {}", arguments.listen))?;
        writeln!(std::io::stdout(), "listening on {}", listener.local_addr()?)?;
        serve(listener, service, async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        })
        .await;
        Ok(())
    })
}

fn service(arguments: &Arguments) -> anyhow::Result<Service> {
    let tls = match (
        arguments.protocol.alpn(),
        &arguments.tls_certificate,
        &arguments.tls_key,
    ) {
        (Some(alpn), Some(certificate), Some(key)) => Some(tls::acceptor(certificate, key, alpn)?),
        (None, None, None) => None,
        _ => return Err(CleartextError.into()),
    };
    Ok(Service {
        settings: arguments.settings(),
        is_http2: arguments.protocol.is_http2(),
        tls,
    })
}
