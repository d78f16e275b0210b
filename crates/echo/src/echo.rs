//! One request to one answer. Knows nothing of sockets.

use std::error::Error;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::Body;
use hyper::header::{CONNECTION, CONTENT_TYPE, HeaderValue};
use hyper::{Request, Response, StatusCode};

/// What the command line decided for every request.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Between the end of the request and its answer.
    pub delay: Duration,
    /// Largest body that is echoed.
    pub max_body_bytes: usize,
}

/// Answers 200 with the request's body and content type, or 413 when the body is too large.
///
/// # Errors
/// The body could not be read to its end: there is nobody left to answer.
pub async fn echo<B>(
    request: Request<B>,
    settings: Settings,
) -> Result<Response<Full<Bytes>>, Box<dyn Error + Send + Sync>>
where
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let (mut head, body) = request.into_parts();
    let body = match Limited::new(body, settings.max_body_bytes).collect().await {
        // One frame, the usual case, is handed back without a copy.
        Ok(collected) => collected.to_bytes(),
        Err(error) if error.is::<LengthLimitError>() => return Ok(too_large()),
        Err(error) => return Err(error),
    };
    if !settings.delay.is_zero() {
        tokio::time::sleep(settings.delay).await;
    }
    let mut response = Response::new(Full::new(body));
    if let Some(content_type) = head.headers.remove(CONTENT_TYPE) {
        response.headers_mut().insert(CONTENT_TYPE, content_type);
    }
    Ok(response)
}

/// The rest of the body is not read, so the connection cannot carry another request.
fn too_large() -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::from("the body is larger than --max-body-bytes\n"));
    *response.status_mut() = StatusCode::PAYLOAD_TOO_LARGE;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    fn request(body: &'static str) -> Request<Full<Bytes>> {
        Request::post("/any")
            .body(Full::from(body))
            .expect("a valid request")
    }

    async fn body_of(response: Response<Full<Bytes>>) -> Bytes {
        let Ok(collected) = response.into_body().collect().await;
        collected.to_bytes()
    }

    #[tokio::test(start_paused = true)]
    async fn delayed_answers_wait_side_by_side() {
        let settings = Settings {
            delay: Duration::from_millis(30),
            max_body_bytes: 10,
        };
        let begin = Instant::now();
        let (one, two) = tokio::join!(
            echo(request("one"), settings),
            echo(request("two"), settings)
        );
        // The paused clock moves only when every task waits, so this is exact.
        assert_eq!(begin.elapsed(), Duration::from_millis(30));
        assert_eq!(body_of(one.expect("an answer")).await, "one");
        assert_eq!(body_of(two.expect("an answer")).await, "two");
    }

    #[tokio::test]
    async fn a_body_of_exactly_the_limit_is_echoed_and_one_byte_more_is_not() {
        let settings = Settings {
            delay: Duration::ZERO,
            max_body_bytes: 4,
        };
        let whole = echo(request("1234"), settings).await.expect("an answer");
        assert_eq!(whole.status(), StatusCode::OK);
        let refused = echo(request("12345"), settings).await.expect("an answer");
        assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
    }
}
