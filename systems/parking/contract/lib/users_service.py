"""`users` as its callers see it: paths, identities, and how it is asked."""

import json
from typing import Final, NamedTuple

from loadstone.contract.client import Answer
from loadstone.contract.subject import Subject

from .objects import JSON
from .shapes import DEVICE

SERVICE: Final = "users"

USERS: Final = "/users"
LOGIN: Final = "/users/login"
TOP: Final = "/users/top-coins"
COINS: Final = "/users/coins"
DEBITS: Final = "/internal/coins/debits"
HEALTH: Final = "/health"

INTERNAL_KEY: Final = "loadstone-park-key-of-services"
"""As `system.yaml` hands it over."""
INTERNAL: Final = ("X-Internal-Key", INTERNAL_KEY)
"""The field by which another service asks."""
POOL_SIZE: Final = 10
"""By default."""
MOST_BODY_BYTES: Final = 65_536

MANY_SECONDS: Final = 120.0
"""For a check of some hundred requests: a JVM is slow at first on a busy machine."""
STARTS_SECONDS: Final = 240.0
"""For one that starts the service several times: a JVM may take half a minute on a slow core."""

NOBODY: Final = 2**53 - 1
"""The greatest id that every reader of JSON keeps as it is (RFC 8259, 6); no user has it."""


class Caller(NamedTuple):
    """Who asks, as the gateway would tell it; nobody need be there of that id."""

    id: int
    role: str

    def has(self, role: str) -> "Caller":
        """The same user, by another role."""
        return Caller(self.id, role)


SUPERVISOR: Final = Caller(1, "SUPERVISOR")
PARK_MANAGER: Final = Caller(2, "PARK_MANAGER")
MANAGER: Final = Caller(3, "CUSTOMER_MANAGER")
BRAM: Final = Caller(4, "CUSTOMER")
SEFA: Final = Caller(5, "CUSTOMER")
ILO: Final = Caller(6, "CUSTOMER")
"""The six users of the seed."""


def customer(user: int) -> Caller:
    """A customer of this id."""
    return Caller(user, "CUSTOMER")


def device(user: int) -> Caller:
    """A device of this id; no user is one."""
    return Caller(user, DEVICE)


def identity(caller: Caller | None) -> list[tuple[str, str]]:
    """The two fields that say who asks; of nobody none."""
    if caller is None:
        return []
    return [("X-User-Id", str(caller.id)), ("X-User-Role", caller.role)]


def user_path(user: int, rest: str = "") -> str:
    """The path of a user, or one below."""
    return f"{USERS}/{user}{rest}"


def ask(
    subject: Subject,
    method: str,
    target: str,
    caller: Caller | None = None,
    *fields: tuple[str, str],
    body: bytes = b"",
) -> Answer:
    """Send one request, as this caller or as nobody."""
    return subject.ask(target, [*identity(caller), *fields], body, method=method)


def get(
    subject: Subject, target: str, caller: Caller | None = None, *fields: tuple[str, str]
) -> Answer:
    """Ask by GET."""
    return ask(subject, "GET", target, caller, *fields)


def post(
    subject: Subject, target: str, caller: Caller | None, value: object, *fields: tuple[str, str]
) -> Answer:
    """Ask by POST; `value` is any JSON value."""
    return ask(subject, "POST", target, caller, JSON, *fields, body=json.dumps(value).encode())


def put(subject: Subject, target: str, caller: Caller | None, value: object) -> Answer:
    """Ask by PUT; `value` is any JSON value."""
    return ask(subject, "PUT", target, caller, JSON, body=json.dumps(value).encode())


def list_users(subject: Subject, caller: Caller | None = SUPERVISOR) -> Answer:
    """Ask for all users."""
    return get(subject, USERS, caller)


def get_user(subject: Subject, user: int, caller: Caller | None = SUPERVISOR) -> Answer:
    """Ask for one user."""
    return get(subject, user_path(user), caller)


def set_status(
    subject: Subject, user: int, status: object, caller: Caller | None = SUPERVISOR
) -> Answer:
    """Ask to enable, disable or block a user."""
    return put(subject, user_path(user, "/status"), caller, {"userStatus": status})


def set_payment_method(subject: Subject, caller: Caller, method: object) -> Answer:
    """Ask to pay in another way, for oneself."""
    return put(subject, user_path(caller.id, "/payment-method"), caller, {"paymentMethod": method})
