//! HTTP/2 servers that break the rules: each ends as its own outcome, within the timeout.

mod common;

use common::hostile::{COUNT, assert_all, load};
use common::http2::{
    ACK, CONTINUATION, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, INITIAL_WINDOW_SIZE,
    MAX_CONCURRENT_STREAMS, MAX_FRAME_SIZE, PADDED, PING, PRIORITY, PUSH_PROMISE, Peer, RST_STREAM,
    SETTINGS, STATUS_200, WINDOW_UPDATE, frame, literal, response, serving, settings, talking,
};
use common::server::Then;
use serde_json::{Value, json};

/// A fault of the connection, in place of the first response.
fn assert_fault(answer: impl AsRef<[u8]>, text: &str) {
    let answer = answer.as_ref().to_vec();
    let server = serving(&[], move |peer, _| {
        peer.write(&answer);
        Then::Hang
    });
    let ended = assert_all(&server, "protocol", text);
    assert_eq!(ended.summary()["connections"]["opened"], COUNT);
}

/// A fault of one stream alone: the connection goes on.
fn assert_stream_fault(
    answer: impl Fn(u32) -> Vec<u8> + Send + Sync + Clone + 'static,
    text: &str,
) {
    let server = serving(&[], move |peer, stream| {
        peer.write(&answer(stream));
        Then::Keep
    });
    let ended = assert_all(&server, "protocol", text);
    assert_eq!(ended.summary()["connections"]["opened"], 1);
}

fn head(stream: u32, block: &[u8]) -> Vec<u8> {
    frame(HEADERS, END_HEADERS, stream, block)
}

fn whole_head(stream: u32, block: &[u8]) -> Vec<u8> {
    frame(HEADERS, END_HEADERS | END_STREAM, stream, block)
}

fn with_length(stream: u32, length: &str) -> Vec<u8> {
    head(
        stream,
        &[STATUS_200, &literal("content-length", length)].concat(),
    )
}

#[test]
fn what_does_not_greet_with_settings_is_protocol() {
    let garbage = talking(|peer| {
        peer.write(&[0xff; 100]);
        peer.drain();
    });
    assert_all(&garbage, "protocol", "");
    let ping = talking(|peer| {
        peer.write(&frame(PING, 0, 0, &[0; 8]));
        peer.drain();
    });
    assert_all(&ping, "protocol", "not SETTINGS");
    let http1 = talking(|peer| {
        peer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        peer.drain();
    });
    assert_all(&http1, "protocol", "HTTP/1");
}

#[test]
fn a_server_that_never_greets_ends_with_the_connect_timeout() {
    let silent = talking(Peer::drain);
    assert_all(&silent, "protocol", "500ms");
}

#[test]
fn an_end_before_the_greeting_is_protocol() {
    assert_all(&talking(|_| {}), "protocol", "");
}

#[test]
fn an_end_in_mid_response_is_read() {
    for then in [|| Then::Close, || Then::Reset] {
        let nothing = serving(&[], move |_, _| then());
        assert_all(&nothing, "read", "");
        let half = serving(&[], move |peer, stream| {
            peer.write(&frame(HEADERS, END_HEADERS, stream, STATUS_200));
            peer.write(&frame(DATA, 0, stream, b"half"));
            then()
        });
        assert_all(&half, "read", "");
        let in_a_frame = serving(&[], move |peer, stream| {
            peer.write(&response(stream, b"whole")[..12]);
            then()
        });
        assert_all(&in_a_frame, "read", "");
    }
}

#[test]
fn garbage_in_place_of_a_frame_is_protocol() {
    assert_fault([0xff; 100], "length");
    assert_fault(b"HTTP/1.1 200 OK\r\n\r\n", "");
}

#[test]
fn a_frame_of_a_wrong_length_is_protocol() {
    for bad in [
        frame(DATA, 0, 1, &vec![0; 16_385]),
        frame(SETTINGS, 0, 0, &[0; 5]),
        frame(SETTINGS, ACK, 0, &[0; 6]),
        frame(PING, 0, 0, &[0; 7]),
        frame(WINDOW_UPDATE, 0, 0, &[0; 3]),
        frame(RST_STREAM, 0, 1, &[0; 3]),
        frame(GOAWAY, 0, 0, &[0; 7]),
    ] {
        assert_fault(bad, "length");
    }
    let priority = |stream| frame(PRIORITY, 0, stream, &[0; 4]);
    assert_stream_fault(priority, "length");
}

#[test]
fn a_frame_on_a_wrong_stream_is_protocol() {
    for bad in [
        frame(DATA, 0, 0, b"x"),
        frame(HEADERS, END_HEADERS, 0, STATUS_200),
        frame(SETTINGS, 0, 1, &[]),
        frame(PING, 0, 1, &[0; 8]),
        frame(GOAWAY, 0, 1, &[0; 8]),
        frame(RST_STREAM, 0, 0, &[0; 4]),
        frame(DATA, 0, 99, b"x"),
        frame(HEADERS, END_HEADERS, 2, STATUS_200),
        frame(RST_STREAM, 0, 99, &[0; 4]),
        frame(WINDOW_UPDATE, 0, 99, &[0, 0, 0, 1]),
    ] {
        assert_fault(bad, "stream");
    }
}

#[test]
fn settings_and_windows_of_impossible_values_are_protocol() {
    assert_fault(settings(&[(INITIAL_WINDOW_SIZE, 1 << 31)]), "window");
    assert_fault(settings(&[(MAX_FRAME_SIZE, 1)]), "setting");
    assert_fault(settings(&[(MAX_FRAME_SIZE, 1 << 24)]), "setting");
    for increment in [[0; 4], [0x7f, 0xff, 0xff, 0xff]] {
        assert_fault(frame(WINDOW_UPDATE, 0, 0, &increment), "window");
        let update = move |stream| frame(WINDOW_UPDATE, 0, stream, &increment);
        assert_stream_fault(update, "window");
    }
}

#[test]
fn a_broken_head_is_protocol() {
    let with = |name, value| [STATUS_200, &literal(name, value)].concat();
    for (block, text) in [
        (literal("server", "without a status"), ":status"),
        (literal(":status", "2x0"), ":status"),
        ([STATUS_200, STATUS_200].concat(), ":status"),
        (with(":path", "/"), "pseudo-header"),
        (with("Upper", "case"), "header"),
        (with("split", "a\r\nb: c"), "header"),
        (with("connection", "close"), "connection"),
        (with("content-length", "many"), "Content-Length"),
        (literal(":status", "101"), "switched"),
        (literal(":status", "103"), "interim"),
    ] {
        assert_stream_fault(move |stream| whole_head(stream, &block), text);
    }
}

#[test]
fn a_header_block_that_cannot_be_unpacked_is_protocol() {
    for block in [
        // Index 0, an index without end, and one of an entry that is not there.
        &[0x80][..],
        &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        &[0xbe],
        // A table size above the setting, and one in mid-block.
        &[0x3f, 0xe2, 0x1f, 0x88],
        &[0x88, 0x20],
        // Cut off within a literal.
        &[0x88, 0x00, 0x05, b'a'],
    ] {
        assert_fault(whole_head(1, block), "header compression");
    }
}

#[test]
fn frames_in_a_wrong_order_are_protocol() {
    let open = frame(HEADERS, 0, 1, STATUS_200);
    let interrupted = [open.clone(), frame(PING, 0, 0, &[0; 8])].concat();
    assert_fault(interrupted, "header block");
    let elsewhere = [open, frame(CONTINUATION, END_HEADERS, 3, &[])].concat();
    assert_fault(elsewhere, "header block");
    let headless = frame(CONTINUATION, END_HEADERS, 1, STATUS_200);
    assert_fault(headless, "header block");
    let bodies = |stream| frame(DATA, END_STREAM, stream, b"headless");
    assert_stream_fault(bodies, "before the head");
    let again = |stream| [head(stream, STATUS_200), head(stream, &literal("a", "b"))].concat();
    assert_stream_fault(again, "trailers");
}

#[test]
fn padding_longer_than_its_frame_is_protocol() {
    assert_fault(
        frame(HEADERS, END_HEADERS | PADDED, 1, &[200, 0x88]),
        "padding",
    );
    let data = [with_length(1, "1"), frame(DATA, PADDED, 1, &[9, b'x'])].concat();
    assert_fault(data, "padding");
    let without_its_length = [with_length(1, "1"), frame(DATA, PADDED, 1, &[])].concat();
    assert_fault(without_its_length, "");
}

#[test]
fn a_body_of_another_length_than_told_is_protocol() {
    for (told, body) in [("10", "short"), ("2", "longer"), ("5", "")] {
        let answer = move |stream| {
            let body = frame(DATA, END_STREAM, stream, body.as_bytes());
            [with_length(stream, told), body].concat()
        };
        assert_stream_fault(answer, "Content-Length");
    }
}

#[test]
fn a_body_where_there_is_none_is_protocol() {
    let server = serving(&[], |peer, stream| {
        peer.write(
            &[
                with_length(stream, "5"),
                frame(DATA, END_STREAM, stream, b"five!"),
            ]
            .concat(),
        );
        Then::Keep
    });
    let load = load(&server).operation("method", json!("HEAD"));
    load.count(COUNT)
        .run()
        .assert_outcomes(&[("protocol", COUNT)]);
    let no_content = |stream| {
        let head = head(stream, &literal(":status", "204"));
        [head, frame(DATA, END_STREAM, stream, b"x")].concat()
    };
    assert_stream_fault(no_content, "body in a response that has none");
}

#[test]
fn a_push_is_refused_as_protocol() {
    let promise = [&[0, 0, 0, 2][..], STATUS_200].concat();
    assert_fault(frame(PUSH_PROMISE, END_HEADERS, 1, &promise), "push");
}

#[test]
fn a_reset_stream_is_read_and_keeps_the_connection() {
    for (code, text) in [(0x8_u32, "code 8"), (0x7, "did not process")] {
        let server = serving(&[], move |peer, stream| {
            peer.write(&frame(RST_STREAM, 0, stream, &code.to_be_bytes()));
            Then::Keep
        });
        let ended = assert_all(&server, "read", text);
        assert_eq!(ended.summary()["connections"]["opened"], 1);
    }
}

#[test]
fn a_server_that_allows_no_stream_leaves_everything_not_sent() {
    let server = serving(&[(MAX_CONCURRENT_STREAMS, 0)], |_, _| Then::Hang);
    let ended = load(&server).rate(50.0, 2).milliseconds(1_000).run();
    ended.assert_outcomes(&[("not_sent", 50)]);
}

/// Says farewell to every second stream of a connection as one that it did not process, and answers the
/// first.
fn leaving_in_mid_flight(peer: &mut Peer, stream: u32) -> Then {
    if stream == 1 {
        return Then::Keep;
    }
    let last_stream_and_code = [0, 0, 0, 1, 0, 0, 0, 0];
    peer.write(&frame(GOAWAY, 0, 0, &last_stream_and_code));
    peer.write(&response(1, b"the last"));
    Then::Hang
}

#[test]
fn streams_beyond_a_farewell_are_sent_again_and_the_others_go_on() {
    let server = serving(&[], leaving_in_mid_flight);
    let ended = load(&server).set("streams", json!(2)).count(9).run();
    let outcomes = ended.outcomes();
    // The last one is alone, and so never answered.
    assert!(outcomes["ok"] >= 7, "{outcomes:?}");
    assert_eq!(outcomes.get("read"), None, "{outcomes:?}");
    assert!(ended.summary()["connections"]["opened"].as_u64() > Some(1));
}

#[test]
fn one_broken_response_on_a_connection_leaves_no_other_request_unaccounted() {
    // The second of ten streams breaks the connection; all ten have an outcome at once.
    let server = serving(&[], |peer, stream| {
        if stream == 3 {
            peer.write(&frame(DATA, 0, 0, b"on no stream"));
        }
        Then::Keep
    });
    let ended = load(&server).set("streams", json!(10)).count(50).run();
    let outcomes = ended.outcomes();
    assert_eq!(outcomes.values().sum::<u64>(), 50, "{outcomes:?}");
    assert_eq!(outcomes.get("timeout"), None, "{outcomes:?}");
    assert!(outcomes["protocol"] >= 5, "{outcomes:?}");
    assert_eq!(ended.clock("response_time", "ok"), &Value::Null);
}
