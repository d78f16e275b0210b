//! How long a thread that could have run waited for a CPU.
//!
//! An answer that comes meanwhile is read late, which its times cannot tell from a slow service.

/// A wait of this length or more is a long one. A kernel that wakes a thread on a CPU which is free, or
/// whose program gives way, stays well below it.
pub const LONG_WAIT_NS: u64 = 1_000_000;

/// Waits of one thread, or of several together.
#[allow(clippy::struct_field_names, reason = "the waits are what is counted")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunWaits {
    /// All waits together.
    pub waited_ns: u64,
    /// Long waits.
    pub long_waits: u64,
    /// Long waits together.
    pub long_waited_ns: u64,
}

impl RunWaits {
    /// Adds what was waited between two looks, and how much of it was one wait.
    pub fn count(&mut self, waited_ns: u64, longest_ns: u64) {
        self.waited_ns += waited_ns;
        if longest_ns >= LONG_WAIT_NS {
            self.long_waits += 1;
            self.long_waited_ns += longest_ns;
        }
    }

    /// Adds other waits to these.
    pub fn add(&mut self, other: &Self) {
        self.waited_ns += other.waited_ns;
        self.long_waits += other.long_waits;
        self.long_waited_ns += other.long_waited_ns;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_wait_of_a_millisecond_is_a_long_one() {
        let mut waits = RunWaits::default();
        waits.count(LONG_WAIT_NS, LONG_WAIT_NS - 1);
        waits.count(2 * LONG_WAIT_NS, LONG_WAIT_NS + 1);
        let expected = RunWaits {
            waited_ns: 3 * LONG_WAIT_NS,
            long_waits: 1,
            long_waited_ns: LONG_WAIT_NS + 1,
        };
        assert_eq!(waits, expected);
        waits.add(&expected);
        assert_eq!((waits.long_waits, waits.waited_ns), (2, 6 * LONG_WAIT_NS));
    }
}
