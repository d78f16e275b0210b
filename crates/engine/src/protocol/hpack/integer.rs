//! Integers with a prefix of some bits: RFC 7541, section 5.1.

use super::HpackError;

/// Further bytes that an integer may have: 5 x 7 bits hold any 32-bit value.
const MOST_BYTES: u32 = 5;

/// Appends a value; the bits of `flags` above the prefix stand in the first byte.
pub fn encode(value: usize, prefix_bits: u32, flags: u8, out: &mut Vec<u8>) {
    let limit = prefix_limit(prefix_bits);
    let mut rest = match u8::try_from(value) {
        Ok(small) if small < limit => return out.push(flags | small),
        _ => value - usize::from(limit),
    };
    out.push(flags | limit);
    while rest >= 0x80 {
        out.push(0x80 | low_bits(rest));
        rest >>= 7;
    }
    out.push(low_bits(rest));
}

/// The value that begins in `first` and may go on in `rest`, and what follows it.
///
/// # Errors
/// If it does not end, or is larger than 32 bits.
pub fn decode(first: u8, prefix_bits: u32, mut rest: &[u8]) -> Result<(usize, &[u8]), HpackError> {
    let limit = prefix_limit(prefix_bits);
    if first & limit != limit {
        return Ok((usize::from(first & limit), rest));
    }
    let mut value = u64::from(limit);
    for place in 0..MOST_BYTES {
        let (&byte, after) = rest.split_first().ok_or(HpackError::Truncated)?;
        rest = after;
        value += u64::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            let value = u32::try_from(value).map_err(|_| HpackError::Integer)?;
            return Ok((value as usize, rest));
        }
    }
    Err(HpackError::Integer)
}

/// The largest value of the prefix, which says that more bytes follow; also its mask.
fn prefix_limit(prefix_bits: u32) -> u8 {
    u8::MAX >> (u8::BITS - prefix_bits)
}

fn low_bits(value: usize) -> u8 {
    value.to_le_bytes()[0] & 0x7f
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encoded(value: usize, prefix_bits: u32, flags: u8) -> Vec<u8> {
        let mut out = Vec::new();
        encode(value, prefix_bits, flags, &mut out);
        out
    }

    #[test]
    fn the_examples_of_rfc_7541_c_1_hold() {
        assert_eq!(encoded(10, 5, 0), [10]);
        assert_eq!(encoded(1337, 5, 0), [0x1f, 0x9a, 0x0a]);
        assert_eq!(encoded(42, 8, 0), [42]);
        assert_eq!(decode(0x1f, 5, &[0x9a, 0x0a, 7]), Ok((1337, &[7][..])));
    }

    #[test]
    fn numbers_beyond_32_bits_are_refused() {
        let most = encoded(u32::MAX as usize, 7, 0);
        assert_eq!(
            decode(most[0], 7, &most[1..]),
            Ok((u32::MAX as usize, &[][..]))
        );
        let more = encoded(u32::MAX as usize + 1, 7, 0);
        assert_eq!(decode(more[0], 7, &more[1..]), Err(HpackError::Integer));
        assert_eq!(decode(0x7f, 7, &[0x80; 9]), Err(HpackError::Integer));
        assert_eq!(decode(0x7f, 7, &[0x80; 4]), Err(HpackError::Truncated));
    }

    proptest! {
        #[test]
        fn every_number_comes_back(value: u32, bits in 1_u32..=8, flags: u8, shift in 0_u32..32) {
            let value = (value >> shift) as usize;
            let flags = flags & !prefix_limit(bits);
            let out = encoded(value, bits, flags);
            prop_assert_eq!(out[0] & !prefix_limit(bits), flags);
            prop_assert_eq!(decode(out[0], bits, &out[1..]), Ok((value, &[][..])));
        }
    }
}
