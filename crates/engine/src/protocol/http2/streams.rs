//! The streams of one connection: a place for each tag, and which stream is in it.
//!
//! Streams are found by number through a ring: numbers are given in order, so a ring of twice the
//! places finds every stream in one step, unless it stays open while the ring goes round once.

use std::ops::{Index, IndexMut};
use std::sync::Arc;

use super::Http2Request;
use super::flow::{ReceiveWindow, SendWindow};
use super::settings::STREAM_WINDOW_BYTES;

/// First number that no client's stream can have.
const END_OF_IDS: u32 = 1 << 31;

/// Where the response of a stream stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// No stream, or one that this side ended: what still comes is left over.
    Closed,
    /// The peer ended it: nothing more may come.
    Ended,
    /// The final head is awaited.
    Head,
    /// The body, or trailers.
    Body(Content),
}

/// What the body may still be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// None at all: HEAD, 204, 304.
    Forbidden,
    /// So many bytes.
    Exactly(u64),
    /// Any length.
    Any,
}

/// A request's body that is not wholly written.
#[derive(Clone, Debug)]
pub struct Unsent {
    /// Whose body.
    pub request: Arc<Http2Request>,
    /// How much of it is written.
    pub sent: usize,
}

/// One place.
#[derive(Clone, Debug)]
pub struct Stream {
    /// The stream's number; 0 before the first.
    pub id: u32,
    /// Where the response stands.
    pub phase: Phase,
    /// Whether it answers HEAD.
    pub is_head: bool,
    /// What the peer takes.
    pub send_window: SendWindow,
    /// What the peer may send.
    pub receive_window: ReceiveWindow,
    /// Whether `END_STREAM` of the request was written.
    pub is_sent: bool,
    /// The rest of the request's body.
    pub unsent: Option<Unsent>,
}

impl Stream {
    fn new() -> Self {
        Self {
            id: 0,
            phase: Phase::Closed,
            is_head: false,
            send_window: SendWindow::new(0),
            receive_window: ReceiveWindow::new(STREAM_WINDOW_BYTES),
            is_sent: false,
            unsent: None,
        }
    }

    /// Whether a response is still awaited.
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Head | Phase::Body(_))
    }
}

/// What the number of a stream stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The open stream of this tag.
    Open(u32),
    /// The peer ended it, not long ago.
    Ended,
    /// Over; who ended it is not known, or this side did.
    Closed,
    /// Never opened, or the peer's to open.
    Idle,
}

/// All places of one connection.
#[derive(Clone, Debug)]
pub struct Streams {
    places: Vec<Stream>,
    /// Tag by the low bits of a stream's number.
    ring: Vec<u32>,
    /// Tags of open streams whose place in the ring a later one took.
    displaced: Vec<u32>,
    open: usize,
    next_id: u32,
}

impl Streams {
    /// Places for the tags below this number, at least one.
    #[must_use]
    pub fn new(places: u32) -> Self {
        let places = places.max(1) as usize;
        Self {
            places: vec![Stream::new(); places],
            ring: vec![0; (2 * places).next_power_of_two()],
            displaced: Vec::new(),
            open: 0,
            next_id: 1,
        }
    }

    /// How many are open.
    #[must_use]
    pub fn open_count(&self) -> usize {
        self.open
    }

    /// Whether another stream can have a number.
    #[must_use]
    pub fn has_ids(&self) -> bool {
        self.next_id < END_OF_IDS
    }

    /// The tags, open or not.
    pub fn tags(&self) -> impl Iterator<Item = u32> + use<> {
        (0..).take(self.places.len())
    }

    /// Opens the next stream in the place of this tag and returns its number.
    ///
    /// # Panics
    /// If the tag has no place, or its stream is still open: it would never end.
    pub fn open(&mut self, tag: u32, is_head: bool, send_window: SendWindow) -> u32 {
        let id = self.next_id;
        self.next_id += 2;
        let place = &mut self.places[tag as usize];
        assert!(!place.is_open(), "the stream of this tag is still open");
        place.id = id;
        place.phase = Phase::Head;
        place.is_head = is_head;
        place.is_sent = false;
        place.send_window = send_window;
        place.receive_window = ReceiveWindow::new(STREAM_WINDOW_BYTES);
        let turn = self.turn(id);
        let earlier = self.ring[turn];
        let earlier_stream = &self[earlier];
        if earlier != tag && earlier_stream.is_open() && self.turn(earlier_stream.id) == turn {
            self.displaced.push(earlier);
        }
        self.ring[turn] = tag;
        self.open += 1;
        id
    }

    /// Ends an open stream; its place is free.
    pub fn close(&mut self, tag: u32, phase: Phase) {
        let place = &mut self[tag];
        debug_assert!(place.is_open(), "ended twice");
        place.phase = phase;
        place.unsent = None;
        self.open -= 1;
        if !self.displaced.is_empty() {
            self.displaced.retain(|&displaced| displaced != tag);
        }
    }

    /// What this number stands for.
    #[must_use]
    pub fn find(&self, id: u32) -> Found {
        if id.is_multiple_of(2) || id >= self.next_id {
            return Found::Idle;
        }
        let tag = self.ring[self.turn(id)];
        let place = &self[tag];
        match place.phase {
            _ if place.id != id => self.find_displaced(id),
            Phase::Head | Phase::Body(_) => Found::Open(tag),
            Phase::Ended => Found::Ended,
            Phase::Closed => Found::Closed,
        }
    }

    fn find_displaced(&self, id: u32) -> Found {
        let found = self.displaced.iter().find(|&&tag| self[tag].id == id);
        found.map_or(Found::Closed, |&tag| Found::Open(tag))
    }

    /// Leaves one number.
    #[cfg(test)]
    pub fn use_up_ids(&mut self) {
        self.next_id = END_OF_IDS - 1;
    }

    fn turn(&self, id: u32) -> usize {
        (id / 2) as usize & (self.ring.len() - 1)
    }
}

impl Index<u32> for Streams {
    type Output = Stream;

    fn index(&self, tag: u32) -> &Stream {
        &self.places[tag as usize]
    }
}

impl IndexMut<u32> for Streams {
    fn index_mut(&mut self, tag: u32) -> &mut Stream {
        &mut self.places[tag as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_stream_is_told_from_those_not_yet_opened_and_those_over() {
        let mut streams = Streams::new(2);
        let window = SendWindow::new(10);
        assert_eq!(streams.find(1), Found::Idle);
        assert_eq!(streams.open(1, false, window), 1);
        assert_eq!(streams.open(0, false, window), 3);
        assert_eq!(streams.find(1), Found::Open(1));
        assert_eq!(streams.find(2), Found::Idle);
        assert_eq!(streams.find(3), Found::Open(0));
        assert_eq!(streams.find(5), Found::Idle);
        streams.close(1, Phase::Ended);
        streams.close(0, Phase::Closed);
        assert_eq!(streams.find(1), Found::Ended);
        assert_eq!(streams.find(3), Found::Closed);
        assert_eq!(streams.open_count(), 0);
    }

    proptest! {
        #[test]
        fn every_open_stream_is_found_however_long_it_stays(
            places in 1_u32..20,
            steps in proptest::collection::vec((0_u32..20, any::<bool>()), 1..400),
        ) {
            let mut streams = Streams::new(places);
            let mut open = std::collections::BTreeMap::new();
            for (tag, opens) in steps {
                let tag = tag % places;
                if opens && open.remove(&tag).is_some() {
                    streams.close(tag, Phase::Closed);
                }
                open.entry(tag)
                    .or_insert_with(|| streams.open(tag, false, SendWindow::new(1)));
                prop_assert_eq!(streams.open_count(), open.len());
                for (&tag, &id) in &open {
                    prop_assert_eq!(streams.find(id), Found::Open(tag));
                }
            }
            let ids = 0..streams.next_id + 2;
            let found = ids.filter(|&id| matches!(streams.find(id), Found::Open(_)));
            prop_assert_eq!(found.count(), open.len());
        }
    }
}
