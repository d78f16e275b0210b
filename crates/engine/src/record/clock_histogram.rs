//! The values of one clock: count, sum and extremes exactly, the distribution as a histogram.

use hdrhistogram::Histogram;

/// Values below are recorded as this: the histograms' lowest discernible value.
pub const LOWEST_NS: u64 = 1_000;

/// Values above are recorded as this: one hour.
pub const HIGHEST_NS: u64 = 3_600_000_000_000;

const SIGNIFICANT_DIGITS: u8 = 3;

/// Count, sum and extremes of one clock, exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactStats {
    /// Values.
    pub count: u64,
    /// Their sum.
    pub sum_ns: u128,
    /// The least; meaningless without values.
    pub min_ns: u64,
    /// The greatest.
    pub max_ns: u64,
}

impl Default for ExactStats {
    fn default() -> Self {
        Self {
            count: 0,
            sum_ns: 0,
            min_ns: u64::MAX,
            max_ns: 0,
        }
    }
}

impl ExactStats {
    pub(super) fn record(&mut self, value_ns: u64) {
        self.add(&Self {
            count: 1,
            sum_ns: u128::from(value_ns),
            min_ns: value_ns,
            max_ns: value_ns,
        });
    }

    /// Adds other values to these.
    pub fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.sum_ns += other.sum_ns;
        self.min_ns = self.min_ns.min(other.min_ns);
        self.max_ns = self.max_ns.max(other.max_ns);
    }

    /// The mean; none without values.
    #[must_use]
    pub fn mean_ns(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum_ns as f64 / self.count as f64)
    }
}

/// One clock of one operation, of ok or of failed requests.
#[derive(Clone, Debug)]
pub struct ClockHistogram {
    /// Exact.
    pub exact: ExactStats,
    /// To three significant digits.
    pub histogram: Histogram<u64>,
}

impl ClockHistogram {
    /// Empty, and growing with the values: small enough for a worker's cache.
    ///
    /// # Panics
    /// Never: the bounds are constants that the histogram takes.
    #[must_use]
    pub fn growing() -> Self {
        let mut histogram =
            Histogram::new_with_bounds(LOWEST_NS, 2 * LOWEST_NS, SIGNIFICANT_DIGITS)
                .expect("constant bounds are valid");
        histogram.auto(true);
        Self {
            exact: ExactStats::default(),
            histogram,
        }
    }

    /// Empty, over the whole range, so that what is written states the range of the method.
    ///
    /// # Panics
    /// Never: the bounds are constants that the histogram takes.
    #[must_use]
    pub fn full_range() -> Self {
        let histogram = Histogram::new_with_bounds(LOWEST_NS, HIGHEST_NS, SIGNIFICANT_DIGITS)
            .expect("constant bounds are valid");
        Self {
            exact: ExactStats::default(),
            histogram,
        }
    }

    fn record(&mut self, value_ns: u64) {
        self.exact.record(value_ns);
        // Within the range by the clamp; a growing histogram grows into it.
        let recorded = self.histogram.record(value_ns.clamp(LOWEST_NS, HIGHEST_NS));
        debug_assert!(recorded.is_ok());
    }

    /// Adds other values to these.
    ///
    /// # Panics
    /// Never: all histograms share one range.
    pub fn add(&mut self, other: &Self) {
        self.exact.add(&other.exact);
        self.histogram
            .add(&other.histogram)
            .expect("all histograms share one range");
    }

    pub(crate) fn clear(&mut self) {
        if self.exact.count > 0 {
            self.exact = ExactStats::default();
            self.histogram.reset();
        }
    }
}

/// One clock, ok requests apart from the rest.
#[derive(Clone, Debug)]
pub struct ClockSplit {
    /// Of requests that ended ok.
    pub ok: ClockHistogram,
    /// Of all others that have the clock.
    pub failed: ClockHistogram,
}

impl ClockSplit {
    pub(crate) fn new() -> Self {
        Self {
            ok: ClockHistogram::growing(),
            failed: ClockHistogram::growing(),
        }
    }

    pub(crate) fn record(&mut self, value_ns: u64, is_ok: bool) {
        let stats = if is_ok {
            &mut self.ok
        } else {
            &mut self.failed
        };
        stats.record(value_ns);
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.ok.add(&other.ok);
        self.failed.add(&other.failed);
    }

    pub(crate) fn clear(&mut self) {
        self.ok.clear();
        self.failed.clear();
    }
}

/// The least recorded value that at least this share of the values does not exceed, within the
/// histogram's resolution; none of an empty histogram.
#[must_use]
pub fn quantile_ns(histogram: &Histogram<u64>, quantile: f64) -> Option<u64> {
    (!histogram.is_empty()).then(|| histogram.value_at_quantile(quantile))
}
