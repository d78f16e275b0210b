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
use std::net::Ipv4Addr;
use std::num::NonZero;
use std::process::ExitCode;
use std::thread::available_parallelism;

use mimalloc::MiMalloc;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};

use crate::config::{Config, WrongVariable};
use crate::server::{Server, listen};
use crate::upstream::Upstream;

const EXIT_CONFIGURATION: u8 = 2;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let (host, port, server) = match configured() {
        Ok(configured) => configured,
        Err(error) => {
            eprintln!("gateway: {error}");
            return ExitCode::from(EXIT_CONFIGURATION);
        }
    };
    match runtime().and_then(|runtime| runtime.block_on(run(host, port, server))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gateway: {error}");
            ExitCode::FAILURE
        }
    }
}

fn configured() -> Result<(Ipv4Addr, u16, Server), WrongVariable> {
    let config = Config::read(|name| env::var(name).ok())?;
    let upstream = Upstream::new(&config.upstream, tls::trust(&config.upstream)?);
    let acceptor = tls::acceptor(&config.client)?;
    let server = Server::new(config.client.protocol, acceptor, upstream);
    Ok((config.host, config.port, server))
}

/// As many threads as there are CPUs. For one, tokio has a scheduler without queues to steal from.
fn runtime() -> io::Result<Runtime> {
    let mut builder = match available_parallelism().map_or(1, NonZero::get) {
        1 => Builder::new_current_thread(),
        _ => Builder::new_multi_thread(),
    };
    builder.enable_all().build()
}

async fn run(host: Ipv4Addr, port: u16, server: Server) -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let listener = listen(host, port).await?;
    let stop = async {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    server.serve(listener, stop).await;
    Ok(())
}
