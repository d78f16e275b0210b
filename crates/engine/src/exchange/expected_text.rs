//! Finds a text in a body that arrives in pieces, without keeping the body.

use memchr::memmem::{Finder, find};

/// The text that a body must contain: prepared once per operation, or put together for each request.
#[derive(Clone, Copy, Debug)]
pub enum Needle<'a> {
    /// Always the same.
    Prepared(&'a Finder<'static>),
    /// Of one request.
    Rendered(&'a [u8]),
}

impl Needle<'_> {
    fn length(self) -> usize {
        match self {
            Self::Prepared(finder) => finder.needle().len(),
            Self::Rendered(text) => text.len(),
        }
    }

    fn is_in(self, haystack: &[u8]) -> bool {
        let found = match self {
            Self::Prepared(finder) => finder.find(haystack),
            Self::Rendered(text) => find(haystack, text),
        };
        found.is_some()
    }
}

/// The search in one body. Keeps the last bytes of each piece, one fewer than the text is long.
#[derive(Clone, Debug, Default)]
pub struct BodySearch {
    found: bool,
    carry: Vec<u8>,
}

impl BodySearch {
    /// Begins with a new body.
    pub fn reset(&mut self) {
        self.found = false;
        self.carry.clear();
    }

    /// Looks at the next piece.
    pub fn feed(&mut self, expected: Needle<'_>, piece: &[u8]) {
        let overlap = expected.length().saturating_sub(1);
        if self.found {
            return;
        }
        if !self.carry.is_empty() {
            let carried = self.carry.len();
            self.carry
                .extend_from_slice(&piece[..piece.len().min(overlap)]);
            if expected.is_in(&self.carry) {
                self.found = true;
                return;
            }
            if piece.len() < overlap {
                let excess = self.carry.len().saturating_sub(overlap);
                self.carry.drain(..excess);
                return;
            }
            self.carry.truncate(carried);
        }
        if expected.is_in(piece) {
            self.found = true;
            return;
        }
        self.carry.clear();
        self.carry
            .extend_from_slice(&piece[piece.len().saturating_sub(overlap)..]);
    }

    /// Whether the text was seen; an empty text is in every body.
    #[must_use]
    pub fn is_found(&self, expected: Needle<'_>) -> bool {
        self.found || expected.length() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pieces_give_the_same_answer_as_the_whole(
            body in "[ab]{0,40}", text in "[ab]{0,6}", cuts in prop::collection::vec(0_usize..41, 0..8),
        ) {
            let finder = Finder::new(text.as_bytes()).into_owned();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(body.len())).collect();
            cuts.sort_unstable();
            cuts.push(body.len());
            for expected in [Needle::Prepared(&finder), Needle::Rendered(text.as_bytes())] {
                let mut search = BodySearch::default();
                let mut start = 0;
                for &cut in &cuts {
                    search.feed(expected, &body.as_bytes()[start..cut]);
                    start = cut;
                }
                prop_assert_eq!(search.is_found(expected), body.contains(&text));
            }
        }
    }
}
