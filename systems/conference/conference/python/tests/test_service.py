import asyncio
import json
from collections.abc import Sequence

import pytest
from starlette.types import ASGIApp

from conference.config import LookupConfig, Strategy
from conference.problem import Kind, Problem
from conference.service import create_service
from tests.asgi import JSON_FIELD, Answer, ask
from tests.fakes import FakeCountry, FakeStore

LOOKUPS = LookupConfig(Strategy.SEQUENTIAL, width=8, batch_size=100)
ROWS = {"b": 'B "2"', "a": "Ä"}

LARGE = b"a" * (17 << 10)
TEXT_FIELD = (b"content-type", b"text/plain")


def service(store: FakeStore | None = None, country: FakeCountry | None = None) -> ASGIApp:
    return create_service(store or FakeStore(ROWS), country or FakeCountry(), LOOKUPS)


def answer(
    app: ASGIApp,
    method: str,
    target: str,
    body: bytes | Sequence[bytes] = b"",
    headers: Sequence[tuple[bytes, bytes]] = (JSON_FIELD,),
) -> Answer:
    return asyncio.run(ask(app, method, target, body, headers))


def test_a_list_is_compact_and_in_the_order_of_the_ids() -> None:
    listed = answer(service(), "GET", "/conferences")
    assert (listed.status, listed.headers["content-type"]) == (200, "application/json")
    assert listed.body.decode() == '[{"id":"a","name":"Ä"},{"id":"b","name":"B \\"2\\""}]'


def test_a_list_without_rows_is_empty() -> None:
    assert answer(service(FakeStore()), "GET", "/conferences").body == b"[]"


def test_a_list_of_many_slices_is_whole() -> None:
    store = FakeStore({f"i{number}": "n" for number in range(5001)})
    body = answer(service(store), "GET", "/conferences").body
    assert [row["id"] for row in json.loads(body)] == sorted(store.rows)


def test_a_page_tells_of_the_next_one_where_there_is_one() -> None:
    app = service()
    first = answer(app, "GET", "/conferenceswithcountry?limit=1")
    assert first.body.decode() == '[{"name":"Ä","country":"Ä"}]'
    link = '</conferenceswithcountry?limit=1&after=a>; rel="next"'
    assert first.headers["link"] == link
    last = answer(app, "GET", "/conferenceswithcountry?limit=1&after=a")
    assert len(json.loads(last.body)) == 1
    assert "link" not in last.headers


def test_a_conference_is_inserted_replaced_and_removed() -> None:
    app = service(FakeStore())
    inserted = answer(app, "POST", "/conferences", b'{"id":"x","name":"one"}')
    assert (inserted.status, inserted.body) == (202, b"")
    assert answer(app, "POST", "/conferences", b'{"id":"x","name":"two"}').status == 409
    assert answer(app, "GET", "/conferences/x").body == b'{"id":"x","name":"one"}'
    replaced = answer(app, "PUT", "/conferences/x", b'{"name":"two"}')
    assert replaced.body == b'{"id":"x","name":"two"}'
    assert answer(app, "DELETE", "/conferences/x").status == 204
    for method in ("GET", "DELETE"):
        assert answer(app, method, "/conferences/x").status == 404
    assert answer(app, "PUT", "/conferences/x", b'{"name":"two"}').status == 404


@pytest.mark.parametrize(
    ("method", "target", "body", "headers", "status"),
    [
        ("POST", "/nothing", LARGE, [TEXT_FIELD], 404),
        ("PATCH", "/conferences", LARGE, [TEXT_FIELD], 405),
        ("POST", "/conferences", LARGE, [TEXT_FIELD], 413),
        ("POST", "/conferences", [LARGE[:9000], LARGE[9000:]], [JSON_FIELD], 413),
        ("POST", "/conferences", LARGE, [JSON_FIELD, (b"content-length", b"17408")], 413),
        ("POST", "/conferences", b"{", [TEXT_FIELD], 415),
        ("POST", "/conferences", b"{", [(b"content-type", b"application/jsonx")], 415),
        ("POST", "/conferences", b"{", [], 415),
        ("POST", "/conferences", b"", [], 415),
        ("POST", "/conferences", b"{", [JSON_FIELD], 400),
        ("POST", "/conferences", b"", [JSON_FIELD], 400),
        ("POST", "/conferences", b'"\xff"', [JSON_FIELD], 400),
        ("POST", "/conferences", b"{}{}", [JSON_FIELD], 400),
        ("POST", "/conferences", b"NaN", [JSON_FIELD], 400),
        ("POST", "/conferences", b"[" * 10_000, [JSON_FIELD], 400),
        ("POST", "/conferences", b"9" * 5_000, [JSON_FIELD], 422),
        ("PUT", "/conferences/none", b"{}", [JSON_FIELD], 422),
        ("PUT", "/conferences/none", b'{"name":"n"}', [JSON_FIELD], 404),
        ("GET", "/conferences?limit=0", b"", [], 400),
    ],
)
def test_the_first_fault_is_answered(
    method: str,
    target: str,
    body: bytes | list[bytes],
    headers: list[tuple[bytes, bytes]],
    status: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    refused = answer(service(), method, target, body, headers)
    assert (refused.status, refused.problem["status"]) == (status, status)
    assert caplog.messages == []


@pytest.mark.parametrize("type_", [b"application/json; charset=utf-8", b"Application/JSON;a=b"])
def test_parameters_and_case_of_a_type_do_not_matter(type_: bytes) -> None:
    body = [b'{"id":"x",', b'"name":"n"}']
    inserted = answer(service(), "POST", "/conferences", body, [(b"content-type", type_)])
    assert inserted.status == 202


def test_a_problem_has_its_members_in_their_order_and_405_the_methods() -> None:
    refused = answer(service(), "PATCH", "/conferences/a")
    assert refused.body == (
        b'{"type":"urn:conference:method-not-allowed","title":"Method not allowed","status":405,'
        b'"detail":"The path does not have this method."}'
    )
    assert refused.headers["allow"] == "GET, PUT, DELETE"
    invalid = answer(service(), "POST", "/conferences", b'{"id":1}')
    assert invalid.problem["errors"] == [
        {"pointer": "/id", "code": "type"},
        {"pointer": "/name", "code": "required"},
    ]


def test_a_failure_has_the_title_of_its_operation_and_a_line_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = FakeStore()
    store.failure = Problem(Kind.UNAVAILABLE, "refused")
    failed = answer(service(store), "GET", "/conferenceswithcountry?x=y")
    assert (failed.status, failed.headers["retry-after"]) == (503, "1")
    title = "Error occurred while retrieving conferences with country"
    assert failed.problem["title"] == title
    assert caplog.messages == ["unavailable: refused"]


def test_a_page_whose_look_ups_fail_tells_of_no_next_one() -> None:
    country = FakeCountry(failing="Ä")
    failed = answer(service(country=country), "GET", "/conferenceswithcountry?limit=1")
    assert failed.status == 502
    assert "link" not in failed.headers


def test_an_error_of_the_database_is_told_of_without_itself(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = FakeStore()
    store.failure = Problem(Kind.INTERNAL, "(1146, 'no such table')")
    failed = answer(service(store), "GET", "/conferences/a")
    assert failed.status == 500
    assert failed.problem["detail"] == "The service failed."
    assert caplog.messages == ["internal: (1146, 'no such table')"]


def test_an_error_of_the_service_is_one_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    store = FakeStore()
    store.failure = RuntimeError("unfore\nseen")
    # For its server, which logs nothing, the framework raises it again.
    with pytest.raises(RuntimeError):
        answer(service(store), "GET", "/conferences/a")
    assert caplog.messages == ["unexpected: RuntimeError('unfore\\nseen')"]


def test_it_lives_whatever_its_database_does() -> None:
    store = FakeStore()
    store.failure = Problem(Kind.UNAVAILABLE)
    app = service(store)
    assert answer(app, "GET", "/healthz").body == b'{"status":"up"}'
    assert answer(app, "GET", "/readyz").status == 503


def test_a_caller_that_goes_away_ends_its_look_ups(caplog: pytest.LogCaptureFixture) -> None:
    country = FakeCountry(is_silent=True)
    app = service(country=country)
    asyncio.run(ask(app, "GET", "/conferenceswithcountry", leaves=lambda: None))
    assert len(country.asked) <= 1
    assert caplog.messages == []
