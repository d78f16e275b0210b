//! Who asks: a user, as the gateway says, or another service.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use subtle::ConstantTimeEq as _;

use crate::ids;
use crate::problems::{Kind, Problem};
use crate::service::Shared;
use crate::words::{Role, Word as _};

const USER_ID: HeaderName = HeaderName::from_static("x-user-id");
const USER_ROLE: HeaderName = HeaderName::from_static("x-user-role");
const INTERNAL_KEY: HeaderName = HeaderName::from_static("x-internal-key");

/// A user, of any role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    /// The id.
    pub id: i64,
    /// What the user may do.
    pub role: Role,
}

/// Another service, which has sent the key.
pub struct Internal;

impl Caller {
    /// Lets those pass for whom it is.
    ///
    /// # Errors
    /// It is not for this one.
    pub fn when(self, may: bool) -> Result<Self, Problem> {
        if may {
            Ok(self)
        } else {
            Err(Kind::Forbidden.into())
        }
    }

    /// Whether the role is one of these.
    pub fn has(self, roles: &[Role]) -> bool {
        roles.contains(&self.role)
    }

    /// Believes the fields that the gateway has set. One that is missing is told before one that is odd.
    fn of(headers: &HeaderMap) -> Result<Self, Kind> {
        let id = only(headers, &USER_ID)?;
        let role = only(headers, &USER_ROLE)?;
        let id = id.and_then(ids::read).ok_or(Kind::TokenInvalid)?;
        let role = role.and_then(Role::of).ok_or(Kind::TokenInvalid)?;
        Ok(Self { id, role })
    }
}

impl FromRequestParts<Shared> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(head: &mut Parts, _: &Shared) -> Result<Self, Problem> {
        Ok(Self::of(&head.headers)?)
    }
}

impl FromRequestParts<Shared> for Internal {
    type Rejection = Problem;

    async fn from_request_parts(head: &mut Parts, service: &Shared) -> Result<Self, Problem> {
        let mut keys = head.headers.get_all(INTERNAL_KEY).into_iter();
        let sent = keys.next().filter(|_| keys.next().is_none());
        let known = service.internal_key.as_bytes();
        let is_known = sent.is_some_and(|key| key.as_bytes().ct_eq(known).into());
        if is_known {
            Ok(Self)
        } else {
            Err(Kind::Forbidden.into())
        }
    }
}

/// The text of a field that must be there; none where it is there twice, or is no text.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Kind> {
    let mut values = headers.get_all(name).into_iter();
    let first: &HeaderValue = values.next().ok_or(Kind::TokenMissing)?;
    let text = first.to_str().ok();
    Ok(text.filter(|_| values.next().is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(fields: &[(&'static str, &'static str)]) -> Result<Caller, Kind> {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(*name, HeaderValue::from_static(value));
        }
        Caller::of(&headers)
    }

    #[test]
    fn a_caller_is_an_id_and_a_role() {
        let expected = Caller {
            id: 9_999_999_999_999_999,
            role: Role::Device,
        };
        let found = caller(&[("x-user-id", "9999999999999999"), ("x-user-role", "DEVICE")]);
        assert_eq!(found, Ok(expected));
    }

    #[test]
    fn a_field_that_is_missing_is_told_before_one_that_is_odd() {
        let role = ("x-user-role", "CUSTOMER");
        for fields in [
            &[][..],
            &[role],
            &[("x-user-id", "4")],
            &[("x-user-id", "x")],
        ] {
            assert_eq!(caller(fields), Err(Kind::TokenMissing), "{fields:?}");
        }
        for id in ["", "0", "-1", "abc", "10000000000000000"] {
            assert_eq!(
                caller(&[("x-user-id", id), role]),
                Err(Kind::TokenInvalid),
                "{id}"
            );
        }
        let id = ("x-user-id", "4");
        for fields in [[id, id, role], [id, role, role]] {
            assert_eq!(caller(&fields), Err(Kind::TokenInvalid), "{fields:?}");
        }
        assert_eq!(
            caller(&[id, ("x-user-role", "customer")]),
            Err(Kind::TokenInvalid)
        );
    }
}
