//! What holds for any frames, and any bytes at all, however they are cut.

use super::*;
use crate::protocol::http2::frame::MAX_PAYLOAD_BYTES;
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeSet;

const TAGS: u32 = 4;

/// Fields and indices as servers send them, some of them wrong.
fn any_block() -> impl Strategy<Value = Vec<u8>> {
    let field = prop_oneof![
        4 => Just(STATUS_200.to_vec()),
        1 => Just(STATUS_204.to_vec()),
        1 => Just(literal(":status", "103")),
        2 => (0_u32..4).prop_map(|length| literal("content-length", &length.to_string())),
        1 => Just(literal("server", "x")),
        1 => Just([&[0x40], &literal("cached", "y")[1..]].concat()),
        1 => Just(vec![0xbe]),
        1 => Just(literal("Wrong", "x")),
    ];
    let fields = vec(field, 0..3).prop_map(|fields| fields.concat());
    let right = fields
        .clone()
        .prop_map(|rest| [STATUS_200, &rest[..]].concat());
    prop_oneof![4 => right, 1 => fields, 1 => vec(any::<u8>(), 0..4)]
}

fn any_stream() -> impl Strategy<Value = u32> {
    prop_oneof![
        12 => (0..TAGS).prop_map(|number| 2 * number + 1),
        1 => 0_u32..20,
    ]
}

fn continued(stream: u32, block: &[u8], cut: usize, ends: bool) -> Vec<u8> {
    let (first, rest) = block.split_at(cut.min(block.len()));
    let ends = if ends { flag::END_STREAM } else { 0 };
    let first = frame(kind::HEADERS, ends, stream, first);
    [
        first,
        frame(kind::CONTINUATION, flag::END_HEADERS, stream, rest),
    ]
    .concat()
}

fn padded(stream: u32, body: &[u8], padding: u8, ends: bool) -> Vec<u8> {
    let ends = if ends { flag::END_STREAM } else { 0 };
    let payload = [&[padding], body, &vec![0; padding.into()]].concat();
    frame(kind::DATA, flag::PADDED | ends, stream, &payload)
}

/// One or more frames, mostly as a server might send them.
fn any_frames() -> impl Strategy<Value = Vec<u8>> {
    let stream = any_stream;
    let body = || vec(any::<u8>(), 0..5);
    prop_oneof![
        6 => (stream(), any_block(), any::<bool>())
            .prop_map(|(stream, block, ends)| headers(stream, &block, ends)),
        2 => (stream(), any_block(), 0_usize..20, any::<bool>())
            .prop_map(|(stream, block, cut, ends)| continued(stream, &block, cut, ends)),
        6 => (stream(), body(), any::<bool>())
            .prop_map(|(stream, body, ends)| data(stream, &body, ends)),
        2 => (stream(), body(), 0_u8..9, any::<bool>())
            .prop_map(|(stream, body, padding, ends)| padded(stream, &body, padding, ends)),
        1 => (stream(), 0_u32..9).prop_map(|(stream, code)| reset(stream, code)),
        2 => (stream(), 0_u32..70_000).prop_map(|(stream, bytes)| window_update(stream, bytes)),
        2 => Just(window_update(0, 50_000)),
        1 => (1_u16..7, 0_u32..70_000).prop_map(|entry| settings(&[entry])),
        1 => vec(any::<u8>(), 8).prop_map(|payload| frame(kind::PING, 0, 0, &payload)),
        1 => (0_u32..12).prop_map(|last| goaway(last, 0)),
        1 => (any::<u8>(), any::<u8>(), stream(), vec(any::<u8>(), 0..12))
            .prop_map(|(kind, flags, stream, payload)| frame(kind, flags, stream, &payload)),
    ]
}

/// Two requests without a body, two with one that needs several calls.
fn client() -> Client {
    let mut client = Client::ready(TAGS);
    client.get(0);
    client.post(1, vec![b'x'; 70_000]);
    client.head(2);
    client.post(3, vec![b'x'; 10]);
    client.out.clear();
    client
}

/// Feeds the bytes in pieces that end at these places.
fn feed_cut(client: &mut Client, bytes: &[u8], cuts: &[usize]) -> Result<(), Http2Error> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).collect();
    places.push(bytes.len());
    places.sort_unstable();
    let mut start = 0;
    for end in places {
        client.feed(&bytes[start..end])?;
        start = end;
    }
    Ok(())
}

/// Something that either side does.
#[derive(Clone, Debug)]
enum Action {
    Open(u32, bool),
    Cancel(u32),
    WriteMore,
    /// The server answers the stream of this tag, and ends it or not.
    Answer(u32, bool),
    /// It sends data on it.
    Data(u32, bool),
    Receive(Vec<u8>),
}

fn any_action() -> impl Strategy<Value = Action> {
    let tag = || 0..TAGS;
    prop_oneof![
        8 => (tag(), any::<bool>()).prop_map(|(tag, has_body)| Action::Open(tag, has_body)),
        1 => tag().prop_map(Action::Cancel),
        1 => Just(Action::WriteMore),
        6 => (tag(), any::<bool>()).prop_map(|(tag, ends)| Action::Answer(tag, ends)),
        6 => (tag(), any::<bool>()).prop_map(|(tag, ends)| Action::Data(tag, ends)),
        2 => any_frames().prop_map(Action::Receive),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_cut_of_the_bytes_gives_the_same_events_and_answers(
        frames in vec(any_frames(), 0..30),
        cuts in vec(any::<usize>(), 0..40),
        wants_headers in any::<bool>(),
    ) {
        let bytes = frames.concat();
        let (mut whole, mut cut, mut single) = (client(), client(), client());
        for client in [&mut whole, &mut cut, &mut single] {
            client.seen.wanted_headers = if wants_headers {
                WantedHeaders::All
            } else {
                WantedHeaders::Notable
            };
        }
        let result = whole.feed(&bytes);
        prop_assert_eq!(feed_cut(&mut cut, &bytes, &cuts), result);
        prop_assert_eq!(bytes.iter().try_for_each(|byte| single.feed(&[*byte])), result);
        for other in [cut, single] {
            prop_assert_eq!(&other.seen, &whole.seen);
            prop_assert_eq!(&other.out, &whole.out);
            prop_assert_eq!(other.codec.open_streams(), whole.codec.open_streams());
        }
    }

    #[test]
    fn any_bytes_do_not_panic_and_little_is_kept_of_them(
        frames in vec(prop_oneof![any_frames(), vec(any::<u8>(), 0..200)], 0..20),
        cuts in vec(any::<usize>(), 0..10),
    ) {
        let bytes = frames.concat();
        let mut client = client();
        let _ = feed_cut(&mut client, &bytes, &cuts);
        prop_assert!(client.codec.kept_bytes() <= bytes.len() + MAX_PAYLOAD_BYTES);
        // A reset for each stream, a farewell, and an answer of its own length to each frame.
        prop_assert!(client.out.len() <= bytes.len() + 13 * TAGS as usize + 17);
    }

    #[test]
    fn every_stream_ends_once_or_is_still_open(actions in vec(any_action(), 0..200)) {
        let mut client = Client::ready(TAGS);
        let mut open = BTreeSet::new();
        let mut told = 0;
        for action in actions {
            let id = |tag| client.codec.streams[tag].id;
            let received = match action {
                Action::Open(tag, has_body) => {
                    if client.codec.can_open() && open.insert(tag) {
                        client.post(tag, vec![b'x'; if has_body { 30_000 } else { 0 }]);
                    }
                    Vec::new()
                }
                Action::Cancel(tag) => {
                    client.codec.cancel(tag, &mut client.out);
                    open.remove(&tag);
                    Vec::new()
                }
                Action::WriteMore => {
                    let (has_more, before) = (client.codec.has_more(), client.out.len());
                    client.codec.write_more(&mut client.out);
                    prop_assert_eq!(client.out.len() > before, has_more);
                    Vec::new()
                }
                Action::Answer(tag, ends) if open.contains(&tag) => {
                    headers(id(tag), STATUS_200, ends)
                }
                Action::Data(tag, ends) if open.contains(&tag) => data(id(tag), b"x", ends),
                Action::Answer(..) | Action::Data(..) => Vec::new(),
                Action::Receive(bytes) => bytes,
            };
            let result = client.feed(&received);
            for (tag, _) in &client.seen.ends()[told..] {
                prop_assert!(open.remove(tag), "an end of a stream that was not open");
                told += 1;
            }
            prop_assert_eq!(client.codec.open_streams(), open.len());
            if result.is_err() || (client.codec.is_closing() && open.is_empty()) {
                client = Client::ready(TAGS);
                open.clear();
                told = 0;
            }
        }
    }

    #[test]
    fn no_more_is_written_than_the_windows_allow(
        lengths in vec(1_usize..200_000, 1..4),
        grants in vec((0_u32..4, 1_u32..60_000), 0..60),
        initial in vec(0_u32..100_000, 0..4),
    ) {
        let mut client = Client::ready(TAGS);
        let mut windows = vec![65_535_i64; lengths.len() + 1];
        let mut left: Vec<usize> = lengths.clone();
        for (tag, &length) in (0..).zip(&lengths) {
            client.post(tag, vec![b'x'; length]);
        }
        let mut before = 65_535;
        let mut settings_left = initial.iter();
        for (stream, increment) in grants {
            for (header, payload) in client.written() {
                if header.kind == kind::DATA {
                    let index = header.stream.div_ceil(2) as usize;
                    let bytes = i64::try_from(payload.len()).expect("small");
                    windows[0] -= bytes;
                    windows[index] -= bytes;
                    prop_assert!(windows[0] >= 0 && windows[index] >= 0);
                    left[index - 1] -= payload.len();
                    prop_assert_eq!(header.has(flag::END_STREAM), left[index - 1] == 0);
                }
            }
            let stream = stream as usize % windows.len();
            windows[stream] += i64::from(increment);
            let id = u32::try_from((2 * stream).saturating_sub(1)).expect("small");
            client.feed(&window_update(id, increment)).expect("right");
            if let Some(&size) = settings_left.next() {
                client.feed(&settings(&[(4, size)])).expect("right");
                for window in &mut windows[1..] {
                    *window += i64::from(size) - before;
                }
                before = i64::from(size);
            }
            client.codec.write_more(&mut client.out);
        }
    }
}
