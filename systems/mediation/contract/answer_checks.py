"""PT-7 to PT-11: what comes back to the caller. The quick ones hold with any echoing upstream."""

import gzip
from functools import partial
from secrets import token_bytes, token_hex

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.model import Sample
from loadstone.contract.scripts import fixed
from loadstone.contract.subject import Subject

from .lib.gateway import JSON, MEBIBYTE, OWN_ANSWER_FIELDS

check = partial(declare.check, operation="passthrough")
sample_check = partial(declare.sample_check, operation="passthrough")

PATH = "/passthrough"


@check("PT-7", "a JSON body comes back byte for byte", quick=True)
def json_body(subject: Subject) -> None:
    body = f'{{"size":"50B","payload":["{token_hex(5)}","{token_hex(4)}"]}}'.encode()
    answer = subject.ask(PATH, [JSON], body)
    expect_equal(answer.status, 200, "the status")
    expect_equal(answer.body, body, "the body")


@check("PT-7", "bytes that are no text come back unchanged", quick=True)
def any_bytes(subject: Subject) -> None:
    body = bytes(range(256)) + token_bytes(500)
    answer = subject.ask(PATH, [("Content-Type", "application/octet-stream")], body)
    expect_equal(answer.body, body, "the body")


@check("PT-7", "a body of 1 MiB comes back unchanged")
def large_body(subject: Subject) -> None:
    body = token_bytes(MEBIBYTE)
    answer = subject.ask(PATH, [("Content-Type", "application/octet-stream")], body)
    expect_equal(answer.status, 200, "the status")
    expect_equal(answer.body, body, "the body")


@check("PT-7", "whatever status the upstream has is the caller's", needs_upstream=True)
def any_status(subject: Subject) -> None:
    for status in (200, 201, 400, 404, 405, 429, 500, 503):
        body = token_hex(8).encode()
        subject.upstream.answer_with(fixed(status, [("Content-Type", "text/plain")], body))
        answer = subject.ask(PATH, [JSON], b"{}")
        expect_equal(answer.status, status, "the status")
        expect_equal(answer.body, body, f"the body of a {status}")


@check("PT-7", "an answer without a body stays without", needs_upstream=True)
def empty_answer(subject: Subject) -> None:
    subject.upstream.answer_with(fixed(202))
    answer = subject.ask(PATH, [JSON], b"{}")
    expect_equal((answer.status, answer.body), (202, b""), "status and body")


@check("PT-8", "the content type comes back", quick=True)
def content_type(subject: Subject) -> None:
    value = f"application/json; v={token_hex(4)}"
    answer = subject.ask(PATH, [("Content-Type", value)], b"{}")
    expect_equal(answer.values("content-type"), (value,), "Content-Type")


@check("PT-8", "end-to-end fields of the upstream reach the caller", needs_upstream=True)
def end_to_end_fields(subject: Subject) -> None:
    token = token_hex(4)
    fields = [
        ("Content-Type", f"application/vnd.{token}+json"),
        ("Cache-Control", "no-store"),
        ("Content-Language", "de-CH"),
        ("ETag", f'W/"{token}"'),
        ("Retry-After", "7"),
        ("Vary", "Accept, Origin"),
        (f"X-{token}", token),
    ]
    subject.upstream.answer_with(fixed(200, fields, b"{}"))
    answer = subject.ask(PATH, [JSON], b"{}")
    for name, value in fields:
        expect_equal(answer.values(name), (value,), name)


@check("PT-8", "a repeated field of the upstream is not joined or lost", needs_upstream=True)
def repeated_field(subject: Subject) -> None:
    # Set-Cookie is the one field whose values cannot be joined.
    cookies = (f"a={token_hex(4)}; Path=/", f"b={token_hex(4)}, c")
    subject.upstream.answer_with(fixed(200, [("Set-Cookie", cookie) for cookie in cookies]))
    answer = subject.ask(PATH, [JSON], b"{}")
    expect_equal(answer.values("set-cookie"), cookies, "Set-Cookie")


@check("PT-8", "no field is added, and no content type guessed", needs_upstream=True)
def no_field_added(subject: Subject) -> None:
    subject.upstream.answer_with(fixed(200, [], b"<html><body>not labelled</body></html>"))
    answer = subject.ask(PATH, [JSON], b"{}")
    names = {name.lower() for name, _ in answer.headers}
    expect_equal(names - OWN_ANSWER_FIELDS, set(), "what the gateway added")


@check(
    "PT-9",
    "hop-by-hop fields of the upstream end at the gateway",
    upstream="http/1.1",
    needs_upstream=True,
)
def hop_by_hop_fields(subject: Subject) -> None:
    named = f"X-Hop-{token_hex(4)}"
    ending = [
        ("Keep-Alive", "timeout=77, max=7"),
        ("Proxy-Connection", "close"),
        ("Upgrade", "h2c"),
    ]
    fields = [("Connection", f"keep-alive, {named}"), (named, "1"), *ending]
    subject.upstream.answer_with(fixed(200, fields, b"{}"))
    answer = subject.ask(PATH, [JSON], b"{}")
    for name, value in [(named, "1"), *ending]:
        expect(value not in answer.values(name), f"{name}: {value} reached the caller")
    expect(
        not any(named in value for value in answer.values("connection")),
        f"Connection is {answer.values('connection')}",
    )


@check("PT-10", "a gzip body is passed on as it is, asked for or not", needs_upstream=True)
def coded_body(subject: Subject) -> None:
    body = gzip.compress(token_hex(200).encode())
    coding = [JSON, ("Content-Encoding", "gzip")]
    subject.upstream.answer_with(fixed(200, coding, body))
    for asked in ([], [("Accept-Encoding", "gzip")]):
        answer = subject.ask(PATH, [JSON, *asked], b"{}")
        expect_equal(answer.values("content-encoding"), ("gzip",), "Content-Encoding")
        expect_equal(answer.body, body, "the body")


@check("PT-11", "a redirect is passed on and not followed", needs_upstream=True)
def redirect(subject: Subject) -> None:
    for status in (302, 307):
        subject.upstream.forget()
        location = f"{subject.upstream.url}/elsewhere/{token_hex(4)}"
        subject.upstream.answer_with(fixed(status, [("Location", location)]))
        answer = subject.ask(PATH, [JSON], b"{}")
        expect_equal(answer.status, status, "the status")
        expect_equal(answer.values("location"), (location,), "Location")
        subject.upstream.only_exchange()


@sample_check("PT-7", "under load, status and body are the upstream's")
def sampled_body(sample: Sample) -> None:
    sent = sample.operation.body.encode()
    expect_equal(sample.status, 200, "the status")
    expect_equal(sample.body_bytes, len(sent), "the body's size")
    expect_equal(sample.body, sent[: len(sample.body)], "the body")
    expect(sample.truncated or len(sample.body) == len(sent), "the kept body is cut unsaid")


@sample_check("PT-8", "under load, the content type is the upstream's")
def sampled_content_type(sample: Sample) -> None:
    sent = _values(sample.operation.headers, "content-type")
    expect_equal(_values(sample.headers, "content-type"), sent, "Content-Type")


def _values(headers: tuple[tuple[str, str], ...], name: str) -> list[str]:
    return [value for field, value in headers if field.lower() == name]
