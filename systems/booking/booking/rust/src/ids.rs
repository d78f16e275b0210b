//! Ids of rows, where they are texts.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::problems::{Kind, Problem};

const MOST_DIGITS: usize = 16;

/// The id in the path of a request. It stands first in a handler: a path without one is unknown, whoever
/// asks.
pub struct Id(pub i64);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let id = in_path(parts.uri.path()).ok_or(Kind::NotFound)?;
        Ok(Self(id))
    }
}

/// The id behind the first word of a path. Escapes stay as they are, and no id has one.
pub fn in_path(path: &str) -> Option<i64> {
    path.split('/').nth(2).and_then(read)
}

/// Reads `[1-9][0-9]{0,15}`.
pub fn read(text: &str) -> Option<i64> {
    let is_id = text.len() <= MOST_DIGITS
        && !text.starts_with('0')
        && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_1_to_16_digits() {
        assert_eq!(read("1"), Some(1));
        assert_eq!(read("9999999999999999"), Some(9_999_999_999_999_999));
        for text in [
            "",
            "0",
            "01",
            "x",
            "+1",
            "-1",
            "1 ",
            "10000000000000000",
            "١",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn an_id_is_behind_the_first_word_of_a_path() {
        assert_eq!(in_path("/clubs/12"), Some(12));
        assert_eq!(in_path("/facilities/3/slots"), Some(3));
        for path in ["/clubs", "/clubs/", "/clubs/%31", "/clubs/1x/facilities"] {
            assert_eq!(in_path(path), None, "{path}");
        }
    }
}
