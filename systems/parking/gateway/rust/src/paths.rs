//! What the path of a request says, as it was sent.

use hyper::Method;

const USERS: &str = "/users";
const LOGIN: &str = "/users/login";

/// Whether a path leads to another one. A service behind the gateway may read an escape as a dot, or as the
/// end of a segment.
pub fn has_dot_segment(path: &str) -> bool {
    if !path.contains(['.', '%']) {
        return false;
    }
    let mut plain = path.replace('\\', "/");
    for (escape, meaning) in [("%2e", "."), ("%2f", "/"), ("%5c", "/")] {
        plain = plain.replace(escape, meaning);
        plain = plain.replace(&escape.to_ascii_uppercase(), meaning);
    }
    plain
        .split('/')
        .any(|segment| matches!(segment, "." | ".."))
}

/// Whether the first segment of a path is the one of the route.
pub fn is_of_users(path: &str) -> bool {
    let rest = path.strip_prefix(USERS);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a request needs no token.
pub fn is_open(method: &Method, path: &str) -> bool {
    *method == Method::POST && matches!(path, USERS | LOGIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_segment_is_users_to_the_letter() {
        for path in ["/users", "/users/", "/users/4", "/users//x"] {
            assert!(is_of_users(path), "{path}");
        }
        for path in [
            "/usersx",
            "/Users",
            "//users",
            "/%75sers",
            "/internal",
            "/",
            "/users%2F1",
        ] {
            assert!(!is_of_users(path), "{path}");
        }
    }

    #[test]
    fn dots_are_found_however_they_are_written() {
        for path in [
            "/users/..",
            "/users/./1",
            "/../users",
            "/users/%2e%2E/x",
            "/users/.%2e",
            "/users/a%2f..%5Cb",
            "/users/..\\x",
        ] {
            assert!(has_dot_segment(path), "{path}");
        }
        for path in [
            "/users/..a",
            "/users/a..b/...",
            "/users/%252e%252e/x",
            "/users/%2e%2ea",
        ] {
            assert!(!has_dot_segment(path), "{path}");
        }
    }

    #[test]
    fn two_requests_are_open() {
        assert!(is_open(&Method::POST, "/users"));
        assert!(is_open(&Method::POST, "/users/login"));
        assert!(!is_open(&Method::GET, "/users"));
        assert!(!is_open(&Method::POST, "/users/"));
    }
}
