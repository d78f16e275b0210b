//! `sender`: the bare open loop: one global plan of intended times, a pool of connections of which
//! the one used last is taken first, and exact timers. How late it is shows what this machine
//! allows; it records nothing but that.

use std::collections::VecDeque;
use std::io::Write;
use std::net::SocketAddr;

use clap::Args;
use serde_json::json;

use crate::client::Client;
use crate::clock::{NANOSECONDS_PER_SECOND, monotonic_ns, no_timer_slack, process_cpu_ns, until};
use crate::schedule::{Process, Schedule};
use crate::statistics::quantiles;

/// What is waited for at the end, so that no request is cut off.
const GRACE_NS: u64 = NANOSECONDS_PER_SECOND;

#[derive(Args)]
pub struct Arguments {
    /// Where the load goes; loopback only
    #[arg(long, value_name = "ADDRESS")]
    target: SocketAddr,
    /// Requests a second
    #[arg(long, value_name = "NUM")]
    rate: f64,
    /// How arrivals are spread
    #[arg(long, value_enum, default_value_t = Process::Constant)]
    process: Process,
    /// Of Poisson arrivals
    #[arg(long, value_name = "NUM", default_value_t = 1)]
    seed: u64,
    /// Connections; a request waits for one when all are in use
    #[arg(long, value_name = "NUM", default_value_t = 50)]
    connections: usize,
    /// How long
    #[arg(long, value_name = "NUM", value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
}

pub fn run(arguments: &Arguments, output: &mut dyn Write) -> anyhow::Result<()> {
    no_timer_slack()?;
    let mut client = Client::connect(arguments.target, arguments.connections)?;
    let duration_ns = arguments.seconds * NANOSECONDS_PER_SECOND;
    let mut plan = Schedule::new(arguments.rate, arguments.process, arguments.seed)
        .take_while(|at_ns| *at_ns < duration_ns)
        .peekable();
    let mut idle: Vec<usize> = (0..arguments.connections).collect();
    let mut waiting: VecDeque<u64> = VecDeque::new();
    let mut lag_ns = Vec::new();
    let (start_ns, start_cpu_ns) = (monotonic_ns(), process_cpu_ns());
    loop {
        while let Some(at_ns) = plan.next_if(|at_ns| start_ns + at_ns <= monotonic_ns()) {
            waiting.push_back(start_ns + at_ns);
        }
        while let (Some(intended_ns), Some(index)) = (waiting.front(), idle.last()) {
            lag_ns.push(monotonic_ns() - intended_ns);
            client.send(*index)?;
            waiting.pop_front();
            idle.pop();
        }
        let end_ns = start_ns + duration_ns + GRACE_NS;
        let is_over = waiting.is_empty() && idle.len() == arguments.connections;
        let next_ns = plan.peek().map(|at_ns| start_ns + at_ns);
        if (next_ns.is_none() && is_over) || monotonic_ns() >= end_ns {
            break;
        }
        client.wait(&until(next_ns.unwrap_or(end_ns)), |_, index| {
            idle.push(index);
            Ok(())
        })?;
    }
    let measured = json!({
        "requests": lag_ns.len(),
        "never_sent": waiting.len() + plan.count(),
        "unanswered": arguments.connections - idle.len(),
        "lag_ns": quantiles(&mut lag_ns),
        "wall_ns": monotonic_ns() - start_ns,
        "cpu_ns": process_cpu_ns() - start_cpu_ns,
    });
    writeln!(output, "{measured}")?;
    Ok(())
}
