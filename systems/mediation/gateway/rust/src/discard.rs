//! Bodies that nobody wants.

use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;

/// More than this is cut off.
const LIMIT_BYTES: usize = 16 << 20;

/// Reads a body to its end before a refusal is sent. A refusal that comes first ends the connection,
/// or the stream, under a caller that is still sending, and some callers lose the refusal with it.
pub async fn discard(body: Incoming) {
    let mut body = Limited::new(body, LIMIT_BYTES);
    while let Some(Ok(_)) = body.frame().await {}
}
