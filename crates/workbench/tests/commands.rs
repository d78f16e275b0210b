//! The real binary: servers over sockets, loops against servers.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use serde_json::Value;

const BINARY: &str = env!("CARGO_BIN_EXE_loadstone-workbench");
const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n";

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

struct Server {
    child: Child,
    stdout: BufReader<ChildStdout>,
    address: String,
}

impl Server {
    fn start(words: &[&str]) -> Result<Self> {
        let mut child = Command::new(BINARY)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut stdout = BufReader::new(child.stdout.take().ok_or("no stdout")?);
        let mut line = String::new();
        stdout.read_line(&mut line)?;
        let address = line
            .trim()
            .strip_prefix("listening on ")
            .ok_or("no address")?;
        let address = address.to_owned();
        Ok(Self {
            child,
            stdout,
            address,
        })
    }

    fn connect(&self) -> Result<TcpStream> {
        Ok(TcpStream::connect(&self.address)?)
    }

    /// Closes its input, and returns what it then says.
    fn finish(mut self) -> Result<Value> {
        drop(self.child.stdin.take());
        let mut text = String::new();
        self.stdout.read_to_string(&mut text)?;
        assert!(self.child.wait()?.success());
        Ok(serde_json::from_str(&text).unwrap_or(Value::Null))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It has ended already, unless the test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn ask(connection: &mut TcpStream) -> Result<String> {
    connection.write_all(REQUEST)?;
    let mut response = vec![0; 4_096];
    let mut count = 0;
    while !response[..count].ends_with(b"Hello, world!") {
        match connection.read(&mut response[count..])? {
            0 => return Err("the server closed".into()),
            more => count += more,
        }
    }
    Ok(String::from_utf8(response[..count].to_vec())?)
}

fn client(words: &[&str]) -> Result<Output> {
    Ok(Command::new(BINARY).args(words).output()?)
}

#[test]
fn the_minimal_server_answers_again_on_a_kept_connection_and_ends_with_its_input() -> Result<()> {
    let server = Server::start(&["serve"])?;
    let mut connection = server.connect()?;
    for _ in 0..2 {
        let response = ask(&mut connection)?;
        assert!(response.starts_with("HTTP/1.1 200 OK\r\n"), "{response}");
        assert!(response.contains("Content-Length: 13\r\n"), "{response}");
    }
    assert_eq!(server.finish()?, Value::Null);
    Ok(())
}

fn exchange(connection: &mut TcpStream, request: &str) -> Result<String> {
    connection.write_all(request.as_bytes())?;
    let mut response = vec![0; 4_096];
    let count = connection.read(&mut response)?;
    Ok(String::from_utf8(response[..count].to_vec())?)
}

#[test]
fn the_session_server_gives_a_token_and_a_list_and_counts_what_came_of_them() -> Result<()> {
    let server = Server::start(&["serve", "--session"])?;
    let mut connection = server.connect()?;
    let login = "POST /login HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}";
    let body = |response: &str| -> Result<Value> {
        let (_, body) = response.split_once("\r\n\r\n").ok_or("no head")?;
        Ok(serde_json::from_str(body)?)
    };
    let answer = body(&exchange(&mut connection, login)?)?;
    let token = answer["token"].as_str().ok_or("no token")?.to_owned();
    let bearer = format!("Authorization: Bearer {token}\r\n");
    let list = exchange(
        &mut connection,
        &format!("GET /items HTTP/1.1\r\n{bearer}\r\n"),
    )?;
    let like = body(&list)?["items"][0]["id"].clone();
    let insert = format!("{{\"name\":\"n\",\"like\":{like}}}");
    let length = insert.len();
    let head = format!("POST /items HTTP/1.1\r\nContent-Length: {length}\r\n{bearer}\r\n");
    let inserted = exchange(&mut connection, &(head + &insert))?;
    assert!(
        inserted.starts_with("HTTP/1.1 201 Created\r\n"),
        "{inserted}"
    );
    let without = exchange(&mut connection, "GET /items HTTP/1.1\r\n\r\n")?;
    assert!(without.starts_with("HTTP/1.1 401 "), "{without}");
    let counts = server.finish()?;
    let of = |name: &str| counts[name].as_u64();
    assert_eq!(
        (of("logins"), of("lists"), of("inserts")),
        (Some(1), Some(1), Some(1))
    );
    assert_eq!(
        (of("unauthorized"), of("malformed"), of("unknown")),
        (Some(1), Some(0), Some(0))
    );
    Ok(())
}

#[test]
fn the_stamping_server_counts_every_request_of_every_connection() -> Result<()> {
    let server = Server::start(&["stamp", "--rate", "1000", "--keep", "4"])?;
    for _ in 0..2 {
        let mut connection = server.connect()?;
        for _ in 0..3 {
            ask(&mut connection)?;
        }
    }
    let stamped = server.finish()?;
    assert_eq!(stamped["requests"], 6);
    assert_eq!(stamped["unstamped"], 2);
    assert_eq!(stamped["lateness_ns"]["count"], 4);
    assert_eq!(stamped["exponential_distance"], Value::Null);
    Ok(())
}

#[test]
fn the_delaying_server_tells_how_long_requests_waited_in_it_and_which_it_never_answered()
-> Result<()> {
    let server = Server::start(&["delay", "--distribution", "constant"])?;
    let mut connection = server.connect()?;
    ask(&mut connection)?;
    ask(&mut connection)?;
    // Written, and closed while it waits; the next response comes after its turn.
    server.connect()?.write_all(REQUEST)?;
    ask(&mut connection)?;
    let truth = server.finish()?;
    let answered = truth["waited_ns"]["count"].as_u64().ok_or("no count")?;
    let unanswered = truth["unanswered"].as_u64().ok_or("no count")?;
    assert_eq!(answered + unanswered, 4);
    assert_eq!(truth["requests"], 4);
    assert!(answered >= 3);
    assert!(truth["waited_ns"]["p50"].as_u64() >= Some(10_000_000));
    Ok(())
}

#[test]
fn the_bare_loops_count_what_was_answered() -> Result<()> {
    let server = Server::start(&["serve"])?;
    let target = ["--target", &server.address, "--seconds", "1"];
    let closed = client(&[&["closed-loop", "--connections", "2"], &target[..]].concat())?;
    let closed: Value = serde_json::from_slice(&closed.stdout)?;
    assert!(closed["requests"].as_u64() > Some(0), "{closed}");
    let sent = client(&[&["sender", "--rate", "100"], &target[..]].concat())?;
    let sent: Value = serde_json::from_slice(&sent.stdout)?;
    assert_eq!(sent["requests"], 100, "{sent}");
    assert_eq!(sent["lag_ns"]["count"], 100, "{sent}");
    server.finish()?;
    Ok(())
}

#[test]
fn a_target_that_is_not_loopback_is_refused() -> Result<()> {
    let target = ["--target", "192.0.2.1:80", "--seconds", "1"];
    for words in [
        ["closed-loop", "--connections", "1"],
        ["sender", "--rate", "1"],
    ] {
        let ended = client(&[&words[..], &target].concat())?;
        assert_eq!(ended.status.code(), Some(2));
        let said = String::from_utf8(ended.stderr)?;
        assert!(said.contains("not loopback; nothing was sent"), "{said}");
    }
    Ok(())
}
