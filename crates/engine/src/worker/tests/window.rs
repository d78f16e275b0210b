//! Loads whose window begins when the worker is told so, on the simulated server and clock.

use super::*;
use crate::plan::WarmUp;
use crate::record::request_rows::ROW_BYTES;

/// A window of 5 s after a warm-up of at most 10 s.
const WINDOW: Times = Times {
    duration_ns: 5 * SECOND,
    ..TIMES
};
const AT_MOST_NS: u64 = 10 * SECOND;

struct Windowed {
    load: Load,
    rows: Vec<u8>,
}

/// Runs a worker that hears at one time of the end of its load at another.
fn run_told(
    events: SimulatedLoop<Behaviour>,
    offers: Offers,
    (times, at_most_ns): (Times, u64),
    told: Option<(u64, u64)>,
) -> Windowed {
    let mut plan = plan(times, 1);
    plan.warm_up = Some(WarmUp { at_most_ns });
    plan.record_requests = true;
    let mut worker = worker(events, &plan, offers, None);
    let (mut reports, mut told) = (Vec::new(), told);
    while !worker.is_finished() {
        worker.turn().expect("the simulated loop waits");
        if let Some((_, end_ns)) = told.take_if(|told| told.0 <= worker.now_ns) {
            worker.end_window_at(end_ns);
        }
        reports.extend(worker.reports());
    }
    let (totals, last) = worker.finish();
    reports.extend(last);
    let (mut intervals, mut rows) = (Vec::new(), Vec::new());
    for report in reports {
        match report {
            Report::Interval(interval) => intervals.push(interval),
            Report::Rows(part) => rows.extend(part),
            _ => {}
        }
    }
    let samples = 0;
    Windowed {
        load: Load {
            totals,
            intervals,
            samples,
        },
        rows,
    }
}

impl Windowed {
    /// Of every offered request, which therefore has exactly one outcome.
    fn intended_ns(&self) -> Vec<u64> {
        let rows = self.rows.chunks_exact(ROW_BYTES);
        let field = |row: &[u8], at: usize| {
            u64::from_le_bytes(row[at..at + 8].try_into().expect("eight bytes"))
        };
        let mut sequences: Vec<u64> = rows.clone().map(|row| field(row, 0)).collect();
        sequences.sort_unstable();
        let offered: Vec<u64> = (0..self.load.totals.offered).collect();
        assert_eq!(sequences, offered, "each offered request has one row");
        self.load.outcomes();
        rows.map(|row| field(row, 8)).collect()
    }

    /// How many were intended, the last of them, and the stop.
    fn told(&self) -> (usize, u64, u64) {
        let intended_ns = self.intended_ns();
        let last_ns = intended_ns.iter().max().copied().unwrap_or_default();
        (intended_ns.len(), last_ns, self.load.totals.stop_ns)
    }
}

#[test]
fn users_load_until_the_end_of_the_window_and_no_longer() {
    let told = Some((2_500 * MS, 8 * SECOND));
    let load = run_told(answering(2), users(2), (WINDOW, AT_MOST_NS), told);
    let expected = (1_600, 8 * SECOND - 10 * MS, 8 * SECOND);
    assert_eq!(load.told(), expected);
    assert_eq!(load.load.outcomes(), [(Outcome::Ok, 1_600)]);
    let ends: Vec<u64> = load.load.intervals[..8]
        .iter()
        .map(|one| one.end_ns)
        .collect();
    assert_eq!(ends, (1..=8).map(|s| s * SECOND).collect::<Vec<_>>());
}

#[test]
fn a_rate_loads_until_the_end_of_the_window_and_no_longer() {
    let told = Some((2_500 * MS, 8 * SECOND));
    let load = run_told(answering(9), rate(100.0, 9), (WINDOW, AT_MOST_NS), told);
    assert_eq!(load.told(), (800, 8 * SECOND - 10 * MS, 8 * SECOND));
}

#[test]
fn the_workers_of_a_rate_stop_together_and_offer_its_arrivals_up_to_the_end() {
    let mut all_ns = Vec::new();
    for index in 0..3 {
        let part = WorkerPart { workers: 3, index };
        let offers = rate_of(100.0, 9, part);
        // Each hears of it at another time.
        let told = Some((2_000 * MS + index * 300 * MS, 8 * SECOND));
        let load = run_told(answering(9), offers, (WINDOW, AT_MOST_NS), told);
        assert_eq!(load.load.totals.stop_ns, 8 * SECOND);
        all_ns.extend(load.intended_ns());
    }
    all_ns.sort_unstable();
    let planned_ns: Vec<u64> = (0..800).map(|number| number * 10 * MS).collect();
    assert_eq!(all_ns, planned_ns);
}

#[test]
fn without_a_word_the_load_lasts_as_long_as_warm_up_and_window_together() {
    let load = run_told(answering(9), rate(100.0, 9), (WINDOW, AT_MOST_NS), None);
    assert_eq!(load.told(), (1_500, 15 * SECOND - 10 * MS, 15 * SECOND));
}

#[test]
fn an_end_can_come_earlier_and_never_later() {
    let told = Some((SECOND, 99 * SECOND));
    let load = run_told(answering(9), rate(100.0, 9), (WINDOW, AT_MOST_NS), told);
    assert_eq!(load.load.totals.stop_ns, 15 * SECOND);
}

#[test]
fn a_worker_that_hears_of_the_end_too_late_stops_at_once_and_says_when() {
    let events = answering(9).stalling(2_500 * MS, 8_000 * MS);
    let told = Some((2_500 * MS, 8 * SECOND));
    let load = run_told(events, rate(100.0, 9), (WINDOW, AT_MOST_NS), told);
    let (count, last_ns, stop_ns) = load.told();
    assert_eq!(stop_ns, 10_500 * MS);
    assert_eq!((count, last_ns), (1_051, 10_500 * MS), "as was due by then");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn the_stop_is_exact_and_each_offered_request_has_one_outcome(
        at_most_s in 1_u64..6,
        told_ms in 0_u64..7_000,
        duration_ms in 1_u64..3_000,
        slots in 1_u32..5,
        per_second in prop::option::of(1.0_f64..500.0),
        answer_ms in 1_u64..700,
    ) {
        let at_most_ns = at_most_s * SECOND;
        let begin_ns = ((told_ms / 1_000 + 1) * SECOND).min(at_most_ns);
        let end_ns = begin_ns + duration_ms * MS;
        let offers = || per_second.map_or_else(
            || users(slots), |per_second| rate(per_second, slots as usize));
        let events = SimulatedLoop::new(Behaviour::Answers(answer_ms * MS, OK), slots as usize);
        let times = Times { duration_ns: duration_ms * MS, ..TIMES };
        let told = Some((told_ms * MS, end_ns));
        let load = run_told(events, offers(), (times, at_most_ns), told);
        let (count, last_ns, stop_ns) = load.told();
        prop_assert_eq!(stop_ns, end_ns);
        prop_assert!(last_ns < end_ns);
        if let Some(per_second) = per_second {
            let (mut schedule, mut planned) = (schedule(per_second, WorkerPart::WHOLE), 0);
            while schedule.peek_ns() < end_ns {
                schedule.advance();
                planned += 1;
            }
            prop_assert_eq!(count, planned);
        }
    }
}
