//! What is answered to whom, and the counts.

use memchr::memmem::find;
use serde::Serialize;

/// Of a token; its last digits are its number, so that each log-in has one of its own.
const TOKEN_BYTES: usize = 250;
const NUMBER_DIGITS: usize = 16;
/// Of the list; the names of its items fill it up.
const LIST_BYTES: usize = 800;
const ITEMS: usize = 5;
const SCHEME: &[u8] = b"Bearer ";

/// A request, as far as an answer depends on it.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    pub method: &'a [u8],
    pub path: &'a [u8],
    pub authorization: Option<&'a [u8]>,
    pub body: &'a [u8],
}

/// How many requests came to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub logins: u64,
    pub lists: u64,
    pub inserts: u64,
    /// Without the token of a log-in.
    pub unauthorized: u64,
    /// A body that is cut, goes on behind its end, or does not name an item of the list.
    pub malformed: u64,
    /// Of another path or method.
    pub unknown: u64,
}

/// The server's state.
#[derive(Debug)]
pub struct Service {
    pub counts: Counts,
    token: Vec<u8>,
    list: Vec<u8>,
    first_item: Vec<u8>,
}

impl Default for Service {
    fn default() -> Self {
        let letters = b"eyJhbGciOiJub25lIn0.".iter().cycle();
        Self {
            counts: Counts::default(),
            token: letters.take(TOKEN_BYTES - NUMBER_DIGITS).copied().collect(),
            list: list(),
            first_item: format!("\"like\":\"{}\"", item(1)).into_bytes(),
        }
    }
}

impl Service {
    /// Answers one request: appends the body, JSON, and returns the status.
    pub fn answer(&mut self, request: Request<'_>, body: &mut Vec<u8>) -> u16 {
        match (request.method, request.path) {
            (b"POST", b"/login") if !is_object(request.body) => self.refuse(body),
            (b"POST", b"/login") => {
                self.counts.logins += 1;
                body.extend_from_slice(b"{\"token_type\":\"Bearer\",\"token\":\"");
                body.extend_from_slice(&self.token);
                body.extend_from_slice(format!("{:016x}", self.counts.logins).as_bytes());
                body.extend_from_slice(b"\",\"expires_in\":3600}");
                200
            }
            (b"GET" | b"POST", b"/items") if !self.is_known(request.authorization) => {
                self.counts.unauthorized += 1;
                body.extend_from_slice(b"{\"error\":\"log in first\"}");
                401
            }
            (b"GET", b"/items") => {
                self.counts.lists += 1;
                body.extend_from_slice(&self.list);
                200
            }
            (b"POST", b"/items") => {
                let is_sound =
                    is_object(request.body) && find(request.body, &self.first_item).is_some();
                if !is_sound {
                    return self.refuse(body);
                }
                self.counts.inserts += 1;
                body.extend_from_slice(b"{\"id\":\"item-6\"}");
                201
            }
            _ => {
                self.counts.unknown += 1;
                body.extend_from_slice(b"{\"error\":\"no such thing\"}");
                404
            }
        }
    }

    /// Answers what is no request, or one whose length lies.
    pub fn refuse(&mut self, body: &mut Vec<u8>) -> u16 {
        self.counts.malformed += 1;
        body.extend_from_slice(b"{\"error\":\"malformed\"}");
        400
    }

    /// Whether it is the token of a log-in that took place.
    fn is_known(&self, authorization: Option<&[u8]>) -> bool {
        let number = authorization
            .and_then(|value| value.strip_prefix(SCHEME))
            .and_then(|token| token.strip_prefix(self.token.as_slice()))
            .filter(|digits| digits.len() == NUMBER_DIGITS)
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u64::from_str_radix(digits, 16).ok());
        number.is_some_and(|number| (1..=self.counts.logins).contains(&number))
    }
}

/// Whether it begins and ends as a JSON object: what a wrong length would cut, or go beyond.
fn is_object(body: &[u8]) -> bool {
    body.len() >= 2 && body.starts_with(b"{") && body.ends_with(b"}")
}

fn item(number: usize) -> String {
    format!("item-{number}")
}

fn list() -> Vec<u8> {
    let of = |filling: usize| {
        let items: Vec<String> = (1..=ITEMS)
            .map(|number| {
                let name = "n".repeat(filling / ITEMS + usize::from(number <= filling % ITEMS));
                format!(
                    "{{\"id\":\"{}\",\"name\":\"{name}\",\"price\":{number}}}",
                    item(number)
                )
            })
            .collect();
        format!("{{\"items\":[{}]}}", items.join(",")).into_bytes()
    };
    of(LIST_BYTES - of(0).len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request<'a>(method: &'a str, path: &'a str, body: &'a str) -> Request<'a> {
        Request {
            method: method.as_bytes(),
            path: path.as_bytes(),
            authorization: None,
            body: body.as_bytes(),
        }
    }

    fn answer(service: &mut Service, request: Request<'_>) -> (u16, serde_json::Value) {
        let mut body = Vec::new();
        let status = service.answer(request, &mut body);
        (status, serde_json::from_slice(&body).expect("is JSON"))
    }

    #[test]
    fn a_session_logs_in_lists_and_inserts_with_what_it_was_given() {
        let mut service = Service::default();
        let (status, login) = answer(&mut service, request("POST", "/login", "{}"));
        assert_eq!((status, &login["token_type"]), (200, &"Bearer".into()));
        let token = login["token"].as_str().expect("a token");
        assert_eq!(token.len(), TOKEN_BYTES);
        let bearer = format!("Bearer {token}");
        let with_token = |request| Request {
            authorization: Some(bearer.as_bytes()),
            ..request
        };
        let (status, list) = answer(&mut service, with_token(request("GET", "/items", "")));
        assert_eq!(
            (status, list["items"].as_array().map(Vec::len)),
            (200, Some(ITEMS))
        );
        assert_eq!(service.list.len(), LIST_BYTES);
        let id = list["items"][0]["id"].as_str().expect("an id");
        let insert = format!("{{\"name\":\"n\",\"like\":\"{id}\"}}");
        let inserted = answer(&mut service, with_token(request("POST", "/items", &insert)));
        assert_eq!(inserted.0, 201);
        let other = answer(
            &mut service,
            with_token(request("POST", "/items", "{\"like\":\"x\"}")),
        );
        assert_eq!(other.0, 400);
        let expected = Counts {
            logins: 1,
            lists: 1,
            inserts: 1,
            malformed: 1,
            ..Counts::default()
        };
        assert_eq!(service.counts, expected);
    }

    #[test]
    fn a_token_that_no_log_in_gave_is_refused() {
        let mut service = Service::default();
        let issued = |service: &Service, number: u64| {
            let head = String::from_utf8_lossy(&service.token).into_owned();
            format!("Bearer {head}{number:016x}")
        };
        answer(&mut service, request("POST", "/login", "{}"));
        for (authorization, status) in [
            (issued(&service, 1), 200),
            (issued(&service, 2), 401),
            (issued(&service, 0), 401),
            ("Bearer undefined".to_owned(), 401),
            (issued(&service, 1)[7..].to_owned(), 401),
        ] {
            let asked = Request {
                authorization: Some(authorization.as_bytes()),
                ..request("GET", "/items", "")
            };
            assert_eq!(answer(&mut service, asked).0, status, "{authorization}");
        }
        assert_eq!(answer(&mut service, request("GET", "/items", "")).0, 401);
        assert_eq!(service.counts.unauthorized, 5);
    }

    #[test]
    fn a_body_that_is_no_whole_object_and_another_path_are_told_apart() {
        let mut service = Service::default();
        for body in ["", "{", "{\"email\":\"a\"", "{}x"] {
            assert_eq!(answer(&mut service, request("POST", "/login", body)).0, 400);
        }
        assert_eq!(answer(&mut service, request("GET", "/login", "")).0, 404);
        assert_eq!(answer(&mut service, request("GET", "/", "")).0, 404);
        assert_eq!((service.counts.malformed, service.counts.unknown), (4, 2));
    }
}
