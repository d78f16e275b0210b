import asyncio
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from booking.config import TokenConfig
from booking.passwords import Passwords
from booking.problem import Kind, Problem
from booking.service import create_service
from booking.tokens import Caller, Tokens
from tests.asgi import JSON_FIELD, Answer, ask
from tests.fakes import Fakes

NOW = 2_000_000_000
TOKENS = Tokens(TokenConfig("s" * 32, 3600), lambda: NOW)
OWNER, OTHER_OWNER, PLAYER, OTHER_PLAYER = (
    Caller(1, "owner"),
    Caller(2, "owner"),
    Caller(3, "player"),
    Caller(4, "player"),
)

CLUB = b'{"name":"Elm Court","city":"Norvale"}'
FACILITY = (
    b'{"name":"F","sport":"tennis","slot_minutes":60,"opens":360,"closes":1320,"price_cents":1000}'
)
RESERVATION = b'{"facility_id":1,"starts_at":"2099-03-01T06:00:00Z"}'
ACCOUNT = b'{"email":"Ann@booking.example","name":"Ann","password":"court-side-2040"}'

LARGE = b"a" * (17 << 10)
TEXT_FIELD = (b"content-type", b"text/plain")

Field = tuple[bytes, bytes]


class Service:
    """Asked by callers of any account; `fakes` is what it is over."""

    def __init__(self) -> None:
        self.fakes = Fakes()
        self.passwords = Passwords(4)
        self._app = create_service(self.fakes.stores, self.passwords, TOKENS)

    def ask(
        self,
        caller: Caller | None,
        method: str,
        target: str,
        body: bytes | Sequence[bytes] = b"",
        headers: Sequence[Field] = (JSON_FIELD,),
    ) -> Answer:
        fields = list(headers)
        if caller is not None:
            fields.append((b"authorization", f"Bearer {TOKENS.issue(caller)}".encode()))
        return asyncio.run(ask(self._app, method, target, body, fields))

    def reserved(self) -> None:
        """Make a club with a facility, and a reservation there."""
        for caller, target, body in (
            (OWNER, "/clubs", CLUB),
            (OWNER, "/clubs/1/facilities", FACILITY),
            (PLAYER, "/reservations", RESERVATION),
        ):
            assert self.ask(caller, "POST", target, body).status == 201


@pytest.fixture
def service() -> Service:
    return Service()


def test_an_account_signs_up_logs_in_and_is_shown(service: Service) -> None:
    made = service.ask(None, "POST", "/accounts", ACCOUNT)
    assert (made.status, made.headers["content-type"]) == (201, "application/json")
    assert made.body == (
        b'{"id":1,"email":"ann@booking.example","name":"Ann","role":"player",'
        b'"created_at":"2026-01-01T00:00:00Z"}'
    )
    assert service.ask(None, "POST", "/accounts", ACCOUNT).problem["type"] == (
        "https://booking.example/problems/email-taken"
    )
    logged_in = service.ask(None, "POST", "/auth/login", ACCOUNT)
    content = json.loads(logged_in.body)
    assert list(content) == ["token", "token_type", "expires_in"]
    field = (b"authorization", f"bearer {content['token']}".encode())
    assert service.ask(None, "GET", "/accounts/me", headers=[field]).body == made.body
    service.passwords.close()


@pytest.mark.parametrize(
    "body",
    [
        b'{"email":"ann@booking.example","password":"another"}',
        b'{"email":"ann@booking.example","password":"' + b"p" * 73 + b'"}',
        b'{"email":"bob@booking.example","password":"court-side-2040"}',
        b'{"email":"nobody","password":"court-side-2040"}',
    ],
)
def test_other_credentials_are_all_the_same(service: Service, body: bytes) -> None:
    service.ask(None, "POST", "/accounts", ACCOUNT)
    refused = service.ask(None, "POST", "/auth/login", body)
    assert refused.body == (
        b'{"type":"https://booking.example/problems/bad-credentials","title":"Bad credentials",'
        b'"status":401,"detail":"The e-mail address or the password is wrong."}'
    )
    assert "www-authenticate" not in refused.headers
    service.passwords.close()


def test_a_token_of_an_account_that_is_not_there_is_good_for_all_but_itself(
    service: Service,
) -> None:
    assert service.ask(PLAYER, "GET", "/clubs").body == b'{"items":[],"next_cursor":null}'
    refused = service.ask(PLAYER, "GET", "/accounts/me")
    assert (refused.status, refused.headers["www-authenticate"]) == (401, "Bearer")


def test_a_club_is_created_replaced_and_listed(service: Service) -> None:
    made = service.ask(OWNER, "POST", "/clubs", CLUB)
    assert (made.status, made.headers["location"]) == (201, "/clubs/1")
    assert service.ask(PLAYER, "GET", "/clubs/1").body == made.body
    changed = service.ask(OWNER, "PUT", "/clubs/1", '{"name":"Ä\\n","city":"c"}'.encode())
    assert '"name":"Ä\\n"' in changed.body.decode()
    assert service.ask(OTHER_OWNER, "PUT", "/clubs/1", CLUB).status == 403
    assert service.ask(OTHER_OWNER, "PUT", "/clubs/2", CLUB).status == 404
    assert service.ask(OWNER, "GET", "/clubs/2").status == 404
    for _ in range(2):
        service.ask(OTHER_OWNER, "POST", "/clubs", CLUB)
    page = json.loads(service.ask(PLAYER, "GET", "/clubs?limit=2").body)
    assert [item["id"] for item in page["items"]] == [1, 2]
    rest = service.ask(PLAYER, "GET", f"/clubs?limit=2&cursor={page['next_cursor']}")
    assert [item["id"] for item in json.loads(rest.body)["items"]] == [3]
    assert json.loads(rest.body)["next_cursor"] is None


def test_a_facility_is_added_shown_and_retired(service: Service) -> None:
    service.ask(OWNER, "POST", "/clubs", CLUB)
    made = service.ask(OWNER, "POST", "/clubs/1/facilities", FACILITY)
    assert (made.status, made.headers["location"]) == (201, "/facilities/1")
    assert list(json.loads(made.body))[-2:] == ["retired", "created_at"]
    six = datetime(2040, 3, 1, 6, tzinfo=UTC)
    service.fakes.facilities.taken.append((six, six + timedelta(hours=1)))
    day = json.loads(service.ask(PLAYER, "GET", "/facilities/1/slots?date=2040-03-01").body)
    assert (day["date"], len(day["slots"])) == ("2040-03-01", 16)
    assert [slot["available"] for slot in day["slots"]] == [False] + [True] * 15
    for _ in range(2):
        retired = service.ask(OWNER, "DELETE", "/facilities/1")
        assert (retired.status, retired.body) == (204, b"")
    assert json.loads(service.ask(PLAYER, "GET", "/facilities/1").body)["retired"] is True
    assert service.ask(PLAYER, "GET", "/facilities").body == b'{"items":[],"next_cursor":null}'
    refused = service.ask(PLAYER, "POST", "/reservations", RESERVATION)
    assert refused.problem["title"] == "Facility retired"


def test_a_reservation_is_seen_by_its_player_and_the_owner(service: Service) -> None:
    service.reserved()
    one = "/reservations/1"
    assert service.ask(PLAYER, "GET", one).body == (
        b'{"id":1,"facility_id":1,"player_id":3,"starts_at":"2099-03-01T06:00:00Z",'
        b'"ends_at":"2099-03-01T07:00:00Z","status":"pending","price_cents":1000,'
        b'"created_at":"2026-01-01T00:00:00Z","decided_at":null}'
    )
    assert service.ask(OWNER, "GET", one).status == 200
    for stranger in (OTHER_OWNER, OTHER_PLAYER, Caller(1, "player"), Caller(3, "owner")):
        assert service.ask(stranger, "GET", one).status == 404
    assert service.ask(OTHER_PLAYER, "GET", "/reservations").body.startswith(b'{"items":[],')


def test_a_decision_takes_any_body_of_any_type(service: Service) -> None:
    service.reserved()
    one = "/reservations/1"
    assert service.ask(PLAYER, "POST", f"{one}/accept").status == 403
    assert service.ask(OTHER_OWNER, "POST", f"{one}/accept").status == 404
    accepted = service.ask(OWNER, "POST", f"{one}/accept", [LARGE, LARGE], [TEXT_FIELD])
    assert json.loads(accepted.body)["decided_at"] == "2026-01-01T00:00:00Z"
    for caller, decision in ((OWNER, "reject"), (PLAYER, "cancel")):
        assert service.ask(caller, "POST", f"{one}/{decision}", b"{").status == 409


def test_a_rating_is_201_and_then_200(service: Service) -> None:
    service.reserved()
    rating = "/reservations/1/rating"
    for status in (201, 200):
        assert service.ask(PLAYER, "PUT", rating, b'{"stars":4}').status == status
    listed = service.ask(PLAYER, "GET", "/facilities/1/ratings")
    assert listed.body.endswith(b'"next_cursor":null,"count":1,"average":4.0}')
    assert service.ask(PLAYER, "GET", "/facilities/2/ratings").status == 404


def test_the_same_key_is_the_same_reservation(service: Service) -> None:
    service.reserved()
    fields = [JSON_FIELD, (b"idempotency-key", b"k")]
    first = service.ask(PLAYER, "POST", "/reservations", RESERVATION, fields)
    again = service.ask(PLAYER, "POST", "/reservations", RESERVATION, fields)
    assert (again.status, again.body) == (201, first.body)
    assert first.headers["location"] == again.headers["location"] == "/reservations/2"
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    other = RESERVATION.replace(b"06:", b"07:")
    mismatch = service.ask(PLAYER, "POST", "/reservations", other, fields)
    assert (mismatch.status, mismatch.problem["title"]) == (422, "Key used before")


@pytest.mark.parametrize(
    ("caller", "method", "target", "body", "headers", "status"),
    [
        (None, "PATCH", "/nothing", LARGE, [TEXT_FIELD], 404),
        (None, "PATCH", "/clubs", LARGE, [TEXT_FIELD], 405),
        (None, "POST", "/clubs", LARGE, [TEXT_FIELD], 401),
        (PLAYER, "POST", "/clubs", LARGE, [TEXT_FIELD], 403),
        (OWNER, "POST", "/clubs", LARGE, [TEXT_FIELD], 413),
        (OWNER, "POST", "/clubs", [LARGE[:9000], LARGE[9000:]], [JSON_FIELD], 413),
        (OWNER, "POST", "/clubs", LARGE, [JSON_FIELD, (b"content-length", b"17408")], 413),
        (OWNER, "POST", "/clubs", b"{", [TEXT_FIELD], 415),
        (OWNER, "POST", "/clubs", b"{", [(b"content-type", b"application/jsonx")], 415),
        (OWNER, "POST", "/clubs", b"", [], 415),
        (OWNER, "POST", "/clubs", b"{", [JSON_FIELD], 400),
        (OWNER, "POST", "/clubs", b"", [JSON_FIELD], 400),
        (OWNER, "POST", "/clubs", b"9" * 5000, [JSON_FIELD], 422),
        (OWNER, "PUT", "/clubs/9", b"{}", [JSON_FIELD], 422),
        (OWNER, "PUT", "/clubs/9", CLUB, [JSON_FIELD], 404),
        (OWNER, "POST", "/reservations", b"", [], 403),
        (PLAYER, "POST", "/reservations", b"{}", [JSON_FIELD, (b"idempotency-key", b"")], 400),
        (PLAYER, "POST", "/reservations", RESERVATION, [JSON_FIELD], 404),
        (None, "GET", "/clubs?limit=0", b"", [], 401),
        (PLAYER, "GET", "/clubs?limit=0", b"", [], 400),
        (PLAYER, "GET", "/facilities/9/slots?date=x", b"", [], 400),
        (PLAYER, "GET", "/facilities/9/ratings?cursor=x", b"", [], 400),
    ],
)
def test_the_first_fault_is_answered(
    service: Service,
    caller: Caller | None,
    method: str,
    target: str,
    body: bytes | list[bytes],
    headers: list[Field],
    status: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    refused = service.ask(caller, method, target, body, headers)
    assert (refused.status, refused.problem["status"]) == (status, status)
    assert caplog.messages == []


@pytest.mark.parametrize("type_", [b"application/json; charset=utf-8", b"Application/JSON;a=b"])
def test_parameters_and_case_of_a_type_do_not_matter(service: Service, type_: bytes) -> None:
    fields = [(b"content-type", type_)]
    assert service.ask(OWNER, "POST", "/clubs", [CLUB[:9], CLUB[9:]], fields).status == 201


def test_a_problem_has_its_members_in_their_order_and_405_the_methods(service: Service) -> None:
    refused = service.ask(None, "PATCH", "/facilities/1")
    assert refused.body == (
        b'{"type":"https://booking.example/problems/method-not-allowed",'
        b'"title":"Method not allowed","status":405,'
        b'"detail":"The path does not have this method."}'
    )
    assert refused.headers["allow"] == "GET, PUT, DELETE"
    invalid = service.ask(OWNER, "POST", "/clubs", b'{"name":1}')
    assert invalid.problem["errors"] == [
        {"pointer": "/name", "code": "type"},
        {"pointer": "/city", "code": "required"},
    ]


def test_an_error_of_the_database_is_a_line_in_the_log_and_not_in_the_answer(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    service.fakes.health.failure = Problem(Kind.UNAVAILABLE, "refused")
    failed = service.ask(PLAYER, "GET", "/clubs/1")
    assert (failed.status, failed.headers["retry-after"]) == (503, "1")
    service.fakes.health.failure = Problem(Kind.INTERNAL, "no such table")
    failed = service.ask(PLAYER, "GET", "/clubs/1")
    assert failed.problem["detail"] == "The service failed."
    assert caplog.messages == ["unavailable: refused", "internal: no such table"]


def test_an_error_of_the_service_is_one_line_in_the_log(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    service.fakes.health.failure = RuntimeError("unfore\nseen")
    # For its server, which logs nothing, the framework raises it again.
    with pytest.raises(RuntimeError):
        service.ask(PLAYER, "GET", "/clubs/1")
    assert caplog.messages == ["unexpected: RuntimeError('unfore\\nseen')"]


def test_it_lives_whatever_its_database_does(service: Service) -> None:
    service.fakes.health.failure = Problem(Kind.UNAVAILABLE)
    assert service.ask(None, "GET", "/healthz").body == b'{"status":"ok"}'
    assert service.ask(None, "GET", "/readyz").status == 503
