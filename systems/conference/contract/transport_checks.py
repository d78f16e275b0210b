"""T1 to T7: paths, methods, types and sizes, and how errors are told."""

from contextlib import suppress
from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect_equal
from loadstone.contract.subject import Subject

from .lib.problems import expect_failure, expect_fault
from .lib.rows import rows
from .lib.service import (
    JSON,
    LIST,
    LIVE,
    MANY_SECONDS,
    MOST_BODY_BYTES,
    READY,
    WITH_COUNTRY,
    compact,
    conference,
    expect_row,
    get,
    insert,
    insert_bytes,
    path_of,
    remove,
    replace,
)

quick = partial(declare.check, operation="insert", quick=True)
check = partial(declare.check, operation="insert", seconds=MANY_SECONDS)

OTHER_PATHS = (
    *("/", f"{LIST}/", "/Conferences", "/conference", f"{WITH_COUNTRY}/", f"{LIST}/a/b"),
    *(f"{LIST}/a/", "/healthz/", "/HEALTHZ", "/readyz/x", f"{LIST}/a/country"),
)
METHODS = {
    LIST: {"GET", "POST"},
    path_of("some-id"): {"GET", "PUT", "DELETE"},
    WITH_COUNTRY: {"GET"},
    LIVE: {"GET"},
    READY: {"GET"},
}
TRIED_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")

NOT_JSON = (
    *(b"", b" ", b"{", b"nothing", b"{}{}", b'{"id":"a","name":"b"} x', b"'a'", b"{id:1}"),
    b'{"id":"a","name":"\xff"}',
    '{"id":"a","name":"b"}'.encode("utf-16"),
)


@check("T1", "every fault of a caller is told as a problem")
def faults(subject: Subject) -> None:
    identifier = "no-such-row"
    expect_fault(get(subject, path_of(identifier)), "not-found", "of a row that is not there")
    expect_fault(replace(subject, identifier, {"name": "a"}), "not-found", "of replacing it")
    expect_fault(remove(subject, identifier), "not-found", "of removing it")
    with rows(subject) as made:
        known = made.insert()
        again = insert(subject, conference(known, "QCon"))
        expect_fault(again, "duplicate-id", "of an id that exists")


@check("T1", "every failure of the service is told as a problem", needs_stand=True)
def failures(subject: Subject) -> None:
    # A table that is away is an error that no other clause is about.
    hand = subject.stand.dependency("database")
    hand.execute("RENAME TABLE conferencedb.conferences TO conferencedb.away")
    try:
        listing = get(subject, LIST)
        joined = get(subject, WITH_COUNTRY)
        inserting = insert(subject, conference("a", "b"))
        replacing = replace(subject, "a", {"name": "b"})
    finally:
        hand.execute("RENAME TABLE conferencedb.away TO conferencedb.conferences")
    expect_failure(listing, "internal", "list", "without a table")
    expect_failure(joined, "internal", "with-country", "without a table")
    expect_failure(inserting, "internal", "insert", "without a table")
    expect_failure(replacing, "internal", "replace", "without a table")


@quick("T2", "another path is 404")
def other_path(subject: Subject) -> None:
    for path in OTHER_PATHS[:2]:
        expect_fault(get(subject, path), "not-found", f"of {path}")


@check("T2", "paths are compared exactly")
def exact_paths(subject: Subject) -> None:
    for path in OTHER_PATHS:
        expect_fault(get(subject, path), "not-found", f"of GET {path}")
    for path in (f"{LIST}/", "/nothing"):
        answer = subject.ask(path, [JSON], compact(conference("a", "b")))
        expect_fault(answer, "not-found", f"of POST {path}")


@quick("T3", "another method is 405 and names those allowed")
def other_method(subject: Subject) -> None:
    _expect_not_allowed(subject, "PATCH", LIST)


@check("T3", "every other method of every path is 405")
def every_other_method(subject: Subject) -> None:
    for path, allowed in METHODS.items():
        for method in TRIED_METHODS:
            if method not in allowed:
                _expect_not_allowed(subject, method, path)


@check("T4", "a body that is no JSON is 400")
def no_json(subject: Subject) -> None:
    for body in NOT_JSON:
        expect_fault(insert_bytes(subject, body), "malformed", f"of the body {body!r}")
    with rows(subject) as made:
        path = path_of(made.insert())
        for body in NOT_JSON:
            answer = subject.ask(path, [JSON], body, method="PUT")
            expect_fault(answer, "malformed", f"of replacing by {body!r}")


@check("T5", "another media type, and none, is 415")
def other_type(subject: Subject) -> None:
    body = compact(conference("a", "b"))
    types = ("text/plain", "application/xml", "application/jsonp", "application/merge-patch+json")
    for fields in (*([("Content-Type", each)] for each in types), []):
        answer = subject.ask(LIST, fields, body)
        expect_fault(answer, "unsupported-media-type", f"with {fields}")
        answer = subject.ask(path_of("a"), fields, body, method="PUT")
        expect_fault(answer, "unsupported-media-type", f"of replacing with {fields}")


@check("T5", "the type comes before what is in the body")
def type_first(subject: Subject) -> None:
    answer = subject.ask(LIST, [("Content-Type", "text/plain")], b"{")
    expect_fault(answer, "unsupported-media-type", "of text that is no JSON")


@check("T5", "parameters and case of the media type do not matter")
def type_with_parameters(subject: Subject) -> None:
    types = ("application/json; charset=utf-8", "Application/JSON;charset=UTF-8")
    with rows(subject) as made:
        for media_type in types:
            identifier = made.new_id()
            body = compact(conference(identifier, "QCon"))
            answer = subject.ask(LIST, [("Content-Type", media_type)], body)
            expect_equal(answer.status, 202, f"the status with {media_type}")


@check("T6", "a body over the limit is 413, also in chunks, and one at the limit is not")
def size(subject: Subject) -> None:
    with rows(subject) as made:
        for is_chunked in (False, True):
            sent = _send(subject, _padded(made.new_id(), 17 << 10), is_chunked=is_chunked)
            expect_equal(sent, 413, f"the status of 17 KiB, in chunks: {is_chunked},")
            identifier = made.new_id()
            sent = _send(subject, _padded(identifier, MOST_BODY_BYTES), is_chunked=is_chunked)
            expect_equal(sent, 202, f"the status of 16 KiB, in chunks: {is_chunked},")
            expect_row(subject, identifier, "QCon")


@check("T6", "the size comes before the type, and is told as a problem")
def size_first(subject: Subject) -> None:
    body = b"x" * (MOST_BODY_BYTES + 1)
    expect_fault(insert_bytes(subject, body), "too-large", "of a byte too many")
    answer = subject.ask(LIST, [("Content-Type", "text/plain")], body)
    expect_fault(answer, "too-large", "of a byte too many of text")


@check("T7", "members that are not named are ignored")
def further_members(subject: Subject) -> None:
    with rows(subject) as made:
        identifier = made.new_id()
        more = {"country": None, "Name": 5, "tags": [{"a": 1}], "ID": "x"}
        answer = insert(subject, {**more, **conference(identifier, "QCon")})
        expect_equal(answer.status, 202, "the status with further members")
        expect_row(subject, identifier, "QCon")
        answer = replace(subject, identifier, {**more, "name": "Strata"})
        expect_equal(answer.status, 200, "the status of replacing with further members")
        expect_row(subject, identifier, "Strata")


def _expect_not_allowed(subject: Subject, method: str, path: str) -> None:
    answer = subject.ask(path, method=method)
    expect_fault(answer, "method-not-allowed", f"of {method} {path}")
    told = {name.strip() for value in answer.values("allow") for name in value.split(",")}
    expect_equal(told - {"HEAD"}, METHODS[path], f"Allow after {method} {path}")


def _padded(identifier: str, size: int) -> bytes:
    """A conference with spaces behind it, as JSON allows."""
    return compact(conference(identifier, "QCon")).ljust(size)


def _send(subject: Subject, body: bytes, *, is_chunked: bool) -> int:
    """The status of an insert."""
    with subject.connect() as connection:
        call = connection.begin(LIST, [JSON], length=None if is_chunked else len(body))
        with suppress(ConnectionError):  # an answer may be there before all is sent
            for at in range(0, len(body), 4 << 10):
                call.send_piece(body[at : at + (4 << 10)])
            call.end()
        return call.receive_answer().status
