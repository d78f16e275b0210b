//! A request that is put together for each session: by HTTP/1.1 its bytes, by HTTP/2 its fields and body.
//!
//! The body comes first, so that the head has its exact length: HTTP/2 allows no padding in a value (RFC
//! 9113 section 8.2.1), and zeros or blanks before a length meet strict parsers.

use std::sync::Arc;

use crate::exchange::redirect::Redirected;
use crate::exchange::request::{RequestMaker, Written};
use crate::plan::Operation;
use crate::protocol::hpack::encoder::{Block, FieldId, NameId};
use crate::protocol::http1::Http1Request;
use crate::protocol::http2::Http2Request;
use crate::session::cookies::{Asked, Jar};
use crate::session::integer::IntegerError;
use crate::session::occasion::Context;
use crate::session::template::{Template, Unsendable};

/// What a request is made of, prepared.
#[derive(Clone, Debug)]
pub struct RequestTemplate {
    method: Box<str>,
    method_field: FieldId,
    path: Template,
    path_field: Option<FieldId>,
    headers: Vec<HeaderTemplate>,
    body: Template,
    length_field: Option<FieldId>,
    says_close: bool,
    keeps_cookies: bool,
}

#[derive(Clone, Debug)]
struct HeaderTemplate {
    name: Box<str>,
    value: Template,
    is_cookie: bool,
    field: Http2Field,
}

/// How HTTP/2 writes a header.
#[derive(Clone, Copy, Debug)]
enum Http2Field {
    /// Always the same.
    Prepared(FieldId),
    /// With a value that varies.
    Literal(NameId),
    /// Not at all: RFC 9113 section 8.2.2, there are no fields about the connection.
    Nothing,
}

/// For whom a request is put together.
#[derive(Clone, Copy, Debug)]
pub struct Asking<'a> {
    /// The session's values, and when.
    pub context: Context<'a>,
    /// Its cookies, if it keeps any.
    pub jar: Option<&'a Jar>,
    /// Where a redirect leads, in place of the operation's own path.
    pub redirected: Option<&'a Redirected>,
}

/// Memory for the parts of a request, which is used again.
#[derive(Debug, Default)]
pub struct Scratch {
    path: Vec<u8>,
    value: Vec<u8>,
    cookie: Vec<u8>,
    body: Vec<u8>,
}

impl RequestTemplate {
    /// Prepares an operation.
    ///
    /// # Errors
    /// If a text of it cannot be put together.
    pub fn new(
        maker: &mut RequestMaker,
        operation: &Operation,
        keeps_cookies: bool,
    ) -> Result<Self, IntegerError> {
        let mut headers = Vec::new();
        for (name, value) in &operation.headers {
            let value = Template::new(value)?;
            headers.push(HeaderTemplate {
                is_cookie: name.eq_ignore_ascii_case("cookie"),
                field: http2_field(maker, name, &value),
                name: name.as_str().into(),
                value,
            });
        }
        let (path, body) = (
            Template::new(&operation.path)?,
            Template::new(&operation.body)?,
        );
        let method = operation.method.as_str();
        let says_close = headers.iter().any(|header| {
            let value = header.value.constant_bytes().unwrap_or_default();
            header.name.eq_ignore_ascii_case("connection")
                && value.trim_ascii().eq_ignore_ascii_case(b"close")
        });
        let fields = &mut maker.fields;
        let length = body.constant_bytes().map(<[u8]>::len);
        let length = length.filter(|&length| announces_length(method, length));
        Ok(Self {
            method: method.into(),
            method_field: fields.add(b":method", method.as_bytes()),
            path_field: path.constant_bytes().map(|path| fields.add(b":path", path)),
            path,
            headers,
            length_field: length
                .map(|length| fields.add(b"content-length", length.to_string().as_bytes())),
            body,
            says_close,
            keeps_cookies,
        })
    }

    /// Whether it is the same for all sessions.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        let mut values = self.headers.iter().map(|header| &header.value);
        !self.keeps_cookies
            && self.path.is_constant()
            && self.body.is_constant()
            && values.all(Template::is_constant)
    }

    /// The method of the operation.
    #[must_use]
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Appends path and query, as they are for a session.
    ///
    /// # Errors
    /// If they cannot be sent.
    pub fn write_path(&self, context: &Context<'_>, out: &mut Vec<u8>) -> Result<(), Unsendable> {
        self.path.render(context, out)
    }

    /// Puts the request together, in memory that is used again.
    ///
    /// # Errors
    /// If something may not stand where it should.
    pub fn write(
        &self,
        maker: &RequestMaker,
        asking: &Asking<'_>,
        scratch: &mut Scratch,
        written: &mut Written,
    ) -> Result<(), Unsendable> {
        self.fill(maker, asking, scratch)?;
        let redirected = asking.redirected;
        let method = redirected.map_or(&*self.method, |redirected| &*redirected.method);
        if maker.is_http2() {
            let request = own(&mut written.http2);
            request.is_head = method == "HEAD";
            self.write_http2(maker, asking, scratch, request)
        } else {
            let request = &mut written.http1;
            request.is_head = method == "HEAD";
            request.closes = self.says_close || maker.closes();
            self.write_http1(maker, method, asking, scratch, request)
        }
    }

    /// What both protocols need: body, path and cookies.
    fn fill(
        &self,
        maker: &RequestMaker,
        asking: &Asking<'_>,
        scratch: &mut Scratch,
    ) -> Result<(), Unsendable> {
        scratch.path.clear();
        scratch.body.clear();
        scratch.cookie.clear();
        match asking.redirected {
            Some(redirected) => scratch.path.extend_from_slice(&redirected.path),
            None => self.path.render(&asking.context, &mut scratch.path)?,
        }
        if asking
            .redirected
            .is_none_or(|redirected| redirected.keeps_body)
        {
            // What is always the same may have any length.
            match self.body.constant_bytes() {
                Some(body) => scratch.body.extend_from_slice(body),
                None => self.body.render(&asking.context, &mut scratch.body)?,
            }
        }
        if let Some(jar) = asking.jar {
            let asked = maker.asked(&scratch.path, asking.context.occasion.now_unix_s());
            jar.write(&asked, &mut scratch.cookie);
        }
        Ok(())
    }

    fn write_http1(
        &self,
        maker: &RequestMaker,
        method: &str,
        asking: &Asking<'_>,
        scratch: &Scratch,
        request: &mut Http1Request,
    ) -> Result<(), Unsendable> {
        let out = &mut request.bytes;
        out.clear();
        out.extend_from_slice(method.as_bytes());
        out.push(b' ');
        out.extend_from_slice(&scratch.path);
        out.extend_from_slice(b" HTTP/1.1\r\nHost: ");
        out.extend_from_slice(maker.host().as_bytes());
        let mut cookie = scratch.cookie.as_slice();
        for header in &self.headers {
            out.extend_from_slice(b"\r\n");
            out.extend_from_slice(header.name.as_bytes());
            out.extend_from_slice(b": ");
            header.value.render(&asking.context, out)?;
            if header.is_cookie && !cookie.is_empty() {
                out.extend_from_slice(b"; ");
                out.extend_from_slice(std::mem::take(&mut cookie));
            }
        }
        if !cookie.is_empty() {
            out.extend_from_slice(b"\r\nCookie: ");
            out.extend_from_slice(cookie);
        }
        if maker.closes() && !self.says_close {
            out.extend_from_slice(b"\r\nConnection: close");
        }
        if announces_length(method, scratch.body.len()) {
            out.extend_from_slice(b"\r\nContent-Length: ");
            push_decimal(scratch.body.len(), out);
        }
        out.extend_from_slice(b"\r\n\r\n");
        out.extend_from_slice(&scratch.body);
        Ok(())
    }

    fn write_http2(
        &self,
        maker: &RequestMaker,
        asking: &Asking<'_>,
        scratch: &mut Scratch,
        request: &mut Http2Request,
    ) -> Result<(), Unsendable> {
        let common = maker.common();
        let Http2Request { block, body, .. } = request;
        block.clear();
        let becomes_get = asking.redirected.is_some_and(|one| &*one.method == "GET");
        block.push(if becomes_get {
            common.get
        } else {
            self.method_field
        });
        block.push(common.scheme);
        block.push(common.authority);
        match self.path_field {
            Some(path) if asking.redirected.is_none() => block.push(path),
            _ => block.push_literal(common.path, &scratch.path),
        }
        self.push_headers(maker, asking, scratch, block)?;
        let method = if becomes_get { "GET" } else { &*self.method };
        if announces_length(method, scratch.body.len()) {
            if let Some(length) = self.length_field {
                block.push(length);
            } else {
                scratch.value.clear();
                push_decimal(scratch.body.len(), &mut scratch.value);
                block.push_literal(common.content_length, &scratch.value);
            }
        }
        body.clear();
        body.extend_from_slice(&scratch.body);
        Ok(())
    }

    fn push_headers(
        &self,
        maker: &RequestMaker,
        asking: &Asking<'_>,
        scratch: &mut Scratch,
        block: &mut Block,
    ) -> Result<(), Unsendable> {
        for header in &self.headers {
            match header.field {
                Http2Field::Prepared(field) => block.push(field),
                Http2Field::Nothing => {}
                Http2Field::Literal(name) => {
                    scratch.value.clear();
                    header.value.render(&asking.context, &mut scratch.value)?;
                    block.push_literal(name, scratch.value.trim_ascii());
                }
            }
        }
        // HTTP/2 allows several: RFC 9113 section 8.2.3.
        if !scratch.cookie.is_empty() {
            block.push_literal(maker.common().cookie, &scratch.cookie);
        }
        Ok(())
    }
}

fn http2_field(maker: &mut RequestMaker, name: &str, value: &Template) -> Http2Field {
    let lower = name.to_ascii_lowercase();
    let is_about_connection = matches!(
        lower.as_str(),
        "connection" | "keep-alive" | "proxy-connection"
    );
    if is_about_connection {
        return Http2Field::Nothing;
    }
    match value.constant_bytes() {
        Some(value) => Http2Field::Prepared(maker.fields.add(lower.as_bytes(), value.trim_ascii())),
        None => Http2Field::Literal(maker.fields.add_name(lower.as_bytes())),
    }
}

impl RequestMaker {
    /// A request of this path, as far as cookies depend on it.
    #[must_use]
    pub fn asked<'a>(&'a self, path: &'a [u8], now_unix_s: i64) -> Asked<'a> {
        Asked {
            host: without_port(self.host()),
            path,
            is_secure: self.is_secure(),
            now_unix_s,
        }
    }
}

/// The host of a Host header.
fn without_port(host: &str) -> &str {
    let end = if host.starts_with('[') {
        host.find(']').map(|end| end + 1)
    } else {
        host.find(':')
    };
    &host[..end.unwrap_or(host.len())]
}

/// RFC 9110 section 8.6: a method that expects content says so even when there is none.
fn announces_length(method: &str, length: usize) -> bool {
    matches!(method, "POST" | "PUT" | "PATCH") || length > 0
}

fn push_decimal(number: usize, out: &mut Vec<u8>) {
    let digits = number.checked_ilog10().unwrap_or(0);
    for place in (0..=digits).rev() {
        let digit = number / 10_usize.pow(place) % 10;
        out.push(b'0' + u8::try_from(digit).unwrap_or_default());
    }
}

/// The request itself, unless a stream still writes the last one: then another.
fn own(request: &mut Arc<Http2Request>) -> &mut Http2Request {
    if Arc::get_mut(request).is_none() {
        *request = Arc::default();
    }
    Arc::make_mut(request)
}

#[cfg(test)]
mod tests;
