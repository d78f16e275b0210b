//! The parameters of a query.

use std::ops::RangeInclusive;

use axum::http::Uri;
use percent_encoding::percent_decode_str;

use crate::problems::{Kind, Problem};

/// A query, each parameter of which is decoded when it is asked for: what nobody asks for is ignored.
pub struct Query<'a>(&'a str);

impl<'a> Query<'a> {
    /// That of a request.
    pub fn of(uri: &'a Uri) -> Self {
        Self(uri.query().unwrap_or_default())
    }

    /// A parameter, if it is there.
    ///
    /// # Errors
    /// `read` makes nothing of it, or it is not in UTF-8.
    pub fn read<T>(
        &self,
        name: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, Problem> {
        for parameter in self.0.split('&') {
            let (found, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            if decoded(found).is_some_and(|found| found == name) {
                let value = decoded(value).and_then(|value| read(&value));
                return value.map(Some).ok_or(Kind::Malformed.into());
            }
        }
        Ok(None)
    }

    /// A text of so many code points.
    ///
    /// # Errors
    /// It has more or less, or one that the database does not keep.
    pub fn text(
        &self,
        name: &str,
        lengths: RangeInclusive<usize>,
    ) -> Result<Option<String>, Problem> {
        self.read(name, |value| {
            let is_text = lengths.contains(&value.chars().count()) && !value.contains('\0');
            is_text.then(|| value.to_owned())
        })
    }

    /// Whether it is asked for; it is not where nothing is said.
    ///
    /// # Errors
    /// It is neither `true` nor `false`.
    pub fn flag(&self, name: &str) -> Result<bool, Problem> {
        let words = [("true", true), ("false", false)];
        Ok(self.word(name, &words)?.unwrap_or_default())
    }

    /// A word out of a list, by what it means.
    ///
    /// # Errors
    /// It is none of them.
    pub fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<Option<T>, Problem> {
        self.read(name, |value| {
            let meant = words.iter().find(|(word, _)| *word == value);
            meant.map(|(_, meaning)| *meaning)
        })
    }
}

/// An escape that is broken stays as it is.
fn decoded(text: &str) -> Option<String> {
    let spaced = text.replace('+', " ");
    let decoded = percent_decode_str(&spaced).decode_utf8().ok()?;
    Some(decoded.into_owned())
}

#[cfg(test)]
mod tests;
