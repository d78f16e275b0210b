//! Routes: which request is which operation, and what is said where one fails.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::get;
use hyper::Uri;

use crate::body::discard;
use crate::conference::is_id;
use crate::conferences::{Answered, Conferences, up};
use crate::log::Level;
use crate::problems::Problem;

const LISTING: &str = "Error occurred while retrieving conferences";
const LISTING_WITH_COUNTRY: &str = "Error occurred while retrieving conferences with country";
const INSERTING: &str = "Error occurred while creating conference";
const GETTING: &str = "Error occurred while retrieving conference";
const REPLACING: &str = "Error occurred while updating conference";
const REMOVING: &str = "Error occurred while removing conference";
const ASKING: &str = "Error occurred while asking the database";

type Service = State<Arc<Conferences>>;

/// Every operation by its path and its method.
pub fn router(conferences: Arc<Conferences>) -> Router {
    Router::new()
        .route("/conferences", get(list).post(insert))
        .route("/conferences/{id}", get(one).put(replace).delete(remove))
        .route("/conferenceswithcountry", get(with_country))
        .route("/healthz", get(|| async { up() }))
        .route("/readyz", get(ready))
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .with_state(conferences)
}

async fn list(State(service): Service, uri: Uri) -> Response {
    let answered = service.list(uri.path(), uri.query()).await;
    respond(&service, LISTING, answered)
}

async fn with_country(State(service): Service, uri: Uri) -> Response {
    let answered = service.with_country(uri.path(), uri.query()).await;
    respond(&service, LISTING_WITH_COUNTRY, answered)
}

async fn insert(State(service): Service, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let answered = service.insert(&head.headers, body).await;
    respond(&service, INSERTING, answered)
}

async fn one(State(service): Service, request: Request) -> Response {
    let Some(id) = id_in(request.uri()) else {
        return not_found(request).await;
    };
    let answered = service.get(id).await;
    respond(&service, GETTING, answered)
}

async fn replace(State(service): Service, request: Request) -> Response {
    if id_in(request.uri()).is_none() {
        return not_found(request).await;
    }
    let (head, body) = request.into_parts();
    let id = id_in(&head.uri).unwrap_or_default();
    let answered = service.replace(id, &head.headers, body).await;
    respond(&service, REPLACING, answered)
}

async fn remove(State(service): Service, request: Request) -> Response {
    let Some(id) = id_in(request.uri()) else {
        return not_found(request).await;
    };
    let answered = service.remove(id).await;
    respond(&service, REMOVING, answered)
}

async fn ready(State(service): Service) -> Response {
    let answered = service.ready().await;
    respond(&service, ASKING, answered)
}

async fn not_found(request: Request) -> Response {
    discard(request.into_body()).await;
    Problem::not_found().answer("")
}

/// The router adds which methods there are.
async fn method_not_allowed(request: Request) -> Response {
    let path = request.uri().path();
    if path.starts_with(PATH_OF_ONE) && id_in(request.uri()).is_none() {
        return not_found(request).await;
    }
    discard(request.into_body()).await;
    Problem::method_not_allowed().answer("")
}

const PATH_OF_ONE: &str = "/conferences/";

/// The id in the path of a single row. Escapes stay as they are, and no id has one.
fn id_in(uri: &Uri) -> Option<&str> {
    let id = uri.path().strip_prefix(PATH_OF_ONE)?;
    is_id(id).then_some(id)
}

fn respond(service: &Conferences, title: &str, answered: Answered) -> Response {
    answered.unwrap_or_else(|problem| {
        if problem.status.is_server_error() {
            service.log.say(Level::Warn, title, &problem.cause);
        }
        problem.answer(title)
    })
}
