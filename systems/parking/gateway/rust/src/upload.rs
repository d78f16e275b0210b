//! The body of a request on its way to an instance: it is read once, whichever instance gets it.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use thiserror::Error;
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::problem::Problem;

/// The longest body that passes.
pub const LIMIT_BYTES: u64 = 1 << 20;

// What is read and dropped of a body that nobody wants, so that the answer arrives, and for how long.
const DROPPED_BYTES: u64 = 2 << 20;
const DROP_LIMIT: Duration = Duration::from_secs(1);

/// The body of a request, and what became of it so far.
#[derive(Clone)]
pub struct Upload(Arc<Shared>);

/// It, as one attempt sends it.
pub struct Sent(Upload);

/// Why a body does not go on.
#[derive(Debug, Error)]
pub enum Ended {
    /// It is over the limit.
    #[error("the body is too large")]
    TooLarge,
    /// Its end does not come.
    #[error("the caller broke off")]
    Broken,
}

struct Shared {
    body: Mutex<Incoming>,
    read_bytes: AtomicU64,
    /// Whether a part of it was read, which can be read no more.
    is_begun: AtomicBool,
    is_ended: AtomicBool,
    is_too_large: AtomicBool,
    is_broken: AtomicBool,
    ended: Notify,
}

impl Upload {
    /// Has read nothing yet.
    pub fn new(body: Incoming) -> Self {
        let is_ended = AtomicBool::new(body.is_end_stream());
        Self(Arc::new(Shared {
            body: Mutex::new(body),
            read_bytes: AtomicU64::new(0),
            is_begun: AtomicBool::new(false),
            is_ended,
            is_too_large: AtomicBool::new(false),
            is_broken: AtomicBool::new(false),
            ended: Notify::new(),
        }))
    }

    /// What is sent in an attempt.
    pub fn sent(&self) -> Sent {
        Sent(self.clone())
    }

    /// Whether a part of it is gone.
    pub fn has_begun(&self) -> bool {
        self.0.is_begun.load(Ordering::Acquire)
    }

    /// What is answered for the body itself, if anything is.
    pub fn refusal(&self) -> Option<Problem> {
        if self.0.is_too_large.load(Ordering::Acquire) {
            Some(Problem::TooLarge)
        } else {
            let is_broken = self.0.is_broken.load(Ordering::Acquire);
            is_broken.then_some(Problem::Malformed)
        }
    }

    /// Waits until all of it was passed on.
    pub async fn end(&self) {
        while !self.0.is_ended.load(Ordering::Acquire) {
            // What is told before anybody waits is kept for the first who does.
            self.0.ended.notified().await;
        }
    }

    /// Reads what is left of a body that nobody wants, while its caller is answered.
    pub fn drop_rest(self) {
        let is_over = |flag: &AtomicBool| flag.load(Ordering::Acquire);
        if is_over(&self.0.is_ended) || is_over(&self.0.is_broken) {
            return;
        }
        tokio::spawn(timeout(DROP_LIMIT, async move {
            let mut dropped = 0;
            while dropped < DROPPED_BYTES {
                let frame = std::future::poll_fn(|context| self.poll(context)).await;
                let Some(Ok(frame)) = frame else {
                    return;
                };
                dropped += frame.data_ref().map_or(0, |data| data.len() as u64);
            }
        }));
    }

    fn poll(&self, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Ended>>> {
        let mut body = self.0.body.lock().unwrap_or_else(PoisonError::into_inner);
        let frame = ready!(Pin::new(&mut *body).poll_frame(context));
        if frame.is_none() || (matches!(frame, Some(Ok(_))) && body.is_end_stream()) {
            self.0.is_ended.store(true, Ordering::Release);
            self.0.ended.notify_one();
        }
        Poll::Ready(frame.map(|frame| {
            self.0.is_begun.store(true, Ordering::Release);
            frame.map_err(|_| {
                self.0.is_broken.store(true, Ordering::Release);
                Ended::Broken
            })
        }))
    }
}

impl Body for Sent {
    type Data = Bytes;
    type Error = Ended;

    /// Trailers end here.
    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Ended>>> {
        let Self(upload) = self.get_mut();
        loop {
            let Some(frame) = ready!(upload.poll(context)?) else {
                return Poll::Ready(None);
            };
            let Some(data) = frame.data_ref() else {
                continue;
            };
            let length = data.len() as u64;
            let before = upload.0.read_bytes.fetch_add(length, Ordering::AcqRel);
            if before + length > LIMIT_BYTES {
                upload.0.is_too_large.store(true, Ordering::Release);
                return Poll::Ready(Some(Err(Ended::TooLarge)));
            }
            return Poll::Ready(Some(Ok(frame)));
        }
    }

    fn is_end_stream(&self) -> bool {
        self.0.0.is_ended.load(Ordering::Acquire)
    }

    fn size_hint(&self) -> SizeHint {
        let body = self.0.0.body.lock();
        body.unwrap_or_else(PoisonError::into_inner).size_hint()
    }
}
