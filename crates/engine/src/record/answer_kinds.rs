//! How many answers to one request had which body, by a digest of it: whether a few are another's.

/// Different bodies that are told apart; of an operation that has more, no body is the usual one.
const MOST_KINDS: usize = 16;

/// What a body was, as it came over the wire: its length and a hash. Two bodies that differ by chance
/// have the same one once in 2^64; who makes bodies up could find two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BodyDigest {
    /// Bytes of the body, before any content coding is undone.
    pub bytes: u64,
    hash: u64,
}

const WORD_BYTES: usize = 8;

/// Odd, so that no step of the hash loses anything: 2^64 over the golden ratio (Knuth, "The Art of
/// Computer Programming", volume 3, section 6.4).
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The digest of a body that arrives in pieces: word by word, since it is made for every answer. How
/// the body was cut makes no difference.
#[derive(Clone, Debug, Default)]
pub struct BodyDigester {
    hash: u64,
    /// The last bytes, fewer than a word, from the lowest on.
    rest: u64,
    bytes: u64,
}

impl BodyDigester {
    /// Begins with a new body.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Looks at the next piece.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "only the lowest bits are looked at"
    )]
    pub fn feed(&mut self, mut piece: &[u8]) {
        let held = self.bytes as usize % WORD_BYTES;
        self.bytes += piece.len() as u64;
        if held > 0 {
            let taken = piece.len().min(WORD_BYTES - held);
            self.rest |= little_endian(&piece[..taken]) << (8 * held);
            piece = &piece[taken..];
            if held + taken < WORD_BYTES {
                return;
            }
            self.hash = mixed(self.hash, self.rest);
        }
        let (words, rest) = piece.as_chunks::<WORD_BYTES>();
        for word in words {
            self.hash = mixed(self.hash, u64::from_le_bytes(*word));
        }
        self.rest = little_endian(rest);
    }

    /// That of all pieces so far.
    #[must_use]
    pub fn digest(&self) -> BodyDigest {
        BodyDigest {
            bytes: self.bytes,
            hash: mixed(self.hash, self.rest),
        }
    }
}

fn mixed(hash: u64, word: u64) -> u64 {
    let product = (hash ^ word).wrapping_mul(FACTOR);
    product ^ (product >> 29)
}

/// A number of fewer than eight bytes.
fn little_endian(bytes: &[u8]) -> u64 {
    let mut word = [0; WORD_BYTES];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// The bodies of one operation's ok answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerKinds {
    kinds: Vec<(BodyDigest, u64)>,
    beyond: u64,
    bytes: u64,
}

impl AnswerKinds {
    /// Counts answers of one body.
    pub fn count(&mut self, digest: BodyDigest, answers: u64) {
        self.bytes += digest.bytes * answers;
        if let Some(kind) = self.kinds.iter_mut().find(|kind| kind.0 == digest) {
            kind.1 += answers;
        } else if self.kinds.len() < MOST_KINDS {
            self.kinds.push((digest, answers));
        } else {
            self.beyond += answers;
        }
    }

    /// Adds what another worker counted.
    pub fn add(&mut self, other: &Self) {
        for &(digest, answers) in &other.kinds {
            self.count(digest, answers);
        }
        self.beyond += other.beyond;
        self.bytes += other.bytes - other.told_apart_bytes();
    }

    /// How many answers were looked at.
    #[must_use]
    pub fn answers(&self) -> u64 {
        self.kinds.iter().map(|kind| kind.1).sum::<u64>() + self.beyond
    }

    /// Bytes of all of them.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    fn told_apart_bytes(&self) -> u64 {
        let bytes = self.kinds.iter().map(|kind| kind.0.bytes * kind.1);
        bytes.sum()
    }

    /// Different bodies, as far as they are told apart.
    #[must_use]
    pub fn kinds(&self) -> u64 {
        self.kinds.len() as u64
    }

    /// The body that most answers had, and how many.
    #[must_use]
    pub fn usual(&self) -> Option<(BodyDigest, u64)> {
        self.kinds.iter().copied().max_by_key(|kind| kind.1)
    }

    /// Of the answers with another body than the usual one those that are as long.
    #[must_use]
    pub fn others_as_long(&self) -> u64 {
        let Some((usual, _)) = self.usual() else {
            return 0;
        };
        let others = self.kinds.iter().filter(|kind| kind.0 != usual);
        let as_long = others.filter(|kind| kind.0.bytes == usual.bytes);
        as_long.map(|kind| kind.1).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn digest(body: &[u8]) -> BodyDigest {
        let mut digester = BodyDigester::default();
        digester.feed(body);
        digester.digest()
    }

    #[test]
    fn the_usual_body_is_the_most_frequent_one_though_it_came_later() {
        let (mut here, mut there) = (AnswerKinds::default(), AnswerKinds::default());
        here.count(digest(b"theirs"), 1);
        here.count(digest(b"it was"), 1);
        there.count(digest(b"longer than that"), 1);
        there.count(digest(b"it was"), 7);
        here.add(&there);
        assert_eq!(here.usual(), Some((digest(b"it was"), 8)));
        let told = (here.answers(), here.kinds(), here.others_as_long());
        assert_eq!(told, (10, 3, 1));
        assert_eq!(here.bytes(), 8 * 6 + 6 + 16);
    }

    #[test]
    fn beyond_what_is_told_apart_answers_are_counted() {
        let mut kinds = AnswerKinds::default();
        for number in 0..100_u8 {
            kinds.count(digest(&[number]), 1);
        }
        assert_eq!((kinds.answers(), kinds.kinds()), (100, MOST_KINDS as u64));
        let mut both = kinds.clone();
        both.add(&kinds);
        assert_eq!((both.answers(), both.bytes()), (200, 200));
    }

    proptest! {
        #[test]
        fn a_body_with_one_other_byte_has_another_digest(
            body in prop::collection::vec(any::<u8>(), 1..99), at in any::<prop::sample::Index>(), by in 1_u8..,
        ) {
            let mut other = body.clone();
            other[at.index(body.len())] ^= by;
            prop_assert_ne!(digest(&body), digest(&other));
        }

        #[test]
        fn pieces_have_the_digest_of_the_whole(body in prop::collection::vec(any::<u8>(), 0..99), cuts in prop::collection::vec(0_usize..99, 0..9)) {
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(body.len())).collect();
            cuts.sort_unstable();
            cuts.push(body.len());
            let mut digester = BodyDigester::default();
            digester.feed(b"another");
            digester.reset();
            let mut start = 0;
            for cut in cuts {
                digester.feed(&body[start..cut]);
                start = cut;
            }
            prop_assert_eq!(digester.digest(), digest(&body));
        }
    }
}
