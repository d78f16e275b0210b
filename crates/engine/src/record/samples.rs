//! Responses kept under load, so that they can be held against the contract afterwards.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use memchr::memmem::Finder;
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
    /// Index of the operation, over all groups.
    pub operation: usize,
    /// Index of the group.
    pub group: u16,
    /// The session's number in its group.
    pub session: u64,
    /// Which entry of the session.
    pub step: u16,
    /// Whether the body has a content coding.
    pub is_coded: bool,
    /// When its last byte came.
    pub at_ns: u64,
    /// The final status.
    pub status: u16,
    /// Names and values in their order.
    pub headers: Vec<(Vec<u8>, Vec<u8>)>,
    /// The beginning of the body.
    pub body: Vec<u8>,
    /// The length of the whole body, with masks in place of secrets.
    pub body_bytes: u64,
    /// Whether less of it is kept.
    pub is_cut: bool,
}

impl Sample {
    /// A new status line: what came before it is dropped, of an interim response or of one that
    /// led elsewhere.
    pub fn status(&mut self, status: u16) {
        self.status = status;
        self.headers.clear();
        self.body.clear();
        self.body_bytes = 0;
        self.is_cut = false;
    }

    /// Keeps a piece of the body, up to `limit_bytes` of the whole.
    pub fn body(&mut self, piece: &[u8], limit_bytes: usize) {
        self.body_bytes += piece.len() as u64;
        let room = limit_bytes.saturating_sub(self.body.len());
        self.body.extend_from_slice(&piece[..piece.len().min(room)]);
        self.is_cut |= piece.len() > room;
    }

    /// Puts a mask in place of a secret, wherever it stands in headers and body; in a body that is cut, also of
    /// its beginning. `is_from_here`: the secret was taken out of this very body.
    pub fn mask(&mut self, secret: &[u8], is_from_here: bool) {
        if secret.is_empty() {
            return;
        }
        for (_, value) in &mut self.headers {
            replace(secret, value);
        }
        let came_bytes = self.body.len() as u64;
        let is_found = replace(secret, &mut self.body);
        // So a body that is whole has this length, and whoever holds it to its contract can tell.
        self.body_bytes = self.body_bytes + self.body.len() as u64 - came_bytes;
        let is_hidden = is_from_here && !is_found && !self.is_cut;
        if self.is_coded || is_hidden {
            // It is there in another form, and cannot be told from the rest.
            self.forget_body();
        } else if self.is_cut {
            let lengths = (1..secret.len()).rev();
            let mut beginnings = lengths.map(|length| &secret[..length]);
            if let Some(beginning) = beginnings.find(|beginning| self.body.ends_with(beginning)) {
                self.body.truncate(self.body.len() - beginning.len());
            }
        }
    }

    /// Puts a mask in place of the values of a header.
    pub fn mask_header(&mut self, name: &[u8]) {
        for (other, value) in &mut self.headers {
            if other.eq_ignore_ascii_case(name) {
                *value = MASK.to_vec();
            }
        }
    }

    /// Keeps nothing of the body.
    pub fn forget_body(&mut self) {
        self.body.clear();
        self.is_cut = true;
    }

    /// The sample as one line of `samples.ndjson`. Header bytes that are not UTF-8 are replaced.
    #[must_use]
    pub fn to_json(&self, operation: &str, group: &str) -> Value {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let headers: Vec<(String, String)> = self
            .headers
            .iter()
            .map(|(name, value)| (text(name), text(if is_secret(name) { MASK } else { value })))
            .collect();
        json!({
            "operation": operation,
            "group": group,
            "session": self.session,
            "step": self.step,
            "at_ns": self.at_ns,
            "status": self.status,
            "headers": headers,
            "body": STANDARD.encode(&self.body),
            "body_bytes": self.body_bytes,
            "truncated": self.is_cut,
        })
    }
}

/// Puts the mask in place of every occurrence; whether there was any.
fn replace(secret: &[u8], text: &mut Vec<u8>) -> bool {
    let finder = Finder::new(secret);
    let places: Vec<usize> = finder.find_iter(text).collect();
    for place in places.iter().rev() {
        text.splice(*place..place + secret.len(), MASK.iter().copied());
    }
    !places.is_empty()
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
        let line = sample.to_json("get", "callers");
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
        let line = sample.to_json("get", "callers");
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
        let line = sample.to_json("get", "callers");
        assert_eq!(
            line["headers"],
            json!([["Set-Cookie", "(masked)"], ["etag", "2"]])
        );
    }

    #[test]
    fn what_is_secret_is_masked_wherever_it_stands() {
        let body = |body: &[u8], limit_bytes: usize, is_coded, is_from_here| {
            let mut sample = Sample {
                is_coded,
                ..Sample::default()
            };
            sample.headers.push((b"x".to_vec(), b"a token b".to_vec()));
            sample.body(body, limit_bytes);
            sample.mask(b"token", is_from_here);
            assert_eq!(sample.headers[0].1, b"a (masked) b");
            if !sample.is_cut {
                assert_eq!(sample.body_bytes, sample.body.len() as u64);
            }
            String::from_utf8(sample.body).expect("is text")
        };
        let whole = body(b"{\"t\":\"token\",\"u\":\"token\"}", 99, false, true);
        assert_eq!(whole, "{\"t\":\"(masked)\",\"u\":\"(masked)\"}");
        assert_eq!(
            body(b"a token tok", 10, false, true),
            "a (masked) ",
            "it begins again"
        );
        assert_eq!(body(b"nothing", 99, false, false), "nothing");
        assert_eq!(
            body(b"\\u0074oken", 99, false, true),
            "",
            "written otherwise"
        );
        assert_eq!(body(b"coded", 99, true, false), "", "nobody knows");
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
