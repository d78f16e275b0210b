//! When requests are intended: pure functions of count and rate, no clock and no sleep.
//!
//! One global plan of arrivals is fixed before the load and dealt round-robin to the workers, so
//! that the offered arrivals do not depend on how many workers there are. Constant rates only;
//! Poisson arrivals and ramps take the same place, with the plan's seed as a further argument.

const NANOSECONDS_PER_SECOND: f64 = 1e9;

/// The part of `total` that worker `index` of `workers` takes: all parts differ by at most one.
#[must_use]
pub fn share(total: u64, workers: u64, index: u64) -> u64 {
    total / workers + u64::from(index < total % workers)
}

/// One worker's part of a constant-rate plan: arrivals `index`, `index + workers`, ...
#[derive(Clone, Debug)]
pub struct ConstantRate {
    per_second: f64,
    workers: u64,
    next_arrival: u64,
}

impl ConstantRate {
    /// The arrivals that fall to worker `index` of `workers`.
    #[must_use]
    pub fn new(per_second: f64, workers: u64, index: u64) -> Self {
        Self {
            per_second,
            workers,
            next_arrival: index,
        }
    }

    /// Nanoseconds from the start of the load to arrival `k` of the whole plan.
    ///
    /// Computed from `k` each time: errors do not add up, so the rate cannot drift. A double
    /// holds the result to well below a nanosecond for the first hour.
    #[must_use]
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the quotient of two positive numbers; a plan is far shorter than 2^64 ns"
    )]
    pub fn intended_ns(per_second: f64, k: u64) -> u64 {
        (k as f64 * NANOSECONDS_PER_SECOND / per_second).round() as u64
    }

    /// When this worker's next arrival is intended.
    #[must_use]
    pub fn peek_ns(&self) -> u64 {
        Self::intended_ns(self.per_second, self.next_arrival)
    }

    /// Goes on to the arrival after the next one.
    pub fn advance(&mut self) {
        self.next_arrival += self.workers;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn arrivals_before(per_second: f64, workers: u64, index: u64, end_ns: u64) -> Vec<u64> {
        let mut schedule = ConstantRate::new(per_second, workers, index);
        let mut arrivals = Vec::new();
        while schedule.peek_ns() < end_ns {
            arrivals.push(schedule.peek_ns());
            schedule.advance();
        }
        arrivals
    }

    #[test]
    fn a_hundred_a_second_is_one_every_ten_milliseconds() {
        let arrivals = arrivals_before(100.0, 1, 0, 2_000_000_000);
        assert_eq!(arrivals.len(), 200);
        assert_eq!(&arrivals[..3], [0, 10_000_000, 20_000_000]);
    }

    #[test]
    fn an_hour_at_a_rate_that_does_not_divide_a_second_does_not_drift() {
        let third = 3.0 * 3600.0;
        assert_eq!(ConstantRate::intended_ns(3.0, 3 * 3600), 3_600_000_000_000);
        assert_eq!(
            ConstantRate::intended_ns(third, 3 * 3600 * 3600),
            3_600_000_000_000
        );
    }

    proptest! {
        #[test]
        fn intended_times_are_within_a_nanosecond_of_the_exact_quotient(
            per_second in 1_u32..1_000_000, k in 0_u64..1_000_000_000,
        ) {
            let exact = u128::from(k) * 1_000_000_000 / u128::from(per_second);
            prop_assume!(exact < 3_600_000_000_000);
            let intended = ConstantRate::intended_ns(f64::from(per_second), k);
            prop_assert!(u128::from(intended).abs_diff(exact) <= 1);
        }

        #[test]
        fn the_workers_together_offer_exactly_the_plan_of_one(
            per_second in 1.0_f64..5000.0, workers in 1_u64..9, end_ns in 1_u64..2_000_000_000,
        ) {
            let mut dealt: Vec<u64> = (0..workers)
                .flat_map(|index| arrivals_before(per_second, workers, index, end_ns))
                .collect();
            dealt.sort_unstable();
            prop_assert_eq!(dealt, arrivals_before(per_second, 1, 0, end_ns));
        }

        #[test]
        fn shares_add_up_and_differ_by_at_most_one(total in 0_u64..10_000, workers in 1_u64..65) {
            let shares: Vec<u64> = (0..workers).map(|index| share(total, workers, index)).collect();
            prop_assert_eq!(shares.iter().sum::<u64>(), total);
            let (least, most) = (total / workers, total.div_ceil(workers));
            prop_assert!(shares.iter().all(|share| (least..=most).contains(share)));
        }
    }
}
