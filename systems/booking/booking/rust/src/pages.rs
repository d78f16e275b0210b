//! Parts of a list, each of which begins behind the last row of the one before.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;

use crate::ids;
use crate::problems::Problem;
use crate::query::Query;

const DEFAULT_ROWS: usize = 20;
const MOST_ROWS: usize = 100;

/// Which part is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// The id before its first row, if it is not the first page.
    pub after: Option<i64>,
    limit: usize,
}

/// A part of a list, as it is shown.
#[derive(Debug, Serialize)]
pub struct Items<T> {
    /// Its rows.
    pub items: Vec<T>,
    /// Leads to the next one, if there is one.
    pub next_cursor: Option<String>,
}

impl Page {
    /// Reads limit and cursor of a query.
    ///
    /// # Errors
    /// One of the two is wrong.
    pub fn read(query: &Query) -> Result<Self, Problem> {
        let limit = query.read("limit", limit_of)?;
        Ok(Self {
            after: query.read("cursor", id_in)?,
            limit: limit.unwrap_or(DEFAULT_ROWS),
        })
    }

    /// How many rows are read: one more than are shown says that there are more.
    pub fn rows(&self) -> i64 {
        i64::try_from(self.limit + 1).expect("a small number")
    }

    /// The part of what was read that is shown.
    pub fn of<T>(&self, mut items: Vec<T>, id_of: impl Fn(&T) -> i64) -> Items<T> {
        let has_more = items.len() > self.limit;
        items.truncate(self.limit);
        let last = items.last().filter(|_| has_more);
        let next_cursor = last.map(|item| URL_SAFE_NO_PAD.encode(id_of(item).to_string()));
        Items { items, next_cursor }
    }
}

fn limit_of(text: &str) -> Option<usize> {
    let limit = usize::try_from(ids::read(text)?).ok()?;
    (limit <= MOST_ROWS).then_some(limit)
}

/// The id that a cursor is made of.
fn id_in(cursor: &str) -> Option<i64> {
    let digits = URL_SAFE_NO_PAD.decode(cursor).ok()?;
    ids::read(std::str::from_utf8(&digits).ok()?)
}

#[cfg(test)]
mod tests {
    use axum::http::Uri;

    use super::*;
    use crate::problems::Kind;

    fn page(query: &str) -> Result<Page, Kind> {
        let uri: Uri = format!("/clubs?{query}").parse().expect("a URI");
        Page::read(&Query::of(&uri)).map_err(|problem| problem.kind)
    }

    #[test]
    fn a_page_is_read() {
        for (query, after, limit) in [
            ("", None, 20),
            ("limit=1", None, 1),
            ("cursor=NDI&limit=100", Some(42), 100),
        ] {
            assert_eq!(page(query), Ok(Page { after, limit }), "{query}");
        }
    }

    #[test]
    fn what_is_no_page_is_refused() {
        for query in [
            "limit",
            "limit=0",
            "limit=101",
            "limit=-1",
            "limit=05",
            "limit=x",
            "limit=%2B1",
            "cursor=",
            "cursor=NDI=",
            "cursor=ND",
            "cursor=!",
            "cursor=MA",
            "cursor=NDJ",
            "cursor=eA",
        ] {
            assert_eq!(page(query), Err(Kind::Malformed), "{query}");
        }
    }

    #[test]
    fn a_cursor_leads_behind_the_last_row_that_is_shown() {
        let page = Page {
            after: None,
            limit: 2,
        };
        assert_eq!(page.rows(), 3);
        let part = page.of(vec![41, 42, 43], |id| *id);
        assert_eq!(part.items, [41, 42]);
        assert_eq!(part.next_cursor.as_deref().and_then(id_in), Some(42));
        assert_eq!(page.of(vec![41, 42], |id| *id).next_cursor, None);
    }
}
