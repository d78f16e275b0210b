//! Plans of arrivals against the exact integral of their rate, and against what Poisson means.

#![allow(
    clippy::cast_possible_truncation,
    reason = "the tests' numbers are small"
)]

use super::*;
use crate::arrivals::kolmogorov::{exponential_cdf, p_value};
use crate::arrivals::stages::tests::{any_stages, integral, stage};
use crate::plan::Stage;
use proptest::prelude::*;

const SECOND: u64 = 1_000_000_000;
const SEEDS: [u64; 5] = [1, 2, 3, 20_240_915, u64::MAX];

fn level(per_second: f64) -> [Stage; 1] {
    [stage(per_second, per_second, SECOND)]
}

/// Up, on, down, a pause and a step: about 100,000 arrivals.
fn hills() -> [Stage; 5] {
    [
        stage(0.0, 2000.0, 30 * SECOND),
        stage(2000.0, 2000.0, 10 * SECOND),
        stage(2000.0, 0.0, 20 * SECOND),
        stage(0.0, 0.0, 5 * SECOND),
        stage(500.0, 1500.0, 30 * SECOND),
    ]
}

fn planned(
    stages: &[Stage],
    process: Process,
    seed: u64,
    part: WorkerPart,
) -> impl Iterator<Item = u64> + use<> {
    let line = ValueOverTime::new(0, stages);
    let mut schedule = Schedule::new(line, process, seed, GroupPlace::ONLY, part);
    std::iter::from_fn(move || {
        let next_ns = schedule.peek_ns();
        schedule.advance();
        (next_ns < u64::MAX).then_some(next_ns)
    })
}

fn one(stages: &[Stage], process: Process, seed: u64) -> impl Iterator<Item = u64> + use<> {
    planned(stages, process, seed, WorkerPart::WHOLE)
}

#[test]
fn a_hundred_a_second_is_one_every_ten_milliseconds() {
    let arrivals: Vec<u64> = one(&level(100.0), Process::Constant, 1)
        .take_while(|&at_ns| at_ns < 2 * SECOND)
        .collect();
    assert_eq!(arrivals.len(), 200);
    assert_eq!(&arrivals[..3], [0, 10_000_000, 20_000_000]);
}

#[test]
fn a_constant_rate_is_where_it_should_be_after_an_hour() {
    for (per_second, arrivals) in [(3.0, 10_800), (7919.0, 28_508_400), (1e7, 36_000_000_000)] {
        // Of so many workers each has one arrival an hour.
        let part = WorkerPart {
            workers: arrivals,
            index: 0,
        };
        let hours: Vec<u64> = planned(&level(per_second), Process::Constant, 1, part)
            .take(3)
            .collect();
        assert_eq!(hours, [0, 3600 * SECOND, 7200 * SECOND], "{per_second}");
    }
}

#[test]
fn a_ramp_to_nothing_ends_the_plan() {
    let down = [stage(100.0, 0.0, 2 * SECOND)];
    let arrivals: Vec<u64> = one(&down, Process::Constant, 1).collect();
    assert_eq!(arrivals.len(), 100);
    assert!(arrivals[99] < 2 * SECOND);
}

#[test]
fn groups_of_equal_rates_arrive_one_after_another_and_not_together() {
    let first_ns = |process, number| -> Vec<u64> {
        let line = ValueOverTime::new(7 * SECOND, &level(100.0));
        let group = GroupPlace { number, groups: 4 };
        let mut schedule = Schedule::new(line, process, 1, group, WorkerPart::WHOLE);
        let next = || {
            let next_ns = schedule.peek_ns() - 7 * SECOND;
            schedule.advance();
            next_ns
        };
        std::iter::repeat_with(next).take(3).collect()
    };
    let of_two = [0, 1].map(|number| first_ns(Process::Constant, number));
    assert_eq!(of_two[0], [0, 10_000_000, 20_000_000]);
    assert_eq!(of_two[1], [2_500_000, 12_500_000, 22_500_000]);
    let of_two = [0, 1].map(|number| first_ns(Process::Poisson, number));
    assert_ne!(of_two[0], of_two[1]);
}

#[test]
fn a_worker_knows_the_numbers_of_its_arrivals() {
    let part = WorkerPart {
        workers: 3,
        index: 2,
    };
    for process in [Process::Constant, Process::Poisson] {
        let line = ValueOverTime::new(0, &level(100.0));
        let mut schedule = Schedule::new(line, process, 1, GroupPlace::ONLY, part);
        assert_eq!(schedule.number(), 2);
        schedule.advance();
        assert_eq!(schedule.number(), 5);
    }
}

#[test]
fn gaps_of_a_poisson_process_are_exponential() {
    for seed in SEEDS {
        let arrivals: Vec<u64> = one(&level(1000.0), Process::Poisson, seed)
            .take(100_000)
            .collect();
        let mut gaps = expected_gaps(&level(1000.0), &arrivals);
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        assert!((mean - 1.0).abs() < 0.0127, "{seed}: 4 standard errors");
        let variance: f64 =
            gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / gaps.len() as f64;
        assert!((variance.sqrt() / mean - 1.0).abs() < 0.03, "{seed}");
        let products = gaps
            .windows(2)
            .map(|pair| (pair[0] - 1.0) * (pair[1] - 1.0));
        let serial = products.sum::<f64>() / gaps.len() as f64;
        assert!(serial.abs() < 0.0127, "{seed}: each gap for itself");
        assert!(p_value(&mut gaps, exponential_cdf) > 0.01, "{seed}");
    }
}

#[test]
fn the_first_arrival_of_a_poisson_process_is_as_random_as_the_others() {
    let first = |seed| {
        let first_ns = one(&level(1.0), Process::Poisson, seed).next();
        first_ns.expect("the rate is not 0") as f64 / SECOND as f64
    };
    let mut firsts: Vec<f64> = (0..1000).map(first).collect();
    assert!(p_value(&mut firsts, exponential_cdf) > 0.01);
}

#[test]
fn counts_of_a_poisson_process_vary_as_much_as_their_mean() {
    for seed in SEEDS {
        let mut counts = [0_u32; 1000];
        let ends_ns = 100 * SECOND;
        let arrivals = one(&level(1000.0), Process::Poisson, seed);
        for at_ns in arrivals.take_while(|&at_ns| at_ns < ends_ns) {
            counts[(at_ns / (SECOND / 10)) as usize] += 1;
        }
        let mean = f64::from(counts.iter().sum::<u32>()) / 1000.0;
        let squares = counts
            .iter()
            .map(|&count| (f64::from(count) - mean).powi(2));
        let dispersion = squares.sum::<f64>() / 999.0 / mean;
        // Variance over mean is chi-squared over its 999 degrees of freedom: 4 standard errors.
        let tolerance = 4.0 * (2.0_f64 / 999.0).sqrt();
        assert!((dispersion - 1.0).abs() < tolerance, "{seed}: {dispersion}");
    }
}

#[test]
fn a_poisson_process_on_ramps_is_one_of_rate_1_in_expected_arrivals() {
    // Time rescaling: Λ of the arrivals is a homogeneous process, whatever the ramps.
    for seed in SEEDS {
        let arrivals: Vec<u64> = one(&hills(), Process::Poisson, seed).take(90_000).collect();
        assert_eq!(arrivals.len(), 90_000);
        let mut gaps = expected_gaps(&hills(), &arrivals);
        assert!(p_value(&mut gaps, exponential_cdf) > 0.01, "{seed}");
        let pause = 60 * SECOND + 1..65 * SECOND;
        assert!(!arrivals.iter().any(|at_ns| pause.contains(at_ns)));
    }
}

/// Expected arrivals between one arrival and the next.
fn expected_gaps(stages: &[Stage], arrivals: &[u64]) -> Vec<f64> {
    let expected = arrivals.iter().map(|&at_ns| integral(stages, at_ns));
    let gaps = expected.scan(0.0, |before, area| {
        let gap = area - *before;
        *before = area;
        Some(gap)
    });
    gaps.collect()
}

#[test]
fn the_seed_fixes_a_poisson_plan_and_does_not_touch_a_constant_one() {
    let first = |process, seed| -> Vec<u64> { one(&hills(), process, seed).take(1000).collect() };
    assert_eq!(first(Process::Poisson, 7), first(Process::Poisson, 7));
    assert_ne!(first(Process::Poisson, 7), first(Process::Poisson, 8));
    assert_eq!(first(Process::Constant, 7), first(Process::Constant, 8));
}

#[test]
fn ramps_have_a_cumulative_error_below_a_thousandth() {
    let mut arrivals = one(&hills(), Process::Constant, 1).peekable();
    let mut count = 0_u32;
    for tenth in 1..=1000 {
        let until_ns = tenth * SECOND / 10;
        while arrivals.next_if(|&at_ns| at_ns < until_ns).is_some() {
            count += 1;
        }
        let exact = integral(&hills(), until_ns);
        let error = (f64::from(count) - exact).abs();
        assert!(error <= 1.0 && (exact < 1000.0 || error / exact <= 0.001));
    }
}

proptest! {
    #[test]
    fn every_arrival_is_where_the_integral_says(stages in any_stages(2000.0)) {
        for (number, at_ns) in (0_u32..).zip(one(&stages, Process::Constant, 1).take(3000)) {
            let number = f64::from(number);
            let error = (integral(&stages, at_ns) - number).abs();
            prop_assert!(error <= 2e-6 + number * 1e-12, "arrival {number} is {error} off");
        }
    }

    #[test]
    fn the_workers_together_offer_exactly_the_plan_of_one(
        stages in any_stages(500.0), workers in 1_u64..9, is_poisson in any::<bool>(),
        seed in any::<u64>(), end_ns in 1..10 * SECOND,
    ) {
        let process = if is_poisson { Process::Poisson } else { Process::Constant };
        let before = |part| {
            planned(&stages, process, seed, part).take_while(|&at_ns| at_ns < end_ns)
        };
        let mut dealt: Vec<u64> =
            (0..workers).flat_map(|index| before(WorkerPart { workers, index })).collect();
        dealt.sort_unstable();
        let of_one: Vec<u64> = before(WorkerPart::WHOLE).collect();
        prop_assert!(of_one.is_sorted());
        prop_assert_eq!(dealt, of_one);
    }

    #[test]
    fn a_worker_gets_every_so_many_of_the_plans_arrivals(
        (workers, index) in (1_u64..9).prop_flat_map(|workers| (Just(workers), 0..workers)),
        seed in any::<u64>(),
    ) {
        let part = WorkerPart { workers, index };
        let own: Vec<u64> = planned(&level(100.0), Process::Poisson, seed, part).take(50).collect();
        let every: Vec<u64> = one(&level(100.0), Process::Poisson, seed)
            .skip(index as usize)
            .step_by(workers as usize)
            .take(50)
            .collect();
        prop_assert_eq!(own, every);
    }

    #[test]
    fn intended_times_are_within_a_nanosecond_of_the_exact_quotient(
        per_second in 1_u32..1_000_000, number in 0_u64..1_000_000_000,
    ) {
        let exact = u128::from(number) * 1_000_000_000 / u128::from(per_second);
        prop_assume!(exact < 3_600_000_000_000);
        let part = WorkerPart { workers: number + 1, index: number };
        let line = ValueOverTime::new(0, &level(f64::from(per_second)));
        let schedule = Schedule::new(line, Process::Constant, 1, GroupPlace::ONLY, part);
        prop_assert!(u128::from(schedule.peek_ns()).abs_diff(exact) <= 1);
    }

    #[test]
    fn shares_add_up_and_differ_by_at_most_one(total in 0_u64..10_000, workers in 1_u64..65) {
        let shares: Vec<u64> =
            (0..workers).map(|index| WorkerPart { workers, index }.of(total)).collect();
        prop_assert_eq!(shares.iter().sum::<u64>(), total);
        let (least, most) = (total / workers, total.div_ceil(workers));
        prop_assert!(shares.iter().all(|share| (least..=most).contains(share)));
    }

    #[test]
    fn each_number_of_the_plan_is_of_exactly_one_worker_and_dealing_goes_on_where_it_stopped(
        total in 1_u64..200, workers in 1_u64..9, before in 0_u64..20,
    ) {
        let parts = (0..workers).map(|index| WorkerPart { workers, index });
        for part in parts.clone() {
            for own in 0..part.after(before).of(total) {
                let number = part.after(before).global(own);
                prop_assert_eq!((before + number) % workers, part.index);
            }
        }
        let mut numbers: Vec<u64> = parts
            .map(|part| part.after(before))
            .flat_map(|part| (0..part.of(total)).map(move |own| part.global(own)))
            .collect();
        numbers.sort_unstable();
        prop_assert_eq!(numbers, (0..total).collect::<Vec<_>>());
    }
}
