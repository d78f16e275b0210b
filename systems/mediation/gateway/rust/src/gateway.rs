//! Routes: which request is which scenario, and what is said when there is no answer.

use std::convert::Infallible;
use std::fmt::Display;
use std::io::Write as _;

use bytes::Bytes;
use http_body_util::combinators::MapErr;
use http_body_util::{BodyExt as _, Either, Full};
use hyper::body::Incoming;
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};

use crate::discard::discard;
use crate::headers::keep_end_to_end;
use crate::passthrough::pass_through;
use crate::transform::{Refusal, transform};
use crate::upstream::{NoAnswer, Upstream, chain};

/// The upstream's body as it comes, or one that was made here.
pub type AnswerBody = Either<MapErr<Incoming, fn(hyper::Error) -> hyper::Error>, Full<Bytes>>;

/// Answers one request.
///
/// # Errors
/// Never.
pub async fn answer(
    request: Request<Incoming>,
    upstream: &Upstream,
) -> Result<Response<AnswerBody>, Infallible> {
    let is_passed = match request.uri().path() {
        "/passthrough" => true,
        "/transform" => false,
        _ => return Ok(refused_unread(request, StatusCode::NOT_FOUND).await),
    };
    if request.method() != Method::POST {
        let mut refused = refused_unread(request, StatusCode::METHOD_NOT_ALLOWED).await;
        refused
            .headers_mut()
            .insert(ALLOW, HeaderValue::from_static("POST"));
        return Ok(refused);
    }
    let answered = if is_passed {
        pass_through(request, upstream).await.map_err(Refusal::from)
    } else {
        transform(request, upstream).await
    };
    Ok(match answered {
        Ok(answer) => relayed(answer),
        Err(refusal) => refused(&refusal),
    })
}

/// The upstream's answer, without what concerns its connection.
fn relayed(answer: Response<Incoming>) -> Response<AnswerBody> {
    let (mut head, body) = answer.into_parts();
    keep_end_to_end(&mut head.headers);
    let log: fn(hyper::Error) -> hyper::Error = |error| {
        log_failure(&chain(&error));
        error
    };
    // The version is that of the other leg.
    head.version = hyper::Version::default();
    Response::from_parts(head, Either::Left(body.map_err(log)))
}

fn refused(refusal: &Refusal) -> Response<AnswerBody> {
    match refusal {
        Refusal::TooLarge => said(StatusCode::PAYLOAD_TOO_LARGE, refusal),
        Refusal::Conversion(_) | Refusal::NoAnswer(NoAnswer::Caller) => {
            said(StatusCode::BAD_REQUEST, refusal)
        }
        Refusal::NoAnswer(failure) => {
            log_failure(failure);
            said(StatusCode::BAD_GATEWAY, &"the upstream failed")
        }
    }
}

fn said(status: StatusCode, message: &dyn Display) -> Response<AnswerBody> {
    let mut response = Response::new(Either::Right(Full::from(format!("{message}\n"))));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    response
}

async fn refused_unread(request: Request<Incoming>, status: StatusCode) -> Response<AnswerBody> {
    discard(request.into_body()).await;
    let mut response = Response::new(Either::Right(Full::default()));
    *response.status_mut() = status;
    response
}

fn log_failure(reason: &(impl Display + ?Sized)) {
    // A log that nobody reads any more is no reason to end.
    let _ = writeln!(std::io::stderr(), "gateway: upstream failed: {reason}");
}
