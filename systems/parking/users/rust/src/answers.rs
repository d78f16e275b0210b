//! Answers of operations that went well.

use axum::Json;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;

use crate::problems::Problem;

/// What a handler gives.
pub type Answered = Result<Response, Problem>;

/// 200 with what was found, or what it is now.
pub fn shown(body: impl Serialize) -> Response {
    Json(body).into_response()
}

/// 201 with what is new.
pub fn created(body: impl Serialize) -> Response {
    (StatusCode::CREATED, Json(body)).into_response()
}

/// 201 with what is new, and where it can be read.
pub fn created_at(location: String, body: impl Serialize) -> Response {
    (StatusCode::CREATED, [(LOCATION, location)], Json(body)).into_response()
}
