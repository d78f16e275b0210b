//! HTTP/2 servers of a few lines, in memory.

use crate::worker::simulated::wire::{self, Asked, Unread};
use crate::worker::simulated::{Accepting, Happening, Happenings, Server, SimulatedLoop};

/// Asks a function what is to be written for each request, and when.
pub struct Frames<F> {
    greeting: Vec<u8>,
    pub greets_after_ns: u64,
    pub accepting: Accepting,
    unread: Vec<Unread>,
    connections: usize,
    /// Which connection each slot has.
    of_slot: Vec<usize>,
    asked: usize,
    answer: F,
}

/// One request, as a server sees it.
#[derive(Clone, Copy)]
pub struct Request {
    /// How many came before, on any connection.
    pub before: usize,
    /// The number of its connection.
    pub connection: usize,
    /// Its stream.
    pub stream: u32,
}

impl Request {
    /// Its answer.
    pub fn ok(self) -> Vec<u8> {
        wire::answer(self.stream, wire::STATUS_200, 2)
    }
}

impl<F: FnMut(Request) -> Vec<(u64, Vec<u8>)>> Frames<F> {
    /// A server that greets with this and says, for each request, after which time what is written.
    pub fn new(greeting: Vec<u8>, slots: usize, answer: F) -> SimulatedLoop<Self> {
        let server = Self {
            greeting,
            greets_after_ns: 0,
            accepting: Accepting::AtOnce,
            unread: (0..slots).map(|_| Unread::default()).collect(),
            connections: 0,
            of_slot: vec![0; slots],
            asked: 0,
            answer,
        };
        SimulatedLoop::new(server, slots)
    }
}

impl<F: FnMut(Request) -> Vec<(u64, Vec<u8>)>> Server for Frames<F> {
    fn connect(&mut self, slot: usize, then: &mut Happenings) -> Accepting {
        self.unread[slot] = Unread::default();
        self.of_slot[slot] = self.connections;
        self.connections += 1;
        let greeting = Happening::Bytes(self.greeting.clone());
        then.push((self.greets_after_ns, greeting));
        self.accepting
    }

    fn receive(&mut self, slot: usize, bytes: &[u8], then: &mut Happenings) -> usize {
        for asked in self.unread[slot].read(bytes, true) {
            let Asked::Request(stream) = asked else {
                continue;
            };
            let request = Request {
                before: self.asked,
                connection: self.of_slot[slot],
                stream,
            };
            self.asked += 1;
            let answers = (self.answer)(request).into_iter();
            then.extend(answers.map(|(after_ns, bytes)| (after_ns, Happening::Bytes(bytes))));
        }
        bytes.len()
    }
}
