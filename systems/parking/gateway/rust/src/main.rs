//! The parking system's gateway on hyper. SPEC.md of the system says what it does. It leaves out whatever no
//! clause asks for: other routes, rate limits, caches, metrics.

mod answer;
mod attempt;
mod attempts;
mod complaints;
mod config;
mod connect;
mod discovery;
mod environment;
mod eureka;
mod fields;
mod gateway;
mod http1;
mod http2;
mod instances;
mod pages;
mod paths;
mod problem;
mod protocol;
mod server;
mod tls;
mod tokens;
mod upload;

use std::env;
use std::io;
use std::num::NonZero;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::available_parallelism;

use hyper::header::HeaderValue;
use mimalloc::MiMalloc;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};
use tokio_rustls::TlsAcceptor;

use crate::complaints::Complaints;
use crate::config::{Config, Finding};
use crate::discovery::{Discovery, HasList};
use crate::environment::WrongVariable;
use crate::gateway::Gateway;
use crate::instances::{Instances, Reach};
use crate::pages::Pages;
use crate::tokens::Tokens;

const EXIT_CONFIGURATION: u8 = 2;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// What the process is told, and what its files say.
struct Told {
    config: Config,
    acceptor: Option<TlsAcceptor>,
    reach: Reach,
}

fn main() -> ExitCode {
    let told = match Told::read() {
        Ok(told) => told,
        Err(error) => {
            eprintln!("gateway: {error}");
            return ExitCode::from(EXIT_CONFIGURATION);
        }
    };
    match serve(told) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gateway: {error}");
            ExitCode::FAILURE
        }
    }
}

impl Told {
    fn read() -> Result<Self, WrongVariable> {
        // A value that is no text is wrong, not missing.
        let variable = |name: &str| Some(env::var_os(name)?.to_string_lossy().into_owned());
        let config = Config::read(variable)?;
        let acceptor = tls::acceptor(&config.client)?;
        let reach = Reach {
            speaks: config.upstream.speaks,
            tls: tls::connector(&config.upstream)?,
        };
        Ok(Self {
            config,
            acceptor,
            reach,
        })
    }
}

fn serve(told: Told) -> io::Result<()> {
    let runtime = runtime()?;
    let served = runtime.block_on(run(told));
    // What is cut off does not hold the end up.
    runtime.shutdown_background();
    served
}

/// As many threads as there are CPUs. For one, tokio has a scheduler without queues to steal from.
fn runtime() -> io::Result<Runtime> {
    let mut builder = match available_parallelism().map_or(1, NonZero::get) {
        1 => Builder::new_current_thread(),
        _ => Builder::new_multi_thread(),
    };
    builder.enable_all().build()
}

async fn run(told: Told) -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let stop = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    let Told {
        config,
        acceptor,
        reach,
    } = told;
    let (listener, port) = server::listen(config.host, config.port).await?;
    let complaints = Complaints::default();
    let (instances, has_list) = find(&config, reach, &complaints);
    let looked_after = Arc::clone(&instances);
    tokio::spawn(async move { looked_after.look_after_connections().await });
    let name = HeaderValue::from_str(&format!("gateway-{port}"));
    let gateway = Gateway {
        name: name.expect("letters and digits"),
        scheme: if config.client.speaks.is_tls() {
            "https"
        } else {
            "http"
        },
        tokens: Tokens::new(&config.secret),
        pages: Pages(config.origin),
        instances,
        has_list,
        answer_limit: config.upstream.answer_limit,
        complaints,
    };
    server::serve(listener, config.client.speaks, acceptor, gateway, stop).await;
    Ok(())
}

/// The instances that are named, or those that a registry will name.
fn find(config: &Config, reach: Reach, complaints: &Complaints) -> (Arc<Instances>, HasList) {
    match &config.finding {
        Finding::Static(authorities) => {
            let instances = Instances::new(reach, authorities);
            (Arc::new(instances), Arc::new(AtomicBool::new(true)))
        }
        Finding::Eureka(registry) => {
            let discovery = Discovery::new(registry, reach.speaks, complaints.clone());
            let instances = Arc::new(Instances::new(reach, &[]));
            let has_list = HasList::default();
            tokio::spawn(discovery.run(Arc::clone(&instances), Arc::clone(&has_list)));
            (instances, has_list)
        }
    }
}
