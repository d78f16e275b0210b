import logging

import pytest
from starlette.types import Message

from gateway.gateway import create_gateway
from gateway.transform import MAXIMUM_BODY_BYTES
from gateway.upstream import UpstreamFailed
from tests.fake_upstream import answering, ask, failing, silent


def status_of(sent: list[Message]) -> int:
    status: int = sent[0]["status"]
    return status


def body_of(sent: list[Message]) -> bytes:
    return b"".join(message["body"] for message in sent[1:])


def is_whole(sent: list[Message]) -> bool:
    return not sent[-1].get("more_body", False)


def test_query_fields_and_body_travel_on() -> None:
    upstream = answering(b"answer")
    parts = [b"a", b"b"]
    headers = [(b"host", b"gateway"), (b"x-a", b"1")]
    sent = ask(create_gateway(upstream), "/passthrough", parts, query=b"a=%20", headers=headers)
    assert upstream.requests == [(b"a=%20", [(b"x-a", b"1")], b"ab")]
    assert (status_of(sent), body_of(sent), is_whole(sent)) == (200, b"answer", True)


def test_a_head_is_passed_on_before_its_body_exists() -> None:
    sent = ask(create_gateway(answering(b"later")), "/passthrough", [])
    assert sent[1] == {"type": "http.response.body", "body": b"", "more_body": True}


def test_an_answer_that_has_its_length_is_whole_at_once() -> None:
    upstream = answering(b"whole", b"", headers=[(b"content-length", b"5")])
    sent = ask(create_gateway(upstream), "/passthrough", [])
    assert sent[-1] == {"type": "http.response.body", "body": b"whole", "more_body": False}


@pytest.mark.parametrize("path", ["/passthrough", "/transform"])
def test_a_failed_upstream_is_logged_in_one_line_and_answered_plainly(
    path: str, caplog: pytest.LogCaptureFixture
) -> None:
    sent = ask(create_gateway(failing("refused\nby it")), path, [b'{"a":1}'])
    assert (status_of(sent), body_of(sent)) == (502, b"the upstream failed\n")
    assert caplog.messages == ["upstream failed: refused by it"]


def test_an_answer_that_breaks_off_has_no_end(caplog: pytest.LogCaptureFixture) -> None:
    upstream = answering(b"half", UpstreamFailed("reset"), b"never")
    sent = ask(create_gateway(upstream), "/passthrough", [])
    assert (body_of(sent), is_whole(sent)) == (b"half", False)
    assert caplog.messages == ["upstream failed: reset"]


def test_a_caller_that_goes_away_ends_its_request_and_is_no_failure(
    caplog: pytest.LogCaptureFixture,
) -> None:
    upstream = silent()
    assert ask(create_gateway(upstream), "/passthrough", [b"a"], leaves=True) == []
    assert upstream.given_up
    assert caplog.messages == []


@pytest.mark.parametrize("path", ["/", "/passthrough/", "/Passthrough", "/passthrough/a"])
def test_another_path_is_not_found(path: str) -> None:
    upstream = answering()
    sent = ask(create_gateway(upstream), path, [])
    assert (status_of(sent), upstream.requests) == (404, [])


@pytest.mark.parametrize("path", ["/passthrough", "/transform"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "PUT"])
def test_another_method_is_not_allowed(path: str, method: str) -> None:
    upstream = answering()
    sent = ask(create_gateway(upstream), path, [], method=method)
    assert (status_of(sent), upstream.requests) == (405, [])
    assert (b"allow", b"POST") in sent[0]["headers"]
    assert (body_of(sent) == b"") == (method == "HEAD")


def test_a_document_is_a_request_of_its_own() -> None:
    upstream = answering()
    headers = [(b"x-a", b"1"), (b"content-type", b"application/json")]
    ask(create_gateway(upstream), "/transform", [b'{"a"', b":1}"], query=b"b", headers=headers)
    fields = [(b"content-type", b"application/xml"), (b"content-length", b"8")]
    assert upstream.requests == [(b"", fields, b"<a>1</a>")]


def test_what_makes_no_document_is_a_bad_request() -> None:
    upstream = answering()
    sent = ask(create_gateway(upstream), "/transform", [b"{}"])
    assert (status_of(sent), upstream.requests) == (400, [])


@pytest.mark.parametrize("tells", [True, False])
def test_a_larger_body_is_refused_whether_it_tells_its_length_or_not(tells: bool) -> None:
    body = b'"' + b"a" * (MAXIMUM_BODY_BYTES - 1) + b'"'
    headers = [(b"content-length", b"%d" % len(body))] if tells else []
    upstream = answering()
    sent = ask(create_gateway(upstream), "/transform", [body[:1000], body[1000:]], headers=headers)
    assert (status_of(sent), upstream.requests) == (413, [])


def test_an_error_of_the_gateway_is_logged_and_answered(caplog: pytest.LogCaptureFixture) -> None:
    upstream = answering(RuntimeError("unforeseen"))
    with pytest.raises(RuntimeError, match="unforeseen"):
        ask(create_gateway(upstream), "/passthrough", [])
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
