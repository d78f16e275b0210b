//! Where a redirect leads: to the target again, as another request, or to where no load may go.

use iri_string::types::{UriAbsoluteStr, UriReferenceStr};

use crate::exchange::request::Request;
use crate::plan::Operation;

/// What an operation became by redirects.
#[derive(Clone, Debug)]
pub struct Redirected {
    /// What is asked for: the next redirect starts from here.
    pub operation: Operation,
    /// The same, ready to be written.
    pub request: Request,
}

/// Whether the status asks for another request, if a location comes with it.
#[must_use]
pub fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// The request that follows a redirect: RFC 9110 section 15.4. None if it leads elsewhere than to
/// `origin`, or nowhere.
#[must_use]
pub fn follow(
    origin: &str,
    operation: &Operation,
    status: u16,
    location: &[u8],
) -> Option<Operation> {
    let base = format!("{origin}{}", operation.path);
    let base = UriAbsoluteStr::new(&base).ok()?;
    let location = UriReferenceStr::new(str::from_utf8(location).ok()?).ok()?;
    let there = location.resolve_against(base).to_string();
    let rest = there.strip_prefix(origin)?;
    let path = rest.split('#').next().unwrap_or_default();
    if !path.starts_with('/') {
        return None;
    }
    let mut next = Operation {
        path: path.to_owned(),
        ..operation.clone()
    };
    let becomes_get = match status {
        303 => operation.method != "HEAD",
        301 | 302 => operation.method == "POST",
        _ => false,
    };
    if becomes_get {
        "GET".clone_into(&mut next.method);
        next.body.clear();
    }
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGIN: &str = "http://127.0.0.1:80";

    fn from(method: &str, status: u16, location: &str) -> Option<(String, String, String)> {
        let operation = serde_json::json!({
            "operation": "a", "method": method, "path": "/a/b?c=1", "body": "x",
        });
        let operation = serde_json::from_value(operation).expect("is an operation");
        let next = follow(ORIGIN, &operation, status, location.as_bytes())?;
        Some((next.method, next.path, next.body))
    }

    #[test]
    fn a_location_is_resolved_against_the_request() {
        for (location, path) in [
            ("/x", "/x"),
            ("y?z=2#part", "/a/y?z=2"),
            ("../y", "/y"),
            ("http://127.0.0.1:80/whole", "/whole"),
            ("//127.0.0.1:80/network", "/network"),
        ] {
            assert_eq!(from("GET", 302, location).expect("leads back").1, path);
        }
    }

    #[test]
    fn elsewhere_is_not_followed() {
        for location in [
            "http://127.0.0.1:8080/",
            "http://127.0.0.1:80.example.test/",
            "https://127.0.0.1:80/",
            "//example.test/",
            "http://127.0.0.1:80@example.test/",
            "not a\u{7f}uri",
        ] {
            assert_eq!(from("GET", 302, location), None, "{location}");
        }
    }

    #[test]
    fn the_method_changes_as_the_status_says() {
        let of = |method, status| from(method, status, "/x").expect("leads back");
        assert_eq!(of("POST", 303).0, "GET");
        assert_eq!(of("POST", 302), ("GET".into(), "/x".into(), String::new()));
        assert_eq!(of("POST", 307), ("POST".into(), "/x".into(), "x".into()));
        assert_eq!(of("PUT", 301).0, "PUT");
    }
}
