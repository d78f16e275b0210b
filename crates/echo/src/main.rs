//! The echo backend: the upstream that every gateway is measured against.
//!
//! It answers any method on any path with the request's own body, so that what a gateway changed is
//! visible, and costs so little that the gateway stays the limit. It speaks cleartext HTTP/1.1;
//! it keeps no state, writes no log per request and reads no file.

mod arguments;
mod echo;
mod server;

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser as _;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::arguments::Arguments;
use crate::server::serve;

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
        serve(listener, arguments.settings(), async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        })
        .await;
        Ok(())
    })
}
