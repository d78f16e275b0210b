//! Responses kept under load, so that they can be held against the contract afterwards.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// Fields whose values are credentials: a record says that they came, not what they were.
const SECRET_FIELDS: [&str; 4] = [
    "set-cookie",
    "authorization",
    "proxy-authorization",
    "x-api-key",
];

const MASK: &[u8] = b"(masked)";

/// One response, as far as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Index of the operation.
    pub operation: usize,
    /// When its last byte came.
    pub at_ns: u64,
    /// The final status.
    pub status: u16,
    /// Names and values in their order.
    pub headers: Vec<(Vec<u8>, Vec<u8>)>,
    /// The beginning of the body.
    pub body: Vec<u8>,
    /// The length of the whole body.
    pub body_bytes: u64,
}

impl Sample {
    /// A new status line: what came before it is dropped, of an interim response or of one that
    /// led elsewhere.
    pub fn status(&mut self, status: u16) {
        self.status = status;
        self.headers.clear();
        self.body.clear();
        self.body_bytes = 0;
    }

    /// Keeps a piece of the body, up to `limit_bytes` of the whole.
    pub fn body(&mut self, piece: &[u8], limit_bytes: usize) {
        self.body_bytes += piece.len() as u64;
        let room = limit_bytes.saturating_sub(self.body.len());
        self.body.extend_from_slice(&piece[..piece.len().min(room)]);
    }

    /// The sample as one line of `samples.ndjson`. Header bytes that are not UTF-8 are replaced.
    #[must_use]
    pub fn to_json(&self, operation: &str) -> Value {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let headers: Vec<(String, String)> = self
            .headers
            .iter()
            .map(|(name, value)| (text(name), text(if is_secret(name) { MASK } else { value })))
            .collect();
        json!({
            "operation": operation,
            "at_ns": self.at_ns,
            "status": self.status,
            "headers": headers,
            "body": STANDARD.encode(&self.body),
            "body_bytes": self.body_bytes,
            "truncated": self.body_bytes > self.body.len() as u64,
        })
    }
}

fn is_secret(name: &[u8]) -> bool {
    SECRET_FIELDS
        .iter()
        .any(|secret| name.eq_ignore_ascii_case(secret.as_bytes()))
}

/// How many responses of each operation are still to be kept in this interval.
#[derive(Clone, Debug)]
pub struct SampleBudget {
    per_interval: u32,
    left: Vec<u32>,
}

impl SampleBudget {
    /// `per_interval` of each of `operations`.
    #[must_use]
    pub fn new(per_interval: u32, operations: usize) -> Self {
        Self {
            per_interval,
            left: vec![per_interval; operations],
        }
    }

    /// Takes one, if any is left.
    pub fn take(&mut self, operation: usize) -> bool {
        let left = &mut self.left[operation];
        let has_any = *left > 0;
        *left = left.saturating_sub(1);
        has_any
    }

    /// Gives one back: the response was never completed.
    pub fn give_back(&mut self, operation: usize) {
        self.left[operation] = (self.left[operation] + 1).min(self.per_interval);
    }

    /// Begins with a new interval.
    pub fn refill(&mut self) {
        self.left.fill(self.per_interval);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_beyond_the_limit_is_cut_and_says_so() {
        let mut sample = Sample::default();
        sample.status(100);
        sample.headers.push((b"interim".to_vec(), b"1".to_vec()));
        sample.status(200);
        sample.body(b"abcd", 6);
        sample.body(b"efgh", 6);
        let line = sample.to_json("get");
        assert_eq!(line["body"], STANDARD.encode("abcdef"));
        assert_eq!(line["body_bytes"], 8);
        assert_eq!(line["truncated"], true);
        assert_eq!(line["status"], 200);
        assert_eq!(line["headers"], json!([]));
    }

    #[test]
    fn a_sample_is_of_the_last_response() {
        let mut sample = Sample::default();
        sample.status(302);
        sample.body(b"elsewhere", 6);
        sample.status(200);
        sample.body(b"here", 6);
        let line = sample.to_json("get");
        assert_eq!(
            (&line["body"], &line["body_bytes"]),
            (&json!(STANDARD.encode("here")), &json!(4))
        );
    }

    #[test]
    fn a_secret_is_kept_by_name_only() {
        let mut sample = Sample::default();
        sample
            .headers
            .push((b"Set-Cookie".to_vec(), b"id=1".to_vec()));
        sample.headers.push((b"etag".to_vec(), b"2".to_vec()));
        let line = sample.to_json("get");
        assert_eq!(
            line["headers"],
            json!([["Set-Cookie", "(masked)"], ["etag", "2"]])
        );
    }

    #[test]
    fn one_a_second_is_one_until_refilled() {
        let mut budget = SampleBudget::new(1, 2);
        assert!(budget.take(0));
        assert!(!budget.take(0));
        assert!(budget.take(1));
        budget.give_back(0);
        assert!(budget.take(0));
        budget.refill();
        assert!(budget.take(0));
    }
}
