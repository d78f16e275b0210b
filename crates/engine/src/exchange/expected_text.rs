//! Finds a text in a body that arrives in pieces, without keeping the body.

use memchr::memmem::Finder;

/// The text that a body must contain, prepared once per operation.
#[derive(Clone, Debug)]
pub struct ExpectedText {
    finder: Finder<'static>,
}

impl ExpectedText {
    /// Prepares the search.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self {
            finder: Finder::new(text.as_bytes()).into_owned(),
        }
    }

    fn length(&self) -> usize {
        self.finder.needle().len()
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
    pub fn feed(&mut self, expected: &ExpectedText, piece: &[u8]) {
        let overlap = expected.length().saturating_sub(1);
        if self.found {
            return;
        }
        if !self.carry.is_empty() {
            let carried = self.carry.len();
            self.carry
                .extend_from_slice(&piece[..piece.len().min(overlap)]);
            if expected.finder.find(&self.carry).is_some() {
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
        if expected.finder.find(piece).is_some() {
            self.found = true;
            return;
        }
        self.carry.clear();
        self.carry
            .extend_from_slice(&piece[piece.len().saturating_sub(overlap)..]);
    }

    /// Whether the text was seen; an empty text is in every body.
    #[must_use]
    pub fn is_found(&self, expected: &ExpectedText) -> bool {
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
            let expected = ExpectedText::new(&text);
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(body.len())).collect();
            cuts.sort_unstable();
            cuts.push(body.len());
            let mut search = BodySearch::default();
            let mut start = 0;
            for cut in cuts {
                search.feed(&expected, &body.as_bytes()[start..cut]);
                start = cut;
            }
            prop_assert_eq!(search.is_found(&expected), body.contains(&text));
        }
    }
}
