//! Routes: which request is which operation.

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::Uri;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::{get, post, put};

use crate::body::Received;
use crate::log::{Level, Log};
use crate::problems::{Cause, Kind, Problem};
use crate::service::Shared;
use crate::{
    accounts, clubs, decisions, facilities, health, ids, ratings, reservations, reserve, slots,
};

/// Stands in a route where a path has an id.
const ID: &str = "{id}";

/// Every operation by its path and its method.
pub fn router(service: Shared, log: Log) -> Router {
    Router::new()
        .route("/accounts", post(accounts::sign_up))
        .route("/accounts/me", get(accounts::me))
        .route("/auth/login", post(accounts::log_in))
        .route("/clubs", get(clubs::list).post(clubs::create))
        .route("/clubs/{id}", get(clubs::one).put(clubs::replace))
        .route("/clubs/{id}/facilities", post(facilities::add))
        .route("/facilities", get(facilities::list))
        .route(
            "/facilities/{id}",
            get(facilities::one)
                .put(facilities::replace)
                .delete(facilities::retire),
        )
        .route("/facilities/{id}/slots", get(slots::list))
        .route("/facilities/{id}/ratings", get(ratings::list))
        .route(
            "/reservations",
            get(reservations::list).post(reserve::reserve),
        )
        .route("/reservations/{id}", get(reservations::one))
        .route("/reservations/{id}/accept", post(decisions::accept))
        .route("/reservations/{id}/reject", post(decisions::reject))
        .route("/reservations/{id}/cancel", post(decisions::cancel))
        .route("/reservations/{id}/rating", put(ratings::rate))
        .route("/healthz", get(|| async { health::live() }))
        .route("/readyz", get(health::ready))
        .fallback(|| async { Problem::from(Kind::NotFound) })
        .method_not_allowed_fallback(|route: MatchedPath, uri: Uri| async move {
            Problem::from(without_method(&route, &uri))
        })
        .layer(from_fn_with_state(log, around))
        .with_state(service)
}

/// Lies around all operations: reads the body before, and logs a failure behind.
async fn around(State(log): State<Log>, mut request: Request, next: Next) -> Response {
    let body = std::mem::take(request.body_mut());
    let received = Received::read(body).await;
    request.extensions_mut().insert(received);
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let response = next.run(request).await;
    if let Some(Cause(cause)) = response.extensions().get() {
        log.say(Level::Warn, &format!("{method} {}", uri.path()), cause);
    }
    response
}

/// What is wrong with a request whose route has no such method; the router adds which it has. The routes
/// do not know what an id is.
fn without_method(route: &MatchedPath, uri: &Uri) -> Kind {
    if route.as_str().contains(ID) && ids::in_path(uri.path()).is_none() {
        Kind::NotFound
    } else {
        Kind::MethodNotAllowed
    }
}
