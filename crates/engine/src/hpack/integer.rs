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
