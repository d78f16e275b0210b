//! How long users pause: draws that depend on the seed and on who pauses, not on when.

use crate::plan::Think;
use crate::random::{Generator, Purpose, exponential, generator, uniform};

/// The think times of one worker's lanes.
#[derive(Clone, Debug)]
pub struct Thinking {
    think: Think,
    seed: u64,
    /// One per lane; empty if nothing is drawn.
    generators: Vec<Generator>,
}

impl Thinking {
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
