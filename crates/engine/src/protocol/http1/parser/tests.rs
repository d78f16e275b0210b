//! The parser against responses of every framing, cut anywhere, and against garbage.

use super::*;
use proptest::prelude::*;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Seen {
    statuses: Vec<u16>,
    headers: Vec<(Vec<u8>, Vec<u8>)>,
    body: Vec<u8>,
}

impl ResponseSink for Seen {
    fn status(&mut self, status: u16) {
        self.statuses.push(status);
    }

    fn header(&mut self, name: &[u8], value: &[u8]) {
        self.headers.push((name.to_vec(), value.to_vec()));
    }

    fn body(&mut self, piece: &[u8]) {
        self.body.extend_from_slice(piece);
    }
}

/// What is left of the input after the response, whether it is complete, and keeps alive.
type End = Result<(usize, bool, bool), ParseError>;

fn parse(pieces: &[&[u8]], is_head_request: bool) -> (Seen, End) {
    let (mut parser, mut seen) = (ResponseParser::default(), Seen::default());
    parser.begin(is_head_request);
    let (mut used, mut length) = (0, 0);
    for piece in pieces {
        length += piece.len();
        match parser.feed(piece, &mut seen) {
            Ok(count) => used += count,
            Err(error) => return (seen, Err(error)),
        }
    }
    (
        seen,
        Ok((length - used, parser.is_complete(), parser.keeps_alive())),
    )
}

fn whole(text: &str) -> (Seen, End) {
    parse(&[text.as_bytes()], false)
}

const CHUNKED: &str = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\
                       3;extension=1\r\nabc\r\n0A \r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n";

#[test]
fn each_framing_ends_where_the_rfc_says() {
    let complete = Ok((0, true, true));
    let closes = Ok((0, true, false));
    for (text, body, end) in [
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
            "abc",
            complete,
        ),
        (
            "HTTP/1.1 200\r\ncontent-length:3, 3\r\n\r\nabc",
            "abc",
            complete,
        ),
        ("HTTP/1.1 200 OK\nContent-Length: 3\n\nabc", "abc", complete),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "", complete),
        (CHUNKED, "abc0123456789", complete),
        ("HTTP/1.1 204 No Content\r\n\r\n", "", complete),
        (
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n",
            "",
            complete,
        ),
        (
            "HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 0\r\n\r\n",
            "",
            closes,
        ),
        ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", "", closes),
        (
            "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n",
            "",
            complete,
        ),
        ("HTTP/1.1 200 OK\r\n\r\nabc", "abc", Ok((0, false, false))),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef",
            "abc",
            Ok((3, true, true)),
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab",
            "ab",
            Ok((0, false, false)),
        ),
    ] {
        let (seen, found) = whole(text);
        assert_eq!(
            (String::from_utf8_lossy(&seen.body).as_ref(), found),
            (body, end),
            "{text:?}"
        );
    }
}

#[test]
fn a_coding_together_with_a_length_is_read_by_the_coding_and_closes() {
    let text = CHUNKED.replacen("\r\n", "\r\nContent-Length: 4\r\n", 1);
    let (seen, end) = whole(&text);
    assert_eq!(
        (seen.body.as_slice(), end),
        (&b"abc0123456789"[..], Ok((0, true, false)))
    );
}

#[test]
fn a_response_to_head_has_no_body_whatever_it_says() {
    for head in [
        &CHUNKED[..CHUNKED.find("3;").expect("is there")],
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
    ] {
        assert_eq!(parse(&[head.as_bytes()], true).1, Ok((0, true, true)));
    }
}

#[test]
fn interim_responses_are_passed_over() {
    let text = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n\
                HTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\nx";
    let (seen, end) = whole(text);
    assert_eq!(
        (seen.statuses, end),
        (vec![103, 100, 201], Ok((0, true, true)))
    );
}

#[test]
fn without_a_length_the_end_of_the_stream_ends_the_body() {
    for (text, completes) in [
        ("HTTP/1.1 200 OK\r\n\r\nabc", true),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\nabc",
            true,
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", false),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc",
            false,
        ),
        ("HTTP/1.1 200 OK\r\nContent-Len", false),
        ("", false),
    ] {
        let mut parser = ResponseParser::default();
        parser.begin(false);
        parser
            .feed(text.as_bytes(), &mut Seen::default())
            .expect("is well formed");
        assert_eq!(parser.end_of_stream(), completes, "{text:?}");
        assert!(!parser.keeps_alive());
    }
}

#[test]
fn what_is_not_http_is_told_apart_by_kind() {
    let ok = "HTTP/1.1 200 OK\r\n";
    for (text, error) in [
        ("SSH-2.0-OpenSSH", ParseError::NotHttp),
        ("\r\nHTTP/1.1 200 OK\r\n", ParseError::NotHttp),
        ("HTTP/2 200\r\n", ParseError::NotHttp),
        ("HTTP/1.1 20 OK\r\n", ParseError::StatusLine),
        ("HTTP/1.1 2000 OK\r\n", ParseError::StatusLine),
        ("HTTP/1.1\r\n", ParseError::StatusLine),
        (
            "HTTP/1.1 101 Switching Protocols\r\n\r\n",
            ParseError::Upgrade,
        ),
        ("HTTP/1.1 200 OK\rAge: 1\r\n", ParseError::StatusLine),
        (&format!("{ok}a: b\rAge: 1\r\n"), ParseError::Header),
        (&format!("{ok}a: b\0\r\n"), ParseError::Header),
        (&format!("{ok}no colon\r\n"), ParseError::Header),
        (&format!("{ok}: no name\r\n"), ParseError::Header),
        (&format!("{ok}space : x\r\n"), ParseError::Header),
        (&format!("{ok}a: b\r\n folded: c\r\n"), ParseError::Header),
        (
            &format!("{ok}Content-Length: -1\r\n"),
            ParseError::ContentLength,
        ),
        (
            &format!("{ok}Content-Length: \r\n"),
            ParseError::ContentLength,
        ),
        (
            &format!("{ok}Content-Length: 99999999999999999999\r\n"),
            ParseError::ContentLength,
        ),
        (
            &format!("{ok}Content-Length: 1\r\nContent-Length: 2\r\n"),
            ParseError::ContentLength,
        ),
        (
            &format!("{ok}Transfer-Encoding: chunked\r\n\r\nxyz\r\n"),
            ParseError::Chunk,
        ),
        (
            &format!("{ok}Transfer-Encoding: chunked\r\n\r\n\r\n"),
            ParseError::Chunk,
        ),
        (
            &format!("{ok}Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n"),
            ParseError::Chunk,
        ),
        (
            &format!("{ok}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n"),
            ParseError::Chunk,
        ),
        (
            &format!("{ok}a: {}\r\n", "x".repeat(HEAD_LIMIT_BYTES)),
            ParseError::TooLong,
        ),
        (
            &format!("{ok}a: {}", "x".repeat(HEAD_LIMIT_BYTES)),
            ParseError::TooLong,
        ),
        (
            &format!("{ok}{}", "a: b\r\n".repeat(HEAD_LIMIT_BYTES / 6)),
            ParseError::TooLong,
        ),
        (
            &"HTTP/1.1 100 Continue\r\n\r\n".repeat(HEAD_LIMIT_BYTES / 25 + 1),
            ParseError::TooLong,
        ),
    ] {
        assert_eq!(whole(text).1, Err(error), "{}", &text[..text.len().min(80)]);
    }
}

#[test]
fn a_body_larger_than_the_head_limit_is_fine() {
    let body = "x".repeat(3 * HEAD_LIMIT_BYTES);
    let chunks = "1\r\nx\r\n".repeat(HEAD_LIMIT_BYTES);
    let length = format!(
        "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let chunked = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}0\r\n\r\n");
    assert_eq!(whole(&length).1, Ok((0, true, true)));
    assert_eq!(whole(&chunked).1, Ok((0, true, true)));
}

/// Responses, sound and broken, from parts that meet each other in every order.
fn response() -> impl Strategy<Value = Vec<u8>> {
    let part = prop::sample::select(vec![
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.0 404 Not Found\n",
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 20",
        "Content-Length: 5\r\n",
        "Content-Length: x\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Connection: close\r\n",
        "Server: some\r\n",
        "\r\n",
        "\n",
        "5\r\nhello\r\n",
        "0\r\n",
        "hello",
        "\r",
        ":",
    ]);
    prop::collection::vec(part, 0..10).prop_map(|parts| parts.concat().into_bytes())
}

fn at_cuts<'a>(bytes: &'a [u8], cuts: &[prop::sample::Index]) -> Vec<&'a [u8]> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    places.extend([0, bytes.len()]);
    places.sort_unstable();
    places
        .windows(2)
        .map(|pair| &bytes[pair[0]..pair[1]])
        .collect()
}

proptest! {
    #[test]
    fn any_cut_of_the_bytes_gives_the_same(
        bytes in response(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        is_head_request: bool,
    ) {
        let expected = parse(&[&bytes], is_head_request);
        prop_assert_eq!(parse(&at_cuts(&bytes, &cuts), is_head_request), expected.clone());
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        prop_assert_eq!(parse(&single, is_head_request), expected);
    }

    #[test]
    fn garbage_never_panics(
        prefix in prop::sample::select(vec!["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"]),
        bytes in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let bytes = [prefix.as_bytes(), &bytes].concat();
        let _ = parse(&[&bytes], false);
    }
}
