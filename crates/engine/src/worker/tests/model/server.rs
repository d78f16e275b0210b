//! A server that writes down what it is asked, and whose deeds depend on nothing but the session and how
//! many requests that sent before.

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::rc::Rc;

use crate::arrivals::random::mix;
use crate::worker::simulated::{Accepting, Happening, Happenings, Server};

const MS: u64 = 1_000_000;

/// Group and number.
pub type SessionKey = (u16, u64);

/// What was asked by each session, byte by byte.
pub type Log = BTreeMap<SessionKey, Vec<Vec<u8>>>;

/// What is done about a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Deed {
    /// It is answered.
    Answers(Answer),
    /// The connection is closed, after so much of the answer.
    Closes(usize),
    /// Nothing.
    Nothing,
    /// What comes back is not HTTP.
    Garbage,
}

/// An answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its headers, but for those of the body.
    pub headers: Vec<(&'static str, String)>,
    /// Its body, without a coding.
    pub body: Vec<u8>,
    /// How that is coded; none: not at all.
    pub coding: Option<Coding>,
}

/// How a body is coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// By gzip.
    Gzip,
    /// By nothing, though it says so.
    Broken,
}

/// What is done about the request of a session that comes after so many others of it.
pub fn deed(mood: u64, session: SessionKey, before: usize) -> Deed {
    let bits = [u64::from(session.0), session.1, before as u64]
        .into_iter()
        .fold(mix(mood), |bits, part| mix(bits ^ part));
    let mut answer = Answer {
        status: 200,
        body: body(bits),
        ..Answer::default()
    };
    if mood == 0 {
        return Deed::Answers(answer);
    }
    if bits % 3 == 0 {
        answer.headers.push(("X-Tok", format!("t{}", bits % 4)));
    }
    match bits >> 32 & 31 {
        0 => answer.status = 201,
        1 => (answer.status, answer.body) = (204, Vec::new()),
        2 => answer.status = 404,
        3 => answer.status = 409,
        4 => answer.status = 503,
        5 => return Deed::Closes(0),
        6 => return Deed::Nothing,
        7 => return Deed::Garbage,
        8 => return Deed::Closes(50),
        9 => answer.body = b"<html>".to_vec(),
        10 => answer.coding = Some(Coding::Gzip),
        11 => answer.coding = Some(Coding::Broken),
        12 => answer
            .headers
            .push(("Set-Cookie", format!("sid={}; Path=/", bits % 9))),
        13 => {
            answer
                .headers
                .push(("Set-Cookie", "sid=; Path=/; Max-Age=0".to_owned()));
            answer
                .headers
                .push(("set-cookie", "other=2; Path=/o1".to_owned()));
        }
        14 => answer.headers.push(("Connection", "close".to_owned())),
        15 => answer
            .headers
            .push(("Location", format!("/l/{}", bits % 9))),
        16 => answer.headers.push(("Set-Cookie", "none".to_owned())),
        _ => {}
    }
    Deed::Answers(answer)
}

fn body(bits: u64) -> Vec<u8> {
    const NAMES: [&str; 4] = ["plain", "a b", "..", "q\"t"];
    let name = |bits: u64| NAMES[usize::try_from(bits % 4).unwrap_or(0)];
    let item = |number: u64| {
        let id = if number.is_multiple_of(2) {
            json!(number)
        } else {
            json!(format!("i{number}"))
        };
        json!({"id": id, "name": name(bits >> number)})
    };
    let items: Vec<Value> = (0..bits >> 8 & 3).map(item).collect();
    let n = (bits >> 16 & 3).cast_signed() - 1;
    let body = json!({"token": name(bits >> 20), "items": items, "n": n, "nested": {"a": null}});
    body.to_string().into_bytes()
}

impl Answer {
    fn bytes(&self) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} X\r\n", self.status);
        for (name, value) in &self.headers {
            write!(head, "{name}: {value}\r\n").expect("is memory");
        }
        let body = match self.coding {
            None => self.body.clone(),
            Some(coding) => {
                head += "Content-Encoding: gzip\r\n";
                coded(&self.body, coding)
            }
        };
        if self.status != 204 {
            write!(head, "Content-Length: {}\r\n", body.len()).expect("is memory");
        }
        [head.as_bytes(), b"\r\n", &body].concat()
    }

    fn closes(&self) -> bool {
        self.headers.iter().any(|header| header.0 == "Connection")
    }
}

fn coded(body: &[u8], coding: Coding) -> Vec<u8> {
    if coding == Coding::Broken {
        return body.to_vec();
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body).expect("is memory");
    encoder.finish().expect("is memory")
}

/// The server.
pub struct Recorder {
    mood: u64,
    log: Rc<RefCell<Log>>,
    unread: Vec<Vec<u8>>,
}

impl Recorder {
    /// For so many slots.
    pub fn new(mood: u64, log: &Rc<RefCell<Log>>, slots: usize) -> Self {
        Self {
            mood,
            log: Rc::clone(log),
            unread: vec![Vec::new(); slots],
        }
    }

    fn act(&self, session: SessionKey, request: Vec<u8>, then: &mut Happenings) {
        let mut log = self.log.borrow_mut();
        let asked = log.entry(session).or_default();
        let (before, after_ns) = (asked.len(), (1 + asked.len() as u64 % 4) * MS);
        asked.push(request);
        let (bytes, closes) = match deed(self.mood, session, before) {
            Deed::Answers(answer) => (answer.bytes(), answer.closes()),
            Deed::Closes(length) => {
                let answer = Answer {
                    status: 200,
                    body: body(1),
                    ..Answer::default()
                };
                (answer.bytes()[..length].to_vec(), true)
            }
            Deed::Nothing => return,
            Deed::Garbage => (b"garbage".to_vec(), false),
        };
        if !bytes.is_empty() {
            then.push((after_ns, Happening::Bytes(bytes)));
        }
        if closes {
            then.push((after_ns, Happening::Closed));
        }
    }
}

/// The first request in these bytes, and whose it is; and the bytes after it.
fn split(bytes: &[u8]) -> Option<(SessionKey, usize)> {
    let mut headers = [httparse::EMPTY_HEADER; 16];
    let mut request = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(head) = request.parse(bytes).expect("is a request") else {
        return None;
    };
    let value = |name: &str| {
        let mut named = request
            .headers
            .iter()
            .filter(|one| one.name.eq_ignore_ascii_case(name));
        let value = named
            .next()
            .map(|header| str::from_utf8(header.value).expect("is text"));
        assert!(named.next().is_none(), "{name} comes twice");
        value
    };
    assert_eq!(value("host"), Some("h:1"));
    let length: usize = value("content-length").map_or(0, |text| text.parse().expect("a number"));
    let (group, number) = value("x-session")
        .and_then(|text| text.split_once('-'))
        .expect("is there");
    let session = (
        group.parse().expect("a number"),
        number.parse().expect("a number"),
    );
    (bytes.len() >= head + length).then_some((session, head + length))
}

impl Server for Recorder {
    fn connect(&mut self, slot: usize, _then: &mut Happenings) -> Accepting {
        self.unread[slot].clear();
        Accepting::AtOnce
    }

    fn receive(&mut self, slot: usize, bytes: &[u8], then: &mut Happenings) -> usize {
        self.unread[slot].extend_from_slice(bytes);
        while let Some((session, end)) = split(&self.unread[slot]) {
            let rest = self.unread[slot].split_off(end);
            let request = std::mem::replace(&mut self.unread[slot], rest);
            self.act(session, request, then);
        }
        bytes.len()
    }
}
