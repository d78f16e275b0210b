//! A server that does what a script says, well or badly, in HTTP/1.1 or HTTP/2.

use rustix::io::Errno;

use super::script::Script;
use super::wire::{self, Asked, INITIAL_WINDOW_SIZE, MAX_CONCURRENT_STREAMS, Unread, kind};
use super::{Accepting, Happening, Happenings, Server};

/// What became of a stream for which nothing was done (RFC 9113, section 7).
const REFUSED_STREAM: u32 = 0x7;
const CANCEL: u32 = 0x8;
const LAST_STREAM: u32 = (1 << 31) - 1;

/// What happens soon: within the same millisecond, one after another.
const SOON_NS: u64 = 100_000;

/// The server's end of one connection.
#[derive(Debug, Default)]
struct Peer {
    unread: Unread,
    /// Streams that were asked for and have no answer yet, the oldest first.
    open: Vec<u32>,
    /// The kernel does not take all of what comes next.
    is_full: bool,
}

/// A scripted server and its connections.
#[derive(Debug)]
pub struct Scripted {
    script: Script,
    is_http2: bool,
    peers: Vec<Peer>,
}

impl Scripted {
    /// For so many slots.
    pub fn new(script: Script, is_http2: bool, slots: usize) -> Self {
        Self {
            script,
            is_http2,
            peers: (0..slots).map(|_| Peer::default()).collect(),
        }
    }

    /// How a connection begins that stands at this time.
    fn greet(&mut self, at_ns: u64, then: &mut Happenings) {
        let choice = self.script.choice(16);
        let mut say = |after_ns: u64, bytes: Vec<u8>| {
            then.push((at_ns + after_ns, Happening::Bytes(bytes)));
        };
        if !self.is_http2 {
            match choice {
                1 => then.push((at_ns + SOON_NS, Happening::Closed)),
                2 => say(SOON_NS, b"HTTP/1.1 200 OK\r\n\r\n".to_vec()),
                _ => {}
            }
            return;
        }
        let plain = wire::frame(kind::SETTINGS, 0, 0, &[]);
        match choice {
            1..=3 => say(
                SOON_NS,
                wire::setting(MAX_CONCURRENT_STREAMS, u32::from(choice) - 1),
            ),
            4 => {}
            5 => say(self.script.delay_ns(), plain),
            6 => say(SOON_NS, [plain, wire::goaway(LAST_STREAM)].concat()),
            7 => {
                say(SOON_NS, plain);
                then.push((at_ns + 2 * SOON_NS, Happening::Closed));
            }
            8 => say(SOON_NS, b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec()),
            9 => say(SOON_NS, wire::setting(INITIAL_WINDOW_SIZE, 0)),
            10 => plain.iter().zip(1..).for_each(|(byte, place)| {
                say(place * SOON_NS, vec![*byte]);
            }),
            _ => say(SOON_NS, plain),
        }
    }

    /// What is done about a whole request.
    fn act(&mut self, slot: usize, stream: u32, then: &mut Happenings) {
        if self.is_http2 {
            self.act_in_frames(slot, stream, then);
        } else {
            self.act_in_text(then);
        }
    }

    fn act_in_frames(&mut self, slot: usize, stream: u32, then: &mut Happenings) {
        let choice = self.script.choice(32);
        let after_ns = self.script.delay_ns();
        let answer = wire::answer(stream, wire::STATUS_200, 2);
        if !matches!(choice, 1 | 19) {
            self.peers[slot].open.retain(|open| *open != stream);
        }
        let mut bytes = match choice {
            1 => return,
            2 => wire::reset(stream, CANCEL),
            3 => wire::reset(stream, REFUSED_STREAM),
            4 => [wire::goaway(stream), answer].concat(),
            5 => wire::goaway(
                [0, stream.saturating_sub(2), LAST_STREAM][usize::from(self.script.choice(3))],
            ),
            6 => wire::answer(stream, wire::STATUS_200, 1),
            7 => {
                then.push((after_ns + SOON_NS, Happening::Closed));
                wire::answer(stream, wire::STATUS_200, 1)
            }
            8 => {
                then.push((after_ns, Happening::Closed));
                return;
            }
            9 => {
                then.push((after_ns, Happening::Broken(Errno::CONNRESET)));
                return;
            }
            10 => {
                let limit = u32::from(self.script.choice(5));
                [wire::setting(MAX_CONCURRENT_STREAMS, limit), answer].concat()
            }
            11 => [wire::setting(MAX_CONCURRENT_STREAMS, 100), answer].concat(),
            12 => wire::answer(stream, wire::STATUS_500, 2),
            13 => wire::answer(stream, wire::REDIRECT, 2),
            14 => vec![0xff; 9],
            15 => {
                for (byte, place) in answer.iter().zip(1..) {
                    then.push((after_ns + place * SOON_NS, Happening::Bytes(vec![*byte])));
                }
                Vec::new()
            }
            16 => {
                then.push((after_ns, Happening::Closed));
                [answer, wire::goaway(stream)].concat()
            }
            17 => {
                self.peers[slot].is_full = true;
                answer
            }
            18 => {
                let window = u32::from(self.script.choice(2)) * 65_535;
                let update = wire::frame(kind::WINDOW_UPDATE, 0, 0, &[0, 0, 0, 1]);
                let ping = wire::frame(kind::PING, 0, 0, &[0; 8]);
                [
                    wire::setting(INITIAL_WINDOW_SIZE, window),
                    update,
                    ping,
                    answer,
                ]
                .concat()
            }
            // All that are open, the newest first.
            19 => {
                let open = std::mem::take(&mut self.peers[slot].open);
                let answers = open
                    .iter()
                    .rev()
                    .map(|&open| wire::answer(open, wire::STATUS_200, 2));
                answers.collect::<Vec<_>>().concat()
            }
            // Answers to others came first, and its own comes late.
            20 => {
                let late_ns = after_ns + self.script.delay_ns();
                then.push((late_ns, Happening::Bytes(answer)));
                Vec::new()
            }
            _ => answer,
        };
        if !bytes.is_empty() {
            then.push((after_ns, Happening::Bytes(std::mem::take(&mut bytes))));
        }
    }

    fn act_in_text(&mut self, then: &mut Happenings) {
        const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        let choice = self.script.choice(24);
        let after_ns = self.script.delay_ns();
        let bytes: &[u8] = match choice {
            1 => return,
            2 => b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
            3 => {
                then.push((after_ns, Happening::Closed));
                return;
            }
            4 => {
                then.push((after_ns, Happening::Broken(Errno::CONNRESET)));
                return;
            }
            5 => &OK[..30],
            6 => {
                then.push((after_ns + SOON_NS, Happening::Closed));
                &OK[..OK.len() - 1]
            }
            7 => {
                then.push((after_ns + SOON_NS, Happening::Closed));
                OK
            }
            8 => b"HTTP/1.1 500 E\r\nContent-Length: 0\r\n\r\n",
            9 => b"HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n",
            10 => b"garbage",
            11 => {
                for (byte, place) in OK.iter().zip(1..) {
                    then.push((after_ns + place * SOON_NS, Happening::Bytes(vec![*byte])));
                }
                return;
            }
            12 => {
                then.push((after_ns, Happening::Bytes(OK.to_vec())));
                OK
            }
            13 => {
                then.push((after_ns + SOON_NS, Happening::Closed));
                b"HTTP/1.1 200 OK\r\n\r\nuntil the end"
            }
            _ => OK,
        };
        then.push((after_ns, Happening::Bytes(bytes.to_vec())));
    }
}

impl Server for Scripted {
    fn connect(&mut self, slot: usize, then: &mut Happenings) -> Accepting {
        self.peers[slot] = Peer::default();
        match self.script.choice(16) {
            1 => Accepting::Not(Errno::CONNREFUSED),
            2 => {
                let after_ns = self.script.delay_ns();
                then.push((after_ns, Happening::Refused(Errno::CONNREFUSED)));
                Accepting::Later
            }
            3 => Accepting::Later,
            4 => Accepting::ToItself,
            5..=7 => {
                let after_ns = self.script.delay_ns();
                then.push((after_ns, Happening::Connected));
                self.greet(after_ns, then);
                Accepting::Later
            }
            _ => {
                self.greet(0, then);
                Accepting::AtOnce
            }
        }
    }

    fn receive(&mut self, slot: usize, bytes: &[u8], then: &mut Happenings) -> usize {
        let mut bytes = bytes;
        if std::mem::take(&mut self.peers[slot].is_full) {
            then.push((self.script.delay_ns(), Happening::Writable));
            bytes = &bytes[..bytes.len() * usize::from(self.script.choice(4)) / 4];
        }
        for asked in self.peers[slot].unread.read(bytes, self.is_http2) {
            match asked {
                Asked::Request(stream) => {
                    self.peers[slot].open.push(stream);
                    self.act(slot, stream, then);
                }
                Asked::Cancelled(stream) => self.peers[slot].open.retain(|open| *open != stream),
            }
        }
        bytes.len()
    }
}
