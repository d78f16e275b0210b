//! Bodies of answers.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::{Body, Frame, Incoming, SizeHint};

use crate::http2::Received;

/// What may go wrong with a body that is passed on. Whoever gets it ends the message so that it never looks
/// complete.
pub type Broken = Box<dyn std::error::Error + Send + Sync>;

/// The body of an answer.
pub enum AnswerBody {
    /// One that was made here.
    Own(Full<Bytes>),
    /// An instance's, as it comes, on HTTP/1.1.
    Http1(Incoming),
    /// An instance's, as it comes, on HTTP/2.
    Http2(Received),
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = Broken;

    /// Trailers end here.
    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        match self.get_mut() {
            Self::Own(body) => Pin::new(body).poll_frame(context).map_err(Into::into),
            Self::Http1(body) => loop {
                match ready!(Pin::new(&mut *body).poll_frame(context)?) {
                    Some(frame) if !frame.is_data() => {}
                    other => return Poll::Ready(other.map(Ok)),
                }
            },
            Self::Http2(body) => {
                let data = ready!(body.poll_data(context)?);
                Poll::Ready(data.map(|data| Ok(Frame::data(data))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Own(body) => body.is_end_stream(),
            Self::Http1(body) => body.is_end_stream(),
            Self::Http2(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Own(body) => body.size_hint(),
            Self::Http1(body) => body.size_hint(),
            Self::Http2(body) => body.size_hint(),
        }
    }
}
