//! Variables of the environment, one by one.

use std::fmt::Display;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::str::FromStr;

use hyper::http::uri::{Authority, Scheme, Uri};
use thiserror::Error;

/// A variable that cannot be served with.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum WrongVariable {
    /// It means nothing.
    #[error("{variable} must be {expected}, not {found:?}")]
    Shown {
        /// Its name.
        variable: &'static str,
        /// What it may be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// It means nothing, and may hold a secret.
    #[error("{variable} must be {expected}")]
    Hidden {
        /// Its name.
        variable: &'static str,
        /// What it may be.
        expected: String,
    },
    /// It names a file that is of no use.
    #[error("{variable} must be {expected}: {cause}")]
    File {
        /// Its name.
        variable: &'static str,
        /// What the file may be.
        expected: &'static str,
        /// What is wrong with it.
        cause: String,
    },
}

impl WrongVariable {
    /// Of a file that cannot be read, or has something else in it.
    pub fn file(variable: &'static str, expected: &'static str, cause: impl Display) -> Self {
        Self::File {
            variable,
            expected,
            cause: cause.to_string(),
        }
    }
}

/// Looks variables up by their names.
pub struct Environment<F>(pub F);

impl<F: Fn(&str) -> Option<String>> Environment<F> {
    /// A text, empty where there is none.
    pub fn text(&self, name: &str) -> String {
        (self.0)(name).unwrap_or_default()
    }

    /// An IPv4 address.
    ///
    /// # Errors
    /// It is none.
    pub fn address(
        &self,
        name: &'static str,
        default: Ipv4Addr,
    ) -> Result<Ipv4Addr, WrongVariable> {
        let Some(text) = (self.0)(name) else {
            return Ok(default);
        };
        text.parse()
            .map_err(|_| self.wrong(name, "an IPv4 address"))
    }

    /// A whole number in digits alone.
    ///
    /// # Errors
    /// It is none, or it is missing and has no default.
    pub fn number<N>(
        &self,
        name: &'static str,
        least: N,
        most: N,
        default: Option<N>,
    ) -> Result<N, WrongVariable>
    where
        N: FromStr + Copy + PartialOrd + Display,
    {
        match ((self.0)(name), default) {
            (None, Some(default)) => Ok(default),
            (value, _) => value
                .and_then(|text| whole_number(&text))
                .filter(|number| (least..=most).contains(number))
                .ok_or_else(|| self.wrong(name, format!("a number from {least} to {most}"))),
        }
    }

    /// Reads a word; the first one is the default.
    ///
    /// # Errors
    /// It is another one.
    pub fn one_of<T: Copy>(
        &self,
        name: &'static str,
        words: &[(&str, T)],
    ) -> Result<T, WrongVariable> {
        let Some(value) = (self.0)(name) else {
            return Ok(words[0].1);
        };
        let meant = words.iter().find(|(word, _)| *word == value);
        meant.map(|(_, meaning)| *meaning).ok_or_else(|| {
            let words: Vec<_> = words.iter().map(|(word, _)| *word).collect();
            self.wrong(name, words.join(" or "))
        })
    }

    /// A text of visible ASCII whose value is not shown.
    ///
    /// # Errors
    /// It is another text.
    pub fn secret(
        &self,
        name: &'static str,
        least: usize,
        most: usize,
    ) -> Result<String, WrongVariable> {
        let value = self.text(name);
        let is_visible = value.bytes().all(|byte| byte.is_ascii_graphic());
        if is_visible && (least..=most).contains(&value.len()) {
            return Ok(value);
        }
        Err(WrongVariable::Hidden {
            variable: name,
            expected: format!("{least} to {most} characters of visible ASCII"),
        })
    }

    /// The name of a file that is needed.
    ///
    /// # Errors
    /// There is none.
    pub fn file(&self, name: &'static str) -> Result<PathBuf, WrongVariable> {
        match self.text(name) {
            value if value.is_empty() => Err(self.wrong(name, "a file in PEM")),
            value => Ok(value.into()),
        }
    }

    /// The authority of an address that is `http` and an authority, and nothing else.
    ///
    /// # Errors
    /// It is another one.
    pub fn http_authority(&self, name: &'static str) -> Result<Authority, WrongVariable> {
        authority_of(&self.text(name), &Scheme::HTTP)
            .ok_or_else(|| self.wrong(name, "like http://127.0.0.1:8761"))
    }

    /// Refuses a variable that is set to nothing, whether or not it is used.
    ///
    /// # Errors
    /// One of them is.
    pub fn refuse_empty(&self, names: &[&'static str]) -> Result<(), WrongVariable> {
        let empty = names
            .iter()
            .find(|name| (self.0)(name).as_deref() == Some(""));
        empty.map_or(Ok(()), |name| {
            Err(self.wrong(name, "set to something or not at all"))
        })
    }

    /// What is wrong with a variable that means nothing.
    pub fn wrong(&self, variable: &'static str, expected: impl Into<String>) -> WrongVariable {
        WrongVariable::Shown {
            variable,
            expected: expected.into(),
            found: self.text(variable),
        }
    }
}

/// A number in digits alone: the parser of the language would take a sign.
pub fn whole_number<N: FromStr>(text: &str) -> Option<N> {
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_digits)
}

/// The authority of a text that is a scheme and an authority, without a user.
pub fn authority_of(text: &str, scheme: &Scheme) -> Option<Authority> {
    let parts = text.parse::<Uri>().ok()?.into_parts();
    let authority = parts
        .authority
        .filter(|_| parts.scheme.as_ref() == Some(scheme))?;
    let port = authority.as_str().strip_prefix(authority.host())?;
    let is_whole = text == format!("{scheme}://{authority}") && !authority.host().is_empty();
    let is_port = match port.strip_prefix(':') {
        None => port.is_empty(),
        Some(number) => whole_number(number).is_some_and(|number: u16| number != 0),
    };
    (is_whole && is_port).then_some(authority)
}
