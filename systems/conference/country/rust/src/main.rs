//! The conference system's country service on hyper: says in which country a conference takes place.
//! SPEC.md of the system says how. It runs on one thread, and keeps nothing but its counters.

mod config;
mod countries;
mod country;
mod server;
mod stats;

use std::env;
use std::io;
use std::process::ExitCode;

use mimalloc::MiMalloc;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};

use crate::config::Config;
use crate::country::Country;
use crate::server::{listen, serve};

const EXIT_CONFIGURATION: u8 = 2;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let config = match Config::read(|name| env::var(name).ok()) {
        Ok(config) => config,
        Err(error) => {
            eprintln!("country: {error}");
            return ExitCode::from(EXIT_CONFIGURATION);
        }
    };
    // One thread: the service stands beside the load engine, and must not take a CPU from it.
    let runtime = Builder::new_current_thread().enable_all().build();
    match runtime.and_then(|runtime| runtime.block_on(run(config))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("country: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(config: Config) -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let listener = listen(config.host, config.port).await?;
    let stop = async {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    serve(listener, Country::new(config.delay), stop).await;
    Ok(())
}
