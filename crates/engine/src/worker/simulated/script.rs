//! What a scripted server is to do next: byte after byte, and nothing but good once they have ended.

use std::collections::VecDeque;

/// The rest of a script. A byte of 0 is always a server in good order.
#[derive(Clone, Debug)]
pub struct Script {
    bytes: VecDeque<u8>,
}

/// Milliseconds that a delay lasts, by its byte. The timeouts of scripted loads are 100 ms.
const DELAYS_MS: [u64; 8] = [1, 2, 5, 20, 60, 99, 101, 250];

impl Script {
    /// These bytes.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        Self {
            bytes: bytes.iter().copied().collect(),
        }
    }

    /// The next choice of so many; 0 once the script has ended.
    pub fn choice(&mut self, choices: u8) -> u8 {
        self.bytes.pop_front().unwrap_or(0) % choices
    }

    /// The next delay; never none, so that time passes.
    pub fn delay_ns(&mut self) -> u64 {
        let place = usize::from(self.choice(8));
        DELAYS_MS[place] * 1_000_000
    }
}
