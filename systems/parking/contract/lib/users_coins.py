"""Coins: how they are given, taken, and looked at."""

from functools import partial
from secrets import token_hex
from typing import Any, Final

from loadstone.contract.client import Answer
from loadstone.contract.subject import Subject

from .at_once import patiently
from .objects import JSON, compact, object_of
from .shapes import GRANTED, TAKEN, WALLET
from .users_service import (
    COINS,
    DEBITS,
    INTERNAL,
    MANAGER,
    Caller,
    ask,
    get,
    user_path,
)

KEY: Final = "Idempotency-Key"
REPLAYED: Final = "Idempotency-Replayed"
REASON: Final = "welcome"


def new_key() -> str:
    """A key that was never used."""
    return token_hex(16)


def new_reference() -> str:
    """A reference that no debit has."""
    return f"check/{token_hex(8)}"


def grant_body(users: list[int], amount: object = 1, reason: object = REASON) -> dict[str, object]:
    """A body of `grant-coins`."""
    return {"userIds": users, "amount": amount, "reason": reason}


def grant(
    subject: Subject,
    users: list[int],
    amount: object = 1,
    reason: object = REASON,
    *,
    key: str | None = None,
    manager: Caller = MANAGER,
) -> Answer:
    """Ask to give each of these users so many coins, by a new key where none is named."""
    fields = (JSON, (KEY, key or new_key()))
    body = compact(grant_body(users, amount, reason))
    return ask(subject, "POST", COINS, manager, *fields, body=body)


def granted(subject: Subject, user: int, amount: int) -> None:
    """Give a user coins. Raises AssertionError unless that is 201."""
    answer = patiently(partial(grant, subject, [user], amount, key=new_key()))
    object_of(answer, 201, GRANTED, "granting coins", granted=1)


def debit_body(user: object, reference: object, most: object) -> dict[str, object]:
    """A body of `debit`."""
    return {"userId": user, "reference": reference, "maxCoins": most}


def debit(subject: Subject, user: object, most: object = 1, reference: object = None) -> Answer:
    """Ask to take at most so many coins of a user, by a new reference where none is named."""
    body = compact(debit_body(user, reference or new_reference(), most))
    return ask(subject, "POST", DEBITS, None, INTERNAL, JSON, body=body)


def taken_of(answer: Answer, what: str) -> int:
    """How many coins an answer says were taken."""
    return int(object_of(answer, 200, TAKEN, what)["coins"])


def wallet(subject: Subject, user: int, caller: Caller = MANAGER) -> dict[str, Any]:
    """The wallet of a user. Raises AssertionError unless that is 200."""
    answer = get(subject, user_path(user, "/coins"), caller)
    return object_of(answer, 200, WALLET, f"the wallet of {user}", userId=user)
