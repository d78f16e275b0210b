//! Numbers as JSON writes them (RFC 8259, section 6), read in pieces.

/// How far a number has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NumberState {
    /// Nothing yet.
    #[default]
    Begin,
    /// `-`.
    Minus,
    /// A zero, which no digit follows.
    Zero,
    /// Digits before the point.
    Whole,
    /// The point.
    Point,
    /// Digits after it.
    Fraction,
    /// `e`.
    Exponent,
    /// Its sign.
    Sign,
    /// Its digits.
    Power,
}

impl NumberState {
    /// Takes the bytes that continue the number; returns how many.
    pub fn take(&mut self, bytes: &[u8]) -> usize {
        for (at, &byte) in bytes.iter().enumerate() {
            let Some(next) = self.next(byte) else {
                return at;
            };
            *self = next;
        }
        bytes.len()
    }

    /// Whether the number may end here.
    #[must_use]
    pub fn is_complete(self) -> bool {
        matches!(
            self,
            Self::Zero | Self::Whole | Self::Fraction | Self::Power
        )
    }

    fn next(self, byte: u8) -> Option<Self> {
        let next = match (self, byte) {
            (Self::Begin, b'-') => Self::Minus,
            (Self::Begin | Self::Minus, b'0') => Self::Zero,
            (Self::Begin | Self::Minus | Self::Whole, b'0'..=b'9') => Self::Whole,
            (Self::Zero | Self::Whole, b'.') => Self::Point,
            (Self::Point | Self::Fraction, b'0'..=b'9') => Self::Fraction,
            (Self::Zero | Self::Whole | Self::Fraction, b'e' | b'E') => Self::Exponent,
            (Self::Exponent, b'+' | b'-') => Self::Sign,
            (Self::Exponent | Self::Sign | Self::Power, b'0'..=b'9') => Self::Power,
            _ => return None,
        };
        Some(next)
    }
}

/// Whether a text is a number and nothing else.
#[must_use]
pub fn is_number(text: &[u8]) -> bool {
    let mut state = NumberState::default();
    state.take(text) == text.len() && state.is_complete()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_told_from_what_looks_like_them() {
        for text in ["0", "-0", "10", "1.50", "1e5", "-1.5E-07", "0e0"] {
            assert!(is_number(text.as_bytes()), "{text}");
        }
        for text in [
            "", "-", "+1", "01", "1.", ".5", "1e", "1e+", "1 ", "0x1", "NaN", "1.2.3",
        ] {
            assert!(!is_number(text.as_bytes()), "{text}");
        }
    }

    proptest! {
        #[test]
        fn numbers_are_those_of_another_parser(text in "[-+.eE0-9]{0,7}", cut in 0..8_usize) {
            // What is skipped is not converted, so no number is too large for it.
            let is_json = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
            prop_assert_eq!(is_number(text.as_bytes()), is_json);
            let (mut state, bytes) = (NumberState::default(), text.as_bytes());
            let cut = cut.min(bytes.len());
            let taken = state.take(&bytes[..cut]);
            let is_cut_number = taken == cut && state.take(&bytes[cut..]) == bytes.len() - cut
                && state.is_complete();
            prop_assert_eq!(is_cut_number, is_json);
        }
    }
}
