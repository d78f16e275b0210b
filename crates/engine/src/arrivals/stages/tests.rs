//! Lines against their definition, and the stages that other modules test with.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the tests' values are small and positive"
)]

use super::*;
use proptest::prelude::*;

const SECOND: u64 = 1_000_000_000;

pub fn stage(from: f64, to: f64, duration_ns: u64) -> Stage {
    Stage {
        from,
        to,
        duration_ns,
    }
}

/// The integral of the value from 0 to a moment, stage by stage from its definition.
pub fn integral(stages: &[Stage], until_ns: u64) -> f64 {
    let (mut area, mut rest_ns) = (0.0, until_ns);
    for stage in stages.iter().filter(|stage| stage.duration_ns > 0) {
        let part_ns = rest_ns.min(stage.duration_ns);
        let part = part_ns as f64 / stage.duration_ns as f64;
        let middle = stage.from + (stage.to - stage.from) * part / 2.0;
        area += middle * part_ns as f64 / 1e9;
        rest_ns -= part_ns;
    }
    let end = stages.last().map_or(0.0, |stage| stage.to);
    area + end * rest_ns as f64 / 1e9
}

/// Ramps and levels from and to anything, nothing included; steps of no or one nanosecond.
pub fn any_stages(most: f64) -> impl Strategy<Value = Vec<Stage>> {
    let value = prop_oneof![Just(0.0), Just(most), 0.0..most, 0.0..most / 1e6];
    let duration_ns = prop_oneof![Just(0), Just(1), 1..SECOND, 1..20 * SECOND];
    let stage = (value.clone(), value, duration_ns, any::<bool>());
    let stage = stage.prop_map(|(from, to, duration_ns, is_level)| Stage {
        from,
        to: if is_level { from } else { to },
        duration_ns,
    });
    prop::collection::vec(stage, 0..6)
}

fn reach(stages: &[Stage], area: f64) -> Option<u64> {
    ValueOverTime::new(0, stages).reach(area, &mut 0)
}

#[test]
fn a_ramp_from_0_reaches_a_quarter_of_its_area_in_half_its_time() {
    let up = [stage(0.0, 20.0, 10 * SECOND)];
    assert_eq!(reach(&up, 0.0), Some(0));
    assert_eq!(reach(&up, 25.0), Some(5 * SECOND));
    assert_eq!(reach(&up, 100.0), Some(10 * SECOND));
    assert_eq!(
        reach(&up, 120.0),
        Some(11 * SECOND),
        "after the last stage its end stays"
    );
}

#[test]
fn a_ramp_to_0_reaches_three_quarters_in_half_its_time_and_never_more_than_all() {
    let down = [stage(20.0, 0.0, 10 * SECOND)];
    assert_eq!(reach(&down, 75.0), Some(5 * SECOND));
    assert_eq!(reach(&down, 99.0), Some(9 * SECOND));
    assert_eq!(reach(&down, 99.9999), Some(10 * SECOND - 10_000_000));
    assert_eq!(reach(&down, 100.0), None);
}

#[test]
fn what_would_fall_into_a_pause_comes_at_its_end() {
    let paused = [
        stage(10.0, 10.0, SECOND),
        stage(0.0, 0.0, 5 * SECOND),
        stage(10.0, 10.0, SECOND),
    ];
    assert_eq!(reach(&paused, 9.0), Some(900_000_000));
    assert_eq!(reach(&paused, 10.0), Some(6 * SECOND));
    assert_eq!(reach(&paused, 11.0), Some(6_100_000_000));
}

#[test]
fn a_step_holds_from_its_moment_on() {
    let steps = [stage(10.0, 10.0, SECOND), stage(10.0, 50.0, 0)];
    let line = ValueOverTime::new(0, &steps);
    assert_eq!(line.value(SECOND - 1).to_bits(), 10.0_f64.to_bits());
    assert_eq!(line.value(SECOND).to_bits(), 50.0_f64.to_bits());
    assert_eq!(line.reach(60.0, &mut 0), Some(2 * SECOND));
    assert_eq!(line.above(10.0, 0), Some(SECOND));
    assert_eq!(line.falls_until_ns(), 0);
}

#[test]
fn a_line_that_rises_and_falls_is_above_a_level_between_its_crossings() {
    let hill = [stage(0.0, 10.0, 10 * SECOND), stage(10.0, 0.0, 10 * SECOND)];
    let line = ValueOverTime::new(0, &hill);
    assert_eq!(line.above(4.0, 0), Some(4 * SECOND));
    assert_eq!(line.above(4.0, 5 * SECOND), Some(5 * SECOND));
    assert_eq!(line.above(4.0, 16 * SECOND - 1), Some(16 * SECOND - 1));
    assert_eq!(line.above(4.0, 16 * SECOND), None);
    assert_eq!(line.above(10.0, 0), None, "it only touches 10");
    assert_eq!(line.above(0.0, 0), Some(0));
}

#[test]
fn the_same_value_in_stages_is_one_level_without_seams() {
    let stages = [stage(7.0, 7.0, 3), stage(7.0, 7.0, 0), stage(7.0, 7.0, 5)];
    assert_eq!(ValueOverTime::new(0, &stages).falls_until_ns(), 0);
    assert_eq!(ValueOverTime::new(0, &[]).falls_until_ns(), 0);
    assert_eq!(reach(&[], 0.0), None);
}

#[test]
fn before_its_start_a_line_is_0_and_all_comes_so_much_later() {
    let stages = [stage(10.0, 10.0, SECOND), stage(10.0, 0.0, SECOND)];
    let (now, later) = (
        ValueOverTime::new(0, &stages),
        ValueOverTime::new(3 * SECOND, &stages),
    );
    assert_eq!(later.value(3 * SECOND - 1).to_bits(), 0.0_f64.to_bits());
    assert_eq!(later.above(0.0, 0), Some(3 * SECOND));
    assert_eq!(later.reach(0.0, &mut 0), Some(3 * SECOND));
    for area in [0.0, 5.0, 10.0, 14.0] {
        let at_ns = now.reach(area, &mut 0).map(|at_ns| at_ns + 3 * SECOND);
        assert_eq!(later.reach(area, &mut 0), at_ns);
    }
    assert_eq!(now.falls_until_ns(), 2 * SECOND);
    assert_eq!(later.falls_until_ns(), 5 * SECOND);
}

#[test]
fn a_line_stops_being_above_where_it_comes_down_to_a_level_or_steps_below() {
    let stages = [
        stage(4.0, 4.0, SECOND),
        stage(4.0, 0.0, 4 * SECOND),
        stage(9.0, 9.0, SECOND),
        stage(3.0, 3.0, SECOND),
    ];
    let line = ValueOverTime::new(0, &stages);
    assert_eq!(line.not_above(2.0, 0), Some(3 * SECOND));
    assert_eq!(line.not_above(4.0, 0), Some(0), "it is not above 4");
    assert_eq!(line.not_above(2.0, 4 * SECOND), Some(4 * SECOND));
    assert_eq!(line.not_above(5.0, 5 * SECOND), Some(6 * SECOND));
    assert_eq!(line.not_above(2.0, 5 * SECOND), None);
}

#[test]
fn an_hour_at_a_rate_that_does_not_divide_a_second_does_not_drift() {
    for (per_second, area) in [(3.0, 10_800.0), (10_800.0, 38_880_000.0)] {
        let level = [stage(per_second, per_second, SECOND)];
        assert_eq!(reach(&level, area), Some(3600 * SECOND));
    }
}

proptest! {
    #[test]
    fn the_moment_of_an_area_is_within_a_nanosecond_of_it(
        stages in any_stages(1e6), part in 0.0_f64..1.2,
    ) {
        let length_ns: u64 = stages.iter().map(|stage| stage.duration_ns).sum();
        let area = integral(&stages, length_ns) * part + part;
        if let Some(at_ns) = reach(&stages, area) {
            // Rounding to a nanosecond, at the highest rate; and the doubles' own precision.
            let tolerance = 1e6 * 1e-9 + area * 1e-12;
            let found = integral(&stages, at_ns);
            prop_assert!((found - area).abs() <= tolerance, "{found} instead of {area}");
        } else {
            let all = integral(&stages, length_ns);
            prop_assert!(stages.last().is_none_or(|stage| stage.to == 0.0) && area >= all * (1.0 - 1e-12));
        }
    }

    #[test]
    fn greater_areas_are_reached_later_and_a_hint_changes_nothing(
        stages in any_stages(1e4), steps in prop::collection::vec(0.0_f64..1e3, 1..50),
    ) {
        let line = ValueOverTime::new(0, &stages);
        let (mut area, mut hint, mut before) = (0.0, 0, Some(0));
        for step in steps {
            area += step;
            let at_ns = line.reach(area, &mut hint);
            prop_assert_eq!(at_ns, line.reach(area, &mut 0));
            prop_assert!(at_ns.is_none() || (before.is_some() && at_ns >= before));
            before = at_ns;
        }
    }

    #[test]
    fn so_many_levels_are_below_the_line_as_its_value_says(
        stages in any_stages(40.0), at_ns in 0..60 * SECOND,
    ) {
        let line = ValueOverTime::new(0, &stages);
        let value = line.value(at_ns);
        // A nanosecond's rounding of a crossing may count a level that the line just touches.
        let near = (value - value.round()).abs() < 1e-6;
        let above = (0..41).filter(|&level| line.above(f64::from(level), at_ns) == Some(at_ns));
        let expected = value.ceil() as usize;
        let count = above.count();
        prop_assert!(count == expected || (near && count.abs_diff(expected) <= 1));
    }

    #[test]
    fn a_line_is_above_up_to_where_it_no_longer_is(
        stages in any_stages(40.0), level in 0_u32..40, since_ns in 0..40 * SECOND,
        start_ns in prop_oneof![Just(0), 0..9 * SECOND], parts in prop::collection::vec(0.0_f64..1.0, 10),
    ) {
        let line = ValueOverTime::new(start_ns, &stages);
        let level = f64::from(level);
        let end_ns = line.not_above(level, since_ns);
        if let Some(end_ns) = end_ns {
            prop_assert_ne!(line.above(level, end_ns), Some(end_ns));
        }
        let length_ns = end_ns.unwrap_or(since_ns + 200 * SECOND) - since_ns;
        for part in parts {
            let at_ns = since_ns + (length_ns as f64 * part) as u64;
            if at_ns < since_ns + length_ns {
                prop_assert_eq!(line.above(level, at_ns), Some(at_ns));
            }
        }
        if since_ns >= line.falls_until_ns() {
            prop_assert!(end_ns.is_none_or(|end_ns| end_ns == since_ns));
        }
    }

    #[test]
    fn a_level_is_first_above_where_the_line_was_not_before(
        stages in any_stages(40.0), level in 0_u32..40, since_ns in 0..40 * SECOND,
        parts in prop::collection::vec(0.0_f64..1.0, 10),
    ) {
        let line = ValueOverTime::new(0, &stages);
        let level = f64::from(level);
        let first_ns = line.above(level, since_ns);
        if let Some(first_ns) = first_ns {
            prop_assert!(first_ns >= since_ns);
            // Within a nanosecond's rise, where the line is not as good as a step.
            let is_steep = stages.iter().any(|stage| stage.duration_ns < 1000);
            prop_assert!(is_steep || line.value(first_ns) > level - 0.05);
            prop_assert_eq!(line.above(level, first_ns), Some(first_ns));
        }
        let end_ns = first_ns.unwrap_or(since_ns + 200 * SECOND);
        for part in parts {
            let between_ns = since_ns + ((end_ns - since_ns) as f64 * part) as u64;
            if between_ns + 1 < end_ns {
                prop_assert!(line.value(between_ns) <= level + 1e-6);
            }
        }
    }
}
