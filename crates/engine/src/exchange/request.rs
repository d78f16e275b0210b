//! An operation made ready: its request, serialised once for the whole load where it is always the same,
//! and what its answers must be.

use std::sync::Arc;

use crate::exchange::expected_answer::{ExpectedAnswer, ExpectedError};
use crate::exchange::request_template::{Asking, RequestTemplate, Scratch};
use crate::outcome::Outcome;
use crate::plan::{Connections, Group, Operation, Plan, Protocol};
use crate::protocol::hpack::encoder::{FieldId, Fields, NameId};
use crate::protocol::http1::Http1Request;
use crate::protocol::http2::Http2Request;
use crate::session::integer::IntegerError;
use crate::session::occasion::{Context, Occasion};
use crate::session::template::Unsendable;
use crate::session::values::Values;

/// A request as it is written.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// By HTTP/1.1; empty if the load speaks HTTP/2.
    pub http1: Http1Request,
    /// By HTTP/2; empty if the load speaks HTTP/1.1.
    pub http2: Arc<Http2Request>,
}

/// One operation, ready to be performed any number of times.
#[derive(Clone, Debug)]
pub struct Request {
    /// What is always written; none if it differs from session to session.
    pub constant: Option<Written>,
    /// What it is made of.
    pub template: RequestTemplate,
    /// What its answers must be, and what is taken out of them.
    pub expected: ExpectedAnswer,
    /// The cell in which most of its requests are counted.
    pub first_cell: usize,
    /// Whether the bodies of its answers are told apart.
    pub compares_answers: bool,
    /// Whether sessions keep the cookies that its answers set.
    pub keeps_cookies: bool,
}

/// Why an operation cannot be made ready.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// A text cannot be put together.
    #[error(transparent)]
    Template(#[from] IntegerError),
    /// What its answers must be.
    #[error(transparent)]
    Expected(#[from] ExpectedError),
    /// It is always the same, and cannot be sent.
    #[error(transparent)]
    Unsendable(#[from] Unsendable),
}

impl Request {
    /// In which cell a request is counted that ended so.
    #[must_use]
    pub fn cell(&self, outcome: Outcome, status: u16) -> usize {
        if outcome.is_response() {
            self.first_cell + self.expected.cell(status)
        } else {
            self.first_cell
        }
    }
}

/// Serialises operations for one worker, whose connections share the prepared header fields.
#[derive(Clone, Debug)]
pub struct RequestMaker {
    /// Header fields of all operations, and the names of those that vary.
    pub fields: Fields,
    protocol: Protocol,
    host: String,
    closes: bool,
    common: CommonFields,
}

/// Fields that any request may have.
#[derive(Clone, Copy, Debug)]
pub struct CommonFields {
    /// `:method: GET`, what a redirect makes of other methods.
    pub get: FieldId,
    /// `:scheme`.
    pub scheme: FieldId,
    /// `:authority`.
    pub authority: FieldId,
    /// `:path`.
    pub path: NameId,
    /// `cookie`.
    pub cookie: NameId,
    /// `content-length`.
    pub content_length: NameId,
}

impl RequestMaker {
    /// For a checked plan.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let mut fields = Fields::new();
        let host = plan.target.host.clone();
        let common = CommonFields {
            get: fields.add(b":method", b"GET"),
            scheme: fields.add(b":scheme", scheme(plan.protocol).as_bytes()),
            authority: fields.add(b":authority", host.as_bytes()),
            path: fields.add_name(b":path"),
            cookie: fields.add_name(b"cookie"),
            content_length: fields.add_name(b"content-length"),
        };
        Self {
            fields,
            protocol: plan.protocol,
            host,
            closes: plan.connections == Connections::PerRequest,
            common,
        }
    }

    /// The URL of the target, without a path.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("{}://{}", scheme(self.protocol), self.host)
    }

    /// The value of the Host header.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Whether requests go over TLS.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.protocol.is_tls()
    }

    /// Whether each connection carries one request.
    #[must_use]
    pub fn closes(&self) -> bool {
        self.closes
    }

    /// Whether requests are written by HTTP/2.
    #[must_use]
    pub fn is_http2(&self) -> bool {
        self.protocol.is_http2()
    }

    /// Fields that any request may have.
    #[must_use]
    pub fn common(&self) -> CommonFields {
        self.common
    }

    /// Makes one operation of a group ready, whose cells begin with this one.
    ///
    /// # Errors
    /// If it cannot be performed.
    pub fn make(
        &mut self,
        group: &Group,
        operation: &Operation,
        first_cell: usize,
    ) -> Result<Request, RequestError> {
        let template = RequestTemplate::new(self, operation, group.cookies)?;
        let constant = if template.is_constant() {
            Some(self.constant(&template)?)
        } else {
            None
        };
        Ok(Request {
            constant,
            template,
            expected: ExpectedAnswer::new(group, operation)?,
            first_cell,
            compares_answers: operation.compare_answers,
            keeps_cookies: group.cookies,
        })
    }

    fn constant(&self, template: &RequestTemplate) -> Result<Written, Unsendable> {
        let values = Values::new(0);
        let occasion = Occasion {
            feeds: &[],
            origin: "",
            seed: 0,
            run_key: 0,
            group: 0,
            session_number: 0,
            user_number: 0,
            turn: 0,
            draw_turn: 0,
            now_unix_ns: 0,
        };
        let asking = Asking {
            context: Context {
                values: &values,
                occasion: &occasion,
            },
            jar: None,
            redirected: None,
        };
        let mut written = Written::default();
        template.write(self, &asking, &mut Scratch::default(), &mut written)?;
        Ok(written)
    }
}

fn scheme(protocol: Protocol) -> &'static str {
    if protocol.is_tls() { "https" } else { "http" }
}

#[cfg(test)]
mod tests;
