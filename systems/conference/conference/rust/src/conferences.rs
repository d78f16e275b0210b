//! The operations of the service.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use hyper::header::{CONTENT_TYPE, HeaderValue, LINK};
use hyper::{HeaderMap, StatusCode};
use serde::Serialize;

use crate::body;
use crate::conference::Conference;
use crate::countries::Countries;
use crate::log::Log;
use crate::pages::Page;
use crate::problems::Problem;
use crate::rows::Rows;
use crate::session::Collect;

/// Holds a list of the six published rows.
const FIRST_BYTES: usize = 512;

/// What the operations are made of.
pub struct Conferences {
    /// The table.
    pub rows: Rows,
    /// The other service.
    pub countries: Countries,
    /// Where failures are written.
    pub log: Log,
}

/// What is answered where all went well.
pub type Answered = Result<Response, Problem>;

/// A list as JSON, row by row.
struct List(Vec<u8>);

#[derive(Serialize)]
struct Listed<'a> {
    id: &'a str,
    name: &'a str,
}

#[derive(Serialize)]
struct ListedWithCountry<'a> {
    name: &'a str,
    country: &'a str,
}

/// The names alone.
struct Names(Vec<String>);

/// The rows of a page go on to the list in it; one more only says that there is one.
struct Paged<C> {
    list: C,
    left: u32,
    last: String,
    has_more: bool,
}

impl Conferences {
    /// All rows, or a page of them; `path` is the one of the operation.
    pub async fn list(&self, path: &str, query: Option<&str>) -> Answered {
        let (list, link) = self.read(path, query, List::new()).await?;
        Ok(list_answer(list.end(), link))
    }

    /// The same list, each name with its country.
    pub async fn with_country(&self, path: &str, query: Option<&str>) -> Answered {
        let (Names(names), link) = self.read(path, query, Names(Vec::new())).await?;
        let countries = self.countries.of(&names).await?;
        let mut list = List::new();
        for (name, country) in names.iter().zip(&countries) {
            list.add(&ListedWithCountry { name, country });
        }
        Ok(list_answer(list.end(), link))
    }

    /// Adds a row.
    pub async fn insert(&self, headers: &HeaderMap, body: Body) -> Answered {
        let row = Conference::read(&body::read(headers, body).await?)?;
        self.rows.insert(&row).await?;
        Ok(StatusCode::ACCEPTED.into_response())
    }

    /// One row.
    pub async fn get(&self, id: &str) -> Answered {
        Ok(row_answer(&self.rows.get(id).await?))
    }

    /// Gives a row another name.
    pub async fn replace(&self, id: &str, headers: &HeaderMap, body: Body) -> Answered {
        let row = Conference::read_replacement(&body::read(headers, body).await?, id)?;
        self.rows.replace(&row).await?;
        Ok(row_answer(&row))
    }

    /// Takes a row away.
    pub async fn remove(&self, id: &str) -> Answered {
        self.rows.remove(id).await?;
        Ok(StatusCode::NO_CONTENT.into_response())
    }

    /// Whether the database answers.
    pub async fn ready(&self) -> Answered {
        self.rows.ask().await?;
        Ok(up())
    }

    /// Reads the rows that a query asks for, and the link to the next page, if there is one.
    async fn read<C: Collect>(
        &self,
        path: &str,
        query: Option<&str>,
        list: C,
    ) -> Result<(C, Option<String>), Problem> {
        let Some(page) = Page::read(query)? else {
            return Ok((self.rows.list(None, list).await?, None));
        };
        let paged = Paged {
            list,
            left: page.limit,
            last: String::new(),
            has_more: false,
        };
        let paged = self.rows.list(Some(&page), paged).await?;
        let link = paged.has_more.then(|| page.link(path, &paged.last));
        Ok((paged.list, link))
    }
}

impl List {
    fn new() -> Self {
        let mut text = Vec::with_capacity(FIRST_BYTES);
        text.push(b'[');
        Self(text)
    }

    fn add(&mut self, item: &impl Serialize) {
        if self.0.len() > 1 {
            self.0.push(b',');
        }
        serde_json::to_writer(&mut self.0, item).expect("texts");
    }

    fn end(mut self) -> Vec<u8> {
        self.0.push(b']');
        self.0
    }
}

impl Collect for List {
    fn row(&mut self, id: &str, name: &str) {
        self.add(&Listed { id, name });
    }
}

impl Collect for Names {
    fn row(&mut self, _: &str, name: &str) {
        self.0.push(name.to_owned());
    }
}

impl<C: Collect> Collect for Paged<C> {
    fn row(&mut self, id: &str, name: &str) {
        match self.left {
            0 => {
                self.has_more = true;
                return;
            }
            1 => id.clone_into(&mut self.last),
            _ => {}
        }
        self.left -= 1;
        self.list.row(id, name);
    }
}

/// That the process lives, or its database does.
pub fn up() -> Response {
    json_answer(&b"{\"status\":\"up\"}"[..])
}

fn row_answer(row: &Conference) -> Response {
    json_answer(serde_json::to_vec(row).expect("texts"))
}

fn list_answer(body: Vec<u8>, link: Option<String>) -> Response {
    let mut response = json_answer(body);
    if let Some(link) = link {
        let link = HeaderValue::try_from(link).expect("it has visible characters only");
        response.headers_mut().insert(LINK, link);
    }
    response
}

fn json_answer(body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}
