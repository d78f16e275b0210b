//! Finds the ends of HTTP/1.1 requests that have no body, in whatever pieces they come.

use memchr::memmem;

const END: &[u8; 4] = b"\r\n\r\n";

/// How much of an end the last piece of a connection ended with.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestEnds {
    matched: usize,
}

impl RequestEnds {
    /// How many requests end in this piece.
    pub fn count(&mut self, piece: &[u8]) -> usize {
        let mut rest = piece;
        let mut ends = 0;
        while self.matched > 0 {
            let Some((byte, after)) = rest.split_first() else {
                return ends;
            };
            ends += usize::from(self.step(*byte));
            rest = after;
        }
        // Whole ends are searched at once; only what is left behind the last goes byte by byte.
        let mut behind_last = 0;
        for start in memmem::find_iter(rest, END) {
            ends += 1;
            behind_last = start + END.len();
        }
        let tail_start = behind_last.max(rest.len().saturating_sub(END.len() - 1));
        for byte in &rest[tail_start..] {
            self.step(*byte);
        }
        ends
    }

    /// Takes one byte; whether it completes an end.
    fn step(&mut self, byte: u8) -> bool {
        self.matched = match byte {
            _ if byte == END[self.matched] => self.matched + 1,
            b'\r' => 1,
            _ => 0,
        };
        let complete = self.matched == END.len();
        if complete {
            self.matched = 0;
        }
        complete
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn pipelined_requests_and_the_beginning_of_another_count_whole_ones() {
        let mut ends = RequestEnds::default();
        let two = b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r";
        assert_eq!(ends.count(two), 2);
        assert_eq!(ends.count(b"\nHost: a\r\n"), 0);
        assert_eq!(ends.count(b"\r\n"), 1);
    }

    proptest! {
        #[test]
        fn pieces_do_not_change_the_count(
            text in "[a\r\n]{0,40}",
            cuts in proptest::collection::vec(0_usize..40, 0..6),
        ) {
            let bytes = text.as_bytes();
            let whole = memmem::find_iter(bytes, END).count();
            let mut cuts: Vec<_> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let mut ends = RequestEnds::default();
            let counted: usize = cuts.windows(2).map(|pair| ends.count(&bytes[pair[0]..pair[1]])).sum();
            prop_assert_eq!(counted, whole);
        }
    }
}
