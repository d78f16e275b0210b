"""H1 to H6: input that is meant to do harm."""

import random
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from urllib.parse import quote

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.stand import Hand, Session
from loadstone.contract.subject import Subject

from .lib.problems import PAGE_DETAIL, expect_fault, expect_invalid
from .lib.rows import Rows, rows
from .lib.service import (
    JSON,
    LIST,
    LIVE,
    MANY_SECONDS,
    MOST_BODY_BYTES,
    WITH_COUNTRY,
    compact,
    conference,
    expect_row,
    get,
    insert,
    insert_bytes,
    listed,
    path_of,
    replace,
)

check = partial(declare.check, operation="insert", seconds=MANY_SECONDS)

ATTACKS = (
    *("' OR '1'='1", "'; DROP TABLE conferences; --", "\\'; --", "%27", "${7*7}", "a'b", '"', "\\"),
    *("x' UNION SELECT user, password FROM mysql.user -- ", "{{7*7}}", "<b>&amp;</b>", "?", ":id"),
)
TEXTS = (
    *(
        "مؤتمر التقنية",
        "技术大会",
        "👩‍👩‍👧‍👦🏳️‍🌈",
        "é vs e\u0301",
        "Z\u0351\u036b\u0343a\u0323lgo",
        "\u202eleft",
    ),
    *("I ı İ i ß ẞ", "\ufeffmark", "/</script>", "\N{MUSICAL SYMBOL G CLEF}"),
)
NOT_UTF_8 = (
    b"\xbf\x27",
    b"\xc0\xa7",
    b"\xe0\x80\xa7",
    b"\xf0\x80\x80\xa7",
    b"\xed\xa0\x80",
    b"\xff",
)
"""A quote behind a byte of GBK, then a quote in more bytes than it needs, then half a pair."""
GENERATED = 120
HALF_SENT = 50
AT_REST_SECONDS = 1.0
"""Until a connection whose result has come is seen to be at rest; one that is held stays as it is."""


@check("H1", "what looks like SQL is stored as it is, or refused")
def injection(subject: Subject) -> None:
    before = listed(subject)
    with rows(subject) as made:
        for attack in ATTACKS:
            _attack(subject, made, attack)
    expect_equal(listed(subject), before, "the rows behind the attacks")


@check("H2", "every script comes back as it was, unescaped")
def scripts(subject: Subject) -> None:
    with rows(subject) as made:
        for text in TEXTS:
            identifier = made.new_id()
            # Once as escapes of JSON, and once as bytes.
            body = conference(identifier, text)
            expect_equal(insert(subject, body).status, 202, f"the status of {text!r}")
            expect_row(subject, identifier, text)
            answer = subject.ask(path_of(identifier), [JSON], compact({"name": text}), method="PUT")
            expect_equal(answer.body, compact(body), f"the answer to {text!r}")
        there = {row["id"]: row["name"] for row in listed(subject)}
        expect_equal([there[each] for each in made.made], list(TEXTS), "the names in the list")


@check("H3", "bytes that are not UTF-8 are 400, half a pair is 400 or 422")
def not_utf_8(subject: Subject) -> None:
    with rows(subject) as made:
        for wrong in NOT_UTF_8:
            body = compact(conference(made.new_id(), "NAME")).replace(b"NAME", b"a" + wrong + b"b")
            expect_fault(insert_bytes(subject, body), "malformed", f"of the bytes {wrong!r}")
        for escape in (b"\\ud800", b"\\udc00", b"\\ud800a", b"\\udc00\\ud800"):
            body = compact(conference(made.new_id(), "NAME")).replace(b"NAME", escape)
            status = insert_bytes(subject, body).status
            expect(status in (400, 422), f"the status of {escape!r} is {status}")


@check("H4", "JSON that is deep ends nothing")
def deep(subject: Subject) -> None:
    half = MOST_BODY_BYTES // 2 - 64
    bodies = (
        b"[" * 10_000,
        b'{"a":' * 2_500,
        b"[" * 10_000 + b"]" * 10_000,
        b'{"id":"a","name":' + b"[" * half + b"]" * half + b"}",
    )
    for body in bodies:
        status = insert_bytes(subject, body).status
        expect(status in (400, 413, 422), f"the status of {body[:20]!r}... is {status}")
        expect_equal(get(subject, LIVE).status, 200, "the status of /healthz behind it")


@check("H5", "no request is answered by 500, or not at all", needs_upstream=True)
def generated(subject: Subject) -> None:
    with rows(subject) as made:
        for method, target, fields, body in _requests(random.Random(5), made):
            answer = subject.ask(target, fields, body, method=method)
            # The recording upstream answers by echo, which is no country.
            wanted = answer.status < 500 or (target == WITH_COUNTRY and answer.status == 502)
            expect(wanted, f"{answer.status} for {method} {target} with {body[:60]!r}")


@check("H6", "requests that are half sent hold up nobody", needs_stand=True)
def half_sent(subject: Subject) -> None:
    hand = subject.stand.dependency("database")
    with rows(subject) as made, ExitStack() as opened:
        for number in range(HALF_SENT):
            connection = opened.enter_context(subject.connect_http1())
            if number % 2:
                connection.send(b"POST /conferences HTTP/1.1\r\nHost: a\r\nContent-Ty")
            else:
                body = compact(conference(made.new_id(), "QCon"))
                connection.begin(LIST, [JSON], length=len(body)).send_piece(body[:-5])
        for _ in range(20):
            listed(subject)
            expect_equal(
                insert(subject, conference(made.new_id(), "QCon")).status, 202, "an insert"
            )
        end = time.monotonic() + AT_REST_SECONDS
        while _busy(hand) and time.monotonic() < end:
            time.sleep(0.01)
        expect_equal(len(_busy(hand)), 0, "connections of the pool that are in use")


def _busy(hand: Hand) -> list[Session]:
    return [each for each in hand.sessions() if each.command != "Sleep" or each.in_transaction]


def _attack(subject: Subject, made: Rows, attack: str) -> None:
    identifier = made.new_id()
    answer = insert(subject, conference(identifier, attack))
    expect_equal(answer.status, 202, f"the status of the name {attack}")
    expect_row(subject, identifier, attack)
    answer = replace(subject, identifier, {"name": f"{attack} "})
    expect_equal(answer.status, 200, f"the status of replacing by {attack}")
    expect_row(subject, identifier, f"{attack} ")
    expect_invalid(insert(subject, conference(f"a{attack}", "b")), ("/id", "pattern"))
    escaped = quote(attack, safe="")
    for method in ("GET", "DELETE"):
        answer = subject.ask(path_of(f"a{escaped}"), method=method)
        expect_fault(answer, "not-found", f"of {method} {attack}")
    for query in (f"limit={escaped}", f"limit=5&after=a{escaped}"):
        expect_fault(get(subject, f"{LIST}?{query}"), "malformed", query, detail=PAGE_DETAIL)


_Request = tuple[str, str, list[tuple[str, str]], bytes]


def _requests(chance: random.Random, made: Rows) -> Iterator[_Request]:
    """Requests to the paths of the OpenAPI document: the same each time, most of them odd."""
    values: list[object] = [None, 0, -1, 1e308, True, [], {}, "", "\0", "é", "x" * 300, [[]]]
    values.append(made.new_id("a"))
    for _ in range(GENERATED):
        identifier = made.new_id()
        target = chance.choice(
            [
                *(LIST, WITH_COUNTRY, path_of(identifier), path_of(chance.choice(made.made))),
                f"{LIST}?limit={chance.choice(['1', '1000', '', '1e3', '0x1', '%00', '%FF'])}",
                *(path_of(quote(str(chance.choice(values)), safe="")), LIVE, "/readyz"),
                f"{LIST}?limit=3&after={quote(str(chance.choice(values)), safe='')}",
            ]
        )
        method = chance.choice(["GET", "POST", "PUT", "DELETE", "PATCH"])
        value = {
            key: chance.choice([identifier, *values])
            for key in chance.sample(["id", "name", "x", ""], chance.randrange(5))
        }
        body = compact(chance.choice([value, value, value, *values]))
        if chance.random() < 0.2:
            body = body[: chance.randrange(len(body) + 1)]
        media_type = chance.choice(["application/json"] * 5 + ["text/plain", "", "a/b/c", "*/*"])
        yield method, target, [("Content-Type", media_type)], body
