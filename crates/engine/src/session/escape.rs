//! How a text is written where it stands, and which texts may not stand there.
//!
//! Most texts need no escape, so they are looked through as a whole at first, which compilers turn into
//! a few bytes at a time.

const DIGITS: &[u8; 16] = b"0123456789ABCDEF";

/// What takes no escape in a path, a query or a form: RFC 3986, section 2.3.
const UNRESERVED: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] =
            byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
        byte += 1;
    }
    table
};

/// Appends the text with all but unreserved bytes percent-encoded, so that it cannot end the segment or the
/// parameter in which it stands.
pub fn percent(text: &[u8], out: &mut Vec<u8>) {
    encode(text, out, |_| None);
}

/// Appends the text as a form has it: as `percent`, and `+` for a blank.
pub fn form(text: &[u8], out: &mut Vec<u8>) {
    encode(text, out, |byte| (byte == b' ').then_some(b'+'));
}

fn encode(mut text: &[u8], out: &mut Vec<u8>, short: impl Fn(u8) -> Option<u8>) {
    while let Some(at) = text.iter().position(|&byte| !UNRESERVED[usize::from(byte)]) {
        out.extend_from_slice(&text[..at]);
        match short(text[at]) {
            Some(byte) => out.push(byte),
            None => out.extend_from_slice(&encoded(text[at])),
        }
        text = &text[at + 1..];
    }
    out.extend_from_slice(text);
}

fn encoded(byte: u8) -> [u8; 3] {
    let [high, low] = [byte >> 4, byte & 15].map(|digit| DIGITS[usize::from(digit)]);
    [b'%', high, low]
}

/// Percent-encodes what stands in `out` from `start` on.
pub fn percent_in_place(out: &mut Vec<u8>, start: usize) {
    let reserved = |byte: &&u8| !UNRESERVED[usize::from(**byte)];
    let growth = 2 * out[start..].iter().filter(reserved).count();
    let mut from = out.len();
    out.resize(from + growth, 0);
    let mut to = out.len();
    // From the end on, since nothing is overwritten that way before it is read.
    while from < to {
        from -= 1;
        let byte = out[from];
        if UNRESERVED[usize::from(byte)] {
            to -= 1;
            out[to] = byte;
        } else {
            to -= 3;
            out[to..to + 3].copy_from_slice(&encoded(byte));
        }
    }
}

/// Appends the text, which is UTF-8, with the escapes of a JSON string: RFC 8259, section 7.
pub fn json_string(mut text: &[u8], out: &mut Vec<u8>) {
    let is_escaped = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    let is_plain = !text
        .iter()
        .fold(false, |found, &byte| found | is_escaped(byte));
    if is_plain {
        out.extend_from_slice(text);
        return;
    }
    while let Some(at) = text.iter().position(|&byte| is_escaped(byte)) {
        out.extend_from_slice(&text[..at]);
        match text[at] {
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            byte @ (b'"' | b'\\') => out.extend_from_slice(&[b'\\', byte]),
            byte => {
                out.extend_from_slice(b"\\u00");
                out.extend_from_slice(&encoded(byte)[1..]);
            }
        }
        text = &text[at + 1..];
    }
    out.extend_from_slice(text);
}

/// Whether the text may stand in a header: visible ASCII and blanks. That the whole value neither begins nor
/// ends with a blank is up to who knows it.
#[must_use]
pub fn is_header(text: &[u8]) -> bool {
    let is_fine = |byte: u8| (b' '..=b'~').contains(&byte);
    text.iter().fold(true, |fine, &byte| fine & is_fine(byte))
}

/// The path with its query of a location, without the target's origin: one leading `/`, and nothing that
/// does not stand in a path or query (RFC 3986, sections 3.3 and 3.4).
#[must_use]
pub fn location<'a>(text: &'a [u8], origin: &str) -> Option<&'a [u8]> {
    let path = text.strip_prefix(origin.as_bytes()).unwrap_or(text);
    let is_local = path.first() == Some(&b'/') && path.get(1) != Some(&b'/');
    let mut rest = path;
    while let Some((&byte, after)) = rest.split_first() {
        rest = match (byte, after) {
            (b'%', [high, low, after @ ..])
                if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() =>
            {
                after
            }
            _ if UNRESERVED[usize::from(byte)] || b"!$&'()*+,;=:@/?".contains(&byte) => after,
            _ => return None,
        };
    }
    is_local.then_some(path)
}

/// Encodes what stands in `out` from `start` on in base64, RFC 4648, section 4.
pub fn base64_in_place(out: &mut Vec<u8>, start: usize) {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let length = out.len() - start;
    let groups = length.div_ceil(3);
    out.resize(start + 4 * groups, 0);
    // From the end on, since nothing is overwritten that way before it is read.
    for group in (0..groups).rev() {
        let from = start + 3 * group;
        let count = (length - 3 * group).min(3);
        let mut bytes = [0; 4];
        bytes[1..=count].copy_from_slice(&out[from..from + count]);
        let bits = u32::from_be_bytes(bytes);
        let to = start + 4 * group;
        for (place, shift) in [18, 12, 6, 0].into_iter().enumerate() {
            out[to + place] = match (bits >> shift) & 63 {
                _ if place > count => b'=',
                digit => ALPHABET[digit as usize],
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::prelude::{BASE64_STANDARD, Engine};
    use proptest::prelude::*;

    fn of(escape: fn(&[u8], &mut Vec<u8>), text: &[u8]) -> String {
        let mut out = b"before ".to_vec();
        escape(text, &mut out);
        let out = String::from_utf8(out).expect("is text");
        out.strip_prefix("before ").expect("stays").to_owned()
    }

    #[test]
    fn nothing_ends_the_place_where_it_stands() {
        assert_eq!(of(percent, b"a/b?c&d=e\r\n%"), "a%2Fb%3Fc%26d%3De%0D%0A%25");
        assert_eq!(of(percent, "é ~".as_bytes()), "%C3%A9%20~");
        assert_eq!(of(form, b"a b+c&d"), "a+b%2Bc%26d");
        assert_eq!(
            of(json_string, b"a\"b\\c\n\x01\x1f\x7f"),
            "a\\\"b\\\\c\\n\\u0001\\u001F\x7f"
        );
        assert!(is_header(b"Bearer a.b-c ~"));
        for text in ["a\r\nb", "\0", "\t", "\x7f", "é"] {
            assert!(!is_header(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn a_location_is_a_path_of_the_target() {
        const ORIGIN: &str = "http://127.0.0.1:80";
        let path = |text: &'static str| {
            location(text.as_bytes(), ORIGIN).map(|path| str::from_utf8(path).expect("is ASCII"))
        };
        assert_eq!(path("/a/b?c=%2f&d=:@"), Some("/a/b?c=%2f&d=:@"));
        assert_eq!(path("http://127.0.0.1:80/a"), Some("/a"));
        for text in [
            "",
            "a",
            "//elsewhere/a",
            "http://127.0.0.1:80",
            "http://127.0.0.1:80//elsewhere",
            "http://127.0.0.1:8080/a",
            "https://127.0.0.1:80/a",
            "http://127.0.0.1:80@elsewhere/",
            "/a b",
            "/a\r\nb",
            "/a#b",
            "/é",
            "/%2",
            "/%zz",
            "/\"<>\\^`{|}",
        ] {
            assert_eq!(path(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn each_text_comes_back(text: String) {
            let mut out = b"x".to_vec();
            json_string(text.as_bytes(), &mut out);
            let string = format!("\"{}\"", str::from_utf8(&out[1..]).expect("is UTF-8"));
            prop_assert_eq!(&serde_json::from_str::<String>(&string).expect("is JSON"), &text);

            let coded = of(percent, text.as_bytes());
            prop_assert!(coded.bytes().all(|byte| byte == b'%' || UNRESERVED[usize::from(byte)]));
            let mut decoded = Vec::new();
            let mut rest = coded.as_bytes();
            while let Some((&byte, after)) = rest.split_first() {
                let length = if byte == b'%' { 2 } else { 0 };
                let digits = str::from_utf8(&after[..length]).expect("is ASCII");
                decoded.push(u8::from_str_radix(digits, 16).unwrap_or(byte));
                rest = &after[length..];
            }
            prop_assert_eq!(decoded, text.as_bytes());
            prop_assert_eq!(of(form, text.as_bytes()), coded.replace("%20", "+"));

            let mut out = [b"x", text.as_bytes()].concat();
            percent_in_place(&mut out, 1);
            prop_assert_eq!(&out[1..], coded.as_bytes());
        }

        #[test]
        fn base64_is_as_others_write_it(bytes: Vec<u8>) {
            let mut out = [b"xy", &bytes[..]].concat();
            base64_in_place(&mut out, 2);
            let expected = BASE64_STANDARD.encode(bytes);
            prop_assert_eq!(&out[2..], expected.as_bytes());
        }
    }
}
