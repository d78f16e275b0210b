"""The service as its callers see it: paths, bodies, and how one is asked."""

import json
from typing import Any, Final

from loadstone.contract.client import Answer
from loadstone.contract.expect import expect
from loadstone.contract.faults import ServiceFault
from loadstone.contract.subject import Subject

from .tokens import Caller

ACCOUNTS: Final = "/accounts"
ME: Final = "/accounts/me"
LOG_IN: Final = "/auth/login"
CLUBS: Final = "/clubs"
FACILITIES: Final = "/facilities"
RESERVATIONS: Final = "/reservations"
LIVE: Final = "/healthz"
READY: Final = "/readyz"

JSON: Final = ("Content-Type", "application/json")
DATABASE: Final = "database"
POOL_SIZE: Final = 10
"""By default."""
MOST_BODY_BYTES: Final = 16_384

MANY_SECONDS: Final = 120.0
"""For a check of some hundred requests: a JVM is slow at first on a busy machine."""
STARTS_SECONDS: Final = 240.0
"""For one that starts the service several times: a JVM may take half a minute on a slow core."""

_SHOWN_BYTES = 120


class NotJson(ServiceFault):
    """A body that should be JSON is none."""


def compact(value: object) -> bytes:
    """The bytes of a value as the service writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def read_json(body: bytes) -> Any:
    """The value of a body. Raises NotJson."""
    try:
        return json.loads(body.decode("utf-8"))
    except ValueError as error:
        raise NotJson(f"not JSON: {error} in {body[:_SHOWN_BYTES]!r}") from error


def bearer(token: str) -> tuple[str, str]:
    """The field by which a token is sent."""
    return "Authorization", f"Bearer {token}"


def ask(
    subject: Subject,
    method: str,
    target: str,
    caller: Caller | None = None,
    *fields: tuple[str, str],
    body: bytes = b"",
) -> Answer:
    """Send one request, as this caller or as nobody."""
    own = [] if caller is None else [bearer(caller.token)]
    return subject.ask(target, [*own, *fields], body, method=method)


def get(
    subject: Subject, target: str, caller: Caller | None = None, *fields: tuple[str, str]
) -> Answer:
    """Ask by GET."""
    return ask(subject, "GET", target, caller, *fields)


def delete(subject: Subject, target: str, caller: Caller | None = None) -> Answer:
    """Ask by DELETE."""
    return ask(subject, "DELETE", target, caller)


def post(
    subject: Subject,
    target: str,
    caller: Caller | None,
    value: object,
    *fields: tuple[str, str],
) -> Answer:
    """Ask by POST; `value` is any JSON value."""
    return ask(subject, "POST", target, caller, JSON, *fields, body=json.dumps(value).encode())


def put(subject: Subject, target: str, caller: Caller | None, value: object) -> Answer:
    """Ask by PUT; `value` is any JSON value."""
    return ask(subject, "PUT", target, caller, JSON, body=json.dumps(value).encode())


def expect_status(answer: Answer, status: int, what: str) -> None:
    """Expect this status; what came instead is shown."""
    shown = f"{answer.status}, not {status}: {answer.body[:_SHOWN_BYTES]!r}"
    expect(answer.status == status, f"the status of {what} is {shown}")
