//! One connection and the request on it: a state machine fed with bytes, without socket or clock.

use rustix::io::Errno;

use crate::body_check::BodySearch;
use crate::outcome::{Detail, Outcome};
use crate::parser::{ResponseParser, ResponseSink};
use crate::request::Request;
use crate::samples::{Sample, SampleBudget};

/// Whether there is a socket, and whether it can carry requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// No socket.
    #[default]
    Closed,
    /// Being established.
    Connecting,
    /// Established; busy if a written request waits for its response.
    Open,
}

/// One request that was offered and has no outcome yet.
#[derive(Clone, Copy, Debug)]
pub struct Exchange {
    /// Index of the operation.
    pub operation: usize,
    /// When it should have been written.
    pub intended_ns: u64,
    /// When the first call to write it began.
    pub written_ns: Option<u64>,
    /// Bytes of the request that the kernel took.
    pub sent: usize,
    /// Bytes of the response so far.
    pub received: u64,
}

/// What bytes, or their end, did to the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The response goes on.
    More,
    /// The request has its outcome.
    Ended {
        /// Which.
        outcome: Outcome,
        /// What was seen, if it failed.
        detail: Option<Detail>,
        /// The connection can carry another request.
        keep: bool,
    },
    /// No request waits: the connection is to be closed, nobody is to blame.
    Unasked,
}

impl Step {
    /// Whether a complete response was the last that the connection carries.
    #[must_use]
    pub fn is_last_response(&self) -> bool {
        matches!(self, Self::Ended { outcome, keep: false, .. } if outcome.is_response())
    }
}

/// One connection.
#[derive(Debug, Default)]
pub struct Connection {
    /// Where it stands.
    pub phase: Phase,
    /// The request bound to it, if any.
    pub exchange: Option<Exchange>,
    parser: ResponseParser,
    status: u16,
    search: BodySearch,
    sample: Option<Box<Sample>>,
}

struct Observer<'a> {
    request: &'a Request,
    status: &'a mut u16,
    search: &'a mut BodySearch,
    sample: Option<&'a mut Sample>,
    sample_body_bytes: usize,
}

impl ResponseSink for Observer<'_> {
    fn status(&mut self, status: u16) {
        *self.status = status;
        if let Some(sample) = &mut self.sample {
            sample.status(status);
        }
    }

    fn header(&mut self, name: &[u8], value: &[u8]) {
        if let Some(sample) = &mut self.sample {
            sample.headers.push((name.to_vec(), value.to_vec()));
        }
    }

    fn body(&mut self, piece: &[u8]) {
        if let Some(expected) = &self.request.expected_text {
            self.search.feed(expected, piece);
        }
        if let Some(sample) = &mut self.sample {
            sample.body(piece, self.sample_body_bytes);
        }
    }
}

impl Connection {
    /// Binds an offered request, to be written as soon as the connection stands.
    pub fn bind(&mut self, operation: usize, intended_ns: u64, request: &Request) {
        self.exchange = Some(Exchange {
            operation,
            intended_ns,
            written_ns: None,
            sent: 0,
            received: 0,
        });
        self.parser.begin(request.is_head);
        self.search.reset();
        self.status = 0;
    }

    /// Whether a request was written whose response is not complete.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.exchange
            .is_some_and(|exchange| exchange.written_ns.is_some())
    }

    /// Reads bytes that came, and keeps them if the budget of samples has room.
    pub fn on_bytes(
        &mut self,
        bytes: &[u8],
        requests: &[Request],
        budget: &mut SampleBudget,
        sample_body_bytes: usize,
    ) -> Step {
        let Some(exchange) = self
            .exchange
            .as_mut()
            .filter(|one| one.written_ns.is_some())
        else {
            return Step::Unasked;
        };
        if exchange.received == 0 && budget.take(exchange.operation) {
            self.sample = Some(Box::new(Sample {
                operation: exchange.operation,
                ..Sample::default()
            }));
        }
        exchange.received += bytes.len() as u64;
        let request = &requests[exchange.operation];
        let mut observer = Observer {
            request,
            status: &mut self.status,
            search: &mut self.search,
            sample: self.sample.as_deref_mut(),
            sample_body_bytes,
        };
        match self.parser.feed(bytes, &mut observer) {
            Err(error) => failed(Outcome::Protocol, Detail::Parse(error)),
            Ok(_) if !self.parser.is_complete() => Step::More,
            // Without pipelining nothing can follow a response: its framing is wrong.
            Ok(used) if used < bytes.len() => failed(Outcome::Protocol, Detail::ExcessBytes),
            Ok(_) => self.judge(request),
        }
    }

    /// The peer ended the stream.
    pub fn on_end_of_stream(&mut self, requests: &[Request]) -> Step {
        match self.exchange {
            Some(exchange) if exchange.written_ns.is_some() => {
                if self.parser.end_of_stream() {
                    self.judge(&requests[exchange.operation])
                } else {
                    failed(Outcome::Read, Detail::EndOfStream(exchange.received))
                }
            }
            _ => Step::Unasked,
        }
    }

    /// The kernel reports the connection as broken.
    pub fn on_reset(&mut self, requests: &[Request], errno: Errno) -> Step {
        match self.exchange {
            Some(exchange) if exchange.written_ns.is_some() => {
                let is_written = exchange.sent == requests[exchange.operation].bytes.len();
                let outcome = if is_written {
                    Outcome::Read
                } else {
                    Outcome::Send
                };
                failed(outcome, Detail::Kernel(errno))
            }
            _ => Step::Unasked,
        }
    }

    /// The complete response as a sample, if it was chosen to be one.
    pub fn take_sample(&mut self, at_ns: u64) -> Option<Sample> {
        self.sample.take().map(|sample| Sample { at_ns, ..*sample })
    }

    fn judge(&self, request: &Request) -> Step {
        let (outcome, detail) = if !request.accepts(self.status) {
            (Outcome::Status, Some(Detail::Status(self.status)))
        } else if request
            .expected_text
            .as_ref()
            .is_some_and(|text| !self.search.is_found(text))
        {
            (Outcome::Check, Some(Detail::BodyLacksText))
        } else {
            (Outcome::Ok, None)
        };
        // A response that came before the whole request was written leaves the rest unwritten.
        let is_written = self
            .exchange
            .is_some_and(|one| one.sent == request.bytes.len());
        let keep = self.parser.keeps_alive() && is_written && !request.closes;
        Step::Ended {
            outcome,
            detail,
            keep,
        }
    }
}

fn failed(outcome: Outcome, detail: Detail) -> Step {
    Step::Ended {
        outcome,
        detail: Some(detail),
        keep: false,
    }
}
