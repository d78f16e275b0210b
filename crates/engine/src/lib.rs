//! The load engine of Loadstone: offers load over HTTP, times every request by three clocks, and
//! loses none.
//!
//! ```text
//! plan.json ─► coordinator ─► one worker per CPU ─► intervals, once a second ─► coordinator ─► report
//!                              │ asks `arrivals` what is due
//!                              │ writes and reads it by `exchange` and `protocol`
//!                              │ waits for sockets in an `event_loop`
//!                              └ notes in `record` what became of it
//! ```
//!
//! Each folder uses only those above it in this list:
//!
//! | folder | what is in it |
//! |---|---|
//! | `host` | the time, what the engine uses itself, and how its threads are scheduled |
//! | `plan` | what the engine is told to do, and which plans it refuses |
//! | `protocol` | HTTP/1.1, HTTP/2, HPACK, TLS and content codings: bytes in, bytes out |
//! | `outcome` | what becomes of a request |
//! | `arrivals` | when requests are intended, and in which lane: users or a rate |
//! | `session` | what one session does and knows: its steps, its values, its captures |
//! | `event_loop` | sockets by slot, and waiting for them: `io_uring` or `epoll` |
//! | `record` | clocks, intervals, rows and samples, as values |
//! | `interval_rules` | rules that judge an interval |
//! | `report` | events on stdout, the summary, and the files of the records |
//! | `exchange` | a request and its response, in a lane of a connection |
//! | `worker` | one thread that loads |
//! | `coordinator` | starts workers, merges and writes what they hand over, begins the window, stops them |
//!
//! Some words have one meaning throughout. A *slot* is the place of a connection. A *lane* is the place
//! of one request in flight; a connection has as many lanes as streams. A *tag* is the number of a lane
//! within its connection. A *home* is the lanes that share a connection, and its slot; a second one is for
//! the connection's successor while it brings its last answers. A *session* is the operations that a user or an arrival performs in order.
//!
//! A worker shares nothing with the others: it owns its sockets, its part of the arrivals and its
//! histograms. Once a second it hands an interval over to the coordinator, which merges, compresses
//! and writes. A worker has no sockets, clock or thread but those of the `EventLoop` that it is given and
//! of `worker::thread`, which runs it; so all the rest is tested without them.
//!
//! Left out so far: several groups, values carried from one response to the next request, and the
//! search for a capacity.

mod arrivals;
mod coordinator;
mod event_loop;
mod exchange;
mod feeds;
#[doc(hidden)]
pub mod fuzzing;
mod host;
mod interval_rules;
mod outcome;
mod plan;
mod protocol;
mod record;
mod report;
mod session;
mod worker;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use schemars::{Schema, schema_for};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// What `loadstone-engine run` was asked for.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The plan's file; `-` is standard input.
    pub plan: PathBuf,
    /// Whether standard input goes on after the plan, its first line, with commands.
    pub control: bool,
    /// The folder of the records.
    pub out: PathBuf,
}

/// What a schema can be printed of.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SchemaOf {
    /// What the engine reads.
    Plan,
    /// What it writes to stdout, line by line.
    Event,
}

/// Reads and carries out a plan; progress and summary go to `output`.
///
/// # Errors
/// If it could not run; the error was also written as the last event.
pub fn run(options: &RunOptions, output: &mut impl Write) -> Result<()> {
    let result = load(options, output);
    let last = match &result {
        Ok(summary) => report::engine_event::EngineEvent::Finished {
            summary: Box::new(summary.clone()),
        },
        Err(error) => report::engine_event::EngineEvent::Failed {
            error: format!("{error:#}"),
            cause: if error.is::<report::record_files::Unwritable>() {
                report::engine_event::FailureCause::Records
            } else {
                report::engine_event::FailureCause::Other
            },
        },
    };
    last.write(output).context("cannot write to stdout")?;
    result.map(|_| ())
}

fn load(options: &RunOptions, output: &mut impl Write) -> Result<report::summary::LoadFacts> {
    let text = read_plan(options)?;
    let (plan, address) = plan::check::read(&text)
        .with_context(|| format!("the plan {} is refused", options.plan.display()))?;
    let tls = protocol::tls::TlsSettings::of(&plan)
        .with_context(|| format!("the plan {} is refused", options.plan.display()))?;
    let tls = tls.as_ref();
    let feeds = feeds::read(&plan.feeds, options.plan.parent())
        .with_context(|| format!("the plan {} cannot be carried out", options.plan.display()))?;
    let control = options.control;
    coordinator::run(&plan, address, tls, &feeds, &options.out, control, output)
}

fn read_plan(options: &RunOptions) -> Result<String> {
    let path = &options.plan;
    if path == Path::new("-") {
        let mut text = String::new();
        let length = if options.control {
            io::stdin().read_line(&mut text)
        } else {
            io::stdin().read_to_string(&mut text)
        };
        length.context("cannot read the plan from standard input")?;
        return Ok(text);
    }
    ensure!(
        !options.control,
        "with --control the plan is the first line of standard input; leave --plan {} out",
        path.display()
    );
    fs::read_to_string(path).with_context(|| format!("cannot read the plan {}", path.display()))
}

/// The JSON Schema of what the engine reads or writes.
///
/// # Errors
/// Never in practice: a schema is plain JSON.
pub fn schema(of: SchemaOf) -> Result<String> {
    let schema: Schema = match of {
        SchemaOf::Plan => schema_for!(plan::Plan),
        SchemaOf::Event => schema_for!(report::engine_event::EngineEvent),
    };
    Ok(serde_json::to_string_pretty(&schema)?)
}
