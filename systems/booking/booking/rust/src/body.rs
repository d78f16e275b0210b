//! Bodies of requests, read to their end before anything else is done: a caller that is slow to send holds
//! nothing up, and a refusal does not end the connection under one that is still sending.

use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _};
use http_body_util::BodyExt as _;
use tokio::time::timeout;

const LIMIT_BYTES: usize = 16_384;

/// What is read beyond the limit. Some callers send all before they look for an answer.
const DISCARDED_BYTES: usize = 64 << 10;

/// How long the next part of it may be away. Some callers wait for the answer before they send any.
const DISCARD_WAIT: Duration = Duration::from_secs(1);

/// A body that was read. Whether its faults matter is up to the operation.
#[derive(Debug, Clone)]
pub enum Received {
    /// All of it.
    Whole(Bytes),
    /// It is over the limit.
    TooLarge,
    /// Its end did not come.
    BrokenOff,
}

impl Received {
    /// Reads a body to its end, or as far as is read of one that is refused.
    pub async fn read(mut body: Body) -> Self {
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
