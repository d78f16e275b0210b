//! `serve`: the minimal server. What it costs per request is close to what the kernel costs, so it
//! is never the limit before the generator is.

use std::io::Write;
use std::net::SocketAddr;

use clap::{Args, ValueEnum};

use crate::answers::{Answers, Http1Answers};
use crate::http2_answers::Http2Answers;
use crate::session::{self, TlsFiles};
use crate::sockets::{Happening, Sockets, Stamps};

#[derive(Args)]
pub struct Arguments {
    /// Address to listen on; port 0 lets the kernel choose
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// What is spoken
    #[arg(long, value_enum, default_value_t = Protocol::H1c)]
    protocol: Protocol,
    /// Serve log-ins, lists and inserts instead, and tell how many came to what
    #[arg(long, required_if_eq("protocol", "h2"))]
    session: bool,
    #[command(flatten)]
    tls: TlsFiles,
}

#[derive(Clone, Copy, ValueEnum)]
enum Protocol {
    /// HTTP/1.1 over cleartext
    H1c,
    /// HTTP/2 over cleartext, by prior knowledge
    H2c,
    /// HTTP/2 over TLS, with --session
    H2,
}

pub fn run(arguments: &Arguments, output: &mut dyn Write) -> anyhow::Result<()> {
    let listen = arguments.listen;
    let minimal = |output| Sockets::listen(listen, Stamps::None, output);
    match (arguments.protocol, arguments.session) {
        (Protocol::H1c, false) => answer_all::<Http1Answers>(minimal(output)?, |_, _| {}),
        (Protocol::H2c, false) => answer_all::<Http2Answers>(minimal(output)?, |_, _| {}),
        (Protocol::H1c, true) => session::serve_http1(listen, output),
        (Protocol::H2c, true) => session::serve_http2(listen, None, output),
        (Protocol::H2, _) => session::serve_http2(listen, Some(&arguments.tls), output),
    }
}

/// Answers until standard input is closed; `on_requests` is told how many requests just ended and
/// when they arrived, before they are answered.
pub fn answer_all<A: Answers>(
    mut sockets: Sockets,
    mut on_requests: impl FnMut(usize, u64),
) -> anyhow::Result<()> {
    let mut connections: Vec<A> = Vec::new();
    let mut out = Vec::new();
    loop {
        sockets.wait(None)?;
        while let Some(happening) = sockets.next()? {
            match happening {
                Happening::Opened(slot) if slot == connections.len() => {
                    connections.push(A::default());
                }
                Happening::Opened(slot) => connections[slot] = A::default(),
                Happening::Readable(slot) => loop {
                    let received = sockets.receive(slot);
                    let count = received.bytes.len();
                    out.clear();
                    let ended = connections[slot].take(received.bytes, &mut out);
                    if ended > 0 {
                        on_requests(ended, received.arrived_ns);
                    }
                    if !out.is_empty() {
                        sockets.send(slot, &out);
                    }
                    if !Sockets::may_have_more(count) {
                        break;
                    }
                },
                Happening::Finish => return Ok(()),
            }
        }
    }
}
