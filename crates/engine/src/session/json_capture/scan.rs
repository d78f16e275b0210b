//! How bytes are skipped that nobody needs to look at: eight at a time, and long texts by `memchr`.
//!
//! The arithmetic on words is that of Mycroft (Warren, "Hacker's Delight", section 6-1): the lowest bit that
//! it sets is right, those above it may be wrong.

use memchr::memchr2;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x80 * ONES;

/// From here on a call of `memchr` costs less than what it saves.
const SHORT: usize = 32;

/// Marks the bytes of a word that are 0.
const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGHS
}

const fn equal(word: u64, byte: u8) -> u64 {
    zeros(word ^ (ONES * byte as u64))
}

/// Marks the bytes of a word that are control characters.
const fn controls(word: u64) -> u64 {
    word.wrapping_sub(0x20 * ONES) & !word & HIGHS
}

/// Where the first byte is that `is` true of; `marks` marks it in a word, and perhaps others.
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "a loop over bytes, specialised by both functions"
)]
fn find(bytes: &[u8], marks: impl Fn(u64) -> u64, is: impl Fn(u8) -> bool) -> Option<usize> {
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let mut marked = marks(u64::from_le_bytes(*word));
        while marked != 0 {
            let place = marked.trailing_zeros() as usize / 8;
            if is(word[place]) {
                return Some(8 * index + place);
            }
            marked &= marked - 1;
        }
    }
    let place = rest.iter().position(|&byte| is(byte))?;
    Some(8 * words.len() + place)
}

/// The first quote or backslash: where a string ends, or has an escape.
#[must_use]
#[inline]
pub fn text_end(bytes: &[u8]) -> Option<usize> {
    let (short, long) = bytes.split_at(bytes.len().min(SHORT));
    let marks = |word| equal(word, b'"') | equal(word, b'\\');
    let is = |byte| byte == b'"' || byte == b'\\';
    find(short, marks, is).or_else(|| Some(short.len() + memchr2(b'"', b'\\', long)?))
}

/// The first quote, backslash or control character.
#[must_use]
#[inline]
pub fn key_end(bytes: &[u8]) -> Option<usize> {
    let marks = |word| equal(word, b'"') | equal(word, b'\\') | controls(word);
    find(bytes, marks, |byte| {
        byte == b'"' || byte == b'\\' || byte < 0x20
    })
}

/// The first quote or bracket.
#[must_use]
#[inline]
pub fn structure(bytes: &[u8]) -> Option<usize> {
    // The four brackets are 0x7f but for three bits; so are Y, y and _, which stand in strings alone.
    const BITS: u64 = 0x26 * ONES;
    let marks = |word| equal(word, b'"') | equal(word | BITS, 0x7f);
    find(bytes, marks, |byte| {
        matches!(byte, b'"' | b'{' | b'}' | b'[' | b']')
    })
}

/// How many blanks there are before anything else.
#[must_use]
#[inline]
pub fn blanks(bytes: &[u8]) -> usize {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
    bytes.iter().take_while(is_blank).count()
}

/// Whether there is a control character.
#[must_use]
pub fn has_control(bytes: &[u8]) -> bool {
    // The least byte of all, since a loop that may end early is one of single bytes.
    bytes.iter().fold(u8::MAX, |least, &byte| least.min(byte)) < 0x20
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_found_is_the_first(
            bytes in prop::collection::vec(prop_oneof![
                8 => prop::sample::select(b"abYy_\x7f\x20:,01\x80\xff".to_vec()),
                1 => prop::sample::select(b"\"\\{}[]\x00\x1f\n\t".to_vec()),
                1 => any::<u8>(),
            ], 0..80),
        ) {
            let first = |is: fn(u8) -> bool| bytes.iter().position(|&byte| is(byte));
            prop_assert_eq!(text_end(&bytes), first(|byte| b"\"\\".contains(&byte)));
            prop_assert_eq!(key_end(&bytes), first(|byte| b"\"\\".contains(&byte) || byte < 0x20));
            prop_assert_eq!(structure(&bytes), first(|byte| b"\"{}[]".contains(&byte)));
            prop_assert_eq!(has_control(&bytes), first(|byte| byte < 0x20).is_some());
            let other = first(|byte| !b" \n\r\t".contains(&byte));
            prop_assert_eq!(blanks(&bytes), other.unwrap_or(bytes.len()));
        }
    }
}
