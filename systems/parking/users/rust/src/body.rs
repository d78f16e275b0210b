//! Bodies of requests, read to their end before anything else is done: a caller that is slow to send holds
//! nothing up, and a refusal does not end the connection under one that is still sending.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use http_body_util::BodyExt as _;
use tokio::time::timeout;

use crate::members::Members;
use crate::problems::{Kind, Problem};

const LIMIT_BYTES: usize = 65_536;

/// What is read beyond the limit. Some callers send all before they look for an answer.
const DISCARDED_BYTES: usize = 64 << 10;

/// How long the next part of it may be away. Some callers wait for the answer before they send any.
const DISCARD_WAIT: Duration = Duration::from_secs(1);

/// A body that was read. Whether its faults matter is up to the operation.
#[derive(Debug, Clone)]
enum Received {
    /// All of it.
    Whole(Bytes),
    /// It is over the limit.
    TooLarge,
    /// Its end did not come.
    BrokenOff,
}

/// The body of a request, as an operation takes it.
pub struct RequestBody {
    received: Received,
    is_json: bool,
}

/// Reads a body to its end, or as far as is read of one that is refused, and keeps it with the head.
pub async fn receive(head: &mut Parts, body: Body) {
    let received = Received::read(body).await;
    head.extensions.insert(received);
}

impl Received {
    async fn read(mut body: Body) -> Self {
        let announced = body.size_hint().lower();
        if announced > LIMIT_BYTES as u64 {
            discard(body, LIMIT_BYTES + DISCARDED_BYTES).await;
            return Self::TooLarge;
        }
        let mut bytes = Vec::with_capacity(usize::try_from(announced).unwrap_or_default());
        while let Some(frame) = body.frame().await {
            let Ok(frame) = frame else {
                return Self::BrokenOff;
            };
            bytes.extend_from_slice(&frame.into_data().unwrap_or_default());
            if bytes.len() > LIMIT_BYTES {
                discard(body, DISCARDED_BYTES).await;
                return Self::TooLarge;
            }
        }
        Self::Whole(bytes.into())
    }
}

impl RequestBody {
    /// Its members. Faults are found in the order of the SPEC: size, type, JSON.
    ///
    /// # Errors
    /// It has one of them.
    pub fn members(&self) -> Result<Members, Problem> {
        Members::parse(self.json()?)
    }

    /// Its bytes, where size and type are those of a body.
    ///
    /// # Errors
    /// They are not.
    pub fn json(&self) -> Result<&[u8], Problem> {
        match &self.received {
            Received::TooLarge => Err(Kind::TooLarge.into()),
            _ if !self.is_json => Err(Kind::UnsupportedMediaType.into()),
            Received::BrokenOff => Err(Kind::Malformed.into()),
            Received::Whole(bytes) => Ok(bytes),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for RequestBody {
    type Rejection = Infallible;

    async fn from_request_parts(head: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let received = head.extensions.remove::<Received>();
        Ok(Self {
            received: received.unwrap_or(Received::BrokenOff),
            is_json: is_json_type(&head.headers),
        })
    }
}

/// Reads what nobody wants, up to a limit, for as long as it comes.
async fn discard(mut body: Body, most_bytes: usize) {
    let mut discarded = 0;
    while discarded < most_bytes {
        let Ok(Some(Ok(frame))) = timeout(DISCARD_WAIT, body.frame()).await else {
            return;
        };
        discarded += frame.data_ref().map_or(0, Bytes::len);
    }
}

/// Ignores parameters.
fn is_json_type(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(CONTENT_TYPE).into_iter();
    let (value, further) = (values.next(), values.next());
    let media_type = value.and_then(|value| value.as_bytes().split(|byte| *byte == b';').next());
    further.is_none()
        && media_type.is_some_and(|media_type| {
            let media_type = media_type.trim_ascii();
            media_type.eq_ignore_ascii_case(b"application/json")
        })
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn of_type(value: &'static str) -> bool {
        let value = HeaderValue::from_static(value);
        is_json_type(&HeaderMap::from_iter([(CONTENT_TYPE, value)]))
    }

    #[test]
    fn a_type_is_json_in_any_case_with_any_parameters() {
        for value in [
            "application/json",
            "Application/JSON ; charset=latin1",
            "application/json;a;b",
        ] {
            assert!(of_type(value), "{value}");
        }
        for value in [
            "",
            "text/json",
            "application/json, text/plain",
            "application/jsonx",
        ] {
            assert!(!of_type(value), "{value}");
        }
        assert!(!is_json_type(&HeaderMap::new()));
    }

    #[tokio::test]
    async fn a_body_is_read_up_to_its_limit() {
        let whole = Received::read(vec![b'a'; LIMIT_BYTES].into()).await;
        assert!(matches!(whole, Received::Whole(bytes) if bytes.len() == LIMIT_BYTES));
        let larger = Received::read(vec![b'a'; LIMIT_BYTES + 1].into()).await;
        assert!(matches!(larger, Received::TooLarge));
    }
}
