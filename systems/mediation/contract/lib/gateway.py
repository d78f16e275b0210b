"""What checks of gateways share: fields that are a gateway's own, and answers that it makes itself."""

from secrets import token_hex
from typing import Final

from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.scripts import half
from loadstone.contract.subject import Subject
from loadstone.contract.wire import BrokenMessage

from .xml_document import expect_xml

JSON: Final = ("Content-Type", "application/json")
MEBIBYTE: Final = 1 << 20

OWN_ANSWER_FIELDS: Final = frozenset(
    {
        "connection",
        "content-length",
        "date",
        "keep-alive",
        "server",
        "transfer-encoding",
        "via",
    }
)
"""What a gateway may add to an answer."""

OTHER_METHODS: Final = ("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS")
"""Those that are not POST."""

_SHORT_BYTES = 300
"""A message for a person; a stack trace or a page of HTML is longer."""


def expect_message(answer: Answer, status: int, when: str) -> None:
    """Expect a status with a short message in plain text."""
    expect_equal(answer.status, status, f"the status {when}")
    media_type = (answer.value("content-type") or "").partition(";")[0]
    expect_equal(media_type, "text/plain", f"the message's media type {when}")
    expect(0 < len(answer.body) <= _SHORT_BYTES, f"{len(answer.body)} bytes of message {when}")
    expect(answer.body.count(b"\n") <= 1, f"several lines {when}: {answer.body!r}")


def expect_bad_gateway(answer: Answer) -> None:
    """Expect 502 with a message."""
    expect_message(answer, 502, "where the upstream failed")


def expect_not_allowed(subject: Subject, path: str, method: str) -> None:
    """Expect 405 that names POST as the one method."""
    answer = subject.ask(path, method=method)
    expect_equal(answer.status, 405, f"the status of {method}")
    allowed = {name.strip() for value in answer.values("allow") for name in value.split(",")}
    expect_equal(allowed, {"POST"}, f"Allow after {method}")


def expect_broken(subject: Subject, path: str, body: bytes, *, chunked: bool) -> None:
    """Expect that an answer of the upstream which ends halfway never looks complete."""
    subject.upstream.answer_with(half(token_hex(8).encode(), chunked=chunked))
    try:
        answer = subject.ask(path, [JSON], body)
    except (BrokenMessage, ConnectionError):
        return
    expect_equal(answer.status, 502, "the status of an answer that looks complete")


def expect_next_echo(subject: Subject, path: str) -> None:
    """Expect that a gateway which passes on goes on: the upstream answers by echo again."""
    subject.upstream.forget()
    body = token_hex(8).encode()
    answer = subject.ask(path, [JSON], body)
    expect_equal((answer.status, answer.body), (200, body), "the next answer")


def expect_next_document(subject: Subject, path: str) -> None:
    """Expect that a gateway which converts goes on, in front of an upstream that echoes."""
    text = token_hex(8)
    answer = subject.ask(path, [JSON], f'{{"a": "{text}"}}'.encode())
    expect_equal(answer.status, 200, "the status of the next answer")
    expect_xml(answer.body, f"<a>{text}</a>", "the next document")
