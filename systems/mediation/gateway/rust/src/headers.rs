//! Which header fields travel on, and in which form.

use hyper::header::{
    CONNECTION, COOKIE, EXPECT, Entry, HOST, HeaderMap, HeaderName, HeaderValue,
    PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, TE, TRAILER, TRANSFER_ENCODING, UPGRADE,
};

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

/// Leaves what the upstream may see of a caller's fields.
///
/// The upstream's own host is added by the client, and Expect is met by the server.
pub fn keep_for_upstream(fields: &mut HeaderMap) {
    keep_end_to_end(fields);
    fields.remove(HOST);
    fields.remove(EXPECT);
}

/// Takes out the fields that end at this gateway, the ones that Connection names included.
pub fn keep_end_to_end(fields: &mut HeaderMap) {
    if let Entry::Occupied(entry) = fields.entry(CONNECTION) {
        let (_, values) = entry.remove_entry_mult();
        let values: Vec<HeaderValue> = values.collect();
        let named = values
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','));
        for name in named {
            fields.remove(name.trim());
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

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| {
                (
                    HeaderName::from_static(name),
                    HeaderValue::from_static(value),
                )
            })
            .collect()
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
    fn the_upstream_sees_neither_host_nor_expect_of_the_caller() {
        let mut found = fields(&[("host", "me"), ("expect", "100-continue"), ("accept", "a")]);
        keep_for_upstream(&mut found);
        assert_eq!(found, fields(&[("accept", "a")]));
    }

    #[test]
    fn crumbs_are_joined_in_their_order() {
        let mut found = fields(&[("cookie", "a=1"), ("cookie", "b=2; c=3"), ("cookie", "d=4")]);
        join_cookies(&mut found);
        assert_eq!(found, fields(&[("cookie", "a=1; b=2; c=3; d=4")]));
    }

    #[test]
    fn a_whole_cookie_and_none_stay() {
        for mut found in [fields(&[("cookie", "a=1; b=2")]), fields(&[])] {
            let before = found.clone();
            join_cookies(&mut found);
            assert_eq!(found, before);
        }
    }
}
