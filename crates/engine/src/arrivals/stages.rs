//! A value that changes in straight lines over time, stage after stage, and the moment at which its
//! integral reaches an amount.
//!
//! Pure geometry, in closed form: nothing is stepped through, so nothing drifts. What the value
//! means, a rate or a number of users, is up to `schedule` and `closed_arrivals`.

use crate::plan::{Stage, is_same};

const NANOSECONDS_PER_SECOND: f64 = 1e9;

/// The value over time, from 0 on; after the last stage its end stays for ever.
///
/// At the moment where two stages meet, the later one holds. A stage without duration is a step.
#[derive(Clone, Debug)]
pub struct ValueOverTime {
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
    /// The integral from 0 to the end.
    area_after: f64,
}

impl ValueOverTime {
    /// The line through the stages, which begin at `start_ns`; before, and without any, 0.
    #[must_use]
    pub fn new(start_ns: u64, stages: &[Stage]) -> Self {
        let mut pieces: Vec<Piece> = Vec::with_capacity(stages.len() + 2);
        let (mut start_ns, mut area) = (start_ns, 0.0);
        if start_ns > 0 {
            pieces.push(Piece::new(0..start_ns, 0.0, 0.0, 0.0));
        }
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

    /// From when on the value never falls; 0: it never does.
    #[must_use]
    pub fn falls_until_ns(&self) -> u64 {
        // The last piece is level.
        let joined = self.pieces.iter().zip(self.pieces.iter().skip(1));
        let falling = joined.filter(|(piece, next)| piece.to < piece.from || next.from < piece.to);
        falling.map(|(piece, _)| piece.end_ns).max().unwrap_or(0)
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

    /// The first moment not before `since_ns` at which the value is not above `level`; none if there
    /// is none. It counts as in `above`.
    #[must_use]
    pub fn not_above(&self, level: f64, since_ns: u64) -> Option<u64> {
        let mut at_ns = since_ns;
        for piece in &self.pieces[self.piece_at(since_ns)..] {
            let above = piece.above(level);
            if !above.contains(&at_ns) {
                return Some(at_ns);
            }
            at_ns = above.end;
            if at_ns < piece.end_ns {
                return Some(at_ns);
            }
        }
        None
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
            area_after: area_before + f64::midpoint(from, to) * seconds,
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

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative, and saturates beyond 2^64 ns, which is after any load"
)]
fn nanoseconds(exact: f64) -> u64 {
    // Rounded half up, without the call that `round` is on processors before SSE 4.1.
    (exact + 0.5) as u64
}

#[cfg(test)]
pub mod tests;
