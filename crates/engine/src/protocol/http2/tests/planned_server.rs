//! A server of the `h2` crate that answers as a plan says, and plans of every kind.

use std::sync::Arc;

use h2::server::{Builder, SendResponse};
use h2::{Reason, RecvStream};
use http::{HeaderMap, Method, Request, Response};
use proptest::collection::vec;
use proptest::prelude::*;
use tokio::io::DuplexStream;

/// What a body consists of; a letter that depends on the place, so that nothing can be swapped.
pub(super) fn body_of(length: usize) -> Vec<u8> {
    (0_u8..251).cycle().take(length).collect()
}

/// One request and what becomes of it.
#[derive(Clone, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent wishes of a plan"
)]
pub(super) struct Exchange {
    pub(super) is_head: bool,
    pub(super) request_bytes: usize,
    /// Whether the server reads the request's body before it answers.
    pub(super) is_read_first: bool,
    pub(super) status: u16,
    pub(super) response_bytes: usize,
    pub(super) piece_bytes: usize,
    pub(super) has_length: bool,
    pub(super) has_trailers: bool,
    pub(super) headers: usize,
    /// Reset with this code after the body, instead of ending it.
    pub(super) reset: Option<u32>,
}

/// What the server says of itself.
#[derive(Clone, Debug)]
pub(super) struct ServerPlan {
    pub(super) stream_window: u32,
    pub(super) connection_window: u32,
    pub(super) max_streams: u32,
    pub(super) max_frame: u32,
    /// Goes away after having taken so many requests.
    pub(super) goes_after: Option<usize>,
    pub(super) exchanges: Vec<Exchange>,
}

fn any_exchange() -> impl Strategy<Value = Exchange> {
    let request = (
        prop::bool::weighted(0.1),
        prop_oneof![2 => Just(0_usize), 1 => 1_usize..40_000],
        prop::bool::weighted(0.8),
    );
    let response = (
        prop_oneof![4 => Just(200_u16), 1 => Just(204), 1 => Just(404), 1 => Just(503)],
        prop_oneof![1 => Just(0_usize), 2 => 1_usize..100, 2 => 1_usize..100_000],
        1_usize..30_000,
        any::<bool>(),
        prop::bool::weighted(0.3),
        0_usize..4,
        prop::option::weighted(0.1, prop::sample::select(vec![0, 2, 7, 8])),
    );
    (request, response).prop_map(|(request, response)| {
        let (is_head, request_bytes, is_read_first) = request;
        let (status, bytes, piece_bytes, has_length, has_trailers, headers, reset) = response;
        let has_body = !is_head && status != 204;
        Exchange {
            is_head,
            request_bytes,
            is_read_first,
            status,
            response_bytes: if has_body { bytes } else { 0 },
            piece_bytes,
            has_length: has_length && has_body,
            has_trailers: has_trailers && has_body,
            headers,
            reset,
        }
    })
}

pub(super) fn any_plan() -> impl Strategy<Value = ServerPlan> {
    let window = || prop_oneof![200_u32..2_000, Just(65_535), 65_535_u32..1_000_000];
    (
        window(),
        window(),
        1_u32..12,
        prop_oneof![Just(16_384_u32), Just(100_000)],
        prop::option::weighted(0.3, 1_usize..20),
        vec(any_exchange(), 1..25),
    )
        .prop_map(
            |(stream_window, connection_window, max_streams, max_frame, goes_after, exchanges)| {
                ServerPlan {
                    stream_window,
                    connection_window,
                    max_streams,
                    max_frame,
                    goes_after,
                    exchanges,
                }
            },
        )
}

/// The server's side of the pipe: until the client has gone, or the server itself.
pub(super) async fn serve(pipe: DuplexStream, plan: Arc<ServerPlan>) {
    let mut builder = Builder::new();
    builder
        .initial_window_size(plan.stream_window)
        .initial_connection_window_size(plan.connection_window)
        .max_concurrent_streams(plan.max_streams)
        .max_frame_size(plan.max_frame);
    let mut connection = builder.handshake(pipe).await.expect("a client's preface");
    let mut taken = 0;
    while let Some(accepted) = connection.accept().await {
        let Ok((request, answer)) = accepted else {
            break;
        };
        taken += 1;
        if plan.goes_after == Some(taken) {
            connection.graceful_shutdown();
        }
        let index: usize = request.uri().path()[1..].parse().expect("a number");
        let plan = Arc::clone(&plan);
        tokio::spawn(async move {
            // Fails if the client gave the stream up, as it may: what it saw is checked instead.
            let _ = respond(&plan.exchanges[index], request, answer).await;
        });
    }
}

/// Carries one exchange out; an error if the client did something else than it says.
async fn respond(
    exchange: &Exchange,
    request: Request<RecvStream>,
    mut answer: SendResponse<bytes::Bytes>,
) -> Result<(), ()> {
    assert_eq!(request.method() == Method::HEAD, exchange.is_head);
    let mut body = request.into_body();
    if exchange.is_read_first {
        let mut seen = Vec::new();
        while let Some(piece) = body.data().await {
            let piece = piece.map_err(drop)?;
            body.flow_control()
                .release_capacity(piece.len())
                .map_err(drop)?;
            seen.extend_from_slice(&piece);
        }
        assert!(seen == body_of(exchange.request_bytes), "another body");
    }
    let mut response = Response::builder().status(exchange.status);
    for number in 0..exchange.headers {
        response = response.header(format!("x-{number}"), format!("value {number}"));
    }
    if exchange.has_length {
        response = response.header("content-length", exchange.response_bytes);
    }
    let response = response.body(()).expect("valid");
    let ends_at_once =
        exchange.response_bytes == 0 && !exchange.has_trailers && exchange.reset.is_none();
    let mut sending = answer.send_response(response, ends_at_once).map_err(drop)?;
    if ends_at_once {
        return Ok(());
    }
    let whole = body_of(exchange.response_bytes);
    let mut pieces = whole.chunks(exchange.piece_bytes).peekable();
    while let Some(piece) = pieces.next() {
        let is_last = pieces.peek().is_none() && !exchange.has_trailers && exchange.reset.is_none();
        sending
            .send_data(bytes::Bytes::copy_from_slice(piece), is_last)
            .map_err(drop)?;
        tokio::task::yield_now().await;
    }
    if let Some(code) = exchange.reset {
        sending.send_reset(Reason::from(code));
    } else if exchange.has_trailers {
        let mut trailers = HeaderMap::new();
        trailers.insert("checksum", "1".parse().expect("valid"));
        sending.send_trailers(trailers).map_err(drop)?;
    } else if whole.is_empty() {
        sending.send_data(bytes::Bytes::new(), true).map_err(drop)?;
    }
    Ok(())
}
