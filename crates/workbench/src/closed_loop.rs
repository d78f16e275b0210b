//! `closed-loop`: what a request costs a generator that only sends and receives: the floor.
//! It records no time, checks nothing and counts; a response is read, and the next request sent.

use std::io::Write;
use std::net::SocketAddr;

use clap::Args;
use serde_json::json;

use crate::client::Client;
use crate::clock::{NANOSECONDS_PER_SECOND, monotonic_ns, process_cpu_ns, until};

#[derive(Args)]
pub struct Arguments {
    /// Where the load goes; loopback only
    #[arg(long, value_name = "ADDRESS")]
    target: SocketAddr,
    /// Connections, each with one request in flight
    #[arg(long, value_name = "NUM")]
    connections: usize,
    /// How long
    #[arg(long, value_name = "NUM", value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
}

pub fn run(arguments: &Arguments, output: &mut dyn Write) -> anyhow::Result<()> {
    let mut client = Client::connect(arguments.target, arguments.connections)?;
    let (start_ns, start_cpu_ns) = (monotonic_ns(), process_cpu_ns());
    let end_ns = start_ns + arguments.seconds * NANOSECONDS_PER_SECOND;
    for index in 0..arguments.connections {
        client.send(index)?;
    }
    let mut requests: u64 = 0;
    while monotonic_ns() < end_ns {
        client.wait(&until(end_ns), |client, index| {
            requests += 1;
            client.send(index)
        })?;
    }
    let measured = json!({
        "requests": requests,
        "wall_ns": monotonic_ns() - start_ns,
        "cpu_ns": process_cpu_ns() - start_cpu_ns,
    });
    writeln!(output, "{measured}")?;
    Ok(())
}
