//! `loadstone-workbench`: servers and bare loops that the benchmark of the load engine needs.
//!
//! The servers tell what really reached them and when; the loops do the least that a generator can
//! do, so that what the engine does beyond it has a price. Nothing here is shipped or measured
//! against people's services: clients load loopback only.

mod answers;
mod client;
mod clock;
mod closed_loop;
mod delay;
mod delays;
mod http2_answers;
mod receive_stamped;
mod request_ends;
mod schedule;
mod sender;
mod serve;
mod session;
mod sockets;
mod stamp;
mod statistics;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Serve, time and load for the benchmark of the load engine
///
/// Servers say `listening on ADDRESS`, and end when their standard input is closed. Results are one
/// JSON object on stdout, times in nanoseconds.
///
/// Example: loadstone-workbench closed-loop --target 127.0.0.1:9090 --connections 64 --seconds 5
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Answer every request with the same small response, as cheaply as possible
    Serve(serve::Arguments),
    /// Load with a bare closed loop that records nothing: the floor of what a request costs
    ClosedLoop(closed_loop::Arguments),
    /// Send at planned times with a bare open loop, and tell how late it was
    Sender(sender::Arguments),
    /// Answer like `serve`, and tell how late and how evenly requests arrived
    Stamp(stamp::Arguments),
    /// Answer after a drawn delay, and tell how long each request really waited
    Delay(delay::Arguments),
}

fn main() -> ExitCode {
    let mut output = io::stdout().lock();
    let result = match Arguments::parse().command {
        Command::Serve(arguments) => serve::run(&arguments, &mut output),
        Command::ClosedLoop(arguments) => closed_loop::run(&arguments, &mut output),
        Command::Sender(arguments) => sender::run(&arguments, &mut output),
        Command::Stamp(arguments) => stamp::run(&arguments, &mut output),
        Command::Delay(arguments) => delay::run(&arguments, &mut output),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}
