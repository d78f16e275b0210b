//! What each user got: answers, and how long the service took for them.
//!
//! A user who is served slowly sends little, so that few of its requests are among all of them, and no
//! quantile over requests shows it. Kept by connection, which of closed load is a user.

/// What one connection got, from the time on from which it is added up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UserStats {
    /// When its first request was intended, at any time of the load; `u64::MAX`: it had none.
    pub first_ns: u64,
    /// Requests that ended ok.
    pub answers: u64,
    /// Their service times together.
    pub sum_ns: u64,
    /// The longest of them.
    pub max_ns: u64,
    /// The binary logarithms of their service times together.
    pub log_sum: f64,
    /// The squares of these logarithms together.
    pub log_square_sum: f64,
}

impl Default for UserStats {
    fn default() -> Self {
        Self {
            first_ns: u64::MAX,
            answers: 0,
            sum_ns: 0,
            max_ns: 0,
            log_sum: 0.0,
            log_square_sum: 0.0,
        }
    }
}

impl UserStats {
    /// What several lanes of one connection got.
    #[must_use]
    pub fn together(lanes: &[Self]) -> Self {
        let mut sum = Self::default();
        for lane in lanes {
            sum.first_ns = sum.first_ns.min(lane.first_ns);
            sum.answers += lane.answers;
            sum.sum_ns += lane.sum_ns;
            sum.max_ns = sum.max_ns.max(lane.max_ns);
            sum.log_sum += lane.log_sum;
            sum.log_square_sum += lane.log_square_sum;
        }
        sum
    }

    /// A request of this user was intended then.
    pub fn asked(&mut self, intended_ns: u64) {
        self.first_ns = self.first_ns.min(intended_ns);
    }

    /// A request of this user ended ok.
    pub fn answered(&mut self, service_time_ns: u64) {
        self.answers += 1;
        self.sum_ns += service_time_ns;
        self.max_ns = self.max_ns.max(service_time_ns);
        let logarithm = rough_log2(service_time_ns);
        self.log_sum += logarithm;
        self.log_square_sum += logarithm * logarithm;
    }
}

/// What one user got.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UserRow {
    /// Number of its group.
    pub group: u16,
    /// Its number there.
    pub user: u64,
    /// What it got.
    pub stats: UserStats,
}

/// The binary logarithm, read from the bits of a floating-point number: exact for powers of two, and
/// at most 0.09 too small between them (Mitchell, "Computer Multiplication and Division Using Binary
/// Logarithms", 1962). It takes a nanosecond, and never falls as its argument rises.
#[allow(
    clippy::cast_precision_loss,
    reason = "52 bits are more than a logarithm needs"
)]
fn rough_log2(value_ns: u64) -> f64 {
    const FRACTION_BITS: i32 = 52;
    const BIAS: f64 = 1023.0;
    let bits = (value_ns.max(1) as f64).to_bits();
    bits as f64 / f64::powi(2.0, FRACTION_BITS) - BIAS
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_user_has_its_answers_and_their_times() {
        let mut user = UserStats::default();
        user.asked(7);
        user.asked(9);
        for service_time_ns in [2, 8] {
            user.answered(service_time_ns);
        }
        let expected = UserStats {
            first_ns: 7,
            answers: 2,
            sum_ns: 10,
            max_ns: 8,
            log_sum: 4.0,
            log_square_sum: 10.0,
        };
        assert_eq!(user, expected);
        let (mut early, mut late) = (UserStats::default(), UserStats::default());
        early.asked(7);
        late.asked(9);
        early.answered(8);
        late.answered(2);
        assert_eq!(UserStats::together(&[early, late]), expected);
    }

    proptest! {
        #[test]
        fn the_logarithm_is_rough_and_never_falls(value in 1_u64..1 << 50) {
            let error = (value as f64).log2() - rough_log2(value);
            prop_assert!((-1e-9..0.0861).contains(&error), "{error}");
            prop_assert!(rough_log2(value + 1) >= rough_log2(value));
        }
    }
}
