//! The client of the service that knows countries: what is asked, and which answers are good.

use std::error::Error;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::header::{CONTENT_TYPE, HOST, HeaderValue};
use hyper::http::uri::Authority;
use hyper::{Method, Request, StatusCode};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use crate::conference::is_unreserved;
use crate::config::CountryConfig;
use crate::connections::Connections;
use crate::problems::Problem;
use crate::text::is_object;

const ANSWER_LIMIT_BYTES: usize = 64 << 10;
const BATCH_ANSWER_LIMIT_BYTES: usize = 1 << 20;

/// Asks.
pub struct CountryService {
    connections: Connections,
    authority: HeaderValue,
    timeout: Duration,
}

/// Why an attempt gave nothing.
#[derive(Debug)]
pub struct AttemptFailure {
    cause: String,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Refused, or broken.
    NotReached,
    Late,
    Status(StatusCode),
    /// 200, and not what was asked for.
    NoUse,
}

#[derive(Deserialize)]
struct Country {
    name: String,
}

#[derive(Serialize)]
struct Batch<'a> {
    names: &'a [String],
}

#[derive(Deserialize)]
struct Countries {
    countries: Vec<String>,
}

impl AttemptFailure {
    fn new(kind: Kind, cause: impl Into<String>) -> Self {
        Self {
            cause: cause.into(),
            kind,
        }
    }

    /// Whether the service is at fault as a whole: not reached, late, or an answer of 5xx.
    pub fn is_outage(&self) -> bool {
        match self.kind {
            Kind::NotReached | Kind::Late => true,
            Kind::Status(status) => status.is_server_error(),
            Kind::NoUse => false,
        }
    }

    /// Whether the same attempt may go well later.
    pub fn is_passing(&self) -> bool {
        match self.kind {
            Kind::NotReached => true,
            Kind::Status(status) => (502..=504).contains(&status.as_u16()),
            Kind::Late | Kind::NoUse => false,
        }
    }
}

impl From<AttemptFailure> for Problem {
    fn from(failure: AttemptFailure) -> Self {
        match failure.kind {
            Kind::Late => Self::country_timeout(failure.cause),
            _ => Self::country_failed(failure.cause),
        }
    }
}

impl CountryService {
    /// Opens no connection yet.
    pub fn new(config: &CountryConfig) -> Self {
        Self {
            connections: Connections::new(config.authority.clone(), config.connections),
            authority: host(&config.authority),
            timeout: config.timeout,
        }
    }

    /// Asks for one name.
    ///
    /// # Errors
    /// The attempt failed.
    pub async fn country(&self, name: &str) -> Result<String, AttemptFailure> {
        let path = format!("/conferences/{}/country", escaped(name));
        let request = self.request(Method::GET, &path, Bytes::new());
        let answer = self.exchange(request, ANSWER_LIMIT_BYTES).await?;
        let Country { name } = read(&answer)?;
        Ok(name)
    }

    /// Asks for many names at once; their countries come by position.
    ///
    /// # Errors
    /// The attempt failed.
    pub async fn countries(&self, names: &[String]) -> Result<Vec<String>, AttemptFailure> {
        let batch = serde_json::to_vec(&Batch { names }).expect("texts");
        let mut request = self.request(Method::POST, "/countries", batch.into());
        let json = HeaderValue::from_static("application/json");
        request.headers_mut().insert(CONTENT_TYPE, json);
        let answer = self.exchange(request, BATCH_ANSWER_LIMIT_BYTES).await?;
        let Countries { countries } = read(&answer)?;
        if countries.len() == names.len() {
            Ok(countries)
        } else {
            let cause = "the answer has not as many countries as names";
            Err(AttemptFailure::new(Kind::NoUse, cause))
        }
    }

    fn request(&self, method: Method, path: &str, body: Bytes) -> Request<Full<Bytes>> {
        Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, &self.authority)
            .body(Full::new(body))
            .expect("a path of unreserved characters and escapes")
    }

    /// Makes one attempt, and gives the body of an answer that is 200.
    async fn exchange(
        &self,
        request: Request<Full<Bytes>>,
        limit_bytes: usize,
    ) -> Result<Bytes, AttemptFailure> {
        match timeout(self.timeout, self.exchange_in_time(request, limit_bytes)).await {
            Ok(result) => result,
            Err(late) => Err(AttemptFailure::new(Kind::Late, late.to_string())),
        }
    }

    async fn exchange_in_time(
        &self,
        request: Request<Full<Bytes>>,
        limit_bytes: usize,
    ) -> Result<Bytes, AttemptFailure> {
        let not_reached = |error: &dyn Error| AttemptFailure::new(Kind::NotReached, chain(error));
        let lent = self.connections.take().await;
        let mut lent = lent.map_err(|error| not_reached(&error))?;
        let answer = lent.sender.send_request(request).await;
        let (head, body) = answer.map_err(|error| not_reached(&error))?.into_parts();
        let body = match Limited::new(body, limit_bytes).collect().await {
            Ok(body) => body.to_bytes(),
            Err(error) if error.is::<LengthLimitError>() => {
                return Err(AttemptFailure::new(Kind::NoUse, error.to_string()));
            }
            Err(error) => return Err(not_reached(error.as_ref())),
        };
        self.connections.give_back(lent);
        if head.status == StatusCode::OK {
            Ok(body)
        } else {
            let cause = format!("the answer has status {}", head.status.as_u16());
            Err(AttemptFailure::new(Kind::Status(head.status), cause))
        }
    }
}

fn host(authority: &Authority) -> HeaderValue {
    HeaderValue::from_str(authority.as_str()).expect("an authority has visible characters only")
}

/// Reads an object of JSON in UTF-8.
fn read<'a, T: Deserialize<'a>>(answer: &'a [u8]) -> Result<T, AttemptFailure> {
    let text = str::from_utf8(answer)
        .ok()
        .filter(|text| is_object(text))
        .ok_or_else(|| AttemptFailure::new(Kind::NoUse, "the answer is no object of JSON"))?;
    serde_json::from_str(text).map_err(|error| {
        AttemptFailure::new(Kind::NoUse, format!("the answer is of no use: {error}"))
    })
}

/// Escapes every byte of a path's segment but the unreserved ones.
fn escaped(segment: &str) -> String {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut text = String::with_capacity(segment.len() * 3);
    for byte in segment.bytes() {
        if is_unreserved(byte) {
            text.push(byte.into());
        } else {
            text.push('%');
            text.push(DIGITS[usize::from(byte >> 4)].into());
            text.push(DIGITS[usize::from(byte & 15)].into());
        }
    }
    text
}

/// An error and its causes, in one line.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_but_the_unreserved_is_escaped() {
        assert_eq!(
            escaped("Google I/O é~-._:@"),
            "Google%20I%2FO%20%C3%A9~-._%3A%40"
        );
    }

    #[test]
    fn only_an_object_with_a_text_is_good() {
        let country = |text: &'static [u8]| read(text).map(|Country { name }| name).ok();
        assert_eq!(
            country(b" {\"x\":[1],\"name\":\"USA\"} "),
            Some("USA".to_owned())
        );
        for text in [
            b"".as_slice(),
            b"[\"USA\"]",
            b"\"USA\"",
            b"{}",
            b"{\"NAME\":\"USA\"}",
            b"{\"name\":null}",
            b"{\"name\":1}",
            b"{\"name\":\"\xff\"}",
            b"{\"name\":\"USA\"} {}",
        ] {
            assert_eq!(country(text), None);
        }
    }
}
