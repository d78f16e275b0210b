//! Loads from their begin to their end, and their figures.

use super::*;

#[test]
fn two_users_of_a_server_of_ten_milliseconds_get_two_hundred_answers() {
    let load = run(answering(2), users(2), TIMES, 1, None);
    // The answers to the last two come exactly at the stop: in the grace period.
    assert_eq!(load.outcomes(), [(Outcome::Ok, 200)]);
    let ok = |interval: &WorkerInterval| interval.stats.outcomes().get(Outcome::Ok);
    assert_eq!(load.intervals.iter().map(ok).collect::<Vec<_>>(), [198, 2]);
    assert_eq!(load.max_ns(RequestClock::ResponseTime), (10 * MS, 0));
    assert_eq!((load.totals.opened, load.samples), (2, 2));
}

#[test]
fn a_slow_server_lengthens_response_time_and_lag_and_not_service_time() {
    // 150 a second over one connection that serves 100 a second.
    let times = Times {
        duration_ns: SECOND,
        grace_ns: SECOND,
        ..TIMES
    };
    let load = run(answering(1), rate(150.0, 1), times, 1, None);
    assert_eq!(load.max_ns(RequestClock::ServiceTime), (10 * MS, 0));
    let (response_ns, lag_ns) = (
        load.max_ns(RequestClock::ResponseTime).0,
        load.max_ns(RequestClock::Lag).0,
    );
    assert_eq!(response_ns, lag_ns + 10 * MS);
    assert!(lag_ns > 300 * MS, "{lag_ns}");
    // What still waits at the stop is not sent, for want of a connection.
    assert_eq!(
        load.outcomes(),
        [(Outcome::Ok, 100), (Outcome::NotSent, 50)]
    );
    let counts = load.sums().outcomes();
    assert_eq!(counts.get_not_sent(NotSent::NoConnection), 50);
}

#[test]
fn a_stall_of_the_engine_is_lag_and_not_the_servers_fault() {
    let events = answering(100).stalling(500 * MS, 100 * MS);
    let load = run(events, rate(1000.0, 100), TIMES, 1, None);
    assert_eq!(load.outcomes(), [(Outcome::Ok, 1000)]);
    assert_eq!(load.totals.longest_stall_ns, 100 * MS);
    assert!(load.max_ns(RequestClock::Lag).0 >= 99 * MS);
}

#[test]
fn a_black_hole_is_accounted_for_in_full() {
    let times = Times {
        duration_ns: 2 * SECOND,
        grace_ns: 50 * MS,
        ..TIMES
    };
    let silent = SimulatedLoop::new(Behaviour::Silent, 10);
    let load = run(silent, rate(100.0, 10), times, 1, None);
    assert_eq!(load.totals.offered, 200);
    let outcomes = load.outcomes();
    assert_eq!(outcomes.iter().map(|entry| entry.1).sum::<u64>(), 200);
    let kinds: Vec<Outcome> = outcomes.iter().map(|entry| entry.0).collect();
    assert_eq!(
        kinds,
        [Outcome::Timeout, Outcome::NotSent, Outcome::Unanswered]
    );
    assert_eq!(load.max_ns(RequestClock::ServiceTime), (0, 500 * MS));
    let oldest_ns = load
        .totals
        .unanswered_oldest_ns
        .expect("some are unanswered");
    assert!((50 * MS..1000 * MS).contains(&oldest_ns), "{oldest_ns}");
}

#[test]
fn refused_users_back_off_instead_of_spinning() {
    let load = run(
        SimulatedLoop::new(Behaviour::Refuses, 1),
        users(1),
        TIMES,
        1,
        None,
    );
    let attempts = 1 + SECOND / BACK_OFF_NS;
    assert_eq!(load.outcomes(), [(Outcome::Connect, attempts)]);
    assert_eq!(load.totals.failed, attempts);
}

#[test]
fn a_server_that_closes_after_each_response_costs_connections_and_no_request() {
    let closing = SimulatedLoop::new(Behaviour::AnswersAndCloses(10 * MS, OK), 1);
    let load = run(closing, users(1), TIMES, 1, None);
    assert_eq!(load.outcomes(), [(Outcome::Ok, 100)]);
    assert_eq!(
        (load.totals.opened, load.totals.closed_by_server),
        (100, 100)
    );
}

#[test]
fn a_count_stops_the_load_when_so_many_are_offered() {
    let load = run(answering(3), users(3), TIMES, 1, Some(50));
    assert_eq!(load.outcomes(), [(Outcome::Ok, 50)]);
    assert_eq!(
        (load.totals.stop_ns, load.totals.end_ns),
        (160 * MS, 170 * MS)
    );
}

#[test]
fn a_load_with_nothing_in_flight_ends_when_it_stops() {
    let refusing = SimulatedLoop::new(Behaviour::Refuses, 1);
    let load = run(refusing, users(1), TIMES, 1, Some(3));
    assert_eq!(load.outcomes(), [(Outcome::Connect, 3)]);
    assert_eq!(load.totals.stop_ns, load.totals.end_ns);
}

#[test]
fn a_session_goes_through_its_operations_in_order() {
    let load = run(answering(1), users(1), TIMES, 2, Some(5));
    assert_eq!(load.outcomes(), [(Outcome::Ok, 5)]);
    let counts: Vec<u64> = load.intervals[0]
        .stats
        .cells
        .iter()
        .map(|one| one.outcomes.total())
        .collect();
    assert_eq!(
        counts.iter().sum::<u64>() + 1,
        5,
        "the last answer comes after the stop"
    );
    assert_eq!(counts, [2, 2]);
}

#[test]
fn a_failed_step_ends_the_session() {
    let behaviour = Behaviour::Answers(10 * MS, b"HTTP/1.1 500 E\r\nContent-Length: 0\r\n\r\n");
    let load = run(
        SimulatedLoop::new(behaviour, 1),
        users(1),
        TIMES,
        2,
        Some(3),
    );
    assert_eq!(load.outcomes(), [(Outcome::Status, 3)]);
    assert_eq!(load.intervals[0].stats.cells[1].outcomes.total(), 0);
    assert_eq!(load.totals.opened, 1, "a wrong status costs no connection");
}

#[test]
fn lag_is_told_apart_by_its_cause() {
    // One connection that takes 10 ms a request, an arrival every 5 ms, and an engine that sleeps
    // through 20 ms of it.
    let events = answering(10).stalling(20 * MS, 20 * MS);
    let times = Times {
        duration_ns: 200 * MS,
        timeout_ns: 5 * SECOND,
        grace_ns: 0,
    };
    let load = run(events, rate(200.0, 1), times, 1, None);
    let sums = load.sums();
    let plan = plan(times, 1);
    let facts = sums.operations(&plan, &cells(&plan));
    let facts = &facts["step-0"];
    let lag = facts.clocks.lag.ok.expect("some were sent");
    let causes = &facts.lag_causes;
    let parts_ns = causes.no_connection.sum_ns + causes.engine.sum_ns;
    assert!((lag.mean_ns * lag.count as f64 - parts_ns as f64).abs() < 1.0);
    // What was intended at 20 ms is taken up at 40.
    assert_eq!(causes.engine.max_ns, 20 * MS);
    assert!(causes.no_connection.max_ns >= 50 * MS, "{causes:?}");
    assert_eq!(causes.no_stream.count, 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn offered_is_the_sum_of_the_outcomes_whatever_happens(
        behaviour in prop_oneof![
            (1_u64..900).prop_map(|ms| Behaviour::Answers(ms * MS, OK)),
            (1_u64..900).prop_map(|ms| Behaviour::AnswersAndCloses(ms * MS, OK)),
            (1_u64..300).prop_map(|ms| Behaviour::Answers(ms * MS, b"garbage")),
            (1_u64..300).prop_map(|ms| Behaviour::Answers(ms * MS, b"HTTP/1.1 200 OK\r\n")),
            (1_u64..300).prop_map(|ms| Behaviour::AnswersAndCloses(ms * MS, b"HTTP/1.1 200 OK\r\n\r\nx")),
            Just(Behaviour::Silent),
            Just(Behaviour::Refuses),
        ],
        slots in 1_u32..8,
        per_second in prop::option::of(1.0_f64..2000.0),
        operations in 1_usize..4,
        count in prop::option::of(1_u64..300),
        duration_ms in 1_u64..2500,
        grace_ms in 0_u64..600,
        stall in prop::option::of((0_u64..2500, 0_u64..3000)),
    ) {
        let mut events = SimulatedLoop::new(behaviour, slots as usize);
        if let Some((at_ms, for_ms)) = stall {
            events = events.stalling(at_ms * MS, for_ms * MS);
        }
        let offers = per_second.map_or_else(|| users(slots), |per_second| rate(per_second, slots as usize));
        let times = Times { duration_ns: duration_ms * MS, grace_ns: grace_ms * MS, ..TIMES };
        let load = run(events, offers, times, operations, count);
        let total: u64 = load.outcomes().iter().map(|entry| entry.1).sum();
        if let (Some(per_second), None) = (per_second, count) && operations == 1 {
            let (mut schedule, mut planned) = (schedule(per_second, WorkerPart::WHOLE), 0);
            while schedule.peek_ns() < duration_ms * MS {
                schedule.advance();
                planned += 1;
            }
            prop_assert_eq!(total, planned);
        }
        for pair in load.intervals.windows(2) {
            prop_assert_eq!(pair[0].end_ns, pair[1].start_ns);
            prop_assert!(!pair[0].grace || pair[1].grace);
        }
        prop_assert!(load.totals.stop_ns <= duration_ms * MS);
    }
}
