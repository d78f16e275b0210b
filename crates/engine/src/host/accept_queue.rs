//! Which connections to servers on this machine stand in a listen queue: the kernel has established them,
//! and the server has not accepted them.
//!
//! The kernel lists every TCP socket of a network namespace in `/proc/net/tcp` and `/proc/net/tcp6`. One
//! that no process has been given yet has the inode 0.

use std::collections::HashSet;
use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use crate::event_loop::Ends;

const LISTS: [&str; 2] = ["/proc/net/tcp", "/proc/net/tcp6"];

/// How long what was read stands for. Many requests end at once, and a list can have thousands of lines.
const FRESH_NS: u64 = 50_000_000;

/// States of a socket that waits to be accepted, as the kernel numbers them: established, its last
/// handshake packet dropped since the queue is full, and closed by its caller meanwhile.
const WAITING_STATES: [&str; 3] = ["01", "03", "08"];

/// The connections that stand in listen queues, as they were when the lists were read last.
#[derive(Debug, Default)]
pub struct AcceptQueue {
    read_at_ns: Option<u64>,
    waiting: HashSet<Ends>,
}

impl AcceptQueue {
    /// Whether the connection was still waiting to be accepted at `now_ns`, or shortly before. Never of a
    /// server on another machine, whose queue cannot be seen.
    pub fn holds(&mut self, connection: Ends, now_ns: u64) -> bool {
        if self
            .read_at_ns
            .is_none_or(|at_ns| now_ns >= at_ns + FRESH_NS)
        {
            self.read_at_ns = Some(now_ns);
            self.waiting.clear();
            for list in LISTS {
                let text = fs::read_to_string(list).unwrap_or_default();
                self.waiting
                    .extend(text.lines().skip(1).filter_map(waiting));
            }
        }
        self.waiting.contains(&connection)
    }
}

/// The connection of a line, if it waits to be accepted. Its local end is the server's.
fn waiting(line: &str) -> Option<Ends> {
    let mut fields = line.split_ascii_whitespace().skip(1);
    let (local, remote, state) = (fields.next()?, fields.next()?, fields.next()?);
    // Between the state and the inode: queues, timer, retransmissions, user, timeout.
    let inode = fields.nth(5)?;
    (inode == "0" && WAITING_STATES.contains(&state)).then_some(())?;
    Some(Ends {
        caller: address(remote)?,
        server: address(local)?,
    })
}

/// `0100007F:1F90`: 32-bit words as this machine keeps them in memory, and the port.
fn address(text: &str) -> Option<SocketAddr> {
    let (host, port) = text.split_once(':')?;
    let bytes: Vec<u8> = host
        .as_bytes()
        .chunks(8)
        .map(|word| u32::from_str_radix(std::str::from_utf8(word).ok()?, 16).ok())
        .collect::<Option<Vec<u32>>>()?
        .into_iter()
        .flat_map(u32::to_ne_bytes)
        .collect();
    let host = match bytes.len() {
        4 => IpAddr::from(Ipv4Addr::from(<[u8; 4]>::try_from(bytes).ok()?)),
        16 => IpAddr::from(Ipv6Addr::from(<[u8; 16]>::try_from(bytes).ok()?)),
        _ => return None,
    };
    let port = u16::from_str_radix(port, 16).ok()?;
    // An address of IPv4 that a socket of IPv6 has is the same one.
    Some(SocketAddr::new(host.to_canonical(), port))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};

    const LINE: &str = "   3: 0100007F:1F90 0100007F:A1B2 01 00000000:00000005 00:00000000 00000000     0        0 0 1 0 20 4 0 10 -1";

    #[test]
    #[cfg(target_endian = "little")]
    fn a_socket_without_an_inode_waits() {
        let ends = Ends {
            caller: SocketAddr::from(([127, 0, 0, 1], 0xA1B2)),
            server: SocketAddr::from(([127, 0, 0, 1], 0x1F90)),
        };
        assert_eq!(waiting(LINE), Some(ends));
        let in_ipv6 = LINE.replace("0100007F:", "0000000000000000FFFF00000100007F:");
        assert_eq!(waiting(&in_ipv6), Some(ends));
        assert_eq!(
            waiting(&LINE.replace(" 0 0 1 0 20", " 0 4711 1 0 20")),
            None
        );
        assert_eq!(waiting(&LINE.replace(" 01 ", " 0A ")), None);
    }

    #[test]
    fn lines_of_another_form_are_passed_over() {
        for line in ["", "a", "1: 2 3 01", "1: zz:zz 0:0 01 a b c d e 0"] {
            assert_eq!(waiting(line), None);
        }
    }

    #[test]
    fn a_caller_waits_until_it_is_accepted() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let server = listener.local_addr().expect("is bound");
        let caller = TcpStream::connect(server).expect("a queue");
        let ends = Ends {
            caller: caller.local_addr().expect("is connected"),
            server,
        };
        let mut queue = AcceptQueue::default();
        assert!(queue.holds(ends, 0));
        let (_accepted, _) = listener.accept().expect("a caller");
        assert!(
            queue.holds(ends, FRESH_NS - 1),
            "what was read stands for a while"
        );
        assert!(!queue.holds(ends, FRESH_NS));
    }
}
