//! A value that goes in straight lines over time, stage after stage; its integral inverted.
//!
//! Pure geometry, in closed form: nothing is stepped through, so nothing drifts. What the value
//! means, a rate or a number of users, is up to `pacing` and `users`.

use crate::plan::Stage;

const NANOSECONDS_PER_SECOND: f64 = 1e9;

/// The value over time, from 0 on; after the last stage its end stays for ever.
///
/// At the moment where two stages meet, the later one holds. A stage without duration is a step.
#[derive(Clone, Debug)]
pub struct Line {
    pieces: Vec<Piece>,
}

/// A straight stretch; the last one of a line is level and has no end.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start_ns: u64,
    end_ns: u64,
    from: f64,
    to: f64,
    /// The line's integral from 0 to the start, in value times seconds.
    area_before: f64,
    /// And to the end.
    area_after: f64,
}

impl Line {
    /// The line through the stages; without any, 0.
    #[must_use]
    pub fn new(stages: &[Stage]) -> Self {
        let mut pieces: Vec<Piece> = Vec::with_capacity(stages.len() + 1);
        let (mut start_ns, mut area) = (0_u64, 0.0);
        for stage in stages.iter().filter(|stage| stage.duration_ns > 0) {
            let end_ns = start_ns.saturating_add(stage.duration_ns);
            let piece = Piece::new(start_ns..end_ns, stage.from, stage.to, area);
            (start_ns, area) = (end_ns, piece.area_after);
            pieces.push(piece);
        }
        let end = stages.last().map_or(0.0, |stage| stage.to);
        // Where the last stage is level already it goes on: no seam in what is one constant rate.
        match pieces.pop_if(|last| is_same(last.from, end) && is_same(last.to, end)) {
            Some(last) => pieces.push(Piece::endless(last.start_ns, end, last.area_before)),
            None => pieces.push(Piece::endless(start_ns, end, area)),
        }
        Self { pieces }
    }

    /// Whether the value never changes.
    #[must_use]
    pub fn is_level(&self) -> bool {
        let first = self.pieces[0].from;
        let mut ends = self.pieces.iter().flat_map(|piece| [piece.from, piece.to]);
        ends.all(|end| is_same(end, first))
    }

    /// The value at a moment.
    #[must_use]
    pub fn value(&self, at_ns: u64) -> f64 {
        self.pieces[self.piece_at(at_ns)].value(at_ns)
    }

    /// When the integral since 0 goes beyond `area` (value times seconds, not negative); none if
    /// it never does.
    ///
    /// Where the value is 0 for a while, the integral goes beyond at the end of that while.
    /// `hint` is where the search begins, and where it ended: 0 at first, and for growing areas the
    /// same variable again, which makes each search a single comparison.
    pub fn reach(&self, area: f64, hint: &mut usize) -> Option<u64> {
        while self.pieces[*hint].area_after <= area {
            if *hint + 1 == self.pieces.len() {
                return None;
            }
            *hint += 1;
        }
        let piece = &self.pieces[*hint];
        let since_start = nanoseconds(piece.time_of(area - piece.area_before));
        Some(piece.start_ns.saturating_add(since_start).min(piece.end_ns))
    }

    /// The first moment not before `since_ns` at which the value is above `level`; none if there
    /// is none.
    ///
    /// A rising line counts as above from the moment at which it reaches the level, rounded to a
    /// nanosecond, and a falling one up to that moment.
    #[must_use]
    pub fn above(&self, level: f64, since_ns: u64) -> Option<u64> {
        let later = self.pieces[self.piece_at(since_ns)..].iter();
        later
            .map(|piece| piece.above(level))
            .find(|above| above.end > since_ns && !above.is_empty())
            .map(|above| above.start.max(since_ns))
    }

    fn piece_at(&self, at_ns: u64) -> usize {
        let ended = self.pieces.partition_point(|piece| piece.end_ns <= at_ns);
        ended.min(self.pieces.len() - 1)
    }
}

impl Piece {
    fn new(span: std::ops::Range<u64>, from: f64, to: f64, area_before: f64) -> Self {
        let seconds = (span.end - span.start) as f64 / NANOSECONDS_PER_SECOND;
        Self {
            start_ns: span.start,
            end_ns: span.end,
            from,
            to,
            area_before,
            area_after: area_before + (from + to) / 2.0 * seconds,
        }
    }

    fn endless(start_ns: u64, value: f64, area_before: f64) -> Self {
        Self {
            start_ns,
            end_ns: u64::MAX,
            from: value,
            to: value,
            area_before,
            area_after: if value > 0.0 {
                f64::INFINITY
            } else {
                area_before
            },
        }
    }

    fn length_ns(&self) -> f64 {
        (self.end_ns - self.start_ns) as f64
    }

    fn value(&self, at_ns: u64) -> f64 {
        let part = (at_ns - self.start_ns) as f64 / self.length_ns();
        self.from + (self.to - self.from) * part
    }

    /// Nanoseconds from the start until the integral since the start is `area`.
    ///
    /// A falling line is solved backwards from its end, as a rising one: then all terms are
    /// positive, and nothing cancels where the line comes down to 0.
    fn time_of(&self, area: f64) -> f64 {
        let rise = self.to - self.from;
        if is_same(self.from, self.to) {
            area * NANOSECONDS_PER_SECOND / self.from
        } else if rise > 0.0 {
            self.rising_time(self.from, rise, area)
        } else {
            let rest = self.area_after - self.area_before - area;
            self.length_ns() - self.rising_time(self.to, -rise, rest)
        }
    }

    /// Solves low t + slope t²/2 = area for t, as 2 area / (low + √(low² + 2 slope area)): the form
    /// of the quadratic's solution that also holds for a low or a slope near 0.
    fn rising_time(&self, low: f64, rise: f64, area: f64) -> f64 {
        if area <= 0.0 {
            return 0.0;
        }
        let slope = rise * NANOSECONDS_PER_SECOND / self.length_ns();
        let root = (low * low + 2.0 * slope * area).sqrt();
        2.0 * area * NANOSECONDS_PER_SECOND / (low + root)
    }

    /// The part of the piece in which it is above the level.
    fn above(&self, level: f64) -> std::ops::Range<u64> {
        let whole = self.start_ns..self.end_ns;
        let crossing_ns = || {
            let part = (level - self.from) / (self.to - self.from);
            self.start_ns + nanoseconds(self.length_ns() * part)
        };
        match (self.from > level, self.to > level) {
            (true, true) => whole,
            (false, true) => crossing_ns()..whole.end,
            (true, false) => whole.start..crossing_ns(),
            (false, false) => whole.start..whole.start,
        }
    }
}

/// Equal to the last bit: a level stage is written with the same number twice.
fn is_same(left: f64, right: f64) -> bool {
    left.to_bits() == right.to_bits()
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative, and saturates beyond 2^64 ns, which is after any load"
)]
fn nanoseconds(exact: f64) -> u64 {
    exact.round() as u64
}

#[cfg(test)]
pub mod tests {
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
        Line::new(stages).reach(area, &mut 0)
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
        let line = Line::new(&steps);
        assert_eq!(line.value(SECOND - 1).to_bits(), 10.0_f64.to_bits());
        assert_eq!(line.value(SECOND).to_bits(), 50.0_f64.to_bits());
        assert_eq!(line.reach(60.0, &mut 0), Some(2 * SECOND));
        assert_eq!(line.above(10.0, 0), Some(SECOND));
        assert!(!line.is_level());
    }

    #[test]
    fn a_line_that_rises_and_falls_is_above_a_level_between_its_crossings() {
        let hill = [stage(0.0, 10.0, 10 * SECOND), stage(10.0, 0.0, 10 * SECOND)];
        let line = Line::new(&hill);
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
        assert!(Line::new(&stages).is_level());
        assert!(Line::new(&[]).is_level());
        assert_eq!(reach(&[], 0.0), None);
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
            let line = Line::new(&stages);
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
            let line = Line::new(&stages);
            let value = line.value(at_ns);
            // A nanosecond's rounding of a crossing may count a level that the line just touches.
            let near = (value - value.round()).abs() < 1e-6;
            let above = (0..41).filter(|&level| line.above(f64::from(level), at_ns) == Some(at_ns));
            let expected = value.ceil() as usize;
            let count = above.count();
            prop_assert!(count == expected || (near && count.abs_diff(expected) <= 1));
        }

        #[test]
        fn a_level_is_first_above_where_the_line_was_not_before(
            stages in any_stages(40.0), level in 0_u32..40, since_ns in 0..40 * SECOND,
            parts in prop::collection::vec(0.0_f64..1.0, 10),
        ) {
            let line = Line::new(&stages);
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
}
