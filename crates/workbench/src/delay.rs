//! `delay`: a server that answers after a drawn delay, and tells how long every request really
//! waited in it: the truth that a generator's service and response times are held against.
//!
//! A request waits from the arrival of its last packet, stamped by the kernel, to the monotonic
//! clock right before its answer is sent. Pipelined requests are not for this server.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::Write;
use std::net::SocketAddr;

use clap::Args;
use serde::Serialize;

use crate::answers::RESPONSE;
use crate::clock::{monotonic_ns, no_timer_slack, until};
use crate::delays::{Delays, Distribution};
use crate::request_ends::RequestEnds;
use crate::sockets::{Happening, Received, Sockets, Stamps};
use crate::statistics::{Quantiles, quantiles};

#[derive(Args)]
pub struct Arguments {
    /// Address to listen on; port 0 lets the kernel choose
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// How delays are distributed
    #[arg(long, value_enum)]
    distribution: Distribution,
    /// Of the drawn delays
    #[arg(long, value_name = "NUM", default_value_t = 1)]
    seed: u64,
}

/// How long requests waited here.
#[derive(Debug, Serialize)]
struct Truth {
    requests: usize,
    /// Arrived, but never answered: the server was told to finish, or the connection was gone.
    unanswered: usize,
    waited_ns: Option<Quantiles>,
}

/// A request that waits; the first in order is the one that is due first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    due_ns: u64,
    arrived_ns: u64,
    slot: usize,
    /// Of the connection: its slot may meanwhile hold another.
    connection: u64,
}

#[derive(Default)]
struct Connection {
    number: u64,
    ends: RequestEnds,
}

pub fn run(arguments: &Arguments, output: &mut dyn Write) -> anyhow::Result<()> {
    no_timer_slack()?;
    let sockets = Sockets::listen(arguments.listen, Stamps::Kernel, output)?;
    let mut stub = Stub {
        sockets,
        delays: Delays::new(arguments.distribution, arguments.seed),
        connections: Vec::new(),
        opened: 0,
        first_ns: None,
        waiting: BinaryHeap::new(),
        waited_ns: Vec::new(),
        unanswered: 0,
    };
    while stub.turn()? {}
    let truth = Truth {
        requests: stub.waited_ns.len() + stub.waiting.len() + stub.unanswered,
        unanswered: stub.waiting.len() + stub.unanswered,
        waited_ns: quantiles(&mut stub.waited_ns),
    };
    writeln!(output, "{}", serde_json::to_string(&truth)?)?;
    Ok(())
}

struct Stub {
    sockets: Sockets,
    delays: Delays,
    connections: Vec<Connection>,
    opened: u64,
    /// The first arrival: where the time of the delays begins.
    first_ns: Option<u64>,
    waiting: BinaryHeap<Reverse<Waiting>>,
    waited_ns: Vec<u64>,
    unanswered: usize,
}

impl Stub {
    /// Waits once and does what is due; whether to go on.
    fn turn(&mut self) -> anyhow::Result<bool> {
        let timeout = self.waiting.peek().map(|next| until(next.0.due_ns));
        self.sockets.wait(timeout.as_ref())?;
        self.answer_due();
        while let Some(happening) = self.sockets.next()? {
            match happening {
                Happening::Opened(slot) => self.open(slot),
                Happening::Readable(slot) => self.take(slot),
                Happening::Finish => return Ok(false),
            }
            self.answer_due();
        }
        Ok(true)
    }

    fn open(&mut self, slot: usize) {
        if slot == self.connections.len() {
            self.connections.push(Connection::default());
        }
        self.opened += 1;
        self.connections[slot] = Connection {
            number: self.opened,
            ends: RequestEnds::default(),
        };
    }

    fn take(&mut self, slot: usize) {
        let Received { bytes, arrived_ns } = self.sockets.receive(slot);
        let connection = &mut self.connections[slot];
        if bytes.is_empty() {
            // Nothing came, or the connection is gone: what still waits on it is not answered.
            return;
        }
        let first_ns = *self.first_ns.get_or_insert(arrived_ns);
        for _ in 0..connection.ends.count(bytes) {
            self.waiting.push(Reverse(Waiting {
                due_ns: first_ns + self.delays.due_ns(arrived_ns.saturating_sub(first_ns)),
                arrived_ns,
                slot,
                connection: connection.number,
            }));
        }
    }

    fn answer_due(&mut self) {
        while let Some(Reverse(next)) = self.waiting.peek() {
            let now_ns = monotonic_ns();
            if next.due_ns > now_ns {
                return;
            }
            if self.connections[next.slot].number == next.connection
                && self.sockets.is_open(next.slot)
            {
                self.waited_ns.push(now_ns.saturating_sub(next.arrived_ns));
                self.sockets.send(next.slot, RESPONSE);
            } else {
                self.unanswered += 1;
            }
            self.waiting.pop();
        }
    }
}
