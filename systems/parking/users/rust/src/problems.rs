//! Answers of 4xx and 5xx (RFC 9457).

use axum::Json;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// What is wrong with one member of a body.
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
    /// A member is not one of the body's.
    UnknownMember,
    /// Nobody says who asks.
    TokenMissing,
    /// Who asks is not said clearly.
    TokenInvalid,
    /// Nobody has this password.
    Credentials,
    /// The role, the user or the key is another.
    Forbidden,
    /// The user may not log in.
    AccountBlocked,
    /// There is no such path or row.
    NotFound,
    /// The path has other methods.
    MethodNotAllowed,
    /// Another user has the address.
    DuplicateEmail,
    /// Another user has the tax number.
    DuplicateNif,
    /// Another vehicle has the plate.
    DuplicatePlate,
    /// The user has as many as one may have.
    VehicleLimit,
    /// A balance would be out of its range.
    Coins,
    /// The body is over its limit.
    TooLarge,
    /// The body is not said to be JSON.
    UnsupportedMediaType,
    /// Members are missing or wrong.
    Invalid,
    /// A key or a reference came with two requests.
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
pub struct Cause {
    /// What led to it.
    pub text: String,
    /// Whether it is that the database stays away.
    pub is_away: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    r#type: String,
    title: &'a str,
    status: u16,
    code: &'a str,
    #[serde(skip_serializing_if = "<[Fault]>::is_empty")]
    errors: &'a [Fault],
}

impl Kind {
    /// Status, code and title, by the table of SPEC, *Errors*.
    #[rustfmt::skip]
    const fn texts(self) -> (u16, &'static str, &'static str) {
        match self {
            Self::Malformed => (400, "malformed", "Malformed request"),
            Self::UnknownMember => (400, "unknown-member", "Unknown member"),
            Self::TokenMissing => (401, "token-missing", "Token missing"),
            Self::TokenInvalid => (401, "token-invalid", "Token not valid"),
            Self::Credentials => (401, "credentials", "Wrong e-mail address or password"),
            Self::Forbidden => (403, "forbidden", "Forbidden"),
            Self::AccountBlocked => (403, "account-blocked", "Account blocked"),
            Self::NotFound => (404, "not-found", "Not found"),
            Self::MethodNotAllowed => (405, "method-not-allowed", "Method not allowed"),
            Self::DuplicateEmail => (409, "duplicate-email", "E-mail address taken"),
            Self::DuplicateNif => (409, "duplicate-nif", "Tax number taken"),
            Self::DuplicatePlate => (409, "duplicate-plate", "Plate taken"),
            Self::VehicleLimit => (409, "vehicle-limit", "Too many vehicles"),
            Self::Coins => (409, "coins", "Not enough coins, or too many"),
            Self::TooLarge => (413, "too-large", "Body too large"),
            Self::UnsupportedMediaType => (415, "unsupported-media-type", "Unsupported media type"),
            Self::Invalid => (422, "invalid", "Invalid members"),
            Self::IdempotencyMismatch => (422, "idempotency-mismatch", "Key used before"),
            Self::Internal => (500, "internal", "Internal error"),
            Self::Unavailable => (503, "unavailable", "Not available"),
        }
    }

    /// The field that its answer has beside those of all answers.
    const fn field(self) -> Option<(axum::http::HeaderName, &'static str)> {
        match self {
            Self::TokenMissing | Self::TokenInvalid => Some((WWW_AUTHENTICATE, "Bearer")),
            Self::Unavailable => Some((RETRY_AFTER, "1")),
            _ => None,
        }
    }
}

impl Problem {
    /// 422 for members that are missing or wrong.
    pub fn invalid(faults: Vec<Fault>) -> Self {
        Self {
            faults,
            ..Kind::Invalid.into()
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
        let (status, code, title) = self.kind.texts();
        let document = Document {
            r#type: format!("urn:park:{code}"),
            title,
            status,
            code,
            errors: &self.faults,
        };
        let status = StatusCode::from_u16(status).expect("a status of the table");
        let mut response = (status, Json(document)).into_response();
        let headers = response.headers_mut();
        let problem = HeaderValue::from_static("application/problem+json");
        headers.insert(CONTENT_TYPE, problem);
        if let Some((name, value)) = self.kind.field() {
            headers.insert(name, HeaderValue::from_static(value));
        }
        if status.is_server_error() {
            response.extensions_mut().insert(Cause {
                text: self.cause,
                is_away: self.kind == Kind::Unavailable,
            });
        }
        response
    }
}
