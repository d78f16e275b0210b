//! Integers as decimal text.

/// What the longest integer of 64 bits takes, with its sign.
const MOST_DIGITS: usize = 20;

/// Appends the integer.
pub fn push(integer: i64, out: &mut Vec<u8>) {
    let mut text = [0; MOST_DIGITS];
    let mut at = MOST_DIGITS;
    let mut rest = integer.unsigned_abs();
    loop {
        at -= 1;
        text[at] = digit(rest);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if integer < 0 {
        at -= 1;
        text[at] = b'-';
    }
    out.extend_from_slice(&text[at..]);
}

/// Appends the last `count` digits of a number.
pub fn push_digits(mut number: u64, count: usize, out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + count, b'0');
    for place in out[start..].iter_mut().rev() {
        *place = digit(number);
        number /= 10;
    }
}

#[allow(clippy::cast_possible_truncation, reason = "less than 10")]
fn digit(number: u64) -> u8 {
    b'0' + (number % 10) as u8
}

/// The integer that a text is: digits alone, with or without `-`; none if it is no other or beyond 64 bits.
#[must_use]
pub fn parse(text: &[u8]) -> Option<i64> {
    let (is_negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_i64, |number, &byte| {
        let digit = i64::from(byte.wrapping_sub(b'0'));
        let tens = number.checked_mul(10).filter(|_| digit < 10)?;
        if is_negative {
            tens.checked_sub(digit)
        } else {
            tens.checked_add(digit)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(integer: i64) -> String {
        let mut out = Vec::new();
        push(integer, &mut out);
        String::from_utf8(out).expect("are digits")
    }

    #[test]
    fn the_extremes_are_written_and_read() {
        for integer in [0, 9, 10, -1, i64::MAX, i64::MIN] {
            assert_eq!(text(integer), integer.to_string());
            assert_eq!(parse(text(integer).as_bytes()), Some(integer));
        }
        assert_eq!(parse(b"007"), Some(7));
        for other in [
            "",
            "-",
            "+1",
            " 1",
            "1 ",
            "1.0",
            "0x1",
            "--1",
            "9223372036854775808",
        ] {
            assert_eq!(parse(other.as_bytes()), None, "{other}");
        }
        assert_eq!(parse(b"-9223372036854775809"), None);
    }

    #[test]
    fn digits_are_filled_up_with_zeros() {
        let mut out = b"x".to_vec();
        push_digits(7, 2, &mut out);
        push_digits(2041, 4, &mut out);
        assert_eq!(out, b"x072041");
    }

    proptest! {
        #[test]
        fn integers_are_written_as_others_write_them(integer: i64) {
            prop_assert_eq!(text(integer), integer.to_string());
            prop_assert_eq!(parse(integer.to_string().as_bytes()), Some(integer));
        }
    }
}
