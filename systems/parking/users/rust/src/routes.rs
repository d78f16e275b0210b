//! Routes: which request is which operation.

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{CACHE_CONTROL, HeaderName, HeaderValue};
use axum::http::{Method, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::{get, post, put};

use crate::body::receive;
use crate::complaints::Complaints;
use crate::problems::{Cause, Kind, Problem};
use crate::service::{Service, Shared};
use crate::{coins, debit, grant, health, ids, logins, payments, users, vehicles};

const INSTANCE_ID: HeaderName = HeaderName::from_static("x-instance-id");

// These stand in a route where a path has an id or a plate.
const ID: &str = "{id}";
const PLATE: &str = "{plate}";

/// Every operation by its path and its method.
pub fn router(service: Shared) -> Router {
    Router::new()
        .route("/health", get(health::get))
        .route("/users", get(users::list).post(users::create))
        .route("/users/login", post(logins::login))
        .route("/users/top-coins", get(coins::top))
        .route("/users/coins", post(grant::grant))
        .route("/users/{id}", get(users::get))
        .route("/users/{id}/status", put(users::set_status))
        .route("/users/{id}/vehicles", get(vehicles::list))
        .route("/users/{id}/vehicles/{plate}", put(vehicles::put))
        .route(
            "/users/{id}/payment-method",
            get(payments::get).put(payments::set),
        )
        .route("/users/{id}/coins", get(coins::wallet))
        .route("/internal/coins/debits", post(debit::debit))
        .fallback(|| async { Problem::from(Kind::NotFound) })
        .method_not_allowed_fallback(|route: MatchedPath, uri: Uri| async move {
            Problem::from(without_method(route.as_str(), uri.path()))
        })
        .layer(from_fn_with_state(service.clone(), around))
        .with_state(service)
}

/// Lies around all operations: reads the body before, and behind it sets the fields of all answers.
async fn around(State(service): State<Shared>, request: Request, next: Next) -> Response {
    let (mut head, body) = request.into_parts();
    receive(&mut head, body).await;
    let method = head.method.clone();
    let route = head.extensions.get::<MatchedPath>().cloned();
    let request = Request::from_parts(head, axum::body::Body::empty());
    let mut response = next.run(request).await;
    if let Some(cause) = response.extensions().get() {
        complain(&service.complaints, &method, route.as_ref(), cause);
    }
    mark(&service, &mut response);
    response
}

fn mark(service: &Service, response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let name = HeaderValue::from_str(&service.name).expect("letters and digits");
    headers.insert(INSTANCE_ID, name);
}

/// Says what failed by its route, which has no text of the caller's.
fn complain(
    complaints: &Complaints,
    method: &Method,
    route: Option<&MatchedPath>,
    Cause { text, is_away }: &Cause,
) {
    let route = route.map_or("", MatchedPath::as_str);
    if *is_away {
        complaints.away(format_args!("{method} {route} was not available: {text}"));
    } else {
        Complaints::failed(format_args!("{method} {route} failed: {text}"));
    }
}

/// What is wrong with a request whose route has no such method; the router adds which it has. The routes
/// do not know what an id or a plate is.
fn without_method(route: &str, path: &str) -> Kind {
    let is_id = !route.contains(ID) || ids::id_in(path).is_some();
    let is_plate = !route.contains(PLATE) || ids::plate_in(path).is_some();
    if is_id && is_plate {
        Kind::MethodNotAllowed
    } else {
        Kind::NotFound
    }
}
