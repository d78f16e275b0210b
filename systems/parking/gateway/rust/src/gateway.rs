//! Finds what is wrong with a request in the order of the SPEC, and hands on what is right.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::{Body as _, Incoming};
use hyper::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue,
};
use hyper::http::request::Parts;
use hyper::http::uri::PathAndQuery;
use hyper::{Method, Request, Response, StatusCode, Uri, Version};

use crate::answer::AnswerBody;
use crate::attempt::Outgoing;
use crate::attempts::ask;
use crate::complaints::Complaints;
use crate::discovery::HasList;
use crate::fields::{self, Origin};
use crate::instances::Instances;
use crate::pages::{self, Pages};
use crate::paths::{has_dot_segment, is_of_users, is_open};
use crate::problem::Problem;
use crate::tokens::{Caller, Tokens};
use crate::upload::{LIMIT_BYTES, Upload};

const INSTANCE_ID: HeaderName = HeaderName::from_static("x-instance-id");

/// Between the longest head that passes and the shortest that does not.
const LONGEST_HEAD_BYTES: usize = 20 << 10;

/// What every request is answered with.
pub struct Gateway {
    /// What `X-Instance-Id` says.
    pub name: HeaderValue,
    /// What callers speak.
    pub scheme: &'static str,
    /// Whose a token is.
    pub tokens: Tokens,
    /// Who may read answers.
    pub pages: Pages,
    /// Who is asked.
    pub instances: Arc<Instances>,
    /// Whether they are known.
    pub has_list: HasList,
    /// Bounds the wait for the head of an answer.
    pub answer_limit: Duration,
    /// What is said of instances that fail.
    pub complaints: Complaints,
}

impl Gateway {
    /// Answers one request of a caller.
    ///
    /// # Errors
    /// Never.
    pub async fn answer(
        &self,
        request: Request<Incoming>,
        caller: IpAddr,
    ) -> Result<Response<AnswerBody>, Infallible> {
        let id = fields::request_id(request.headers());
        let page = self.pages.origin_of(request.headers());
        let mut answer = self.dispatch(request, caller, &id, page.as_ref()).await;
        answer.headers_mut().insert(fields::REQUEST_ID, id);
        Ok(answer)
    }

    async fn dispatch(
        &self,
        request: Request<Incoming>,
        from: IpAddr,
        id: &HeaderValue,
        page: Option<&HeaderValue>,
    ) -> Response<AnswerBody> {
        let (head, body) = request.into_parts();
        let is_preflight = pages::is_preflight(&head) && check_message(&head).is_ok();
        if let Some(page) = page.filter(|_| is_preflight) {
            let mut answer = Response::new(AnswerBody::Own(Full::default()));
            *answer.status_mut() = StatusCode::NO_CONTENT;
            pages::allow_next(page.clone(), answer.headers_mut());
            self.mark(answer.headers_mut());
            return answer;
        }
        let upload = Upload::new(body);
        let answered = self.pass(head, &upload, from, id).await;
        let mut answer = answered.unwrap_or_else(|(problem, is_last)| {
            upload.drop_rest();
            self.refusal(problem, is_last)
        });
        pages::allow(page.cloned(), answer.headers_mut());
        answer
    }

    /// What users answers, or `/health`; else why not, and whether what comes behind may be no request.
    async fn pass(
        &self,
        head: Parts,
        upload: &Upload,
        from: IpAddr,
        id: &HeaderValue,
    ) -> Result<Response<AnswerBody>, (Problem, bool)> {
        let is_http1 = head.version < Version::HTTP_2;
        let refused = |problem| (problem, false);
        let broken = |problem| (problem, is_http1 && problem == Problem::Malformed);
        check_message(&head).map_err(broken)?;
        if head.uri.path() == "/health" {
            return self.health(&head.method).map_err(refused);
        }
        let caller = self.check(&head, upload).map_err(refused)?;
        let origin = Origin {
            address: from,
            scheme: self.scheme,
            host: host_of(&head),
        };
        let outgoing = Outgoing {
            head: outgoing_head(head, caller, id, origin),
            upload: upload.clone(),
            answer_limit: self.answer_limit,
        };
        let answer = ask(&self.instances, &outgoing, &self.complaints).await;
        answer.map(relayed).map_err(broken)
    }

    /// Looks at path, token and size. Gives whom the token names, if one is needed.
    fn check(&self, head: &Parts, upload: &Upload) -> Result<Option<Caller>, Problem> {
        let path = head.uri.path();
        if has_dot_segment(path) {
            return Err(Problem::Malformed);
        }
        if !is_of_users(path) {
            return Err(Problem::NotFound);
        }
        let caller = if is_open(&head.method, path) {
            None
        } else {
            Some(self.tokens.authenticate(&head.headers)?)
        };
        if upload.sent().size_hint().lower() > LIMIT_BYTES {
            return Err(Problem::TooLarge);
        }
        Ok(caller)
    }

    fn health(&self, method: &Method) -> Result<Response<AnswerBody>, Problem> {
        if !matches!(*method, Method::GET | Method::HEAD) {
            return Err(Problem::MethodNotAllowed);
        }
        if !self.has_list.load(Ordering::Acquire) {
            return Err(Problem::Unavailable);
        }
        let up = Bytes::from_static(br#"{"status":"up"}"#);
        let mut answer = Response::new(AnswerBody::Own(Full::from(up)));
        let fields = answer.headers_mut();
        fields.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        self.mark(fields);
        Ok(answer)
    }

    fn refusal(&self, problem: Problem, is_last: bool) -> Response<AnswerBody> {
        let mut answer = problem.answer();
        self.mark(answer.headers_mut());
        if is_last {
            let fields = answer.headers_mut();
            fields.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        answer
    }

    /// Sets the fields that all answers of the gateway itself have.
    fn mark(&self, fields: &mut HeaderMap) {
        fields.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        fields.insert(INSTANCE_ID, self.name.clone());
    }
}

/// Whether the message is one that counts, beyond what the library has looked at.
fn check_message(head: &Parts) -> Result<(), Problem> {
    let target = head.uri.path_and_query().map_or("", PathAndQuery::as_str);
    if fields::size_bytes(&head.headers) + target.len() > LONGEST_HEAD_BYTES {
        return Err(Problem::FieldsTooLarge);
    }
    // RFC 9112, 3.2.
    let hosts = head.headers.get_all(HOST).iter().count();
    if head.version == Version::HTTP_11 && hosts != 1 {
        return Err(Problem::Malformed);
    }
    Ok(())
}

/// The host that a caller asks for.
fn host_of(head: &Parts) -> Option<HeaderValue> {
    match head.uri.authority() {
        Some(authority) => HeaderValue::from_str(authority.as_str()).ok(),
        None => head.headers.get(HOST).cloned(),
    }
}

/// What is sent to users; method, path and query are as they came.
fn outgoing_head(
    head: Parts,
    caller: Option<Caller>,
    id: &HeaderValue,
    origin: Origin,
) -> Request<()> {
    let mut outgoing = Request::new(());
    *outgoing.method_mut() = head.method;
    let target = head.uri.into_parts().path_and_query;
    *outgoing.uri_mut() = target.map_or_else(Uri::default, Uri::from);
    *outgoing.headers_mut() = head.headers;
    fields::make_for_service(outgoing.headers_mut(), caller, id, origin);
    outgoing
}

/// An answer of users, without what concerns its connection.
fn relayed(mut answer: Response<AnswerBody>) -> Response<AnswerBody> {
    fields::keep_end_to_end(answer.headers_mut());
    // The version is that of the other leg.
    *answer.version_mut() = Version::default();
    answer
}
