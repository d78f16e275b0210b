//! Parts of a list.

use percent_encoding::percent_decode_str;

use crate::conference::is_id;
use crate::config::whole_number;
use crate::problems::Problem;

const MOST_ROWS: u32 = 1000;

/// A part of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// How many rows it has at most.
    pub limit: u32,
    /// The id before its first row; empty for the first page.
    pub after: String,
}

impl Page {
    /// Reads limit and after of a query, and ignores what else there is. Without a limit it is the whole
    /// list.
    ///
    /// # Errors
    /// One of the two is wrong.
    pub fn read(query: Option<&str>) -> Result<Option<Self>, Problem> {
        let (mut limit, mut after) = (None, None);
        for parameter in query.unwrap_or_default().split('&') {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let value = percent_decode_str(value).decode_utf8_lossy();
            match name {
                "limit" => limit = Some(limit_of(&value).ok_or(Problem::malformed_page())?),
                "after" if is_id(&value) => after = Some(value.into_owned()),
                "after" => return Err(Problem::malformed_page()),
                _ => {}
            }
        }
        match (limit, after) {
            (None, None) => Ok(None),
            (None, Some(_)) => Err(Problem::malformed_page()),
            (Some(limit), after) => Ok(Some(Self {
                limit,
                after: after.unwrap_or_default(),
            })),
        }
    }

    /// Leads to the page behind this one.
    pub fn link(&self, path: &str, last: &str) -> String {
        format!("<{path}?limit={}&after={last}>; rel=\"next\"", self.limit)
    }
}

fn limit_of(text: &str) -> Option<u32> {
    let limit = whole_number(text)?;
    ((1..=MOST_ROWS).contains(&limit) && !text.starts_with('0')).then_some(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read() {
        let page = |limit, after: &str| {
            let after = after.to_owned();
            Some(Page { limit, after })
        };
        for (query, expected) in [
            ("", None),
            ("other=%zz&Limit=0", None),
            ("limit=1", page(1, "")),
            ("limit=1000&after=A.b~c", page(1000, "A.b~c")),
            ("after=%41&x=1&limit=%37", page(7, "A")),
        ] {
            assert_eq!(
                Page::read(Some(query)).expect("a page"),
                expected,
                "{query}"
            );
        }
        assert_eq!(Page::read(None).expect("a page"), None);
    }

    #[test]
    fn what_is_no_page_is_refused() {
        for query in [
            "limit",
            "limit=",
            "limit=0",
            "limit=01",
            "limit=1001",
            "limit=-1",
            "limit=%2B1",
            "limit=x",
            "limit=%zz",
            "after=a",
            "limit=1&after",
            "limit=1&after=-a",
            "limit=1&after=a+b",
            "limit=1&after=%27",
        ] {
            let refused = Page::read(Some(query)).expect_err(query);
            assert_eq!(refused.status.as_u16(), 400, "{query}");
        }
    }
}
