//! Between which addresses connections are opened.
//!
//! One address has about 28,000 ports for one target (`ip_local_port_range`), so that more connections
//! need several to come from, which on loopback there are.

use rustix::fd::AsFd;
use rustix::io::Errno;
use rustix::net::bind;
use std::net::{IpAddr, SocketAddr};

/// Where connections come from, and where they go.
#[derive(Clone, Debug)]
pub struct Route {
    /// Where they go.
    pub target: SocketAddr,
    /// Where they come from.
    pub sources: Sources,
}

/// The addresses of this side that the plan names, in turn over the connections of all workers.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    addresses: Vec<IpAddr>,
    worker: usize,
    workers: usize,
}

impl Sources {
    /// Those of one worker of several; without addresses the kernel chooses.
    #[must_use]
    pub fn of_worker(addresses: &[IpAddr], worker: usize, workers: usize) -> Self {
        Self {
            addresses: addresses.to_vec(),
            worker,
            workers: workers.max(1),
        }
    }

    /// The address for the connection of a slot.
    #[must_use]
    fn of(&self, slot: usize) -> Option<IpAddr> {
        let connection = slot * self.workers + self.worker;
        let count = self.addresses.len();
        (count > 0).then(|| self.addresses[connection % count])
    }

    /// Binds the socket of a slot to its address, if the plan names any; the kernel chooses the port.
    ///
    /// # Errors
    /// If the address has no free port, or is not of this machine.
    pub fn bind(&self, socket: impl AsFd, slot: usize) -> Result<(), Errno> {
        match self.of(slot) {
            Some(address) => bind(socket, &SocketAddr::new(address, 0)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_of_all_workers_take_the_addresses_in_turn() {
        let addresses =
            ["127.0.0.2", "127.0.0.3", "127.0.0.4"].map(|one| one.parse().expect("is one"));
        let mut counts = [0; 3];
        for worker in 0..2 {
            let sources = Sources::of_worker(&addresses, worker, 2);
            for slot in 0..30 {
                let address = sources.of(slot).expect("there are some");
                let index = addresses.iter().position(|one| *one == address);
                counts[index.expect("is one of them")] += 1;
            }
        }
        assert_eq!(counts, [20, 20, 20]);
        assert_eq!(Sources::default().of(7), None);
    }
}
