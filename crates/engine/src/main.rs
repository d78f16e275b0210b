//! `loadstone-engine`: wires the command line to the library and the outcome to an exit code.

use clap::{Parser, Subcommand};
use loadstone_engine::{RunOptions, SchemaOf, run, schema};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Offer load over HTTP as a JSON plan says, and record what became of every request
///
/// Progress goes to stdout, one JSON object a line; records go to the folder of --out.
///
/// Example: loadstone-engine run --plan plan.json --out results
///
/// Exit codes: 0 the load ran, whatever it met; 2 it could not run, or its figures do not add up.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Carry out a plan
    Run {
        /// Read the plan from FILE; `-` is standard input, and the default with --control
        #[arg(long, value_name = "FILE", required_unless_present = "control")]
        plan: Option<PathBuf>,
        /// Read the plan from the first line of standard input, and a command from each later line
        #[arg(long)]
        control: bool,
        /// Write histograms.hlog, timeline.ndjson and samples.ndjson into DIR, created if need be
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Print the JSON Schema of the plan or of the lines on stdout
    Schema {
        /// Of which
        of: SchemaOf,
    },
}

fn main() -> ExitCode {
    let mut output = io::stdout().lock();
    let result = match Arguments::parse().command {
        Command::Run { plan, control, out } => {
            let plan = plan.unwrap_or_else(|| PathBuf::from("-"));
            run(&RunOptions { plan, control, out }, &mut output)
        }
        Command::Schema { of } => {
            schema(of).and_then(|text| writeln!(output, "{text}").map_err(anyhow::Error::from))
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}
