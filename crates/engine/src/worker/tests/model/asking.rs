//! Requests of the interpreter, byte by byte, and its cookies.

use serde_json::Value;
use std::fmt::Write;

use super::interpreter::{Cookie, Session};
use super::server::Answer;

impl Session<'_> {
    /// The bytes of a request.
    pub fn request(&self, of: &Value) -> Option<Vec<u8>> {
        let check = &of["check"];
        for one in check["json"].as_array().expect("a list") {
            if let Some(text) = one["is"].get("text") {
                self.scene.text(text).ok()?;
            }
        }
        for one in of["captures"].as_array().expect("a list") {
            if let Some(index) = one["pick"].get("index") {
                self.scene.integer(index).filter(|index| *index >= 0)?;
            }
        }
        if check["body_contains"].is_array() {
            self.scene.text(&check["body_contains"]).ok()?;
        }
        let (method, path) = (of["method"].as_str()?, self.scene.text(&of["path"]).ok()?);
        let body = self.scene.text(&of["body"]).ok()?;
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: h:1\r\n");
        let mut cookies = self.cookies(&path);
        for header in of["headers"].as_array().expect("a list") {
            let (name, value) = (header[0].as_str()?, self.scene.text(&header[1]).ok()?);
            write!(head, "{name}: {value}").ok()?;
            if name == "cookie" && !cookies.is_empty() {
                write!(head, "; {}", std::mem::take(&mut cookies)).ok()?;
            }
            head += "\r\n";
        }
        if !cookies.is_empty() {
            write!(head, "Cookie: {cookies}\r\n").ok()?;
        }
        if method != "GET" || !body.is_empty() {
            write!(head, "Content-Length: {}\r\n", body.len()).ok()?;
        }
        Some(format!("{head}\r\n{body}").into_bytes())
    }

    fn cookies(&self, path: &str) -> String {
        let path = path.split('?').next().unwrap_or_default();
        let is_sent = |cookie: &&Cookie| {
            cookie.1 == "/" || path == cookie.1 || path.starts_with(&format!("{}/", cookie.1))
        };
        let mut sent: Vec<&Cookie> = self.jar.iter().filter(is_sent).collect();
        sent.sort_by_key(|cookie| std::cmp::Reverse(cookie.1.len()));
        let pairs = sent
            .iter()
            .map(|cookie| format!("{}={}", cookie.0, cookie.2));
        pairs.collect::<Vec<_>>().join("; ")
    }

    pub fn take_cookies(&mut self, of: &Value, answer: &Answer) {
        let captures = of["captures"].as_array().expect("a list");
        let are_captured = captures.iter().any(|one| one["from"]["cookie"].is_string());
        for (_, line) in answer
            .headers
            .iter()
            .filter(|one| one.0.eq_ignore_ascii_case("set-cookie"))
        {
            if self.group["cookies"] == false {
                if !are_captured {
                    self.count("cookies ignored");
                }
                continue;
            }
            let mut parts = line.split("; ");
            let Some((name, value)) = parts.next().and_then(|pair| pair.split_once('=')) else {
                self.count("cookies dropped");
                continue;
            };
            let path = parts
                .next()
                .and_then(|part| part.strip_prefix("Path="))
                .expect("says one");
            let is_gone = line.contains("Max-Age=0");
            self.count("cookies kept");
            let is_it = |cookie: &Cookie| cookie.0 == name && cookie.1 == path;
            let place = self.jar.iter().position(is_it);
            match place {
                Some(place) if is_gone => drop(self.jar.remove(place)),
                Some(place) => value.clone_into(&mut self.jar[place].2),
                None if is_gone => {}
                None => self
                    .jar
                    .push((name.to_owned(), path.to_owned(), value.to_owned())),
            }
        }
    }
}
