//! The mediation system's gateway on hyper. SPEC.md of the system says what it does. It leaves out
//! whatever the scenarios do not ask for: routing tables, retries, caches, metrics.

mod config;
mod conversion;
mod discard;
mod gateway;
mod headers;
mod passthrough;
mod server;
mod tls;
mod transform;
mod upstream;

use std::env;
use std::io;
use std::process::ExitCode;

use tokio::signal::unix::{SignalKind, signal};

use crate::config::{Config, WrongVariable};
use crate::server::{Server, listen};
use crate::upstream::Upstream;

const EXIT_CONFIGURATION: u8 = 2;

#[tokio::main]
async fn main() -> ExitCode {
    let (port, server) = match configured() {
        Ok(configured) => configured,
        Err(error) => {
            eprintln!("gateway: {error}");
            return ExitCode::from(EXIT_CONFIGURATION);
        }
    };
    match run(port, server).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gateway: {error}");
            ExitCode::FAILURE
        }
    }
}

fn configured() -> Result<(u16, Server), WrongVariable> {
    let config = Config::read(|name| env::var(name).ok())?;
    let upstream = Upstream::new(&config.upstream, tls::trust(&config.upstream)?);
    let acceptor = tls::acceptor(&config.client)?;
    let server = Server::new(config.client.protocol, acceptor, upstream);
    Ok((config.port, server))
}

async fn run(port: u16, server: Server) -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let listener = listen(port).await?;
    let stop = async {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    server.serve(listener, stop).await;
    Ok(())
}
