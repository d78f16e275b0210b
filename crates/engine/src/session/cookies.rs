//! What a server sets for one session, as RFC 6265 has it, and what is sent back of it.
//!
//! All requests go to one host, so cookies are told apart by name and path alone. Left out: public suffixes,
//! prefixes of names and `SameSite`, which protect people from other sites; and a cookie beyond the limits is
//! dropped where a browser drops an older one, since that would hide what a service does.

use crate::session::cookie_date;
use crate::session::escape::is_header;

/// As many as a session keeps.
pub const MOST_COOKIES: usize = 32;

/// As much as they take together: names, values and paths.
pub const MOST_BYTES: usize = 8 << 10;

/// What a session leaves to the next at most.
const KEPT_BYTES: usize = 2 << 10;

/// A request, as far as cookies depend on it.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The host, without a port.
    pub host: &'a str,
    /// Path and query.
    pub path: &'a [u8],
    /// Whether it goes over TLS.
    pub is_secure: bool,
    /// The time, in seconds since 1970.
    pub now_unix_s: i64,
}

/// What became of a cookie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is kept.
    Kept,
    /// It has expired already, which removes one of its name and path.
    Expired,
    /// It is for another host, or no cookie that could be sent.
    Refused,
    /// There is no room.
    Dropped,
}

/// The cookies of one session.
#[derive(Clone, Debug, Default)]
pub struct Jar {
    now: Cookies,
    /// Those that every session has.
    common: Cookies,
}

#[derive(Clone, Debug, Default)]
struct Cookies {
    /// By the time at which they were first set.
    list: Vec<Cookie>,
    /// Name, value and path of each, without gaps.
    bytes: Vec<u8>,
}

/// One cookie; its texts stand one after the other.
#[derive(Clone, Copy, Debug)]
struct Cookie {
    start: usize,
    name_length: usize,
    value_length: usize,
    path_length: usize,
    is_secure: bool,
    /// In seconds since 1970.
    expires_s: i64,
}

/// What a Set-Cookie line says.
struct Line<'a> {
    name: &'a [u8],
    value: &'a [u8],
    /// None: it follows from the request.
    path: Option<&'a [u8]>,
    domain: Option<&'a [u8]>,
    max_age_s: Option<i64>,
    expires_s: Option<i64>,
    is_secure: bool,
}

/// Name and value of a Set-Cookie header; none if it has no name.
#[must_use]
pub fn name_and_value(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let pair = line.split(|&byte| byte == b';').next()?;
    let equals = memchr::memchr(b'=', pair)?;
    let (name, value) = (trim(&pair[..equals]), trim(&pair[equals + 1..]));
    (!name.is_empty()).then_some((name, value))
}

/// Without blanks before and after.
fn trim(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = text {
        text = rest;
    }
    text
}

impl<'a> Line<'a> {
    /// RFC 6265, section 5.2: of equal attributes the last one counts.
    fn parse(line: &'a [u8]) -> Option<Self> {
        let (name, value) = name_and_value(line)?;
        let mut parsed = Self {
            name,
            value,
            path: None,
            domain: None,
            max_age_s: None,
            expires_s: None,
            is_secure: false,
        };
        for attribute in line.split(|&byte| byte == b';').skip(1) {
            let equals = memchr::memchr(b'=', attribute);
            let (name, value) = match equals {
                Some(equals) => (trim(&attribute[..equals]), trim(&attribute[equals + 1..])),
                None => (trim(attribute), &b""[..]),
            };
            if name.eq_ignore_ascii_case(b"path") {
                parsed.path = value.starts_with(b"/").then_some(value);
            } else if name.eq_ignore_ascii_case(b"domain") {
                let domain = value.strip_prefix(b".").unwrap_or(value);
                parsed.domain = (!domain.is_empty()).then_some(domain);
            } else if name.eq_ignore_ascii_case(b"max-age") {
                parsed.max_age_s = seconds(value).or(parsed.max_age_s);
            } else if name.eq_ignore_ascii_case(b"expires") {
                parsed.expires_s = cookie_date::parse(value).or(parsed.expires_s);
            } else if name.eq_ignore_ascii_case(b"secure") {
                parsed.is_secure = true;
            }
        }
        Some(parsed)
    }

    /// When it expires, in seconds since 1970; `Max-Age` comes before `Expires`.
    fn expiry_s(&self, now_unix_s: i64) -> i64 {
        match (self.max_age_s, self.expires_s) {
            (Some(age_s), _) if age_s <= 0 => i64::MIN,
            (Some(age_s), _) => now_unix_s.saturating_add(age_s),
            (None, Some(expires_s)) => expires_s,
            (None, None) => i64::MAX,
        }
    }
}

/// The value of `Max-Age`; however large, it is a number.
fn seconds(text: &[u8]) -> Option<i64> {
    let (is_negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let seconds = digits.iter().fold(0_i64, |seconds, digit| {
        seconds
            .saturating_mul(10)
            .saturating_add(i64::from(digit - b'0'))
    });
    Some(if is_negative { -seconds } else { seconds })
}

/// RFC 6265, section 5.1.4: the path of a cookie that says none, the request's up to its last `/`.
fn default_path(path: &[u8]) -> &[u8] {
    let path = path.split(|&byte| byte == b'?').next().unwrap_or_default();
    match memchr::memrchr(b'/', path) {
        Some(last) if last > 0 && path.starts_with(b"/") => &path[..last],
        _ => b"/",
    }
}

/// RFC 6265, section 5.1.4: whether a cookie of this path is sent with a request.
fn is_below(request: &[u8], path: &[u8]) -> bool {
    let request = request
        .split(|&byte| byte == b'?')
        .next()
        .unwrap_or_default();
    match request.strip_prefix(path) {
        Some(rest) => rest.is_empty() || path.ends_with(b"/") || rest.starts_with(b"/"),
        None => false,
    }
}

/// RFC 6265, section 5.1.3: whether a host is of a domain. An address is only of itself.
fn is_of_domain(host: &str, domain: &[u8]) -> bool {
    let host = host.as_bytes();
    let Some(start) = host.len().checked_sub(domain.len()) else {
        return false;
    };
    let is_below = || {
        let is_address = host.contains(&b':') || !host.iter().any(u8::is_ascii_alphabetic);
        host[start - 1] == b'.' && !is_address
    };
    host[start..].eq_ignore_ascii_case(domain) && (start == 0 || is_below())
}

impl Jar {
    /// Takes a Set-Cookie header of the answer to a request.
    pub fn set(&mut self, line: &[u8], asked: &Asked) -> Taken {
        let Some(line) = Line::parse(line) else {
            return Taken::Refused;
        };
        let is_other = |domain| !is_of_domain(asked.host, domain);
        if line.domain.is_some_and(is_other) || !is_header(line.name) || !is_header(line.value) {
            return Taken::Refused;
        }
        let path = line.path.unwrap_or_else(|| default_path(asked.path));
        let length = line.name.len() + line.value.len() + path.len();
        if !self.now.has_room(length) {
            self.now.remove_expired(asked.now_unix_s);
        }
        let before = self.now.find(line.name, path);
        if let Some(index) = before {
            self.now.remove(index);
        }
        let expires_s = line.expiry_s(asked.now_unix_s);
        if expires_s <= asked.now_unix_s {
            return Taken::Expired;
        }
        if !self.now.has_room(length) {
            return Taken::Dropped;
        }
        let cookie = Cookie {
            start: self.now.bytes.len(),
            name_length: line.name.len(),
            value_length: line.value.len(),
            path_length: path.len(),
            is_secure: line.is_secure,
            expires_s,
        };
        for text in [line.name, line.value, path] {
            self.now.bytes.extend_from_slice(text);
        }
        let place = before.unwrap_or(self.now.list.len());
        self.now.list.insert(place, cookie);
        Taken::Kept
    }

    /// Appends the value of the Cookie header of a request; false, and nothing, if there is none to send.
    ///
    /// Those of longer paths come first, and of equal ones the one that was first set: RFC 6265, section
    /// 5.4.
    pub fn write(&self, asked: &Asked, out: &mut Vec<u8>) -> bool {
        let mut order = [0; MOST_COOKIES];
        let mut count = 0;
        for (index, cookie) in self.now.list.iter().enumerate() {
            let is_sent = cookie.expires_s > asked.now_unix_s
                && (asked.is_secure || !cookie.is_secure)
                && is_below(asked.path, self.now.path(cookie));
            if is_sent {
                let mut place = count;
                let length = |place: usize| self.now.list[order[place]].path_length;
                while place > 0 && length(place - 1) < cookie.path_length {
                    place -= 1;
                }
                order.copy_within(place..count, place + 1);
                order[place] = index;
                count += 1;
            }
        }
        for (place, &index) in order[..count].iter().enumerate() {
            if place > 0 {
                out.extend_from_slice(b"; ");
            }
            let cookie = &self.now.list[index];
            out.extend_from_slice(self.now.name(cookie));
            out.push(b'=');
            out.extend_from_slice(self.now.value(cookie));
        }
        count > 0
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.now.list.len()
    }

    /// What is there now, every further session has from its beginning.
    pub fn keep(&mut self) {
        self.common.clone_from(&self.now);
    }

    /// Begins with a new session: there is what was kept, and nothing else.
    pub fn begin(&mut self) {
        self.now.list.clone_from(&self.common.list);
        self.now.bytes.clone_from(&self.common.bytes);
        self.now.bytes.shrink_to(KEPT_BYTES);
    }

    /// Begins anew: nothing is there.
    pub fn reset(&mut self) {
        self.common = Cookies::default();
        self.begin();
    }
}

impl Cookies {
    fn name(&self, cookie: &Cookie) -> &[u8] {
        &self.bytes[cookie.start..][..cookie.name_length]
    }

    fn value(&self, cookie: &Cookie) -> &[u8] {
        &self.bytes[cookie.start + cookie.name_length..][..cookie.value_length]
    }

    fn path(&self, cookie: &Cookie) -> &[u8] {
        let start = cookie.start + cookie.name_length + cookie.value_length;
        &self.bytes[start..][..cookie.path_length]
    }

    fn find(&self, name: &[u8], path: &[u8]) -> Option<usize> {
        let mut cookies = self.list.iter();
        cookies.position(|cookie| self.name(cookie) == name && self.path(cookie) == path)
    }

    fn has_room(&self, length: usize) -> bool {
        self.list.len() < MOST_COOKIES && self.bytes.len() + length <= MOST_BYTES
    }

    fn remove(&mut self, index: usize) {
        let removed = self.list.remove(index);
        let length = removed.name_length + removed.value_length + removed.path_length;
        self.bytes.drain(removed.start..removed.start + length);
        for cookie in &mut self.list {
            if cookie.start > removed.start {
                cookie.start -= length;
            }
        }
    }

    fn remove_expired(&mut self, now_unix_s: i64) {
        let mut index = 0;
        while let Some(cookie) = self.list.get(index) {
            if cookie.expires_s <= now_unix_s {
                self.remove(index);
            } else {
                index += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests;
