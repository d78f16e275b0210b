//! The booking system's service on axum and tokio-postgres. It keeps accounts, clubs, their facilities and
//! what is reserved there in `PostgreSQL`. SPEC.md of the system says how. It leaves out whatever no
//! clause asks for: migrations, caches, metrics.

mod accounts;
mod answers;
mod body;
mod caller;
mod clubs;
mod config;
mod decisions;
mod email;
mod facilities;
mod facility;
mod failure;
mod health;
mod ids;
mod instant;
mod log;
mod members;
mod pages;
mod passwords;
mod pool;
mod problems;
mod query;
mod ratings;
mod reservation;
mod reservations;
mod reserve;
mod role;
mod routes;
mod server;
mod service;
mod session;
mod slots;
mod tokens;
mod work;

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
    // A value that is no text is wrong, not missing.
    let variable = |name: &str| Some(env::var_os(name)?.to_string_lossy().into_owned());
    let config = match Config::read(variable) {
        Ok(config) => config,
        Err(error) => {
            eprintln!("booking: {error}");
            return ExitCode::from(EXIT_CONFIGURATION);
        }
    };
    match serve(&config) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("booking: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve(config: &Config) -> io::Result<()> {
    let cpus = available_parallelism().map_or(1, NonZero::get);
    let runtime = runtime(cpus)?;
    let served = runtime.block_on(run(config, cpus));
    // A hash that nobody waits for any more does not hold the end up.
    runtime.shutdown_background();
    served
}

/// As many threads as there are CPUs. For one, tokio has a scheduler without queues to steal from.
fn runtime(cpus: usize) -> io::Result<Runtime> {
    let mut builder = match cpus {
        1 => Builder::new_current_thread(),
        _ => Builder::new_multi_thread(),
    };
    builder.enable_all().build()
}

async fn run(config: &Config, cpus: usize) -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let stop = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    server::serve(config, cpus, stop).await
}
