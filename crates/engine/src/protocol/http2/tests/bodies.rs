//! Flow control of both directions, and requests with bodies.

use super::*;
use crate::protocol::http2::settings::{CONNECTION_WINDOW_BYTES, STREAM_WINDOW_BYTES};

/// The data written since the last call, by stream, and whether it ended.
fn data_of(client: &mut Client, stream: u32) -> (usize, bool) {
    let frames = client.written();
    let data: Vec<_> = frames
        .iter()
        .filter(|(header, _)| header.kind == kind::DATA && header.stream == stream)
        .collect();
    let bytes = data.iter().map(|(header, _)| header.length).sum();
    (
        bytes,
        data.iter().any(|(header, _)| header.has(flag::END_STREAM)),
    )
}

#[test]
fn a_body_within_the_windows_is_written_at_once() {
    let mut client = Client::ready(1);
    client.post(0, vec![b'x'; 40_000]);
    assert!(client.codec.is_sent(0) && !client.codec.has_more());
    let frames = client.written();
    let lengths: Vec<usize> = frames[1..]
        .iter()
        .map(|(header, _)| header.length)
        .collect();
    assert_eq!(lengths, [16_384, 16_384, 7_232]);
    let ends: Vec<bool> = frames
        .iter()
        .map(|frame| frame.0.has(flag::END_STREAM))
        .collect();
    assert_eq!(ends, [false, false, false, true]);
}

#[test]
fn a_body_waits_for_both_windows() {
    let mut client = Client::ready(1);
    client.post(0, vec![b'x'; 100_000]);
    assert_eq!(data_of(&mut client, 1), (65_535, false));
    assert!(!client.codec.has_more() && !client.codec.is_sent(0));
    client.feed(&window_update(1, 50_000)).expect("right");
    assert!(!client.codec.has_more());
    client.feed(&window_update(0, 10_000)).expect("right");
    assert!(client.codec.has_more());
    client.codec.write_more(&mut client.out);
    assert_eq!(data_of(&mut client, 1), (10_000, false));
    client.feed(&window_update(0, 1 << 20)).expect("right");
    client.codec.write_more(&mut client.out);
    assert_eq!(data_of(&mut client, 1), (24_465, true));
    assert!(client.codec.is_sent(0) && !client.codec.has_more());
}

#[test]
fn one_call_writes_at_most_64_kib() {
    let mut client = Client::ready(1);
    client
        .feed(&[settings(&[(4, 1 << 30)]), window_update(0, 1 << 30)].concat())
        .expect("right");
    client.out.clear();
    client.post(0, vec![b'x'; 3 << 20]);
    assert_eq!(data_of(&mut client, 1), (65_536, false));
    let mut calls = 1;
    while client.codec.has_more() {
        client.codec.write_more(&mut client.out);
        let (bytes, _) = data_of(&mut client, 1);
        assert_eq!(bytes, 65_536);
        calls += 1;
    }
    assert_eq!(calls, (3 << 20) / 65_536);
    assert!(client.codec.is_sent(0));
}

#[test]
fn bodies_take_turns() {
    let mut client = Client::ready(3);
    client.feed(&settings(&[(4, 1 << 20)])).expect("right");
    client.out.clear();
    for tag in 0..3 {
        client.post(tag, vec![b'x'; 80_000]);
    }
    client.out.clear();
    client.feed(&window_update(0, 40_000)).expect("right");
    client.codec.write_more(&mut client.out);
    let frames = client.written();
    let streams: Vec<(u32, usize)> = frames
        .iter()
        .map(|frame| (frame.0.stream, frame.0.length))
        .collect();
    assert_eq!(streams, [(1, 14_465), (3, 16_384), (5, 9_151)]);
}

#[test]
fn a_lowered_initial_window_holds_open_streams_back() {
    let mut client = Client::ready(1);
    client.feed(&window_update(0, 1 << 20)).expect("right");
    client.post(0, vec![b'x'; 200_000]);
    client.out.clear();
    client.feed(&settings(&[(4, 0)])).expect("right");
    client.feed(&window_update(1, 65_535)).expect("right");
    assert!(!client.codec.has_more());
    client.feed(&window_update(1, 7)).expect("right");
    client.out.clear();
    client.codec.write_more(&mut client.out);
    assert_eq!(data_of(&mut client, 1), (7, false));
    client.feed(&settings(&[(4, 10)])).expect("right");
    client.out.clear();
    client.codec.write_more(&mut client.out);
    assert_eq!(data_of(&mut client, 1), (10, false));
}

#[test]
fn an_initial_window_that_makes_a_stream_overflow_ends_the_connection() {
    let mut client = Client::with_open(1);
    client
        .feed(&window_update(1, 0x7fff_ffff - 65_535))
        .expect("right");
    assert_eq!(
        client.feed(&settings(&[(4, 65_536)])),
        Err(Http2Error::WindowOverflow)
    );
}

#[test]
fn a_response_that_ends_first_makes_the_rest_of_the_body_needless() {
    let mut client = Client::ready(1);
    client.post(0, vec![b'x'; 100_000]);
    client.out.clear();
    client.feed(&headers(1, STATUS_200, true)).expect("right");
    assert_eq!(client.seen.ends(), [(0, StreamEnd::Complete)]);
    let written = client.written();
    assert_eq!(
        (written[0].0.kind, &written[0].1[..]),
        (kind::RST_STREAM, &[0, 0, 0, 8][..])
    );
    client
        .feed(&[reset(1, 0), window_update(0, 100)].concat())
        .expect("right");
    assert!(!client.codec.has_more() && !client.codec.is_sent(0));
    assert_eq!(client.seen.ends().len(), 1);
}

#[test]
fn a_cancelled_body_is_not_continued() {
    let mut client = Client::ready(2);
    client.post(0, vec![b'x'; 60_000]);
    client.post(1, vec![b'x'; 60_000]);
    client.codec.cancel(1, &mut client.out);
    client.feed(&window_update(0, 100_000)).expect("right");
    assert!(!client.codec.has_more());
}

#[test]
fn nothing_is_written_after_the_farewell() {
    let mut client = Client::ready(1);
    client.post(0, vec![b'x'; 100_000]);
    client
        .feed(&[window_update(1, 50_000), window_update(0, 50_000)].concat())
        .expect("right");
    assert!(client.codec.has_more());
    client.feed(&settings(&[(2, 1)])).expect_err("wrong");
    client.out.clear();
    assert!(!client.codec.has_more());
    client.codec.write_more(&mut client.out);
    assert!(client.out.is_empty());
}

#[test]
fn windows_are_widened_by_half_and_only_while_the_stream_goes_on() {
    let mut client = Client::with_open(2);
    client.feed(&headers(1, STATUS_200, false)).expect("right");
    let mut updates = Vec::new();
    let mut sent = 0_u32;
    while sent <= STREAM_WINDOW_BYTES {
        client
            .feed(&data(1, &[0; 16_384], false))
            .expect("within the window");
        sent += 16_384;
        for (header, payload) in client.written() {
            assert_eq!(header.kind, kind::WINDOW_UPDATE);
            updates.push((header.stream, frame::read_32_bits(&payload)));
        }
    }
    let half = STREAM_WINDOW_BYTES / 2 + 16_384;
    assert_eq!(updates, [(1, half)]);
    while sent <= CONNECTION_WINDOW_BYTES / 2 {
        client
            .feed(&data(1, &[0; 16_384], false))
            .expect("within the window");
        sent += 16_384;
    }
    let last = client
        .written()
        .pop()
        .map(|(header, payload)| (header.stream, payload));
    let half = CONNECTION_WINDOW_BYTES / 2 + 16_384;
    assert_eq!(last, Some((0, half.to_be_bytes().to_vec())));
}

#[test]
fn a_long_block_is_continued() {
    let mut client = Client::ready(1);
    let block = (0..60)
        .map(|number| {
            let value = format!("{number:02}").repeat(400);
            client.fields.add(b"cookie", value.as_bytes())
        })
        .collect();
    let request = Http2Request {
        block,
        body: Vec::new(),
        is_head: false,
    };
    client.open(0, &Arc::new(request));
    let frames = client.written();
    assert!(frames.len() > 1);
    let kinds: Vec<u8> = frames.iter().map(|frame| frame.0.kind).collect();
    assert_eq!(kinds[0], kind::HEADERS);
    assert!(kinds[1..].iter().all(|&kind| kind == kind::CONTINUATION));
    let ends: Vec<bool> = frames
        .iter()
        .map(|frame| frame.0.has(flag::END_HEADERS))
        .collect();
    assert_eq!(ends.iter().filter(|&&end| end).count(), 1);
    assert_eq!(ends.last(), Some(&true));
    assert!(frames[0].0.has(flag::END_STREAM) && !frames[1].0.has(flag::END_STREAM));
}
