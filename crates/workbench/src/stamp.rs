//! `stamp`: a server that tells when requests reached it, as the kernel stamped the last packet of
//! each.

use std::io::Write;
use std::net::SocketAddr;

use clap::Args;
use serde::Serialize;

use crate::answers::Http1Answers;
use crate::schedule::Process;
use crate::serve::answer_all;
use crate::sockets::{Sockets, Stamps};
use crate::statistics::{
    Quantiles, coefficient_of_variation, exponential_distance, gaps_ns, lateness_ns, quantiles,
};

#[derive(Args)]
pub struct Arguments {
    /// Address to listen on; port 0 lets the kernel choose
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// Planned arrivals a second
    #[arg(long, value_name = "NUM")]
    rate: f64,
    /// How the plan spreads arrivals
    #[arg(long, value_enum, default_value_t = Process::Constant)]
    process: Process,
    /// Stamps kept at most, their memory taken at the start
    #[arg(long, value_name = "NUM", default_value_t = 1_000_000)]
    keep: usize,
}

/// How requests arrived.
#[derive(Debug, Serialize)]
struct Arrivals {
    requests: usize,
    /// Beyond what was kept; in none of the figures.
    unstamped: usize,
    /// From the first to the last.
    span_ns: u64,
    gap_cv: Option<f64>,
    /// Against the grid of the planned rate; null for Poisson arrivals, which have none.
    lateness_ns: Option<Quantiles>,
    /// Kolmogorov-Smirnov distance of the gaps; null for constant arrivals.
    exponential_distance: Option<f64>,
}

pub fn run(arguments: &Arguments, output: &mut dyn Write) -> anyhow::Result<()> {
    let sockets = Sockets::listen(arguments.listen, Stamps::Kernel, output)?;
    let mut stamps_ns = Vec::with_capacity(arguments.keep);
    let mut unstamped = 0;
    answer_all::<Http1Answers>(sockets, |requests, arrived_ns| {
        for _ in 0..requests {
            if stamps_ns.len() < arguments.keep {
                stamps_ns.push(arrived_ns);
            } else {
                unstamped += 1;
            }
        }
    })?;
    // Two packets that arrive together may be received in the other order.
    stamps_ns.sort_unstable();
    let arrivals = arrivals(&stamps_ns, unstamped, arguments.rate, arguments.process);
    writeln!(output, "{}", serde_json::to_string(&arrivals)?)?;
    Ok(())
}

fn arrivals(stamps_ns: &[u64], unstamped: usize, rate: f64, process: Process) -> Arrivals {
    let gaps_ns = gaps_ns(stamps_ns);
    let is_constant = process == Process::Constant;
    Arrivals {
        requests: stamps_ns.len() + unstamped,
        unstamped,
        span_ns: gaps_ns.iter().sum(),
        gap_cv: coefficient_of_variation(&gaps_ns),
        lateness_ns: is_constant
            .then(|| quantiles(&mut lateness_ns(stamps_ns, rate)))
            .flatten(),
        exponential_distance: (!is_constant)
            .then(|| exponential_distance(&gaps_ns, rate))
            .flatten(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constant_arrivals_are_held_against_the_grid() {
        let stamps = [1_000, 1_001_000, 2_003_000];
        let found = arrivals(&stamps, 2, 1_000.0, Process::Constant);
        assert_eq!((found.requests, found.unstamped), (5, 2));
        assert_eq!(found.span_ns, 2_002_000);
        let late = found.lateness_ns.map(|late| (late.p50, late.p99));
        assert_eq!(late, Some((0, 2_000)));
        assert_eq!(found.exponential_distance, None);
    }

    #[test]
    fn poisson_arrivals_are_held_against_the_exponential_distribution() {
        let found = arrivals(&[0, 693_147_181], 0, 1.0, Process::Poisson);
        assert_eq!(found.lateness_ns, None);
        let distance = found.exponential_distance.unwrap_or_default();
        assert!((distance - 0.5).abs() < 1e-9, "{distance}");
    }
}
