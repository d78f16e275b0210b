//! Where a redirect leads: to the target again, as another request, or to where no load may go.

use iri_string::types::{UriAbsoluteStr, UriReferenceStr};

/// What a request became by a redirect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirected {
    /// The method.
    pub method: Box<str>,
    /// Path and query.
    pub path: Vec<u8>,
    /// Whether it still has its body.
    pub keeps_body: bool,
}

/// Whether the status asks for another request, if a location comes with it.
#[must_use]
pub fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// The request that follows a redirect: RFC 9110 section 15.4. None if it leads elsewhere than to
/// `origin`, or nowhere.
#[must_use]
pub fn follow(origin: &str, from: &Redirected, status: u16, location: &[u8]) -> Option<Redirected> {
    let base = format!("{origin}{}", str::from_utf8(&from.path).ok()?);
    let base = UriAbsoluteStr::new(&base).ok()?;
    let location = UriReferenceStr::new(str::from_utf8(location).ok()?).ok()?;
    let there = location.resolve_against(base).to_string();
    let rest = there.strip_prefix(origin)?;
    let path = rest.split('#').next().unwrap_or_default();
    if !path.starts_with('/') {
        return None;
    }
    let becomes_get = match status {
        303 => &*from.method != "HEAD",
        301 | 302 => &*from.method == "POST",
        _ => false,
    };
    let method = if becomes_get { "GET" } else { &*from.method };
    Some(Redirected {
        method: method.into(),
        path: path.as_bytes().to_vec(),
        keeps_body: from.keeps_body && !becomes_get,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGIN: &str = "http://127.0.0.1:80";

    fn from(method: &str, status: u16, location: &str) -> Option<(String, String, bool)> {
        let request = Redirected {
            method: method.into(),
            path: b"/a/b?c=1".to_vec(),
            keeps_body: true,
        };
        let next = follow(ORIGIN, &request, status, location.as_bytes())?;
        let path = String::from_utf8(next.path).expect("is text");
        Some((next.method.into(), path, next.keeps_body))
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
    fn a_second_redirect_starts_from_where_the_first_one_led() {
        let first = Redirected {
            method: "POST".into(),
            path: b"/a/b/c".to_vec(),
            keeps_body: true,
        };
        let second = follow(ORIGIN, &first, 303, b"../x/y").expect("leads back");
        let third = follow(ORIGIN, &second, 307, b"z").expect("leads back");
        assert_eq!((&*third.method, &*third.path), ("GET", &b"/a/x/z"[..]));
        assert!(!third.keeps_body);
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
        assert_eq!(of("POST", 302), ("GET".into(), "/x".into(), false));
        assert_eq!(of("POST", 307), ("POST".into(), "/x".into(), true));
        assert_eq!(of("PUT", 301).0, "PUT");
    }
}
