//! An operation made ready: its request as bytes, its check prepared, once for the whole load.

use crate::body_check::ExpectedText;
use crate::plan::{Operation, Plan};

/// One operation, ready to be written any number of times.
#[derive(Clone, Debug)]
pub struct Request {
    /// Head and body, as written.
    pub bytes: Vec<u8>,
    /// A response to HEAD has no body, whatever its headers say.
    pub is_head: bool,
    /// The request says that the connection ends with it.
    pub closes: bool,
    /// The expected status; none: any 2xx.
    pub expected_status: Option<u16>,
    /// The text that the body must contain.
    pub expected_text: Option<ExpectedText>,
}

impl Request {
    /// Serialises one operation of a checked plan.
    #[must_use]
    pub fn new(host: &str, operation: &Operation) -> Self {
        let mut head = format!(
            "{} {} HTTP/1.1\r\nHost: {host}\r\n",
            operation.method, operation.path
        );
        let mut closes = false;
        for (name, value) in &operation.headers {
            head.extend([name, ": ", value, "\r\n"]);
            closes |= name.eq_ignore_ascii_case("connection")
                && value.trim().eq_ignore_ascii_case("close");
        }
        // RFC 9110 section 8.6: a method that expects content says so even when there is none.
        let expects_body = matches!(operation.method.as_str(), "POST" | "PUT" | "PATCH");
        if expects_body || !operation.body.is_empty() {
            head.extend([
                "Content-Length: ",
                &operation.body.len().to_string(),
                "\r\n",
            ]);
        }
        head.push_str("\r\n");
        head.push_str(&operation.body);
        Self {
            bytes: head.into_bytes(),
            is_head: operation.method == "HEAD",
            closes,
            expected_status: operation.check.status,
            expected_text: operation
                .check
                .body_contains
                .as_deref()
                .map(ExpectedText::new),
        }
    }

    /// Every operation of the plan's session.
    #[must_use]
    pub fn all(plan: &Plan) -> Vec<Self> {
        let session = plan.groups.iter().flat_map(|group| &group.session);
        session
            .map(|operation| Self::new(&plan.target.host, operation))
            .collect()
    }

    /// Whether the status is the expected one.
    #[must_use]
    pub fn accepts(&self, status: u16) -> bool {
        match self.expected_status {
            Some(expected) => status == expected,
            None => (200..300).contains(&status),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(method: &str, body: &str) -> Operation {
        serde_json::from_value(serde_json::json!({
            "operation": "a", "method": method, "path": "/p?q=1", "body": body,
            "headers": [["Accept", "text/plain"]],
        }))
        .expect("is an operation")
    }

    #[test]
    fn a_request_has_host_headers_length_and_body() {
        let request = Request::new("there:1", &operation("POST", "é"));
        let expected = "POST /p?q=1 HTTP/1.1\r\nHost: there:1\r\nAccept: text/plain\r\n\
                        Content-Length: 2\r\n\r\né";
        assert_eq!(request.bytes, expected.as_bytes());
    }

    #[test]
    fn only_methods_that_expect_a_body_announce_an_empty_one() {
        let text = |method| String::from_utf8(Request::new("h", &operation(method, "")).bytes);
        assert!(!text("GET").expect("ASCII").contains("Content-Length"));
        assert!(
            text("PUT")
                .expect("ASCII")
                .contains("Content-Length: 0\r\n")
        );
    }
}
