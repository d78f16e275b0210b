//! HTTP/2 servers that keep to the rules in unusual ways: every request is ok.

mod common;

use common::http2::{
    ACK, CONTINUATION, DATA, END_HEADERS, END_STREAM, GOAWAY, HAS_PRIORITY, HEADER_TABLE_SIZE,
    HEADERS, INITIAL_WINDOW_SIZE, MAX_CONCURRENT_STREAMS, MAX_FRAME_SIZE, PADDED, PING, PRIORITY,
    RST_STREAM, SETTINGS, STATUS_200, WINDOW_UPDATE, frame, literal, response, serving, settings,
    talking,
};
use common::load::{Ended, Load};
use common::server::{Server, Then};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const COUNT: u64 = 5;
const BODY: &str = "the whole body";

fn load(server: &Server) -> Load {
    let check = json!({"status": 200, "body_contains": BODY});
    Load::to(server.address)
        .set("protocol", json!("h2c"))
        .operation("check", check)
}

/// On either event loop, all requests are ok.
fn assert_ok(load: Load) -> Ended {
    let plan = load.plan.clone();
    let on_epoll = load.set("event_loop", json!("epoll")).count(COUNT).run();
    on_epoll.assert_outcomes(&[("ok", COUNT)]);
    let ended = Load { plan }.count(COUNT).run();
    ended.assert_outcomes(&[("ok", COUNT)]);
    ended
}

fn head(stream: u32) -> Vec<u8> {
    frame(HEADERS, END_HEADERS, stream, STATUS_200)
}

fn last_data(stream: u32) -> Vec<u8> {
    frame(DATA, END_STREAM, stream, BODY.as_bytes())
}

#[test]
fn a_response_may_come_byte_by_byte() {
    let server = serving(&[], |peer, stream| {
        peer.trickle(&response(stream, BODY.as_bytes()));
        Then::Keep
    });
    let ended = assert_ok(load(&server));
    assert_eq!(ended.summary()["connections"]["opened"], 1);
}

#[test]
fn frames_may_be_padded_and_heads_carry_a_priority() {
    let server = serving(&[], |peer, stream| {
        let priority = [0, 0, 0, 0, 16];
        let padded = [&[3][..], &priority, STATUS_200, &[0; 3]].concat();
        let flags = END_HEADERS | PADDED | HAS_PRIORITY;
        peer.write(&frame(HEADERS, flags, stream, &padded));
        for piece in BODY.as_bytes().chunks(3) {
            let padded = [&[200][..], piece, &[0; 200]].concat();
            peer.write(&frame(DATA, PADDED, stream, &padded));
        }
        // Nothing but padding, and the end.
        peer.write(&frame(DATA, PADDED | END_STREAM, stream, &[1, 0]));
        Then::Keep
    });
    assert_ok(load(&server));
}

#[test]
fn a_head_may_be_continued_in_single_bytes() {
    let server = serving(&[], |peer, stream| {
        let block = [STATUS_200, &literal("server", "in pieces")].concat();
        peer.write(&frame(HEADERS, 0, stream, &[]));
        for byte in block {
            peer.write(&frame(CONTINUATION, 0, stream, &[byte]));
        }
        peer.write(&frame(CONTINUATION, END_HEADERS, stream, &[]));
        peer.write(&last_data(stream));
        Then::Keep
    });
    assert_ok(load(&server));
}

#[test]
fn interim_responses_and_trailers_surround_a_response() {
    let server = serving(&[], |peer, stream| {
        let interim = [literal(":status", "103"), literal("link", "</style>")].concat();
        for _ in 0..3 {
            peer.write(&frame(HEADERS, END_HEADERS, stream, &interim));
        }
        peer.write(&head(stream));
        peer.write(&frame(DATA, 0, stream, BODY.as_bytes()));
        let trailers = literal("checksum", "right");
        peer.write(&frame(HEADERS, END_HEADERS | END_STREAM, stream, &trailers));
        Then::Keep
    });
    assert_ok(load(&server));
}

#[test]
fn settings_pings_priorities_and_unknown_frames_come_in_between() {
    let server = serving(&[(0xfafa, 7)], |peer, stream| {
        peer.pongs.clear();
        for number in 0..50_u8 {
            peer.write(&settings(&[(0xfafa, number.into())]));
            peer.write(&frame(PING, 0, 0, &[number; 8]));
            peer.write(&frame(PRIORITY, 0, 99, &[0, 0, 0, 0, 16]));
            peer.write(&frame(0xfa, 0xff, stream, b"of an unknown kind"));
        }
        peer.write(&head(stream));
        let mut acknowledged = 0_u32;
        while peer.pongs.len() < 50 || acknowledged < 50 {
            let Some(frame) = peer.obey() else {
                return Then::Close;
            };
            acknowledged += u32::from(frame.kind == SETTINGS && frame.flags & ACK != 0);
        }
        // Each ping is answered by its own bytes, in order.
        let in_order = (0..50_u8).map(|number| vec![number; 8]);
        let right = in_order.eq(peer.pongs.iter().cloned());
        if right {
            peer.write(&last_data(stream));
        }
        Then::Keep
    });
    assert_ok(load(&server));
}

#[test]
fn a_body_passes_through_a_window_of_one_byte() {
    let sent = "one byte at a time";
    let server = talking(move |peer| {
        peer.write(&settings(&[(INITIAL_WINDOW_SIZE, 1)]));
        while let Some(first) = peer.obey() {
            if first.kind != HEADERS {
                continue;
            }
            let (stream, mut received) = (first.stream, Vec::<u8>::new());
            loop {
                let Some(came) = peer.obey() else { return };
                if came.kind != DATA {
                    continue;
                }
                assert!(came.payload.len() <= 1, "the window is one byte");
                received.extend(&came.payload);
                if came.flags & END_STREAM != 0 {
                    break;
                }
                peer.write(&frame(WINDOW_UPDATE, 0, stream, &[0, 0, 0, 1]));
            }
            if received == sent.as_bytes() {
                peer.write(&response(stream, BODY.as_bytes()));
            }
        }
    });
    assert_ok(load(&server).post(sent));
}

#[test]
fn a_window_that_becomes_negative_holds_the_body_back_until_it_opens() {
    // 65,535 bytes go at once; the window then shrinks below what was sent, and reopens.
    let sent = "x".repeat(100_000);
    let server = talking(|peer| {
        peer.write(&settings(&[]));
        while let Some(first) = peer.obey() {
            if first.kind != HEADERS {
                continue;
            }
            peer.body.clear();
            while peer.body.len() < 65_535 {
                if peer.obey().is_none() {
                    return;
                }
            }
            peer.write(&settings(&[(INITIAL_WINDOW_SIZE, 10)]));
            peer.write(&frame(WINDOW_UPDATE, 0, 0, &200_000_u32.to_be_bytes()));
            peer.write(&frame(
                WINDOW_UPDATE,
                0,
                first.stream,
                &65_525_u32.to_be_bytes(),
            ));
            // Now exactly nothing may be sent; the ping's answer shows that it was understood.
            peer.write(&frame(PING, 0, 0, &[1; 8]));
            let before = peer.body.len();
            peer.pongs.clear();
            while peer.pongs.is_empty() {
                if peer.obey().is_none() {
                    return;
                }
            }
            assert_eq!(peer.body.len(), before, "the window was closed");
            peer.write(&settings(&[(INITIAL_WINDOW_SIZE, 65_535)]));
            while peer.body.len() < 100_000 {
                if peer.obey().is_none() {
                    return;
                }
            }
            peer.write(&response(first.stream, BODY.as_bytes()));
        }
    });
    assert_ok(load(&server).post(&sent));
}

#[test]
fn a_response_may_end_before_its_request() {
    // The rest of the body is not wanted (RFC 9113, section 8.1): no window, an answer, a reset.
    let server = talking(|peer| {
        peer.write(&settings(&[(INITIAL_WINDOW_SIZE, 0)]));
        while let Some(first) = peer.obey() {
            if first.kind == HEADERS {
                peer.write(&response(first.stream, BODY.as_bytes()));
                peer.write(&frame(RST_STREAM, 0, first.stream, &[0; 4]));
            }
        }
    });
    assert_ok(load(&server).post("never sent"));
}

#[test]
fn header_tables_are_resized_on_either_side() {
    let server = serving(&[(HEADER_TABLE_SIZE, 0)], |peer, stream| {
        // Emptied, reopened at 100 bytes, and filled by one entry, which is then named twice.
        let mut block = vec![0x20, 0x3f, 0x45, 0x88, 0x40, 0x01, b'a', 0x01, b'b'];
        block.extend([0xbe, 0xbe]);
        peer.write(&frame(HEADERS, END_HEADERS, stream, &block));
        peer.write(&last_data(stream));
        Then::Keep
    });
    assert_ok(load(&server));
    let changing = serving(&[], |peer, stream| {
        // Down to nothing and up again with each response; requests must follow at once.
        let size = if stream % 4 == 1 { 0 } else { 4_096 };
        peer.write(&settings(&[(HEADER_TABLE_SIZE, size)]));
        peer.write(&response(stream, BODY.as_bytes()));
        Then::Keep
    });
    assert_ok(load(&changing));
}

#[test]
fn a_table_of_nothing_is_announced_by_the_next_header_block() {
    let server = talking(|peer| {
        peer.write(&settings(&[(HEADER_TABLE_SIZE, 0)]));
        let mut is_first = true;
        while let Some(frame) = peer.obey() {
            // RFC 7541, sections 4.2 and 6.3: a size of 0, then no literal that enters the table.
            if frame.kind == HEADERS {
                assert!(!is_first || frame.payload[0] == 0x20, "{:?}", frame.payload);
                is_first = false;
                peer.write(&response(frame.stream, BODY.as_bytes()));
            }
        }
    });
    let header = json!([["x-repeated", "the same in every request"]]);
    assert_ok(load(&server).operation("headers", header));
}

#[test]
fn requests_larger_than_a_frame_are_split() {
    let server = serving(&[(MAX_FRAME_SIZE, 16_384)], |peer, stream| {
        if peer.body.len() == 50_000 {
            // The next body is more than is left of the connection's window.
            peer.write(&frame(WINDOW_UPDATE, 0, 0, &50_000_u32.to_be_bytes()));
            peer.write(&response(stream, BODY.as_bytes()));
        }
        Then::Keep
    });
    let value = "v".repeat(40_000);
    let large = load(&server).operation("headers", json!([["x-large", value]]));
    assert_ok(large.post(&"b".repeat(50_000)));
}

#[test]
fn a_peer_of_one_stream_gets_one_at_a_time() {
    let most = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&most);
    let server = serving(&[(MAX_CONCURRENT_STREAMS, 1)], move |peer, stream| {
        // Whatever the client had sent without waiting came before the answer to this ping.
        peer.write(&frame(PING, 0, 0, &[1; 8]));
        peer.pongs.clear();
        while peer.pongs.is_empty() {
            if peer.obey().is_none() {
                return Then::Close;
            }
        }
        let open = 1 + peer.begun.len() as u64;
        seen.fetch_max(open, Ordering::AcqRel);
        peer.write(&response(stream, BODY.as_bytes()));
        Then::Keep
    });
    let ended = load(&server).set("streams", json!(10)).count(20).run();
    ended.assert_outcomes(&[("ok", 20)]);
    assert_eq!(most.load(Ordering::Acquire), 1);
    assert_eq!(ended.summary()["connections"]["opened"], 1);
}

#[test]
fn responses_come_in_another_order_and_interleaved() {
    let server = serving(&[], |peer, stream| {
        // Streams 1, 3 and 5 wait for each other, then 7, 9 and 11, and so on.
        if (stream / 2 + 1) % 3 != 0 {
            return Then::Keep;
        }
        let three = [stream, stream - 4, stream - 2];
        for stream in three {
            peer.write(&head(stream));
        }
        for byte in BODY.bytes() {
            for stream in three {
                peer.write(&frame(DATA, 0, stream, &[byte]));
            }
        }
        for stream in three {
            peer.write(&frame(DATA, END_STREAM, stream, &[]));
        }
        Then::Keep
    });
    let ended = load(&server).set("streams", json!(3)).count(12).run();
    ended.assert_outcomes(&[("ok", 12)]);
}

#[test]
fn a_farewell_after_each_response_costs_a_connection_and_no_request() {
    let server = serving(&[], |peer, stream| {
        let farewell = [&stream.to_be_bytes()[..], &[0; 4], b"until tomorrow"].concat();
        peer.write(&frame(GOAWAY, 0, 0, &farewell));
        peer.write(&response(stream, BODY.as_bytes()));
        Then::Hang
    });
    let ended = assert_ok(load(&server));
    assert_eq!(ended.summary()["connections"]["opened"], COUNT);
}

#[test]
fn a_large_body_passes_through_the_windows_that_the_client_opens() {
    // Three times the window that the engine opens for a stream.
    const PIECES: u64 = 3_000;
    let server = serving(&[], |peer, stream| {
        peer.write(&head(stream));
        for _ in 0..PIECES {
            if !peer.send_data(stream, &[b'x'; 16_384]) {
                return Then::Close;
            }
        }
        peer.write(&last_data(stream));
        Then::Keep
    });
    let ended = load(&server).count(1).run();
    ended.assert_outcomes(&[("ok", 1)]);
    assert!(ended.operation()["bytes_received"].as_u64() >= Some(PIECES * 16_384));
}
