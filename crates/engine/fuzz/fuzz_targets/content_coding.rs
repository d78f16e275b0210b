//! Bodies in a content coding: any cut of the bytes decodes to the same.
//!
//! Input: the first byte chooses the coding, the second is the length of the pieces, the rest is
//! the body.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loadstone_engine::fuzzing::{Coding, ContentDecoder};

/// What came out: its length, a sum that depends on the order, and how it ended.
fn decode<'a>(
    pieces: impl Iterator<Item = &'a [u8]>,
    coding: Coding,
) -> (u64, u64, Result<(), String>) {
    let mut decoder = ContentDecoder::default();
    decoder.begin(coding);
    let (mut length, mut sum) = (0, 0_u64);
    for piece in pieces {
        let fed = decoder.feed(piece, |decoded| {
            for byte in decoded {
                length += 1;
                sum = sum.wrapping_mul(31).wrapping_add((*byte).into());
            }
        });
        if let Err(error) = fed {
            // How much came out before a fault may depend on the cut.
            return (0, 0, Err(error.to_string()));
        }
    }
    (
        length,
        sum,
        decoder.finish().map_err(|error| error.to_string()),
    )
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
