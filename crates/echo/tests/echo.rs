//! The echo backend through its front door: the binary, real sockets, real signals.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Command;

use crate::common::Echo;

struct Answer {
    status: String,
    headers: Vec<String>,
    body: Vec<u8>,
}

fn send(connection: &mut BufReader<TcpStream>, request: &[u8]) {
    connection
        .get_mut()
        .write_all(request)
        .expect("the request is written");
}

fn receive(connection: &mut BufReader<TcpStream>) -> Answer {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        connection.read_line(&mut line).expect("a header line");
        let line = line.trim_end().to_lowercase();
        if line.is_empty() {
            break;
        }
        lines.push(line);
    }
    let status = lines.remove(0);
    let length = lines
        .iter()
        .find_map(|line| line.strip_prefix("content-length: "))
        .expect("a content-length")
        .parse()
        .expect("a number");
    let mut body = vec![0; length];
    connection.read_exact(&mut body).expect("the whole body");
    Answer {
        status,
        headers: lines,
        body,
    }
}

/// The header fields beside the one date, which has the form of RFC 9110, section 5.6.7.
fn headers_beside_date(answer: &Answer) -> Vec<&str> {
    let (dates, others): (Vec<&str>, Vec<&str>) = answer
        .headers
        .iter()
        .map(String::as_str)
        .partition(|field| field.starts_with("date: "));
    assert_eq!(dates.len(), 1, "{dates:?}");
    assert_eq!(dates[0].len(), "date: sun, 06 nov 1994 08:49:37 gmt".len());
    assert!(dates[0].ends_with(" gmt"));
    others
}

#[test]
fn any_method_and_path_gets_its_body_and_content_type_back_on_a_kept_connection() {
    let echo = Echo::start(&[]);
    let mut connection = echo.connect();
    for (method, path) in [("POST", "/service"), ("PUT", "/"), ("DELETE", "/a?b=c")] {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: a\r\ncontent-type: text/x-{method}\r\n\
             x-other: 1\r\ncontent-length: 5\r\n\r\nhello"
        );
        send(&mut connection, request.as_bytes());
        let answer = receive(&mut connection);
        assert_eq!(answer.status, "http/1.1 200 ok");
        assert_eq!(answer.body, b"hello");
        let content_type = format!("content-type: text/x-{}", method.to_lowercase());
        assert_eq!(
            headers_beside_date(&answer),
            [content_type.as_str(), "content-length: 5"]
        );
    }
}

#[test]
fn a_request_without_a_body_gets_an_empty_answer() {
    let echo = Echo::start(&[]);
    let mut connection = echo.connect();
    send(&mut connection, b"GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    let answer = receive(&mut connection);
    assert_eq!(answer.status, "http/1.1 200 ok");
    assert_eq!(headers_beside_date(&answer), ["content-length: 0"]);
}

#[test]
fn a_chunked_body_comes_back_whole_with_its_length() {
    let echo = Echo::start(&[]);
    let mut connection = echo.connect();
    send(
        &mut connection,
        b"POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n",
    );
    assert_eq!(receive(&mut connection).body, b"abcde");
}

#[test]
fn a_megabyte_comes_back_unchanged() {
    let echo = Echo::start(&[]);
    let mut connection = echo.connect();
    let body: Vec<u8> = (0..1_048_576_u32).map(|n| n.to_le_bytes()[1]).collect();
    send(
        &mut connection,
        b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1048576\r\n\r\n",
    );
    send(&mut connection, &body);
    assert!(receive(&mut connection).body == body);
}

#[test]
fn a_body_over_the_limit_is_answered_413_and_the_connection_ends() {
    let echo = Echo::start(&["--max-body-bytes", "4"]);
    for request in [
        &b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\nabcde"[..],
        b"POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n",
    ] {
        let mut connection = echo.connect();
        send(&mut connection, request);
        let answer = receive(&mut connection);
        assert_eq!(answer.status, "http/1.1 413 payload too large");
        let mut rest = Vec::new();
        connection.read_to_end(&mut rest).expect("a clean end");
        assert!(rest.is_empty());
    }
}

#[test]
fn a_client_that_asks_for_the_end_gets_it_after_its_answer() {
    let echo = Echo::start(&[]);
    let mut connection = echo.connect();
    send(
        &mut connection,
        b"POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok",
    );
    assert_eq!(receive(&mut connection).body, b"ok");
    let mut rest = Vec::new();
    connection.read_to_end(&mut rest).expect("a clean end");
    assert!(rest.is_empty());
}

#[test]
fn either_signal_ends_it_with_0_although_a_connection_is_open() {
    for name in ["TERM", "INT"] {
        let echo = Echo::start(&[]);
        let mut connection = echo.connect();
        send(&mut connection, b"GET / HTTP/1.1\r\nhost: a\r\n\r\n");
        receive(&mut connection);
        echo.signal(name);
        assert!(echo.wait().success());
    }
}

#[test]
fn a_delayed_answer_in_flight_is_still_given_after_the_signal() {
    let echo = Echo::start(&["--delay", "300ms"]);
    let mut connection = echo.connect();
    send(
        &mut connection,
        b"POST / HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 4\r\n\r\n",
    );
    // The interim answer shows that the request is being served.
    let mut interim = String::new();
    connection.read_line(&mut interim).expect("a status line");
    assert_eq!(interim, "HTTP/1.1 100 Continue\r\n");
    connection.read_line(&mut interim).expect("the empty line");
    echo.signal("TERM");
    send(&mut connection, b"last");
    assert_eq!(receive(&mut connection).body, b"last");
    assert!(echo.wait().success());
}

#[test]
fn a_wrong_argument_is_named_and_ends_with_2() {
    for arguments in [["--delay", "30"], ["--listen", "nowhere"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_loadstone-echo"))
            .args(arguments)
            .output()
            .expect("the binary starts");
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(arguments[1]));
    }
}

#[test]
fn a_taken_address_is_named_and_ends_with_2() {
    let echo = Echo::start(&[]);
    let output = Command::new(env!("CARGO_BIN_EXE_loadstone-echo"))
        .args(["--listen", &echo.address])
        .output()
        .expect("the binary starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains(&echo.address));
}
