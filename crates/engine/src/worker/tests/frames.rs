//! What must come of requests on connections of HTTP/2 that end, refuse and allow less than the plan.

use rustix::io::Errno;

use super::framed_server::Frames;
use super::*;
use crate::plan::session_format::Node;
use crate::plan::{Arrivals, Connections, Protocol, Rate, Think};
use crate::record::request_rows::ROW_BYTES;
use crate::worker::simulated::wire::{self, Asked, MAX_CONCURRENT_STREAMS, Unread, kind};
use crate::worker::simulated::{Accepting, Happening, Happenings, Server};

/// Settings without a limit.
fn plain() -> Vec<u8> {
    wire::frame(kind::SETTINGS, 0, 0, &[])
}

fn limit(streams: u32) -> Vec<u8> {
    wire::setting(MAX_CONCURRENT_STREAMS, streams)
}

fn http2(streams: u64, operations: usize) -> Plan {
    let times = Times {
        timeout_ns: 100 * MS,
        ..TIMES
    };
    let mut plan = plan(times, operations);
    plan.protocol = Protocol::H2c;
    plan.streams = streams;
    plan.record_requests = true;
    plan
}

/// One user, on a connection of the plan's streams.
fn one_user(plan: &Plan) -> Offers {
    Offers::of_plan(plan, WorkerPart::WHOLE)
}

/// Sessions at a rate, over one connection.
fn pool(plan: &Plan, per_second: f64) -> Offers {
    let mut plan = plan.clone();
    plan.groups[0].arrivals = Arrivals::Rate(Rate {
        stages: level(per_second).to_vec(),
        process: Process::Constant,
        connections: 1,
        sessions: 100_000,
        own_connections: false,
    });
    Offers::of_plan(&plan, WorkerPart::WHOLE)
}

fn not_sent(load: &Load, cause: NotSent) -> u64 {
    load.sums().outcomes().get_not_sent(cause)
}

/// A request every 100 ms from each of two users for a second, all in vain.
fn assert_all_time_out(load: &Load) {
    assert_eq!(load.outcomes(), [(Outcome::Timeout, 20)]);
    assert_eq!(load.totals.opened, 20);
}

#[test]
fn a_connection_for_each_request_ends_with_a_request_that_times_out() {
    let silent = Frames::new(plain(), 2, |_| Vec::new());
    let mut plan = http2(1, 1);
    plan.connections = Connections::PerRequest;
    assert_all_time_out(&run_plan(silent, users(2), &plan, None));
}

#[test]
fn a_farewell_and_then_silence_costs_a_timeout_each() {
    let leaving = Frames::new(plain(), 2, |request| {
        vec![(MS, wire::goaway(request.stream))]
    });
    assert_all_time_out(&run_plan(leaving, users(2), &http2(1, 1), None));
}

#[test]
fn a_farewell_makes_nobody_wait_for_the_slowest_stream() {
    // On the first connection one stream takes 90 ms, while the other one is told farewell.
    let server = || {
        Frames::new(plain(), 2, |request| {
            match (request.connection, request.stream) {
                (0, 1) => vec![(90 * MS, request.ok())],
                (0, _) => vec![(10 * MS, [request.ok(), wire::goaway(3)].concat())],
                _ => vec![(10 * MS, request.ok())],
            }
        })
    };
    let plan = http2(2, 1);
    for offers in [one_user(&plan), pool(&plan, 150.0)] {
        let load = run_plan(server(), offers, &plan, None);
        let outcomes = load.outcomes();
        assert_eq!(outcomes.len(), 1, "{outcomes:?}");
        assert!(outcomes[0].1 >= 150, "{outcomes:?}");
        assert_eq!(load.totals.opened, 2);
        // Nobody waited for anything but a free lane.
        let lag_ns = load.max_ns(RequestClock::Lag).0;
        assert!(lag_ns < 50 * MS, "{lag_ns}");
    }
}

#[test]
fn while_two_connections_bring_their_last_answers_who_comes_waits_for_the_first_of_them() {
    // Each connection says farewell with its first answer, and its other stream takes 60 ms.
    let server = Frames::new(plain(), 2, |request| match request.stream {
        1 => vec![(60 * MS, request.ok())],
        _ => vec![(MS, [request.ok(), wire::goaway(LAST)].concat())],
    });
    let plan = http2(2, 1);
    let load = run_plan(server, one_user(&plan), &plan, None);
    let outcomes = load.outcomes();
    assert_eq!(outcomes.len(), 1, "{outcomes:?}");
    assert!(outcomes[0].1 > 40, "{outcomes:?}");
    let lag_ns = load.max_ns(RequestClock::Lag).0;
    assert!(lag_ns < 100 * MS, "{lag_ns}");
}

#[test]
fn what_the_server_did_not_process_is_sent_again() {
    // The first stream of each request is refused.
    let server = Frames::new(plain(), 1, |request| {
        vec![if request.before % 2 == 0 {
            (5 * MS, wire::reset(request.stream, 7))
        } else {
            (10 * MS, request.ok())
        }]
    });
    let load = run_plan(server, users(1), &http2(1, 1), Some(10));
    assert_eq!(load.outcomes(), [(Outcome::Ok, 10)]);
    assert_eq!((load.totals.opened, load.totals.refused_streams), (1, 10));
    // Its times go on.
    assert_eq!(load.max_ns(RequestClock::ServiceTime).0, 15 * MS);
    assert_eq!(load.max_ns(RequestClock::FirstByte).0, 15 * MS);
    assert_eq!(load.samples, 2, "one in the load, one after its stop");
}

#[test]
fn what_is_refused_each_time_is_sent_four_times_and_says_so() {
    let refusing = || {
        Frames::new(plain(), 1, |request| {
            vec![(MS, wire::reset(request.stream, 7))]
        })
    };
    let leaving = || Frames::new(plain(), 1, |_| vec![(MS, wire::goaway(0))]);
    for (load, opened) in [
        (run_plan(refusing(), users(1), &http2(1, 1), Some(5)), 1),
        (run_plan(leaving(), users(1), &http2(1, 1), Some(5)), 20),
    ] {
        assert_eq!(load.outcomes(), [(Outcome::Read, 5)]);
        assert_eq!(
            (load.totals.opened, load.totals.refused_streams),
            (opened, 15)
        );
        let texts = load.totals.details.texts(Outcome::Read);
        assert_eq!(
            texts,
            ["the server did not process the request, which was sent 4 times"]
        );
    }
}

#[test]
fn an_answer_that_was_begun_is_not_asked_for_again() {
    let server = Frames::new(plain(), 1, |request| {
        let begun = wire::answer(request.stream, wire::STATUS_200, 1);
        vec![(MS, [begun, wire::reset(request.stream, 7)].concat())]
    });
    let load = run_plan(server, users(1), &http2(1, 1), Some(3));
    assert_eq!(load.outcomes(), [(Outcome::Read, 3)]);
    assert_eq!(load.totals.refused_streams, 0);
}

#[test]
fn lanes_come_back_when_the_server_allows_more_streams() {
    // Three requests at a time are wanted; at first one is allowed.
    let server = Frames::new(limit(1), 2, |request| {
        let answer = (100 * MS - 1, request.ok());
        if request.before == 0 {
            vec![(50 * MS, limit(4)), answer]
        } else {
            vec![answer]
        }
    });
    let mut plan = http2(4, 1);
    plan.timeout_ns = TIMES.timeout_ns;
    let load = run_plan(server, pool(&plan, 30.0), &plan, None);
    assert_eq!(load.outcomes(), [(Outcome::Ok, 30)]);
    let lag_ns = load.max_ns(RequestClock::Lag).0;
    assert!(lag_ns < 50 * MS, "{lag_ns}");
    assert_eq!(load.totals.opened, 1);
}

#[test]
fn a_step_without_a_stream_comes_back_as_the_step_that_it_was() {
    // Sessions of two steps, 55 ms apart, every 50 ms; one stream at a time, of 10 ms.
    let server = Frames::new(limit(1), 2, |request| vec![(10 * MS, request.ok())]);
    let mut plan = http2(3, 2);
    for node in &mut plan.groups[0].session {
        if let Node::Send(send) = node {
            send.think = Some(Think::ConstantNs(45 * MS));
        }
    }
    let load = run_plan(server, pool(&plan, 20.0), &plan, None);
    let counts = |operation: usize| -> u64 {
        let of = |interval: &WorkerInterval| interval.stats.cells[operation].outcomes.total();
        load.intervals.iter().map(of).sum()
    };
    assert_eq!(counts(0), 20, "one for each arrival");
    // A session keeps no lane in its pause; that of the last goes on beyond the stop.
    assert_eq!(counts(1), 19);
    assert!(load.max_ns(RequestClock::Lag).0 > 0, "some found no stream");
    load.outcomes();
}

#[test]
fn whoever_finds_no_stream_once_the_connection_stands_waits_for_a_timeout_and_no_longer() {
    let server = || Frames::new(limit(0), 2, |request| vec![(MS, request.ok())]);
    let plan = http2(3, 1);
    let load = run_plan(server(), one_user(&plan), &plan, None);
    assert_eq!(load.outcomes(), [(Outcome::NotSent, 30)]);
    assert_eq!(not_sent(&load, NotSent::NoStream), 30);
    let load = run_plan(server(), pool(&plan, 10.0), &plan, None);
    assert_eq!(not_sent(&load, NotSent::NoStream), 10);
}

#[test]
fn a_connection_that_stands_only_after_the_stop_loses_no_request_without_a_stream() {
    let mut events = Frames::new(limit(0), 2, |_| Vec::new());
    events.server.greets_after_ns = 50 * MS;
    let plan = http2(2, 1);
    let load = run_plan(events, pool(&plan, 50.0), &plan, Some(2));
    assert_eq!(load.outcomes(), [(Outcome::NotSent, 2)]);
}

#[test]
fn a_connection_to_itself_is_none() {
    let mut events = Frames::new(plain(), 1, |request| vec![(MS, request.ok())]);
    events.server.accepting = Accepting::ToItself;
    let load = run_plan(events, users(1), &http2(1, 1), Some(3));
    assert_eq!(load.outcomes(), [(Outcome::Connect, 3)]);
    assert_eq!((load.totals.opened, load.totals.failed), (0, 3));
    let texts = load.totals.details.texts(Outcome::Connect);
    assert!(texts[0].contains("reached itself"), "{texts:?}");
}

/// When the oldest request was intended that was pending after a second, before its end.
fn pending_ns(events: SimulatedLoop<impl Server>, offers: Offers, plan: &Plan) -> Option<u64> {
    let load = run_plan(events, offers, plan, None);
    load.intervals[0].gauges.oldest_pending_ns
}

#[test]
fn the_oldest_pending_request_may_wait_for_a_connection_a_stream_or_a_lane() {
    let mut plan = http2(2, 1);
    plan.duration_ns = 2 * SECOND;
    plan.connect_timeout_ns = 3 * SECOND;
    plan.timeout_ns = 3 * SECOND;
    let mut connecting = Frames::new(Vec::new(), 2, |_| Vec::new());
    connecting.server.accepting = Accepting::Later;
    assert_eq!(pending_ns(connecting, one_user(&plan), &plan), Some(SECOND));
    let limited = Frames::new(limit(0), 2, |_| Vec::new());
    assert_eq!(pending_ns(limited, one_user(&plan), &plan), Some(SECOND));
    let silent = Frames::new(plain(), 2, |_| Vec::new());
    assert_eq!(pending_ns(silent, one_user(&plan), &plan), Some(SECOND));
    // Both lanes are busy from 10 and 20 ms on, and end in time: the others wait since half a second.
    let slow = Frames::new(plain(), 2, |request| match request.before {
        0 | 1 => vec![(900 * MS, request.ok())],
        _ => Vec::new(),
    });
    let waiting = pending_ns(slow, pool(&plan, 2.0), &plan);
    assert_eq!(waiting, Some(500 * MS), "the second arrival");
    let answering = Frames::new(plain(), 2, |request| vec![(MS, request.ok())]);
    assert_eq!(pending_ns(answering, pool(&plan, 2.0), &plan), None);
}

#[test]
fn requests_that_are_given_back_keep_their_numbers() {
    let server = Frames::new(limit(1), 2, |request| vec![(30 * MS, request.ok())]);
    let plan = http2(4, 1);
    let mut worker = worker(server, &plan, pool(&plan, 50.0), None);
    let mut reports = Vec::new();
    while !worker.is_finished() {
        worker.turn().expect("the simulated loop waits");
        worker.check();
        reports.extend(worker.reports());
    }
    let (totals, last) = worker.finish();
    let rows = reports
        .into_iter()
        .chain(last)
        .filter_map(|report| match report {
            Report::Rows(rows) => Some(rows),
            _ => None,
        });
    let rows = rows.collect::<Vec<_>>().concat();
    let mut known: Vec<(u64, u64)> = rows
        .chunks_exact(ROW_BYTES)
        .map(|row| {
            let field = |at: usize| row[at..at + 8].try_into().map(u64::from_le_bytes);
            (
                field(0).expect("eight bytes"),
                field(8).expect("eight bytes"),
            )
        })
        .collect();
    known.sort_unstable();
    assert_eq!(known.len() as u64, totals.offered);
    assert!(known.iter().zip(0..).all(|(row, number)| row.0 == number));
    assert!(
        known.is_sorted_by_key(|row| row.1),
        "in the order of arrival"
    );
}

#[test]
fn a_broken_farewell_of_ours_does_not_spoil_the_last_answer() {
    // The server answers, says farewell and is gone before ours comes.
    struct Gone(Unread);
    impl Server for Gone {
        fn connect(&mut self, _slot: usize, then: &mut Happenings) -> Accepting {
            *self = Self(Unread::default());
            then.push((0, Happening::Bytes(plain())));
            Accepting::AtOnce
        }
        fn receive(&mut self, _slot: usize, bytes: &[u8], then: &mut Happenings) -> usize {
            for asked in self.0.read(bytes, true) {
                if let Asked::Request(stream) = asked {
                    let answer = wire::answer(stream, wire::STATUS_200, 2);
                    let last = [answer, wire::goaway(stream)].concat();
                    then.push((MS, Happening::Bytes(last)));
                    then.push((MS, Happening::Broken(Errno::CONNRESET)));
                }
            }
            bytes.len()
        }
    }
    let events = SimulatedLoop::new(Gone(Unread::default()), 1);
    let load = run_plan(events, users(1), &http2(1, 1), Some(5));
    assert_eq!(load.outcomes(), [(Outcome::Ok, 5)]);
}

/// A stream beyond all that are opened.
const LAST: u32 = (1 << 31) - 1;
