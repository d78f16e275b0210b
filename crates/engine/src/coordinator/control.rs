//! Standard input while the load runs: each line is a command, and where it ends, who drives the
//! engine is gone.

use serde::Deserialize;
use std::io::{self, BufRead};
use std::sync::mpsc::Sender;
use std::thread;

use crate::worker::thread::Message;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    command: ControlCommand,
    /// In the time of the load: where several engines begin their windows with the same second.
    #[serde(default)]
    not_before_ns: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum ControlCommand {
    BeginWindow,
}

/// Passes on what comes after the plan, which was the first line.
///
/// The thread cannot be woken from its read, so nobody waits for it: it ends with its input, or with
/// the process.
///
/// # Errors
/// If there is no thread.
pub fn watch(messages: Sender<Message>) -> io::Result<()> {
    let thread = thread::Builder::new().name("control".to_owned());
    thread.spawn(move || pass_on(io::stdin().lock(), &messages))?;
    Ok(())
}

fn pass_on(mut input: impl BufRead, messages: &Sender<Message>) {
    for number in 2_u64.. {
        let mut line = Vec::new();
        let message = match input.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => Message::InputEnded,
            Ok(_) => message(number, &line),
        };
        let is_last = matches!(message, Message::InputEnded);
        if messages.send(message).is_err() || is_last {
            return;
        }
    }
}

fn message(number: u64, line: &[u8]) -> Message {
    match serde_json::from_slice(line) {
        Ok(Line {
            command: ControlCommand::BeginWindow,
            not_before_ns,
        }) => Message::BeginWindow(not_before_ns),
        Err(error) => Message::NoCommand(format!(
            "line {number} of standard input is not a command ({error}) and is ignored; \
             a command is {{\"command\": \"begin_window\"}}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    /// What is passed on, in a word each; of what is no command the message.
    fn passed_on(input: &[u8]) -> Vec<String> {
        let (sender, messages) = channel();
        pass_on(input, &sender);
        drop(sender);
        let word = |message| match message {
            Message::BeginWindow(0) => "begin".to_owned(),
            Message::BeginWindow(not_before_ns) => format!("begin at {not_before_ns}"),
            Message::InputEnded => "end".to_owned(),
            Message::NoCommand(text) => text,
            other => panic!("{other:?}"),
        };
        messages.iter().map(word).collect()
    }

    #[test]
    fn each_line_is_a_command_and_the_end_is_told() {
        assert_eq!(passed_on(b""), ["end"]);
        let twice = b"{\"command\": \"begin_window\"}\n {\"command\":\"begin_window\"} ";
        assert_eq!(passed_on(twice), ["begin", "begin", "end"]);
        let later = b"{\"command\": \"begin_window\", \"not_before_ns\": 7}";
        assert_eq!(passed_on(later), ["begin at 7", "end"]);
    }

    #[test]
    fn what_is_no_command_is_told_by_its_line_and_the_next_one_counts() {
        for line in [
            &b""[..],
            b"begin_window",
            b"{\"command\": \"stop\"}",
            b"{\"command\": \"begin_window\", \"at\": 1}",
            b"{\"command\": \"begin_window\", \"not_before_ns\": -1}",
            b"{}",
            b"[]",
            b"\xff\xfe",
            b"{\"command\": \"begin_window\"} {\"command\": \"begin_window\"}",
        ] {
            let input = [line, b"\n{\"command\": \"begin_window\"}\n"].concat();
            let told = passed_on(&input);
            assert_eq!(told[1..], ["begin", "end"], "{told:?}");
            let expected = "line 2 of standard input is not a command (";
            assert!(told[0].starts_with(expected), "{told:?}");
        }
    }
}
