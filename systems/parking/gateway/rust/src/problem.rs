//! Answers of 4xx and 5xx that the gateway makes itself (RFC 9457).

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use hyper::{Response, StatusCode};

use crate::answer::AnswerBody;

/// What went wrong, as callers tell it apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// What was sent cannot be read.
    Malformed,
    /// Nobody says who asks.
    TokenMissing,
    /// The token does not count.
    TokenInvalid,
    /// The path leads nowhere.
    NotFound,
    /// The path has other methods.
    MethodNotAllowed,
    /// The body is over its limit.
    TooLarge,
    /// The head is over its limit.
    FieldsTooLarge,
    /// No instance gave an answer.
    Upstream,
    /// There is no instance that can be asked.
    Unavailable,
    /// An instance took too long.
    UpstreamTimeout,
}

impl Problem {
    /// Status, code and title, by the table of SPEC, *Errors*.
    #[rustfmt::skip]
    const fn texts(self) -> (StatusCode, &'static str, &'static str) {
        match self {
            Self::Malformed => (StatusCode::BAD_REQUEST, "malformed", "Malformed request"),
            Self::TokenMissing => (StatusCode::UNAUTHORIZED, "token-missing", "Token missing"),
            Self::TokenInvalid => (StatusCode::UNAUTHORIZED, "token-invalid", "Token not valid"),
            Self::NotFound => (StatusCode::NOT_FOUND, "not-found", "Not found"),
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", "Method not allowed"),
            Self::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "too-large", "Body too large"),
            Self::FieldsTooLarge => (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "fields-too-large", "Header fields too large"),
            Self::Upstream => (StatusCode::BAD_GATEWAY, "upstream", "Service failed"),
            Self::Unavailable => (StatusCode::SERVICE_UNAVAILABLE, "unavailable", "Not available"),
            Self::UpstreamTimeout => (StatusCode::GATEWAY_TIMEOUT, "upstream-timeout", "Service did not answer in time"),
        }
    }

    /// The field that its answer has beside those of all answers.
    const fn field(self) -> Option<(HeaderName, &'static str)> {
        match self {
            Self::TokenMissing | Self::TokenInvalid => Some((WWW_AUTHENTICATE, "Bearer")),
            Self::MethodNotAllowed => Some((ALLOW, "GET, HEAD")),
            Self::Unavailable => Some((RETRY_AFTER, "1")),
            _ => None,
        }
    }

    /// Its answer, without the fields of all answers.
    pub fn answer(self) -> Response<AnswerBody> {
        let (status, code, title) = self.texts();
        let number = status.as_u16();
        let body = format!(
            r#"{{"type":"urn:park:{code}","title":"{title}","status":{number},"code":"{code}"}}"#
        );
        let mut answer = Response::new(AnswerBody::Own(Full::from(Bytes::from(body))));
        *answer.status_mut() = status;
        let fields = answer.headers_mut();
        fields.insert(
            CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        if let Some((name, value)) = self.field() {
            fields.insert(name, HeaderValue::from_static(value));
        }
        answer
    }
}
