//! Reads the cases of the other parser: a response in Markdown, and the events that it made of it.

use super::{Message, Reading};

/// One response, or several, and what the other parser read.
pub struct Case {
    /// Unique in its file.
    pub title: String,
    /// Whether the responses answer HEAD.
    pub is_head: bool,
    pub input: Vec<u8>,
    pub reading: Reading,
}

/// The cases of a file, in their order.
pub fn read(text: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    let (mut title, mut kind, mut input) = (String::new(), String::new(), Vec::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(heading) = line.strip_prefix("##") {
            heading
                .trim_start_matches('#')
                .trim()
                .clone_into(&mut title);
        } else if line.starts_with("<!-- meta=") {
            line.clone_into(&mut kind);
        } else if let Some(language) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if language == "http" {
                input = bytes(&block);
            } else {
                cases.push(Case {
                    title: title.clone(),
                    is_head: kind.contains("\"skipBody\": true"),
                    reading: reading(&block, &input),
                    input: std::mem::take(&mut input),
                });
            }
        }
    }
    cases
}

/// Lines end with CR LF, but for those with a backslash at their end; `\r`, `\n` and `\t` are escapes.
fn bytes(lines: &[&str]) -> Vec<u8> {
    // A backslash at the end of the last line is itself: nothing follows that it could join.
    let joined = lines.join("\n").replace("\\\n", "").replace('\n', "\r\n");
    let escapes = [("\\r", "\r"), ("\\n", "\n"), ("\\t", "\t")];
    escapes
        .iter()
        .fold(joined, |text, (escape, byte)| text.replace(escape, byte))
        .into_bytes()
}

fn reading(log: &[&str], input: &[u8]) -> Reading {
    let mut reading = Reading::default();
    let (mut name, mut value) = (Vec::new(), Vec::new());
    for line in log {
        let (offset, event) = line.split_once(' ').expect("an offset and an event");
        let offset = offset.strip_prefix("off=").expect("an offset");
        let length = event.strip_prefix("len=").map(|rest| {
            let (length, span) = rest.split_once(' ').expect("a length and a span");
            (length.parse::<usize>().expect("a number"), span)
        });
        if event == "message begin" {
            reading.messages.push(Message::default());
            continue;
        }
        let Some(message) = reading.messages.last_mut() else {
            continue;
        };
        if let Some((length, span)) = length {
            let from: usize = offset.parse().expect("a number");
            let piece = &input[from..from + length];
            match span.split(['[', ']']).nth(1) {
                Some("header_field") => name.extend_from_slice(piece),
                Some("header_value") => value.extend_from_slice(piece),
                Some("body") => message.body.extend_from_slice(piece),
                _ => {}
            }
        } else if event == "header_value complete" {
            let pair = (std::mem::take(&mut name), std::mem::take(&mut value));
            message.headers.push(pair);
        } else if let Some(head) = event.strip_prefix("headers complete status=") {
            let status = head.split(' ').next().expect("a status");
            message.status = Some(status.parse().expect("a number"));
        } else if event == "message complete" {
            message.is_complete = true;
        } else if event.starts_with("error ") && !event.contains("Pause on") {
            reading.is_refused = true;
        }
    }
    reading
}
