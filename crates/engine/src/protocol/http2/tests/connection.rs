//! Frames of the connection, and frames where they must not be.

use super::*;
use crate::protocol::http2::flood::MAX_IDLE_FRAMES;

#[test]
fn a_connection_begins_as_the_rfc_says() {
    let mut client = Client::new(1);
    let out = std::mem::take(&mut client.out);
    let (preface, rest) = out.split_at(frame::PREFACE.len());
    assert_eq!(preface, frame::PREFACE);
    let kinds: Vec<(u8, u32)> = read_frames(rest)
        .iter()
        .map(|(header, _)| (header.kind, header.stream))
        .collect();
    assert_eq!(kinds, [(kind::SETTINGS, 0), (kind::WINDOW_UPDATE, 0)]);
    assert!(!client.codec.is_ready() && !client.codec.can_open());

    client.feed(&settings(&[])).expect("right");
    assert!(client.codec.is_ready() && client.codec.can_open());
    let acknowledgement = FrameHeader {
        length: 0,
        kind: kind::SETTINGS,
        flags: flag::ACK,
        stream: 0,
    };
    assert_eq!(client.written(), [(acknowledgement, Vec::new())]);
}

#[test]
fn a_server_of_http_1_is_recognised() {
    let mut client = Client::new(1);
    let answer = b"HTTP/1.1 400 Bad Request\r\n\r\n";
    assert_eq!(client.feed(answer), Err(Http2Error::SpeaksHttp1));
    assert_eq!(client.feed(answer), Err(Http2Error::SpeaksHttp1));
}

#[test]
fn a_request_is_a_head_that_ends_the_stream() {
    let mut client = Client::ready(2);
    client.get(1);
    let written = client.written();
    assert_eq!(written.len(), 1);
    let header = written[0].0;
    assert_eq!((header.kind, header.stream), (kind::HEADERS, 1));
    assert_eq!(header.flags, flag::END_HEADERS | flag::END_STREAM);
    assert!(client.codec.is_sent(1));
}

#[test]
fn no_more_streams_are_opened_than_either_side_allows() {
    let mut client = Client::ready(2);
    client.get(0);
    assert!(client.codec.can_open());
    client.get(1);
    assert!(!client.codec.can_open());
    client.feed(&headers(1, STATUS_204, true)).expect("right");
    assert!(client.codec.can_open());
    client.feed(&settings(&[(3, 1)])).expect("right");
    assert!(!client.codec.can_open());
    assert_eq!(client.codec.stream_limit(), 1);
    client.feed(&headers(3, STATUS_204, true)).expect("right");
    assert!(client.codec.can_open());
    client.feed(&settings(&[(3, 0)])).expect("right");
    assert!(!client.codec.can_open());
}

#[test]
fn a_ping_is_answered_and_an_answer_is_not() {
    let mut client = Client::ready(1);
    client
        .feed(&frame(kind::PING, 0, 0, b"12345678"))
        .expect("right");
    client
        .feed(&frame(kind::PING, flag::ACK, 0, b"12345678"))
        .expect("right");
    let written = client.written();
    assert_eq!(written.len(), 1);
    assert_eq!(
        (written[0].0.kind, written[0].0.flags),
        (kind::PING, flag::ACK)
    );
    assert_eq!(written[0].1, b"12345678");
}

#[test]
fn goaway_refuses_what_is_above_its_last_stream_and_lets_the_rest_end() {
    let mut client = Client::with_open(3);
    client.feed(&goaway(0x7fff_ffff, 0)).expect("right");
    assert!(client.codec.is_closing() && !client.codec.can_open());
    assert!(client.seen.ends().is_empty());
    client.feed(&goaway(1, 0)).expect("right");
    let refused = [(1, StreamEnd::Refused), (2, StreamEnd::Refused)];
    assert_eq!(client.seen.ends(), refused);
    assert_eq!(client.codec.open_streams(), 1);
    client.feed(&headers(1, STATUS_204, true)).expect("right");
    assert_eq!(client.seen.ends().last(), Some(&(0, StreamEnd::Complete)));
}

#[test]
fn an_ended_session_says_goodbye_once() {
    let mut client = Client::ready(1);
    client.codec.goodbye(&mut client.out);
    assert!(client.codec.is_closing());
    let written = client.written();
    assert_eq!(
        (written[0].0.kind, &written[0].1[..]),
        (kind::GOAWAY, &[0; 8][..])
    );
    client.feed(&window_update(0, 0)).expect_err("wrong");
    client.out.clear();
    client.codec.goodbye(&mut client.out);
    assert!(client.out.is_empty());
}

#[test]
fn unknown_frames_and_priorities_are_ignored() {
    let mut client = Client::with_open(1);
    let frames = [
        frame(0xbe, 0xff, 1, b"anything"),
        frame(0xff, 0, 0, b""),
        frame(kind::PRIORITY, 0, 1, &[0; 5]),
        frame(kind::PRIORITY, 0, 99, &[0; 5]),
        frame(kind::PRIORITY, 0, 2, &[0; 4]),
        settings(&[(0x99, 1)]),
        frame(kind::SETTINGS, flag::ACK, 0, b""),
    ];
    client.feed(&frames.concat()).expect("right");
    assert!(client.seen.events.is_empty());
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table, a line for each rule")]
fn what_breaks_the_protocol_ends_the_connection_with_its_code() {
    const PROTOCOL: u8 = 1;
    const FLOW_CONTROL: u8 = 3;
    const STREAM_CLOSED: u8 = 5;
    const FRAME_SIZE: u8 = 6;
    const COMPRESSION: u8 = 9;
    let long = vec![0; 16_385];
    for (bytes, error, code) in [
        (
            frame(kind::DATA, 0, 1, &long),
            Http2Error::FrameSize,
            FRAME_SIZE,
        ),
        (frame(0x77, 0, 1, &long), Http2Error::FrameSize, FRAME_SIZE),
        (data(0, b"x", false), Http2Error::WrongStream, PROTOCOL),
        (data(2, b"x", false), Http2Error::IdleStream, PROTOCOL),
        (data(5, b"x", false), Http2Error::IdleStream, PROTOCOL),
        (
            data(3, b"x", false),
            Http2Error::StreamClosed,
            STREAM_CLOSED,
        ),
        (
            frame(kind::DATA, flag::PADDED, 1, &[]),
            Http2Error::FrameSize,
            FRAME_SIZE,
        ),
        (
            frame(kind::DATA, flag::PADDED, 1, &[2, 0]),
            Http2Error::Padding,
            PROTOCOL,
        ),
        (
            headers(0, STATUS_200, true),
            Http2Error::WrongStream,
            PROTOCOL,
        ),
        (
            headers(2, STATUS_200, true),
            Http2Error::IdleStream,
            PROTOCOL,
        ),
        (
            headers(5, STATUS_200, true),
            Http2Error::IdleStream,
            PROTOCOL,
        ),
        (
            headers(3, STATUS_200, true),
            Http2Error::StreamClosed,
            STREAM_CLOSED,
        ),
        (
            frame(kind::HEADERS, 0xc, 1, &[]),
            Http2Error::Padding,
            PROTOCOL,
        ),
        (
            frame(kind::HEADERS, 0xc, 1, &[1]),
            Http2Error::Padding,
            PROTOCOL,
        ),
        (
            frame(kind::HEADERS, 0x24, 1, &[0; 4]),
            Http2Error::FrameSize,
            FRAME_SIZE,
        ),
        (
            headers(1, &[0x80], true),
            Http2Error::Compression(crate::protocol::hpack::HpackError::Index),
            COMPRESSION,
        ),
        (
            frame(kind::PRIORITY, 0, 0, &[0; 5]),
            Http2Error::WrongStream,
            PROTOCOL,
        ),
        (reset(0, 0), Http2Error::WrongStream, PROTOCOL),
        (reset(5, 0), Http2Error::IdleStream, PROTOCOL),
        (
            frame(kind::RST_STREAM, 0, 1, &[0; 3]),
            Http2Error::FrameSize,
            FRAME_SIZE,
        ),
        (
            frame(kind::SETTINGS, 0, 1, &[]),
            Http2Error::WrongStream,
            PROTOCOL,
        ),
        (
            frame(kind::SETTINGS, 0, 0, &[0; 5]),
            Http2Error::FrameSize,
            FRAME_SIZE,
        ),
        (
            frame(kind::SETTINGS, flag::ACK, 0, &[0; 6]),
            Http2Error::FrameSize,
            FRAME_SIZE,
        ),
        (settings(&[(2, 1)]), Http2Error::Setting, PROTOCOL),
        (
            settings(&[(4, 1 << 31)]),
            Http2Error::WindowOverflow,
            FLOW_CONTROL,
        ),
        (settings(&[(5, 1)]), Http2Error::Setting, PROTOCOL),
        (
            frame(kind::PUSH_PROMISE, 4, 1, &[0, 0, 0, 2, 0x82]),
            Http2Error::Push,
            PROTOCOL,
        ),
        (
            frame(kind::PING, 0, 1, &[0; 8]),
            Http2Error::WrongStream,
            PROTOCOL,
        ),
        (
            frame(kind::PING, 0, 0, &[0; 7]),
            Http2Error::FrameSize,
            FRAME_SIZE,
        ),
        (
            frame(kind::GOAWAY, 0, 1, &[0; 8]),
            Http2Error::WrongStream,
            PROTOCOL,
        ),
        (
            frame(kind::GOAWAY, 0, 0, &[0; 7]),
            Http2Error::FrameSize,
            FRAME_SIZE,
        ),
        (window_update(0, 0), Http2Error::WindowIncrement, PROTOCOL),
        (
            window_update(0, 0x7fff_ffff),
            Http2Error::WindowOverflow,
            FLOW_CONTROL,
        ),
        (window_update(5, 1), Http2Error::IdleStream, PROTOCOL),
        (
            frame(kind::WINDOW_UPDATE, 0, 1, &[0; 3]),
            Http2Error::FrameSize,
            FRAME_SIZE,
        ),
        (
            frame(kind::CONTINUATION, 4, 1, STATUS_200),
            Http2Error::Continuation,
            PROTOCOL,
        ),
        (
            [frame(kind::HEADERS, 0, 1, STATUS_200), data(1, b"", true)].concat(),
            Http2Error::Continuation,
            PROTOCOL,
        ),
        (
            [
                frame(kind::HEADERS, 0, 1, STATUS_200),
                frame(kind::CONTINUATION, 4, 3, &[]),
            ]
            .concat(),
            Http2Error::Continuation,
            PROTOCOL,
        ),
    ] {
        let mut client = Client::with_open(2);
        client.feed(&headers(3, STATUS_204, true)).expect("right");
        assert_eq!(client.feed(&bytes), Err(error), "{bytes:?}");
        let written = client.written();
        let (last, payload) = written.last().expect("a farewell");
        assert_eq!(
            (last.kind, &payload[..]),
            (kind::GOAWAY, &[0, 0, 0, 0, 0, 0, 0, code][..])
        );
        assert!(client.codec.is_closing() && !client.codec.can_open());
        assert_eq!(client.codec.open_streams(), 1);
    }
}

#[test]
fn the_first_frame_must_be_settings() {
    for bytes in [
        frame(kind::SETTINGS, flag::ACK, 0, &[]),
        frame(kind::PING, 0, 0, &[0; 8]),
    ] {
        assert_eq!(Client::new(1).feed(&bytes), Err(Http2Error::NoSettings));
    }
}

#[test]
fn a_flood_ends_the_connection_unless_streams_come_on_in_between() {
    for idle in [
        frame(kind::PING, flag::ACK, 0, &[0; 8]),
        frame(kind::SETTINGS, flag::ACK, 0, &[]),
        frame(kind::PRIORITY, 0, 1, &[0; 5]),
        frame(0x99, 0, 1, &[]),
        headers(1, &literal(":status", "100"), false),
        data(3, &[], false),
        data(5, &[], false),
    ] {
        let mut client = Client::with_open(4);
        client.feed(&headers(3, STATUS_200, false)).expect("right");
        client.codec.cancel(2, &mut client.out);
        let flood = idle.repeat(MAX_IDLE_FRAMES as usize);
        assert_eq!(client.feed(&flood), Ok(()), "{idle:?}");
        client.feed(&headers(7, STATUS_200, false)).expect("right");
        assert_eq!(client.feed(&flood), Ok(()), "{idle:?}");
        assert_eq!(client.feed(&idle), Err(Http2Error::Flood), "{idle:?}");
    }
}

#[test]
fn a_header_block_without_end_ends_the_connection() {
    let mut client = Client::with_open(1);
    client
        .feed(&frame(kind::HEADERS, 0, 1, STATUS_200))
        .expect("right");
    let empty = frame(kind::CONTINUATION, 0, 1, &[]).repeat(MAX_IDLE_FRAMES as usize);
    client.feed(&empty).expect("just right");
    let piece = frame(kind::CONTINUATION, 0, 1, &[]);
    assert_eq!(client.feed(&piece), Err(Http2Error::Flood));

    let mut client = Client::with_open(1);
    client
        .feed(&frame(kind::HEADERS, 0, 1, STATUS_200))
        .expect("right");
    let pieces = frame(kind::CONTINUATION, 0, 1, &[0; 16_384]);
    client.feed(&pieces.repeat(3)).expect("just right");
    assert_eq!(client.feed(&pieces), Err(Http2Error::TooLong));
}

#[test]
fn a_peer_that_does_not_read_the_answers_it_asks_for_is_left() {
    let mut client = Client::with_open(1);
    client.feed(&headers(1, STATUS_200, false)).expect("right");
    let asking = [frame(kind::PING, 0, 0, &[0; 8]), data(1, b"x", false)].concat();
    client.feed(&asking.repeat(10_000)).expect("just right");
    assert_eq!(client.feed(&asking), Err(Http2Error::Flood));

    let mut client = Client::with_open(1);
    client.feed(&headers(1, STATUS_200, false)).expect("right");
    for _ in 0..3 {
        client.feed(&asking.repeat(10_000)).expect("just right");
        client.out.clear();
    }
}

#[test]
fn the_numbers_of_streams_run_out() {
    let mut client = Client::ready(1);
    client.codec.streams.use_up_ids();
    client.get(0);
    assert_eq!(client.written()[0].0.stream, 0x7fff_ffff);
    assert!(client.codec.is_closing() && !client.codec.can_open());
    client
        .feed(&headers(0x7fff_ffff, STATUS_204, true))
        .expect("right");
    assert_eq!(client.seen.ends(), [(0, StreamEnd::Complete)]);
}
