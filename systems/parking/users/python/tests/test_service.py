"""The whole application without a server, over stores that are not there."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from tests.asgi import JSON_FIELD, Answer, ask
from users.complaints import Complaints
from users.config import TokenConfig
from users.passwords import Passwords
from users.problem import Kind, Problem
from users.service import create_service
from users.store import Stores
from users.tokens import Tokens

KEY = b"loadstone-park-key-of-services"
GRANT = {"userIds": [4], "amount": 1, "reason": "r"}

Fields = Sequence[tuple[bytes, bytes]]


class Away:
    """Every store, while the database is away."""

    def __getattr__(self, name: str) -> Any:
        async def fail(*_: object) -> None:
            raise Problem(Kind.UNAVAILABLE, name)

        return fail


def as_user(role: str, user: int = 4) -> Fields:
    return [(b"x-user-id", str(user).encode()), (b"x-user-role", role.encode())]


def asked(method: str, path: str, fields: Fields = (), body: object = None) -> Answer:
    away = Away()
    service = create_service(
        Stores(users=away, vehicles=away, coins=away, health=away),
        Passwords(4),
        Tokens(TokenConfig("s" * 32, 600), lambda: 0.0),
        Complaints(),
        internal_key=KEY.decode(),
        instance="users-8090",
    )
    content = b"" if body is None else json.dumps(body).encode()
    sent = fields if body is None else [JSON_FIELD, *fields]
    answer = asyncio.run(ask(service, method, path, content, sent))
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-instance-id"] == "users-8090"
    return answer


@pytest.mark.parametrize(
    ("method", "path", "code"),
    [
        *[("GET", "/Users", "not-found"), ("GET", "/users/01", "not-found")],
        *[
            ("DELETE", "/users/1", "method-not-allowed"),
            ("OPTIONS", "/users", "method-not-allowed"),
        ],
        *[("GET", "/users?a=b", "token-missing"), ("GET", "/health", "unavailable")],
        ("PUT", "/users/1/vehicles/LA-00012", "token-missing"),
        ("POST", "/internal/coins/debits", "forbidden"),
    ],
)
def test_what_is_refused_is_a_problem(method: str, path: str, code: str) -> None:
    answer = asked(method, path)
    assert answer.problem["code"] == code
    assert ("allow" in answer.headers) == (code == "method-not-allowed")
    assert ("www-authenticate" in answer.headers) == (code == "token-missing")
    assert ("retry-after" in answer.headers) == (code == "unavailable")


def test_an_answer_to_head_has_no_body() -> None:
    answer = asked("HEAD", "/users")
    assert (answer.status, answer.body) == (405, b"")


@pytest.mark.parametrize(
    ("role", "method", "path", "status"),
    [
        *[("CUSTOMER", "GET", "/users", 403), ("SUPERVISOR", "GET", "/users", 503)],
        *[("CUSTOMER", "GET", "/users/5", 403), ("CUSTOMER", "GET", "/users/4", 503)],
        *[
            ("DEVICE", "GET", "/users/4/vehicles", 503),
            ("SUPERVISOR", "GET", "/users/5/coins", 403),
        ],
        *[("SUPERVISOR", "PUT", "/users/4/vehicles/LA-00012", 403)],
        *[("CUSTOMER", "PUT", "/users/4/status", 403)],
        *[("CUSTOMER_MANAGER", "PUT", "/users/4/payment-method", 415)],
    ],
)
def test_the_role_and_the_id_let_in(role: str, method: str, path: str, status: int) -> None:
    assert asked(method, path, as_user(role)).status == status


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        (as_user("CUSTOMER")[:1], "token-missing"),
        (as_user("customer"), "token-invalid"),
        (as_user("CUSTOMER", 0), "token-invalid"),
        ([*as_user("CUSTOMER"), (b"x-user-id", b"4")], "token-invalid"),
    ],
)
def test_an_identity_is_clear(fields: Fields, code: str) -> None:
    assert asked("GET", "/users/4", fields).problem["code"] == code


def test_faults_of_a_body_are_in_order() -> None:
    manager = as_user("CUSTOMER_MANAGER")
    key = (b"idempotency-key", b"0123456789abcdef")
    assert asked("POST", "/users/coins", manager, GRANT).status == 400
    assert asked("POST", "/users/coins", [*manager, key, key], GRANT).status == 400
    assert asked("POST", "/users/coins", [*manager, key], {}).status == 422
    assert asked("POST", "/users/coins", [*manager, key], GRANT).status == 503


def test_a_service_is_known_by_its_key() -> None:
    path = "/internal/coins/debits"
    assert asked("POST", path, [(b"x-internal-key", KEY)], {}).status == 422
    assert asked("POST", path, [(b"x-internal-key", KEY + b"x")], {}).status == 403
    assert asked("POST", path, [(b"x-internal-key", KEY)] * 2, {}).status == 403


def test_nobody_is_looked_for_whom_no_user_can_be() -> None:
    answer = asked("POST", "/users/login", (), {"email": "nobody", "password": "x"})
    assert answer.problem["code"] == "credentials"
    assert "www-authenticate" not in answer.headers
    answer = asked("POST", "/users/login", (), {"email": "a@b", "password": "x"})
    assert answer.problem["code"] == "unavailable"
