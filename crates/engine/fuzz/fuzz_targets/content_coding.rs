//! Bodies in a content coding: any cut of the bytes decodes to the same.
//!
//! Input: the first byte chooses the coding, the second is the length of the pieces, the rest is
//! the body.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loadstone_engine::fuzzing::{Coding, CodingError, ContentDecoder};

/// The length of what came out and a sum that depends on its order; or why it is no whole body,
/// whereby it depends on the cut how much came out before.
fn decode<'a>(
    pieces: impl Iterator<Item = &'a [u8]>,
    coding: Coding,
) -> Result<(u64, u64), CodingError> {
    let mut decoder = ContentDecoder::default();
    decoder.begin(coding);
    let (mut length, mut sum) = (0, 0_u64);
    for piece in pieces {
        decoder.feed(piece, |decoded| {
            for byte in decoded {
                length += 1;
                sum = sum.wrapping_mul(31).wrapping_add((*byte).into());
            }
        })?;
    }
    decoder.finish()?;
    Ok((length, sum))
}

fuzz_target!(|input: &[u8]| {
    let [choice, length, bytes @ ..] = input else {
        return;
    };
    let codings: [&[u8]; 4] = [b"gzip", b"br", b"identity", b"gzip, br"];
    let coding = Coding::default().with_header(codings[usize::from(choice % 4)]);
    let whole = decode([bytes].into_iter(), coding);
    let pieces = bytes.chunks(usize::from(*length) + 1);
    assert_eq!(decode(pieces, coding), whole);
});
