//! Huffman coding of strings: RFC 7541, section 5.2 and appendix B.
//!
//! The code is canonical: codes of one length are consecutive numbers in the order of their
//! symbols, and each length goes on where the shorter ones ended. So the lengths alone define it,
//! and all tables are made of them when the engine is compiled.

use super::HpackError;

/// The symbol that never occurs in a string; its first bits are the padding.
const END_OF_STRING: u16 = 256;
const SYMBOLS: usize = 257;
const LONGEST_CODE: u32 = 30;
/// Codes up to this length, those of letters and digits among them, are found by one look-up.
const SHORT_CODE: u32 = 8;

/// Appends the coded text, padded to whole bytes.
pub fn encode(text: &[u8], out: &mut Vec<u8>) {
    let mut bits = 0_u64;
    let mut count = 0_u32;
    for &byte in text {
        let length = u32::from(LENGTHS[usize::from(byte)]);
        bits = bits << length | u64::from(CODES[usize::from(byte)]);
        count += length;
        while count >= u8::BITS {
            count -= u8::BITS;
            out.push((bits >> count).to_le_bytes()[0]);
        }
    }
    if count > 0 {
        let padding = u8::BITS - count;
        out.push((bits << padding).to_le_bytes()[0] | (u8::MAX >> count));
    }
}

/// How many bytes `encode` would append.
#[must_use]
pub fn encoded_length(text: &[u8]) -> usize {
    let bits: usize = text
        .iter()
        .map(|&byte| usize::from(LENGTHS[usize::from(byte)]))
        .sum();
    bits.div_ceil(8)
}

/// Appends the decoded text.
///
/// # Errors
/// If it holds the end's code, or its last bits are neither a symbol nor the padding.
pub fn decode(mut coded: &[u8], out: &mut Vec<u8>) -> Result<(), HpackError> {
    // The shortest code has five bits.
    out.reserve(coded.len() * 8 / 5 + 1);
    // The next `count` bits, from the highest on; all bits below them are 0.
    let mut bits = 0_u64;
    let mut count = 0_u32;
    loop {
        if count < u32::BITS {
            refill(&mut bits, &mut count, &mut coded);
        }
        // Padding without end: the last symbol is found as any other.
        let padded = bits | u64::MAX >> count;
        let (symbol, length) = match SHORT[usize::from(padded.to_be_bytes()[0])] {
            (_, 0) => long_symbol(padded),
            (symbol, length) => (u16::from(symbol), u32::from(length)),
        };
        if length > count {
            // Bits that are left over are the beginning of the end's code, and no whole byte.
            let is_padding = padded == u64::MAX && count < u8::BITS;
            return is_padding.then_some(()).ok_or(HpackError::Huffman);
        }
        out.push(u8::try_from(symbol).map_err(|_| HpackError::Huffman)?);
        bits <<= length;
        count -= length;
    }
}

fn refill(bits: &mut u64, count: &mut u32, coded: &mut &[u8]) {
    if let Some((word, rest)) = coded.split_first_chunk::<4>() {
        *bits |= u64::from(u32::from_be_bytes(*word)) << (u32::BITS - *count);
        *count += u32::BITS;
        *coded = rest;
        return;
    }
    for &byte in *coded {
        *bits |= u64::from(byte) << (u64::BITS - u8::BITS - *count);
        *count += u8::BITS;
    }
    *coded = &[];
}

/// The symbol of a code longer than `SHORT_CODE`, and its length.
fn long_symbol(bits: u64) -> (u16, u32) {
    // Codes grow with their lengths: the first length whose last code is not below the bits.
    for (length, group) in (SHORT_CODE + 1..).zip(&GROUPS[SHORT_CODE as usize + 1..]) {
        let place = bits >> (u64::BITS - length);
        if place < u64::from(group.end_code) {
            let rank = u64::from(group.end_rank) - (u64::from(group.end_code) - place);
            return (BY_RANK[usize::try_from(rank).unwrap_or_default()], length);
        }
    }
    (END_OF_STRING, LONGEST_CODE)
}

/// The length of each symbol's code in bits, appendix B.
#[rustfmt::skip]
const LENGTHS: [u8; SYMBOLS] = [
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
    28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
     6, 10, 10, 12, 13,  6,  8, 11, 10, 10,  8, 11,  8,  6,  6,  6,
     5,  5,  5,  6,  6,  6,  6,  6,  6,  6,  7,  8, 15,  6, 12, 10,
    13,  6,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,
     7,  7,  7,  7,  7,  7,  7,  7,  8,  7,  8, 13, 19, 13, 14,  6,
    15,  5,  6,  5,  6,  5,  6,  6,  6,  5,  7,  7,  6,  6,  6,  5,
     6,  7,  6,  5,  5,  6,  7,  7,  7,  7,  7, 15, 11, 14, 13, 28,
    20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
    24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
    22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
    21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
    26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
    19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
    20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
    26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
    30,
];

/// The codes of one length.
#[derive(Clone, Copy)]
struct Group {
    /// One more than the last code.
    end_code: u32,
    /// Where the symbols of the next length begin in `BY_RANK`.
    end_rank: u16,
}

/// The symbols in the order of their codes' lengths, and of their own values within one length.
const BY_RANK: [u16; SYMBOLS] = CODE.1;
/// The code of each symbol.
const CODES: [u32; SYMBOLS] = CODE.0;
/// The codes of each length, by length.
static GROUPS: [Group; LONGEST_CODE as usize + 1] = CODE.2;
/// For each first byte of the bits the symbol that begins them and its length, 0 if it is longer.
static SHORT: [(u8, u8); 256] = short_symbols();

const CODE: (
    [u32; SYMBOLS],
    [u16; SYMBOLS],
    [Group; LONGEST_CODE as usize + 1],
) = canonical_code();

/// Numbers the codes of the symbols, as RFC 1951 section 3.2.2 does for lengths in general.
const fn canonical_code() -> (
    [u32; SYMBOLS],
    [u16; SYMBOLS],
    [Group; LONGEST_CODE as usize + 1],
) {
    let mut codes = [0; SYMBOLS];
    let mut by_rank = [0; SYMBOLS];
    let mut groups = [Group {
        end_code: 0,
        end_rank: 0,
    }; LONGEST_CODE as usize + 1];
    let mut code = 0;
    let mut rank: u16 = 0;
    let mut length = 1;
    while length <= LONGEST_CODE as usize {
        code <<= 1;
        let mut symbol: u16 = 0;
        while symbol <= END_OF_STRING {
            if LENGTHS[symbol as usize] as usize == length {
                codes[symbol as usize] = code;
                by_rank[rank as usize] = symbol;
                code += 1;
                rank += 1;
            }
            symbol += 1;
        }
        groups[length] = Group {
            end_code: code,
            end_rank: rank,
        };
        length += 1;
    }
    (codes, by_rank, groups)
}

const fn short_symbols() -> [(u8, u8); 256] {
    let mut symbols = [(0, 0); 256];
    let mut symbol = u8::MIN;
    loop {
        let length = LENGTHS[symbol as usize];
        if length as u32 <= SHORT_CODE {
            let free = SHORT_CODE - length as u32;
            let first = (CODES[symbol as usize] as usize) << free;
            let mut place = first;
            while place < first + (1 << free) {
                symbols[place] = (symbol, length);
                place += 1;
            }
        }
        if symbol == u8::MAX {
            return symbols;
        }
        symbol += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decoded(coded: &[u8]) -> Result<Vec<u8>, HpackError> {
        let mut out = Vec::new();
        decode(coded, &mut out).map(|()| out)
    }

    fn encoded(text: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        encode(text, &mut out);
        out
    }

    #[test]
    fn codes_are_those_of_appendix_b() {
        // Some of each length, among them the first and last ones of all.
        for (symbol, code) in [
            (b'0', 0x0),
            (b't', 0x9),
            (b' ', 0x14),
            (b'u', 0x2d),
            (b':', 0x5c),
            (b'z', 0x7b),
            (b'&', 0xf8),
            (b'Z', 0xfd),
            (b'!', 0x3f8),
            (b'?', 0x3fc),
            (b'|', 0x7fc),
            (b'>', 0xffb),
            (0, 0x1ff8),
            (b'~', 0x1ffd),
            (b'}', 0x3ffd),
            (b'{', 0x7ffe),
            (92, 0x7fff0),
            (195, 0x7fff1),
            (128, 0xfffe6),
            (153, 0x001f_ffdc),
            (129, 0x003f_ffd2),
            (1, 0x007f_ffd8),
            (9, 0x00ff_ffea),
            (199, 0x01ff_ffec),
            (192, 0x03ff_ffe0),
            (203, 0x07ff_ffde),
            (2, 0x0fff_ffe2),
            (249, 0x0fff_fffe),
            (10, 0x3fff_fffc),
            (22, 0x3fff_fffe),
        ] {
            assert_eq!(CODES[usize::from(symbol)], code, "{symbol}");
        }
        assert_eq!(CODES[usize::from(END_OF_STRING)], 0x3fff_ffff);
    }

    #[test]
    fn lengths_leave_no_bit_pattern_without_a_symbol() {
        let used: u64 = LENGTHS
            .iter()
            .map(|&length| 1 << (LONGEST_CODE - u32::from(length)))
            .sum();
        assert_eq!(used, 1 << LONGEST_CODE);
    }

    #[test]
    fn padding_is_of_ones_and_shorter_than_a_byte() {
        assert_eq!(decoded(&[0x1f]), Ok(b"a".to_vec()));
        assert_eq!(decoded(&[]), Ok(vec![]));
        assert_eq!(decoded(&[0x1e]), Err(HpackError::Huffman));
        assert_eq!(decoded(&[0x1f, 0xff]), Err(HpackError::Huffman));
        assert_eq!(decoded(&[0xff; 4]), Err(HpackError::Huffman));
        assert_eq!(decoded(&[0xff; 40]), Err(HpackError::Huffman));
    }

    proptest! {
        #[test]
        fn every_text_comes_back(text in prop::collection::vec(any::<u8>(), 0..80)) {
            let coded = encoded(&text);
            prop_assert_eq!(coded.len(), encoded_length(&text));
            prop_assert_eq!(decoded(&coded), Ok(text));
        }

        #[test]
        fn what_decodes_is_the_only_coding_of_its_text(
            coded in prop_oneof![
                prop::collection::vec(any::<u8>(), 0..12),
                prop::collection::vec(prop_oneof![0xf8_u8..=0xff, any::<u8>()], 0..12),
            ],
        ) {
            if let Ok(text) = decoded(&coded) {
                prop_assert_eq!(encoded(&text), coded);
            }
        }
    }
}
