//! Ids and plates, where they are texts.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::problems::{Kind, Problem};

const MOST_DIGITS: usize = 16;

/// The id in the path of a request. It stands first in a handler: a path without one is unknown, whoever
/// asks.
#[derive(Debug, Clone, Copy)]
pub struct PathId(pub i64);

/// The plate in the path of a request. It stands behind the id.
pub struct PathPlate(pub String);

impl<S: Send + Sync> FromRequestParts<S> for PathId {
    type Rejection = Problem;

    async fn from_request_parts(head: &mut Parts, _: &S) -> Result<Self, Problem> {
        let id = id_in(head.uri.path()).ok_or(Kind::NotFound)?;
        Ok(Self(id))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PathPlate {
    type Rejection = Problem;

    async fn from_request_parts(head: &mut Parts, _: &S) -> Result<Self, Problem> {
        let plate = plate_in(head.uri.path()).ok_or(Kind::NotFound)?;
        Ok(Self(plate.to_owned()))
    }
}

/// The id behind `/users` in a path. Escapes stay as they are, and no id has one.
pub fn id_in(path: &str) -> Option<i64> {
    path.split('/').nth(2).and_then(read)
}

/// The plate behind `/users/{id}/vehicles` in a path.
pub fn plate_in(path: &str) -> Option<&str> {
    path.split('/').nth(4).filter(|text| is_plate(text))
}

/// Reads `[1-9][0-9]{0,15}`.
pub fn read(text: &str) -> Option<i64> {
    let is_id = text.len() <= MOST_DIGITS
        && !text.starts_with('0')
        && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_id)
}

/// Whether it is `L[A-Z]-[0-9]{5}`.
pub fn is_plate(text: &str) -> bool {
    let [b'L', letter, b'-', digits @ ..] = text.as_bytes() else {
        return false;
    };
    letter.is_ascii_uppercase() && digits.len() == 5 && digits.iter().all(u8::is_ascii_digit)
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
    fn a_plate_has_its_form() {
        assert!(is_plate("LA-00003") && is_plate("LZ-99999"));
        for text in [
            "",
            "L",
            "LA-0003",
            "LA-000003",
            "la-00003",
            "MA-00003",
            "LÄ-0003",
            "LA-0000x",
        ] {
            assert!(!is_plate(text), "{text}");
        }
    }

    #[test]
    fn both_are_at_their_places_in_a_path() {
        assert_eq!(id_in("/users/12"), Some(12));
        assert_eq!(id_in("/users/3/vehicles/LA-00003"), Some(3));
        assert_eq!(plate_in("/users/3/vehicles/LA-00003"), Some("LA-00003"));
        for path in ["/users", "/users/", "/users/%31", "/users/1x/coins"] {
            assert_eq!(id_in(path), None, "{path}");
        }
        assert_eq!(plate_in("/users/3/vehicles/LA-0000%33"), None);
    }
}
