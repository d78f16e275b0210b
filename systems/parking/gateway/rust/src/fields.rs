//! Which header fields travel on, in which form, and what is set.

use std::net::IpAddr;

use hyper::header::{
    AUTHORIZATION, CONNECTION, COOKIE, EXPECT, Entry, HOST, HeaderMap, HeaderName, HeaderValue,
    PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, TE, TRAILER, TRANSFER_ENCODING, UPGRADE,
};
use uuid::Uuid;

use crate::tokens::Caller;

/// What requests and answers are found again by.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const USER_ID: HeaderName = HeaderName::from_static("x-user-id");
const USER_ROLE: HeaderName = HeaderName::from_static("x-user-role");
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");

/// Concern one hop alone (RFC 9110, 7.6.1 and 11.7), beside Connection and what that names.
const HOP_BY_HOP: [HeaderName; 8] = [
    HeaderName::from_static("keep-alive"),
    PROXY_AUTHENTICATE,
    PROXY_AUTHORIZATION,
    HeaderName::from_static("proxy-connection"),
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// Do not pass from a caller to users, beside those of one hop. Expect is met by the server.
const CALLERS_OWN: [HeaderName; 8] = [
    AUTHORIZATION,
    USER_ID,
    USER_ROLE,
    FORWARDED_FOR,
    FORWARDED_PROTO,
    FORWARDED_HOST,
    HOST,
    EXPECT,
];

/// What is known of where a request comes from.
pub struct Origin {
    /// The caller's address.
    pub address: IpAddr,
    /// What the caller speaks.
    pub scheme: &'static str,
    /// The host that was asked for.
    pub host: Option<HeaderValue>,
}

/// Makes the fields for users out of a caller's.
pub fn make_for_service(
    fields: &mut HeaderMap,
    caller: Option<Caller>,
    request_id: &HeaderValue,
    origin: Origin,
) {
    keep_end_to_end(fields);
    for name in &CALLERS_OWN {
        fields.remove(name);
    }
    if let Some(Caller { id, role }) = caller {
        fields.insert(USER_ID, id);
        fields.insert(USER_ROLE, role);
    }
    fields.insert(REQUEST_ID, request_id.clone());
    let address = HeaderValue::from_str(&origin.address.to_string());
    fields.insert(FORWARDED_FOR, address.expect("digits and points"));
    fields.insert(FORWARDED_PROTO, HeaderValue::from_static(origin.scheme));
    if let Some(host) = origin.host {
        fields.insert(FORWARDED_HOST, host);
    }
}

/// Takes out the fields that end at this gateway, the ones that Connection names included.
pub fn keep_end_to_end(fields: &mut HeaderMap) {
    if let Entry::Occupied(entry) = fields.entry(CONNECTION) {
        let (_, values) = entry.remove_entry_mult();
        let values: Vec<HeaderValue> = values.collect();
        let named = values
            .iter()
            .flat_map(|value| value.as_bytes().split(|byte| *byte == b','))
            .filter_map(|name| HeaderName::from_bytes(name.trim_ascii()).ok());
        for name in named {
            fields.remove(name);
        }
    }
    for name in &HOP_BY_HOP {
        fields.remove(name);
    }
}

/// Puts a cookie that HTTP/2 has split into crumbs together again (RFC 9113, 8.2.3).
pub fn join_cookies(fields: &mut HeaderMap) {
    let Entry::Occupied(mut entry) = fields.entry(COOKIE) else {
        return;
    };
    if entry.iter().nth(1).is_none() {
        return;
    }
    let crumbs: Vec<&[u8]> = entry.iter().map(HeaderValue::as_bytes).collect();
    let joined = HeaderValue::from_bytes(&crumbs.join(b"; ".as_slice()))
        .expect("valid values, joined by valid characters");
    entry.insert(joined);
}

/// The caller's id of a request, where there is one alone, of 8 to 64 of `[A-Za-z0-9-]`, else a new one.
pub fn request_id(fields: &HeaderMap) -> HeaderValue {
    let mut values = fields.get_all(REQUEST_ID).into_iter();
    let first = values.next().filter(|_| values.next().is_none());
    let is_id = |value: &&HeaderValue| {
        let is_of_id = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
        (8..=64).contains(&value.len()) && value.as_bytes().iter().all(is_of_id)
    };
    first.filter(is_id).cloned().unwrap_or_else(|| {
        let new = Uuid::new_v4().to_string();
        HeaderValue::from_str(&new).expect("digits and hyphens")
    })
}

/// How many bytes the fields of a head have, about as on HTTP/1.1.
pub fn size_bytes(fields: &HeaderMap) -> usize {
    const BETWEEN: usize = ": \r\n".len();
    let sizes = fields
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len() + BETWEEN);
    sizes.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| {
            (
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )
        });
        pairs.collect()
    }

    #[test]
    fn fields_of_one_hop_end_and_the_others_stay_in_order() {
        let mut found = fields(&[
            ("connection", "keep-alive, X-One"),
            ("connection", "x-two,"),
            ("x-one", "1"),
            ("x-two", "2"),
            ("keep-alive", "timeout=7"),
            ("proxy-authenticate", "Basic"),
            ("proxy-authorization", "Basic a"),
            ("proxy-connection", "close"),
            ("te", "trailers"),
            ("trailer", "X-Four"),
            ("transfer-encoding", "chunked"),
            ("upgrade", "h2c"),
            ("x-three", "3"),
            ("accept", "a"),
            ("accept", "b"),
        ]);
        keep_end_to_end(&mut found);
        assert_eq!(
            found,
            fields(&[("x-three", "3"), ("accept", "a"), ("accept", "b")])
        );
    }

    #[test]
    fn a_name_is_read_beside_one_that_is_none() {
        let mut found = fields(&[("x-one", "1")]);
        let value = HeaderValue::from_bytes(b"\xe4, X-One").expect("a value");
        found.insert(CONNECTION, value);
        keep_end_to_end(&mut found);
        assert!(found.is_empty());
    }

    #[test]
    fn users_sees_whom_the_token_names_and_no_other() {
        let mut found = fields(&[
            ("connection", "x-user-id"),
            ("host", "park.example"),
            ("authorization", "Bearer a"),
            ("x-user-id", "1"),
            ("x-user-id", "2"),
            ("x-user-role", "SUPERVISOR"),
            ("x-forwarded-for", "192.0.2.7"),
            ("x-request-id", "another"),
            ("expect", "100-continue"),
            ("accept", "a"),
        ]);
        let caller = Caller {
            id: HeaderValue::from_static("5"),
            role: HeaderValue::from_static("CUSTOMER"),
        };
        let origin = Origin {
            address: [127, 0, 0, 1].into(),
            scheme: "https",
            host: found.get(HOST).cloned(),
        };
        let id = HeaderValue::from_static("01234567");
        make_for_service(&mut found, Some(caller), &id, origin);
        let expected = fields(&[
            ("accept", "a"),
            ("x-user-id", "5"),
            ("x-user-role", "CUSTOMER"),
            ("x-request-id", "01234567"),
            ("x-forwarded-for", "127.0.0.1"),
            ("x-forwarded-proto", "https"),
            ("x-forwarded-host", "park.example"),
        ]);
        assert_eq!(found, expected);
    }

    #[test]
    fn crumbs_are_joined_in_their_order() {
        let mut found = fields(&[("cookie", "a=1"), ("cookie", "b=2; c=3"), ("cookie", "d=4")]);
        join_cookies(&mut found);
        assert_eq!(found, fields(&[("cookie", "a=1; b=2; c=3; d=4")]));
        let before = found.clone();
        join_cookies(&mut found);
        assert_eq!(found, before);
    }

    #[test]
    fn an_id_is_kept_where_there_is_one_alone() {
        let kept = ("x-request-id", "0123-abC");
        assert_eq!(request_id(&fields(&[kept])), "0123-abC");
        for pairs in [
            &[][..],
            &[kept, kept],
            &[("x-request-id", "0123456")],
            &[("x-request-id", "0123456_")],
        ] {
            assert_eq!(request_id(&fields(pairs)).len(), 36, "{pairs:?}");
        }
    }
}
