//! One request and its answer on a connection of HTTP/2.

use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use h2::client::SendRequest;
use h2::{Reason, RecvStream, SendStream};
use http_body_util::BodyExt as _;
use hyper::body::{Body as _, SizeHint};
use hyper::header::CONTENT_LENGTH;
use hyper::{Method, Request, Response, StatusCode};
use tokio::task::{JoinHandle, spawn};

use crate::answer::{AnswerBody, Broken};
use crate::http2::Place;
use crate::upload::{Sent, Upload};

/// The body of an answer as it comes, and what ends with it.
pub struct Received {
    stream: RecvStream,
    /// What is still to come, where it is known.
    left_bytes: Option<u64>,
    _sending: Sending,
    _place: Place,
}

/// A body that is being sent. It is given up with its request.
struct Sending(Option<JoinHandle<()>>);

/// Sends a request, and waits for the head of its answer.
///
/// # Errors
/// There is none.
pub async fn exchange(
    mut sender: SendRequest<Bytes>,
    head: Request<()>,
    upload: &Upload,
    place: Place,
) -> Result<Response<AnswerBody>, h2::Error> {
    let body = upload.sent();
    let is_head = head.method() == Method::HEAD;
    let (answer, stream) = sender.send_request(head, body.is_end_stream())?;
    let sending = Sending((!body.is_end_stream()).then(|| spawn(send(body, stream))));
    let answer = answer.await?;
    let left_bytes = if is_head || answer.status() == StatusCode::NOT_MODIFIED {
        None
    } else {
        let length = answer.headers().get(CONTENT_LENGTH);
        length.and_then(|length| length.to_str().ok()?.parse().ok())
    };
    Ok(answer.map(|stream| {
        AnswerBody::Http2(Received {
            stream,
            left_bytes,
            _sending: sending,
            _place: place,
        })
    }))
}

/// Sends a body part by part, as the instance takes it.
async fn send(body: Sent, mut stream: SendStream<Bytes>) {
    let mut body = pin!(body);
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else {
            return stream.send_reset(Reason::CANCEL);
        };
        let mut data = frame.into_data().unwrap_or_default();
        while !data.is_empty() {
            stream.reserve_capacity(data.len());
            let taken = poll_fn(|context| stream.poll_capacity(context)).await;
            let Some(Ok(taken)) = taken else {
                return; // The stream has ended.
            };
            let part = data.split_to(taken.min(data.len()));
            let is_last = data.is_empty() && body.is_end_stream();
            if stream.send_data(part, is_last).is_err() || is_last {
                return;
            }
        }
    }
    // Where this fails, the stream has ended.
    let _ = stream.send_data(Bytes::new(), true);
}

impl Received {
    /// The next part; the instance may send as much more.
    pub fn poll_data(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Broken>>> {
        let Some(data) = ready!(self.stream.poll_data(context)?) else {
            return Poll::Ready(None);
        };
        self.stream.flow_control().release_capacity(data.len())?;
        self.left_bytes = self
            .left_bytes
            .map(|left| left.saturating_sub(data.len() as u64));
        Poll::Ready(Some(Ok(data)))
    }

    /// Whether nothing is to come.
    pub fn is_end_stream(&self) -> bool {
        self.stream.is_end_stream()
    }

    /// How much is to come.
    pub fn size_hint(&self) -> SizeHint {
        self.left_bytes
            .map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        if let Some(task) = &self.0 {
            task.abort();
        }
    }
}
