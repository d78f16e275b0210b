"""PT-1 to PT-6: what reaches the upstream."""

from functools import partial
from secrets import token_bytes, token_hex

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.scripts import fixed
from loadstone.contract.subject import Subject

from .lib.gateway import JSON, MEBIBYTE

check = partial(declare.check, operation="passthrough")

PATH = "/passthrough"

OWN_REQUEST_FIELDS = {
    "host",
    "connection",
    "content-length",
    "transfer-encoding",
    "via",
}
"""What a gateway may add to a request: its own leg's framing, and its name."""


@check("PT-1", "a POST reaches the upstream once, as a POST to its path", needs_upstream=True)
def one_request(subject: Subject) -> None:
    subject.ask(PATH, [JSON], b"{}")
    exchange = subject.upstream.only_exchange()
    expect_equal(exchange.method, "POST", "the upstream's method")
    expect_equal(exchange.target, "/service/EchoService", "the upstream's target")


@check("PT-1", "the query reaches the upstream unchanged", needs_upstream=True)
def query(subject: Subject) -> None:
    text = f"b={token_hex(4)}&a=%20+%C3%A4&a=;&empty="
    subject.ask(f"{PATH}?{text}", [JSON], b"{}")
    target = subject.upstream.only_exchange().target
    expect_equal(target, f"/service/EchoService?{text}", "the upstream's target")


@check("PT-2", "bytes that are no text reach the upstream unchanged", needs_upstream=True)
def any_bytes(subject: Subject) -> None:
    body = bytes(range(256)) + token_bytes(500)
    subject.ask(PATH, [("Content-Type", "application/octet-stream")], body)
    expect_equal(subject.upstream.only_exchange().body, body, "the upstream's body")


@check("PT-2", "JSON is not parsed: neither spaces nor repeated keys change", needs_upstream=True)
def odd_json(subject: Subject) -> None:
    body = f'{{ "a" : 1.0e2,\t"a":"\\u0041{token_hex(4)}", "b":[ ] }}\r\n'.encode()
    subject.ask(PATH, [JSON], body)
    expect_equal(subject.upstream.only_exchange().body, body, "the upstream's body")


@check("PT-2", "what claims to be JSON and is not is passed on as well", needs_upstream=True)
def broken_json(subject: Subject) -> None:
    body = f'{{"a": {token_hex(4)}'.encode()
    subject.ask(PATH, [JSON], body)
    expect_equal(subject.upstream.only_exchange().body, body, "the upstream's body")


@check("PT-2", "an empty body reaches the upstream empty", needs_upstream=True)
def empty_body(subject: Subject) -> None:
    answer = subject.ask(PATH)
    expect_equal(answer.status, 200, "the status")
    expect_equal(subject.upstream.only_exchange().body, b"", "the upstream's body")


@check("PT-2", "a body of unknown length reaches the upstream whole", needs_upstream=True)
def body_in_pieces(subject: Subject) -> None:
    pieces = [token_bytes(size) for size in (1, 300, 7000)]
    with subject.connect() as connection:
        call = connection.begin(PATH)
        for piece in pieces:
            call.send_piece(piece)
        call.end()
        call.receive_answer()
    expect_equal(subject.upstream.only_exchange().body, b"".join(pieces), "the upstream's body")


@check("PT-2", "a body of 1 MiB reaches the upstream unchanged", needs_upstream=True)
def large_body(subject: Subject) -> None:
    body = token_bytes(MEBIBYTE)
    subject.upstream.answer_with(fixed(200))
    subject.ask(PATH, [("Content-Type", "application/octet-stream")], body)
    expect_equal(subject.upstream.only_exchange().body, body, "the upstream's body")


@check("PT-3", "end-to-end fields reach the upstream", needs_upstream=True)
def end_to_end_fields(subject: Subject) -> None:
    token = token_hex(4)
    fields = [
        ("Content-Type", f'application/json; charset="utf-8"; v={token}'),
        ("User-Agent", f"caller/{token}"),
        ("Accept", "application/json, text/*;q=0.5"),
        ("Accept-Encoding", "br;q=0.9, identity"),
        ("Accept-Language", "de-CH"),
        ("Authorization", f"Bearer {token}"),
        ("Cookie", f"a={token}; b=2"),
        ("If-None-Match", f'"{token}"'),
        ("X-Forwarded-For", "192.0.2.7"),
        (f"X-{token}", token),
    ]
    subject.ask(PATH, fields, b"{}")
    head = subject.upstream.only_exchange().head
    for name, value in fields:
        values = head.values(name)
        if name == "Cookie" and subject.upstream_protocol.is_http2:
            values = ("; ".join(values),)  # it may be in crumbs there (RFC 9113, 8.2.3)
        expect_equal(values, (value,), f"the upstream's {name}")


@check("PT-3", "a repeated field reaches the upstream with every value", needs_upstream=True)
def repeated_field(subject: Subject) -> None:
    first, second = token_hex(4), token_hex(4)
    subject.ask(PATH, [JSON, ("X-Repeated", first), ("X-Repeated", second)], b"{}")
    values = subject.upstream.only_exchange().head.values("x-repeated")
    # A recipient may join the values of a repeated field; their order counts.
    expect_equal(", ".join(values), f"{first}, {second}", "the upstream's X-Repeated")


@check("PT-3", "no field is added on the way to the upstream", needs_upstream=True)
def no_field_added(subject: Subject) -> None:
    subject.ask(PATH, [], b"{}")
    names = {name.lower() for name, _ in subject.upstream.only_exchange().headers}
    expect_equal(names - OWN_REQUEST_FIELDS, set(), "what the gateway added")


@check("PT-4", "the authority is the upstream's", needs_upstream=True)
def authority(subject: Subject) -> None:
    subject.ask(PATH, [JSON], b"{}")
    exchange = subject.upstream.only_exchange()
    wanted = subject.upstream.authority
    expect_equal(exchange.authority, wanted, "the upstream's authority")
    expect(set(exchange.head.values("host")) <= {wanted}, "the upstream's Host is another")


@check(
    "PT-5",
    "hop-by-hop fields of the caller end at the gateway",
    client="http/1.1",
    needs_upstream=True,
)
def hop_by_hop_fields(subject: Subject) -> None:
    named = f"X-Hop-{token_hex(4)}"
    ending = {"Keep-Alive": "timeout=77", "Proxy-Connection": "close", "TE": "trailers"}
    connection = ("Connection", f"keep-alive, TE, {named}")
    subject.ask(PATH, [JSON, connection, (named, "1"), *ending.items()], b"{}")
    head = subject.upstream.only_exchange().head
    for name in [named, *ending]:
        expect_equal(head.values(name), (), f"the upstream's {name}")
    expect(
        set(head.values("connection")) <= {"keep-alive", "close"},
        f"the upstream's Connection is {head.values('connection')}",
    )


@check("PT-5", "an offered upgrade ends at the gateway", client="http/1.1", needs_upstream=True)
def upgrade(subject: Subject) -> None:
    offer = [
        ("Connection", "Upgrade, HTTP2-Settings"),
        ("Upgrade", "h2c"),
        ("HTTP2-Settings", "AA"),
    ]
    answer = subject.ask(PATH, [JSON, *offer], b"{}")
    expect_equal(answer.status, 200, "the status")
    head = subject.upstream.only_exchange().head
    for name in ("Upgrade", "HTTP2-Settings"):
        expect_equal(head.values(name), (), f"the upstream's {name}")


@check(
    "PT-6", "a caller that waits for 100 is told to go on", client="http/1.1", needs_upstream=True
)
def expect_continue(subject: Subject) -> None:
    body = token_hex(20).encode()
    with subject.connect_http1() as connection:
        length = ("Content-Length", str(len(body)))
        connection.send_head(PATH, [JSON, length, ("Expect", "100-continue")])
        status, _ = connection.receive_head()
        expect_equal(status, 100, "the status before the body")
        connection.send(body)
        answer = connection.receive_answer()
    expect_equal(answer.status, 200, "the status")
    expect_equal(answer.body, body, "the answer's body")
    expect_equal(subject.upstream.only_exchange().body, body, "the upstream's body")
