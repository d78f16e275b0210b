//! What the fields of a response say, and whether they may (RFC 9113 sections 8.1 to 8.3).
//!
//! Left out: white space around values, which changes nothing here, and the size of all fields,
//! which the decoder bounds.

use super::error::StreamFault;
use super::streams::Content;

/// Headers that speak of the connection, and have no place in HTTP/2 (section 8.2.2).
const CONNECTION_HEADERS: [&[u8]; 5] = [
    b"connection",
    b"keep-alive",
    b"proxy-connection",
    b"transfer-encoding",
    b"upgrade",
];

/// Headers that mean more than what they say of themselves: `WantedHeaders::Notable`.
const NOTABLE_HEADERS: [&[u8]; 3] = [b"content-encoding", b"location", b"set-cookie"];

/// What a field is to the reader of a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The status.
    Status(u16),
    /// A header.
    Header {
        /// Whether it is one of the notable ones.
        is_notable: bool,
    },
    /// Nothing: the head is malformed.
    Malformed,
}

/// A head, or trailers, as far as it was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResponseHead {
    /// 0 as long as there is none.
    pub status: u16,
    /// What Content-Length says.
    pub content_length: Option<u64>,
    /// The first rule that was broken.
    pub fault: Option<StreamFault>,
    /// Whether it has notable headers.
    pub has_notable: bool,
    has_headers: bool,
    is_trailers: bool,
}

impl ResponseHead {
    /// Trailers: without a status.
    #[must_use]
    pub fn trailers() -> Self {
        Self {
            is_trailers: true,
            ..Self::default()
        }
    }

    /// Reads one field, in the order in which they came.
    pub fn field(&mut self, name: &[u8], value: &[u8]) -> Field {
        if self.fault.is_some() {
            return Field::Malformed;
        }
        self.check(name, value).unwrap_or_else(|fault| {
            self.fault = Some(fault);
            Field::Malformed
        })
    }

    fn check(&mut self, name: &[u8], value: &[u8]) -> Result<Field, StreamFault> {
        if name.first() == Some(&b':') {
            return self.pseudo_header(name, value);
        }
        if self.status == 0 && !self.is_trailers {
            return Err(StreamFault::Status);
        }
        self.has_headers = true;
        if !is_header_name(name) || value.iter().any(|byte| matches!(byte, 0 | b'\r' | b'\n')) {
            return Err(StreamFault::Header);
        }
        if CONNECTION_HEADERS.contains(&name) {
            return Err(StreamFault::ConnectionHeader);
        }
        if name == b"content-length" && !self.is_trailers {
            self.content_length = Some(self.content_length(value)?);
        }
        let is_notable = NOTABLE_HEADERS.contains(&name);
        self.has_notable |= is_notable;
        Ok(Field::Header { is_notable })
    }

    fn pseudo_header(&mut self, name: &[u8], value: &[u8]) -> Result<Field, StreamFault> {
        if name != b":status" || self.has_headers || self.is_trailers {
            return Err(StreamFault::PseudoHeader);
        }
        match value {
            [a @ b'1'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9'] if self.status == 0 => {
                self.status = [a, b, c]
                    .iter()
                    .fold(0, |status, digit| status * 10 + u16::from(**digit - b'0'));
                Ok(Field::Status(self.status))
            }
            _ => Err(StreamFault::Status),
        }
    }

    fn content_length(&self, value: &[u8]) -> Result<u64, StreamFault> {
        // 19 digits cannot overflow.
        let is_number = (1..20).contains(&value.len()) && value.iter().all(u8::is_ascii_digit);
        let length = value
            .iter()
            .filter(|_| is_number)
            .fold(0, |length, digit| length * 10 + u64::from(*digit - b'0'));
        match self.content_length {
            _ if !is_number => Err(StreamFault::ContentLength),
            Some(other) if other != length => Err(StreamFault::ContentLength),
            _ => Ok(length),
        }
    }

    /// Whether the real head is still to come.
    #[must_use]
    pub fn is_interim(&self) -> bool {
        self.status < 200
    }

    /// Judges the whole head and says what body follows it.
    ///
    /// # Errors
    /// If a rule is broken.
    pub fn content(&self, is_head_request: bool, ends: bool) -> Result<Content, StreamFault> {
        match (self.fault, self.status) {
            (Some(fault), _) => Err(fault),
            (None, 0) => Err(StreamFault::Status),
            (None, 101) => Err(StreamFault::Upgrade),
            (None, 100..200) if ends => Err(StreamFault::InterimEnd),
            (None, 204 | 304) => Ok(Content::Forbidden),
            _ if is_head_request => Ok(Content::Forbidden),
            _ => Ok(self.content_length.map_or(Content::Any, Content::Exactly)),
        }
    }
}

/// Lower-case, visible, ASCII, and no colon (section 8.2.1).
fn is_header_name(name: &[u8]) -> bool {
    !name.is_empty()
        && name
            .iter()
            .all(|byte| matches!(byte, 0x21..=0x7e) && !byte.is_ascii_uppercase() && *byte != b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fields: &[(&str, &str)]) -> ResponseHead {
        read_into(ResponseHead::default(), fields)
    }

    fn read_into(mut head: ResponseHead, fields: &[(&str, &str)]) -> ResponseHead {
        for (name, value) in fields {
            head.field(name.as_bytes(), value.as_bytes());
        }
        head
    }

    #[test]
    fn a_head_says_what_body_follows() {
        for (fields, is_head_request, content) in [
            (&[(":status", "200")][..], false, Content::Any),
            (
                &[(":status", "200"), ("content-length", "12")],
                false,
                Content::Exactly(12),
            ),
            (
                &[(":status", "200"), ("content-length", "12")],
                true,
                Content::Forbidden,
            ),
            (&[(":status", "204")], false, Content::Forbidden),
            (
                &[(":status", "304"), ("content-length", "12")],
                false,
                Content::Forbidden,
            ),
            (
                &[
                    (":status", "200"),
                    ("content-length", "7"),
                    ("content-length", "7"),
                ],
                false,
                Content::Exactly(7),
            ),
        ] {
            assert_eq!(
                read(fields).content(is_head_request, false),
                Ok(content),
                "{fields:?}"
            );
        }
    }

    #[test]
    fn each_broken_rule_is_its_own_fault() {
        let ok = (":status", "200");
        for (fields, fault) in [
            (&[][..], StreamFault::Status),
            (&[("server", "x")], StreamFault::Status),
            (&[("server", "x"), ok], StreamFault::Status),
            (&[ok, ok], StreamFault::Status),
            (&[(":status", "99")], StreamFault::Status),
            (&[(":status", "099")], StreamFault::Status),
            (&[(":status", "2000")], StreamFault::Status),
            (&[(":status", "2x0")], StreamFault::Status),
            (&[(":status", "101")], StreamFault::Upgrade),
            (&[ok, (":path", "/")], StreamFault::PseudoHeader),
            (
                &[ok, ("server", "x"), (":status", "200")],
                StreamFault::PseudoHeader,
            ),
            (&[ok, ("Server", "x")], StreamFault::Header),
            (&[ok, ("", "x")], StreamFault::Header),
            (&[ok, ("a b", "x")], StreamFault::Header),
            (&[ok, ("a:b", "x")], StreamFault::Header),
            (&[ok, ("server", "a\r\nb")], StreamFault::Header),
            (
                &[ok, ("connection", "close")],
                StreamFault::ConnectionHeader,
            ),
            (
                &[ok, ("transfer-encoding", "chunked")],
                StreamFault::ConnectionHeader,
            ),
            (&[ok, ("content-length", "")], StreamFault::ContentLength),
            (&[ok, ("content-length", "-1")], StreamFault::ContentLength),
            (
                &[ok, ("content-length", "12345678901234567890")],
                StreamFault::ContentLength,
            ),
            (
                &[ok, ("content-length", "1"), ("content-length", "2")],
                StreamFault::ContentLength,
            ),
        ] {
            assert_eq!(read(fields).content(false, false), Err(fault), "{fields:?}");
        }
    }

    #[test]
    fn an_interim_response_must_not_end_the_stream() {
        let head = read(&[(":status", "103")]);
        assert!(head.is_interim());
        assert_eq!(head.content(false, false), Ok(Content::Any));
        assert_eq!(head.content(false, true), Err(StreamFault::InterimEnd));
    }

    #[test]
    fn trailers_have_no_status_and_their_content_length_says_nothing() {
        let fields = [("content-length", "x"), ("checksum", "1")];
        assert_eq!(read_into(ResponseHead::trailers(), &fields).fault, None);
        let head = read_into(ResponseHead::trailers(), &[(":status", "200")]);
        assert_eq!(head.fault, Some(StreamFault::PseudoHeader));
    }

    #[test]
    fn the_first_fault_is_kept_and_nothing_more_is_read() {
        let mut head = read(&[(":status", "200"), ("X", "")]);
        assert_eq!(head.field(b"content-length", b"x"), Field::Malformed);
        assert_eq!(head.fault, Some(StreamFault::Header));
    }
}
