//! Answers of 4xx and 5xx (RFC 9457).

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use hyper::StatusCode;
use hyper::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use serde::Serialize;

/// What is wrong with one member of a body, or with all of it.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Where it is.
    pub pointer: &'static str,
    /// What it is.
    pub code: &'static str,
}

/// An answer that says what went wrong.
#[derive(Debug)]
pub struct Problem {
    /// The status of the answer.
    pub status: StatusCode,
    code: &'static str,
    /// There is none where it is that of the operation.
    title: Option<&'static str>,
    detail: &'static str,
    /// Those of a body that is no conference.
    pub faults: Vec<Fault>,
    /// For the log alone.
    pub cause: String,
}

#[derive(Serialize)]
struct Document<'a> {
    r#type: String,
    title: &'a str,
    status: u16,
    detail: &'a str,
    #[serde(skip_serializing_if = "<[Fault]>::is_empty")]
    errors: &'a [Fault],
}

impl Problem {
    /// A fault of the caller.
    const fn refused(
        status: StatusCode,
        code: &'static str,
        title: &'static str,
        detail: &'static str,
    ) -> Self {
        Self {
            status,
            code,
            title: Some(title),
            detail,
            faults: Vec::new(),
            cause: String::new(),
        }
    }

    /// A failure of the service, or of one behind it.
    fn failed(status: StatusCode, code: &'static str, detail: &'static str, cause: String) -> Self {
        Self {
            status,
            code,
            title: None,
            detail,
            faults: Vec::new(),
            cause,
        }
    }

    /// 400 for a body that is no JSON.
    pub const fn malformed_body() -> Self {
        Self::refused(
            StatusCode::BAD_REQUEST,
            "malformed",
            "Malformed request",
            "The body must be one JSON value in UTF-8.",
        )
    }

    /// 400 for a page that is none.
    pub const fn malformed_page() -> Self {
        Self::refused(
            StatusCode::BAD_REQUEST,
            "malformed",
            "Malformed request",
            "The limit must be 1 to 1000, and after an id beside it.",
        )
    }

    /// 404 for a path or a row that is not there.
    pub const fn not_found() -> Self {
        Self::refused(
            StatusCode::NOT_FOUND,
            "not-found",
            "Not found",
            "Nothing is here.",
        )
    }

    /// 405; the methods of the path are added by the router.
    pub const fn method_not_allowed() -> Self {
        Self::refused(
            StatusCode::METHOD_NOT_ALLOWED,
            "method-not-allowed",
            "Method not allowed",
            "The path does not have this method.",
        )
    }

    /// 409 for an insert of an id that is there.
    pub const fn duplicate_id() -> Self {
        Self::refused(
            StatusCode::CONFLICT,
            "duplicate-id",
            "Duplicate id",
            "The id exists.",
        )
    }

    /// 413 for a body over its limit.
    pub const fn too_large() -> Self {
        Self::refused(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too-large",
            "Body too large",
            "A body has at most 16384 bytes.",
        )
    }

    /// 415 for a body that is not said to be JSON.
    pub const fn unsupported_media_type() -> Self {
        Self::refused(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported-media-type",
            "Unsupported media type",
            "The body must be application/json.",
        )
    }

    /// 422 for members that are missing or wrong.
    pub fn invalid(faults: Vec<Fault>) -> Self {
        let refused = Self::refused(
            StatusCode::UNPROCESSABLE_ENTITY,
            "invalid",
            "Invalid conference",
            "The conference is not valid.",
        );
        Self { faults, ..refused }
    }

    /// 500 for what no rule names.
    pub fn internal(cause: String) -> Self {
        Self::failed(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "The service failed.",
            cause,
        )
    }

    /// 502 for a look-up that gave nothing good.
    pub fn country_failed(cause: String) -> Self {
        Self::failed(
            StatusCode::BAD_GATEWAY,
            "country-failed",
            "The country service failed.",
            cause,
        )
    }

    /// 503 without a database.
    pub fn unavailable(cause: String) -> Self {
        Self::failed(
            StatusCode::SERVICE_UNAVAILABLE,
            "unavailable",
            "The database is not available.",
            cause,
        )
    }

    /// 503 while the other service is not asked.
    pub fn country_open() -> Self {
        Self::failed(
            StatusCode::SERVICE_UNAVAILABLE,
            "country-open",
            "The country service is not asked for now.",
            "too many attempts failed".to_owned(),
        )
    }

    /// 504 for a look-up that took too long.
    pub fn country_timeout(cause: String) -> Self {
        Self::failed(
            StatusCode::GATEWAY_TIMEOUT,
            "country-timeout",
            "The country service did not answer in time.",
            cause,
        )
    }

    /// The answer; failures have the title of their operation.
    pub fn answer(&self, operation_title: &str) -> Response {
        let document = Document {
            r#type: format!("urn:conference:{}", self.code),
            title: self.title.unwrap_or(operation_title),
            status: self.status.as_u16(),
            detail: self.detail,
            errors: &self.faults,
        };
        let body = serde_json::to_vec(&document).expect("texts and numbers");
        let mut response = (self.status, Body::from(body)).into_response();
        let problem = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(CONTENT_TYPE, problem);
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            let second = HeaderValue::from_static("1");
            response.headers_mut().insert(RETRY_AFTER, second);
        }
        response
    }
}
