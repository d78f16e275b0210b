//! Takes HTTP/1.1 requests out of the bytes of one connection, as they come.
//!
//! Left out: chunked requests, which are malformed here, and continuation lines.

use memchr::memmem::find;

use super::service::Request;

/// A head or body beyond this is malformed.
const MOST_BYTES: usize = 65_536;

/// What stands at the beginning of the bytes.
#[derive(Debug)]
pub enum Next<'a> {
    /// A whole request, and its length.
    Whole(Request<'a>, usize),
    /// The beginning of one.
    Part,
    /// No request; what follows cannot be told apart from it.
    Malformed,
}

/// Reads the first request.
pub fn next(bytes: &[u8]) -> Next<'_> {
    let Some(head_end) = find(bytes, b"\r\n\r\n") else {
        return if bytes.len() > MOST_BYTES || !may_begin(bytes) {
            Next::Malformed
        } else {
            Next::Part
        };
    };
    let mut lines = Lines(&bytes[..head_end]);
    let Some((method, path)) = lines.next().and_then(request_line) else {
        return Next::Malformed;
    };
    let (mut length, mut authorization) = (0, None);
    for line in lines {
        let Some(colon) = memchr::memchr(b':', line) else {
            return Next::Malformed;
        };
        let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
        match name.len() {
            13 if name.eq_ignore_ascii_case(b"authorization") => authorization = Some(value),
            14 if name.eq_ignore_ascii_case(b"content-length") => match number(value) {
                Some(told) if told <= MOST_BYTES => length = told,
                _ => return Next::Malformed,
            },
            17 if name.eq_ignore_ascii_case(b"transfer-encoding") => return Next::Malformed,
            _ => {}
        }
    }
    let (from, to) = (head_end + 4, head_end + 4 + length);
    if bytes.len() < to {
        return Next::Part;
    }
    let body = &bytes[from..to];
    let request = Request {
        method,
        path,
        authorization,
        body,
    };
    Next::Whole(request, to)
}

/// Lines that CR LF stands between.
struct Lines<'a>(&'a [u8]);

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.0.is_empty() {
            return None;
        }
        let end = find(self.0, b"\r\n").unwrap_or(self.0.len());
        let line = &self.0[..end];
        self.0 = self.0.get(end + 2..).unwrap_or_default();
        Some(line)
    }
}

/// Methods are letters: what a lying length left behind mostly is not.
fn may_begin(bytes: &[u8]) -> bool {
    bytes.first().is_none_or(u8::is_ascii_uppercase)
}

fn request_line(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = line.strip_suffix(b" HTTP/1.1")?;
    let space = memchr::memchr(b' ', rest)?;
    let (method, path) = (&rest[..space], &rest[space + 1..]);
    let is_sound = method.iter().all(u8::is_ascii_uppercase) && path.starts_with(b"/");
    (is_sound && !method.is_empty()).then_some((method, path))
}

fn number(value: &[u8]) -> Option<usize> {
    std::str::from_utf8(value).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const POST: &[u8] = b"POST /items HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer t\r\n\
                          Content-Length: 2\r\n\r\n{}";

    #[test]
    fn a_request_is_taken_with_what_an_answer_depends_on() {
        let two = [POST, b"GET /items HTTP/1.1\r\n\r\n"].concat();
        let Next::Whole(request, length) = next(&two) else {
            panic!("not whole");
        };
        assert_eq!(
            (request.method, request.path),
            (&b"POST"[..], &b"/items"[..])
        );
        assert_eq!(request.authorization, Some(&b"Bearer t"[..]));
        assert_eq!((request.body, length), (&b"{}"[..], POST.len()));
        let Next::Whole(request, _) = next(&two[length..]) else {
            panic!("not whole");
        };
        assert_eq!((request.method, request.body), (&b"GET"[..], &b""[..]));
    }

    #[test]
    fn what_a_lying_length_leaves_is_no_request() {
        for bytes in [
            &b"}GET /items HTTP/1.1\r\n\r\n"[..],
            b"}",
            b"GET /items\r\n\r\n",
            b"GET items HTTP/1.1\r\n\r\n",
            b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
            b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        ] {
            assert!(matches!(next(bytes), Next::Malformed), "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn a_part_is_waited_for_and_never_taken(cut in 0..POST.len()) {
            prop_assert!(matches!(next(&POST[..cut]), Next::Part));
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            next(&bytes);
            next(&[POST, &bytes].concat());
        }
    }
}
