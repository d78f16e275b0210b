//! The conference system's service on axum and sqlx. It keeps conferences in `MariaDB`, and lists them
//! with countries that it asks another service for. SPEC.md of the system says how. It leaves out
//! whatever no clause asks for: migrations, caches, metrics.

mod attempts;
mod body;
mod breaker;
mod conference;
mod conferences;
mod config;
mod connections;
mod countries;
mod country;
mod log;
mod pages;
mod pool;
mod problems;
mod routes;
mod rows;
mod server;
mod session;
mod text;

use std::env;
use std::io;
use std::num::NonZero;
use std::process::ExitCode;
use std::thread::available_parallelism;

use mimalloc::MiMalloc;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};

use crate::config::Config;

const EXIT_CONFIGURATION: u8 = 2;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let config = match Config::read(|name| env::var(name).ok()) {
        Ok(config) => config,
        Err(error) => {
            eprintln!("conference: {error}");
            return ExitCode::from(EXIT_CONFIGURATION);
        }
    };
    match runtime().and_then(|runtime| runtime.block_on(run(config))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("conference: {error}");
            ExitCode::FAILURE
        }
    }
}

/// As many threads as there are CPUs. For one, tokio has a scheduler without queues to steal from.
fn runtime() -> io::Result<Runtime> {
    let mut builder = match available_parallelism().map_or(1, NonZero::get) {
        1 => Builder::new_current_thread(),
        _ => Builder::new_multi_thread(),
    };
    builder.enable_all().build()
}

async fn run(config: Config) -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let stop = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    server::serve(config, stop).await
}
