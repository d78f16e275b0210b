//! Pages of the one origin that may read answers.

use hyper::Method;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD,
    HeaderMap, HeaderName, HeaderValue, ORIGIN, VARY,
};
use hyper::http::request::Parts;

/// Whether a request comes from a page that may read its answer.
pub struct Pages(pub Option<HeaderValue>);

const OF_PREFLIGHTS: [(HeaderName, &str); 3] = [
    (ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, PUT"),
    (
        ACCESS_CONTROL_ALLOW_HEADERS,
        "authorization, content-type, idempotency-key",
    ),
    (ACCESS_CONTROL_MAX_AGE, "600"),
];

const EXPOSED: HeaderValue =
    HeaderValue::from_static("location, idempotency-replayed, x-request-id");

impl Pages {
    /// The origin of a request, where it is the one.
    pub fn origin_of(&self, fields: &HeaderMap) -> Option<HeaderValue> {
        let mut values = fields.get_all(ORIGIN).into_iter();
        let origin = values.next().filter(|_| values.next().is_none());
        origin
            .filter(|origin| self.0.as_ref() == Some(*origin))
            .cloned()
    }
}

/// Whether a request of the origin asks for leave, before another one.
pub fn is_preflight(head: &Parts) -> bool {
    let asks = head.headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    head.method == Method::OPTIONS && asks
}

/// Gives leave.
pub fn allow_next(origin: HeaderValue, fields: &mut HeaderMap) {
    fields.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    for (name, value) in OF_PREFLIGHTS {
        fields.insert(name, HeaderValue::from_static(value));
    }
    fields.append(VARY, HeaderValue::from_static("Origin"));
}

/// Lets the page read an answer, if there is one that may. What users has to say of that does not count.
pub fn allow(origin: Option<HeaderValue>, fields: &mut HeaderMap) {
    fields.remove(ACCESS_CONTROL_ALLOW_ORIGIN);
    fields.remove(ACCESS_CONTROL_EXPOSE_HEADERS);
    if let Some(origin) = origin {
        fields.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        fields.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        fields.append(VARY, HeaderValue::from_static("Origin"));
    }
}
