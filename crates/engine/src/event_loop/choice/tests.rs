//! What both loops must do, on real sockets: the peer is a blocking socket of the standard library.

mod bench;

use super::*;
use crate::event_loop::route::Sources;
use bench::{Bench, FAR_NS, on_each};
use rustix::net::sockopt::set_socket_linger;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

fn reset(stream: TcpStream) {
    set_socket_linger(&stream, Some(Duration::ZERO)).expect("is a socket");
    drop(stream);
}

/// Bytes in which a piece that is lost, doubled or out of place is noticed.
fn pattern(count: usize) -> Vec<u8> {
    (0..count as u64)
        .map(|index| (index.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8)
        .collect()
}

#[test]
fn the_chosen_loop_is_opened_and_auto_opens_one() {
    let listener = || TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    for (choice, names) in [
        (EventLoopChoice::Epoll, ["epoll"].as_slice()),
        (EventLoopChoice::IoUring, &["io_uring"]),
        (EventLoopChoice::Auto, &["io_uring", "epoll"]),
    ] {
        if let Some(bench) = Bench::new(choice, listener(), 1) {
            assert!(names.contains(&bench.events.name()));
        }
    }
}

#[test]
fn connections_come_from_the_addresses_that_are_named_in_turn() {
    let addresses = ["127.0.0.2", "127.0.0.3"].map(|one| one.parse().expect("is an address"));
    let come_from = |choice| {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let sources = Sources::of_worker(&addresses, 0, 1);
        let Some(mut bench) = Bench::from(choice, listener, 3, sources) else {
            return;
        };
        for slot in 0..3 {
            let is_pending = bench.events.connect(slot) == Ok(Connecting::Pending);
            while is_pending && bench.event().slot != slot {}
            bench.events.connected(slot).expect("is listened to");
            let (_, peer) = bench.listener.accept().expect("was connected");
            assert_eq!(peer.ip(), addresses[slot % 2]);
            let ends = bench.events.ends(slot).expect("is connected");
            assert_eq!(ends.caller, peer);
        }
    };
    // Each on a thread of its own, as in `on_each`.
    for choice in [EventLoopChoice::Epoll, EventLoopChoice::IoUring] {
        let come_from = &come_from;
        thread::scope(|scope| scope.spawn(move || come_from(choice)).join())
            .expect("the test holds");
    }
}

#[test]
fn a_refused_connection_says_so_and_the_slot_can_be_used_again() {
    on_each(1, |bench| {
        let address = bench.listener.local_addr().expect("is bound");
        let closed = TcpListener::bind((address.ip(), 0)).expect("a free port");
        let refusing = match &bench.events {
            ChosenLoop::Uring(_) => EventLoopChoice::IoUring,
            ChosenLoop::Epoll(_) => EventLoopChoice::Epoll,
        };
        let mut refused = Bench::new(refusing, closed, 1).expect("was there before");
        refused.listener = bench.listener.try_clone().expect("a descriptor");
        for _ in 0..3 {
            assert_eq!(refused.connect(0), Err(Errno::CONNREFUSED));
            refused.events.close(0);
        }
        let mut peer = bench.pair(0);
        bench.send(0, b"hello");
        bench.events.wait(0).expect("submits");
        peer.read_exact(&mut [0; 5]).expect("arrives");
    });
}

#[test]
fn small_messages_go_both_ways_in_order() {
    on_each(9, |bench| {
        let mut peers: Vec<TcpStream> = (0..9).map(|slot| bench.pair(slot)).collect();
        for round in 0..50_u8 {
            for slot in 0..9 {
                // Two at once, so that they may be gathered; and no wait before the next slot.
                for part in [[round, slot, 1], [round, slot, 2]] {
                    assert_eq!(bench.events.send(usize::from(slot), &part), Ok(3));
                }
            }
            bench.events.wait(0).expect("submits");
            for (slot, peer) in (0..).zip(&mut peers) {
                let mut asked = [0; 6];
                peer.read_exact(&mut asked).expect("arrives");
                assert_eq!(asked, [round, slot, 1, round, slot, 2]);
                peer.write_all(&[slot, round]).expect("is open");
                assert_eq!(bench.receive(usize::from(slot), 2), [slot, round]);
            }
        }
    });
}

#[test]
fn fifty_megabytes_go_both_ways_at_once() {
    const PIECES: [usize; 6] = [1, 200, 4_096, 4_097, 16_384, 300_000];
    let bytes = Arc::new(pattern(50_000_000));
    on_each(1, |bench| {
        let (mut reader, expected) = (bench.pair(0), Arc::clone(&bytes));
        let (mut writer, answer) = (
            reader.try_clone().expect("a descriptor"),
            Arc::clone(&bytes),
        );
        let reading = thread::spawn(move || {
            let mut asked = vec![0; expected.len()];
            reader.read_exact(&mut asked).expect("all arrives");
            assert!(asked == *expected);
        });
        let writing = thread::spawn(move || {
            writer.write_all(&answer).expect("all is taken");
            writer.shutdown(Shutdown::Write).expect("is open");
        });
        let (mut sent, mut received, mut ended) = (0, Vec::new(), false);
        let mut pieces = PIECES.iter().cycle();
        let mut takes = true;
        while sent < bytes.len() || !ended {
            if sent < bytes.len() && takes {
                let piece = pieces.next().expect("is endless");
                let end = bytes.len().min(sent + piece);
                let count = bench.events.send(0, &bytes[sent..end]).expect("is open");
                takes = count > 0;
                sent += count;
                continue;
            }
            let event = bench.event();
            takes |= event.writable;
            if event.readable {
                let result = bench.take(0, event.hung_up, &mut received);
                ended = result.expect("no failure");
            }
        }
        assert!(received == *bytes);
        bench.events.wait(0).expect("submits what is left");
        reading.join().expect("the peer got all");
        writing.join().expect("the peer sent all");
    });
}

#[test]
fn what_came_before_the_end_is_received_before_it() {
    on_each(2, |bench| {
        let mut peer = bench.pair(0);
        let answer = pattern(10_000);
        peer.write_all(&answer).expect("is open");
        drop(peer);
        let mut received = Vec::new();
        assert_eq!(bench.end(0, &mut received), None);
        assert_eq!(received, answer);
        assert!(!bench.events.has_unsent(0));
        reset(bench.pair(1));
        assert_eq!(bench.end(1, &mut received), Some(Errno::CONNRESET));
    });
}

#[test]
fn the_end_is_told_together_with_the_last_bytes() {
    on_each(2, |bench| {
        // Also of a socket that has brought much before.
        for (slot, before) in [(0, 100), (1, 100_000)] {
            let mut peer = bench.pair(slot);
            peer.write_all(&pattern(before)).expect("is open");
            assert_eq!(bench.receive(slot, before), pattern(before));
            peer.write_all(b"last").expect("is open");
            drop(peer);
            let mut received = Vec::new();
            assert_eq!(bench.end(slot, &mut received), None);
            assert_eq!(received, b"last");
            bench.events.close(slot);
        }
    });
}

#[test]
fn a_reset_in_mid_send_is_an_error_of_both_directions() {
    on_each(1, |bench| {
        for piece in [&pattern(1_000), &pattern(200_000)] {
            let peer = bench.pair(0);
            while bench.events.send(0, piece).expect("is open") > 0 {}
            let is_refused_later = bench.events.has_unsent(0);
            reset(peer);
            let event = bench.event();
            assert!(event.hung_up && event.readable);
            let mut received = Vec::new();
            assert!(bench.take(0, true, &mut received).is_err());
            assert!(received.is_empty());
            assert_eq!(bench.events.has_unsent(0), is_refused_later);
            assert!(bench.events.send(0, piece).is_err());
            bench.events.close(0);
        }
    });
}

#[test]
fn bytes_written_just_before_closing_arrive() {
    on_each(1, |bench| {
        for count in [1, 4_096, 50_000] {
            let mut peer = bench.pair(0);
            bench.send(0, &pattern(count));
            bench.events.close(0);
            bench.events.wait(0).expect("submits");
            let mut arrived = Vec::new();
            peer.read_to_end(&mut arrived).expect("an orderly end");
            assert_eq!(arrived, pattern(count));
        }
    });
}

#[test]
fn the_peer_learns_of_a_close_while_the_loop_waits() {
    on_each(2, |bench| {
        let (mut closed, mut ended) = (bench.pair(0), bench.pair(1));
        let waker = Arc::clone(&bench.waker);
        ended.shutdown(Shutdown::Write).expect("is open");
        assert_eq!(bench.end(1, &mut Vec::new()), None);
        bench.events.close(0);
        bench.events.close(1);
        let learned = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&learned);
        let peer = thread::spawn(move || {
            assert_eq!(closed.read(&mut [0; 9]).expect("an orderly end"), 0);
            assert_eq!(ended.read(&mut [0; 9]).expect("an orderly end"), 0);
            told.store(true, Ordering::Release);
            rustix::io::write(&*waker, &1_u64.to_ne_bytes()).expect("is open");
        });
        let deadline_ns = bench.events.now_ns() + FAR_NS;
        while !learned.load(Ordering::Acquire) {
            assert!(bench.events.now_ns() < deadline_ns, "nobody learned");
            bench.events.wait(deadline_ns).expect("waits");
            assert_eq!(bench.events.next_event(), None);
        }
        peer.join().expect("both ends came");
    });
}

#[test]
fn a_slot_used_again_sees_nothing_of_its_earlier_socket() {
    on_each(1, |bench| {
        let mut old = Vec::new();
        for round in 0..200_u8 {
            let mut peer = bench.pair(0);
            // Received and not looked at, on its way, and not even submitted.
            peer.write_all(&[255; 6_000]).expect("is open");
            if round % 2 == 0 {
                bench.events.wait(0).expect("submits");
            }
            bench.events.send(0, &[254; 100]).expect("is open");
            bench.events.close(0);
            old.push(peer);
            let mut peer = bench.pair(0);
            peer.write_all(&[round; 10]).expect("is open");
            assert_eq!(bench.receive(0, 10), [round; 10]);
            bench.send(0, &[round; 10]);
            bench.events.wait(0).expect("submits");
            let mut asked = [0; 10];
            peer.read_exact(&mut asked).expect("arrives");
            assert_eq!(asked, [round; 10]);
            bench.events.close(0);
        }
    });
}

#[test]
fn each_write_to_the_waker_ends_a_wait() {
    on_each(1, |bench| {
        for _ in 0..5 {
            let waker = Arc::clone(&bench.waker);
            let waking = thread::spawn(move || rustix::io::write(&*waker, &1_u64.to_ne_bytes()));
            bench.events.wait(u64::MAX).expect("waits");
            assert_eq!(bench.events.next_event(), None);
            waking.join().expect("no panic").expect("is open");
        }
    });
}

#[test]
fn a_wait_without_events_does_not_end_before_its_deadline() {
    on_each(1, |bench| {
        let _peer = bench.pair(0);
        while bench.events.next_event().is_some() {}
        for wait_ns in [0, 1, 50_000, 20_000_000] {
            let deadline_ns = bench.events.now_ns() + wait_ns;
            bench.events.wait(deadline_ns).expect("waits");
            assert!(bench.events.now_ns() >= deadline_ns);
        }
    });
}

#[test]
fn more_answers_at_once_than_there_are_buffers_all_arrive() {
    const SLOTS: usize = 400;
    const ANSWER_BYTES: usize = 9_000;
    on_each(SLOTS, |bench| {
        let mut peers: Vec<TcpStream> = (0..SLOTS).map(|slot| bench.pair(slot)).collect();
        for round in 0..3 {
            for (slot, peer) in peers.iter_mut().enumerate() {
                let answer = pattern(ANSWER_BYTES + slot + round);
                peer.write_all(&answer).expect("is open");
            }
            let mut received = vec![Vec::new(); SLOTS];
            let mut missing = (0..SLOTS)
                .map(|slot| ANSWER_BYTES + slot + round)
                .sum::<usize>();
            while missing > 0 {
                let event = bench.event();
                if event.readable {
                    let received = &mut received[event.slot];
                    let before = received.len();
                    assert_eq!(bench.take(event.slot, false, received), Ok(false));
                    missing -= received.len() - before;
                }
            }
            for (slot, received) in received.iter().enumerate() {
                assert!(*received == pattern(ANSWER_BYTES + slot + round));
            }
        }
    });
}
