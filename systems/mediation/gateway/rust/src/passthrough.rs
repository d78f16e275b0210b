//! Pass-through: a request goes on as it came, and so does its answer.

use hyper::body::Incoming;
use hyper::{Request, Response, Version};

use crate::headers::{join_cookies, keep_for_upstream};
use crate::upstream::{NoAnswer, RequestBody, Upstream};

/// Passes a request on.
///
/// # Errors
/// There is no answer.
pub async fn pass_through(
    request: Request<Incoming>,
    upstream: &Upstream,
) -> Result<Response<Incoming>, NoAnswer> {
    let (mut head, body) = request.into_parts();
    head.uri = upstream.uri(head.uri.query());
    keep_for_upstream(&mut head.headers);
    if head.version == Version::HTTP_2 {
        join_cookies(&mut head.headers);
    }
    let mut passed = Request::new(RequestBody::Left(body));
    *passed.method_mut() = head.method;
    *passed.uri_mut() = head.uri;
    *passed.headers_mut() = head.headers;
    upstream.ask(passed).await
}
