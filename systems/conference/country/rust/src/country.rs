//! Routes: one look-up, a batch of them, and the counters.

use std::convert::Infallible;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::Body;
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use crate::countries::country_of;
use crate::stats::Stats;

const MOST_NAMES: usize = 1_000;

const BATCH_LIMIT_BYTES: usize = 1 << 20;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// One answer, whole.
type Answer = Response<Full<Bytes>>;

/// What is served, and how it was asked for.
pub struct Country {
    delay: Duration,
    stats: Stats,
}

#[derive(Serialize)]
struct Found {
    name: &'static str,
}

#[derive(Deserialize)]
struct Batch {
    names: Vec<String>,
}

#[derive(Serialize)]
struct Countries {
    countries: Vec<&'static str>,
}

#[derive(Serialize)]
struct Failure<'a> {
    message: &'a str,
    cause: &'a str,
}

impl Country {
    /// Holds each answer back for `delay`, but those about itself.
    pub fn new(delay: Duration) -> Self {
        Self {
            delay,
            stats: Stats::default(),
        }
    }

    /// Answers one request.
    ///
    /// # Errors
    /// Never.
    pub async fn answer<B: Body<Error: Into<BoxError>>>(
        &self,
        request: Request<B>,
    ) -> Result<Answer, Infallible> {
        let (head, body) = request.into_parts();
        let path = head.uri.path();
        if let Some(name) = name_in(path) {
            return Ok(match head.method {
                Method::GET => self.look_up(name).await,
                _ => only("GET"),
            });
        }
        Ok(match (path, head.method) {
            ("/countries", Method::POST) => self.batch(body).await,
            ("/countries", _) => only("POST"),
            ("/stats", Method::GET) => json(StatusCode::OK, &self.stats.snapshot()),
            ("/stats", _) => only("GET"),
            _ => failed(StatusCode::NOT_FOUND, "No such path", path),
        })
    }

    async fn look_up(&self, name: &str) -> Answer {
        let _in_flight = self.stats.begin();
        self.stats.lookup();
        self.wait().await;
        let name = percent_decode_str(name).decode_utf8_lossy();
        match country_of(&name) {
            Some(name) => json(StatusCode::OK, &Found { name }),
            None => unknown(&name),
        }
    }

    async fn batch<B: Body<Error: Into<BoxError>>>(&self, body: B) -> Answer {
        let _in_flight = self.stats.begin();
        let names = names_of(body).await;
        if let Ok(names) = &names {
            self.stats.batch(names.len());
        }
        self.wait().await;
        match names {
            Ok(names) => countries_of(&names),
            Err(refused) => refused,
        }
    }

    async fn wait(&self) {
        // Without a delay no answer waits for the timer, which is exact to a millisecond.
        if !self.delay.is_zero() {
            sleep(self.delay).await;
        }
    }
}

fn countries_of(names: &[String]) -> Answer {
    let mut countries = Vec::with_capacity(names.len());
    for name in names {
        match country_of(name) {
            Some(country) => countries.push(country),
            None => return unknown(name),
        }
    }
    json(StatusCode::OK, &Countries { countries })
}

/// The name in the path of a look-up, as it was written there.
fn name_in(path: &str) -> Option<&str> {
    let name = path
        .strip_prefix("/conferences/")?
        .strip_suffix("/country")?;
    (!name.contains('/')).then_some(name)
}

async fn names_of<B: Body<Error: Into<BoxError>>>(body: B) -> Result<Vec<String>, Answer> {
    let too_large = || failed(StatusCode::PAYLOAD_TOO_LARGE, "Too much", "the batch");
    let malformed = |cause: &str| failed(StatusCode::BAD_REQUEST, "Not a batch", cause);
    let body = match Limited::new(body, BATCH_LIMIT_BYTES).collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) if error.is::<LengthLimitError>() => return Err(too_large()),
        Err(_) => return Err(malformed("the body broke off")),
    };
    let batch: Batch =
        serde_json::from_slice(&body).map_err(|error| malformed(&error.to_string()))?;
    if batch.names.len() > MOST_NAMES {
        return Err(too_large());
    }
    Ok(batch.names)
}

/// The published texts, with their misspelling.
fn unknown(name: &str) -> Answer {
    failed(
        StatusCode::NOT_FOUND,
        &format!("Error ocurred while retrieving the country for the conference: {name}"),
        &format!("No conference found with the name: {name}"),
    )
}

fn only(method: &'static str) -> Answer {
    let mut answer = failed(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed", method);
    let allowed = HeaderValue::from_static(method);
    answer.headers_mut().insert(ALLOW, allowed);
    answer
}

fn failed(status: StatusCode, message: &str, cause: &str) -> Answer {
    json(status, &Failure { message, cause })
}

fn json(status: StatusCode, value: &impl Serialize) -> Answer {
    let body = serde_json::to_vec(value).expect("strings and numbers");
    let mut answer = Response::new(Full::from(body));
    *answer.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    answer.headers_mut().insert(CONTENT_TYPE, json);
    answer
}

#[cfg(test)]
mod tests;
