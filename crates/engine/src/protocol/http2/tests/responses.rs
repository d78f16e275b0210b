//! Heads, bodies, and what is wrong with them.

use super::*;
use crate::protocol::http2::StreamFault;

fn ok_with(fields: &[(&str, &str)]) -> Vec<u8> {
    let literals = fields.iter().flat_map(|(name, value)| literal(name, value));
    STATUS_200.iter().copied().chain(literals).collect()
}

/// What one stream sees of these frames, and the frames written in return.
fn exchange(frames: &[Vec<u8>]) -> (Vec<Event>, Vec<(FrameHeader, Vec<u8>)>) {
    let mut client = Client::with_open(1);
    client.feed(&frames.concat()).expect("no connection error");
    (client.seen.events.clone(), client.written())
}

#[test]
fn a_response_with_a_body_is_complete() {
    let (events, written) = exchange(&[
        headers(1, STATUS_200, false),
        data(1, b"abc", false),
        data(1, b"def", true),
    ]);
    let expected = [
        Event::Status(0, 200),
        Event::Body(0, b"abcdef".to_vec()),
        Event::Ended(0, StreamEnd::Complete),
    ];
    assert_eq!(events, expected);
    assert!(written.is_empty());
}

#[test]
fn all_bytes_of_a_response_are_counted_and_no_others() {
    let mut client = Client::with_open(2);
    let response = [
        headers(1, STATUS_200, false),
        data(1, b"abc", false),
        frame(
            kind::DATA,
            flag::PADDED | flag::END_STREAM,
            1,
            &[2, b'x', 0, 0],
        ),
    ];
    let others = [window_update(1, 1), headers(3, STATUS_204, true)];
    client.feed(&others[0]).expect("right");
    client.feed(&response.concat()).expect("right");
    client.feed(&others[1]).expect("right");
    assert_eq!(
        client.seen.bytes,
        [response.concat().len(), others[1].len()]
    );
}

#[test]
fn headers_are_handed_on_if_they_are_wanted() {
    let block = ok_with(&[("server", "x"), ("content-length", "0")]);
    for wanted in [
        WantedHeaders::None,
        WantedHeaders::Notable,
        WantedHeaders::All,
    ] {
        let mut client = Client::with_open(2);
        client.seen.wanted_headers = wanted;
        for id in [1, 3] {
            client.feed(&headers(id, &block, true)).expect("right");
        }
        let of_tag = |tag| {
            let header = |name: &str, value: &str| Event::Header(tag, name.into(), value.into());
            let headers = [header("server", "x"), header("content-length", "0")];
            let mut events = vec![Event::Status(tag, 200)];
            let are_wanted = wanted == WantedHeaders::All;
            events.extend(headers.into_iter().filter(|_| are_wanted));
            events.push(Event::Ended(tag, StreamEnd::Complete));
            events
        };
        assert_eq!(client.seen.events, [of_tag(0), of_tag(1)].concat());
    }
}

#[test]
fn notable_headers_are_handed_on_each_time_also_of_a_head_that_is_known() {
    let notable = [
        ("content-encoding", "gzip"),
        ("location", "/x"),
        ("set-cookie", "a=1"),
    ];
    for (name, value) in notable {
        let block = ok_with(&[("server", "x"), (name, value)]);
        let mut client = Client::with_open(2);
        client.seen.wanted_headers = WantedHeaders::Notable;
        for id in [1, 3] {
            client.feed(&headers(id, &block, true)).expect("right");
        }
        let of_tag = |tag| {
            [
                Event::Status(tag, 200),
                Event::Header(tag, name.into(), value.into()),
                Event::Ended(tag, StreamEnd::Complete),
            ]
        };
        assert_eq!(client.seen.events, [of_tag(0), of_tag(1)].concat());
    }
}

#[test]
fn interim_responses_precede_the_real_one() {
    let (events, _) = exchange(&[
        headers(1, &literal(":status", "100"), false),
        headers(1, &literal(":status", "103"), false),
        headers(1, STATUS_204, true),
    ]);
    let expected = [
        Event::Status(0, 100),
        Event::Status(0, 103),
        Event::Status(0, 204),
        Event::Ended(0, StreamEnd::Complete),
    ];
    assert_eq!(events, expected);
}

#[test]
fn trailers_end_the_response_and_are_not_handed_on() {
    let (events, _) = exchange(&[
        headers(1, &ok_with(&[("content-length", "2")]), false),
        data(1, b"ab", false),
        headers(1, &literal("checksum", "1"), true),
    ]);
    assert_eq!(events.last(), Some(&Event::Ended(0, StreamEnd::Complete)));
    assert_eq!(events.len(), 3);
}

#[test]
fn head_and_statuses_without_a_body_may_have_a_content_length() {
    let mut client = Client::ready(3);
    client.head(0);
    client.get(1);
    client.head(2);
    let length = literal("content-length", "9");
    let frames = [
        headers(1, &[STATUS_200, &length].concat(), true),
        headers(3, &[&[0x8b], &length[..]].concat(), false), // 304
        data(3, b"", true),
        headers(5, STATUS_200, false),
        data(5, b"x", true),
    ];
    client.feed(&frames.concat()).expect("no connection error");
    let unexpected = StreamEnd::Malformed(StreamFault::UnexpectedBody);
    let expected = [
        (0, StreamEnd::Complete),
        (1, StreamEnd::Complete),
        (2, unexpected),
    ];
    assert_eq!(client.seen.ends(), expected);
}

#[test]
fn a_malformed_response_ends_its_stream_alone() {
    let length = |value| ok_with(&[("content-length", value)]);
    for (frames, fault) in [
        (vec![headers(1, &[], false)], StreamFault::Status),
        (
            vec![headers(1, &literal("server", "x"), true)],
            StreamFault::Status,
        ),
        (
            vec![headers(1, &ok_with(&[("Server", "x")]), true)],
            StreamFault::Header,
        ),
        (
            vec![headers(1, &ok_with(&[("connection", "close")]), true)],
            StreamFault::ConnectionHeader,
        ),
        (
            vec![headers(1, &ok_with(&[(":path", "/")]), true)],
            StreamFault::PseudoHeader,
        ),
        (
            vec![headers(1, &literal(":status", "100"), true)],
            StreamFault::InterimEnd,
        ),
        (
            vec![headers(1, &literal(":status", "101"), false)],
            StreamFault::Upgrade,
        ),
        (
            vec![headers(1, &length("3"), true)],
            StreamFault::BodyLength,
        ),
        (
            vec![headers(1, &length("3"), false), data(1, b"ab", true)],
            StreamFault::BodyLength,
        ),
        (
            vec![headers(1, &length("3"), false), data(1, b"abcd", false)],
            StreamFault::BodyLength,
        ),
        (
            vec![
                headers(1, &length("3"), false),
                headers(1, &literal("a", "b"), true),
            ],
            StreamFault::BodyLength,
        ),
        (vec![data(1, b"ab", false)], StreamFault::DataBeforeHead),
        (
            vec![
                headers(1, STATUS_200, false),
                headers(1, &literal("a", "b"), false),
            ],
            StreamFault::Trailers,
        ),
        (
            vec![headers(1, STATUS_200, false), headers(1, STATUS_200, true)],
            StreamFault::PseudoHeader,
        ),
        (vec![window_update(1, 0)], StreamFault::WindowIncrement),
        (
            vec![window_update(1, 0x7fff_ffff)],
            StreamFault::WindowOverflow,
        ),
        (
            vec![frame(kind::PRIORITY, 0, 1, &[0; 4])],
            StreamFault::Priority,
        ),
    ] {
        let mut client = Client::with_open(2);
        let other = headers(3, STATUS_204, true);
        let input = [frames.concat(), other].concat();
        assert_eq!(client.feed(&input), Ok(()), "{fault:?}");
        let expected = [(0, StreamEnd::Malformed(fault)), (1, StreamEnd::Complete)];
        assert_eq!(client.seen.ends(), expected);
        let ended_by_peer = frames.last().is_some_and(|last| {
            matches!(last[3], kind::DATA | kind::HEADERS) && last[4] & flag::END_STREAM != 0
        });
        let resets: Vec<FrameHeader> = client.written().into_iter().map(|frame| frame.0).collect();
        assert_eq!(resets.len(), usize::from(!ended_by_peer), "{fault:?}");
        assert!(
            resets
                .iter()
                .all(|reset| (reset.kind, reset.stream) == (kind::RST_STREAM, 1))
        );
    }
}

#[test]
fn a_head_equal_to_the_last_is_judged_for_its_own_request() {
    let mut client = Client::ready(2);
    let block = ok_with(&[("content-length", "2")]);
    for (tag, id) in [(0, 1), (1, 3)] {
        client.get(tag);
        client.feed(&headers(id, &block, false)).expect("right");
    }
    client.feed(&data(1, b"ab", true)).expect("right");
    client.feed(&data(3, b"abc", true)).expect("right");
    let fault = StreamEnd::Malformed(StreamFault::BodyLength);
    assert_eq!(client.seen.ends(), [(0, StreamEnd::Complete), (1, fault)]);
}

#[test]
fn an_equal_block_is_decoded_anew_once_the_table_changed() {
    let mut client = Client::with_open(3);
    // Entry 62 is the newest of the dynamic table: it is another one after each insertion.
    let insert = |status: &str| {
        let mut field = literal(":status", status);
        field[0] = 0x40;
        field
    };
    client
        .feed(&headers(1, &insert("201"), true))
        .expect("right");
    client.feed(&headers(3, &[0xbe], true)).expect("right");
    client.get(0);
    client
        .feed(&headers(7, &insert("202"), true))
        .expect("right");
    client.feed(&headers(5, &[0xbe], true)).expect("right");
    let statuses: Vec<Event> = client
        .seen
        .events
        .into_iter()
        .filter(|event| matches!(event, Event::Status(..)))
        .collect();
    let expected = [(0, 201), (1, 201), (0, 202), (2, 202)];
    assert_eq!(
        statuses,
        expected.map(|(tag, status)| Event::Status(tag, status))
    );
}

#[test]
fn padding_and_priority_are_taken_off() {
    let padded_head = [&[3, 0, 0, 0, 0, 0][..], STATUS_200, &[0; 3]].concat();
    let flags = flag::PADDED | flag::PRIORITY | flag::END_HEADERS;
    let (events, _) = exchange(&[
        frame(kind::HEADERS, flags, 1, &padded_head),
        frame(kind::DATA, flag::PADDED, 1, &[0]),
        frame(kind::DATA, flag::PADDED, 1, &[1, b'a', 0]),
        frame(kind::DATA, flag::PADDED | flag::END_STREAM, 1, &[2, 0, 0]),
    ]);
    let expected = [
        Event::Status(0, 200),
        Event::Body(0, b"a".to_vec()),
        Event::Ended(0, StreamEnd::Complete),
    ];
    assert_eq!(events, expected);
}

#[test]
fn a_head_may_be_continued_over_many_frames() {
    let block = ok_with(&[("server", "x"), ("content-length", "0")]);
    let mut frames = vec![frame(kind::HEADERS, flag::END_STREAM, 1, &block[..1])];
    frames.extend(
        block[1..]
            .chunks(2)
            .map(|piece| frame(kind::CONTINUATION, 0, 1, piece)),
    );
    frames.push(frame(kind::CONTINUATION, flag::END_HEADERS, 1, &[]));
    let (events, _) = exchange(&frames);
    let expected = [Event::Status(0, 200), Event::Ended(0, StreamEnd::Complete)];
    assert_eq!(events, expected);
}

#[test]
fn what_comes_after_a_cancelled_request_is_ignored_but_decoded() {
    let mut client = Client::with_open(2);
    client.codec.cancel(0, &mut client.out);
    let cancelled = client.written();
    assert_eq!(cancelled.len(), 1);
    assert_eq!(
        (cancelled[0].0.kind, cancelled[0].0.stream),
        (kind::RST_STREAM, 1)
    );
    assert_eq!(cancelled[0].1, [0, 0, 0, 8]);
    client.get(0);
    let mut inserting = literal(":status", "201");
    inserting[0] = 0x40;
    let frames = [
        headers(1, &inserting, false),
        data(1, b"late", true),
        reset(1, 0),
        window_update(1, 1),
        headers(3, &[0xbe], true),
    ];
    client.feed(&frames.concat()).expect("right");
    let expected = [Event::Status(1, 201), Event::Ended(1, StreamEnd::Complete)];
    assert_eq!(client.seen.events, expected);
    assert_eq!(client.codec.open_streams(), 1);
}

#[test]
fn a_request_cancelled_within_its_frame_leaves_the_next_of_its_tag_alone() {
    let mut client = Client::with_open(1);
    let body = data(1, b"abcdef", true);
    client.feed(&headers(1, STATUS_200, false)).expect("right");
    client.feed(&body[..12]).expect("right");
    client.codec.cancel(0, &mut client.out);
    client.get(0);
    client.feed(&body[12..]).expect("right");
    assert!(client.seen.ends().is_empty());
    assert_eq!(client.codec.open_streams(), 1);
}

#[test]
fn a_reset_is_told_with_its_code() {
    let mut client = Client::with_open(3);
    client.feed(&headers(1, STATUS_200, false)).expect("right");
    client
        .feed(&[reset(1, 2), reset(3, 7), reset(5, 0)].concat())
        .expect("right");
    let expected = [
        (0, StreamEnd::Reset(2)),
        (1, StreamEnd::Refused),
        (2, StreamEnd::Reset(0)),
    ];
    assert_eq!(client.seen.ends(), expected);
    assert_eq!(
        client.feed(&data(1, b"x", false)),
        Err(Http2Error::StreamClosed)
    );
}
