"""TR-1, TR-2 and TR-5: the exchange around the conversion, on both legs."""

import gzip
from contextlib import ExitStack
from functools import partial
from secrets import token_bytes, token_hex

from loadstone.contract import declare
from loadstone.contract.client import Connection
from loadstone.contract.exchange import Exchange
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.scripts import break_unanswered, close_unanswered, fixed, never, together
from loadstone.contract.subject import Subject

from .lib.gateway import (
    JSON,
    MEBIBYTE,
    OTHER_METHODS,
    OWN_ANSWER_FIELDS,
    expect_bad_gateway,
    expect_broken,
    expect_next_document,
    expect_not_allowed,
)
from .lib.xml_document import expect_xml

check = partial(declare.check, operation="transform")

PATH = "/transform"


@check("TR-1", "a POST reaches the upstream once, as XML to its path", needs_upstream=True)
def one_request(subject: Subject) -> None:
    name = f"n{token_hex(4)}"
    subject.ask(PATH, [JSON], f'{{"{name}": "<{name}>"}}'.encode())
    exchange = subject.upstream.only_exchange()
    expect_equal(exchange.method, "POST", "the upstream's method")
    expect_equal(exchange.target, "/service/EchoService", "the upstream's target")
    expect_xml(exchange.body, f"<{name}>&lt;{name}&gt;</{name}>", "the upstream's document")
    values = exchange.head.values("content-type")
    expect_equal(values, ("application/xml",), "the upstream's Content-Type")


@check("TR-1", "a query does not reach the upstream", needs_upstream=True)
def query(subject: Subject) -> None:
    for text in ("?", f"?a={token_hex(4)}&b=2"):
        subject.upstream.forget()
        expect_equal(subject.ask(f"{PATH}{text}", [JSON], b"[1]").status, 200, f"after {text}")
        target = subject.upstream.only_exchange().target
        expect_equal(target, "/service/EchoService", "the upstream's target")


@check("TR-1", "no field of the caller reaches the upstream", needs_upstream=True)
def no_field_of_the_caller(subject: Subject) -> None:
    token = token_hex(4)
    fields = [
        ("Content-Type", f"application/json; v={token}"),
        ("User-Agent", f"caller/{token}"),
        ("Accept", f"application/vnd.{token}+json"),
        ("Accept-Encoding", f"identity, x-{token}"),
        ("Accept-Language", f"de-{token}"),
        ("Authorization", f"Bearer {token}"),
        ("Cache-Control", f"max-age=0, x-{token}"),
        ("Cookie", f"a={token}; b=2"),
        ("If-None-Match", f'"{token}"'),
        ("Forwarded", f"for={token}"),
        (f"X-{token}", "1"),
    ]
    expect_equal(subject.ask(PATH, fields, b"[1]").status, 200, "the status")
    for name, value in subject.upstream.only_exchange().headers:
        expect(token not in f"{name} {value}".lower(), f"{name}: {value} reached the upstream")


@check("TR-1", "a body that comes in pieces is converted whole", needs_upstream=True)
def body_in_pieces(subject: Subject) -> None:
    name = f"n{token_hex(4)}"
    sent = f'{{"{name}": ["é", "{name}"]}}'.encode()
    with subject.connect() as connection:
        call = connection.begin(PATH, [JSON])
        for at in range(len(sent)):  # also between the two bytes of a letter
            call.send_piece(sent[at : at + 1])
        call.end()
        answer = call.receive_answer()
    expect_xml(
        answer.body, f"<root><{name}>é</{name}><{name}>{name}</{name}></root>", "the document"
    )
    subject.upstream.only_exchange()


@check("TR-2", "whatever status and body the upstream has are the caller's", needs_upstream=True)
def any_status(subject: Subject) -> None:
    for status in (200, 201, 400, 404, 405, 413, 429, 500, 503):
        body = token_hex(8).encode()
        subject.upstream.answer_with(fixed(status, [("Content-Type", "text/plain")], body))
        answer = subject.ask(PATH, [JSON], b"[1]")
        expect_equal(answer.status, status, "the status")
        expect_equal(answer.body, body, f"the body of a {status}")


@check(
    "TR-2", "an answer of any bytes up to 1 MiB, or of none, is the caller's", needs_upstream=True
)
def any_body(subject: Subject) -> None:
    for body in (b"", bytes(range(256)), token_bytes(MEBIBYTE)):
        subject.upstream.answer_with(fixed(200, [], body))
        answer = subject.ask(PATH, [JSON], b"[1]")
        expect_equal((answer.status, answer.body), (200, body), "status and body")


@check(
    "TR-2",
    "end-to-end fields of the upstream reach the caller, repeated ones too",
    needs_upstream=True,
)
def end_to_end_fields(subject: Subject) -> None:
    token = token_hex(4)
    cookies = (f"a={token}; Path=/", f"b={token}, c")
    fields = [
        ("Content-Type", f"application/vnd.{token}+xml"),
        ("Cache-Control", "no-store"),
        ("ETag", f'W/"{token}"'),
        ("Retry-After", "7"),
        (f"X-{token}", token),
    ]
    repeated = [("Set-Cookie", cookie) for cookie in cookies]
    subject.upstream.answer_with(fixed(200, [*fields, *repeated], b"{}"))
    answer = subject.ask(PATH, [JSON], b"[1]")
    for name, value in fields:
        expect_equal(answer.values(name), (value,), name)
    expect_equal(answer.values("set-cookie"), cookies, "Set-Cookie")


@check("TR-2", "no field is added, and no content type guessed", needs_upstream=True)
def no_field_added(subject: Subject) -> None:
    subject.upstream.answer_with(fixed(200, [], b"<root/>"))
    answer = subject.ask(PATH, [JSON], b"[1]")
    names = {name.lower() for name, _ in answer.headers}
    expect_equal(names - OWN_ANSWER_FIELDS, set(), "what the gateway added")


@check("TR-2", "a coded body and a redirect are passed on as they are", needs_upstream=True)
def coded_body_and_redirect(subject: Subject) -> None:
    body = gzip.compress(token_hex(200).encode())
    subject.upstream.answer_with(fixed(200, [("Content-Encoding", "gzip")], body))
    answer = subject.ask(PATH, [JSON], b"[1]")
    expect_equal(answer.values("content-encoding"), ("gzip",), "Content-Encoding")
    expect_equal(answer.body, body, "the body")
    subject.upstream.forget()
    location = f"{subject.upstream.url}/elsewhere/{token_hex(4)}"
    subject.upstream.answer_with(fixed(302, [("Location", location)]))
    answer = subject.ask(PATH, [JSON], b"[1]")
    expect_equal(answer.status, 302, "the status")
    expect_equal(answer.values("location"), (location,), "Location")
    subject.upstream.only_exchange()


@check(
    "TR-2", "hop-by-hop fields of the upstream end here", needs_upstream=True, upstream="http/1.1"
)
def hop_by_hop_fields(subject: Subject) -> None:
    named = f"X-Hop-{token_hex(4)}"
    ending = [("Keep-Alive", "timeout=77, max=7"), ("Proxy-Connection", "close"), (named, "1")]
    fields = [("Connection", f"keep-alive, {named}"), *ending]
    subject.upstream.answer_with(fixed(200, fields, b"{}"))
    answer = subject.ask(PATH, [JSON], b"[1]")
    for name, value in ending:
        expect(value not in answer.values(name), f"{name}: {value} reached the caller")


@check("TR-2", "nothing is cached: the same request twice is sent twice", needs_upstream=True)
def caches_nothing(subject: Subject) -> None:
    for number in (1, 2):
        body = token_hex(8).encode()
        subject.upstream.answer_with(fixed(200, [("Cache-Control", "public, max-age=99")], body))
        expect_equal(subject.ask(PATH, [JSON], b"[1]").body, body, f"the body of answer {number}")
        expect_equal(len(subject.upstream.exchanges), number, "requests at the upstream")


@check("TR-2", "nothing is sent again, whatever becomes of it", needs_upstream=True)
def retries_nothing(subject: Subject) -> None:
    subject.ask(PATH, [JSON], b"[1]")  # now there is a kept connection, where clients retry first
    for answering in (close_unanswered, break_unanswered, fixed(503, [("Retry-After", "0")])):
        subject.upstream.forget()
        subject.upstream.answer_with(answering)
        subject.ask(PATH, [JSON], b"[1]")
        subject.upstream.only_exchange()


@check("TR-2", "100 callers at the same time each get their own document", needs_upstream=True)
def keeps_callers_apart(subject: Subject) -> None:
    texts = [token_hex(8 + number) for number in range(100)]
    subject.upstream.answer_with(together(len(texts), subject.deadline.remaining_seconds()))
    with ExitStack() as opened:
        connections = [opened.enter_context(subject.connect()) for _ in texts]
        for connection, text in zip(connections, texts, strict=True):
            connection.send_request(PATH, [JSON], f'{{"a": "{text}"}}'.encode())
        answers = [connection.receive_answer() for connection in connections]
    for answer, text in zip(answers, texts, strict=True):
        expect_equal(answer.status, 200, "a status")
        expect_xml(answer.body, f"<a>{text}</a>", "a document")


@check("TR-2", "a caller that goes away ends its request at the upstream", needs_upstream=True)
def cancels_by_closing(subject: Subject) -> None:
    with subject.connect() as connection:
        exchange = _begun(subject, connection)
    exchange.wait_for_close(subject.deadline)


@check("TR-2", "a caller that is killed ends its request at the upstream", needs_upstream=True)
def cancels_by_reset(subject: Subject) -> None:
    with subject.connect() as connection:
        exchange = _begun(subject, connection)
        connection.break_off()
    exchange.wait_for_close(subject.deadline)


@check("TR-2", "an upstream that refuses gives 502, and the gateway goes on", needs_upstream=True)
def refused(subject: Subject) -> None:
    with subject.upstream.away(subject.deadline):
        expect_bad_gateway(subject.ask(PATH, [JSON], b"[1]"))
        expect_bad_gateway(subject.ask(PATH, [JSON], b'{"a": {}}'))
    _expect_service(subject)


@check("TR-2", "an upstream that closes or resets unanswered gives 502", needs_upstream=True)
def unanswered(subject: Subject) -> None:
    for answering in (close_unanswered, break_unanswered):
        subject.upstream.answer_with(answering)
        expect_bad_gateway(subject.ask(PATH, [JSON], b"[1]"))
    _expect_service(subject)


@check("TR-2", "an answer that ends before its length is seen as broken", needs_upstream=True)
def cut_by_length(subject: Subject) -> None:
    expect_broken(subject, PATH, b"[1]", chunked=False)
    _expect_service(subject)


@check("TR-2", "an answer that ends without its last part is seen as broken", needs_upstream=True)
def cut_by_chunks(subject: Subject) -> None:
    expect_broken(subject, PATH, b"[1]", chunked=True)
    _expect_service(subject)


@check("TR-5", "another method is 405 and names the one allowed", quick=True)
def other_method(subject: Subject) -> None:
    expect_not_allowed(subject, PATH, "GET")


@check("TR-5", "every other method is 405, and the upstream sees none", needs_upstream=True)
def every_other_method(subject: Subject) -> None:
    for method in OTHER_METHODS:
        expect_not_allowed(subject, PATH, method)
    expect_equal(len(subject.upstream.exchanges), 0, "requests at the upstream")


def _begun(subject: Subject, connection: Connection) -> Exchange:
    """A request that the upstream has, and does not answer."""
    subject.upstream.answer_with(never)
    connection.send_request(PATH, [JSON], b'{"a": 1}')
    exchange = subject.upstream.wait_for_exchange(subject.deadline)
    exchange.wait_for_body(len(b"<a>1</a>"), subject.deadline)
    return exchange


def _expect_service(subject: Subject) -> None:
    subject.upstream.forget()
    expect_next_document(subject, PATH)
