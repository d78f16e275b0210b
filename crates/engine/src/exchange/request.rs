//! An operation made ready: its request serialised, its check prepared, once for the whole load.

use std::sync::Arc;

use crate::exchange::expected_body::ExpectedBody;
use crate::plan::{Connections, Operation, Plan, Protocol};
use crate::protocol::hpack::encoder::{Block, Fields, NameId};
use crate::protocol::http1::Http1Request;
use crate::protocol::http2::Http2Request;

/// One operation, ready to be written any number of times.
#[derive(Clone, Debug)]
pub struct Request {
    /// As HTTP/1.1 writes it; empty if the load speaks HTTP/2.
    pub http1: Http1Request,
    /// As HTTP/2 writes it; empty if the load speaks HTTP/1.1.
    pub http2: Arc<Http2Request>,
    /// The expected status; none: any 2xx.
    pub expected_status: Option<u16>,
    /// What the body must be; none: anything.
    pub expected_body: Option<ExpectedBody>,
    /// Whether the bodies of its answers are told apart.
    pub compares_answers: bool,
}

impl Request {
    /// Whether the status is the expected one.
    #[must_use]
    pub fn accepts(&self, status: u16) -> bool {
        match self.expected_status {
            Some(expected) => status == expected,
            None => (200..300).contains(&status),
        }
    }
}

/// Serialises operations for one worker, whose connections share the prepared header fields.
#[derive(Clone, Debug)]
pub struct RequestMaker {
    /// Header fields of all operations. Requests that redirects lead to add none.
    pub fields: Fields,
    path: NameId,
    protocol: Protocol,
    host: String,
    closes: bool,
}

impl RequestMaker {
    /// For a checked plan.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let mut fields = Fields::new();
        let path = fields.add_name(b":path");
        // What a redirect makes of other methods.
        fields.add(b":method", b"GET");
        Self {
            fields,
            path,
            protocol: plan.protocol,
            host: plan.target.host.clone(),
            closes: plan.connections == Connections::PerRequest,
        }
    }

    /// The URL of the target, without a path.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("{}://{}", self.scheme(), self.host)
    }

    fn scheme(&self) -> &'static str {
        if self.protocol.is_tls() {
            "https"
        } else {
            "http"
        }
    }

    /// Serialises one operation of the plan.
    #[must_use]
    pub fn make(&mut self, operation: &Operation) -> Request {
        self.request(operation, false)
    }

    /// Serialises what an operation became by a redirect: of any number of paths, none is kept.
    #[must_use]
    pub fn make_redirected(&mut self, operation: &Operation) -> Request {
        self.request(operation, true)
    }

    fn request(&mut self, operation: &Operation, is_redirected: bool) -> Request {
        let says_close = operation.headers.iter().any(|(name, value)| {
            name.eq_ignore_ascii_case("connection") && value.trim().eq_ignore_ascii_case("close")
        });
        let is_http2 = self.protocol.is_http2();
        let is_head = operation.method == "HEAD";
        Request {
            http1: Http1Request {
                bytes: if is_http2 {
                    Vec::new()
                } else {
                    http1(&self.host, operation, self.closes && !says_close)
                },
                is_head,
                closes: says_close || self.closes,
            },
            http2: if is_http2 {
                Arc::new(Http2Request {
                    block: self.block(operation, is_redirected),
                    body: operation.body.clone().into_bytes(),
                    is_head,
                })
            } else {
                Arc::default()
            },
            expected_status: operation.check.status,
            expected_body: ExpectedBody::of(&operation.check),
            compares_answers: operation.compare_answers,
        }
    }

    fn block(&mut self, operation: &Operation, is_redirected: bool) -> Block {
        let scheme = self.scheme();
        let mut block = Block::default();
        block.push(self.fields.add(b":method", operation.method.as_bytes()));
        block.push(self.fields.add(b":scheme", scheme.as_bytes()));
        block.push(self.fields.add(b":authority", self.host.as_bytes()));
        if is_redirected {
            block.push_literal(self.path, operation.path.as_bytes());
        } else {
            block.push(self.fields.add(b":path", operation.path.as_bytes()));
        }
        for (name, value) in &operation.headers {
            let name = name.to_ascii_lowercase();
            // RFC 9113 section 8.2.2: HTTP/2 has no fields about the connection.
            if !matches!(
                name.as_str(),
                "connection" | "keep-alive" | "proxy-connection"
            ) {
                block.push(self.fields.add(name.as_bytes(), value.trim().as_bytes()));
            }
        }
        if let Some(length) = content_length(operation) {
            block.push(self.fields.add(b"content-length", length.as_bytes()));
        }
        block
    }
}

/// RFC 9110 section 8.6: a method that expects content says so even when there is none.
fn content_length(operation: &Operation) -> Option<String> {
    let expects_body = matches!(operation.method.as_str(), "POST" | "PUT" | "PATCH");
    (expects_body || !operation.body.is_empty()).then(|| operation.body.len().to_string())
}

fn http1(host: &str, operation: &Operation, adds_close: bool) -> Vec<u8> {
    let mut head = format!(
        "{} {} HTTP/1.1\r\nHost: {host}\r\n",
        operation.method, operation.path
    );
    for (name, value) in &operation.headers {
        head.extend([name, ": ", value, "\r\n"]);
    }
    if adds_close {
        head.push_str("Connection: close\r\n");
    }
    if let Some(length) = content_length(operation) {
        head.extend(["Content-Length: ", &length, "\r\n"]);
    }
    head.push_str("\r\n");
    head.push_str(&operation.body);
    head.into_bytes()
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

    fn maker() -> RequestMaker {
        let stage = serde_json::json!({"from": 1, "to": 1, "duration_ns": 1});
        let plan = serde_json::json!({
            "plan_version": 2, "target": {"address": "127.0.0.1:1", "host": "h"}, "protocol": "h2c",
            "seed": 1, "duration_ns": 1, "connect_timeout_ns": 1, "timeout_ns": 1, "grace_ns": 1,
            "groups": [{"group": "g", "arrivals": {"users": {"stages": [stage]}}, "session": []}],
        });
        RequestMaker::new(&serde_json::from_value(plan).expect("is a plan"))
    }

    #[test]
    fn redirects_to_ever_new_paths_leave_nothing_behind() {
        let mut maker = maker();
        let operation = operation("POST", "x");
        let of_plan = maker.make(&operation);
        let kept = maker.fields.kept();
        for number in 0..100 {
            for method in ["POST", "GET"] {
                let mut next = operation.clone();
                next.path = format!("/{number}");
                next.method = method.to_owned();
                let request = maker.make_redirected(&next);
                assert_ne!(request.http2.block, of_plan.http2.block);
            }
        }
        assert_eq!(maker.fields.kept(), kept);
    }

    #[test]
    fn a_request_has_host_headers_length_and_body() {
        let expected = "POST /p?q=1 HTTP/1.1\r\nHost: there:1\r\nAccept: text/plain\r\n\
                        Content-Length: 2\r\n\r\né";
        assert_eq!(
            http1("there:1", &operation("POST", "é"), false),
            expected.as_bytes()
        );
    }

    #[test]
    fn only_methods_that_expect_a_body_announce_an_empty_one() {
        let text = |method| String::from_utf8(http1("h", &operation(method, ""), true));
        let get = text("GET").expect("ASCII");
        assert!(!get.contains("Content-Length"));
        assert!(get.contains("Connection: close\r\n"));
        assert!(
            text("PUT")
                .expect("ASCII")
                .contains("Content-Length: 0\r\n")
        );
    }
}
