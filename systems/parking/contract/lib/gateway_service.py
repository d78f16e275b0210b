"""The gateway as its callers see it: how it is asked, and how it becomes well again behind a check."""

import time
from pathlib import Path
from typing import Final

from loadstone.contract.client import Answer, Connection
from loadstone.contract.expect import expect_equal
from loadstone.contract.faults import ServiceFault
from loadstone.contract.http1_client import Http1Connection
from loadstone.contract.subject import Subject

from .clock import expect_speed
from .gateway_tokens import token_of
from .objects import expect_status
from .tokens import bearer

USERS: Final = "/users"
LOGIN: Final = "/users/login"
HEALTH: Final = "/health"
COINS: Final = "/users/coins"
ORIGIN: Final = "https://park.example"
"""As `system.yaml` hands it over."""
REGISTRY: Final = "registry"
MEBIBYTE: Final = 1 << 20
SEED: Final = Path(__file__).parents[2] / "seed" / "users.json"
"""What `list-users` answers."""

TOKEN: Final = token_of(1)
"""Of user 1, a SUPERVISOR."""
AS_SUPERVISOR: Final = bearer(TOKEN)

MANY_SECONDS: Final = 120.0
"""For a check of some hundred requests: a JVM is slow at first on a busy machine."""
STARTS_SECONDS: Final = 240.0
"""For one that starts the gateway: a JVM may take half a minute on a slow core."""
LEFT_OUT_SECONDS: Final = 2.0
"""For which an instance is left out behind a failed attempt."""

_SETTLE_SECONDS = 10.0
_POLL_SECONDS = 0.05
_WITHOUT_LENGTH = frozenset({"GET", "HEAD", "DELETE", "OPTIONS"})
"""Requests that callers on HTTP/1.1 frame by nothing where they have no body."""


def ask_on(
    connection: Connection,
    method: str,
    target: str,
    *fields: tuple[str, str],
    body: bytes = b"",
    token: str | None = TOKEN,
) -> Answer:
    """Ask on a connection, and wait for the answer; by a token, or none."""
    headers = [*([] if token is None else [bearer(token)]), *fields]
    if isinstance(connection, Http1Connection) and not body and method in _WITHOUT_LENGTH:
        connection.send_head(target, headers, method=method)
    else:
        connection.send_request(target, headers, body, method=method)
    return connection.receive_answer()


def ask(
    subject: Subject,
    method: str,
    target: str,
    *fields: tuple[str, str],
    body: bytes = b"",
    token: str | None = TOKEN,
) -> Answer:
    """Ask on a connection of its own."""
    with subject.connect() as connection:
        return ask_on(connection, method, target, *fields, body=body, token=token)


def get(
    subject: Subject, target: str = USERS, *fields: tuple[str, str], token: str | None = TOKEN
) -> Answer:
    """Ask by GET."""
    return ask(subject, "GET", target, *fields, token=token)


def post(subject: Subject, target: str, body: bytes, *fields: tuple[str, str]) -> Answer:
    """Ask by POST, whatever the body is."""
    return ask(subject, "POST", target, *fields, body=body)


def status_of(subject: Subject, target: str = USERS) -> int | None:
    """What an answer says; none where there was none."""
    try:
        return get(subject, target).status
    except (OSError, ServiceFault):
        return None


def wait_for_status(
    subject: Subject, status: int, seconds: float, when: str, target: str = USERS
) -> None:
    """Expect this status of a GET within so many seconds."""
    began = time.monotonic()
    while (seen := status_of(subject, target)) != status:
        spent = time.monotonic() - began
        shown = f"{when}, the status of {target} is {seen}, not {status}, after {spent:.1f} s"
        expect_speed(spent <= seconds, shown)
        time.sleep(_POLL_SECONDS)


def settle(subject: Subject) -> None:
    """Wait, behind a check that let attempts fail, until the instance is asked again: the next check
    needs it. What the upstream was told is forgotten, before and behind.
    """
    subject.upstream.forget()
    for _ in range(int(_SETTLE_SECONDS / _POLL_SECONDS)):
        if status_of(subject) == 200:
            break
        time.sleep(_POLL_SECONDS)
    subject.upstream.forget()


def expect_echo(subject: Subject, when: str) -> None:
    """Expect that the service is reached, which answers by echo."""
    body = f"echo {time.monotonic_ns()}".encode()
    answer = post(subject, COINS, body)
    expect_status(answer, 200, f"a request {when}")
    expect_equal(answer.body, body, f"the body {when}")


def expect_none_arrived(subject: Subject, what: str) -> None:
    """Expect that nothing of this reached the service."""
    arrived = [f"{each.method} {each.target}" for each in subject.upstream.exchanges]
    expect_equal(arrived, [], f"what reached the service of {what}")
