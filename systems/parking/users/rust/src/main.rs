//! The parking system's users on axum and tokio-postgres. It keeps accounts, vehicles and wallets in
//! `PostgreSQL`. SPEC.md of the system says how. It leaves out whatever no clause asks for: migrations,
//! caches, metrics.

mod answers;
mod body;
mod caller;
mod coins;
mod complaints;
mod config;
mod debit;
mod environment;
mod failure;
mod grant;
mod health;
mod ids;
mod instant;
mod logins;
mod members;
mod passwords;
mod payments;
mod pool;
mod problems;
mod protocol;
mod registrar;
mod routes;
mod server;
mod service;
mod session;
mod tls;
mod tokens;
mod user;
mod users;
mod vehicle;
mod vehicles;
mod words;
mod work;

use std::env;
use std::io;
use std::num::NonZero;
use std::process::ExitCode;
use std::thread::available_parallelism;

use mimalloc::MiMalloc;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};
use tokio_rustls::TlsAcceptor;

use crate::config::Config;
use crate::environment::WrongVariable;

const EXIT_CONFIGURATION: u8 = 2;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let (config, tls) = match configured() {
        Ok(configured) => configured,
        Err(error) => {
            eprintln!("users: {error}");
            return ExitCode::from(EXIT_CONFIGURATION);
        }
    };
    match serve(&config, tls) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("users: {error}");
            ExitCode::FAILURE
        }
    }
}

fn configured() -> Result<(Config, Option<TlsAcceptor>), WrongVariable> {
    // A value that is no text is wrong, not missing.
    let variable = |name: &str| Some(env::var_os(name)?.to_string_lossy().into_owned());
    let config = Config::read(variable)?;
    let files = config.certificate.as_ref();
    let tls = files.map(|files| tls::acceptor(files, config.speaks));
    let tls = tls.transpose()?;
    Ok((config, tls))
}

fn serve(config: &Config, tls: Option<TlsAcceptor>) -> io::Result<()> {
    let cpus = available_parallelism().map_or(1, NonZero::get);
    let runtime = runtime(cpus)?;
    let served = runtime.block_on(run(config, tls, cpus));
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

async fn run(config: &Config, tls: Option<TlsAcceptor>, cpus: usize) -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let stop = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    server::serve(config, tls, cpus, stop).await
}
