//! The codec against the server of the `h2` crate, over a pipe in memory: what the server was
//! told to answer is what the client must see.

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::runtime;

use super::planned_server::{Exchange, ServerPlan, any_plan, body_of, serve};
use super::*;

/// What a client saw of one exchange.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Outcome {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    end: Option<StreamEnd>,
}

/// The client of one connection, and which exchange each tag is for.
struct Driver {
    client: Client,
    requests: Vec<Arc<Http2Request>>,
    exchange_of: BTreeMap<u32, usize>,
    next: usize,
    outcomes: Vec<Outcome>,
}

impl Driver {
    fn new(plan: &ServerPlan, streams: u32) -> Self {
        let mut client = Client::new(streams);
        client.seen.wants_headers = true;
        let mut requests = Vec::new();
        for (index, exchange) in plan.exchanges.iter().enumerate() {
            let method: &[u8] = if exchange.is_head { b"HEAD" } else { b"POST" };
            let path = format!("/{index}");
            let block = [
                (&b":method"[..], method),
                (b":scheme", b"http"),
                (b":authority", b"localhost"),
                (b":path", path.as_bytes()),
            ];
            requests.push(Arc::new(Http2Request {
                block: block
                    .map(|(name, value)| client.fields.add(name, value))
                    .into_iter()
                    .collect(),
                body: body_of(exchange.request_bytes),
                is_head: exchange.is_head,
            }));
        }
        Self {
            client,
            outcomes: vec![Outcome::default(); requests.len()],
            requests,
            exchange_of: BTreeMap::new(),
            next: 0,
        }
    }

    /// Takes up what was seen, and opens what may be opened.
    fn turn(&mut self) {
        for event in self.client.seen.events.drain(..) {
            let tag = match &event {
                Event::Status(tag, _)
                | Event::Header(tag, ..)
                | Event::Body(tag, _)
                | Event::Ended(tag, _) => *tag,
            };
            let outcome = &mut self.outcomes[self.exchange_of[&tag]];
            assert_eq!(outcome.end, None, "ended before");
            match event {
                Event::Status(_, status) => outcome.status = status,
                Event::Header(_, name, value) => outcome.headers.push((name, value)),
                Event::Body(_, piece) => outcome.body.extend(piece),
                Event::Ended(_, end) => {
                    outcome.end = Some(end);
                    self.exchange_of.remove(&tag);
                }
            }
        }
        for tag in self.client.codec.streams.tags() {
            if self.next < self.requests.len()
                && self.client.codec.can_open()
                && !self.exchange_of.contains_key(&tag)
            {
                self.exchange_of.insert(tag, self.next);
                let request = Arc::clone(&self.requests[self.next]);
                self.client.open(tag, &request);
                self.next += 1;
            }
        }
        if self.client.codec.has_more() {
            self.client.codec.write_more(&mut self.client.out);
        }
    }

    fn is_done(&self) -> bool {
        let codec = &self.client.codec;
        codec.open_streams() == 0 && (codec.is_closing() || self.next == self.requests.len())
    }

    async fn run(&mut self, pipe: DuplexStream, read_bytes: usize) {
        let (mut reading, mut writing) = tokio::io::split(pipe);
        let mut input = vec![0; read_bytes];
        while !self.is_done() {
            self.turn();
            tokio::select! {
                written = writing.write(&self.client.out), if !self.client.out.is_empty() => {
                    // A server that goes away closes while the client still writes; what it said
                    // before is read all the same.
                    let gone = self.client.out.len();
                    self.client.out.drain(..written.unwrap_or(gone));
                }
                read = reading.read(&mut input) => {
                    let length = read.expect("the server is there");
                    assert!(length > 0, "the server has gone");
                    self.client.feed(&input[..length]).expect("the server keeps to the protocol");
                }
            }
        }
        self.turn();
    }
}

/// Carries a plan out and returns what the client saw, and how many requests it opened.
fn carry_out(plan: &ServerPlan, streams: u32, read_bytes: usize) -> (Vec<Outcome>, usize) {
    let plan = Arc::new(plan.clone());
    let mut driver = Driver::new(&plan, streams);
    // The paused clock only moves when neither side has anything to do: a standstill fails at once.
    let runtime = runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let (client, server) = tokio::io::duplex(50_000);
        let serving = tokio::spawn(serve(server, Arc::clone(&plan)));
        tokio::time::timeout(Duration::from_secs(1), driver.run(client, read_bytes))
            .await
            .expect("no standstill");
        serving.await.expect("no failed assertion of the server");
    });
    (driver.outcomes, driver.next)
}

fn check(plan: &ServerPlan, outcomes: &[Outcome], opened: usize) {
    assert!(opened == plan.exchanges.len() || plan.goes_after.is_some());
    for (exchange, outcome) in plan.exchanges.iter().zip(outcomes).take(opened) {
        let end = outcome.end.expect("every stream ends");
        // A server whose handler has not let go of a stream that the client gave up, since it was
        // answered early, still counts it, and may refuse the next one.
        let answers_early = |one: &Exchange| !one.is_read_first && one.request_bytes > 0;
        let may_refuse = plan.goes_after.is_some() || plan.exchanges.iter().any(answers_early);
        if end == StreamEnd::Refused && may_refuse {
            continue;
        }
        match exchange.reset {
            // A reset may overtake what was sent before.
            Some(7) => assert_eq!(end, StreamEnd::Refused),
            Some(code) => assert_eq!(end, StreamEnd::Reset(code)),
            None => {
                assert_eq!(
                    (end, outcome.status),
                    (StreamEnd::Complete, exchange.status)
                );
                let headers = exchange.headers + usize::from(exchange.has_length);
                assert_eq!(outcome.headers.len(), headers);
                assert!(
                    outcome.body == body_of(exchange.response_bytes),
                    "another body"
                );
            }
        }
    }
    for unopened in &outcomes[opened..] {
        assert_eq!(unopened, &Outcome::default());
    }
}

fn get(response_bytes: usize) -> Exchange {
    Exchange {
        is_head: false,
        request_bytes: 0,
        is_read_first: true,
        status: 200,
        response_bytes,
        piece_bytes: 1 << 20,
        has_length: true,
        has_trailers: false,
        headers: 0,
        reset: None,
    }
}

fn plan(exchanges: Vec<Exchange>) -> ServerPlan {
    ServerPlan {
        stream_window: 65_535,
        connection_window: 65_535,
        max_streams: 100,
        max_frame: 16_384,
        goes_after: None,
        exchanges,
    }
}

#[test]
fn a_response_beyond_all_windows_comes_whole() {
    let plan = plan(vec![get(40 << 20)]);
    let (outcomes, opened) = carry_out(&plan, 1, 1 << 20);
    check(&plan, &outcomes, opened);
}

#[test]
fn requests_of_many_megabytes_come_whole() {
    let post = Exchange {
        request_bytes: 10 << 20,
        ..get(5)
    };
    let plan = plan(vec![post; 3]);
    let (outcomes, opened) = carry_out(&plan, 3, 1 << 20);
    check(&plan, &outcomes, opened);
}

#[test]
fn many_requests_follow_one_another() {
    let plan = plan(vec![get(50); 2_000]);
    let (outcomes, opened) = carry_out(&plan, 10, 4_096);
    check(&plan, &outcomes, opened);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_real_servers_answers_are_what_the_client_sees(
        plan in any_plan(),
        streams in 1_u32..12,
        read_bytes in prop_oneof![1_usize..64, 64_usize..70_000],
    ) {
        let (outcomes, opened) = carry_out(&plan, streams, read_bytes);
        check(&plan, &outcomes, opened);
    }
}
