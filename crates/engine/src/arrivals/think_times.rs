//! How long users pause: draws that depend on the seed and on who pauses, not on when.

use crate::arrivals::random::{Generator, Purpose, exponential, generator, uniform};
use crate::plan::Think;

/// The think times of one worker's lanes.
#[derive(Clone, Debug)]
pub struct ThinkTimes {
    think: Think,
    seed: u64,
    /// One per lane; empty if nothing is drawn.
    generators: Vec<Generator>,
}

impl ThinkTimes {
    /// Think times of so many lanes; none: no pause.
    #[must_use]
    pub fn new(think: Option<Think>, seed: u64, lanes: usize) -> Self {
        let think = think.unwrap_or(Think::ConstantNs(0));
        let drawing = match think {
            Think::ConstantNs(_) => 0,
            Think::UniformNs(..) | Think::ExponentialNs(_) => lanes,
        };
        Self {
            think,
            seed,
            generators: vec![generator(seed, Purpose::Think, 0); drawing],
        }
    }

    /// Whether pauses are all equally long, so that what begins first ends first.
    #[must_use]
    pub fn keeps_order(&self) -> bool {
        self.generators.is_empty()
    }

    /// From now on the lane's pauses are of this stream.
    pub fn assign(&mut self, lane: usize, stream: u64) {
        if let Some(draws) = self.generators.get_mut(lane) {
            *draws = generator(self.seed, Purpose::Think, stream);
        }
    }

    /// The lane's draws as far as they have come; none if nothing is drawn.
    #[must_use]
    pub fn draws(&self, lane: usize) -> Option<Generator> {
        self.generators.get(lane).cloned()
    }

    /// The lane's draws go on where those of another had come to.
    pub fn go_on(&mut self, lane: usize, draws: Option<Generator>) {
        if let (Some(place), Some(draws)) = (self.generators.get_mut(lane), draws) {
            *place = draws;
        }
    }

    /// The lane's next pause.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative, and far shorter than 2^64 ns in a checked plan"
    )]
    pub fn draw_ns(&mut self, lane: usize) -> u64 {
        match self.think {
            Think::ConstantNs(pause_ns) => pause_ns,
            Think::UniformNs(least_ns, most_ns) => {
                let part = uniform(&mut self.generators[lane]);
                least_ns + ((most_ns - least_ns) as f64 * part).round() as u64
            }
            Think::ExponentialNs(mean_ns) => {
                let means = exponential(&mut self.generators[lane]);
                (mean_ns as f64 * means).round() as u64
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrivals::kolmogorov::{exponential_cdf, p_value};

    const MS: u64 = 1_000_000;

    fn sample(think: Think, seed: u64) -> Vec<f64> {
        let mut thinking = ThinkTimes::new(Some(think), seed, 1);
        thinking.assign(0, 0);
        (0..100_000)
            .map(|_| thinking.draw_ns(0) as f64 / (500 * MS) as f64)
            .collect()
    }

    #[test]
    fn without_think_time_there_is_no_pause() {
        let mut thinking = ThinkTimes::new(None, 1, 2);
        assert_eq!((thinking.draw_ns(0), thinking.draw_ns(1)), (0, 0));
        assert!(thinking.keeps_order());
    }

    #[test]
    fn a_constant_pause_is_always_so_long() {
        let mut thinking = ThinkTimes::new(Some(Think::ConstantNs(7)), 1, 1);
        thinking.assign(0, 99);
        assert_eq!((thinking.draw_ns(0), thinking.draw_ns(0)), (7, 7));
        assert!(thinking.keeps_order());
    }

    #[test]
    fn exponential_pauses_are_exponential_with_their_mean() {
        for seed in 1..=5 {
            let mut pauses = sample(Think::ExponentialNs(500 * MS), seed);
            assert!(p_value(&mut pauses, exponential_cdf) > 0.01, "seed {seed}");
        }
    }

    #[test]
    fn uniform_pauses_are_uniform_between_their_limits() {
        for seed in 1..=5 {
            let mut pauses = sample(Think::UniformNs(250 * MS, 1250 * MS), seed);
            let cdf = |value: f64| (value - 0.5) / 2.0;
            assert!(p_value(&mut pauses, cdf) > 0.01, "seed {seed}");
            assert!(pauses[0] >= 0.5 && pauses[pauses.len() - 1] <= 2.5);
        }
        let mut same = ThinkTimes::new(Some(Think::UniformNs(5, 5)), 1, 1);
        assert_eq!(same.draw_ns(0), 5);
    }

    #[test]
    fn pauses_are_of_the_stream_and_not_of_the_lane() {
        let think = Some(Think::ExponentialNs(500 * MS));
        let draw = |seed, lane, stream| -> Vec<u64> {
            let mut thinking = ThinkTimes::new(think, seed, 8);
            thinking.assign(lane, stream);
            (0..10).map(|_| thinking.draw_ns(lane)).collect()
        };
        assert_eq!(draw(1, 0, 42), draw(1, 7, 42));
        assert_ne!(draw(1, 0, 42), draw(1, 0, 43));
        assert_ne!(draw(1, 0, 42), draw(2, 0, 42));
    }
}
