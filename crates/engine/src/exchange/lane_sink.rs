//! Puts what a codec reads into the lanes whose requests it answers.

use crate::exchange::expected_answer::StatusMeaning;
use crate::exchange::lane::Lane;
use crate::exchange::request::Request;
use crate::protocol::content_coding::Coding;
use crate::protocol::http2::{StreamEnd, StreamSink, WantedHeaders};
use crate::record::samples::{Sample, SampleBudget};

/// The lanes of one connection, as its codec sees them while it reads.
#[derive(Debug)]
pub struct LaneSink<'a> {
    /// The lanes of this connection, by tag.
    pub lanes: &'a mut [Lane],
    /// The requests of the whole load, by operation.
    pub requests: &'a [Request],
    /// What may still be sampled.
    pub samples: &'a mut SampleBudget,
    /// Bytes kept of a sampled body.
    pub sample_body_bytes: usize,
    /// Whether redirects are followed.
    pub follows_redirects: bool,
    /// When the bytes were received.
    pub at_ns: u64,
    /// Responses that ended, in order.
    pub ended: &'a mut Vec<(u32, StreamEnd)>,
}

impl StreamSink for LaneSink<'_> {
    fn wants_headers(&self, tag: u32) -> WantedHeaders {
        let lane = &self.lanes[tag as usize];
        let Some(exchange) = &lane.exchange else {
            return WantedHeaders::None;
        };
        let request = &self.requests[exchange.operation];
        if lane.sample.is_some() || request.expected.looks_at_headers() {
            WantedHeaders::All
        } else if self.follows_redirects
            || request.keeps_cookies
            || request.expected.wants_cookies()
            || request.expected.looks_into_body()
        {
            WantedHeaders::Notable
        } else {
            WantedHeaders::None
        }
    }

    fn bytes(&mut self, tag: u32, count: usize) {
        let lane = &mut self.lanes[tag as usize];
        let Some(exchange) = &mut lane.exchange else {
            return;
        };
        exchange.received += count as u64;
        if exchange.first_byte_ns.is_none() {
            exchange.first_byte_ns = Some(self.at_ns);
            if self.samples.take(exchange.operation) {
                lane.sample = Some(Box::new(Sample {
                    operation: exchange.operation,
                    ..Sample::default()
                }));
            }
        }
    }

    fn status(&mut self, tag: u32, status: u16) {
        let lane = &mut self.lanes[tag as usize];
        lane.status = status;
        lane.coding = Coding::default();
        lane.location = None;
        if lane.uses_reader {
            lane.reader().begin_head();
        }
        if let Some(sample) = &mut lane.sample {
            sample.status(status);
        }
    }

    fn header(&mut self, tag: u32, name: &[u8], value: &[u8]) {
        let lane = &mut self.lanes[tag as usize];
        if let Some(sample) = &mut lane.sample {
            sample.headers.push((name.to_vec(), value.to_vec()));
        }
        let Some(exchange) = &lane.exchange else {
            return;
        };
        let request = &self.requests[exchange.operation];
        if name.eq_ignore_ascii_case(b"content-encoding") {
            lane.coding = lane.coding.with_header(value);
        } else if self.follows_redirects && name.eq_ignore_ascii_case(b"location") {
            lane.location = Some(value.into());
        } else if name.eq_ignore_ascii_case(b"set-cookie") {
            if request.keeps_cookies || request.expected.wants_cookies() {
                lane.reader().keep_cookie(value);
            } else {
                lane.ignored_cookies += 1;
            }
        }
        if lane.uses_reader
            && let Some(header) = request.expected.header(name)
        {
            lane.reader().keep_header(header, value);
        }
    }

    fn body(&mut self, tag: u32, piece: &[u8]) {
        let lane = &mut self.lanes[tag as usize];
        if let Some(sample) = &mut lane.sample {
            sample.body(piece, self.sample_body_bytes);
        }
        let Some(exchange) = &lane.exchange else {
            return;
        };
        let request = &self.requests[exchange.operation];
        if request.compares_answers {
            lane.digester.feed(piece);
        }
        let expected = &request.expected;
        // What is said with another status is not what is looked for.
        if !lane.uses_reader
            || !expected.looks_into_body()
            || expected.meaning(lane.status) != StatusMeaning::Expected
        {
            return;
        }
        let Lane {
            reader: Some(reader),
            decoder,
            is_decoding,
            coding,
            undecodable,
            ..
        } = lane
        else {
            return;
        };
        if *coding == Coding::Identity {
            expected.feed(reader, piece);
            return;
        }
        let decoder = decoder.get_or_insert_default();
        if !*is_decoding {
            decoder.begin(*coding);
            *is_decoding = true;
        }
        if undecodable.is_none() {
            let fed = decoder.feed(piece, |decoded| expected.feed(reader, decoded));
            *undecodable = fed.err();
        }
    }

    fn ended(&mut self, tag: u32, end: StreamEnd) {
        self.ended.push((tag, end));
    }
}
