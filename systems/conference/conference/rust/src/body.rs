//! Bodies of requests: their size and their type.

use axum::body::{Body, HttpBody as _};
use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::HeaderMap;
use hyper::header::{CONTENT_TYPE, HeaderValue};

use crate::problems::Problem;

const LIMIT_BYTES: usize = 16_384;

/// What is read of a body that is refused. A refusal that comes first ends the connection under a caller
/// that is still sending, and some callers lose the refusal with it.
const DISCARDED_BYTES: usize = 64 << 10;

/// Reads a body of JSON to its end. Faults are found in the order of the SPEC: size, type, UTF-8.
///
/// # Errors
/// It has one of them, or broke off.
pub async fn read(headers: &HeaderMap, mut body: Body) -> Result<String, Problem> {
    let announced = body.size_hint().lower();
    if announced > LIMIT_BYTES as u64 {
        discard(body).await;
        return Err(Problem::too_large());
    }
    let mut text = Vec::with_capacity(usize::try_from(announced).unwrap_or_default());
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Problem::malformed_body())?;
        text.extend_from_slice(&frame.into_data().unwrap_or_default());
        if text.len() > LIMIT_BYTES {
            discard(body).await;
            return Err(Problem::too_large());
        }
    }
    if !is_json_type(headers) {
        return Err(Problem::unsupported_media_type());
    }
    String::from_utf8(text).map_err(|_| Problem::malformed_body())
}

/// Reads what nobody wants, up to a limit.
pub async fn discard(mut body: Body) {
    let mut discarded = 0;
    while discarded < DISCARDED_BYTES {
        let Some(Ok(frame)) = body.frame().await else {
            return;
        };
        discarded += frame.data_ref().map_or(0, Bytes::len);
    }
}

/// Ignores parameters.
fn is_json_type(headers: &HeaderMap) -> bool {
    let value = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    let media_type = value.and_then(|value| value.split(|byte| *byte == b';').next());
    media_type.is_some_and(|media_type| {
        let media_type = media_type.trim_ascii();
        media_type.eq_ignore_ascii_case(b"application/json")
    })
}
