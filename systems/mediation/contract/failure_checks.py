"""PT-17 to PT-20: failures of the upstream, and requests that are none of the gateway's."""

from secrets import token_hex

from loadstone.contract.answers import break_unanswered, close_unanswered, half
from loadstone.contract.client import Answer
from loadstone.contract.declare import check
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject
from loadstone.contract.wire import BrokenMessage

PATH = "/passthrough"
JSON = ("Content-Type", "application/json")

SHORT_BYTES = 300
"""A message for a person; a stack trace or a page of HTML is longer."""

OTHER_PATHS = ("/", "/passthrough/", "/PassThrough", "/passthroughs", "/passthrough/x", "/a")
OTHER_METHODS = ("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS")


@check("PT-17", "an upstream that refuses gives 502, and the gateway goes on", needs_upstream=True)
def refused(subject: Subject) -> None:
    with subject.upstream.away(subject.deadline):
        _expect_bad_gateway(subject.ask(PATH, [JSON], b"{}"))
        _expect_bad_gateway(subject.ask(PATH, [JSON], token_hex(8).encode()))
    _expect_service(subject)


@check("PT-17", "an upstream that closes unanswered gives 502", needs_upstream=True)
def closed(subject: Subject) -> None:
    subject.upstream.answer_with(close_unanswered)
    _expect_bad_gateway(subject.ask(PATH, [JSON], b"{}"))
    _expect_service(subject)


@check("PT-17", "an upstream that resets unanswered gives 502", needs_upstream=True)
def reset(subject: Subject) -> None:
    subject.upstream.answer_with(break_unanswered)
    _expect_bad_gateway(subject.ask(PATH, [JSON], b"{}"))
    _expect_service(subject)


@check("PT-18", "an answer that ends before its length is seen as broken", needs_upstream=True)
def cut_by_length(subject: Subject) -> None:
    _expect_broken(subject, chunked=False)


@check("PT-18", "an answer that ends without its last chunk is seen as broken", needs_upstream=True)
def cut_by_chunks(subject: Subject) -> None:
    _expect_broken(subject, chunked=True)


@check("PT-19", "another path is 404", quick=True)
def other_path(subject: Subject) -> None:
    for path in ("/nothing-here", f"{PATH}/"):
        expect_equal(subject.ask(path, [JSON], b"{}").status, 404, f"the status of {path}")


@check("PT-19", "paths are compared exactly, and the upstream sees none", needs_upstream=True)
def exact_paths(subject: Subject) -> None:
    for path in OTHER_PATHS:
        expect_equal(subject.ask(path, [JSON], b"{}").status, 404, f"the status of {path}")
    expect_equal(len(subject.upstream.exchanges), 0, "requests at the upstream")


@check("PT-20", "another method is 405 and names the one allowed", quick=True)
def other_method(subject: Subject) -> None:
    _expect_not_allowed(subject, "GET")


@check("PT-20", "every other method is 405, and the upstream sees none", needs_upstream=True)
def every_other_method(subject: Subject) -> None:
    for method in OTHER_METHODS:
        _expect_not_allowed(subject, method)
    expect_equal(len(subject.upstream.exchanges), 0, "requests at the upstream")


def _expect_bad_gateway(answer: Answer) -> None:
    expect_equal(answer.status, 502, "the status")
    media_type = (answer.value("content-type") or "").partition(";")[0]
    expect_equal(media_type, "text/plain", "the message's media type")
    message = answer.body.decode()
    expect(0 < len(answer.body) <= SHORT_BYTES, f"the message has {len(answer.body)} bytes")
    expect(message.count("\n") <= 1, f"the message has several lines: {message!r}")


def _expect_service(subject: Subject) -> None:
    subject.upstream.forget()
    body = token_hex(8).encode()
    answer = subject.ask(PATH, [JSON], body)
    expect_equal((answer.status, answer.body), (200, body), "the next answer")


def _expect_broken(subject: Subject, *, chunked: bool) -> None:
    subject.upstream.answer_with(half(token_hex(8).encode(), chunked=chunked))
    try:
        answer = subject.ask(PATH, [JSON], b"{}")
    except (BrokenMessage, ConnectionError):
        pass
    else:
        expect_equal(answer.status, 502, "the status of an answer that looks complete")
    _expect_service(subject)


def _expect_not_allowed(subject: Subject, method: str) -> None:
    answer = subject.ask(PATH, method=method)
    expect_equal(answer.status, 405, f"the status of {method}")
    allowed = {name.strip() for value in answer.values("allow") for name in value.split(",")}
    expect_equal(allowed, {"POST"}, f"Allow after {method}")
