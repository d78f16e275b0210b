//! Header blocks, one after the other on one connection. What was decoded, written by the encoder,
//! is decoded as the same again.
//!
//! Input: blocks, each with its length in the byte before it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loadstone_engine::fuzzing::{Fields, HpackBlock, HpackDecoder, HpackEncoder};

const TABLE_BYTES: usize = 4_096;

type Field = (Vec<u8>, Vec<u8>);

fn decode(decoder: &mut HpackDecoder, block: &[u8]) -> Option<Vec<Field>> {
    let mut fields = Vec::new();
    let result = decoder.decode(block, |name, value| {
        fields.push((name.to_ascii_lowercase(), value.to_vec()));
    });
    result.is_ok().then_some(fields)
}

fuzz_target!(|input: &[u8]| {
    let mut decoder = HpackDecoder::new(TABLE_BYTES);
    let mut again = HpackDecoder::new(TABLE_BYTES);
    let (mut encoder, mut fields) = (HpackEncoder::new(), Fields::new());
    let mut block = HpackBlock::default();
    let mut rest = input;
    while let Some((&length, bytes)) = rest.split_first() {
        let (piece, after) = bytes.split_at(bytes.len().min(length.into()));
        rest = after;
        encoder.set_capacity(u32::from(length) * 64);
        let Some(decoded) = decode(&mut decoder, piece) else {
            return;
        };
        // Prepared fields and literals in turn.
        block.clear();
        for (place, (name, value)) in decoded.iter().enumerate() {
            if place % 2 == 0 {
                block.push(fields.add(name, value));
            } else {
                block.push_literal(fields.add_name(name), value);
            }
        }
        let mut encoded = Vec::new();
        encoder.encode(&fields, &block, &mut encoded);
        assert_eq!(decode(&mut again, &encoded), Some(decoded));
    }
});
