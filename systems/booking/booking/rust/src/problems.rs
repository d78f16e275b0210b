//! Answers of 4xx and 5xx (RFC 9457).

use axum::Json;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// What is wrong with one member of a body, or with all of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Where it is.
    pub pointer: &'static str,
    /// What it is.
    pub code: &'static str,
}

/// What went wrong, as callers tell it apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// What was sent cannot be read.
    Malformed,
    /// There is no token that counts.
    Unauthenticated,
    /// Nobody has this password.
    BadCredentials,
    /// The role, or the owner, is another.
    Forbidden,
    /// There is no such path or row, or it is not shown.
    NotFound,
    /// The path has other methods.
    MethodNotAllowed,
    /// Another account has the address.
    EmailTaken,
    /// Another reservation is there.
    SlotTaken,
    /// Nothing can be reserved there any more.
    FacilityRetired,
    /// It was decided otherwise before.
    WrongState,
    /// The body is over its limit.
    TooLarge,
    /// The body is not said to be JSON.
    UnsupportedMediaType,
    /// Members are missing or wrong.
    Validation,
    /// A key came with two requests.
    IdempotencyMismatch,
    /// What no rule names.
    Internal,
    /// The database cannot be had.
    Unavailable,
}

/// An answer that says what went wrong.
#[derive(Debug)]
pub struct Problem {
    /// Which one it is.
    pub kind: Kind,
    /// Those of a body whose members are wrong.
    pub faults: Vec<Fault>,
    /// For the log alone.
    pub cause: String,
}

/// Goes with an answer of 5xx to where it is logged.
#[derive(Debug, Clone)]
pub struct Cause(pub String);

#[derive(Serialize)]
struct Document<'a> {
    r#type: String,
    title: &'a str,
    status: u16,
    detail: &'a str,
    #[serde(skip_serializing_if = "<[Fault]>::is_empty")]
    errors: &'a [Fault],
}

impl Kind {
    const fn status(self) -> StatusCode {
        match self {
            Self::Malformed => StatusCode::BAD_REQUEST,
            Self::Unauthenticated | Self::BadCredentials => StatusCode::UNAUTHORIZED,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::EmailTaken | Self::SlotTaken | Self::FacilityRetired | Self::WrongState => {
                StatusCode::CONFLICT
            }
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Validation | Self::IdempotencyMismatch => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// Code, title and detail, by the table of SPEC, *Errors*.
    #[rustfmt::skip]
    const fn texts(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Malformed => ("malformed", "Malformed request", "The request is not well formed."),
            Self::Unauthenticated => ("unauthenticated", "Not authenticated", "A valid token is needed."),
            Self::BadCredentials => ("bad-credentials", "Bad credentials", "The e-mail address or the password is wrong."),
            Self::Forbidden => ("forbidden", "Forbidden", "The account may not do this."),
            Self::NotFound => ("not-found", "Not found", "Nothing is here."),
            Self::MethodNotAllowed => ("method-not-allowed", "Method not allowed", "The path does not have this method."),
            Self::EmailTaken => ("email-taken", "E-mail address taken", "There is an account of this e-mail address."),
            Self::SlotTaken => ("slot-taken", "Slot taken", "Another reservation is in this time."),
            Self::FacilityRetired => ("facility-retired", "Facility retired", "The facility takes no reservations."),
            Self::WrongState => ("wrong-state", "Wrong state", "The reservation is in another state."),
            Self::TooLarge => ("too-large", "Body too large", "A body has at most 16384 bytes."),
            Self::UnsupportedMediaType => ("unsupported-media-type", "Unsupported media type", "The body must be application/json."),
            Self::Validation => ("validation", "Invalid members", "The body is not valid."),
            Self::IdempotencyMismatch => ("idempotency-mismatch", "Key used before", "The key belongs to another request."),
            Self::Internal => ("internal", "Internal error", "The service failed."),
            Self::Unavailable => ("unavailable", "Not available", "The database is not available."),
        }
    }
}

impl Problem {
    /// 422 for members that are missing or wrong.
    pub fn invalid(faults: Vec<Fault>) -> Self {
        Self {
            faults,
            ..Kind::Validation.into()
        }
    }

    /// 500 for what no rule names.
    pub fn internal(cause: impl Into<String>) -> Self {
        Self {
            cause: cause.into(),
            ..Kind::Internal.into()
        }
    }

    /// 503 without a database.
    pub fn unavailable(cause: impl Into<String>) -> Self {
        Self {
            cause: cause.into(),
            ..Kind::Unavailable.into()
        }
    }
}

impl From<Kind> for Problem {
    fn from(kind: Kind) -> Self {
        Self {
            kind,
            faults: Vec::new(),
            cause: String::new(),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.kind.status();
        let (code, title, detail) = self.kind.texts();
        let document = Document {
            r#type: format!("https://booking.example/problems/{code}"),
            title,
            status: status.as_u16(),
            detail,
            errors: &self.faults,
        };
        let mut response = (status, Json(document)).into_response();
        let headers = response.headers_mut();
        let problem = HeaderValue::from_static("application/problem+json");
        headers.insert(CONTENT_TYPE, problem);
        match self.kind {
            Kind::Unauthenticated => {
                headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            Kind::Unavailable => {
                headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
            }
            _ => {}
        }
        if status.is_server_error() {
            response.extensions_mut().insert(Cause(self.cause));
        }
        response
    }
}
