//! Flow-control windows (RFC 9113 section 5.2 and 6.9) of the connection or one stream, in bytes.

/// The largest window (section 6.9.1).
pub const MAX_WINDOW_BYTES: u32 = i32::MAX as u32;
/// Every window at first, until SETTINGS or updates change it (section 6.9.2).
pub const DEFAULT_WINDOW_BYTES: u32 = 65_535;

/// What may still be sent; below 0 after the peer lowered the initial size (section 6.9.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SendWindow(i32);

impl SendWindow {
    /// A window of this size, at most 2^31 - 1.
    #[must_use]
    pub fn new(bytes: u32) -> Self {
        Self(i32::try_from(bytes).unwrap_or(i32::MAX))
    }

    /// How many bytes may be sent now.
    #[must_use]
    pub fn available(self) -> usize {
        usize::try_from(self.0).unwrap_or(0)
    }

    /// Counts bytes sent; the caller asked `available` before.
    pub fn take(&mut self, bytes: usize) {
        debug_assert!(bytes <= self.available(), "more than the window allows");
        self.0 = self.0.saturating_sub_unsigned(saturating(bytes));
    }

    /// Widens by an update; none if that goes beyond the largest.
    #[must_use]
    pub fn widen(self, bytes: u32) -> Option<Self> {
        self.0.checked_add_unsigned(bytes).map(Self)
    }

    /// Follows a change of the initial size; none if that goes beyond the limits.
    #[must_use]
    pub fn resize(self, from: u32, to: u32) -> Option<Self> {
        let size = i64::from(self.0) + i64::from(to) - i64::from(from);
        i32::try_from(size).ok().map(Self)
    }
}

/// What the peer may still send. All that comes counts as consumed at once, so the window is
/// widened again as soon as half of it is used: one update per half window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceiveWindow {
    left: u32,
    size: u32,
}

impl ReceiveWindow {
    /// A window of this size, at most 2^31 - 1.
    #[must_use]
    pub fn new(size: u32) -> Self {
        Self { left: size, size }
    }

    /// Counts received bytes, padding included; false if the window does not allow them.
    #[must_use]
    pub fn take(&mut self, bytes: usize) -> bool {
        match self.left.checked_sub(saturating(bytes)) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }

    /// By how much to widen the peer's window now, if at all; it counts as done.
    #[must_use]
    pub fn update(&mut self) -> Option<u32> {
        let used = self.size - self.left;
        (used > self.size / 2).then(|| {
            self.left = self.size;
            used
        })
    }
}

fn saturating(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_lowered_initial_size_makes_the_window_negative_until_updates_fill_it() {
        let mut window = SendWindow::new(65_535);
        window.take(60_000);
        let window = window.resize(65_535, 16_384).expect("within the limits");
        assert_eq!(window, SendWindow(5_535 - (65_535 - 16_384)));
        assert_eq!(window.available(), 0);
        let window = window.widen(43_617).expect("within the limits");
        assert_eq!(window.available(), 1);
    }

    #[test]
    fn a_window_beyond_the_largest_is_refused() {
        let window = SendWindow::new(MAX_WINDOW_BYTES - 1);
        assert_eq!(window.widen(1), Some(SendWindow::new(MAX_WINDOW_BYTES)));
        assert_eq!(window.widen(2), None);
        assert_eq!(window.resize(0, 2), None);
        assert_eq!(SendWindow(i32::MIN).resize(1, 0), None);
    }

    #[test]
    fn the_peer_is_given_room_again_once_half_is_used() {
        let mut window = ReceiveWindow::new(100);
        assert!(window.take(50));
        assert_eq!(window.update(), None);
        assert!(window.take(1));
        assert_eq!(window.update(), Some(51));
        assert!(window.take(100));
        assert!(!window.take(1));
    }

    proptest! {
        #[test]
        fn what_the_peer_may_send_never_exceeds_the_size(
            size in 1..=MAX_WINDOW_BYTES,
            pieces in proptest::collection::vec(0_usize..40_000, 0..100),
        ) {
            let (mut window, mut granted, mut sent) = (ReceiveWindow::new(size), u64::from(size), 0);
            for piece in pieces {
                if !window.take(piece) {
                    prop_assert!(sent + piece as u64 > granted);
                    break;
                }
                sent += piece as u64;
                granted += u64::from(window.update().unwrap_or(0));
                prop_assert!(sent <= granted && granted - sent <= u64::from(size));
            }
        }

        #[test]
        fn a_send_window_is_the_sum_of_what_was_granted_and_taken(
            steps in proptest::collection::vec((any::<bool>(), 0_u32..100_000), 0..100),
        ) {
            let (mut window, mut initial) = (SendWindow::new(DEFAULT_WINDOW_BYTES), DEFAULT_WINDOW_BYTES);
            let mut expected = i64::from(initial);
            for (is_update, bytes) in steps {
                if is_update {
                    window = window.widen(bytes).expect("far below the largest");
                    expected += i64::from(bytes);
                } else {
                    window = window.resize(initial, bytes).expect("far below the largest");
                    expected += i64::from(bytes) - i64::from(initial);
                    initial = bytes;
                }
                let taken = window.available() / 2;
                window.take(taken);
                expected -= i64::try_from(taken).expect("small");
                prop_assert_eq!(i64::from(window.0), expected);
            }
        }
    }
}
