//! Figures of measured times: pure functions, exact on what was measured.

use serde::Serialize;

/// Quantiles by nearest rank: the value that has `ceil(q * count)` values at or below it, as
/// `HdrHistogram` defines them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Quantiles {
    pub count: usize,
    pub p50: u64,
    pub p75: u64,
    pub p90: u64,
    pub p95: u64,
    pub p99: u64,
    #[serde(rename = "p99.9")]
    pub p99_9: u64,
    pub max: u64,
}

/// Quantiles of the values; none without values. Sorts them.
pub fn quantiles(values: &mut [u64]) -> Option<Quantiles> {
    values.sort_unstable();
    let count = values.len();
    // In thousandths, since a rank from floating point may be one too high.
    let at = |thousandths: usize| values[(count * thousandths).div_ceil(1_000).max(1) - 1];
    (count > 0).then(|| Quantiles {
        count,
        p50: at(500),
        p75: at(750),
        p90: at(900),
        p95: at(950),
        p99: at(990),
        p99_9: at(999),
        max: at(1_000),
    })
}

/// How late each arrival was, on a grid of `rate` a second whose first point is where the earliest
/// arrival, relative to its own point, puts it. A lateness that all share therefore does not show.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a difference to the least is never negative, and far below 2^53"
)]
pub fn lateness_ns(arrivals_ns: &[u64], rate: f64) -> Vec<u64> {
    let Some(first_ns) = arrivals_ns.first() else {
        return Vec::new();
    };
    let offsets: Vec<f64> = arrivals_ns
        .iter()
        .enumerate()
        .map(|(k, at_ns)| (at_ns - first_ns) as f64 - k as f64 * 1e9 / rate)
        .collect();
    let origin = offsets.iter().copied().fold(f64::INFINITY, f64::min);
    let since_origin = offsets
        .iter()
        .map(|offset| (offset - origin).round() as u64);
    since_origin.collect()
}

/// Times between neighbours.
pub fn gaps_ns(arrivals_ns: &[u64]) -> Vec<u64> {
    let pairs = arrivals_ns.windows(2);
    pairs.map(|pair| pair[1] - pair[0]).collect()
}

/// Standard deviation over mean (of the population); none without values or with mean 0.
pub fn coefficient_of_variation(values: &[u64]) -> Option<f64> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<u64>() as f64 / count;
    let squares = values.iter().map(|value| (*value as f64 - mean).powi(2));
    let variance = squares.sum::<f64>() / count;
    (mean > 0.0).then(|| variance.sqrt() / mean)
}

/// Kolmogorov-Smirnov distance between gaps and the exponential distribution of `rate` a second:
/// the largest vertical distance of the two distribution functions. None without gaps.
pub fn exponential_distance(gaps_ns: &[u64], rate: f64) -> Option<f64> {
    let mut sorted = gaps_ns.to_vec();
    sorted.sort_unstable();
    let count = sorted.len() as f64;
    let distances = sorted.iter().enumerate().map(|(index, gap_ns)| {
        let expected = 1.0 - (-(*gap_ns as f64) / 1e9 * rate).exp();
        let (below, at) = (index as f64 / count, (index + 1) as f64 / count);
        (expected - below).max(at - expected)
    });
    distances.reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn quantiles_are_values_by_nearest_rank() {
        let mut values: Vec<u64> = (1..=1_000).rev().collect();
        let found = quantiles(&mut values);
        let expected = Quantiles {
            count: 1_000,
            p50: 500,
            p75: 750,
            p90: 900,
            p95: 950,
            p99: 990,
            p99_9: 999,
            max: 1_000,
        };
        assert_eq!(found, Some(expected));
        assert_eq!(quantiles(&mut []), None);
        assert_eq!(
            quantiles(&mut [7]).map(|one| (one.p50, one.max)),
            Some((7, 7))
        );
    }

    #[test]
    fn lateness_is_measured_from_the_grid_of_the_earliest_arrival() {
        // 1,000 a second: points at 0, 1 ms, 2 ms, 3 ms; the third and fourth are most punctual.
        let arrivals = [5_000_300_000, 5_001_500_000, 5_002_100_000, 5_003_100_000];
        assert_eq!(lateness_ns(&arrivals, 1_000.0), [200_000, 400_000, 0, 0]);
        assert!(lateness_ns(&[], 1_000.0).is_empty());
    }

    #[test]
    fn a_missing_arrival_makes_all_later_ones_late() {
        let arrivals = [0, 1_000_000, 3_000_000, 4_000_000];
        assert_eq!(
            lateness_ns(&arrivals, 1_000.0),
            [0, 0, 1_000_000, 1_000_000]
        );
    }

    #[test]
    fn even_gaps_do_not_vary_and_bursts_of_two_vary_by_one() {
        assert_eq!(gaps_ns(&[5, 5, 9]), [0, 4]);
        assert_eq!(coefficient_of_variation(&[4, 4, 4]), Some(0.0));
        assert_eq!(coefficient_of_variation(&[0, 8, 0, 8]), Some(1.0));
        assert_eq!(coefficient_of_variation(&[]), None);
    }

    #[test]
    fn the_distance_of_one_gap_is_that_of_its_jump() {
        // The median of an exponential of 1 a second is ln 2: the step from 0 to 1 is 0.5 off.
        let median_ns = 693_147_181;
        let distance = exponential_distance(&[median_ns], 1.0).unwrap_or_default();
        assert!((distance - 0.5).abs() < 1e-9, "{distance}");
        // All gaps 0: the whole distribution lies above.
        assert_eq!(exponential_distance(&[0, 0], 1.0), Some(1.0));
        assert_eq!(exponential_distance(&[], 1.0), None);
    }

    #[test]
    fn gaps_at_the_middle_of_each_step_are_half_a_step_off() {
        let count = 100_u32;
        let gaps: Vec<u64> = (0..count)
            .map(|k| -(1.0 - (f64::from(k) + 0.5) / f64::from(count)).ln() * 1e9)
            .map(|gap| format!("{gap:.0}").parse().unwrap_or_default())
            .collect();
        let distance = exponential_distance(&gaps, 1.0).unwrap_or_default();
        assert!((distance - 0.005).abs() < 1e-6, "{distance}");
    }

    proptest! {
        #[test]
        fn lateness_has_a_zero_and_keeps_the_order_of_a_grid(
            late_ns in proptest::collection::vec(0_u64..900_000, 1..50),
        ) {
            let arrivals: Vec<u64> =
                late_ns.iter().enumerate().map(|(k, late)| k as u64 * 1_000_000 + late).collect();
            let least = late_ns.iter().min().copied().unwrap_or_default();
            let expected: Vec<u64> = late_ns.iter().map(|late| late - least).collect();
            prop_assert_eq!(lateness_ns(&arrivals, 1_000.0), expected);
        }
    }
}
