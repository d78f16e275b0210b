//! JSON to XML: the body is converted, and a new request asks the upstream with it.

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Method, Request, Response};
use thiserror::Error;

use crate::conversion::{ConversionError, convert};
use crate::discard::discard;
use crate::upstream::{NoAnswer, RequestBody, Upstream};

/// The largest body that is converted.
const MAXIMUM_BODY_BYTES: usize = 1 << 20;

/// Why there is no answer of the upstream.
#[derive(Debug, Error)]
pub enum Refusal {
    /// More than [`MAXIMUM_BODY_BYTES`].
    #[error("the body is larger than {MAXIMUM_BODY_BYTES} bytes")]
    TooLarge,
    /// Not JSON, or JSON that makes no document.
    #[error(transparent)]
    Conversion(#[from] ConversionError),
    /// It was asked, in vain.
    #[error(transparent)]
    NoAnswer(#[from] NoAnswer),
}

/// Converts the body of a request, and asks the upstream with it.
///
/// # Errors
/// The body cannot be converted, or there is no answer.
pub async fn transform(
    request: Request<Incoming>,
    upstream: &Upstream,
) -> Result<Response<Incoming>, Refusal> {
    let json = whole_body(request.into_body()).await?;
    let xml = convert(&json)?;
    let mut asked = Request::new(RequestBody::Right(Full::from(xml)));
    *asked.method_mut() = Method::POST;
    *asked.uri_mut() = upstream.uri(None);
    asked
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/xml"));
    Ok(upstream.ask(asked).await?)
}

async fn whole_body(mut body: Incoming) -> Result<Bytes, Refusal> {
    match Limited::new(&mut body, MAXIMUM_BODY_BYTES).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => {
            discard(body).await;
            Err(Refusal::TooLarge)
        }
        Err(_) => Err(NoAnswer::Caller.into()),
    }
}
