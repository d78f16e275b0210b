//! The Kolmogorov-Smirnov test of a sample against a known distribution, for tests of what is drawn.

/// The probability of a distance as large as the sample's, or larger, if the sample is of the
/// continuous distribution `cdf`.
///
/// The asymptotic distribution with Stephens' correction for finite samples (Stephens, "EDF
/// statistics for goodness of fit", 1974); good from a few dozen values on.
pub fn p_value(sample: &mut [f64], cdf: impl Fn(f64) -> f64) -> f64 {
    sample.sort_unstable_by(f64::total_cmp);
    let count = sample.len() as f64;
    let distance = sample.iter().enumerate().map(|(index, &value)| {
        let expected = cdf(value);
        let (below, upto) = (index as f64 / count, (index + 1) as f64 / count);
        (expected - below).max(upto - expected)
    });
    let distance = distance.fold(0.0, f64::max);
    tail((count.sqrt() + 0.12 + 0.11 / count.sqrt()) * distance)
}

/// The distribution function of the exponential distribution with mean 1.
pub fn exponential_cdf(value: f64) -> f64 {
    -(-value).exp_m1()
}

fn tail(scaled: f64) -> f64 {
    if scaled < 0.2 {
        return 1.0;
    }
    let term = |k: i32| {
        let k = f64::from(k);
        (-2.0 * k * k * scaled * scaled).exp()
    };
    let sum: f64 = (1..=100)
        .map(|k| if k % 2 == 1 { term(k) } else { -term(k) })
        .sum();
    (2.0 * sum).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_has_the_known_critical_values() {
        for (scaled, probability) in [(1.2238, 0.10), (1.3581, 0.05), (1.6276, 0.01)] {
            let difference = (tail(scaled) - probability).abs();
            assert!(difference < 1e-4, "{scaled}: {}", tail(scaled));
        }
    }

    #[test]
    fn an_even_grid_is_uniform_and_not_exponential() {
        let mut grid: Vec<f64> = (0..1000)
            .map(|index| (f64::from(index) + 0.5) / 1000.0)
            .collect();
        assert!(p_value(&mut grid, |value| value) > 0.99);
        assert!(p_value(&mut grid, exponential_cdf) < 1e-6);
    }

    #[test]
    fn a_shift_by_five_percent_is_found_in_ten_thousand_values() {
        let mut grid: Vec<f64> = (0..10_000)
            .map(|index| 0.05 + f64::from(index) / 10_000.0)
            .collect();
        assert!(p_value(&mut grid, |value| value.min(1.0)) < 1e-6);
    }
}
