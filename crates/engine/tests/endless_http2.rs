//! HTTP/2 servers that never come to an end: the engine does, in time and with bounded memory.

mod common;

use common::hostile::{COUNT, assert_all, load};
use common::http2::{
    ACK, CONTINUATION, DATA, END_HEADERS, END_STREAM, HEADERS, INITIAL_WINDOW_SIZE, PING, PRIORITY,
    STATUS_200, WINDOW_UPDATE, frame, literal, serving, settings,
};
use common::server::{Server, Then};

/// Repeats a frame for as long as the client takes it, and reads nothing.
fn storm(storm: Vec<u8>) -> Server {
    serving(&[], move |peer, _| {
        let many = storm.repeat(100);
        while peer.write(&many) {}
        Then::Close
    })
}

#[test]
fn storms_that_bring_no_response_on_are_protocol() {
    for frames in [
        settings(&[]),
        settings(&[(INITIAL_WINDOW_SIZE, 1_000), (INITIAL_WINDOW_SIZE, 2_000)]),
        frame(PING, 0, 0, &[7; 8]),
        frame(PING, ACK, 0, &[7; 8]),
        frame(WINDOW_UPDATE, 0, 0, &[0, 0, 0, 1]),
        frame(PRIORITY, 0, 1, &[0, 0, 0, 0, 16]),
        frame(0xfa, 0, 0, b"of an unknown kind"),
    ] {
        assert_all(&storm(frames), "protocol", "floods");
    }
}

#[test]
fn empty_data_without_end_is_protocol() {
    let server = serving(&[], |peer, stream| {
        peer.write(&frame(HEADERS, END_HEADERS, stream, STATUS_200));
        let many = frame(DATA, 0, stream, &[]).repeat(100);
        while peer.write(&many) {}
        Then::Close
    });
    assert_all(&server, "protocol", "floods");
}

#[test]
fn a_header_block_without_end_is_protocol() {
    for piece in [literal("name", "and a value").repeat(10), Vec::new()] {
        let server = serving(&[], move |peer, stream| {
            peer.write(&frame(HEADERS, 0, stream, STATUS_200));
            let many = frame(CONTINUATION, 0, stream, &piece).repeat(100);
            while peer.write(&many) {}
            Then::Close
        });
        assert_all(&server, "protocol", "");
    }
}

#[test]
fn a_small_block_that_unpacks_to_much_is_protocol() {
    // One entry of 4 KiB in the table (RFC 7541, section 6.2.1), named 10,000 times by a byte each.
    let mut block = vec![0x88, 0x40, 0x01, b'a', 0x7f, 0x80, 0x1e];
    block.extend([b'v'; 0x7f + 0xf00]);
    block.extend([0xbe; 10_000]);
    let server = serving(&[], move |peer, stream| {
        peer.write(&frame(HEADERS, END_HEADERS | END_STREAM, stream, &block));
        Then::Hang
    });
    assert_all(&server, "protocol", "");
}

#[test]
fn interim_responses_without_end_end_with_the_timeout_at_the_latest() {
    let interim = frame(HEADERS, END_HEADERS, 1, &literal(":status", "103"));
    let ended = load(&storm(interim)).count(COUNT).run();
    let outcomes = ended.outcomes();
    let bad = outcomes.get("protocol").unwrap_or(&0) + outcomes.get("timeout").unwrap_or(&0);
    assert_eq!(bad, COUNT, "{outcomes:?}");
}

#[test]
fn a_body_without_end_is_timeout() {
    let server = serving(&[], |peer, stream| {
        peer.write(&frame(HEADERS, END_HEADERS, stream, STATUS_200));
        let piece = frame(DATA, 0, stream, &[b'x'; 16_384]);
        while peer.write(&piece) {}
        Then::Close
    });
    assert_all(&server, "timeout", "500ms");
}

#[test]
fn silence_after_the_request_or_in_the_body_is_timeout() {
    assert_all(&serving(&[], |_, _| Then::Hang), "timeout", "500ms");
    let stuck = serving(&[], |peer, stream| {
        peer.write(&frame(HEADERS, END_HEADERS, stream, STATUS_200));
        Then::Keep
    });
    assert_all(&stuck, "timeout", "500ms");
}

#[test]
fn a_window_that_never_opens_is_timeout() {
    let server = serving(&[(INITIAL_WINDOW_SIZE, 0)], |_, _| Then::Hang);
    let ended = load(&server).post("hello").count(COUNT).run();
    ended.assert_outcomes(&[("timeout", COUNT)]);
}
